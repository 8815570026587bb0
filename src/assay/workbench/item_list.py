"""Use case: the list of a suite's items, searched and filtered.

page = list_items(board, Wanted(words="Schloss", waiting=True))
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from assay.model import Item, UnknownName
from assay.workbench.annotating import undisputed
from assay.workbench.board import Board
from assay.workbench.presenting import languages

PAGE: Final = 100


class Wanted(NamedTuple):
    """Which items to list; `words` are looked for in ids, sources, rules and outputs, in small letters."""

    words: str = ""
    category: str | None = None
    phenomenon: str | None = None
    waiting: bool = False
    page: int = 1


class Line(NamedTuple):
    """An item in the list, its texts by verdict, and the first output in which the words were found."""

    item: Item
    texts: int
    passing: int
    failing: int
    waiting: int
    found: str = ""


class ItemList(NamedTuple):
    """A page of items; `total` is how many there are on all pages."""

    wanted: Wanted
    lines: Sequence[Line]
    total: int
    pages: int
    taxonomy: Mapping[str, Mapping[str, str]]
    source: str
    target: str


def list_items(board: Board, wanted: Wanted) -> ItemList:
    """A page of the items that fit."""
    taxonomy = board.stored.suite.taxonomy
    if wanted.category is not None and wanted.category not in taxonomy:
        raise UnknownName("category", wanted.category, taxonomy)
    waiting = {task.place for task in undisputed(board)} if wanted.waiting else set()
    words = wanted.words.strip().casefold()
    found: list[tuple[int, str]] = []
    for place, item in enumerate(board.items):
        if wanted.category not in (None, item.category) or wanted.phenomenon not in (None, item.phenomenon):
            continue
        if wanted.waiting and place not in waiting:
            continue
        where = _find(board, place, words) if words else ""
        if where is not None:
            found.append((place, where))
    pages = max(1, -(-len(found) // PAGE))
    number = min(max(1, wanted.page), pages)
    lines = [_line(board, place, where) for place, where in found[(number - 1) * PAGE : number * PAGE]]
    return ItemList(wanted._replace(page=number), lines, len(found), pages, taxonomy, *languages(board))


def _find(board: Board, place: int, words: str) -> str | None:
    """The output that has the words; nothing where the item itself has them; None where they are nowhere."""
    item = board.items[place]
    if any(words in text.casefold() for text in (item.id, item.source, item.tests, item.notes)):
        return ""
    if any(words in rule.value.casefold() for rule in item.rules if rule.kind != "exact"):
        return ""
    for text_id in board.by_item[place]:
        if words in board.texts[text_id].value.casefold():
            return board.texts[text_id].value
    return None


def _line(board: Board, place: int, found: str) -> Line:
    every = [board.texts[text_id] for text_id in board.by_item[place]]
    texts = [text for text in every if text.finding.reason != "missing"]
    verdicts = Counter(str(text.finding.verdict) for text in texts)
    return Line(
        board.items[place], len(texts), verdicts["pass"], verdicts["fail"], sum(text.waits for text in texts), found
    )
