"""Use case: what judgements say beside their verdicts, counted: tags by system and category, mean acceptability.

A judgement holds for a text, and so for every system that wrote it: outputs are counted. What was taken back does not
count, and of everybody the last judgement of a text holds (`settle_events`); a tag that two people gave counts once.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from assay.evaluation import Evaluation
from assay.outputs import System
from assay.reports.table import DASH, Table, TableCell, TableRow
from assay.result import Note
from assay.verdicts.judgements import Settlement
from assay.workbench.queue.questions import known_tags, scale
from assay.workbench.snapshot import Snapshot
from assay.workbench.text_view import holding

Said = TypeVar("Said")


@dataclass(frozen=True, slots=True)
class RatedSystem:
    """Mean acceptability of a system's outputs, and how many of them somebody rated."""

    system: System
    mean: float | None
    outputs: int


def tag_counts(snapshot: Snapshot, evaluation: Evaluation) -> Mapping[tuple[str, str, int], int]:
    """How many outputs have a tag: (tag, category, place of the system in the table) -> outputs."""
    counts: Counter[tuple[str, str, int]] = Counter()
    for category, place, tags in _of_outputs(snapshot, evaluation, _tags):
        for tag in tags:
            counts[tag, category, place] += 1
    return counts


def acceptability(snapshot: Snapshot, evaluation: Evaluation) -> list[RatedSystem]:
    """Per system in table order; a ruling's value outranks those of judgements, whose mean is a text's."""
    values: list[list[float]] = [[] for _ in evaluation.systems]
    for _, place, value in _of_outputs(snapshot, evaluation, _acceptability):
        values[place].append(value)
    return [
        RatedSystem(system, sum(found) / len(found) if found else None, len(found))
        for system, found in zip(evaluation.systems, values, strict=True)
    ]


def tags_table(snapshot: Snapshot, evaluation: Evaluation) -> Table | None:
    """Tags by system and category, and mean acceptability where the suite asks for it; None where there is nothing."""
    rows = [*_tag_rows(snapshot, evaluation), *_acceptability_rows(snapshot, evaluation)]
    if not rows:
        return None
    notes = (
        Note(
            "Counted are outputs whose text has the tag in a judgement that holds, on all items found; a text counts "
            "for every system that wrote it."
        ),
        Note(
            f"Only texts that somebody judged can have a tag: systems with fewer judged texts have fewer. {DASH}: none "
            "rated."
        ),
    )
    suite = evaluation.suite
    return Table(f"{suite.name}: tags of judgements", "tag", (*evaluation.columns, "all"), tuple(rows), notes, star="")


def _of_outputs(
    snapshot: Snapshot, evaluation: Evaluation, said: Callable[[Settlement], Said | None]
) -> Iterator[tuple[str, int, Said]]:
    """(category, place of the system in the table, what judgements say of its text) of outputs they say it of."""
    table = evaluation.table
    judged = ((text, said(text.settlement)) for text in snapshot.texts.values() if text.settlement)
    known = {text.id: found for text, found in judged if found is not None}
    positions = {snapshot.texts[text_id].place for text_id in known}.intersection(table.items.tolist())
    for position in sorted(positions):
        for place, code in enumerate(table.outputs.codes[position, evaluation.order].tolist()):
            found = known.get(snapshot.code_texts[code]) if code >= 0 else None
            if found is not None:
                yield evaluation.suite.items[position].category, place, found


def _tags(settlement: Settlement) -> set[str] | None:
    return {tag for event in holding(settlement) for tag in event.tags} or None


def _acceptability(settlement: Settlement) -> float | None:
    if settlement.ruling and settlement.ruling.acceptability is not None:
        return settlement.ruling.acceptability
    given = [event.acceptability for event in settlement.votes.values() if event.acceptability is not None]
    return sum(given) / len(given) if given else None


def _tag_rows(snapshot: Snapshot, evaluation: Evaluation) -> Iterator[TableRow]:
    counts = tag_counts(snapshot, evaluation)
    places, categories = range(len(evaluation.systems)), list(evaluation.suite.taxonomy)
    names = known_tags(snapshot)
    used = {tag for tag, _, _ in counts}
    for group, tag in enumerate([*(tag for tag in names if tag in used), *sorted(used - names.keys())]):
        sums = [sum(counts.get((tag, category, place), 0) for category in categories) for place in places]
        yield TableRow("category", names.get(tag, tag), _counts(sums), group)
        for category in categories:
            numbers = [counts.get((tag, category, place), 0) for place in places]
            if any(numbers):
                yield TableRow("phenomenon", category, _counts(numbers), group, indent=1)


def _counts(numbers: Sequence[int]) -> tuple[TableCell, ...]:
    return tuple(TableCell(f"{number:,}", number) for number in (*numbers, sum(numbers)))


def _acceptability_rows(snapshot: Snapshot, evaluation: Evaluation) -> Iterator[TableRow]:
    rated = acceptability(snapshot, evaluation)
    outputs = sum(found.outputs for found in rated)
    if not outputs:
        return
    top = scale(snapshot)
    of = f", 1 to {top}" if top else ""
    total = sum((found.mean or 0) * found.outputs for found in rated) / outputs
    means = [*(found.mean for found in rated), total]
    cells = tuple(TableCell(DASH if mean is None else f"{mean:.2f}", mean) for mean in means)
    yield TableRow("average", f"mean acceptability{of}", cells, -1)
    yield TableRow("average", "outputs rated", _counts([found.outputs for found in rated]), -1, indent=1)
