"""What contrasts found, as tables: good, bad and unknown per contrast and system.

    for table in contrast_tables(run):
        print(render_table(table))

Systems are sorted by their mean over the contrasts that rank; a line that is better than the one above it is marked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.contrasts.annotations import AnnotationEffort
from assay.contrasts.counts import (
    REASONS,
    SMALL,
    ContrastCell,
    ContrastRow,
    GoodShare,
    by_mean,
    contrast_rows,
    mean_rows,
    means,
    out_of_order,
)
from assay.contrasts.records import Contrasts
from assay.evaluation import By, Evaluation
from assay.outputs import System
from assay.reports.table import DASH, Table, TableCell, TableRow, percent, row_label

ALL = "all"
"""The name of what is not a subset."""

SMALL_POOL = 2000
"""Pairs; from fewer eflomal learns little."""

OUT_OF_ORDER = "↑"

OWN, STRICT, FAIR = "Good / (Good+Bad)", "Good / all", "Good, fair"

_REASONS = {"no_link": "no link", "function_word": "function word", "no_class": "no class", "missing": "missing"}


@dataclass(frozen=True)
class ContrastRun:
    """What a run found: an evaluation for each named subset, then that of all keywords.

    `tools` are the signatures of parsers and aligner; `absent` counts the items of a subset that are not tested.
    """

    evaluations: Mapping[str, Evaluation]
    contrasts: Contrasts
    expectation: str
    tools: Mapping[str, str]
    effort: AnnotationEffort
    absent: Mapping[str, int] = field(default_factory=dict)

    @property
    def evaluation(self) -> Evaluation:
        """That of all keywords."""
        return self.evaluations[ALL]

    @property
    def systems(self) -> list[System]:
        """All systems, the highest mean first."""
        return [self.evaluation.systems[place] for place in by_mean(self.evaluation)]

    @property
    def labels(self) -> list[str]:
        """Names of the systems in that order."""
        return [self.evaluation.columns[place] for place in by_mean(self.evaluation)]

    @property
    def signature(self) -> str:
        """Everything that a number of this run depends on, apart from the outputs."""
        return self.signature_of(ALL)

    def signature_of(self, subset: str) -> str:
        """The same for a subset."""
        tools = (f"{name.replace(' ', '-')}:{value.replace('|', ',')}" for name, value in self.tools.items())
        return "|".join((self.evaluations[subset].signature, *tools))

    def rows(self, subset: str = ALL, by: By = "phenomenon") -> list[ContrastRow]:
        """The rows of a subset, systems sorted by their mean over all keywords; a system may be missing there."""
        order = {system: place for place, system in enumerate(self.systems)}
        return [
            replace(row, cells=tuple(sorted(row.cells, key=lambda cell: order[cell.system])))
            for row in contrast_rows(self.evaluations[subset], by)
        ]


def contrast_tables(run: ContrastRun, by: By = "phenomenon") -> list[Table]:
    """Good, bad and unknown in per cent; the shares with their intervals; why something is unknown, with all notes."""
    return [outcome_table(run, by), share_table(run, by), replace(unknown_table(run), notes=tuple(notes(run)))]


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
    whole = run.rows()[-1]
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
    for group, whole in enumerate(run.rows(by=by)):
        lines = [_line(run, subset, whole, by, len(columns), cells) for subset in run.evaluations]
        heading = tuple(cell for line in lines for cell in line.heading)
        rows.append(TableRow("category", _block_label(whole, by), heading, group))
        for system, label in zip(run.systems, run.labels, strict=True):
            shown = tuple(cell for line in lines for cell in line.systems.get(system, _dashes(len(columns))))
            rows.append(TableRow("phenomenon", f"  {label}", shown, group))
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
    for row in run.rows(subset, by):
        if (row.category, row.phenomenon) == (whole.category, whole.phenomenon):
            return cells(run, row)
    return _Line(_dashes(width), {})


def _block_label(row: ContrastRow, by: By) -> str:
    if row.category is None:
        return "all contrasts"
    label = row_label("", row.category, row.phenomenon, indent=False) if by == "both" else row.phenomenon
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
    columns = [[cell.own for cell in row.cells], [cell.strict for cell in row.cells]]
    if policy == "fair":
        columns.append([fair_share(cell) for cell in row.cells])
    chosen = ("own", "strict", "fair").index(policy)
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


def fair_share(cell: ContrastCell) -> GoodShare:
    """The share under the evaluation's own policy."""
    counted = cell.counted
    return GoodShare(counted.correct or 0, counted.total or 0, counted.accuracy, counted.low, counted.high)


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


# Notes


_EXPECTATIONS = {
    "source": "the source rules of the contrasts",
    "reference": "the class that the reference {name} chose, so that {name} itself is good almost by construction",
    "gold": "the class of the gold trees {name}",
}


def notes(run: ContrastRun) -> Iterator[str]:
    """What the reader must know."""
    settings, kind, name = run.evaluation.settings, *run.expectation.partition(":")[::2]
    yield f"What is good is said by {_EXPECTATIONS[kind].format(name=name)} (expectation {run.expectation})."
    yield (
        "Good, bad: the aligned word has a good, or a bad class. Unknown: there is no link, there are only links to "
        "function words, or no class fits; or there is no translation."
    )
    yield (
        f"{OWN} leaves the unknown out; {STRICT}, which is Good in the first table, counts them as not good. Intervals "
        "are Wilson's, at 95 %. The line of a contrast has the means over its systems."
    )
    yield from _order_notes(run)
    if any(not row.ranks for row in run.rows() if row.phenomenon):
        yield f"†: some system has fewer than {SMALL} decided keywords; sizes and intervals only, nobody is ranked."
    if any(row.ranks for row in run.rows() if row.phenomenon):
        yield f"{OUT_OF_ORDER}: higher than the line above it, against the order of the means."
        yield (
            f"Bold or *: first cluster by policy {settings.policy}, not significantly worse than the best "
            f"({settings.test}, one-tailed, alpha {settings.alpha:g}, correction {settings.correction})."
        )
    yield from _data_notes(run)
    yield from (f"Signature of the {tool}: {signature}" for tool, signature in run.tools.items())
    yield from (
        f"Signature of the subset {subset}: {run.signature_of(subset)}" for subset in run.evaluations if subset != ALL
    )
    yield f"Signature: {run.signature}"


def _order_notes(run: ContrastRun) -> Iterator[str]:
    """What systems are sorted by."""
    rows = mean_rows(run.evaluation)
    measure = {"own": OWN, "strict": STRICT, "fair": FAIR}[run.evaluation.settings.policy]
    names = ", ".join(str(row.phenomenon) for row in rows.used)
    small = "" if all(row.ranks for row in rows.used) else " (too small to rank anybody)"
    listed = ", ".join(f"{label} {percent(value)}" for label, value in zip(run.labels, mean_order(run), strict=True))
    if rows.used:
        yield f"Systems are sorted by their mean {measure} over {names}{small}: {listed}."
    else:
        yield "Systems are sorted by name: no contrast has a decided keyword of every system."
    if rows.dropped:
        left = ", ".join(str(row.phenomenon) for row in rows.dropped)
        yield f"Not in that mean, because some system has no decided keyword there: {left}."


def mean_order(run: ContrastRun) -> list[float | None]:
    """The mean that systems are sorted by, in their order."""
    found = means(run.evaluation)
    return [found[place] for place in by_mean(run.evaluation)]


def _data_notes(run: ContrastRun) -> Iterator[str]:
    for left in run.evaluation.excluded:
        yield f"Left out: {left.system.name}, {left.reason}."
    for subset, number in run.absent.items():
        if number:
            yield f"{number:,} of the subset {subset} are not tested here: nobody says what is expected of them."
    yield effort_note(run.effort)
    aligner = run.tools.get("aligner", "")
    if aligner.startswith("eflomal|") and "|priors:none" in aligner and run.effort.pairs_distinct < SMALL_POOL:
        yield (
            f"eflomal learnt from {run.effort.pairs_distinct:,} pairs only; with fewer than about {SMALL_POOL:,} its "
            "links are poor. Test more systems together, or start from what a larger pool taught it (--learn, then "
            "--aligner eflomal:priors=FILE)."
        )


def effort_note(effort: AnnotationEffort) -> str:
    """What was parsed and aligned, and what was known already."""
    return (
        f"{effort.needed:,} of {effort.sentences:,} sentences ({percent(effort.share_needed)} %) have a construction; "
        f"only their translations are parsed. Parsed now: {effort.source_parsed:,} of {effort.source_distinct:,} "
        f"distinct sentences of the source and {effort.target_parsed:,} of {effort.target_distinct:,} distinct "
        f"translations; aligned now: {effort.pairs_aligned:,} of {effort.pairs_distinct:,} distinct pairs; "
        "the rest was known."
    )
