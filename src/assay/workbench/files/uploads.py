"""Use cases: suites and outputs that come from a browser, read and checked as from the command line.

    report = upload_outputs(visit, [Upload("a.txt", stream)], campaign="WMT21")
    report.imported.systems

Files are put into a folder of their own, which is gone afterwards, and unpacked, read and judged in another process
(`sent_files`), which is killed where it takes too much memory or time. Nothing is written to the database unless
everything is right.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Final

from assay.suites import Item
from assay.workbench.db.revisions import without_settled
from assay.workbench.db.ruled import Ruled, Rulings, rule_texts, rules_hash
from assay.workbench.db.suites import suite_names
from assay.workbench.files.archives import LIMITS, Upload, UploadLimits, safe_name
from assay.workbench.files.importer import Import, Imported
from assay.workbench.files.inventory import SystemEntry, entered
from assay.workbench.files.sent_files import SentFiles, read_sent
from assay.workbench.snapshot import Snapshots
from assay.workbench.state import State
from assay.workbench.visit import Visit

LOCKED_SECONDS: Final = 5.0
"""How long judging may take while nobody else can write."""


@dataclass(frozen=True, slots=True)
class UploadReport:
    """What an upload did; `unused` are files that nothing referred to."""

    imported: Imported
    paired: Sequence[SystemEntry]
    unused: Sequence[str]


def upload_suite(
    visit: Visit, uploads: Sequence[Upload], *, force: bool = False, limits: UploadLimits = LIMITS
) -> UploadReport:
    """A suite: a zipped native folder or its files, one file that `load_suite` reads, or a zipped export."""
    visit.user().need("admin")
    with _put_down(uploads) as folder:
        sent = SentFiles(folder, _names(uploads), _comment(uploads), limits=limits)
        return _take(visit, sent, force=force)


def upload_outputs(
    visit: Visit,
    uploads: Sequence[Upload],
    *,
    source: Upload | None = None,
    campaign: str = "",
    force: bool = False,
    limits: UploadLimits = LIMITS,
) -> UploadReport:
    """Outputs for the suite of the visit: files of systems, or campaign files with what they name."""
    visit.user().need("admin")
    suite = visit.state.snapshots.get(visit.suite()).stored.suite
    everything = [*uploads, *([source] if source else [])]
    with _put_down(everything) as folder:
        sent = SentFiles(
            folder, _names(everything), _comment(uploads), suite, campaign.strip(), source is not None, limits
        )
        return _take(visit, sent, force=force)


def _take(visit: Visit, sent: SentFiles, *, force: bool) -> UploadReport:
    sandbox, state = visit.state.uploads, visit.state

    def judge(wanted: Sequence[tuple[Item, str]]) -> list[Ruled]:
        return sandbox.run(rule_texts, wanted, seconds=LOCKED_SECONDS, departure=visit.departure)

    read = sandbox.run(read_sent, sent, departure=visit.departure)
    again = _texts_with_other_rules(state, read.ready)
    ruled = sandbox.run(rule_texts, again, departure=visit.departure) if again else []
    known = {(found.judged_with, text): found for (_, text), found in zip(again, ruled, strict=True)}
    # Left to be judged within the transaction, while nobody else can write, is what came to the database meanwhile.
    imported = read.ready.run(state.store, visit.user(), force=force, judge=Rulings({**read.ruled, **known}, judge))
    return UploadReport(imported, _paired(state.snapshots, imported), read.unused)


def _texts_with_other_rules(state: State, ready: Import) -> list[tuple[Item, str]]:
    """The texts that the database has of items to which a suite brings other rules, with these items."""
    with state.store.reading() as db:
        if ready.here or ready.suite.name not in suite_names(db):
            return []
        snapshot = state.snapshots.get(ready.suite.name, db)
    new = {item.id: without_settled(item) for item in ready.suite.items}
    return [
        (new[item.id], text.value)
        for place, item in enumerate(snapshot.items)
        if item.id in new and rules_hash(new[item.id]) != rules_hash(item)
        for text in snapshot.texts_at(place)
    ]


def _paired(snapshots: Snapshots, imported: Imported) -> list[SystemEntry]:
    """The systems of an upload, as they stand in the database now."""
    sent = {*imported.systems, *imported.replaced, *imported.unchanged}
    return [entry for entry in entered(snapshots.get(imported.suite)) if entry.system in sent] if sent else []


@contextmanager
def _put_down(uploads: Sequence[Upload]) -> Iterator[str]:
    """A folder with the files as they were sent, called 0, 1, …"""
    with TemporaryDirectory(prefix="assay-upload-") as folder:
        for number, upload in enumerate(uploads):
            with (Path(folder) / str(number)).open("xb") as copy:
                copyfileobj(upload.stream, copy, 1024 * 1024)
        yield folder


def _names(uploads: Sequence[Upload]) -> tuple[str, ...]:
    return tuple(upload.name for upload in uploads)


def _comment(uploads: Sequence[Upload]) -> str:
    names = [safe_name(upload.name) for upload in uploads]
    return "upload of " + ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
