"""Use case: the list of a suite's items, searched and filtered.

page = list_items(reader, ItemQuery(words="Schloss", waiting=True))
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from assay.errors import UnknownName
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot

PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """Which items to list; `words` are looked for in ids, sources, rules and outputs, in small letters."""

    words: str = ""
    category: str | None = None
    phenomenon: str | None = None
    waiting: bool = False
    page: int = 1

    @property
    def narrows(self) -> bool:
        """Whether any item is left out."""
        return self != ItemQuery(page=self.page)


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item in the list, its texts by verdict; `found` is the first output in which the words were found."""

    id: str
    category: str
    phenomenon: str
    source: str
    rules: int
    texts: int
    passing: int
    failing: int
    waiting: int
    found: str


@dataclass(frozen=True, slots=True)
class ItemList:
    """A page of items; `total` is how many there are on all pages."""

    wanted: ItemQuery
    lines: Sequence[ItemLine]
    total: int
    pages: int
    taxonomy: Mapping[str, Mapping[str, str]]


def list_items(reader: Reader, wanted: ItemQuery) -> ItemList:
    """A page of the items that fit; a phenomenon that is not of the category is left out of account."""
    snapshot = reader.snapshot
    taxonomy = snapshot.stored.suite.taxonomy
    if wanted.category is not None and wanted.category not in taxonomy:
        raise UnknownName("category", wanted.category, taxonomy)
    if wanted.category and wanted.phenomenon not in taxonomy[wanted.category]:
        wanted = replace(wanted, phenomenon=None)
    waiting = {task.place for task in snapshot.undisputed} if wanted.waiting else set()
    words = wanted.words.strip().casefold()
    found: list[tuple[int, str]] = []
    for place, item in enumerate(snapshot.items):
        if wanted.category not in (None, item.category) or wanted.phenomenon not in (None, item.phenomenon):
            continue
        if wanted.waiting and place not in waiting:
            continue
        where = _find(snapshot, place, words) if words else ""
        if where is not None:
            found.append((place, where))
    pages = max(1, -(-len(found) // PAGE))
    number = min(max(1, wanted.page), pages)
    lines = [_line(snapshot, place, where) for place, where in found[(number - 1) * PAGE : number * PAGE]]
    return ItemList(replace(wanted, page=number), lines, len(found), pages, taxonomy)


def _find(snapshot: Snapshot, place: int, words: str) -> str | None:
    """The output that has the words; nothing where the item itself has them; None where they are nowhere."""
    item = snapshot.items[place]
    if any(words in text.casefold() for text in (item.id, item.source, item.tests, item.notes)):
        return ""
    if any(words in rule.value.casefold() for rule in item.rules if rule.kind != "exact"):
        return ""
    if words not in snapshot.folded[place]:
        return None
    texts = (snapshot.texts[text_id].value for text_id in snapshot.by_item[place])
    return next((text for text in texts if words in text.casefold()), None)


def _line(snapshot: Snapshot, place: int, found: str) -> ItemLine:
    every = [snapshot.texts[text_id] for text_id in snapshot.by_item[place]]
    texts = [text for text in every if text.finding.reason != "missing"]
    verdicts = Counter(str(text.finding.verdict) for text in texts)
    item = snapshot.items[place]
    return ItemLine(
        id=item.id,
        category=item.category,
        phenomenon=item.phenomenon,
        source=item.source,
        rules=len(item.rules),
        texts=len(texts),
        passing=verdicts["pass"],
        failing=verdicts["fail"],
        waiting=sum(text.waits for text in texts),
        found=found,
    )
