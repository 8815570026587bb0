"""The to-do file: warnings for a linguist to fill in, and back as judgements.

It is written as a workbook (.xlsx) or TSV, and read however a spreadsheet saved it (`todo_table`); or as a campaign of
Pearmut (.json, `pearmut`).

The linguist writes `pass` or `fail` (or `p`, `f`) into the column `verdict` and may add a `comment`; a blank
verdict stays undecided. A file with the next texts of a draw names it in the column `draw`; there `skip` (or `s`) says
that somebody looked at a text and could not judge it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from assay.errors import BadFile, BadOption
from assay.files import exists, suffix, write_bytes, writing
from assay.outputs import System
from assay.spreadsheet import LONGEST_TEXT, MOST_LINES, Sheet, SheetCell, sheet_records, workbook
from assay.suites import Polarity, Suite, format_of, load_suite, save_suite
from assay.suites.prompts import PROMPT_KEYS
from assay.text import normalise, plural
from assay.tsv import TsvWriter
from assay.verdicts import pearmut
from assay.verdicts.draw import Draw, DrawnText, draw_file, draw_place, first_waiting, read_draw, skip, write_draw
from assay.verdicts.judgements import Judgement
from assay.verdicts.judgements_file import write_judged
from assay.verdicts.queue import Task
from assay.verdicts.settle import settle
from assay.verdicts.todo_table import READ, SHEET, TodoRow, todo_rows

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
"""For a judge who must not know who wrote a text. Where items have them, prompt, context and rubric stand behind the
source."""

_VERDICTS: dict[str, Polarity] = {"pass": "pass", "p": "pass", "fail": "fail", "f": "fail"}
_SKIPS = ("skip", "s")


def write_todo(
    tasks: Iterable[Task], path: Path, *, blind: bool = False, annotators: Sequence[str] = (), draw: str = ""
) -> None:
    """Write the file to be filled in; `blind` leaves out who wrote the texts, which a campaign of Pearmut always does.

    `annotators` share the texts of such a campaign. `draw` is the name of the draw whose next texts these are.
    """
    tasks = list(tasks)
    if suffix(path) == ".json":
        pearmut.write_campaign(tasks, path, annotators)
        return
    told = [name for name in (*PROMPT_KEYS, "rubric") if any(getattr(task.item, name) for task in tasks)]
    known = BLIND_FIELDS if blind else FIELDS
    behind = known.index("source") + 1
    fields = (*known[:behind], *told, *known[behind:], *(["draw"] if draw else []))
    rows = [_row(task, fields, draw) for task in tasks]
    if suffix(path) == ".xlsx":
        write_bytes(_workbook(fields, rows, path), path)
        return
    with writing(path) as stream:
        writer = TsvWriter(stream)
        writer.writerow(fields)
        writer.writerows(rows)


def _row(task: Task, fields: Sequence[str], draw: str) -> list[str | int]:
    item = task.item
    record = {
        "item": item.id,
        "category": item.category,
        "phenomenon": item.phenomenon,
        "source": item.source,
        "prompt": item.prompt,
        "context": item.context,
        "rubric": item.rubric,
        "tests": item.tests,
        "text": task.text,
        "reason": task.reason,
        "systems": ", ".join(labelled(system) for system in task.systems),
        "left": "" if task.left is None else task.left,
        "draw": draw,
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


@dataclass(frozen=True, slots=True)
class FilledTodo:
    """What a to-do file says. `draw` names the draw that its texts are of, where there is one."""

    judgements: tuple[Judgement, ...]
    draw: str = ""
    skipped: tuple[tuple[str, str], ...] = ()
    """(item, normalised text) of those that somebody could not judge."""
    lines: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """The same of all that was filled in -> its line in the file."""
    disputed: tuple[tuple[str, str], ...] = ()
    """Texts on which the authors of the file disagree."""


def read_todo(path: Path, known: Iterable[str]) -> FilledTodo:
    """The lines that were filled in; `known` are the ids of the suite's items."""
    ids = _Ids(known)
    seen: dict[tuple[str, str], int] = {}
    judgements, skipped = [], []
    draw = ""
    for row in todo_rows(path):
        mine = row.cells.get("draw", "").strip()
        if mine and draw and mine != draw:
            raise BadFile(
                path,
                f"row {row.number}, column 'draw': texts of two draws, {draw} and {mine}",
                line=row.line,
                cure="take each file back by itself",
            )
        draw = draw or mine
        key = _answered(path, row, ids)
        if key is None:
            continue
        if key in seen:
            raise BadFile(path, f"this text of item {key[0]!r} was judged in line {seen[key]} too", line=row.line)
        seen[key] = row.line
        answer = row.cells["verdict"].strip().casefold()
        if answer in _SKIPS:
            skipped.append(key)
        else:
            comment = row.cells.get("comment", "").strip()
            judgements.append(Judgement(key[0], row.cells["text"], _VERDICTS[answer], comment=comment))
    return FilledTodo(tuple(judgements), draw, tuple(skipped), seen)


def _answered(path: Path, row: TodoRow, ids: "_Ids") -> tuple[str, str] | None:
    """Item and normalised text of a line that was filled in; None where its verdict is blank."""
    item, text = ids.find(row.cells["item"]), normalise(row.cells["text"])
    answer = row.cells["verdict"].strip()
    # Blank cells at the end of a line may be left out; what begins with no item is the rest of a broken line.
    if not answer and not (row.is_short and item is None):
        return None
    if row.is_short and item is None:
        raise BadFile(
            path,
            f"a short line that begins with no item ({row.cells['item']!r})",
            line=row.line,
            cure="a text with a newline must be in quotes",
        )
    is_drawn = bool(row.cells.get("draw", "").strip())
    if answer.casefold() not in (*_VERDICTS, *(_SKIPS if is_drawn else ())):
        raise BadFile(
            path,
            f"row {row.number}, column 'verdict': {answer!r} is no verdict",
            line=row.line,
            cure=f"write pass or fail (or p, f){', or skip' if is_drawn else ''}, or leave it blank",
        )
    if item is None:
        raise BadFile(
            path,
            f"no item {row.cells['item']!r} in the suite",
            line=row.line,
            cure="check that suite and file belong together",
        )
    # Texts that differ only in spaces are one text to the rules, and must not get two verdicts.
    if not text:
        raise BadFile(
            path, f"row {row.number}: a verdict without a text", line=row.line, cure="leave texts as they were"
        )
    return item, text


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
    """How many judgements there were, how many of them replaced a contrary rule, and the texts left open by dispute.

    Of a draw: how many were skipped, and how many carry weight, since all that comes before them is judged. The draw
    goes on at `waiting`.
    """

    added: int
    replaced: int
    disputed: tuple[tuple[str, str], ...] = ()
    skipped: int = 0
    weighty: int | None = None
    waiting: DrawnText | None = None


def judge_todo(
    suite_path: str,
    todo: Path,
    target: Path,
    *,
    by: str,
    user: str,
    lossy: bool,
    force: bool,
    draw: Path | None = None,
) -> JudgedTodo:
    """Read a filled-in to-do file and write the suite, with its judgements as exact rules, to `target`.

    Judgements are `by` somebody; where that is empty, by those whom the file names, or else by the `user`. Where the
    file has texts of a draw, that is the one in `draw`, by default the suite's, and goes along to the target.
    """
    suite = load_suite(suite_path)
    today = date.today().isoformat()
    found = _read(todo, suite, by)
    drawn = _draw_of(found, todo, draw, draw_place(suite_path))
    answers = [replace(answer, by=by or answer.by or user, on=answer.on or today) for answer in found.judgements]
    if not answers and not found.skipped:
        why = f"; people disagree on {plural(len(found.disputed), 'text')}" if found.disputed else ""
        raise BadOption(f"{todo}: no line has a verdict{why}; fill in pass or fail and try again")
    judged = _write(suite, answers, target, lossy=lossy, force=force)
    if drawn is None:
        return replace(judged, disputed=found.disputed)
    drawn = skip(drawn, found.skipped)
    # A file that was named is the one that the user goes on with.
    for place in dict.fromkeys((draw_file(target), draw or draw_file(target))):
        write_draw(drawn, place)
    waiting = first_waiting(drawn, load_suite(target))
    order = {(text.item, text.text): number for number, text in enumerate(drawn.texts)}
    end = order[waiting.item, waiting.text] if waiting else len(order)
    weighty = sum(order[answer.item, normalise(answer.text)] < end for answer in answers)
    return replace(judged, skipped=len(found.skipped), weighty=weighty, waiting=waiting)


def _write(suite: Suite, answers: Sequence[Judgement], target: Path, *, lossy: bool, force: bool) -> JudgedTodo:
    # A native suite keeps its hand-written files: judgements go beside them. Other formats are written anew.
    source = Path(suite.path)
    if format_of(source) == "native" and format_of(target) == "native":
        folder = source if source.is_dir() else source.parent
        return JudgedTodo(len(answers), write_judged(suite, folder, target, answers, force=force))
    settled = settle(suite, answers)
    # Otherwise names and dates would count as losses, and --lossy be needed for every to-do file.
    judged = settled.suite if format_of(target) == "native" else _anonymous(settled.suite)
    save_suite(judged, target, lossy=lossy, force=force)
    return JudgedTodo(settled.added, settled.replaced)


def _read(todo: Path, suite: Suite, by: str) -> FilledTodo:
    """What a to-do file of any kind says."""
    if suffix(todo) not in pearmut.SUFFIXES:
        return read_todo(todo, suite.positions)
    taken = pearmut.read_annotations(todo, suite.positions)
    if by and len(taken.annotators) > 1:
        raise BadOption(f"{todo}: {', '.join(taken.annotators)} judged; leave --by out, they are named in the file")
    return FilledTodo(tuple(taken.judgements), disputed=taken.disputed)


def _draw_of(found: FilledTodo, todo: Path, named: Path | None, default: Path) -> Draw | None:
    """The draw that a file's texts are of; None where they are of none."""
    if not found.draw:
        if named:
            raise BadOption(f"{todo} has no column 'draw': its texts are of no draw; leave --draw out")
        return None
    place = named or default
    if not exists(place):
        raise BadFile(place, f"there is no draw, and {todo} has texts of {found.draw}", cure="name it with --draw")
    draw = read_draw(place)
    if draw.name != found.draw:
        raise BadFile(todo, f"texts of draw {found.draw}, not of {place} ({draw.name})", cure="name theirs with --draw")
    known = {(text.item, text.text) for text in draw.texts}
    for (item, _), line in ((key, line) for key, line in found.lines.items() if key not in known):
        problem = f"item {item!r}: this text is not in the draw {place}"
        raise BadFile(todo, problem, line=line, cure="leave items and texts as they were")
    return draw


def _anonymous(suite: Suite) -> Suite:
    """Judgements as the DFKI format knows them: plain tokens, without who and when."""
    items = tuple(
        replace(item, rules=tuple(replace(rule, note="", by="", on="") for rule in item.rules)) for item in suite.items
    )
    return replace(suite, items=items)
