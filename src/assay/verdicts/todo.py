"""The to-do file: warnings for a linguist to fill in, and back as judgements; a workbook (.xlsx) or TSV.

The linguist writes `pass` or `fail` (or `p`, `f`) into the column `verdict` and may add a `comment`; a blank
verdict stays undecided.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from assay.errors import BadFile, BadOption
from assay.files import suffix, write_bytes, writing
from assay.outputs import System
from assay.spreadsheet import LONGEST_TEXT, MOST_LINES, Sheet, SheetCell, read_sheet, sheet_records, workbook
from assay.suites import Polarity, Suite, format_of, load_suite, save_suite
from assay.text import normalise
from assay.tsv import TsvWriter, read_tsv
from assay.verdicts.judgements import Judgement
from assay.verdicts.judgements_file import write_judged
from assay.verdicts.queue import Task
from assay.verdicts.settle import settle

FIELDS = (
    "item",
    "category",
    "phenomenon",
    "source",
    "tests",
    "text",
    "reason",
    "systems",
    "left",
    "verdict",
    "comment",
)

_READ = ("item", "text", "verdict", "comment")
"""The columns that come back; whatever else is in the file is the linguist's own."""

_VERDICTS: dict[str, Polarity] = {"pass": "pass", "p": "pass", "fail": "fail", "f": "fail"}


def write_todo(tasks: Iterable[Task], path: Path) -> None:
    """Write the file to be filled in."""
    rows = [_row(task) for task in tasks]
    if suffix(path) == ".xlsx":
        write_bytes(_workbook(rows, path), path)
        return
    with writing(path) as stream:
        writer = TsvWriter(stream)
        writer.writerow(FIELDS)
        writer.writerows(rows)


def _row(task: Task) -> list[str | int]:
    item = task.item
    record = {
        "item": item.id,
        "category": item.category,
        "phenomenon": item.phenomenon,
        "source": item.source,
        "tests": item.tests,
        "text": task.text,
        "reason": task.reason,
        "systems": ", ".join(labelled(system) for system in task.systems),
        "left": "" if task.left is None else task.left,
    }
    return [record.get(name, "") for name in FIELDS]


def _workbook(rows: Sequence[Sequence[str | int]], path: Path) -> bytes:
    """A sheet with everything that the TSV file has."""
    if len(rows) > MOST_LINES:
        raise BadFile(path, f"{len(rows):,} texts, a sheet holds {MOST_LINES:,}", cure="write a .tsv file")
    lines = [[SheetCell(value, "wrapped" if isinstance(value, str) else "count") for value in row] for row in rows]
    content = workbook([Sheet("to-do", FIELDS, lines, fixed=1, filtered=True)])
    # A judgement is of the very text: what does not come back as it was must not be sent out.
    for row, (_, back) in zip(rows, sheet_records(path, content, _READ), strict=True):
        item, text = (row[FIELDS.index(name)] for name in ("item", "text"))
        if (item, text) != (back["item"], back["text"]):
            raise BadFile(
                path,
                f"item {item!r}: a cell cannot hold this text as it is (it has {LONGEST_TEXT:,} characters at most)",
                cure="write a .tsv file",
            )
    return content


def labelled(system: System) -> str:
    """A system with its campaign where it has one."""
    return f"{system.name} ({system.campaign})" if system.campaign else system.name


def read_todo(path: Path, known: Iterable[str]) -> Iterator[Judgement]:
    """The lines that were filled in; `known` are the ids of the suite's items."""
    ids = frozenset(known)
    seen: dict[tuple[str, str], int] = {}
    for line, record in read_sheet(path, _READ) if suffix(path) == ".xlsx" else read_tsv(path):
        missing = [name for name in ("item", "text", "verdict") if name not in record]
        if missing:
            raise BadFile(path, f"no column {missing[0]!r}", line=1, cure="keep the header of assay warnings")
        item, text, answer = record["item"], record["text"], record["verdict"].strip().lower()
        if not answer:
            continue
        if answer not in _VERDICTS:
            raise BadFile(
                path,
                f"the verdict {answer!r} is unknown",
                line=line,
                cure="write pass or fail, or leave it blank",
            )
        if item not in ids:
            raise BadFile(
                path,
                f"no item {item!r} in the suite",
                line=line,
                cure="check that suite and file belong together",
            )
        # Texts that differ only in spaces are one text to the rules, and must not get two verdicts.
        key = (item, normalise(text))
        if key in seen:
            raise BadFile(path, f"this text of item {item!r} was judged in line {seen[key]} too", line=line)
        seen[key] = line
        yield Judgement(item, text, _VERDICTS[answer], comment=record.get("comment", "").strip())


def judge_todo(suite_path: str, todo: Path, target: Path, *, by: str, lossy: bool, force: bool) -> tuple[int, int]:
    """Read a filled-in to-do file and write the suite, with its judgements as exact rules, to `target`.

    Returns how many there were, and how many of them replaced a contrary rule.
    """
    suite = load_suite(suite_path)
    today = date.today().isoformat()
    answers = [replace(answer, by=by, on=today) for answer in read_todo(todo, suite.positions)]
    if not answers:
        raise BadOption(f"{todo}: no line has a verdict; fill in pass or fail and try again")
    # A native suite keeps its hand-written files: judgements go beside them. Other formats are written anew.
    source = Path(suite.path)
    if format_of(source) == "native" and format_of(target) == "native":
        folder = source if source.is_dir() else source.parent
        return len(answers), write_judged(suite, folder, target, answers, force=force)
    settled = settle(suite, answers)
    # Otherwise names and dates would count as losses, and --lossy be needed for every to-do file.
    judged = settled.suite if format_of(target) == "native" else _anonymous(settled.suite)
    save_suite(judged, target, lossy=lossy, force=force)
    return settled.added, settled.replaced


def _anonymous(suite: Suite) -> Suite:
    """Judgements as the DFKI format knows them: plain tokens, without who and when."""
    items = tuple(
        replace(item, rules=tuple(replace(rule, note="", by="", on="") for rule in item.rules)) for item in suite.items
    )
    return replace(suite, items=items)
