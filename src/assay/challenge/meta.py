"""How far metrics agree with people, on challenge sets whose hypotheses have human scores.

    for agreement in meta_evaluate(cases, scores, kind="mqm"):
        print(agreement.langpair, agreement.metrics[0].accuracy)

Segments: pairwise accuracy with ties and tie calibration over the hypotheses of a challenge item, and correlations.
Systems, which are hypotheses of the same name: the same of their mean scores. Where people did not score, accuracy goes
by the relations of the set, equalities among them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.challenge.case import Case, CaseSet
from assay.challenge.challenge_set import MetricGroup, MetricScores
from assay.errors import BadOption, UnknownName
from assay.stats.correlation import pearson, spearman
from assay.stats.proportions import Floats
from assay.stats.ties import calibrated, kendall

Statistic = Callable[[Floats, Floats], float | None]


@dataclass(frozen=True, slots=True)
class MetricAgreement:
    """One metric against people; None is undefined.

    `segments` is how many hypotheses have both scores, `pairs` how many pairs of one challenge item. `accuracy` counts
    ties with `threshold`, `accuracy_without` with none. `item_kendall` is the mean over challenge items. The `system_…`
    are about mean scores of systems. `means` are the metric's mean scores by name of hypothesis.
    """

    metric: str
    group: MetricGroup
    segments: int
    pairs: int
    accuracy: float | None
    threshold: float | None
    accuracy_without: float | None
    kendall: float | None
    item_kendall: float | None
    spearman: float | None
    pearson: float | None
    system_accuracy: float | None
    system_kendall: float | None
    system_spearman: float | None
    system_pearson: float | None
    means: dict[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HumanAgreement:
    """All metrics on the challenge items of one language pair, the best first.

    `human` is the kind of human score; empty where relations take their place, or nothing is known.
    """

    name: str
    langpair: str
    human: str
    items: int
    hypotheses: int
    means: dict[str, float | None]
    metrics: tuple[MetricAgreement, ...]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a meta-evaluation."""
        return asdict(self)


def human_kinds(cases: CaseSet) -> list[str]:
    """The kinds of human scores that a set has."""
    return sorted({kind for case in cases.cases for found in case.hypotheses for kind, _ in found.human})


def meta_evaluate(cases: CaseSet, scores: Sequence[MetricScores], *, kind: str = "") -> list[HumanAgreement]:
    """Agreement of metrics with a kind of human score, for each language pair; `values` are those of all hypotheses."""
    if not scores:
        raise BadOption("there are no metrics to evaluate")
    names = [metric.name for metric in scores]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadOption(f"the metric {twice!r} is given twice; rename one with NAME=FILE")
    chosen = _kind(human_kinds(cases), kind)
    places: dict[str, list[int]] = defaultdict(list)
    for number, case in enumerate(cases.cases):
        places[case.langpair].append(number)
    starts = np.cumsum([0, *(len(case.hypotheses) for case in cases.cases)])
    found = []
    for langpair, numbers in places.items():
        part = _ScoredPart.of([cases.cases[number] for number in numbers], chosen)
        at = np.concatenate([np.arange(starts[number], starts[number + 1]) for number in numbers])
        metrics = [part.agreement(metric, metric.values[at]) for metric in scores]
        ranked = sorted(metrics, key=lambda one: (-(one.accuracy if one.accuracy is not None else -1.0), one.metric))
        means = part.means(part.human)
        found.append(HumanAgreement(cases.name, langpair, chosen, len(numbers), len(at), means, tuple(ranked)))
    return found


def _kind(known: Sequence[str], asked: str) -> str:
    if asked and asked not in known:
        raise UnknownName("human score", asked, known)
    if not asked and len(known) > 1:
        raise BadOption(f"the set has several human scores; choose one with --human: {', '.join(known)}")
    return asked or (known[0] if known else "")


@dataclass(frozen=True)
class _ScoredPart:
    """The hypotheses of a language pair, in their order: names, human scores, and the pairs that are compared."""

    names: NDArray[np.str_]
    rows: NDArray[np.intp]
    """The challenge item that a hypothesis belongs to."""
    human: Floats
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    signs: Floats
    """Which hypothesis of a pair people find better: 1 the first, -1 the second, 0 neither."""

    @classmethod
    def of(cls, cases: Sequence[Case], kind: str) -> "_ScoredPart":
        names = [found.name for case in cases for found in case.hypotheses]
        human = [dict(found.human).get(kind, np.nan) for case in cases for found in case.hypotheses]
        rows = _rows(cases)
        pairs = list(_compared(rows, human) if kind else _related(cases))
        columns = np.array(pairs, dtype=np.float64).reshape(-1, 3).T
        return cls(
            np.array(names),
            np.array(rows, dtype=np.intp),
            np.array(human, dtype=np.float64),
            columns[0].astype(np.intp),
            columns[1].astype(np.intp),
            columns[2],
        )

    def agreement(self, metric: MetricScores, values: Floats) -> MetricAgreement:
        """What one metric has in common with people."""
        sign = 1.0 if metric.higher_is_better else -1.0
        better = sign * values
        differences = better[self.first] - better[self.second]
        known = ~np.isnan(differences)
        calibration = calibrated(self.rows[self.first][known], self.signs[known], differences[known])
        both = ~np.isnan(better) & ~np.isnan(self.human)
        x, y = self.human[both], better[both]
        return MetricAgreement(
            metric.name,
            metric.group,
            int(both.sum()),
            int(known.sum()),
            calibration.accuracy if calibration else None,
            calibration.threshold if calibration else None,
            calibration.without if calibration else None,
            _defined(kendall, x, y),
            self._by_item(both, better),
            _defined(spearman, x, y),
            _defined(pearson, x, y),
            *self._systems(both, better),
            self.means(values),
        )

    def _by_item(self, both: NDArray[np.bool_], better: Floats) -> float | None:
        """Mean of Kendall's tau over challenge items where both sides vary."""
        rows = self.rows[both]
        order = np.argsort(rows, kind="stable")
        cuts = np.flatnonzero(np.diff(rows[order])) + 1
        taus = [
            tau
            for places in np.split(np.flatnonzero(both)[order], cuts)
            if (tau := _defined(kendall, self.human[places], better[places])) is not None
        ]
        return float(np.mean(taus)) if taus else None

    def _systems(
        self, both: NDArray[np.bool_], better: Floats
    ) -> tuple[float | None, float | None, float | None, float | None]:
        """Pairwise accuracy, Kendall, Spearman and Pearson of the mean scores of systems."""
        systems = [both & (self.names == name) for name in dict.fromkeys(self.names.tolist())]
        systems = [members for members in systems if members.any()]
        if len(systems) < 2:
            return None, None, None, None
        x = np.array([self.human[members].mean() for members in systems])
        y = np.array([better[members].mean() for members in systems])
        right = [np.sign(x[a] - x[b]) == np.sign(y[a] - y[b]) for a, b in combinations(range(len(x)), 2)]
        return float(np.mean(right)), _defined(kendall, x, y), _defined(spearman, x, y), _defined(pearson, x, y)

    def means(self, values: Floats) -> dict[str, float | None]:
        """Mean score of each system, of the hypotheses that have one."""
        found: dict[str, float | None] = {}
        for name in dict.fromkeys(self.names.tolist()):
            known = values[(self.names == name) & ~np.isnan(values)]
            found[name] = float(known.mean()) if len(known) else None
        return found


def _defined(statistic: Statistic, x: Floats, y: Floats) -> float | None:
    return statistic(x, y) if len(x) > 1 else None


def _rows(cases: Sequence[Case]) -> list[int]:
    """The challenge item of every hypothesis; where each has one hypothesis, those of a source belong together."""
    if all(len(case.hypotheses) == 1 for case in cases):
        sources: dict[str, int] = {}
        return [sources.setdefault(case.source, len(sources)) for case in cases]
    return [number for number, case in enumerate(cases) for _ in case.hypotheses]


def _compared(rows: Sequence[int], human: Sequence[float]) -> Iterator[tuple[int, int, float]]:
    """Each two hypotheses of a challenge item that people scored."""
    members: dict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        if not np.isnan(human[place]):
            members[row].append(place)
    for places in members.values():
        for first, second in combinations(places, 2):
            yield first, second, float(np.sign(human[first] - human[second]))


def _related(cases: Sequence[Case]) -> Iterator[tuple[int, int, float]]:
    """Each two hypotheses that the relations of a case say something about."""
    start = 0
    for case in cases:
        at = {found.name: start + place for place, found in enumerate(case.hypotheses)}
        for better, worse in case.better_pairs():
            yield at[better], at[worse], 1.0
        for first, second in case.equal_pairs():
            yield at[first], at[second], 0.0
        start += len(case.hypotheses)
