"""What suggestions are worth: suggested verdicts beside known ones.

    calibration = calibrate(trials)
    calibration.whole.accuracy, calibration.surest(0.8)

Trials without a suggestion count as tested and as nothing else: accuracy, kappa and the shares by confidence are over
the suggestions that there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from assay.result import By, Note, Signature
from assay.stats.agreement import cohen_kappa
from assay.suggest.suggester import Suggestion
from assay.suites import Item
from assay.text import plural
from assay.verdicts import Verdict

SUREST: Final = 0.8
"""The share of the suggestions, the surest first, that is named in headlines: a linguist would look at the rest."""

SHARES: Final = tuple(number / 10 for number in range(1, 11))
"""Shares of the suggestions, the surest first, of which it is shown how many are right."""

BOUNDS: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Where bins of confidence begin; the last one ends with 1. Who is less than half sure would suggest the opposite, so
what is below stands together."""

CONFUSION: Final = ("pass_pass", "pass_fail", "fail_pass", "fail_fail")
"""Names of the counts of `CalibrationRow.confusion`: the known verdict, then the suggested one."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A text whose verdict is known, and what was suggested without knowing it."""

    item: Item
    text: str
    verdict: Verdict
    suggestion: Suggestion | None

    @property
    def is_right(self) -> bool:
        return self.suggestion is not None and self.suggestion.verdict == self.verdict


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """The trials of a category, or all (None).

    `confusion` is (pass suggested as pass, pass as fail, fail as pass, fail as fail).
    """

    category: str | None
    texts: int
    suggested: int
    right: int
    accuracy: float | None
    kappa: float | None
    surest: float | None
    confusion: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
    """Suggestions with a confidence from `low` to below `high`: their mean confidence, and the share that is right."""

    low: float
    high: float
    texts: int
    confidence: float | None
    right: float | None


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """The surest `share` of all suggestions: how sure the least sure of them is, and the share that is right."""

    share: float
    texts: int
    confidence: float | None
    right: float | None


@dataclass(frozen=True)
class Calibration:
    """Trials and what they come to: by category, by confidence, and for the surest of them.

    `basis` says in words which texts were suggested; `parameters` are those of the suggester.
    """

    trials: Sequence[Trial] = field(repr=False)
    categories: list[CalibrationRow]
    """A row per category, in the order of the trials."""
    whole: CalibrationRow
    bins: list[ConfidenceBin] = field(repr=False)
    curve: list[CoveragePoint] = field(repr=False)
    title: str = ""
    suggester: str = ""
    basis: str = ""
    signature: Signature = Signature({})  # noqa: RUF009  # a string
    parameters: Mapping[str, str] = field(default_factory=dict)
    new: "Calibration | None" = None
    """The same of texts that a single system wrote, from what the others wrote: of a system that nobody judged yet."""

    @property
    def columns(self) -> list[str]:
        """Only one suggester is looked at."""
        return [self.suggester]

    def rows(self, by: By = "category") -> list[CalibrationRow]:
        """A row per category and one for all; there are none of phenomena."""
        return [*self.categories, self.whole]

    def averages(self) -> list[CalibrationRow]:
        """The row for all."""
        return [self.whole]

    def surest(self, share: float = SUREST) -> float | None:
        """The share that is right of the surest suggestions."""
        return _point(_suggested(self.trials), share).right

    @property
    def error(self) -> float | None:
        """The expected calibration error: how far confidence and the share that is right are apart, mean over bins."""
        apart = [
            found.texts * abs(found.confidence - found.right)
            for found in self.bins
            if found.confidence is not None and found.right is not None
        ]
        return sum(apart) / self.whole.suggested if apart else None

    def notes(self, by: By = "category") -> tuple[Note, ...]:
        """What a reader of these rows must know, the signature last."""
        return (
            Note(f"Tested: {self.basis}. Each text is suggested without its own verdict."),
            Note(
                "right: per cent of the suggestions; κ: Cohen's kappa with the known verdicts. p→f: known as a pass, "
                "suggested as a fail."
            ),
            *([Note(self.new.as_new)] if self.new else []),
            Note.signature(self.signature),
        )

    @property
    def as_new(self) -> str:
        """One sentence about suggestions for a system of which nothing was judged."""
        whole, error = self.whole, self.error
        if whole.accuracy is None or error is None:
            return f"New systems: nothing was suggested on {plural(whole.texts, 'text')} that one system alone wrote."
        surest = "–" if whole.surest is None else f"{100 * whole.surest:.1f}"
        return (
            f"New systems: of {plural(whole.suggested, 'text')} that one system alone wrote, suggested from what the "
            f"others wrote, {100 * whole.accuracy:.1f} % right, of the surest {SUREST:.0%} {surest} %, calibration "
            f"error {error:.3f}. So it is, or worse, for systems of which nothing was judged yet."
        )

    def to_dict(self, by: By = "category") -> dict[str, Any]:
        """The JSON document."""
        return {
            "suggester": self.suggester,
            "parameters": dict(self.parameters),
            "basis": self.basis,
            "signature": self.signature,
            "calibration_error": self.error,
            "rows": [
                {**asdict(row), "confusion": dict(zip(CONFUSION, row.confusion, strict=True))} for row in self.rows()
            ],
            "confidence": [asdict(found) for found in self.bins],
            "surest": [asdict(point) for point in self.curve],
            **({"new": self.new.to_dict(by)} if self.new else {}),
        }


def calibrate(trials: Sequence[Trial]) -> Calibration:
    """Count trials."""
    by_category: dict[str, list[Trial]] = {}
    for trial in trials:
        by_category.setdefault(trial.item.category, []).append(trial)
    suggested = _suggested(trials)
    # A bin has its lower end and not its upper one, but that 1 belongs to the last.
    ends = (*BOUNDS[1:], 1.0)
    return Calibration(
        trials=trials,
        categories=[_row(name, found) for name, found in by_category.items()],
        whole=_row(None, trials),
        bins=[
            _bin(low, high, [pair for pair in suggested if low <= pair[0] and (pair[0] < high or high == 1.0)])
            for low, high in zip(BOUNDS, ends, strict=True)
        ],
        curve=[_point(suggested, share) for share in SHARES],
    )


def _suggested(trials: Iterable[Trial]) -> list[tuple[float, bool]]:
    """(confidence, whether right) of every suggestion, the surest first."""
    pairs = [(trial.suggestion.confidence, trial.is_right) for trial in trials if trial.suggestion]
    return sorted(pairs, key=lambda pair: -pair[0])


def _row(category: str | None, trials: Sequence[Trial]) -> CalibrationRow:
    pairs = [(trial.verdict, trial.suggestion.verdict) for trial in trials if trial.suggestion]
    right = sum(given == said for given, said in pairs)
    sides = (Verdict.PASS, Verdict.FAIL)
    counts = [pairs.count((given, said)) for given in sides for said in sides]
    return CalibrationRow(
        category,
        len(trials),
        len(pairs),
        right,
        right / len(pairs) if pairs else None,
        cohen_kappa([list(map(int, pair)) for pair in pairs]) if pairs else None,
        _point(_suggested(trials), SUREST).right,
        (counts[0], counts[1], counts[2], counts[3]),
    )


def _bin(low: float, high: float, pairs: Sequence[tuple[float, bool]]) -> ConfidenceBin:
    number = len(pairs)
    if not number:
        return ConfidenceBin(low, high, 0, None, None)
    return ConfidenceBin(
        low, high, number, sum(pair[0] for pair in pairs) / number, sum(pair[1] for pair in pairs) / number
    )


def _point(pairs: Sequence[tuple[float, bool]], share: float) -> CoveragePoint:
    """Of equally sure ones at the edge, so many count as right as of all of them: their order says nothing."""
    number = round(share * len(pairs))
    if not number:
        return CoveragePoint(share, 0, None, None)
    edge = pairs[number - 1][0]
    surer = [right for confidence, right in pairs if confidence > edge]
    equal = [right for confidence, right in pairs if confidence == edge]
    taken = number - len(surer)
    return CoveragePoint(share, number, edge, (sum(surer) + taken * sum(equal) / len(equal)) / number)
