"""Any server that speaks OpenAI's chat protocol: OpenAI, vLLM, Ollama, llama.cpp and others.

openai({"model": "qwen3", "base_url": "http://localhost:8000/v1"}, pair).translate(["Der Schlüssel steckt noch."])
"""

from collections.abc import Mapping, Sequence

from assay.translate.chat import TIMEOUT, Chat, HttpChat, Reply, chat_engine, read_sampling
from assay.translate.engine import BadAnswer, Engine, LanguagePair
from assay.translate.http import Server, connect
from assay.translate.json_answers import field, text_of
from assay.translate.options import Options
from assay.translate.pace import Pace, read_pace
from assay.translate.prompt import Message

SERVER = Server("https://api.openai.com/v1", "OPENAI_API_KEY", "Authorization", "Bearer ", option="base_url")

FILTERED = "content_filter"


def openai(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """A language model behind OpenAI's chat protocol: model=NAME, base_url=URL, prompt=FILE, …"""
    read = Options("openai", options)
    return chat_engine(read, pair, *openai_chat(read))


def openai_chat(options: Options) -> tuple[Chat, Pace]:
    """The model that the options name."""
    model = options.needed("model", "gpt-4o-mini")
    pace = read_pace(options, timeout=TIMEOUT)
    body = read_sampling(
        options,
        reserved=("model", "messages", "stream", "n"),
        seed=options.whole("seed", None, low=-(2**63)),
        max_tokens=options.whole("max_tokens", None),
    )
    return OpenAIChat(connect(options, SERVER, timeout=pace.timeout, model=model), model, body), pace


class OpenAIChat(HttpChat):
    """One model of one server."""

    def ask(self, messages: Sequence[Message]) -> Reply:
        asked = [{"role": message.role, "content": message.content} for message in messages]
        said = self._http.post("/chat/completions", {**self._body, "stream": False, "messages": asked})
        choice = field(said, "choices", 0)
        finish = field(choice, "finish_reason")
        text = text_of(field(choice, "message", "content"))
        refusal = field(choice, "message", "refusal")
        # A filter may have cut the text in the middle, so that nothing of it is taken.
        if finish == FILTERED or (refusal and not text):
            raise BadAnswer(f"openai: the model {self.model!r} does not answer this (content filter or refusal)")
        return self.reply(said, text, finish, ("prompt_tokens", "completion_tokens"), is_cut_short=finish == "length")
