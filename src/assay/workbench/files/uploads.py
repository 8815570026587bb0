"""Use cases: suites and outputs that come from a browser, read and checked as from the command line.

    report = upload_outputs(visit, [Upload("a.txt", stream)], campaign="WMT21")
    report.imported.systems
    shown, key = show_upload(visit, read_outputs(visit, …), force=False)     # and then, perhaps
    save_upload(visit, key)

Files are put into a folder of their own, which is gone afterwards, and unpacked, read and judged in another process
(`sent_files`), which is killed where it takes too much memory or time. Nothing is written to the database unless
everything is right.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from assay.suites import Item
from assay.workbench.db.revisions import without_settled
from assay.workbench.db.ruled import Ruled, Rulings, rule_texts, rules_hash
from assay.workbench.db.suites import suite_names
from assay.workbench.files.archives import Upload, UploadLimits, safe_name
from assay.workbench.files.importer import Import, Imported
from assay.workbench.files.inventory import SystemEntry, entered
from assay.workbench.files.put_down import names_of, put_down
from assay.workbench.files.sent_files import ReadFiles, SentFiles, read_sent
from assay.workbench.files.upload_preview import UploadPreview, preview_upload
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
    visit: Visit, uploads: Sequence[Upload], *, force: bool = False, limits: UploadLimits | None = None
) -> UploadReport:
    """A suite: a zipped native folder or its files, one file that `load_suite` reads, or a zipped export."""
    return _save(visit, read_suite(visit, uploads, limits=limits), force=force)


def upload_outputs(
    visit: Visit,
    uploads: Sequence[Upload],
    *,
    source: Upload | None = None,
    campaign: str = "",
    force: bool = False,
    limits: UploadLimits | None = None,
) -> UploadReport:
    """Outputs for the suite of the visit: files of systems, or campaign files with what they name."""
    read = read_outputs(visit, uploads, source=source, campaign=campaign, limits=limits)
    return _save(visit, read, force=force)


# In two steps


def show_upload(visit: Visit, read: ReadFiles, *, force: bool) -> tuple[UploadPreview, str]:
    """What files would do that were read; with the key under which they can be saved."""
    user = visit.user()
    shown = preview_upload(visit.state, user, read, force=force, judge=_judge(visit, read))
    return shown, visit.state.pending.put(user, read, force=force)


def preview(visit: Visit, read: ReadFiles, *, force: bool) -> UploadPreview:
    """The same, and the files are not kept."""
    return preview_upload(visit.state, visit.user(), read, force=force, judge=_judge(visit, read))


def save_upload(visit: Visit, key: str) -> UploadReport:
    """Save what was shown. What others did meanwhile is taken into account: it may be refused now."""
    visit.user().need("admin")
    found = visit.state.pending.take(visit.user(), key)
    return _save(visit, found.read, force=found.force)


def read_suite(visit: Visit, uploads: Sequence[Upload], *, limits: UploadLimits | None = None) -> ReadFiles:
    """Files of a suite, read, paired and judged in another process."""
    visit.user().need("admin")
    with put_down(uploads) as folder:
        return _read(visit, SentFiles(folder, names_of(uploads), _comment(uploads), limits=_within(visit, limits)))


def read_outputs(
    visit: Visit,
    uploads: Sequence[Upload],
    *,
    source: Upload | None = None,
    campaign: str = "",
    limits: UploadLimits | None = None,
) -> ReadFiles:
    """Files of outputs for the suite of the visit, likewise."""
    visit.user().need("admin")
    suite = visit.state.snapshots.get(visit.suite()).stored.suite
    everything = [*uploads, *([source] if source else [])]
    about = names_of(everything), _comment(uploads), suite, campaign.strip(), source is not None
    with put_down(everything) as folder:
        return _read(visit, SentFiles(folder, *about, _within(visit, limits)))


def _within(visit: Visit, limits: UploadLimits | None) -> UploadLimits:
    """Unpacked, files may be as large as an upload: whoever allows 200 MB does not expect a gigabyte on the disk."""
    return limits or UploadLimits(size=visit.state.max_upload)


def _read(visit: Visit, sent: SentFiles) -> ReadFiles:
    """What was sent, with the verdicts that other rules of a suite would bring to texts that are there."""
    sandbox = visit.state.uploads
    read = sandbox.run(read_sent, sent, departure=visit.departure)
    again = _texts_with_other_rules(visit.state, read.ready)
    ruled = sandbox.run(rule_texts, again, departure=visit.departure) if again else []
    known = {(found.judged_with, text): found for (_, text), found in zip(again, ruled, strict=True)}
    return replace(read, ruled={**read.ruled, **known})


def _judge(visit: Visit, read: ReadFiles) -> Rulings:
    """Left to be judged within a transaction, while nobody else can write, is what came to the database meanwhile."""

    def judge(wanted: Sequence[tuple[Item, str]]) -> list[Ruled]:
        return visit.state.uploads.run(rule_texts, wanted, seconds=LOCKED_SECONDS, departure=visit.departure)

    return Rulings(read.ruled, judge)


def _save(visit: Visit, read: ReadFiles, *, force: bool) -> UploadReport:
    state = visit.state
    imported = read.ready.run(state.store, visit.user(), force=force, judge=_judge(visit, read))
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


def _comment(uploads: Sequence[Upload]) -> str:
    names = [safe_name(upload.name) for upload in uploads]
    return "upload of " + ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
