"""Use cases of whoever writes items: new ones, their words and examples, taking them out; guidelines of phenomena.

    lint_item(visit, WrittenItem("words/schloss", "Ambiguity", "Words", "Der Schlüssel steckt im Schloss."))
    save_item(visit, written, base=17)          # a new version; base 0 is for a new item
    remove_item(visit, "words/schloss", base=17)
    save_guideline(visit, "Ambiguity", "Words", "Only the sense counts.", comment="after the meeting")

Rules are edited by `rule_edits`; a new item begins without any. Everything is a revision that can be reverted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection

from assay.errors import BadOption, Overtaken, UnknownName
from assay.suites import Examples, Item, Suite
from assay.verdicts.judgements import Event
from assay.workbench.db.judgements import events_of_texts
from assay.workbench.db.revisions import SuiteChange, heading_of, save_change
from assay.workbench.db.suites import heading_versions
from assay.workbench.items.rule_trial import ItemTexts
from assay.workbench.items.saved_items import ForetoldItems, foretell, write_items
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot
from assay.workbench.visit import Visit

LONGEST_WORDS: Final = 20_000
MOST_EXAMPLES: Final = 200


@dataclass(frozen=True, slots=True)
class WrittenItem:
    """An item as it stands in its form, without rules."""

    id: str
    category: str
    phenomenon: str
    source: str
    tests: str = ""
    notes: str = ""
    tags: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    held_out: bool = False

    @classmethod
    def of(cls, item: Item) -> "WrittenItem":
        """An item as its form begins."""
        words = (item.id, item.category, item.phenomenon, item.source, item.tests, item.notes, item.tags)
        return cls(*words, item.examples.passing, item.examples.failing, item.held_out)

    def made(self, old: Item | None) -> Item:
        """The item, with the rules and prompts that it has."""
        return replace(
            old or Item(self.id, self.category, self.phenomenon, self.source),
            category=self.category,
            phenomenon=self.phenomenon,
            source=self.source,
            tests=self.tests,
            notes=self.notes,
            tags=self.tags,
            examples=Examples(self.passing, self.failing),
            held_out=self.held_out,
        )


@dataclass(frozen=True, slots=True)
class ItemLint:
    """What is wrong with an item as it is written: `problems` keep it from being saved, `warnings` do not."""

    problems: Sequence[str]
    warnings: Sequence[str]


@dataclass(frozen=True, slots=True)
class Guideline:
    """How strictly texts of a phenomenon are judged; who wrote it when; what people said of its texts."""

    category: str
    phenomenon: str
    text: str
    earlier: Sequence["GuidelineVersion"]


@dataclass(frozen=True, slots=True)
class GuidelineVersion:
    """A guideline as a revision left it."""

    revision: int
    by: str
    created: str
    text: str


def lint_item(visit: Visit, written: WrittenItem, *, is_new: bool) -> ItemLint:
    """Look at an item as it is typed; its rules are tried on its examples in another process."""
    with visit.reading() as reader:
        reader.user.need("annotator")
        snapshot = reader.snapshot
    return _lint(visit, snapshot, written, is_new=is_new)


def save_item(visit: Visit, written: WrittenItem, *, base: int, comment: str = "") -> int:
    """Save an item as it is written; `base` is the version that it was made from, 0 for a new one."""
    with visit.reading() as reader:
        reader.user.need("annotator")
        snapshot = reader.snapshot
    found = _lint(visit, snapshot, written, is_new=not base)
    if found.problems:
        raise BadOption("; ".join(found.problems))
    if base:
        return _save(visit, snapshot, written, base=base, comment=comment)
    item = written.made(None)
    with visit.changing() as change:
        if item.id in change.snapshot.stored.suite.positions:
            raise Overtaken(f"somebody has added {item.id} meanwhile")
        new = SuiteChange(new=[item])
        stored = change.snapshot.stored
        number = save_change(change.db, stored.id, new, change.user, comment or f"{item.id} added")
        change.read_again()
    return number


def _save(visit: Visit, snapshot: Snapshot, written: WrittenItem, *, base: int, comment: str) -> int:
    old = snapshot.items[snapshot.place(written.id)]
    item = written.made(old)
    if item == old and base == snapshot.version_ids[snapshot.place(written.id)]:
        raise BadOption("nothing was changed")
    foretold: ForetoldItems = foretell(visit, snapshot, {item.id: item}, {item.id: base})
    with visit.changing() as change:
        return write_items(change, foretold, comment=comment or f"{item.id} edited")


def remove_item(visit: Visit, item_id: str, *, base: int, comment: str = "") -> int:
    """Take an item out of the suite. Its texts and judgements stay, unseen, and come back with it."""
    with visit.reading() as reader:
        reader.user.need("annotator")
    with visit.changing() as change:
        snapshot = change.snapshot
        place = snapshot.place(item_id)
        if len(snapshot.items) == 1:
            raise BadOption("the last item of a suite stays; a suite without items could not be read again")
        gone = {snapshot.stored.item_ids[place]: (snapshot.items[place], base)}
        said = comment or f"{item_id} removed"
        number = save_change(change.db, snapshot.stored.id, SuiteChange(gone=gone), change.user, said)
        change.read_again()
    return number


def _lint(visit: Visit, snapshot: Snapshot, written: WrittenItem, *, is_new: bool) -> ItemLint:
    suite = snapshot.stored.suite
    problems = [*_bad_words(suite, written, is_new=is_new)]
    if problems:
        return ItemLint(problems, ())
    old = None if is_new else snapshot.items[snapshot.place(written.id)]
    item = written.made(old)
    warnings = [
        f"{other.id} has the same source"
        for other in suite.items
        if other.id != item.id and other.source == item.source
    ][:3]
    warnings += [] if item.tests else ["it does not say what it tests"]
    warnings += [] if item.rules else ["it has no rules yet: all its texts will wait"]
    examples = [(text, said) for said, texts in item.examples.by_polarity() for text in texts]
    if examples and item.rules:
        judged = visit.judge_items(
            [ItemTexts(item, tuple((number, text) for number, (text, _) in enumerate(examples)))]
        )
        warnings += [
            f"the rules say {judged[number].verdict} of the {said} example {text!r}"
            for number, (text, said) in enumerate(examples)
            if str(judged[number].verdict) != said
        ]
    return ItemLint((), warnings)


def _bad_words(suite: Suite, written: WrittenItem, *, is_new: bool) -> list[str]:
    """What keeps an item from being saved."""
    found = []
    if not written.id.strip() or any(character.isspace() for character in written.id):
        found.append("an item needs an id without white space, such as words/schloss-2")
    elif is_new and written.id in suite.positions:
        found.append(f"there is an item {written.id!r} already")
    elif is_new and (home := _other_home(suite, written)):
        found.append(home)
    if not written.source.strip():
        found.append("an item needs a source text")
    if written.phenomenon not in suite.taxonomy.get(written.category, {}):
        found.append(f"there is no phenomenon {written.phenomenon!r} in the category {written.category!r}")
    words = (written.source, written.tests, written.notes, *written.tags, *written.passing, *written.failing)
    if any(len(text) > LONGEST_WORDS for text in words):
        found.append(f"a text has more than {LONGEST_WORDS:,} characters")
    if len(written.passing) + len(written.failing) > MOST_EXAMPLES:
        found.append(f"an item has at most {MOST_EXAMPLES} examples")
    both = set(written.passing) & set(written.failing)
    found += [f"the example {text!r} is on both sides" for text in sorted(both)[:1]]
    return found


def _other_home(suite: Suite, written: WrittenItem) -> str:
    """Ids name the file that an item stands in, and a file has one category."""
    if not all("/" in item.id for item in suite.items):
        return ""
    stem = written.id.partition("/")[0]
    if "/" not in written.id:
        return f"an id of this suite names a file, such as {suite.items[0].id}"
    category = next((item.category for item in suite.items if item.id.partition("/")[0] == stem), written.category)
    return "" if category == written.category else f"{stem} has items of {category}; begin the id with another name"


# Forms


@dataclass(frozen=True, slots=True)
class ItemForm:
    """An item to write; `base` is the version that is edited, 0 for a new one."""

    written: WrittenItem
    base: int
    taxonomy: Mapping[str, Mapping[str, str]]


def blank_form(reader: Reader, category: str, phenomenon: str) -> ItemForm:
    """A new item; its id begins like those of the phenomenon."""
    snapshot = reader.snapshot
    alike = [item.id for item in snapshot.items if (item.category, item.phenomenon) == (category, phenomenon)]
    start = alike[0].rpartition("/")[0] + "/" if alike and "/" in alike[0] else ""
    return ItemForm(WrittenItem(start, category, phenomenon, ""), 0, snapshot.stored.suite.taxonomy)


def item_form(reader: Reader, item_id: str) -> ItemForm:
    """An item as it stands."""
    snapshot = reader.snapshot
    place = snapshot.place(item_id)
    written = WrittenItem.of(snapshot.items[place])
    return ItemForm(written, snapshot.version_ids[place], snapshot.stored.suite.taxonomy)


# Guidelines


def read_guideline(reader: Reader, category: str, phenomenon: str) -> Guideline:
    """A guideline with its versions."""
    stored = reader.snapshot.stored
    _known(stored.suite, category, phenomenon)
    text = stored.suite.guidelines.get((category, phenomenon), "")
    return Guideline(category, phenomenon, text, _versions(reader.db, stored.id, category, phenomenon))


def save_guideline(visit: Visit, category: str, phenomenon: str, text: str, *, base: str, comment: str = "") -> int:
    """Write a guideline, as a revision; an empty one is none. `base` is the text that it was made from."""
    with visit.reading() as reader:
        reader.user.need("annotator")
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_WORDS:
        raise BadOption(f"a guideline has at most {LONGEST_WORDS:,} characters")
    with visit.changing() as change:
        stored = change.snapshot.stored
        _known(stored.suite, category, phenomenon)
        now = stored.suite.guidelines.get((category, phenomenon), "")
        if now != base.replace("\r\n", "\n").strip():
            raise Overtaken(f"somebody changed the guideline of {phenomenon} while you were writing it")
        if now == text:
            raise BadOption("nothing was changed")
        told = {**stored.suite.guidelines, (category, phenomenon): text}
        order = [names for names in stored.suite.phenomena if told.get(names)]
        suite = replace(stored.suite, guidelines={names: told[names] for names in order})
        heading = SuiteChange(heading=heading_of(suite))
        number = save_change(change.db, stored.id, heading, change.user, comment or f"guideline of {phenomenon}")
        change.read_again()
    return number


def _known(suite: Suite, category: str, phenomenon: str) -> None:
    if category not in suite.taxonomy:
        raise UnknownName("category", category, suite.taxonomy)
    if phenomenon not in suite.taxonomy[category]:
        raise UnknownName("phenomenon", phenomenon, suite.taxonomy[category])


def _versions(db: Connection, suite_id: int, category: str, phenomenon: str) -> list[GuidelineVersion]:
    """All that the guideline was, the newest first."""
    found: list[GuidelineVersion] = []
    text = ""
    for number, by, created, heading in heading_versions(db, suite_id):
        now = _told(heading, category, phenomenon)
        if now != text:
            found.append(GuidelineVersion(number, by, created, now))
        text = now
    return found[::-1]


def _told(heading: Mapping[str, Any], category: str, phenomenon: str) -> str:
    told = heading.get("guidelines", ())
    return next((text for one, other, text in told if (one, other) == (category, phenomenon)), "")


def comments_of(reader: Reader, category: str, phenomenon: str) -> list[Event]:
    """What people wrote beside verdicts on texts of a phenomenon, adjudicators first, then the newest.

    Whoever reads it has seen what others said.
    """
    snapshot = reader.snapshot
    _known(snapshot.stored.suite, category, phenomenon)
    places = [
        place for place, item in enumerate(snapshot.items) if (item.category, item.phenomenon) == (category, phenomenon)
    ]
    ids = [text.id for place in places for text in snapshot.texts_at(place) if text.settlement]
    events = [event for found in events_of_texts(reader.db, ids).values() for event in found]
    undone = {event.undoes for event in events}
    holding = [event for event in events if event.id not in undone and event.verdict and event.comment]
    reader.events(holding)
    return sorted(holding, key=lambda event: (event.kind == "adjudication", event.created), reverse=True)[:100]
