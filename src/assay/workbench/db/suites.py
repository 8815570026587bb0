"""Reading suites, their revisions, items, versions and rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, delete, func, select, update

from assay.errors import UnknownName
from assay.suites import SAID_KEYS, Examples, Item, Label, Rule, Suite
from assay.workbench.db import schema
from assay.workbench.db.bulk import insert_rows
from assay.workbench.db.database import next_change
from assay.workbench.db.schema import items, revisions, rules, suites, users, version_rules, versions


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """A suite in the list of suites."""

    id: int
    name: str
    langpair: str
    revision: int
    items: int
    questions: Mapping[str, Any]


@dataclass(frozen=True)
class StoredSuite:
    """A suite as it stands, without judgements. The lists are parallel to its items."""

    id: int
    revision: int
    suite: Suite
    questions: Mapping[str, Any]
    item_ids: Sequence[int]
    version_ids: Sequence[int]
    hashes: Sequence[str]


@dataclass(frozen=True, slots=True)
class ItemVersion:
    """One version of an item; `authors` says of each rule who wrote it and when."""

    id: int
    revision: int
    by: str
    created: str
    comment: str
    removed: bool
    item: Item
    authors: tuple[tuple[str, str], ...]


def list_suites(db: Connection) -> list[SuiteEntry]:
    """The suites that are not hidden."""
    counts = (
        select(items.c.suite_id, func.count().label("number"))
        .join(versions, versions.c.id == items.c.version_id)
        .where(versions.c.removed.is_(False))
        .group_by(items.c.suite_id)
        .subquery()
    )
    query = (
        select(suites, revisions.c.number, func.coalesce(counts.c.number, 0).label("items"))
        .join(revisions, revisions.c.id == suites.c.revision_id)
        .join(counts, counts.c.suite_id == suites.c.id, isouter=True)
        .where(suites.c.hidden == "")
        .order_by(suites.c.name)
    )
    return [
        SuiteEntry(row.id, row.name, row.langpair, row.number, row.items, row.questions) for row in db.execute(query)
    ]


def suite_names(db: Connection) -> list[str]:
    """Names of the suites that are not hidden."""
    return list(db.execute(_suite_names()).scalars())


@cache
def _suite_names() -> Select[Any]:
    """Made once, since every page asks."""
    return select(suites.c.name).where(suites.c.hidden == "").order_by(suites.c.name)


def find_suite(db: Connection, name: str) -> SuiteEntry:
    known = {entry.name: entry for entry in list_suites(db)}
    if name not in known:
        raise UnknownName("suite", name, known)
    return known[name]


def set_questions(db: Connection, suite_id: int, questions: Mapping[str, Any]) -> None:
    """The optional questions beside the verdict: a scale of acceptability, the suite's own tags."""
    db.execute(
        update(suites).where(suites.c.id == suite_id).values(questions=dict(questions), outputs_changed=next_change(db))
    )


def load_suite(db: Connection, suite_id: int, revision: int | None = None) -> StoredSuite:
    """A suite as it stands now, or stood at an earlier revision."""
    entry = db.execute(select(suites).where(suites.c.id == suite_id)).one()
    wanted = revisions.c.id == entry.revision_id
    if revision is not None:
        wanted = (revisions.c.suite_id == suite_id) & (revisions.c.number == revision)
    head = db.execute(select(revisions).where(wanted)).first()
    if head is None:
        last = revision_of(db, suite_id)
        raise UnknownName("revision", str(revision), [str(number) for number in range(1, last + 1)])
    if revision is None:
        chosen = select(items.c.version_id).where(items.c.suite_id == suite_id)
    else:
        chosen = (
            select(func.max(versions.c.id))
            .join(items, items.c.id == versions.c.item_id)
            .where(items.c.suite_id == suite_id, versions.c.revision_id <= head.id)
            .group_by(versions.c.item_id)
        )
    found = [(row, item) for row, item, _ in _load(db, chosen) if not row.removed]
    heading = dict(head.heading)
    heading |= {"items": tuple(item for _, item in found), "authors": tuple(heading["authors"])}
    heading["guidelines"] = {(category, name): told for category, name, told in heading.get("guidelines", ())}
    for key in SAID_KEYS:
        heading[key] = {(category, phenomenon): said for category, phenomenon, said in heading.get(key, ())}
    return StoredSuite(
        entry.id,
        head.number,
        Suite(**heading, path=heading["name"]),
        entry.questions,
        [row.item_id for row, _ in found],
        [row.id for row, _ in found],
        [row.rules_hash for row, _ in found],
    )


def changed_items(db: Connection, suite_id: int, since: int) -> dict[int, tuple[int, Item]]:
    """Items that changed after the change with this number: item id -> (version id, item)."""
    found = db.execute(select(items.c.suite_id, items.c.version_id).where(items.c.changed > since))
    chosen = [version for suite, version in found if suite == suite_id]
    if not chosen:
        return {}
    return {row.item_id: (row.id, item) for row, item, _ in _load(db, chosen) if not row.removed}


def item_versions(db: Connection, item_id: int) -> list[ItemVersion]:
    """All versions of an item, the newest first."""
    return _versions(db, select(versions.c.id).where(versions.c.item_id == item_id))[::-1]


def all_versions(db: Connection, suite_id: int) -> list[ItemVersion]:
    """All versions of all items of a suite, in the order in which they were made."""
    return _versions(db, select(versions.c.id).join(items).where(items.c.suite_id == suite_id))


def _versions(db: Connection, chosen: Any) -> list[ItemVersion]:
    made = (
        ItemVersion(row.id, row.number, row.by, row.created, row.comment, row.removed, item, authors)
        for row, item, authors in _load(db, chosen)
    )
    return sorted(made, key=lambda version: version.id)


@dataclass(frozen=True, slots=True)
class PastStep:
    """What a revision did to an item: as it was before (None where it was new) and since; whether that still holds."""

    item_id: int
    before: ItemVersion | None
    after: ItemVersion
    is_newest: bool


def steps_of(db: Connection, suite_id: int, number: int) -> list[PastStep]:
    """What a revision of a suite did to each of its items."""
    revision = select(revisions.c.id).where(revisions.c.suite_id == suite_id, revisions.c.number == number)
    touched = select(versions.c.item_id).where(versions.c.revision_id.in_(revision))
    ids = dict(db.execute(select(items.c.key, items.c.id).where(items.c.id.in_(touched))).all())
    lines: dict[str, list[ItemVersion]] = {}
    for version in _versions(db, select(versions.c.id).where(versions.c.item_id.in_(touched))):
        lines.setdefault(version.item.id, []).append(version)
    steps = []
    for name, line in lines.items():
        at = next(place for place, version in enumerate(line) if version.revision == number)
        steps.append(PastStep(ids[name], line[at - 1] if at else None, line[at], at + 1 == len(line)))
    return steps


def heading_versions(db: Connection, suite_id: int) -> list[tuple[int, str, str, Mapping[str, Any]]]:
    """The number of each revision, who made it when, and the suite's heading then."""
    query = select(revisions.c.number, users.c.name, revisions.c.created, revisions.c.heading).join(users)
    rows = db.execute(query.where(revisions.c.suite_id == suite_id).order_by(revisions.c.number))
    return [(row.number, row.name, row.created, row.heading) for row in rows]


def revision_of(db: Connection, suite_id: int) -> int:
    """The number of the last revision of a suite."""
    query = select(revisions.c.number).join(suites, suites.c.revision_id == revisions.c.id)
    return int(db.execute(query.where(suites.c.id == suite_id)).scalar_one())


def every_item(db: Connection, suite_id: int) -> dict[str, tuple[int, Item, bool]]:
    """The suite's id of an item -> (its id here, the item as it stands, whether it was removed)."""
    chosen = select(items.c.version_id).where(items.c.suite_id == suite_id)
    return {row.key: (row.item_id, item, row.removed) for row, item, _ in _load(db, chosen)}


def removed_items(db: Connection, suite_id: int) -> dict[str, tuple[int, Item]]:
    """The same of those that were removed: the suite's id of an item -> (its id here, the item as it last stood)."""
    chosen = select(versions.c.id).join(items, items.c.version_id == versions.c.id)
    chosen = chosen.where(items.c.suite_id == suite_id, versions.c.removed)
    return {row.key: (row.item_id, item) for row, item, _ in _load(db, chosen)}


def imported_hashes(db: Connection, suite_id: int) -> dict[str, str]:
    """The suite's id of an item -> hash of the item as it stood in the file that was imported last."""
    return dict(db.execute(select(suites.c.imported).where(suites.c.id == suite_id)).scalar_one())


def set_imported(db: Connection, suite_id: int, hashes: Mapping[str, str]) -> None:
    db.execute(update(suites).where(suites.c.id == suite_id).values(imported=dict(hashes)))


def suite_files(db: Connection, suite_id: int) -> dict[str, str]:
    """The files that a native suite came from: path -> text. None for a suite of another format."""
    table = schema.suite_files
    query = select(table.c.path, table.c.text).where(table.c.suite_id == suite_id).order_by(table.c.path)
    return {row.path: row.text for row in db.execute(query)}


def set_suite_files(db: Connection, suite_id: int, files: Mapping[str, str]) -> None:
    """Keep the files of the last import, and none of those before."""
    db.execute(delete(schema.suite_files).where(schema.suite_files.c.suite_id == suite_id))
    insert_rows(db, schema.suite_files, ((suite_id, path, text) for path, text in files.items()))


def _load(db: Connection, chosen: Any) -> list[tuple[Any, Item, tuple[tuple[str, str], ...]]]:
    """Versions with who made them, their items, and who wrote each rule when, in the order of the suite's items."""
    told = (rules.c.scope, rules.c.polarity, rules.c.kind, rules.c.value, rules.c.flags, rules.c.note)
    query = (
        select(version_rules.c.version_id, users.c.name, rules.c.created, *told)
        .select_from(version_rules.join(rules).join(users))
        .where(version_rules.c.version_id.in_(chosen))
        .order_by(version_rules.c.version_id, version_rules.c.position)
    )
    found: dict[int, list[Rule]] = {}
    authors: dict[int, list[tuple[str, str]]] = {}
    for version, author, created, scope, *words in db.execute(query):
        found.setdefault(version, []).append(replace(Rule(*words), scope=scope) if scope else Rule(*words))
        authors.setdefault(version, []).append((author, created))
    made = (revisions.c.number, revisions.c.created, revisions.c.comment, users.c.name.label("by"))
    rows = (
        select(versions, items.c.key, suites.c.langpair, *made)
        .select_from(
            versions.join(items)
            .join(revisions, revisions.c.id == versions.c.revision_id)
            .join(suites, suites.c.id == revisions.c.suite_id)
            .join(users, users.c.id == revisions.c.user_id)
        )
        .where(versions.c.id.in_(chosen))
        .order_by(items.c.position, items.c.id)
    )
    return [(row, _item(row, tuple(found.get(row.id, ()))), tuple(authors.get(row.id, ()))) for row in db.execute(rows)]


def _item(row: Any, found: tuple[Rule, ...]) -> Item:
    passing, failing = row.examples
    return Item(
        id=row.key,
        category=row.category,
        phenomenon=row.phenomenon,
        source=row.source,
        rules=found,
        tests=row.tests,
        examples=Examples(tuple(passing), tuple(failing)),
        tags=tuple(row.tags),
        notes=row.notes,
        held_out=row.held_out,
        prompt=row.prompt,
        context=row.context,
        group=row.group_name,
        independent=row.independent,
        renderings=row.renderings,
        labels=tuple(Label(name, tuple(_label_rule(*rule) for rule in kept)) for name, kept in row.labels),
        rubric=row.rubric,
        source_of=row.source_of,
        tier=row.tier,
        langpair=row.langpair,
    )


def _label_rule(kind: str, value: str, flags: str, note: str, scope: str = "") -> Rule:
    """A rule of a label as `revisions` keeps it."""
    return Rule("pass", kind, value, flags, note, scope=scope)
