"""Use case: files into the database, everything that `assay evaluate` reads. Whole or not at all.

A suite file that has not changed since it was last imported leaves the suite alone. Where both the file and the
workbench changed different items, both changes are kept; where they changed the same item, the import is refused, or
with `force` the file's version is taken.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from assay.errors import BadOption
from assay.outputs import Inputs, Outputs, System
from assay.suites import Item, Suite
from assay.text import normalise
from assay.verdicts import RuleJudge
from assay.verdicts.events import EventLine
from assay.workbench.db import suites as stored_suites
from assay.workbench.db.archive import restore_suite
from assay.workbench.db.database import Store, lock
from assay.workbench.db.outputs import (
    add_outputs,
    add_system,
    add_texts,
    digest,
    list_systems,
    load_texts,
    remove_system,
    set_ruled,
    text_ids,
)
from assay.workbench.db.outputs import load_outputs as load_output_rows
from assay.workbench.db.revisions import Saved, new_revision, save_suite, without_settled
from assay.workbench.db.suites import set_questions, suite_names
from assay.workbench.files.history_records import History
from assay.workbench.files.restore import (
    take_events,
    take_judgements,
    take_past_outputs,
    take_seen,
    take_systems,
    take_texts,
)
from assay.workbench.people.roles import User
from assay.workbench.snapshot import ruled_of


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    suite: str
    saved: Saved
    judgements: int
    systems: Sequence[System]
    replaced: Sequence[System]
    unchanged: Sequence[System]
    outputs: int
    texts: int
    not_found: int

    def lines(self) -> Iterator[str]:
        """What a user wants to know, a line each."""
        saved = self.saved
        counts = f"{saved.added:,} items added, {saved.changed:,} changed, {saved.removed:,} removed"
        yield f"{self.suite}: " + (f"revision {saved.revision}: {counts}" if saved.revision else "unchanged")
        if self.judgements:
            yield f"judgements: {self.judgements:,} taken"
        for verb, systems in (("added", self.systems), ("replaced", self.replaced), ("there already", self.unchanged)):
            if systems:
                names = ", ".join(
                    f"{system.name} ({system.campaign})" if system.campaign else system.name for system in systems
                )
                yield f"systems {verb}: {names}"
        if self.outputs:
            missing = f"; {self.not_found:,} items of the suite have none" if self.not_found else ""
            yield f"outputs: {self.outputs:,}, {self.texts:,} of them new texts{missing}"


@dataclass(frozen=True)
class Import:
    """Files read and ready to be written; reading them takes no lock."""

    suite: Suite
    outputs: Outputs | None
    comment: str
    events: Sequence[EventLine] = ()
    here: bool = False
    """The suite is that of the database itself: only the outputs are new."""
    questions: Mapping[str, Any] | None = None
    """What annotators are asked beside the verdict; taken where the database asks nothing."""
    history: History | None = None
    """How the suite came about; taken where the database does not have it."""

    def run(self, store: Store, user: User, *, force: bool = False) -> Imported:
        """Write it. `force` takes the file's items where both changed, and a system's new outputs where they differ."""
        user.need("admin")
        with store.writing() as db:
            return self.write(db, user, force=force)

    def write(self, db: Connection, user: User, *, force: bool) -> Imported:
        """The same inside of a transaction."""
        lock(db)
        past = self._past(db)
        saved = self._restore(db, user, past) if past else self._save(db, user, force=force)
        stored = stored_suites.load_suite(db, saved.suite_id)
        if self.questions and not stored.questions:
            set_questions(db, stored.id, self.questions)
        rejudge(db, stored)
        ids: dict[System, int] = {}
        if past:
            take_texts(db, stored.id, past)
            ids = take_systems(db, stored.id, past)
            take_past_outputs(db, stored.id, past)
        judged = take_events(db, stored.id, self.events)
        if not self.here:
            judged += take_judgements(db, stored.id, self.suite)
        done = self._write_outputs(db, user, stored, ids, force=force)
        if self.history:
            take_seen(db, stored.id, self.history)
        texts = done.texts + (len(past.texts) if past else 0)
        return replace(done, saved=saved, judgements=judged, texts=texts)

    def _write_outputs(
        self,
        db: Connection,
        user: User,
        stored: stored_suites.StoredSuite,
        ids: Mapping[System, int],
        *,
        force: bool,
    ) -> Imported:
        """The outputs; `ids` has systems that were just made and have none yet."""
        nothing = Imported(stored.suite.name, Saved(stored.id, None, 0, 0, 0), 0, list(ids), (), (), 0, 0, 0)
        if self.outputs is None:
            return nothing
        writer = _OutputWriter(db, stored, self.suite, self.outputs, user, force=force)
        new, changed, same = writer.sort(ids)
        outputs, texts = writer.write([*new, *changed], ids)
        systems = self.outputs.systems
        if changed:
            names = ", ".join(systems[column].name for column in changed)
            new_revision(db, stored.id, user, f"outputs replaced: {names}")
        return replace(
            nothing,
            systems=list(dict.fromkeys([*ids, *(systems[column] for column in new)])),
            replaced=[systems[column] for column in changed],
            unchanged=[systems[column] for column in same],
            outputs=outputs,
            texts=texts,
            not_found=len(stored.suite) - len(self.outputs.found),
        )

    def _past(self, db: Connection) -> History | None:
        """The history to begin with, where the suite is not here yet."""
        return self.history if self.suite.name not in suite_names(db) else None

    def _restore(self, db: Connection, user: User, past: History) -> Saved:
        """The suite as it came about. Where its files were changed after the export, that is one revision more."""
        suite_id = restore_suite(db, past, self.suite.name)
        places = {entry.item: entry.position for entry in past.entries}
        items = sorted(self.suite.items, key=lambda item: places.get(item.id, len(places)))
        saved = save_suite(db, replace(self.suite, items=tuple(items)), user, self.comment)
        if saved.revision is not None:
            stored_suites.set_imported(db, suite_id, _hashes(self.suite))
        return Saved(suite_id, saved.revision or len(past.revisions), len(items), 0, 0)

    def _save(self, db: Connection, user: User, *, force: bool) -> Saved:
        if self.here:
            return Saved(stored_suites.find_suite(db, self.suite.name).id, None, 0, 0, 0)
        saved = save_suite(db, merge(db, self.suite, force=force), user, self.comment)
        stored_suites.set_imported(db, saved.suite_id, _hashes(self.suite))
        return saved


def _hashes(suite: Suite) -> dict[str, str]:
    """Item id -> hash of the item."""
    return {item.id: item_hash(item) for item in suite.items}


def merge(db: Connection, suite: Suite, *, force: bool) -> Suite:
    """The suite to save: what the file changed since it was last imported, and otherwise what stands here."""
    known = {entry.name: entry.id for entry in stored_suites.list_suites(db)}
    if suite.name not in known:
        return suite
    imported = stored_suites.imported_hashes(db, known[suite.name])
    here = stored_suites.every_item(db, known[suite.name])
    items = []
    both = [
        name
        for name, was in imported.items()
        if name not in suite.positions and not here[name][2] and item_hash(here[name][1]) != was
    ]
    for item in suite.items:
        _, mine, removed = here.get(item.id, (0, item, False))
        was = imported.get(item.id)
        if item_hash(item) == was:
            if not removed:
                items.append(mine)
            continue
        if was is not None and item_hash(mine) not in (was, item_hash(item)):
            both.append(item.id)
        items.append(item)
    if both and not force:
        raise BadOption(
            f"{len(both)} items were changed both in the file and in the workbench ({', '.join(both[:5])}"
            f"{', …' if len(both) > 5 else ''}); export the suite and merge by hand, or take the file's with --force"
        )
    return replace(suite, items=tuple(items))


def item_hash(item: Item) -> str:
    """Equal for items that are equal but for judgements."""
    return sha256(repr(replace(without_settled(item), place="")).encode()).hexdigest()[:16]


def rejudge(db: Connection, stored: stored_suites.StoredSuite) -> int:
    """Judge the texts whose item has other rules than they were judged with; returns how many."""
    places = {item_id: place for place, item_id in enumerate(stored.item_ids)}
    stale = [
        row
        for row in load_texts(db, stored.id)
        if row.item_id in places and row.ruled.judged_with != stored.hashes[places[row.item_id]]
    ]
    items = stored.suite.items
    judge = RuleJudge({items[places[row.item_id]].id: items[places[row.item_id]] for row in stale}.values())
    found = []
    for row in stale:
        place = places[row.item_id]
        found.append((row.id, ruled_of(items[place], judge.judge(items[place], row.value), stored.hashes[place])))
    set_ruled(db, found)
    return len(found)


class _OutputWriter:
    """Writes the outputs of systems, each distinct text once, judged by the rules as it is added."""

    def __init__(
        self,
        db: Connection,
        stored: stored_suites.StoredSuite,
        suite: Suite,
        outputs: Outputs,
        user: User,
        *,
        force: bool,
    ) -> None:
        self.db, self.stored, self.outputs, self.user, self.force = db, stored, outputs, user, force
        self.texts = text_ids(db, stored.id)
        self.places = [stored.suite.positions.get(item.id) for item in suite.items]
        """Place of each item of the file among those of the database; None for items that were removed there."""
        self.item_ids = [0 if place is None else stored.item_ids[place] for place in self.places]
        self.normalised = [normalise(text) for text in outputs.texts]
        self.keys = [
            (self.item_ids[owner], digest(text))
            for owner, text in zip(outputs.owners.tolist(), self.normalised, strict=True)
        ]

    def sort(self, made: Collection[System]) -> tuple[list[int], list[int], list[int]]:
        """Columns of systems that are new (or just made), that differ from what is there, that are there already."""
        listed = list_systems(self.db, self.stored.id)
        known = {found.system: found.id for found in listed if found.system not in made}
        new, changed, same = [], [], []
        for column, system in enumerate(self.outputs.systems):
            if system not in known:
                new.append(column)
            elif self._rows(known[system], column, missing_ok=True) == self._here(known[system]):
                same.append(column)
            else:
                changed.append(column)
        if changed and not self.force:
            names = ", ".join(self.outputs.systems[column].name for column in changed[:5])
            raise BadOption(
                f"other outputs of {names} are in the database already; replace them with --force, or name another "
                "campaign with --campaign"
            )
        for column in changed:
            remove_system(self.db, self.stored.id, known[self.outputs.systems[column]])
        return new, changed, same

    def _here(self, system_id: int) -> set[tuple[int, int, int, str | None]]:
        """What the database has of a system for the items of the file; those of removed items are not in it."""
        wanted = set(self.item_ids)
        return {row for row in load_output_rows(self.db, [system_id]) if row[1] in wanted}

    def write(self, columns: Sequence[int], made: Mapping[System, int]) -> tuple[int, int]:
        """Write the outputs of these columns; returns how many, and how many texts were new."""
        if not columns:
            return 0, 0
        texts = self._add_texts(columns)
        rows: list[tuple[int, int, int, str | None]] = []
        for column in columns:
            system = self.outputs.systems[column]
            system_id = made.get(system) or add_system(self.db, self.stored.id, system, self.user)
            rows += self._rows(system_id, column)
        add_outputs(self.db, self.stored.id, rows)
        return len(rows), texts

    def _rows(self, system_id: int, column: int, *, missing_ok: bool = False) -> set[tuple[int, int, int, str | None]]:
        rows = set()
        for item_id, code in zip(self.item_ids, self.outputs.codes[:, column].tolist(), strict=True):
            if code >= 0 and item_id:
                raw = self.outputs.texts[code]
                text_id = self.texts.get(self.keys[code], 0) if missing_ok else self.texts[self.keys[code]]
                rows.add((system_id, item_id, text_id, raw if raw != self.normalised[code] else None))
        return rows

    def _add_texts(self, columns: Sequence[int]) -> int:
        codes = sorted(set(self.outputs.codes[:, list(columns)].ravel().tolist()) - {-1})
        new: dict[tuple[int, str], int] = {}
        for code in codes:
            if self.keys[code] not in self.texts and self.keys[code][0]:
                new.setdefault(self.keys[code], code)
        owners = self.outputs.owners.tolist()
        places = {code: self.places[owners[code]] or 0 for code in new.values()}
        items = self.stored.suite.items
        judge = RuleJudge(items[place] for place in set(places.values()))
        rows = []
        for (item_id, _), code in new.items():
            place, text = places[code], self.normalised[code]
            ruled = ruled_of(items[place], judge.judge(items[place], text), self.stored.hashes[place])
            rows.append((item_id, text, ruled))
        for key, text_id in zip(new, add_texts(self.db, rows), strict=True):
            self.texts[key] = text_id
        return len(rows)


def read(
    suite: str, outputs: Sequence[str], *, source: str | None = None, campaign: str = "", aliases: Path | None = None
) -> Import:
    """Read files, paired and checked as `assay evaluate` does it."""
    return read_inputs(Inputs(suite, outputs, source, campaign, aliases))


def read_inputs(inputs: Inputs) -> Import:
    """The same for inputs that a user named; outputs may be left out."""
    comment = f"import of {inputs.suite}"
    return Import(*inputs.load(), comment) if inputs.outputs else Import(inputs.load_suite(), None, comment)
