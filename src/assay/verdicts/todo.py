"""The to-do file: warnings for a linguist to fill in, and back as judgements.

It is written as a workbook (.xlsx) or TSV, and read however a spreadsheet saved it (`todo_table`); or as a campaign of
Pearmut (.json, `pearmut`).

The linguist writes `pass` or `fail` (or `p`, `f`) into the column `verdict` and may add a `comment`; a blank
verdict stays undecided.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from assay.errors import BadFile, BadOption
from assay.files import suffix, write_bytes, writing
from assay.outputs import System
from assay.spreadsheet import LONGEST_TEXT, MOST_LINES, Sheet, SheetCell, sheet_records, workbook
from assay.suites import Polarity, Suite, format_of, load_suite, save_suite
from assay.suites.prompts import PROMPT_KEYS
from assay.text import normalise, plural
from assay.tsv import TsvWriter
from assay.verdicts import pearmut
from assay.verdicts.judgements import Judgement
from assay.verdicts.judgements_file import write_judged
from assay.verdicts.queue import Task
from assay.verdicts.settle import settle
from assay.verdicts.todo_table import READ, SHEET, todo_rows

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

BLIND_FIELDS = tuple(name for name in FIELDS if name != "systems")
"""For a judge who must not know who wrote a text. Where items have them, prompt and context stand behind the source."""

_VERDICTS: dict[str, Polarity] = {"pass": "pass", "p": "pass", "fail": "fail", "f": "fail"}


def write_todo(tasks: Iterable[Task], path: Path, *, blind: bool = False, annotators: Sequence[str] = ()) -> None:
    """Write the file to be filled in; `blind` leaves out who wrote the texts, which a campaign of Pearmut always does.

    `annotators` share the texts of such a campaign.
    """
    tasks = list(tasks)
    if suffix(path) == ".json":
        pearmut.write_campaign(tasks, path, annotators)
        return
    told = [name for name in PROMPT_KEYS if any(getattr(task.item, name) for task in tasks)]
    known = BLIND_FIELDS if blind else FIELDS
    behind = known.index("source") + 1
    fields = (*known[:behind], *told, *known[behind:])
    rows = [_row(task, fields) for task in tasks]
    if suffix(path) == ".xlsx":
        write_bytes(_workbook(fields, rows, path), path)
        return
    with writing(path) as stream:
        writer = TsvWriter(stream)
        writer.writerow(fields)
        writer.writerows(rows)


def _row(task: Task, fields: Sequence[str]) -> list[str | int]:
    item = task.item
    record = {
        "item": item.id,
        "category": item.category,
        "phenomenon": item.phenomenon,
        "source": item.source,
        "prompt": item.prompt,
        "context": item.context,
        "tests": item.tests,
        "text": task.text,
        "reason": task.reason,
        "systems": ", ".join(labelled(system) for system in task.systems),
        "left": "" if task.left is None else task.left,
    }
    return [record.get(name, "") for name in fields]


def _workbook(fields: Sequence[str], rows: Sequence[Sequence[str | int]], path: Path) -> bytes:
    """A sheet with everything that the TSV file has."""
    if len(rows) > MOST_LINES:
        raise BadFile(path, f"{len(rows):,} texts, a sheet holds {MOST_LINES:,}", cure="write a .tsv file")
    lines = [[SheetCell(value, "wrapped" if isinstance(value, str) else "count") for value in row] for row in rows]
    content = workbook([Sheet(SHEET, fields, lines, fixed=1, filtered=True)])
    # A judgement is of the very text: what does not come back as it was must not be sent out.
    for row, (_, back) in zip(rows, sheet_records(path, content, READ), strict=True):
        item, text = (row[fields.index(name)] for name in ("item", "text"))
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
    ids = _Ids(known)
    seen: dict[tuple[str, str], int] = {}
    for row in todo_rows(path):
        item, text = ids.find(row.cells["item"]), row.cells["text"]
        answer = row.cells["verdict"].strip()
        # Blank cells at the end of a line may be left out; what begins with no item is the rest of a broken line.
        if not answer and not (row.is_short and item is None):
            continue
        if row.is_short and item is None:
            raise BadFile(
                path,
                f"a short line that begins with no item ({row.cells['item']!r})",
                line=row.line,
                cure="a text with a newline must be in quotes",
            )
        if answer.casefold() not in _VERDICTS:
            raise BadFile(
                path,
                f"row {row.number}, column 'verdict': {answer!r} is no verdict",
                line=row.line,
                cure="write pass or fail (or p, f), or leave it blank",
            )
        if item is None:
            raise BadFile(
                path,
                f"no item {row.cells['item']!r} in the suite",
                line=row.line,
                cure="check that suite and file belong together",
            )
        if not normalise(text):
            raise BadFile(
                path, f"row {row.number}: a verdict without a text", line=row.line, cure="leave texts as they were"
            )
        # Texts that differ only in spaces are one text to the rules, and must not get two verdicts.
        key = (item, normalise(text))
        if key in seen:
            raise BadFile(path, f"this text of item {item!r} was judged in line {seen[key]} too", line=row.line)
        seen[key] = row.line
        yield Judgement(item, text, _VERDICTS[answer.casefold()], comment=row.cells.get("comment", "").strip())


class _Ids:
    """The ids of a suite's items, also where a spreadsheet took them for numbers: `00551012` comes back as `551012`."""

    def __init__(self, known: Iterable[str]) -> None:
        self._ids = frozenset(known)
        self._numbers: dict[str, list[str]] = {}
        for item in self._ids:
            if item.isdecimal():
                self._numbers.setdefault(item.lstrip("0"), []).append(item)

    def find(self, cell: str) -> str | None:
        """The id that a cell stands for."""
        if cell in self._ids:
            return cell
        stripped = cell.strip()
        if stripped in self._ids:
            return stripped
        same = self._numbers.get(stripped, [])
        return same[0] if len(same) == 1 else None


@dataclass(frozen=True, slots=True)
class JudgedTodo:
    """How many judgements there were, how many of them replaced a contrary rule, and the texts left open by dispute."""

    added: int
    replaced: int
    disputed: tuple[tuple[str, str], ...] = ()


def judge_todo(
    suite_path: str, todo: Path, target: Path, *, by: str, user: str, lossy: bool, force: bool
) -> JudgedTodo:
    """Read a filled-in to-do file and write the suite, with its judgements as exact rules, to `target`.

    Judgements are `by` somebody; where that is empty, by those whom the file names, or else by the `user`.
    """
    suite = load_suite(suite_path)
    today = date.today().isoformat()
    found, disputed = _read(todo, suite, by)
    answers = [replace(answer, by=by or answer.by or user, on=answer.on or today) for answer in found]
    if not answers:
        why = f"; people disagree on {plural(len(disputed), 'text')}" if disputed else ""
        raise BadOption(f"{todo}: no line has a verdict{why}; fill in pass or fail and try again")
    # A native suite keeps its hand-written files: judgements go beside them. Other formats are written anew.
    source = Path(suite.path)
    if format_of(source) == "native" and format_of(target) == "native":
        folder = source if source.is_dir() else source.parent
        return JudgedTodo(len(answers), write_judged(suite, folder, target, answers, force=force), disputed)
    settled = settle(suite, answers)
    # Otherwise names and dates would count as losses, and --lossy be needed for every to-do file.
    judged = settled.suite if format_of(target) == "native" else _anonymous(settled.suite)
    save_suite(judged, target, lossy=lossy, force=force)
    return JudgedTodo(settled.added, settled.replaced, disputed)


def _read(todo: Path, suite: Suite, by: str) -> tuple[Sequence[Judgement], tuple[tuple[str, str], ...]]:
    """The judgements of a to-do file of any kind, and the texts on which its authors disagree."""
    if suffix(todo) not in pearmut.SUFFIXES:
        return list(read_todo(todo, suite.positions)), ()
    taken = pearmut.read_annotations(todo, suite.positions)
    if by and len(taken.annotators) > 1:
        raise BadOption(f"{todo}: {', '.join(taken.annotators)} judged; leave --by out, they are named in the file")
    return taken.judgements, taken.disputed


def _anonymous(suite: Suite) -> Suite:
    """Judgements as the DFKI format knows them: plain tokens, without who and when."""
    items = tuple(
        replace(item, rules=tuple(replace(rule, note="", by="", on="") for rule in item.rules)) for item in suite.items
    )
    return replace(suite, items=items)
