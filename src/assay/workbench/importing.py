"""Use case: files into the database, everything that `assay evaluate` reads. Whole or not at all.

A suite file that has not changed since it was last imported leaves the suite alone. Where both the file and the
workbench changed different items, both changes are kept; where they changed the same item, the import is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection

from assay.formats import load_suite as read_suite
from assay.formats.outputs import load_outputs
from assay.model import BadOption, Event, Item, Outputs, Suite, System, User, normalise
from assay.rules import RuleJudge
from assay.store import Store, lock
from assay.store import suites as stored_suites
from assay.store.judging import record_many, settlements
from assay.store.outputs import (
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
from assay.store.outputs import (
    load_outputs as load_output_rows,
)
from assay.store.people import ensure_annotator
from assay.store.saving import Saved, save_suite
from assay.workbench.board import ruled_of


class Imported(NamedTuple):
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


@dataclass(frozen=True)
class Import:
    """Files read and ready to be written; reading them takes no lock."""

    suite: Suite
    outputs: Outputs | None
    comment: str

    def run(self, store: Store, user: User, *, force: bool = False) -> Imported:
        """Write it. `force` takes the file's version of items, and a system's new outputs, where they differ."""
        user.need("admin")
        with store.writing() as db:
            return self.write(db, user, force=force)

    def write(self, db: Connection, user: User, *, force: bool) -> Imported:
        """The same inside of a transaction."""
        lock(db)
        merged = merge(db, self.suite, force=force)
        saved = save_suite(db, merged, user, self.comment)
        stored_suites.set_imported(db, saved.suite_id, {item.id: item_hash(item) for item in self.suite.items})
        stored = stored_suites.load_suite(db, saved.suite_id)
        rejudge(db, stored)
        judged = _take_judgements(db, stored, self.suite)
        if self.outputs is None:
            return Imported(stored.suite.name, saved, judged, (), (), (), 0, 0, 0)
        writer = _OutputWriter(db, stored, self.suite, self.outputs, force=force)
        new, changed, same = writer.sort()
        outputs, texts = writer.write([*new, *changed])
        systems = self.outputs.systems
        return Imported(
            stored.suite.name,
            saved,
            judged,
            [systems[column] for column in new],
            [systems[column] for column in changed],
            [systems[column] for column in same],
            outputs,
            texts,
            len(stored.suite) - len(self.outputs.found),
        )


def merge(db: Connection, suite: Suite, *, force: bool) -> Suite:
    """The suite to save: what the file changed since it was last imported, and otherwise what stands here."""
    known = {entry.name: entry.id for entry in stored_suites.list_suites(db)}
    if suite.name not in known or force:
        return suite
    imported = stored_suites.imported_hashes(db, known[suite.name])
    here = stored_suites.every_item(db, known[suite.name])
    items, both = [], []
    for item in suite.items:
        _, mine, removed = here.get(item.id, (0, item, False))
        was = imported.get(item.id)
        if item_hash(item) == was:
            if not removed:
                items.append(replace(mine, rules=(*mine.rules, *(rule for rule in item.rules if rule.by))))
            continue
        if was is not None and item_hash(mine) not in (was, item_hash(item)):
            both.append(item.id)
        items.append(item)
    if both:
        raise BadOption(
            f"{len(both)} items were changed both in the file and in the workbench ({', '.join(both[:5])}"
            f"{', …' if len(both) > 5 else ''}); export the suite and merge by hand, or take the file's with --force"
        )
    return replace(suite, items=tuple(items))


def item_hash(item: Item) -> str:
    """Equal for items that are equal but for judgements."""
    plain = replace(item, rules=tuple(rule for rule in item.rules if not rule.by), place="")
    return sha256(repr(plain).encode()).hexdigest()[:16]


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
        self, db: Connection, stored: stored_suites.StoredSuite, suite: Suite, outputs: Outputs, *, force: bool
    ) -> None:
        self.db, self.stored, self.outputs, self.force = db, stored, outputs, force
        self.texts = text_ids(db, stored.id)
        self.places = [stored.suite.positions.get(item.id) for item in suite.items]
        """Place of each item of the file among those of the database; None for items that were removed there."""
        self.item_ids = [0 if place is None else stored.item_ids[place] for place in self.places]
        self.normalised = [normalise(text) for text in outputs.texts]
        self.keys = [
            (self.item_ids[owner], digest(text))
            for owner, text in zip(outputs.owners.tolist(), self.normalised, strict=True)
        ]

    def sort(self) -> tuple[list[int], list[int], list[int]]:
        """Columns of systems that are new, that differ from what is there, and that are there already."""
        known = {found.system: found.id for found in list_systems(self.db, self.stored.id)}
        new, changed, same = [], [], []
        for column, system in enumerate(self.outputs.systems):
            if system not in known:
                new.append(column)
            elif self._rows(known[system], column, missing_ok=True) == set(load_output_rows(self.db, [known[system]])):
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

    def write(self, columns: Sequence[int]) -> tuple[int, int]:
        """Write the outputs of these columns; returns how many, and how many texts were new."""
        texts = self._add_texts(columns)
        rows: list[tuple[int, int, int, str | None]] = []
        for column in columns:
            system_id = add_system(self.db, self.stored.id, self.outputs.systems[column])
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


def _take_judgements(db: Connection, stored: stored_suites.StoredSuite, suite: Suite) -> int:
    """Settled judgements of a file become events, unless the same person's same judgement is there already."""
    given = [(item.id, rule) for item in suite.items for rule in item.rules if rule.by and rule.kind == "exact"]
    if not given:
        return 0
    ids = {item.id: item_id for item, item_id in zip(stored.suite.items, stored.item_ids, strict=True)}
    places = stored.suite.positions
    known = text_ids(db, stored.id)
    keys = {(ids[item_id], digest(normalise(rule.value))): (item_id, rule) for item_id, rule in given}
    new = [(key, places[item_id], normalise(rule.value)) for key, (item_id, rule) in keys.items() if key not in known]
    judge = RuleJudge(stored.suite.items[place] for place in {place for _, place, _ in new})
    rows = []
    for (item_id, _), place, text in new:
        item = stored.suite.items[place]
        rows.append((item_id, text, ruled_of(item, judge.judge(item, text), stored.hashes[place])))
    for (key, _, _), text_id in zip(new, add_texts(db, rows), strict=True):
        known[key] = text_id
    held = settlements(db, set(known.values()))
    events = []
    for name, rule in given:
        text_id = known[ids[name], digest(normalise(rule.value))]
        vote = held[text_id].votes.get(rule.by) if text_id in held else None
        if vote is None or vote.verdict != rule.polarity:
            person = ensure_annotator(db, rule.by)
            event = Event(0, text_id, rule.by, "import", rule.polarity, rule.note, dated=rule.on)
            events.append((event, person.id))
    record_many(db, events)
    return len(events)


def read(suite: str, outputs: Sequence[str], *, source: str | None, campaign: str) -> Import:
    """Read files, paired and checked as `assay evaluate` does it."""
    found = read_suite(suite)
    paired = load_outputs(found, outputs, source=source, campaign=campaign) if outputs else None
    return Import(found, paired, f"import of {suite}")
