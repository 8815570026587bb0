"""Conversations with language models, and translating by asking one.

    chat, pace = openai_chat(options)                    # engines/openai.py
    chat.ask([Message("user", "Is this sentence a question? …")])   # Reply(text="Yes.", model="qwen3", …)

A `Chat` is one model behind one protocol, for whatever needs an answer; a `ChatEngine` puts a sentence into a prompt,
asks, and takes the translation out of the reply. One request is one sentence: what a model sees beside it would change
the answer.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from assay.errors import BadOption
from assay.translate.cleanup import VERSION, clean
from assay.translate.engine import Answer, BadAnswer, Engine, Estimate, LanguagePair
from assay.translate.http import Http, is_loopback
from assay.translate.json_answers import field, whole
from assay.translate.options import Options
from assay.translate.pace import Pace, Paced
from assay.translate.prices import Prices, guess_tokens, guess_translation, token_prices
from assay.translate.prompt import Message, Prompt, read_prompt

TIMEOUT = 120.0
"""Seconds for one answer; a large model on a small machine is slow."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `finish` is the server's word; tokens are its count, None where it has none."""

    text: str
    model: str = ""
    finish: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    is_cut_short: bool = False

    @property
    def tokens(self) -> int | None:
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return self.tokens_in + self.tokens_out


class Chat(Protocol):
    """One language model. `parameters` is what its answers depend on; keys are never in it."""

    @property
    def model(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, str]: ...

    @property
    def is_local(self) -> bool: ...

    def ask(self, messages: Sequence[Message]) -> Reply:
        """The model's reply; `Refused`, `TryAgain` or `BadAnswer` where there is none."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


@dataclass(frozen=True)
class ChatEngine(Paced):
    """Translates by asking a language model."""

    takes_prompts = True

    engine: str
    chat: Chat
    prompt: Prompt
    pair: LanguagePair
    pace: Pace
    prices: Prices
    batch: int = 1

    @property
    def name(self) -> str:
        return self.chat.model.rpartition("/")[2]

    @property
    def parameters(self) -> Mapping[str, str]:
        return {"engine": self.engine, **self.chat.parameters, "prompt": self.prompt.hash, "cleaning": VERSION}

    @property
    def is_local(self) -> bool:
        return self.chat.is_local

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        """Characters of the sentences; tokens guessed, of the prompts and of translations as long as their sources."""
        asked = [self.prompt.messages(sentence, self.pair) for sentence in sentences]
        into = sum(guess_tokens(message.content) for messages in asked for message in messages)
        out = sum(guess_translation(sentence, self.pair.target) for sentence in sentences)
        return Estimate(sum(map(len, sentences)), into + out, self.prices.of_tokens(into, out))

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        return [self._translate(sentence) for sentence in sentences]

    def close(self) -> None:
        self.chat.close()

    def _translate(self, sentence: str) -> Answer:
        reply = self.chat.ask(self.prompt.messages(sentence, self.pair))
        # The words alone, which are compared with those of the answer.
        cleaned = clean(reply.text, str(sentence), self.pair)
        cut = cleaned.cut
        if not cleaned.text:
            raise BadAnswer(f"{self.engine}: there is no translation in the answer" + (f" ({cut[0]})" if cut else ""))
        if reply.is_cut_short:
            cut = (*cut, "cut short: the model reached its limit of tokens")
        details = {"model": reply.model, "finish": reply.finish}
        counts = {"tokens_in": reply.tokens_in, "tokens_out": reply.tokens_out}
        return Answer(
            cleaned.text,
            raw=reply.text,
            cleaned=cut,
            tokens=reply.tokens,
            cost=self.prices.of_tokens(reply.tokens_in, reply.tokens_out),
            details={
                **{name: value for name, value in details.items() if value},
                **{name: str(count) for name, count in counts.items() if count is not None},
            },
        )


def chat_engine(options: Options, pair: LanguagePair, chat: Chat, pace: Pace) -> Engine:
    """A model as an engine, with the prompt and the prices that the user chose."""
    paths = {name: options.path(option) for name, option in _FILES.items()}
    prices = token_prices(options)
    options.finish()
    return ChatEngine(options.engine, chat, read_prompt(**paths), pair, pace, prices)


_FILES = {"template": "prompt", "system": "system", "examples": "examples"}


def read_sampling(options: Options, *, reserved: Sequence[str], **own: Any) -> dict[str, Any]:
    """What goes into the body of a request beside model and messages; `temperature=none` leaves it to the server."""
    no_temperature = options.text("temperature") == "none"
    body: dict[str, Any] = {
        "temperature": None if no_temperature else options.number("temperature", 0.0, high=2.0),
        "top_p": options.number("top_p", None, high=1.0),
        **own,
    }
    given = {name: _plain(value) for name, value in body.items() if value is not None}
    more = options.nested("body")
    for name in more:
        if name in reserved:
            raise BadOption(f"{options.engine}: body.{name} cannot be chosen; Assay sets it")
    return {**given, **more}


def _plain(value: Any) -> Any:
    # As a user would write it, and as `parameters` show it: 0, not 0.0.
    return int(value) if isinstance(value, float) and value.is_integer() else value


class HttpChat:
    """One model of one server: where it is, its name and how it is sampled. Subclasses know the protocol."""

    def __init__(self, http: Http, model: str, body: Mapping[str, Any], **more: str) -> None:
        values = {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
            for name, value in body.items()
        }
        self.model = model
        self.parameters = {"model": model, "base_url": http.url, **values, **more}
        self.is_local = is_loopback(http.url)
        self._http = http
        self._body = {"model": model, **body}

    def reply(self, said: Any, text: str, finish: Any, tokens: tuple[str, str], *, is_cut_short: bool) -> Reply:
        """What the server said, under its names for tokens into and out of the model; `BadAnswer` if it is nothing."""
        if not text.strip():
            why = f" (finish: {finish})" if finish else ""
            cure = "; raise max_tokens" if is_cut_short else ""
            raise BadAnswer(f"{self._http.asked.engine}: the answer of the model {self.model!r} is empty{why}{cure}")
        into, out = (whole(field(said, "usage", name)) for name in tokens)
        return Reply(text, str(field(said, "model") or ""), str(finish or ""), into, out, is_cut_short)

    def close(self) -> None:
        self._http.close()
