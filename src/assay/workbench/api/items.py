"""Items with their rules, texts and versions. Ids contain slashes, so an item is named in the query: `?id=…`."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query

from assay.suites import Examples, Kind, Polarity
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, ItemId, Name, SuiteVisit, problems
from assay.workbench.db.suites import ItemVersion
from assay.workbench.items.item_list import ItemLine, ItemList, ItemQuery, list_items
from assay.workbench.items.item_page import item_texts, open_item
from assay.workbench.items.rule_edits import versions_of

router = APIRouter(tags=["items"], responses=problems(401, 403, 404))
shapes.answered(Examples, ItemLine)


class ItemsPage(shapes.Shape):
    """A page of items, counted from 1; `total` is how many there are on all pages."""

    total: shapes.Count
    page: int = shapes.at("wanted", "page")
    pages: int
    items: Sequence[ItemLine] = shapes.at("lines")


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
    """An item as it stands. `version` is the base of an edit; `description` says what its phenomenon is.

    `prompt` is what language models are told about the source, `context` what stands around it. Items of one `group`
    are right only together, or, where they are not `independent`, have material in common.
    """

    id: str
    category: str
    phenomenon: str
    source: str
    prompt: str
    context: str
    group: str
    independent: bool
    tests: str
    rubric: str
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
        return cls.made_of(version, rules=written(version))


def written(version: ItemVersion) -> list[WrittenRule]:
    """The rules of a version with their authors."""
    return [
        WrittenRule.made_of(rule, author=author, created=created)
        for rule, (author, created) in zip(version.item.rules, version.authors, strict=True)
    ]


@router.get(f"{SUITE}/items", response_model=ItemsPage, summary="Items of a suite")
def items(
    visit: SuiteVisit,
    category: Name = None,
    phenomenon: Name = None,
    words: Annotated[str, Query(max_length=1000, description="Look for this in ids, sources, rules and outputs")] = "",
    waiting: Annotated[bool, Query(description="Only items with texts that wait for a verdict")] = False,
    page: Annotated[int, Query(ge=1, le=shapes.LARGEST, description="A page has 100 items")] = 1,
) -> ItemList:
    """In the order of the suite. Behind the last page comes the last page again."""
    with visit.reading() as reader:
        return list_items(reader, ItemQuery(words, category, phenomenon, waiting, page))


@router.get(f"{SUITE}/item", summary="An item with its rules and texts")
def item(visit: SuiteVisit, item: ItemId) -> ItemAnswer:
    """Every distinct text with its verdict, evidence, systems and judgements.

    Whoever reads this has seen who wrote the texts and how they were judged: what they judge afterwards is not blind.
    """
    with visit.reading() as reader:
        page = open_item(reader, item)
        texts = [shapes.Text.of(reader, text) for text in item_texts(reader, item)]
    version = page.versions[0]
    return ItemAnswer.made_of(
        page.item, description=page.tested, version=version.id, rules=written(version), texts=texts
    )


@router.get(f"{SUITE}/item/versions", summary="Versions of an item")
def versions(visit: SuiteVisit, item: ItemId) -> list[Version]:
    """The newest first."""
    with visit.reading() as reader:
        return [Version.of(found) for found in versions_of(reader, item)]
