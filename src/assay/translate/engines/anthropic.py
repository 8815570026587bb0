"""Anthropic's Messages API.

anthropic({"model": "claude-sonnet-4-5"}, pair).translate(["Der Schlüssel steckt noch."])
"""

from collections.abc import Mapping, Sequence

from assay.translate.chat import TIMEOUT, Chat, HttpChat, Reply, chat_engine, read_sampling
from assay.translate.engine import BadAnswer, Engine, LanguagePair
from assay.translate.http import Server, connect
from assay.translate.json_answers import field, text_of
from assay.translate.options import Options
from assay.translate.pace import Pace, read_pace
from assay.translate.prompt import Message

API = "2023-06-01"

SERVER = Server(
    "https://api.anthropic.com/v1",
    "ANTHROPIC_API_KEY",
    "x-api-key",
    option="base_url",
    headers={"anthropic-version": API},
)

CUT_SHORT = ("max_tokens", "model_context_window_exceeded")

MAX_TOKENS = 1024
"""Of one answer; this protocol wants a limit."""


def anthropic(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """A language model behind Anthropic's API: model=NAME, prompt=FILE, …"""
    read = Options("anthropic", options)
    return chat_engine(read, pair, *anthropic_chat(read))


def anthropic_chat(options: Options) -> tuple[Chat, Pace]:
    """The model that the options name."""
    model = options.needed("model", "claude-sonnet-4-5")
    pace = read_pace(options, timeout=TIMEOUT)
    body = read_sampling(
        options,
        reserved=("model", "messages", "stream", "system"),
        max_tokens=options.whole("max_tokens", MAX_TOKENS),
    )
    return AnthropicChat(connect(options, SERVER, timeout=pace.timeout, model=model), model, body, api=API), pace


class AnthropicChat(HttpChat):
    """One model of Anthropic's API."""

    def ask(self, messages: Sequence[Message]) -> Reply:
        # This protocol has no turn for instructions: they are a field of the request.
        system = "\n\n".join(message.content for message in messages if message.role == "system")
        asked = [{"role": message.role, "content": message.content} for message in messages if message.role != "system"]
        said = self._http.post("/messages", {**self._body, **({"system": system} if system else {}), "messages": asked})
        finish = field(said, "stop_reason")
        text = text_of(field(said, "content"))
        if finish == "refusal":
            raise BadAnswer(f"anthropic: the model {self.model!r} refuses to answer this")
        return self.reply(said, text, finish, ("input_tokens", "output_tokens"), is_cut_short=finish in CUT_SHORT)
