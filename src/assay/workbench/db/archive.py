"""The history of a suite out of a database, and into another one that does not have the suite.

with store.reading() as db:
    found = history_of(db, suite_id, events)
with other.writing() as db:
    restore_suite(db, found, "assay-de-en")
"""

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Connection, func, select, update

from assay.verdicts import Verdict
from assay.verdicts.judgements import Event
from assay.workbench.db.database import lock, next_change
from assay.workbench.db.draws import all_draws
from assay.workbench.db.hidings import all_hidings
from assay.workbench.db.outputs import StoredSystem, list_systems
from assay.workbench.db.people import ensure_person
from assay.workbench.db.revisions import NewVersion, add_items, add_revision, add_suite, add_versions, check_names
from assay.workbench.db.schema import items, outputs, revisions, suites, texts, users, versions
from assay.workbench.db.seen import all_seen
from assay.workbench.db.suites import all_versions, imported_hashes
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
    systems = list_systems(db, suite_id, hidden=True)
    found = History(
        created=db.execute(select(suites.c.created).where(suites.c.id == suite_id)).scalar_one(),
        people=(),
        revisions=_revisions(db, suite_id),
        entries=_entries(db, suite_id),
        versions=tuple(
            PastVersion(version.revision, version.item, version.removed, version.authors)
            for version in all_versions(db, suite_id)
        ),
        deliveries=tuple(PastSystem(stored.system, stored.by, stored.imported) for stored in systems),
        texts=_texts(db, suite_id),
        outputs=_past_outputs(db, suite_id, systems),
        draws=all_draws(db, suite_id),
        hidings=all_hidings(db, suite_id),
    )
    rows = {row.name: row for row in db.execute(select(users))}
    named = (rows[name] for name in dict.fromkeys((*(event.by for event in events), *found.names())))
    people = (PastPerson(row.name, row.role, row.active, row.settings, row.created) for row in named)
    return replace(found, people=tuple(people))


def _revisions(db: Connection, suite_id: int) -> tuple[Revision, ...]:
    query = select(revisions, users.c.name).select_from(revisions).join(users)
    rows = db.execute(query.where(revisions.c.suite_id == suite_id).order_by(revisions.c.number))
    return tuple(Revision(row.number, row.name, row.created, row.comment, row.heading) for row in rows)


def _entries(db: Connection, suite_id: int) -> tuple[ItemPlace, ...]:
    imported = imported_hashes(db, suite_id)
    query = select(items.c.key, items.c.position).where(items.c.suite_id == suite_id).order_by(items.c.id)
    return tuple(ItemPlace(key, position, imported.get(key, "")) for key, position in db.execute(query))


def _texts(db: Connection, suite_id: int) -> tuple[PastText, ...]:
    seen: dict[int, dict[str, tuple[Seen, ...]]] = {}
    for text_id, name, what in all_seen(db, suite_id):
        seen.setdefault(text_id, {})[name] = what
    query = select(texts.c.id, items.c.key, texts.c.value, texts.c.first).select_from(texts).join(items)
    return tuple(
        PastText(key, value, Verdict(first), dict(sorted(seen.get(text_id, {}).items())))
        for text_id, key, value, first in db.execute(query.where(items.c.suite_id == suite_id).order_by(texts.c.id))
    )


def _past_outputs(db: Connection, suite_id: int, systems: Iterable[StoredSystem]) -> tuple[PastOutput, ...]:
    """The outputs of items that were removed, and of systems that are hidden, which no file has."""
    known = {stored.id: stored.system for stored in systems}
    hidden = [stored.id for stored in systems if stored.hidden]
    query = (
        select(outputs.c.system_id, items.c.key, func.coalesce(outputs.c.raw, texts.c.value))
        .join(items, items.c.id == outputs.c.item_id)
        .join(versions, versions.c.id == items.c.version_id)
        .join(texts, texts.c.id == outputs.c.text_id)
        .where(items.c.suite_id == suite_id, versions.c.removed | outputs.c.system_id.in_(hidden))
        .order_by(outputs.c.system_id, items.c.id)
    )
    return tuple(PastOutput(known[system_id], key, text) for system_id, key, text in db.execute(query))


def restore_suite(db: Connection, history: History, name: str) -> int:
    """A suite that is not there yet, with its revisions and items as they came about; returns its id."""
    lock(db)
    people = {person.name: ensure_person(db, person).id for person in history.people}
    check_names(name, (entry.item for entry in history.entries))
    suite_id = add_suite(db, name, history.revisions[-1].heading["langpair"], created=history.created)
    revision_ids = {
        revision.number: add_revision(db, suite_id, revision, people[revision.by]) for revision in history.revisions
    }
    ids = add_items(db, suite_id, {entry.item: entry.position for entry in history.entries})
    add_versions(
        db,
        [
            NewVersion(
                ids[version.item.id],
                revision_ids[version.revision],
                version.item,
                version.removed,
                [(people[by], created) for by, created in version.authors],
            )
            for version in history.versions
        ],
    )
    imported = {entry.item: entry.imported for entry in history.entries if entry.imported}
    values = {"imported": imported, "outputs_changed": next_change(db)}
    db.execute(update(suites).where(suites.c.id == suite_id).values(**values))
    return suite_id
