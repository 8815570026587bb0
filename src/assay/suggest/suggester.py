"""Suggesters as plugins: what a text may be worth, from what is known about it. Suggestions are never counted.

    suggester = load_suggester("nearest", "de-en")          # suggest/llm.py
    suggester.suggest(Question(item, "They gave her a bunch.", known=known))  # Suggestion(PASS, 0.86, "…") or None

A plugin is a factory under the entry point group `assay.suggesters`: it takes the options that the user wrote behind
the colon and the language pair (`de-en`), and returns a `Suggester`. One that has nothing to go by, or does not
understand its own answer, returns None and never guesses.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from assay.plugins import Plugins
from assay.suites import Item
from assay.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Known:
    """A text with its verdict. One that is a warning says nothing and is passed over."""

    text: str
    verdict: Verdict


@dataclass(frozen=True, eq=False)
class Relatives:
    """Known texts of the other items of a phenomenon. One object serves many questions, so that it is counted once."""

    known: tuple[Known, ...] = ()


NO_RELATIVES = Relatives()


@dataclass(frozen=True)
class Question:
    """A text of an item, and what is known: the phenomenon's description, judged texts of the item and of others.

    The text itself is not among `known`. Suggesters that show only a few of them take the first ones.
    """

    item: Item
    text: str
    known: tuple[Known, ...] = ()
    description: str = ""
    related: Relatives = NO_RELATIVES


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a text may be worth, how sure the suggester is (0 to 1), and why."""

    verdict: Verdict
    confidence: float
    reason: str


class Suggester(Protocol):
    """Suggests verdicts. `parameters` is everything that suggestions depend on; keys are never in it."""

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, str]: ...

    @property
    def is_local(self) -> bool:
        """False where texts leave this machine."""
        ...

    def suggest(self, question: Question) -> Suggestion | None:
        """The likelier verdict; None where nothing can be said."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


Factory = Callable[[Mapping[str, str], str], Suggester]

SUGGESTERS: Plugins[Factory] = Plugins("suggester", "assay.suggesters")
