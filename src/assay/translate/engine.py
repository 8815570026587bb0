"""What an MT engine is, and how one is found.

    engine = load_engine("openai:model=qwen3,base_url=http://localhost:8000/v1", pair)
    engine.translate(["Der Schlüssel steckt noch."])

A plugin is a factory under the entry point group `assay.engines`: it takes the options that the user wrote behind the
colon and the language pair, and returns an `Engine`. Engines answer or raise; waiting, repeating and counting is done
by `collect`, which calls `translate` from several threads at once, or by `remote`, on workers.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from assay.errors import AssayError, BadOption
from assay.languages import PAIR, split_pair
from assay.plugins import Plugins, PluginSpec


@dataclass(frozen=True, slots=True)
class LanguagePair:
    """Codes as the suite writes them: de, en, pt-BR, zho_Hans."""

    source: str
    target: str

    @classmethod
    def parse(cls, langpair: str) -> "LanguagePair":
        """The pair of a suite: `de-en`, `en-pt-BR`, `it-de_CH`."""
        # Files of others may have codes that nobody knows; of what a person wrote the suite's reader has made sure.
        if not re.fullmatch(PAIR, langpair):
            raise BadOption(f"the suite's langpair is {langpair!r}; two ISO codes are expected, like de-en")
        return cls(*split_pair(langpair))


class PromptedSentence(str):
    """A sentence with what a language model is told about it: a text for engines that look no further.

    Another one than the same words with another prompt, or none: it has an answer of its own.
    """

    __slots__ = ("context", "prompt")
    prompt: str
    context: str

    def __new__(cls, text: str, prompt: str, context: str) -> "PromptedSentence":
        made = super().__new__(cls, text)
        made.prompt, made.context = prompt, context
        return made

    @property
    def parts(self) -> tuple[str, str, str]:
        """Text, prompt and context."""
        return str(self), self.prompt, self.context

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PromptedSentence) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __reduce__(self) -> tuple[type["PromptedSentence"], tuple[str, str, str]]:
        return PromptedSentence, self.parts


def told_sentence(text: str, prompt: str, context: str) -> str:
    """A sentence with what is told about it; the text alone where that is nothing."""
    return PromptedSentence(text, prompt, context) if prompt or context else text


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine returned for one sentence.

    `text` is the translation; `cleaned` what was cut away from the raw answer to get it (quotes, preambles, notes), in
    words; `details` what only this answer has (model version, finish reason). Unknown `tokens` and `cost` are None.
    """

    text: str
    raw: str = ""
    cleaned: tuple[str, ...] = ()
    tokens: int | None = None
    cost: float | None = None
    details: Mapping[str, str] = field(default_factory=dict)


class Engine(Protocol):
    """Translates sentences.

    `name` is what its system is called where the user gives no name. `batch` sentences at most go into one call,
    `concurrency` calls run at once, at most `per_minute` a minute (None: no limit). `parameters` is everything that the
    answers depend on; keys and passwords never are in it. `is_local` is False where sentences leave this machine.

    An engine may also have
    - `timeout`: the seconds that one call may take;
    - `takes_prompts` = True: items' own prompts and contexts come with the sentences (`PromptedSentence`);
    - `give_up(sentences)`: ends a call that took too long;
    - `can_spread` = True: workers may have copies of it (`remote`), since it runs on the machine itself and gives the
      same answers wherever its `parameters` are the same;
    - `fills_machine` = True: one copy for each machine, not for each process.
    """

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, str]: ...

    @property
    def is_local(self) -> bool: ...

    @property
    def batch(self) -> int: ...

    @property
    def concurrency(self) -> int: ...

    @property
    def per_minute(self) -> float | None: ...

    def estimate(self, sentences: Sequence[str]) -> "Estimate":
        """What translating these would take, before anything is sent."""
        ...

    def translate(self, sentences: Sequence[str]) -> Sequence[Answer]:
        """One answer per sentence, in order. Raises `Refused` or `TryAgain`; anything else is a bug of the engine."""
        ...

    def close(self) -> None:
        """Let go of connections and processes."""
        ...


@dataclass(frozen=True, slots=True)
class Estimate:
    """Characters and tokens to send, and what they cost; None where nobody can say."""

    characters: int
    tokens: int | None = None
    cost: float | None = None


class EngineError(AssayError):
    """An engine cannot go on: a refused key, an exhausted quota, no such model. What was collected is kept."""

    exit_code = 3


class Refused(EngineError):
    """Asking again would not help."""


class TryAgain(EngineError):
    """A passing fault (429, 5xx, a cut connection, a time-out); `after`: the seconds that the server asked for."""

    def __init__(self, problem: str, after: float | None = None) -> None:
        super().__init__(problem)
        self.after = after


class BadAnswer(EngineError):
    """This sentence got no usable answer (malformed, filtered); others may."""


Factory = Callable[[Mapping[str, str], LanguagePair], Engine]

ENGINES: Plugins[Factory] = Plugins("engine", "assay.engines")


TAKEN_WHOLE = {"cmd": "command", "file": "path"}
"""Engines whose text behind the colon is one option, since a command or a path may hold commas and `=` -> its name."""


class EngineSpec(PluginSpec):
    r"""An engine as the user names it: `apertium`, `openai:model=qwen3,base_url=http://localhost/v1`, `mine=cmd:./mt`.

    Options are `key=value` with commas between them. A value may hold `=` and `:`; a comma in it is written `\,`.
    """

    @property
    def options(self) -> dict[str, str]:
        found: dict[str, str] = {}
        parts = re.split(r"(?<!\\),", self.rest) if self.rest.strip() else []
        for number, part in enumerate(parts, start=1):
            key, equals, value = part.partition("=")
            key = key.strip()
            if not equals or not key:
                # What stands there is not repeated: it may be a key that belongs nowhere near a log.
                raise BadOption(f"{self.plugin}: option {number} is not KEY=VALUE; a comma in a value is written \\,")
            if key in found:
                raise BadOption(f"{self.plugin}: the option {key!r} is given twice")
            found[key] = value.strip().replace("\\,", ",")
        return found


def load_engine(spec: str, pair: LanguagePair) -> Engine:
    """The engine that a user names, ready for a language pair."""
    asked = EngineSpec(spec)
    if not asked.plugin:
        # What was written is not repeated: there may be a key in it.
        raise BadOption("no engine is named before the colon; write NAME, NAME:KEY=VALUE,… or SYSTEM=NAME:…")
    factory = ENGINES.get(asked.plugin)
    # By the lower case, as plugins are found.
    whole = TAKEN_WHOLE.get(asked.plugin.lower())
    return factory({whole: asked.rest.strip()} if whole else asked.options, pair)
