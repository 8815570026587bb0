"""Systems in groups (online, constrained, LLM, …) and beside outside scores (BLEU, COMET, human assessment)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.errors import BadOption, UnknownName
from assay.evaluation.evaluation import Evaluation
from assay.evaluation.provenance import is_describing
from assay.evaluation.rows import Row, mean_of
from assay.evaluation.significance import TIE
from assay.result import By
from assay.stats.correlation import spearman, spearman_interval

if TYPE_CHECKING:
    from assay.evaluation.document import CorrelationDocument


@dataclass(frozen=True, slots=True)
class Group:
    """Systems that share a value of a metadata field: the field, the value, and column numbers in table order."""

    field: str
    value: str
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Mean accuracy of all systems, of each group, and of all systems without that group."""

    row: Row
    everybody: float | None
    inside: tuple[float | None, ...]
    without: tuple[float | None, ...]


def groups(evaluation: Evaluation) -> list[Group]:
    """Groups from the systems' metadata in the campaign file, fields and values in order of appearance."""
    found: dict[tuple[str, str], list[int]] = {}
    for column, system in enumerate(evaluation.systems):
        for field, value in system.metadata.items():
            if is_describing(system, field):
                found.setdefault((field, value), []).append(column)
    return [Group(field, value, tuple(columns)) for (field, value), columns in found.items()]


def group_rows(evaluation: Evaluation, by: By = "category") -> list[GroupRow]:
    """Averages per group, and averages that leave the group out."""
    members = groups(evaluation)
    if not members:
        raise BadOption("no system has metadata; describe them under systems: in the campaign file")
    everybody = range(len(evaluation.systems))
    return [
        GroupRow(
            row,
            row.average,
            tuple(_mean(row, group.columns) for group in members),
            tuple(_mean(row, set(everybody) - set(group.columns)) for group in members),
        )
        for row in evaluation.rows(by)
    ]


def _mean(row: Row, columns: Iterable[int]) -> float | None:
    return mean_of(row.cells[column].accuracy for column in columns)


def categories_won(evaluation: Evaluation) -> list[tuple[int, int]]:
    """Per system in table order: categories in which it is the best (or level with it), and in the first cluster."""
    best = [0] * len(evaluation.systems)
    cluster = [0] * len(evaluation.systems)
    for row in evaluation.rows("category"):
        values = [cell.accuracy for cell in row.cells if cell.accuracy is not None]
        if row.level != "category" or not values:
            continue
        top = max(values)
        for column, cell in enumerate(row.cells):
            best[column] += cell.accuracy is not None and cell.accuracy >= top - TIE
            cluster[column] += cell.first_cluster
    return list(zip(best, cluster, strict=True))


Scores = Mapping[str, Mapping[str, float]]
"""Name of the score -> system -> value."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of a row's accuracies with an outside score; None where it is not defined."""

    row: Row
    score: str
    systems: int
    rho: float | None
    low: float | None
    high: float | None

    def to_dict(self) -> "CorrelationDocument":
        """As in the JSON of an evaluation with outside scores."""
        return {
            **self.row.key_document(),
            "score": self.score,
            "systems": self.systems,
            "rho": self.rho,
            "low": self.low,
            "high": self.high,
        }


def check_scores(evaluation: Evaluation, scores: Scores) -> None:
    """Every score names systems that were given, and at least one that was kept."""
    kept = {name for system in evaluation.systems for name in system.name.split(" = ")}
    known = kept | evaluation.given
    for score, values in scores.items():
        for name in values:
            if name not in known:
                raise UnknownName("system", name, known)
        if not kept & values.keys():
            raise BadOption(f"the score {score!r} is of none of the systems evaluated ({', '.join(sorted(kept))})")


def correlations(evaluation: Evaluation, scores: Scores, by: By = "category") -> list[Correlation]:
    """Whether mastering a category goes with overall quality: every row beside every score."""
    check_scores(evaluation, scores)
    found = []
    for row in evaluation.rows(by):
        for name, values in scores.items():
            pairs = [
                (cell.accuracy, values[cell.system.name])
                for cell in row.cells
                if cell.accuracy is not None and cell.system.name in values
            ]
            rho = spearman(*zip(*pairs, strict=True)) if len(pairs) > 1 else None
            interval = spearman_interval(rho, len(pairs)) if rho is not None else None
            low, high = interval or (None, None)
            found.append(Correlation(row, name, len(pairs), rho, low, high))
    return found
