"""Use cases: Effort, Agreement and History as tables for a spreadsheet.

people_table(reader).content        # what each person did
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, fields
from io import StringIO
from typing import Final

from assay.text import slug
from assay.tsv import TsvWriter
from assay.workbench.reader import Reader
from assay.workbench.results.downloads import MEDIA, DownloadFile
from assay.workbench.work.agreement import agreement
from assay.workbench.work.effort import Work, effort
from assay.workbench.work.history import HistoryEntry, every_entry

Row = Sequence[object]


def people_table(reader: Reader) -> DownloadFile:
    """What each person did."""
    head = [field.name for field in fields(Work)]
    return _file(reader, "effort-people", head, (astuple(work) for work in effort(reader).people))


def warnings_table(reader: Reader) -> DownloadFile:
    """Warnings of each system, at first and now; those that did not translate the suite have none."""
    head = ("campaign", "system", "items", "warnings_first", "warnings_now", "fair_first", "fair_now")
    rows = [
        (gain.name, warned.system.name, warned.items, warned.first, warned.now, gain.first, gain.now)
        for gain in effort(reader).campaigns
        for warned in gain.systems
    ]
    return _file(reader, "effort-warnings", head, rows)


def agreement_table(reader: Reader) -> DownloadFile:
    """All together, then each pair; by category, the first row of each is that of all."""
    found = agreement(reader)
    head = ("first", "second", "category", "texts", "raw", "cohen", "fleiss", "alpha", "acceptability_alpha", "differ")
    rows: list[Row] = [
        (
            "",
            "",
            row.category,
            together.units,
            together.raw,
            None,
            together.fleiss,
            together.alpha,
            row.acceptability,
            None,
        )
        for row in found.rows
        for together in (row.overall,)
    ]
    rows += [
        (
            couple.first,
            couple.second,
            row.category,
            row.pair.units,
            row.pair.raw,
            row.pair.kappa,
            *[None] * 3,
            row.differ,
        )
        for couple in found.couples
        for row in couple.rows
    ]
    return _file(reader, "agreement", head, rows)


def history_table(reader: Reader, *, by: str = "", kind: str = "") -> DownloadFile:
    """Everything that was done, the newest first; of one person, or of one kind."""
    head = ("created", "by", "kind", "verdict", "item", "text", "comment", "blind", "seen", "taken_back")
    rows = (_history_row(entry) for entry in every_entry(reader, by=by, kind=kind))
    return _file(reader, "history", head, rows)


def _history_row(entry: HistoryEntry) -> Row:
    deed = entry.deed
    about = (deed.created, deed.by, deed.kind)
    if entry.judged:
        event = entry.judged.event
        undone = entry.undone.event.verdict if entry.undone else None
        said = (event.verdict or undone, entry.judged.item, entry.judged.text, event.comment)
        return (
            *about,
            *said,
            "yes" if event.blind else "no",
            ", ".join(event.seen),
            "yes" if entry.judged.undone else "",
        )
    if entry.edited:
        items = ", ".join(entry.edited.items) + (" …" if entry.edited.changed > len(entry.edited.items) else "")
        return (*about, None, items, None, f"revision {entry.edited.number}: {entry.edited.comment}", *[None] * 3)
    if entry.brought:
        return (*about, None, None, None, f"{entry.brought.campaign}: {', '.join(entry.brought.systems)}", *[None] * 3)
    if entry.drawn:
        return (*about, None, None, None, f"{entry.drawn.texts} texts drawn, seed {entry.drawn.seed}", *[None] * 3)
    assert entry.hidden
    names = ", ".join(f"{system.name} ({system.campaign})" for system in entry.hidden.systems) or "the suite"
    verb = "hidden" if entry.hidden.hidden else "brought back"
    return (*about, None, None, None, f"{verb}: {names}", *[None] * 3)


def _file(reader: Reader, what: str, head: Sequence[str], rows: Iterable[Row]) -> DownloadFile:
    stream = StringIO(newline="")
    writer = TsvWriter(stream)
    writer.writerow(head)
    for row in rows:
        writer.writerow(["" if cell is None else str(cell) for cell in row])
    name = f"{slug(reader.snapshot.stored.suite.name)[:60]}-{what}.tsv"
    reader.handed_out.append(name)
    return DownloadFile(name, MEDIA[".tsv"], stream.getvalue().encode("utf-8", "replace"))


TABLES: Final[dict[str, Callable[[Reader], DownloadFile]]] = {
    "effort-people.tsv": people_table,
    "effort-warnings.tsv": warnings_table,
    "agreement.tsv": agreement_table,
}
"""End of its address -> who makes it; the history has choices of its own."""
