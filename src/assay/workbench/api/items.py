"""Items with their rules, texts and versions. Ids contain slashes, so an item is named in the query: `?id=…`."""

from typing import Annotated

from fastapi import APIRouter, Query

from assay.suites import Examples, Item, Kind, Polarity
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, ItemId, Name, SuiteName, problems
from assay.workbench.db.suites import ItemVersion
from assay.workbench.items.item_list import ItemLine, ItemQuery, list_items
from assay.workbench.items.item_page import item_texts, open_item
from assay.workbench.items.rule_edits import versions_of
from assay.workbench.security import AnyVisit

router = APIRouter(tags=["items"], responses=problems(401, 403, 404))
shapes.answered(Examples)


class ItemSummary(shapes.Shape):
    """An item in the list; `found` is the first output in which the words were found."""

    id: str
    category: str
    phenomenon: str
    source: str
    rules: shapes.Count
    texts: shapes.Count
    passing: shapes.Count
    failing: shapes.Count
    waiting: shapes.Count
    found: str


class ItemsPage(shapes.Shape):
    """A page of items, counted from 1; `total` is how many there are on all pages."""

    total: shapes.Count
    page: int
    pages: int
    items: list[ItemSummary]


class WrittenRule(shapes.Shape):
    """A rule of an item, with who wrote it and when."""

    polarity: Polarity
    kind: Kind
    value: str
    flags: str
    note: str
    author: str
    created: str


class ItemAnswer(shapes.Shape):
    """An item as it stands. `version` is the base of an edit; `description` says what its phenomenon is."""

    id: str
    category: str
    phenomenon: str
    source: str
    tests: str
    description: str
    notes: str
    tags: tuple[str, ...]
    examples: Examples
    held_out: bool
    version: int
    rules: list[WrittenRule]
    texts: list[shapes.Text]


class Version(shapes.Shape):
    """The version of an item that a revision of the suite made."""

    id: int
    revision: int
    by: str
    created: str
    comment: str
    removed: bool
    rules: list[WrittenRule]

    @classmethod
    def of(cls, version: ItemVersion) -> "Version":
        return cls(
            id=version.id,
            revision=version.revision,
            by=version.by,
            created=version.created,
            comment=version.comment,
            removed=version.removed,
            rules=written(version),
        )


def written(version: ItemVersion) -> list[WrittenRule]:
    """The rules of a version with their authors."""
    return [
        WrittenRule.model_validate(
            {
                "polarity": rule.polarity,
                "kind": rule.kind,
                "value": rule.value,
                "flags": rule.flags,
                "note": rule.note,
                "author": author,
                "created": created,
            }
        )
        for rule, (author, created) in zip(version.item.rules, version.authors, strict=True)
    ]


@router.get(f"{SUITE}/items", response_model=ItemsPage, summary="Items of a suite")
def items(
    visit: AnyVisit,
    suite: SuiteName,
    category: Name = None,
    phenomenon: Name = None,
    words: Annotated[str, Query(max_length=1000, description="Look for this in ids, sources, rules and outputs")] = "",
    waiting: Annotated[bool, Query(description="Only items with texts that wait for a verdict")] = False,
    page: Annotated[int, Query(ge=1, le=shapes.LARGEST, description="A page has 100 items")] = 1,
) -> ItemsPage:
    """In the order of the suite. Behind the last page comes the last page again."""
    with visit.reading(suite) as reader:
        found = list_items(reader, ItemQuery(words, category, phenomenon, waiting, page))
    lines = [_summary(line) for line in found.lines]
    return ItemsPage(total=found.total, page=found.wanted.page, pages=found.pages, items=lines)


@router.get(f"{SUITE}/item", response_model=ItemAnswer, summary="An item with its rules and texts")
def item(visit: AnyVisit, suite: SuiteName, item: ItemId) -> ItemAnswer:
    """Every distinct text with its verdict, evidence, systems and judgements.

    Whoever reads this has seen who wrote the texts and how they were judged: what they judge afterwards is not blind.
    """
    with visit.reading(suite) as reader:
        page = open_item(reader, item)
        texts = [shapes.Text.of(reader, text) for text in item_texts(reader, item)]
    return _item(page.item, page.versions[0], page.tested, texts)


@router.get(f"{SUITE}/item/versions", response_model=list[Version], summary="Versions of an item")
def versions(visit: AnyVisit, suite: SuiteName, item: ItemId) -> list[Version]:
    """The newest first."""
    with visit.reading(suite) as reader:
        return [Version.of(found) for found in versions_of(reader, item)]


def _summary(line: ItemLine) -> ItemSummary:
    item = line.item
    return ItemSummary(
        id=item.id,
        category=item.category,
        phenomenon=item.phenomenon,
        source=item.source,
        rules=len(item.rules),
        texts=line.texts,
        passing=line.passing,
        failing=line.failing,
        waiting=line.waiting,
        found=line.found,
    )


def _item(item: Item, version: ItemVersion, description: str, texts: list[shapes.Text]) -> ItemAnswer:
    return ItemAnswer(
        id=item.id,
        category=item.category,
        phenomenon=item.phenomenon,
        source=item.source,
        tests=item.tests,
        description=description,
        notes=item.notes,
        tags=item.tags,
        examples=item.examples,
        held_out=item.held_out,
        version=version.id,
        rules=written(version),
        texts=texts,
    )
