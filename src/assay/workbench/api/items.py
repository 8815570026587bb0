"""Items with their rules, texts and versions. Ids contain slashes, so an item is named in the query: `?id=…`."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from assay.suites import Examples, Polarity
from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.api import shapes
from assay.workbench.api.request import SUITE, AnnotatorSuiteVisit, ItemId, Name, SuiteVisit, problems
from assay.workbench.db.suites import ItemVersion
from assay.workbench.items.item_edits import (
    LONGEST_WORDS,
    MOST_EXAMPLES,
    GuidelineVersion,
    WrittenItem,
    read_guideline,
    remove_item,
    save_guideline,
    save_item,
)
from assay.workbench.items.item_list import ItemLine, ItemList, ItemQuery, list_items
from assay.workbench.items.item_page import item_texts, open_item
from assay.workbench.items.rule_edits import versions_of

router = APIRouter(tags=["items"], responses=problems(401, 403, 404))
shapes.answered(Examples, ItemLine)

Words = Annotated[str, Field(max_length=LONGEST_WORDS)]


class ItemsPage(shapes.Shape):
    """A page of items, counted from 1; `total` is how many there are on all pages."""

    total: shapes.Count
    page: int = shapes.at("wanted", "page")
    pages: int
    items: Sequence[ItemLine] = shapes.at("lines")


class WrittenRule(shapes.Shape):
    """A rule of an item, with who wrote it and when."""

    polarity: Polarity
    kind: str
    value: str
    flags: str
    note: str
    scope: str
    author: str
    created: str


class ItemAnswer(shapes.Shape):
    """An item as it stands. `version` is the base of an edit; `description` says what its phenomenon is.

    `prompt` is what language models are told about the source, `context` what stands around it; `source_of` the item
    whose source it shares. Items of one `group` are right only together, or, where they are not `independent`, have
    material in common. `guideline` says how strictly texts of the phenomenon are judged, null where nobody wrote that
    down.
    """

    id: str
    category: str
    phenomenon: str
    source: str
    prompt: str
    context: str
    group: str
    independent: bool
    source_of: str
    tests: str
    rubric: str
    description: str
    notes: str
    tags: tuple[str, ...]
    examples: Examples
    held_out: bool
    guideline: str | None
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
        page.item,
        description=page.tested,
        guideline=page.guideline,
        version=version.id,
        rules=written(version),
        texts=texts,
    )


@router.get(f"{SUITE}/item/versions", summary="Versions of an item")
def versions(visit: SuiteVisit, item: ItemId) -> list[Version]:
    """The newest first."""
    with visit.reading() as reader:
        return [Version.of(found) for found in versions_of(reader, item)]


# Writing


class NewItem(shapes.RequestBody):
    """An item as it is to be, without its rules; `base` is the version it was made from, 0 for a new one."""

    category: shapes.Short
    phenomenon: shapes.Short
    source: Words
    tests: Words = ""
    notes: Words = ""
    tags: list[shapes.Short] = Field(default=[], max_length=100)
    passing: list[Words] = Field(default=[], max_length=MOST_EXAMPLES)
    failing: list[Words] = Field(default=[], max_length=MOST_EXAMPLES)
    held_out: bool = False
    base: shapes.Id = 0
    comment: shapes.Comment = ""


class SavedRevision(shapes.Shape):
    """The number of the revision that a change was saved as."""

    revision: int


class NewGuideline(shapes.RequestBody):
    """A guideline as it is to be; `base` is the text that it was made from."""

    text: Words
    base: Words = ""
    comment: shapes.Comment = ""


class GuidelineText(shapes.Shape):
    """How strictly texts of a phenomenon are judged, and all that this was, the newest first."""

    category: str
    phenomenon: str
    text: str
    earlier: list[GuidelineVersion]


shapes.answered(GuidelineVersion)
PhenomenonName = Annotated[str, Query(max_length=1000)]


@router.put(f"{SUITE}/item", summary="Write an item", responses=problems(409, 503), dependencies=WATCHED)
def write(visit: AnnotatorSuiteVisit, item: ItemId, given: NewItem) -> SavedRevision:
    """Source, tests, notes, tags and examples of an item; a new one where `base` is 0. Rules stay as they are."""
    written = WrittenItem(
        item,
        given.category,
        given.phenomenon,
        given.source,
        given.tests,
        given.notes,
        tuple(given.tags),
        tuple(given.passing),
        tuple(given.failing),
        given.held_out,
    )
    return SavedRevision(revision=save_item(visit, written, base=given.base, comment=given.comment))


@router.delete(f"{SUITE}/item", summary="Take an item out of the suite", responses=problems(409))
def remove(
    visit: AnnotatorSuiteVisit, item: ItemId, base: Annotated[int, Query(ge=0, le=shapes.LARGEST)]
) -> SavedRevision:
    """Its texts and judgements are kept, unseen: reverting the revision brings all of it back."""
    return SavedRevision(revision=remove_item(visit, item, base=base))


@router.get(f"{SUITE}/guideline", summary="The guideline of a phenomenon")
def guideline(visit: AnnotatorSuiteVisit, category: PhenomenonName, phenomenon: PhenomenonName) -> GuidelineText:
    """How strictly its texts are judged, and who changed that when; empty where nobody wrote it down."""
    with visit.reading() as reader:
        return GuidelineText.made_of(read_guideline(reader, category, phenomenon))


@router.put(f"{SUITE}/guideline", summary="Write a guideline", responses=problems(409))
def write_guideline(
    visit: AnnotatorSuiteVisit, category: PhenomenonName, phenomenon: PhenomenonName, given: NewGuideline
) -> SavedRevision:
    """A revision of the suite; an empty text takes the guideline away. It changes neither verdicts nor the hash."""
    number = save_guideline(visit, category, phenomenon, given.text, base=given.base, comment=given.comment)
    return SavedRevision(revision=number)
