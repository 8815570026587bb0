"""The gate of a continuous integration: whether a new system may take the place of an old one, and why not.

    gate = regression_gate(comparison)
    print(gate.sentence)
    sys.exit(0 if gate.passed else 1)

A test of rows alone lets broken systems through: an output that is missing, refused or a copy of the source is mostly a
warning to the rules, and warnings do not count. So these are looked for first, then what became undecided, then losses.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.errors import BadOption, UnknownName
from assay.evaluation.comparison import Comparison, ItemChange
from assay.evaluation.evaluation import Evaluation
from assay.evaluation.rows import Row
from assay.evaluation.unusable import KINDS
from assay.result import By
from assay.text import plural
from assay.verdicts import Verdict

MAX_UNDECIDED = 0.02
"""Share of the items that may become undecided."""


@dataclass(frozen=True, slots=True)
class GateCheck:
    """One thing that is looked at; without a reason it passed. `items` are those that the reason counts."""

    name: str
    reason: str = ""
    items: tuple[ItemChange, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.reason


@dataclass(frozen=True, slots=True)
class Gate:
    """All checks, and the sentence that says why the gate is open or shut."""

    checks: tuple[GateCheck, ...]
    context: str
    """What is true in either case: how many items were lost and gained."""

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    @property
    def sentence(self) -> str:
        failed = [check.reason for check in self.checks if not check.passed]
        return f"FAILED: {'; '.join(failed)}." if failed else f"PASSED: {self.context}."


def regression_gate(
    comparison: Comparison, by: By = "category", *, max_undecided: float = MAX_UNDECIDED, must_pass: Sequence[str] = ()
) -> Gate:
    """Whether the second system may follow the first."""
    moves = comparison.moves
    items = len(comparison.evaluation.table.items)
    checks = [_unusable(kind, moves.unusable.get(kind, ())) for kind in KINDS]
    undecided = moves.undecided
    share = len(undecided) / items
    reason = ""
    if share > max_undecided:
        reason = (
            f"{plural(len(undecided), 'item')} of {items:,} passed before and are undecided now "
            f"({100 * share:.1f} %, allowed are {100 * max_undecided:g} %)"
        )
    checks.append(GateCheck("undecided", reason, tuple(undecided) if reason else ()))
    checks += [_loss(comparison), _rows(comparison, by)]
    if must_pass:
        checks.append(_must_pass(comparison, must_pass))
    context = (
        f"{len(comparison.lost)} lost and {len(comparison.gained)} gained of {items:,} items, "
        f"{len(undecided)} undecided that passed before; no row is significantly worse"
    )
    return Gate(tuple(checks), context)


_SAID = {
    "missing": "newly missing",
    "untranslated": "newly the source once more",
    "refused": "newly refused",
    "looping": "newly looping",
}


def _unusable(kind: str, found: Sequence[ItemChange]) -> GateCheck:
    reason = f"{plural(len(found), 'output')} {'is' if len(found) == 1 else 'are'} {_SAID[kind]}" if found else ""
    return GateCheck(kind, reason, tuple(found))


def _loss(comparison: Comparison) -> GateCheck:
    """A paired test on all items together; a loss that is spread thinly shows in no row."""
    lost, gained, p = len(comparison.lost), len(comparison.gained), comparison.p
    reason = ""
    if lost > gained and p < comparison.evaluation.settings.alpha:
        reason = f"{plural(lost, 'item')} lost and {gained} gained over all (p = {p:.2g}, paired, one-tailed)"
    return GateCheck("all items", reason, tuple(comparison.lost) if reason else ())


def _rows(comparison: Comparison, by: By) -> GateCheck:
    worse = comparison.worse(by)
    if not worse:
        return GateCheck("rows")
    named = ", ".join(
        f"{row.phenomenon or row.category or row.level.replace('_', ' ')} {100 * (row.difference or 0):+.1f}".replace(
            "-", "−"
        )
        for row in sorted(worse, key=lambda row: row.difference or 0)[:3]
    )
    return GateCheck("rows", f"{plural(len(worse), 'row')} significantly worse ({named})")


def _must_pass(comparison: Comparison, wanted: Iterable[str]) -> GateCheck:
    suite, table = comparison.evaluation.suite, comparison.evaluation.table
    failed = []
    for item in wanted:
        if item not in suite.positions:
            raise UnknownName("item", item, suite.positions)
        if table.finding(suite.positions[item], 1).verdict != Verdict.PASS:
            failed.append(item)
    shown = ", ".join(failed[:5]) + (", …" if len(failed) > 5 else "")
    return GateCheck("must pass", f"{plural(len(failed), 'item')} must pass and did not ({shown})" if failed else "")


# One system alone


@dataclass(frozen=True, slots=True)
class Threshold:
    """The least accuracy, in per cent, of all items (`row` empty), of every category, or of a named row."""

    least: float
    row: str = ""

    @classmethod
    def parse(cls, text: str) -> list["Threshold"]:
        """`80`, `80:category=70`, `80:False friends=60`."""
        found = []
        for number, part in enumerate(text.split(":")):
            name, equals, value = part.rpartition("=")
            if bool(equals) != bool(number):
                raise BadOption(f"--fail-under {text}: write 80, 80:category=70 or 80:NAME=60")
            try:
                least = float(value)
            except ValueError:
                raise BadOption(f"--fail-under {text}: {value!r} is no number") from None
            if not 0 <= least <= 100:
                raise BadOption(f"--fail-under {text}: {value} is no percentage")
            found.append(cls(least, name))
        return found


def threshold_gate(evaluation: Evaluation, thresholds: Sequence[Threshold]) -> Gate:
    """Whether every system reaches the thresholds; outputs that are no translations count as wrong."""
    checks = []
    for threshold in thresholds:
        reasons = [
            f"{name} has {100 * accuracy:.1f} % in {label}, less than {threshold.least:g}"
            for label, row in _wanted(evaluation, threshold.row)
            for name, accuracy in zip(evaluation.columns, _accuracies(evaluation, row), strict=True)
            if accuracy is not None and 100 * accuracy < threshold.least
        ]
        checks.append(GateCheck(threshold.row or "all items", "; ".join(reasons[:3])))
    context = ", ".join(
        f"{name} {100 * (accuracy or 0):.1f} %"
        for name, accuracy in zip(
            evaluation.columns, _accuracies(evaluation, evaluation.levels["micro"][0]), strict=True
        )
    )
    return Gate(tuple(checks), context)


def _wanted(evaluation: Evaluation, name: str) -> list[tuple[str, Row]]:
    if not name:
        return [("all items", evaluation.levels["micro"][0])]
    levels: dict[str, list[Row]] = {
        "category": evaluation.levels["category"],
        "phenomenon": evaluation.levels["phenomenon"],
    }
    named = [(row.phenomenon or row.category or "", row) for rows in levels.values() for row in rows]
    if name in levels:
        return [(label, row) for label, row in named if row.level == name and row.items]
    found = [(label, row) for label, row in named if label == name]
    if not found:
        raise UnknownName("row", name, [label for label, _ in named])
    return found[:1]


def _accuracies(evaluation: Evaluation, row: Row) -> list[float | None]:
    """Of each system: right, of what is decided or no translation at all."""
    members = evaluation.members(row)
    broken = (evaluation.unusable.codes > 0)[members]
    right = (evaluation.sample.correct[:, evaluation.order][members] & ~broken).sum(axis=0)
    total = (evaluation.sample.counted[:, evaluation.order][members] | broken).sum(axis=0)
    return [int(good) / int(all_) if all_ else None for good, all_ in zip(right, total, strict=True)]
