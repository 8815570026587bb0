"""The history of a suite out of a database, and into another one that does not have the suite.

with store.reading() as db:
    found = history_of(db, suite_id, events)
with other.writing() as db:
    restore_suite(db, found, "assay-de-en")
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from assay.outputs import System
from assay.verdicts import Event, Verdict
from assay.workbench.db.bulk import insert_rows, update_rows
from assay.workbench.db.database import lock, next_change
from assay.workbench.db.people import ensure_person
from assay.workbench.db.revisions import (
    RULE_COLUMNS,
    VERSION_COLUMNS,
    add_suite,
    check_names,
    heading_of,
    next_id,
    rule_cells,
    version_row,
)
from assay.workbench.db.schema import (
    campaigns,
    items,
    outputs,
    revisions,
    rules,
    suites,
    systems,
    texts,
    users,
    version_rules,
    versions,
)
from assay.workbench.db.seen import all_seen
from assay.workbench.db.suites import all_versions, heading_suite, imported_hashes
from assay.workbench.files.history_records import (
    History,
    ItemPlace,
    PastOutput,
    PastPerson,
    PastSystem,
    PastText,
    PastVersion,
    Revision,
    Seen,
)


def history_of(db: Connection, suite_id: int, events: Iterable[Event]) -> History:
    """Everything about a suite that its files don't say. People of its events are in it too, and come first."""
    keys = dict(db.execute(select(items.c.id, items.c.key).where(items.c.suite_id == suite_id)).all())
    found = History(
        created=db.execute(select(suites.c.created).where(suites.c.id == suite_id)).scalar_one(),
        people=(),
        revisions=_revisions(db, suite_id),
        entries=_entries(db, suite_id),
        versions=tuple(
            PastVersion(version.revision, version.item, version.removed, version.authors)
            for version in all_versions(db, suite_id)
        ),
        deliveries=tuple(_deliveries(db, suite_id).values()),
        texts=_texts(db, suite_id, keys),
        outputs=_past_outputs(db, suite_id),
    )
    named = dict.fromkeys((*(event.by for event in events), *found.names()))
    return History(**{**vars(found), "people": _people(db, list(named))})


def _people(db: Connection, names: list[str]) -> tuple[PastPerson, ...]:
    rows = {row.name: row for row in db.execute(select(users))}
    return tuple(
        PastPerson(row.name, row.role, row.active, row.settings, row.created) for row in (rows[name] for name in names)
    )


def _revisions(db: Connection, suite_id: int) -> tuple[Revision, ...]:
    query = select(revisions, users.c.name).join(users, users.c.id == revisions.c.user_id)
    rows = db.execute(query.where(revisions.c.suite_id == suite_id).order_by(revisions.c.number))
    return tuple(Revision(row.number, row.name, row.created, row.comment, heading_suite(row.heading)) for row in rows)


def _entries(db: Connection, suite_id: int) -> tuple[ItemPlace, ...]:
    imported = imported_hashes(db, suite_id)
    query = select(items.c.key, items.c.position).where(items.c.suite_id == suite_id).order_by(items.c.id)
    return tuple(ItemPlace(key, position, imported.get(key, "")) for key, position in db.execute(query))


def _deliveries(db: Connection, suite_id: int) -> dict[int, PastSystem]:
    query = (
        select(systems, campaigns.c.name.label("campaign"), users.c.name.label("by"))
        .join(campaigns, campaigns.c.id == systems.c.campaign_id)
        .join(users, users.c.id == systems.c.user_id)
        .where(systems.c.suite_id == suite_id)
        .order_by(systems.c.id)
    )
    return {
        row.id: PastSystem(System(row.name, row.campaign, row.details, row.file), row.by, row.imported)
        for row in db.execute(query)
    }


def _texts(db: Connection, suite_id: int, keys: Mapping[int, str]) -> tuple[PastText, ...]:
    seen: dict[int, dict[str, tuple[Seen, ...]]] = {}
    for text_id, name, what in all_seen(db, suite_id):
        seen.setdefault(text_id, {})[name] = what
    query = select(texts.c.id, texts.c.item_id, texts.c.value, texts.c.first).order_by(texts.c.id)
    query = query.join(items, items.c.id == texts.c.item_id).where(items.c.suite_id == suite_id)
    return tuple(
        PastText(keys[item_id], value, Verdict(first), dict(sorted(seen.get(text_id, {}).items())))
        for text_id, item_id, value, first in db.execute(query)
    )


def _past_outputs(db: Connection, suite_id: int) -> tuple[PastOutput, ...]:
    """The outputs of items that were removed, which no file has."""
    known = _deliveries(db, suite_id)
    query = (
        select(outputs.c.system_id, items.c.key, func.coalesce(outputs.c.raw, texts.c.value))
        .join(items, items.c.id == outputs.c.item_id)
        .join(versions, versions.c.id == items.c.version_id)
        .join(texts, texts.c.id == outputs.c.text_id)
        .where(items.c.suite_id == suite_id, versions.c.removed)
        .order_by(outputs.c.system_id, items.c.id)
    )
    return tuple(PastOutput(known[system_id].system, key, text) for system_id, key, text in db.execute(query))


def restore_suite(db: Connection, history: History, name: str) -> int:
    """A suite that is not there yet, with its revisions and items as they came about; returns its id."""
    lock(db)
    people = {person.name: ensure_person(db, person).id for person in history.people}
    last = history.revisions[-1].heading
    check_names(name, (entry.item for entry in history.entries))
    suite_id = add_suite(db, name, last.langpair, created=history.created)
    revision_ids = {
        revision.number: int(
            db.execute(
                insert(revisions)
                .values(
                    suite_id=suite_id,
                    number=revision.number,
                    user_id=people[revision.by],
                    created=revision.created,
                    comment=revision.comment,
                    heading=heading_of(revision.heading),
                )
                .returning(revisions.c.id)
            ).scalar_one()
        )
        for revision in history.revisions
    }
    ids = _restore_items(db, suite_id, history.entries)
    _restore_versions(db, history.versions, ids=ids, revision_ids=revision_ids, people=people)
    db.execute(
        update(suites)
        .where(suites.c.id == suite_id)
        .values(
            revision_id=revision_ids[len(revision_ids)],
            imported={entry.item: entry.imported for entry in history.entries if entry.imported},
            outputs_changed=next_change(db),
        )
    )
    return suite_id


def _restore_items(db: Connection, suite_id: int, entries: Iterable[ItemPlace]) -> dict[str, int]:
    first = next_id(db, items)
    ids: dict[str, int] = {}
    rows = []
    for item_id, entry in enumerate(entries, first):
        ids[entry.item] = item_id
        rows.append((item_id, suite_id, entry.item, entry.position, 0))
    insert_rows(db, items, ("id", "suite_id", "key", "position", "changed"), rows)
    return ids


def _restore_versions(
    db: Connection,
    found: Iterable[PastVersion],
    *,
    ids: Mapping[str, int],
    revision_ids: Mapping[int, int],
    people: Mapping[str, int],
) -> None:
    """Versions in their order; a rule is written once, by whoever wrote it when it first was there."""
    rule_id, known = next_id(db, rules), dict[tuple[int, Any], int]()
    version_rows, rule_rows, links = [], [], []
    newest: dict[int, int] = {}
    for version_id, version in enumerate(found, next_id(db, versions)):
        item_id = ids[version.item.id]
        newest[item_id] = version_id
        version_rows.append(
            version_row(version_id, item_id, revision_ids[version.revision], version.item, removed=version.removed)
        )
        for place, (rule, (by, created)) in enumerate(zip(version.item.rules, version.authors, strict=True)):
            key = (item_id, rule_cells(rule))
            if key not in known:
                known[key] = rule_id
                rule_rows.append((rule_id, item_id, *rule_cells(rule), people[by], created))
                rule_id += 1
            links.append((version_id, place, known[key]))
    insert_rows(db, versions, VERSION_COLUMNS, version_rows)
    insert_rows(db, rules, RULE_COLUMNS, rule_rows)
    insert_rows(db, version_rules, ("version_id", "position", "rule_id"), links)
    change = next_change(db)
    update_rows(db, items, ("version_id", "changed"), ((new, change, item_id) for item_id, new in newest.items()))
