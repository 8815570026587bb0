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
    """A text with its verdict. One that is a warning says nothing and is passed over.

    `is_judged` where somebody judged this very text, since no rule of another kind decides it.
    """

    text: str
    verdict: Verdict
    is_judged: bool = False


@dataclass(frozen=True, eq=False)
class Relatives:
    """Known texts of the other items of a phenomenon. One object serves many questions, so that it is counted once.

    `share` is that of passes among the judged texts of the category. `every` are all of the phenomenon, where these are
    what is left without `left_out`: whoever counts takes away instead of counting anew for every item.
    """

    known: tuple[Known, ...] = ()
    share: float = 0.5
    every: "Relatives | None" = None
    left_out: tuple[Known, ...] = ()


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
