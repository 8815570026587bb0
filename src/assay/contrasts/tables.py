"""What contrasts found, as tables: good, bad and unknown per contrast and system.

    for table in contrast_tables(run):
        print(render_table(table))

Systems are sorted by their mean over the contrasts that rank; a line that is better than the one above it is marked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.contrasts.contrast_run import FAIR, OUT_OF_ORDER, OWN, STRICT, ContrastRun
from assay.contrasts.counts import REASONS, ContrastRow, GoodShare, out_of_order
from assay.evaluation import By
from assay.outputs import System
from assay.reports.table import DASH, Table, TableCell, TableRow, percent, row_label

_REASONS = {"no_link": "no link", "function_word": "function word", "no_class": "no class", "missing": "missing"}


def contrast_tables(run: ContrastRun, by: By = "phenomenon") -> list[Table]:
    """Good, bad and unknown in per cent; the shares with their intervals; why something is unknown, with all notes."""
    return [outcome_table(run, by), share_table(run, by), replace(unknown_table(run), notes=run.notes(by))]


def outcome_table(run: ContrastRun, by: By = "phenomenon") -> Table:
    """Per contrast and system total, bad, good and unknown in per cent, subsets side by side."""
    return _blocks(run, by, "good, bad and unknown in per cent", ("total", "Bad", "Good", "Unknown"), _outcomes)


def share_table(run: ContrastRun, by: By = "phenomenon") -> Table:
    """Good/(Good+Bad) and Good/all with sizes and 95 % intervals, and the share of the policy where it is fair."""
    columns = ["decided", OWN, "95 %", STRICT, "95 %"]
    if run.evaluation.settings.policy == "fair":
        columns += ["common", FAIR, "95 %"]
    return _blocks(run, by, "shares of good in per cent, with 95 % intervals", columns, _shares)


def unknown_table(run: ContrastRun) -> Table:
    """Why something is unknown, in per cent of all keywords."""
    (whole,) = run.averages()
    rows = []
    for label, cell in zip(run.labels, whole.cells, strict=True):
        counts = (cell.unknown, *(cell.reasons[reason] for reason in REASONS))
        shares = tuple(TableCell(percent(count / cell.total), count / cell.total) for count in counts)
        rows.append(TableRow("category", label, (_count(cell.total), *shares), 0))
    columns = ("total", "Unknown", *(_REASONS[reason] for reason in REASONS))
    return Table(f"{_name(run)}: why unknown, in per cent", "system", columns, tuple(rows), (), star="")


# Blocks: a heading for each contrast, and the systems under it


@dataclass(frozen=True, slots=True)
class _Line:
    """What a block shows of one subset: a heading, and a line for each system."""

    heading: Sequence[TableCell]
    systems: Mapping[System, Sequence[TableCell]]


_Cells = Callable[[ContrastRun, ContrastRow], _Line]


def _blocks(run: ContrastRun, by: By, title: str, columns: Sequence[str], cells: _Cells) -> Table:
    rows: list[TableRow] = []
    for group, whole in enumerate(run.rows(by)):
        lines = [_line(run, subset, whole, by, len(columns), cells) for subset in run.evaluations]
        heading = tuple(cell for line in lines for cell in line.heading)
        rows.append(TableRow("category", _block_label(whole, by), heading, group))
        for system, label in zip(run.systems, run.labels, strict=True):
            shown = tuple(cell for line in lines for cell in line.systems.get(system, _dashes(len(columns))))
            rows.append(TableRow("phenomenon", label, shown, group, indent=1))
    subsets = list(run.evaluations)
    return Table(
        title=f"{_name(run)}: {title}",
        corner="contrast",
        columns=tuple(columns) * len(subsets),
        rows=tuple(rows),
        notes=(),
        groups=tuple(subset for subset in subsets for _ in columns) if len(subsets) > 1 else (),
    )


def _line(run: ContrastRun, subset: str, whole: ContrastRow, by: By, width: int, cells: _Cells) -> _Line:
    for row in run.rows(by, subset):
        if (row.category, row.phenomenon) == (whole.category, whole.phenomenon):
            return cells(run, row)
    return _Line(_dashes(width), {})


def _block_label(row: ContrastRow, by: By) -> str:
    if row.category is None:
        return "all contrasts"
    label = row_label("phenomenon", row.category, row.phenomenon) if by == "both" else row.phenomenon
    return (label or row.category) + ("" if row.ranks else "†")


def _outcomes(run: ContrastRun, row: ContrastRow) -> _Line:
    shares = {cell.system: [count / cell.total for count in (cell.bad, cell.good, cell.unknown)] for cell in row.cells}
    marks = _marks(row, [good for _, good, _ in shares.values()])
    systems = {
        system: [
            _count(row.items),
            _percent(bad),
            _percent(good, mark),
            _percent(unknown),
        ]
        for (system, (bad, good, unknown)), mark in zip(shares.items(), marks, strict=True)
    }
    means = [sum(column) / len(shares) for column in zip(*shares.values(), strict=True)]
    return _Line([_count(row.items), *map(_percent, means)], systems)


def _shares(run: ContrastRun, row: ContrastRow) -> _Line:
    policy = run.evaluation.settings.policy
    names = ("own", "strict", "fair") if policy == "fair" else ("own", "strict")
    columns: list[list[GoodShare]] = [[getattr(cell, name) for cell in row.cells] for name in names]
    chosen = names.index(policy)
    shown: list[list[TableCell]] = [[] for _ in row.cells]
    for number, shares in enumerate(columns):
        marks = _marks(row, [share.value for share in shares])
        for line, cell, share, mark in zip(shown, row.cells, shares, marks, strict=True):
            strong = row.ranks and number == chosen and cell.counted.first_cluster
            # Good/all is of the total, which stands in the other table.
            line += [_count(share.total)] if number != 1 else []
            line += [_percent(share.value, mark, strong=strong), TableCell(interval(share))]
    heading: list[TableCell] = []
    for number, shares in enumerate(columns):
        known = [share.value for share in shares if share.value is not None]
        heading += [TableCell("")] if number != 1 else []
        heading += [_percent(sum(known) / len(known) if known else None), TableCell("")]
    return _Line(heading, {cell.system: line for cell, line in zip(row.cells, shown, strict=True)})


def _marks(row: ContrastRow, values: Sequence[float | None]) -> list[str]:
    """What stands behind a number that is higher than the one above it; nothing where nobody is ranked."""
    return [OUT_OF_ORDER if row.ranks and higher else "" for higher in out_of_order(values)]


def interval(share: GoodShare) -> str:
    """`80.1–93.0`, or a dash."""
    return DASH if share.low is None or share.high is None else f"{percent(share.low)}–{percent(share.high)}"


def _count(number: int) -> TableCell:
    return TableCell(f"{number:,}", number)


def _percent(value: float | None, mark: str = "", *, strong: bool = False) -> TableCell:
    return TableCell(percent(value) + mark, value, strong)


def _dashes(width: int) -> list[TableCell]:
    return [TableCell(DASH)] * width


def _name(run: ContrastRun) -> str:
    return f"{run.contrasts.name} ({run.contrasts.langpair})"
