"""Use case: files into the database, everything that `assay evaluate` reads. Whole or not at all.

A suite file that has not changed since it was last imported leaves the suite alone. Where both the file and the
workbench changed different items, both changes are kept; where they changed the same item, the import is refused, or
with `force` the file's version is taken.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection

from assay.errors import BadOption
from assay.outputs import Inputs, Outputs, System
from assay.suites import Item, Rule, Suite, native
from assay.suites.prompts import PROMPT_KEYS
from assay.text import normalise
from assay.verdicts.events import EventLine
from assay.workbench.db import suites as stored_suites
from assay.workbench.db.archive import restore_suite
from assay.workbench.db.audit import record
from assay.workbench.db.database import Store, lock
from assay.workbench.db.hidings import any_suite
from assay.workbench.db.outputs import (
    OutputRow,
    add_outputs,
    add_system,
    judge_again,
    list_systems,
    load_texts,
    remove_system,
)
from assay.workbench.db.outputs import load_outputs as load_output_rows
from assay.workbench.db.revisions import Saved, new_revision, save_suite, without_settled
from assay.workbench.db.ruled import RuleTexts, rule_texts
from assay.workbench.db.suites import set_questions
from assay.workbench.files.history_records import History, last_part
from assay.workbench.files.restore import (
    take_draws,
    take_events,
    take_hidings,
    take_judgements,
    take_seen,
    take_systems,
    take_texts,
)
from assay.workbench.files.suite_texts import SuiteTexts
from assay.workbench.people.roles import User

LONGEST_PATH: Final = 500


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
    hidden: Sequence[System] = ()
    """Those of the unchanged that are hidden, and stay so."""

    def lines(self) -> Iterator[str]:
        """What a user wants to know, a line each."""
        saved = self.saved
        counts = f"{saved.added:,} items added, {saved.changed:,} changed, {saved.removed:,} removed"
        yield f"{self.suite}: " + (f"revision {saved.revision}: {counts}" if saved.revision else "unchanged")
        if self.judgements:
            yield f"judgements: {self.judgements:,} taken"
        shown = [system for system in self.unchanged if system not in self.hidden]
        for verb, systems in (
            ("added", self.systems),
            ("replaced", self.replaced),
            ("there already", shown),
            ("there already, hidden", self.hidden),
        ):
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
    files: Mapping[str, str] = field(default_factory=dict)
    """The files of a native suite, path -> text: an export leaves what has not changed in them as it is."""

    def texts(self) -> list[tuple[Item, str]]:
        """The texts that it brings, normalised, each with its item as the database will keep it."""
        items = {item.id: without_settled(item) for item in self.suite.items}
        found = [(item.id, rule.value) for item in self.suite.items for rule in item.rules if rule.by]
        found += [(line.item, line.text) for line in self.events]
        if self.outputs is not None:
            owners = self.outputs.owners.tolist()
            found += [
                (self.suite.items[owner].id, text) for owner, text in zip(owners, self.outputs.texts, strict=True)
            ]
        if self.history is not None:
            found += [(text.item, text.text) for text in self.history.texts]
        distinct = dict.fromkeys((name, normalise(text)) for name, text in found if name in items)
        return [(items[name], text) for name, text in distinct]

    def run(self, store: Store, user: User, *, force: bool = False, judge: RuleTexts = rule_texts) -> Imported:
        """Write it. `force` takes the file's items where both changed, and a system's new outputs where they differ."""
        user.need("admin")
        with store.writing() as db, store.fitting():
            imported = self.write(db, user, force=force, judge=judge)
            record(db, user.name, "import", "; ".join(imported.lines()))
            return imported

    def write(self, db: Connection, user: User, *, force: bool, judge: RuleTexts = rule_texts) -> Imported:
        """The same inside of a transaction, without a word in the audit trail."""
        lock(db)
        known = any_suite(db, self.suite.name)
        if known and known[1]:
            raise BadOption(
                f"the suite {self.suite.name} is hidden here; bring it back first, on the page Files or with: "
                f"assay hide {self.suite.name} --back"
            )
        past = self.history if known is None else None
        saved = self._restore(db, user, past) if past else self._save(db, user, force=force)
        stored = stored_suites.load_suite(db, saved.suite_id)
        if self.questions and not stored.questions:
            set_questions(db, stored.id, self.questions)
        rejudge(db, stored, judge)
        texts = SuiteTexts(db, stored, judge)
        ids: dict[System, int] = {}
        if past:
            take_texts(texts, past)
            ids = take_systems(texts, past)
            take_draws(texts, past)
            take_hidings(texts, past, ids)
        judged = take_events(texts, self.events)
        if not self.here:
            judged += take_judgements(texts, self.suite)
        done = self._write_outputs(texts, user, stored, ids, force=force)
        if self.history:
            take_seen(texts, self.history)
        return replace(done, saved=saved, judgements=judged, texts=done.texts + (len(past.texts) if past else 0))

    def _write_outputs(
        self,
        texts: SuiteTexts,
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
        before = texts.added
        writer = _OutputWriter(texts, stored, self.suite, self.outputs)
        new, changed, same = writer.sort(ids, force=force)
        outputs = writer.write([*new, *changed], ids, user)
        systems = self.outputs.systems
        if changed:
            names = ", ".join(systems[column].name for column in changed)
            new_revision(texts.db, stored.id, user, f"outputs replaced: {names}")
        return replace(
            nothing,
            systems=list(dict.fromkeys([*ids, *(systems[column] for column in new)])),
            replaced=[systems[column] for column in changed],
            unchanged=[systems[column] for column in same],
            hidden=[systems[column] for column in same if systems[column] in writer.hidden],
            outputs=outputs,
            texts=texts.added - before,
            not_found=len(stored.suite) - len(self.outputs.found),
        )

    def _restore(self, db: Connection, user: User, past: History) -> Saved:
        """The suite as it came about. Where its files were changed after the export, that is one revision more."""
        suite_id = restore_suite(db, past, self.suite.name)
        places = {entry.item: entry.position for entry in past.entries}
        items = sorted(self.suite.items, key=lambda item: places.get(item.id, len(places)))
        saved = save_suite(db, replace(self.suite, items=tuple(items)), user, self.comment)
        if saved.revision is not None:
            stored_suites.set_imported(db, suite_id, _hashes(self.suite))
        stored_suites.set_suite_files(db, suite_id, self.files)
        return Saved(suite_id, saved.revision or len(past.revisions), len(items), 0, 0)

    def _save(self, db: Connection, user: User, *, force: bool) -> Saved:
        if self.here:
            return Saved(stored_suites.find_suite(db, self.suite.name).id, None, 0, 0, 0)
        saved = save_suite(db, merge(db, self.suite, force=force), user, self.comment)
        stored_suites.set_imported(db, saved.suite_id, _hashes(self.suite))
        stored_suites.set_suite_files(db, saved.suite_id, self.files)
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
    # What was added here is in no file yet.
    items += [
        mine for name, (_, mine, removed) in here.items() if not removed and name not in {*imported, *suite.positions}
    ]
    if both and not force:
        raise BadOption(
            f"{len(both)} items were changed both in the file and in the workbench ({', '.join(both[:5])}"
            f"{', …' if len(both) > 5 else ''}); export the suite and merge by hand, or take the file's with --force"
        )
    return replace(suite, items=tuple(items))


_LATER: Mapping[str, object] = {
    **dict.fromkeys((*PROMPT_KEYS, "source_of", "langpair", "group", "renderings", "rubric"), ""),
    "independent": True,
    "labels": (),
    "tier": "entry",
}
"""Fields that items did not have when the first databases were made -> what those of then had, so to say."""


_NEVER: Final = object()


class _RuleList(tuple[Rule, ...]):
    """Rules that are written as they were before rules had scopes, where they have none; none of them is closed."""

    __slots__ = ()

    def __repr__(self) -> str:
        written = [repr(rule).removesuffix(", closed=False)").removesuffix(", scope=''") + ")" for rule in self]
        return f"({', '.join(written)}{',' if len(written) == 1 else ''})"


def item_hash(item: Item) -> str:
    """Equal for items that are equal but for judgements."""
    plain = replace(without_settled(item), place="", langpair="")
    # As `repr` writes an item, but without what came later where there is none: databases hold hashes of before that.
    values = {one.name: getattr(plain, one.name) for one in fields(plain)} | {"rules": _RuleList(plain.rules)}
    parts = (f"{name}={value!r}" for name, value in values.items() if value != _LATER.get(name, _NEVER))
    return sha256(f"Item({', '.join(parts)})".encode()).hexdigest()[:16]


def rejudge(db: Connection, stored: stored_suites.StoredSuite, judge: RuleTexts = rule_texts) -> None:
    """Judge the texts whose item has other rules than they were judged with."""
    hashes = dict(zip(stored.item_ids, stored.hashes, strict=True))
    rows = (row for row in load_texts(db, stored.id) if row.item_id in hashes)
    stale = [row for row in rows if row.ruled.judged_with != hashes[row.item_id]]
    judge_again(db, stale, dict(zip(stored.item_ids, stored.suite.items, strict=True)), judge)


class _OutputWriter:
    """Writes the outputs of systems, each distinct text once."""

    def __init__(self, texts: SuiteTexts, stored: stored_suites.StoredSuite, suite: Suite, outputs: Outputs) -> None:
        self.db, self.suite_id, self.outputs = texts.db, stored.id, outputs
        here = dict(zip(stored.suite.positions, stored.item_ids, strict=True))
        self.item_ids = [here.get(item.id, 0) for item in suite.items]
        """Ids of the items of the file; 0 for those that were removed here, whose outputs are passed over."""
        owners = outputs.owners.tolist()
        codes = sorted(code for code in {*outputs.codes.ravel().tolist()} - {-1} if self.item_ids[owners[code]])
        wanted = [(suite.items[owners[code]].id, outputs.texts[code]) for code in codes]
        ids = texts.take(wanted, outputs_follow=True)
        self.texts: dict[int, tuple[int, str | None]] = {}
        """Code -> text id, and the text as written where it differs from the normalised one."""
        self.hidden: frozenset[System] = frozenset()
        """Systems that the database has and that are hidden there."""
        for code, text_id in zip(codes, ids, strict=True):
            raw = outputs.texts[code]
            self.texts[code] = (text_id, raw if raw != normalise(raw) else None)

    def sort(self, made: Collection[System], *, force: bool) -> tuple[list[int], list[int], list[int]]:
        """Columns of systems that are new (or just made), that differ from what is there, that are there already.

        What differs is taken out, with `force`.
        """
        listed = list_systems(self.db, self.suite_id, hidden=True)
        known = {found.system: found.id for found in listed if found.system not in made}
        self.hidden = frozenset(found.system for found in listed if found.hidden)
        new, changed, same = [], [], []
        for column, system in enumerate(self.outputs.systems):
            if system not in known:
                new.append(column)
            elif self._rows(known[system], column) == self._here(known[system]) and not (
                force and system in self.hidden
            ):
                same.append(column)
            else:
                changed.append(column)
        if changed and not force:
            names = ", ".join(self.outputs.systems[column].name for column in changed[:5])
            where = ", hidden" if any(self.outputs.systems[column] in self.hidden for column in changed) else ""
            raise BadOption(
                f"other outputs of {names} are in the database already{where}; replace them with --force, or name "
                "another campaign with --campaign"
            )
        for column in changed:
            remove_system(self.db, self.suite_id, known[self.outputs.systems[column]])
        return new, changed, same

    def _here(self, system_id: int) -> set[OutputRow]:
        """What the database has of a system for the items of the file; those of removed items are not in it."""
        wanted = set(self.item_ids)
        return {row for row in load_output_rows(self.db, [system_id]) if row[1] in wanted}

    def write(self, columns: Sequence[int], made: Mapping[System, int], user: User) -> int:
        """Write the outputs of these columns; returns how many."""
        if not columns:
            return 0
        rows: list[OutputRow] = []
        for column in columns:
            system = self.outputs.systems[column]
            rows += self._rows(made.get(system) or add_system(self.db, self.suite_id, system, user), column)
        add_outputs(self.db, self.suite_id, rows)
        return len(rows)

    def _rows(self, system_id: int, column: int) -> set[OutputRow]:
        codes = zip(self.item_ids, self.outputs.codes[:, column].tolist(), strict=True)
        return {(system_id, item_id, *self.texts[code]) for item_id, code in codes if code in self.texts}


def read(
    suite: str, outputs: Sequence[str], *, source: str | None = None, campaign: str = "", aliases: Path | None = None
) -> Import:
    """Read files, paired and checked as `assay evaluate` does it."""
    return read_inputs(Inputs(suite, outputs, source, campaign, aliases))


def read_inputs(inputs: Inputs) -> Import:
    """The same for inputs that a user named; outputs may be left out."""
    comment = f"import of {last_part(inputs.suite)}"
    suite, outputs = inputs.load() if inputs.outputs else (inputs.load_suite(), None)
    return Import(suite, outputs, comment, files=files_of(suite))


def files_of(suite: Suite) -> dict[str, str]:
    """The files that a suite was read from, where it is a native one; judgements are kept as what they are."""
    files = native.read_files(Path(suite.path))
    for path in files:
        if len(path) > LONGEST_PATH:
            raise BadOption(
                f"the file name {path[:40]!r}… has {len(path):,} characters; at most {LONGEST_PATH} are kept"
            )
    return files
