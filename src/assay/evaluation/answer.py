"""What an evaluation found, in sentences: what is wrong with the outputs, who leads and how surely, where it shows.

    answer = answer_of(evaluation)
    print(*answer.alarms, *answer.sentences, sep="\n")

People run a command to get an answer, so this stands above every table: in the terminal, in Markdown and HTML, and on
the workbench's page. What makes numbers worthless comes before them: outputs that are missing, or no translations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.evaluation.evaluation import Evaluation
from assay.evaluation.examples import OutputExample, find_examples
from assay.evaluation.rows import LEAST_NAMED, Cell, Row
from assay.evaluation.tally import AVERAGES
from assay.evaluation.unusable import UnusableOutputs
from assay.result import By
from assay.text import plural
from assay.verdicts import timed_out

if TYPE_CHECKING:
    from assay.evaluation.comparison import Comparison, ComparisonRow
    from assay.evaluation.estimate import Need

NAMED, ROWS, EXAMPLES = 5, 3, 3
"""How many systems a sentence names before it counts the rest; how many rows; how many examples are shown."""


@dataclass(frozen=True, slots=True)
class ResultAnswer:
    """`alarms` come before any number; the first of `sentences` is the answer, the others say how sure and where.

    `examples` are some of the `failures` that there are.
    """

    alarms: tuple[str, ...]
    sentences: tuple[str, ...]
    examples: tuple[OutputExample, ...]
    failures: int


def answer_of(evaluation: Evaluation, *, with_examples: bool = True) -> ResultAnswer:
    """The answer of one system, or of several."""
    one = len(evaluation.systems) == 1
    sentences = _of_one(evaluation) if one else _of_several(evaluation)
    examples: list[OutputExample] = []
    if with_examples:
        examples = _failures_of_one(evaluation) if one else _examples_apart(evaluation)
    failures = sum(summary.failed for summary in evaluation.summaries)
    return ResultAnswer(tuple(_alarms(evaluation)), tuple(sentences), tuple(examples), failures)


def _alarms(evaluation: Evaluation) -> Iterator[str]:
    for left in evaluation.excluded:
        yield f"{left.system.name} was left out: {left.reason}."
    yield from about_unusable(evaluation.unusable, evaluation.columns, len(evaluation.table.items))
    slow = timed_out(evaluation.table)
    if slow:
        yield (
            f"Rules of {plural(len(slow), 'item')} took too long and leave {plural(sum(slow.values()), 'text')} "
            f"undecided: {listed(list(slow))}."
        )


SAYS = {
    "missing": "Missing outputs",
    "untranslated": "Untranslated, the source once more",
    "refused": "Refused, no translation but an excuse",
    "looping": "Looping, the same words again and again",
}


def about_unusable(found: UnusableOutputs, names: Sequence[str], items: int) -> Iterator[str]:
    """A sentence for each kind of output that is no translation: which systems have how many."""
    for kind, counts in found.counts().items():
        most = sorted(zip(names, counts, strict=True), key=lambda entry: -entry[1])
        systems = [f"{name} {number:,}" for name, number in most if number]
        if len(names) == 1 and systems:
            yield f"{SAYS[kind]}: {counts[0]:,} of {items:,} ({percent(counts[0] / items)} %)."
        elif systems:
            yield f"{SAYS[kind]}, of {items:,}: {listed(systems)}."


# Two systems


def answer_of_comparison(comparison: "Comparison", by: By = "category") -> ResultAnswer:
    """What changed from the first to the second, and how surely."""
    evaluation, (first, second) = comparison.evaluation, comparison.names
    lost, gained, p = len(comparison.lost), len(comparison.gained), comparison.p
    changes = comparison.changes(by)
    micro = next(row for row in changes if row.level == "micro")
    of_decided = " of those decided" if evaluation.basis else ""
    counts = f"{plural(lost, 'item')} lost, {gained} gained{of_decided}, p {_p(p)}"
    if p >= evaluation.settings.alpha or not (micro.difference if evaluation.basis else lost - gained):
        said = f"{second} and {first} cannot be told apart: {counts}"
    else:
        ends = [row for row in changes if row.category is not None and row.difference]
        worse = (micro.difference or 0) < 0 if evaluation.basis else lost > gained
        furthest = (min if worse else max)(ends, key=lambda row: row.difference or 0.0, default=None)
        said = f"{second} is {'worse' if worse else 'better'} than {first}: {counts}"
        if furthest is not None:
            said += (
                f"; {'worst' if worse else 'best'} in {furthest.phenomenon or furthest.category} {_points(furthest)}"
            )
    rows = [sum(row.outcome == outcome for row in changes) for outcome in ("worse", "better")]
    sentences = [
        f"{said}.",
        f"Right: {percent(micro.first)} → {percent(micro.second)} % of {_compared(micro, evaluation)} "
        f"({_points(micro)}); {rows[0]} of {len(changes)} rows significantly worse, {rows[1]} better.",
    ]
    moves = comparison.moves
    news = [f"pass → undecided {len(moves.undecided)}"] if moves.undecided else []
    news += [f"newly {kind} {len(items)}" for kind, items in moves.unusable.items()]
    if news:
        sentences.append(f"Not among these: {', '.join(news)} of {plural(len(evaluation.table.items), 'item')}.")
    unusable = UnusableOutputs.of(evaluation.table)
    alarms = tuple(about_unusable(unusable, comparison.names, len(evaluation.table.items)))
    return ResultAnswer(alarms, tuple(sentences), (), 0)


def _compared(micro: "ComparisonRow", evaluation: Evaluation) -> str:
    """The items that two systems are compared on."""
    if not evaluation.basis:
        return f"{plural(micro.items, 'item')} decided for both"
    judged, population = evaluation.basis.judged, evaluation.basis.population
    return f"all {plural(micro.items, 'item')}, estimated from {judged:,} judgements of {population:,} undecided texts"


def _points(row: "ComparisonRow") -> str:
    return f"{100 * (row.difference or 0):+.1f} points".replace("-", "−")


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"


# One system


def _of_one(evaluation: Evaluation) -> Iterator[str]:
    name, suite, found = evaluation.columns[0], evaluation.suite, len(evaluation.table.items)
    cell, summary = evaluation.levels["micro"][0].cells[0], evaluation.summaries[0]
    if cell.accuracy is None or cell.low is None or cell.high is None:
        yield f"{name} on {suite.name}: nothing is decided; all {plural(found, 'output')} are warnings."
        return
    right = plural(found, "item") if cell.correct is None else f"{cell.correct:,} of {plural(cell.total or 0, 'item')}"
    yield (
        f"{name} on {suite.name}: {percent(cell.accuracy)} % right (95 % interval {percent(cell.low)} to "
        f"{percent(cell.high)}), {right}."
    )
    if evaluation.basis:
        yield _items(evaluation)
    undecided = summary.warnings - summary.missing
    if undecided and cell.lower_bound is not None and cell.upper_bound is not None:
        yield (
            f"Undecided: {undecided:,} of {found:,} ({percent(undecided / found)} %); between "
            f"{percent(cell.lower_bound)} and {percent(cell.upper_bound)} % are right, whatever the undecided are."
        )
    if found < len(suite):
        yield f"{len(suite) - found:,} of the suite's {len(suite):,} items are not in the file."
    rows = _ranked(evaluation)
    weak = [row for row in rows if (row.cells[0].accuracy or 0) < 1][:ROWS]
    if weak:
        yield f"Weakest: {', '.join(map(_row_of_one, weak))}."
    strong = [row for row in reversed(rows) if row not in weak][:ROWS]
    if strong:
        yield f"Strongest: {', '.join(map(_row_of_one, strong))}."


def _ranked(evaluation: Evaluation) -> list[Row]:
    """Phenomena of some size, the weakest first; categories where no phenomenon has that size."""
    for level in ("phenomenon", "category"):
        rows = [
            row for row in evaluation.levels[level] if row.items >= LEAST_NAMED and row.cells[0].accuracy is not None
        ]
        if rows:
            return sorted(
                rows,
                key=lambda row: (row.cells[0].accuracy or 0, row.items if row.cells[0].accuracy == 1 else -row.items),
            )
    return []


def _row_of_one(row: Row) -> str:
    cell = row.cells[0]
    counted = f"{row.items}" if cell.correct is None else f"{cell.correct} of {cell.total}"
    return f"{row.phenomenon or row.category} {percent(cell.accuracy)} % ({counted})"


def _failures_of_one(evaluation: Evaluation) -> list[OutputExample]:
    """One of each of the weakest rows, and further ones where these are fewer."""
    found: list[OutputExample] = []
    for row in _ranked(evaluation)[:EXAMPLES]:
        found += find_examples(evaluation, verdict="fail", category=row.category, phenomenon=row.phenomenon, limit=1)
    if len(found) < EXAMPLES:
        others = find_examples(evaluation, verdict="fail", limit=2 * EXAMPLES)
        found += [example for example in others if example not in found]
    return found[:EXAMPLES]


# Several systems


def _of_several(evaluation: Evaluation) -> Iterator[str]:
    row = next(
        (
            found
            for level in ("category_macro", "micro")
            for found in evaluation.levels[level]
            if any(cell.accuracy is not None for cell in found.cells)
        ),
        None,
    )
    if row is None:
        yield f"No item is decided for all {len(evaluation.systems)} systems; nothing can be compared."
    else:
        yield _leaders(evaluation, row)
    yield _items(evaluation)
    if evaluation.basis and row is not None:
        yield _needs(evaluation.basis.needs)
    apart = _apart(evaluation)
    if apart:
        yield f"They differ most in {'; '.join(_difference(evaluation, found) for found in apart)}."


def _leaders(evaluation: Evaluation, row: Row) -> str:
    """Who leads, who cannot be told apart from them, and who is worse."""
    named = list(zip(evaluation.columns, row.cells, strict=True))
    first = [pair for pair in named if pair[1].first_cluster]
    rest = [pair for pair in named if not pair[1].first_cluster and pair[1].accuracy is not None]
    average = AVERAGES[row.level]
    if not rest:
        return f"No system is significantly better than another: {_scored(first)} ({average}, per cent)."
    worse = f"{_scored(rest)} {'is' if len(rest) == 1 else 'are'} significantly worse"
    if len(first) == 1:
        return f"{_scored(first)} leads; {worse} ({average}, per cent)."
    return f"{_scored(first)} lead and cannot be told apart; {worse} ({average}, per cent)."


def _needs(needs: "Sequence[Need]") -> str:
    """What judging more would tell about those who lead."""
    if not needs:
        return "The leader is certain."
    leader = needs[0].first
    soon = sorted((_about(need.judgements), need.second) for need in needs if need.judgements is not None)
    never = [need.second for need in needs if need.judgements is None]
    parts = []
    if len(soon) == 1:
        more = plural(soon[0][0], "more judgement")
        parts.append(f"{leader} and {soon[0][1]} would need about {more} to be told apart")
    elif soon:
        each = listed([f"{name} {number:,}" for number, name in soon])
        parts.append(f"To be told apart from {leader} it takes about so many more judgements: {each}")
    if never:
        parts.append(f"{listed(never)} cannot be told apart from {leader} by judging")
    return f"{'; '.join(parts)}."


def _about(number: int) -> int:
    """A number that does not pretend to be exact, never less: 8, 40, 1300."""
    step = 1 if number < 20 else 10 if number < 1000 else 100
    return -(-number // step) * step


def _items(evaluation: Evaluation) -> str:
    """How many items count, and what keeps the others from it."""
    total, found, counted = len(evaluation.suite), len(evaluation.table.items), evaluation.items_counted
    policy = evaluation.settings.policy
    if policy == "strict":
        said = f"All {found:,} items count, and undecided ones as wrong"
    elif evaluation.basis:
        basis = evaluation.basis
        said = (
            f"All {found:,} items count; {basis.judged:,} of {plural(basis.population, 'undecided text')} were judged "
            f"and stand for the others (±{100 * basis.widest:.1f} points at most)"
        )
    else:
        whom = "all systems" if policy == "fair" else "at least one system"
        said = f"{counted:,} of {found:,} items are decided for {whom}"
        gone = (evaluation.unusable.codes == 1).any(axis=1) & ~evaluation.sample.counted.any(axis=1)
        missing = int(gone.sum())
        if found - counted - missing:
            waiting = found - counted - missing
            said += f", {waiting:,} {'waits' if waiting == 1 else 'wait'} for a judgement (assay warnings)"
        if missing:
            said += f", {missing:,} {'lacks' if missing == 1 else 'lack'} an output"
    return said + (f"; {total - found:,} more are in the suite but not in the files." if total > found else ".")


def _apart(evaluation: Evaluation) -> list[Row]:
    """The categories in which the best and the worst system are furthest apart, where that is significant."""
    rows = [
        row
        for row in evaluation.levels["category"]
        if row.items >= LEAST_NAMED and (worst := _worst(row)) is not None and not worst.first_cluster
    ]
    return sorted(rows, key=lambda row: -_gap(row))[:ROWS]


def _gap(row: Row) -> float:
    known = [cell.accuracy for cell in row.cells if cell.accuracy is not None]
    return max(known) - min(known)


def _worst(row: Row) -> Cell | None:
    known = [cell for cell in row.cells if cell.accuracy is not None]
    return min(known, key=lambda cell: cell.accuracy or 0, default=None)


def _best(row: Row) -> Cell | None:
    known = [cell for cell in row.cells if cell.accuracy is not None]
    return max(known, key=lambda cell: cell.accuracy or 0, default=None)


def _difference(evaluation: Evaluation, row: Row) -> str:
    ends = [cell for cell in (_best(row), _worst(row)) if cell is not None]
    named = [f"{evaluation.columns[evaluation.systems.index(cell.system)]} {percent(cell.accuracy)}" for cell in ends]
    return f"{row.category} ({', '.join(named)})"


def _examples_apart(evaluation: Evaluation) -> list[OutputExample]:
    """For each row that separates the systems a text that the worst fails with and the best does not."""
    found = []
    for row in _apart(evaluation):
        best, worst = _best(row), _worst(row)
        if best is None or worst is None:
            continue
        names = [evaluation.columns[evaluation.systems.index(cell.system)] for cell in (best, worst)]
        for example in find_examples(evaluation, verdict="fail", category=row.category, systems=[names[1]]):
            if names[0] not in example.systems and _passes(evaluation, example, names[0]):
                found.append(example)
                break
        if len(found) == EXAMPLES:
            break
    return found


def _passes(evaluation: Evaluation, example: OutputExample, name: str) -> bool:
    column = evaluation.order[evaluation.columns.index(name)]
    position = evaluation.suite.positions[example.item.id]
    return str(evaluation.table.finding(position, column).verdict) == "pass"


# Words


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _scored(named: Sequence[tuple[str, Cell]]) -> str:
    return listed([f"{name} ({percent(cell.accuracy)})" for name, cell in named])


def listed(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`, `A, B, C, D, E and 7 more`."""
    shown = list(names[:NAMED])
    if len(names) > NAMED + 1:
        return f"{', '.join(shown)} and {len(names) - NAMED} more"
    shown = list(names)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
