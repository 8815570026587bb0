"""The estimate: accuracy over all items found, from a sample of the undecided texts.

    estimate = estimate_of(texts, sampled, predict(...))
    estimate.rows(grouping).accuracy            # rows × systems

For every output of an item c is its verdict where it is decided, the prediction f where it is not, and
f + (y - f) / π where it is in the sample and was judged y. The estimate is the mean of c over items: whatever is wrong
with the predictions is corrected by what was judged, on average exactly. A missing output is wrong.

Its variance has two parts. Texts: Σ (1 - π) / π · v over undecided texts, v how much judgements vary around
predictions. Items: as if the items found were a sample of their kind, as all other policies have it. A text belongs to
one item, so two systems share the error of what both wrote, and no other (docs/reference/estimate.md).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from assay.errors import BadOption
from assay.evaluation.outlook import Outlook
from assay.evaluation.rows import HERE, in_order, ranks_of
from assay.evaluation.settings import Settings
from assay.evaluation.significance import MEAN_OF, Significance, best, clusters
from assay.evaluation.tally import Grouping, Level
from assay.prediction import Prediction, Predictor, spread
from assay.stats.proportions import Z95, Floats, divide, upper_tail, wilson
from assay.text import plural
from assay.verdicts import Verdict, VerdictTable, labels
from assay.verdicts.draw import Draw, Sampled
from assay.verdicts.written_texts import WrittenTexts, written_texts

if TYPE_CHECKING:
    from assay.evaluation.document import EstimateDocument, NeedDocument


@dataclass(frozen=True)
class EstimatedRows:
    """Rows × systems. `low` and `high` are for items of this kind, `low_here` and `high_here` for these very items.

    `least` and `most` are what is right if all undecided texts are wrong, or right.
    """

    accuracy: Floats
    low: Floats
    high: Floats
    low_here: Floats
    high_here: Floats
    least: Floats
    most: Floats
    text_variance: Floats
    item_variance: Floats


OWN_ERRORS = 10
"""How many judged texts it takes until their own errors tell as much about the spread of a difference as all others.
Chosen by replay of WMT21 and WMT22, as is the next."""

FLOOR = 0.1
"""What is added to a variance that hangs on texts that wait, in squared texts: how many are right is a whole number, an
estimate is not, and nothing normal fits the few ones and zeros that wait at the end."""


@dataclass(frozen=True, slots=True)
class EstimatedGain:
    """What one system has more than each other one: sums over the items of each row, or a mean over rows.

    Variances are by texts and by items. `seen` are the squared errors of judged texts that only one of the two wrote,
    as they weigh in the variance, `told` what predictions had told of them, `usual` what they told of one text
    anywhere; `floor` is 0 where no text waits that only one of the two wrote.
    """

    total: Floats
    by_texts: Floats
    by_items: Floats
    seen: Floats
    told: Floats
    usual: float
    floor: Floats

    @property
    def widening(self) -> Floats:
        """How much larger the variance by texts is where predictions were worse than anywhere else."""
        own = OWN_ERRORS * self.usual
        return np.maximum(divide(self.seen + own, self.told + own), 1.0) if self.usual else np.ones_like(self.seen)

    @property
    def widened(self) -> Floats:
        """The variance by texts, for intervals and tests: a difference may hang on a handful of texts."""
        return np.asarray(self.by_texts * self.widening + self.floor)

    def mean(self, found: Floats) -> "EstimatedGain":
        """In the mean over the rows that have items, of which each has so many; 1 × systems."""
        kept = found[:, 0] > 0
        weights = 1 / (found[kept] * max(int(kept.sum()), 1))

        def summed(of: Floats, power: int = 2) -> Floats:
            return np.asarray((of[kept] * weights**power).sum(axis=0, keepdims=True))

        usual = float((weights**2).mean()) if kept.any() else 0.0
        floor = _floor_of_mean(self.floor[kept], found[kept])
        by_texts, by_items, seen, told = map(summed, (self.by_texts, self.by_items, self.seen, self.told))
        return EstimatedGain(summed(self.total, 1), by_texts, by_items, seen, told, usual * self.usual, floor)


@dataclass(frozen=True)
class EstimatedItems:
    """Values and variances of texts, laid out as items found × systems.

    `values` are c, `shares` the chance of being right (0 or 1 where decided), `variances` those of c by the sampling of
    texts. `seen` and `told` are squared errors of what was judged, as in `EstimatedGain`; `waits` is what was not.
    `outputs` are the numbers of texts, -1 where an output is missing.
    """

    values: Floats
    shares: Floats
    variances: Floats
    seen: Floats
    told: Floats
    waits: Floats
    outputs: NDArray[np.intp]
    corrections: Floats
    """The part of `values` that corrects predictions."""
    usual: float
    """What predictions tell of the squared error of one judged output, on average."""

    def rows(self, grouping: Grouping) -> EstimatedRows:
        """Each row of a level, with its intervals."""
        found = _found(grouping)
        # What is decided bounds what can be right.
        least, most = (divide(sums(values, grouping), found) for values in (self.shares == 1, self.shares > 0))
        accuracy = np.clip(divide(sums(self.values, grouping), found), least, most)
        texts = divide(sums(self.variances, grouping), found**2)
        floor = divide(self._floor(grouping), found**2)
        low, high = wilson(accuracy * found, found)
        items = divide(accuracy * (1 - accuracy), found)
        return _with_intervals(accuracy, (least, most), (low, high), (texts, floor), items)

    def macro(self, grouping: Grouping) -> EstimatedRows:
        """The mean over the rows of a level that have items."""
        rows, found = self.rows(grouping), _found(grouping)
        kept = ~np.isnan(rows.accuracy).any(axis=1)
        number = max(int(kept.sum()), 1)
        mean, least, most = (
            of[kept].mean(axis=0, keepdims=True) if kept.any() else of[:1] * np.nan
            for of in (rows.accuracy, rows.least, rows.most)
        )
        texts, items = (
            of[kept].sum(axis=0, keepdims=True) / number**2 for of in (rows.text_variance, rows.item_variance)
        )
        floor = _floor_of_mean(self._floor(grouping)[kept], found[kept])
        half = Z95 * np.sqrt(items)
        return _with_intervals(mean, (least, most), (mean - half, mean + half), (texts, floor), items)

    def _floor(self, grouping: Grouping) -> Floats:
        return np.where(sums(self.waits, grouping) > 0, FLOOR, 0.0)

    def worse(self, grouping: Grouping, leader: int, *, asked: NDArray[np.bool_] | None = None) -> Floats:
        """One-tailed p of being worse than a system, rows × systems, paired over items; of all rows or the `asked`."""
        if asked is not None:
            kept = asked[grouping.members]
            return self.among(kept).worse(Grouping(grouping.members[kept], grouping.names), leader)
        gain, found = self.gain(grouping, leader), _found(grouping)
        return _p(divide(gain.total, found), divide(gain.widened + gain.by_items, found**2))

    def among(self, kept: NDArray[np.bool_]) -> Self:
        """The same for some of the items."""
        laid_out = {of.name: getattr(self, of.name)[kept] for of in fields(self) if of.name != "usual"}
        return replace(self, **laid_out)

    def worse_in_mean(self, grouping: Grouping, leader: int) -> Floats:
        """The same for the mean over the rows of a level."""
        gain = self.mean_gain(grouping, leader)
        return _p(gain.total, gain.widened + gain.by_items)

    def pair_p(self, grouping: Mapping[Level, Grouping], first: int, second: int) -> dict[Level, Floats]:
        """p of the better of two systems being better, row by row, at all levels."""

        def p(of: Grouping, test: Callable[[Grouping, int], Floats]) -> Floats:
            return np.minimum(test(of, first)[:, second], test(of, second)[:, first])

        found = {level: p(of, self.worse) for level, of in grouping.items()}
        return found | {macro: p(grouping[level], self.worse_in_mean) for macro, level in MEAN_OF.items()}

    def needs(
        self, outlook: Outlook, first: int, second: int, *, grouping: Grouping, alpha: float = 0.05
    ) -> int | None:
        """How many more judgements until two systems can be told apart in the mean over the rows of a level.

        At today's difference, one-tailed, without correction. None: not by judging; it takes more items.
        """
        gain = self.mean_gain(grouping, first)
        number = outlook.number_to_tell(
            first,
            second,
            grouping,
            difference=float(gain.total[0, second]),
            by_items=float(gain.by_items[0, second]),
            widening=float(gain.widening[0, second]),
            floor=float(gain.floor[0, second]),
            alpha=alpha,
        )
        return None if number is None else number - outlook.judged

    def mean_gain(self, grouping: Grouping, leader: int) -> EstimatedGain:
        """What the leader has more in the mean over the rows that have items."""
        return self.gain(grouping, leader).mean(_found(grouping))

    def gain(self, grouping: Grouping, leader: int) -> EstimatedGain:
        """What the leader has more in each row."""
        other = [leader]
        differs = self.outputs != self.outputs[:, other]
        gained = np.where(differs, self.values[:, other] - self.values, 0.0)
        # How often only one of the two is right.
        apart = self.shares[:, other] * (1 - self.shares) + self.shares * (1 - self.shares[:, other])
        discordant = sums(np.where(differs, apart, 0.0), grouping)
        total, found = sums(gained, grouping), _found(grouping)
        by_items = np.maximum(discordant - divide(total**2, found), 0)
        by_texts, seen, told, waits = (
            sums(np.where(differs, of[:, other] + of, 0.0), grouping)
            for of in (self.variances, self.seen, self.told, self.waits)
        )
        return EstimatedGain(total, by_texts, by_items, seen, told, self.usual, np.where(waits > 0, FLOOR, 0.0))

    @cached_property
    def writers(self) -> Floats:
        """How many systems wrote the text of each output."""
        written = self.outputs >= 0
        counted = np.bincount(self.outputs[written], minlength=1)
        return np.where(written, counted[np.where(written, self.outputs, 0)], 0.0)


def outlook_of(texts: WrittenTexts, draw: Draw, sampled: Sampled, prediction: Prediction) -> Outlook:
    """What more judgements would bring, by how far those that there are lie from their predictions."""
    return Outlook.of(texts, draw, sampled, spread(texts, prediction, sampled.is_judged))


def estimate_of(texts: WrittenTexts, sampled: Sampled, prediction: Prediction) -> EstimatedItems:
    """The estimate from what was judged of a draw."""
    judged = sampled.is_judged
    passes = (texts.verdicts == Verdict.PASS).astype(np.float64)
    predicted, chances = prediction.shares, sampled.chances
    unknown = texts.undecided | judged
    shares = np.where(unknown, predicted, passes)
    corrections = np.where(judged, (passes - shares) / chances, 0.0)
    values = shares + corrections
    varies, weights = spread(texts, prediction, judged), (1 - chances) / chances
    variances = np.where(unknown, weights * varies, 0.0)
    seen, told = (np.where(judged, weights / chances * of, 0.0) for of in ((passes - predicted) ** 2, varies))
    # What was judged is known, as far as the accuracy of these items is concerned.
    shares = np.where(judged, passes, shares)
    written = texts.numbers >= 0
    numbers = np.where(written, texts.numbers, 0)

    def laid_out(of: Floats) -> Floats:
        return np.where(written, of[numbers], 0.0)

    expected = laid_out(told)
    return EstimatedItems(
        values=laid_out(values),
        shares=laid_out(shares),
        variances=laid_out(variances),
        seen=laid_out(seen),
        told=expected,
        waits=laid_out(texts.undecided.astype(np.float64)),
        outputs=texts.numbers,
        corrections=laid_out(corrections),
        usual=float(expected[expected > 0].mean()) if (expected > 0).any() else 0.0,
    )


_Ends = tuple[Floats, Floats]


def _floor_of_mean(floors: Floats, found: Floats) -> Floats:
    """The floor of a mean over rows, each with so many items: that of a row among them, wherever texts wait."""
    usual = float((1 / (found * len(found)) ** 2).mean()) if len(found) else 0.0
    return np.where((floors > 0).any(axis=0, keepdims=True), usual * FLOOR, 0.0)


def _with_intervals(
    accuracy: Floats, possible: _Ends, by_items: _Ends, by_texts: tuple[Floats, Floats], items: Floats
) -> EstimatedRows:
    """Intervals on either side: what comes from texts for these items, and both errors for items of this kind.

    `by_texts` are the variance and what it is at least widened by.

    Errors of the two are independent, so that the squares of their distances add up on each side (MOVER: Zou and
    Donner, Statistics in Medicine 27(10), 2008).
    """
    texts, floor = by_texts
    half = Z95 * np.sqrt(texts + floor)
    low, high = (np.sqrt(half**2 + (accuracy - end) ** 2) for end in by_items)
    return EstimatedRows(
        accuracy,
        np.clip(accuracy - low, 0, 1),
        np.clip(accuracy + high, 0, 1),
        np.maximum(accuracy - half, possible[0]),
        np.minimum(accuracy + half, possible[1]),
        *possible,
        texts,
        items,
    )


def _p(difference: Floats, variance: Floats) -> Floats:
    z = divide(difference, np.sqrt(variance))
    # Without any variance a difference is certain.
    certain = (variance == 0) & ~np.isnan(difference)
    return np.where(certain, np.where(difference > 0, 0.0, 1.0), upper_tail(np.nan_to_num(z)))


def _found(grouping: Grouping) -> Floats:
    """The items of each row, rows × 1."""
    return np.bincount(grouping.members, minlength=len(grouping.names)).astype(np.float64)[:, None]


def sums(values: NDArray[np.generic], grouping: Grouping) -> Floats:
    """Sums over the items of each row."""
    rows, systems = len(grouping.names), values.shape[1]
    # A number for each cell: five times as quick as `np.add.at`, which the tests of all pairs ask thousands of times.
    cells = grouping.members[:, None] * systems + np.arange(systems)
    sums = np.bincount(cells.ravel(), values.ravel(), minlength=rows * systems)
    return np.asarray(sums.reshape(rows, systems), dtype=np.float64)


def estimated_levels(estimate: EstimatedItems, grouping: Mapping[Level, Grouping]) -> dict[Level, EstimatedRows]:
    """All levels, the macro-averages as levels of a single row."""
    found = {level: estimate.rows(of) for level, of in grouping.items()}
    found["category_macro"] = estimate.macro(grouping["category"])
    found["phenomenon_macro"] = estimate.macro(grouping["phenomenon"])
    return found


# The table of an evaluation

MORE = 50
"""How many more judgements it is said what they would buy."""


@dataclass(frozen=True, slots=True)
class Need:
    """How many more judgements it takes to tell a system from the leader; None where judging cannot."""

    first: str
    second: str
    judgements: int | None

    def to_dict(self) -> "NeedDocument":
        """As in the JSON of an evaluation."""
        return {"first": self.first, "second": self.second, "judgements": self.judgements}


@dataclass(frozen=True, slots=True)
class EstimateBasis:
    """What an estimate was made from: of so many undecided texts of a draw so many were judged, or skipped.

    `widest` is half of the widest interval of a micro-average, for these very items. `needs` are the leader of the
    category macro-average and each system that cannot be told apart from it. `later` is what `widest` would be
    after `more` judgements: 50, or as many as there are texts left.
    """

    draw: str
    judged: int
    population: int
    skipped: int
    predictor: str
    widest: float
    needs: tuple[Need, ...] = ()
    more: int = 0
    later: float = 0.0

    @property
    def signature_fields(self) -> dict[str, str]:
        judged = f"{self.judged} of {self.population}" + (f", {self.skipped} skipped" if self.skipped else "")
        return {"draw": self.draw, "judged": judged, "predictor": self.predictor}

    def to_dict(self) -> "EstimateDocument":
        """As in the JSON of an evaluation."""
        return {
            "draw": self.draw,
            "judged": self.judged,
            "undecided": self.population,
            "skipped": self.skipped,
            "predictor": self.predictor,
            "needs": [need.to_dict() for need in self.needs],
        }


@dataclass(frozen=True)
class EstimatedTable:
    """What takes the place of counts in an evaluation: numbers of cells by level, the test, the order of systems."""

    numbers: Mapping[Level, Mapping[str, Floats]]
    tested: Mapping[Level, Significance]
    order: list[int]
    basis: EstimateBasis
    estimate: EstimatedItems


def estimate_table(
    table: VerdictTable, draw: Draw | None, grouping: Mapping[Level, Grouping], settings: Settings
) -> EstimatedTable:
    """The estimate from what is judged of a draw; where that is too little, how much is missing."""
    if draw is None:
        raise BadOption("policy estimate needs a draw; make one with: assay sample SUITE OUTPUT… -n 150 -o todo.xlsx")
    texts = written_texts(table)
    sampled = draw.sampled(texts)
    if sampled.missing or not len(sampled.judged):
        more = max(sampled.missing, 1)
        raise BadOption(
            f"too little is judged for an estimate: {len(sampled.judged):,} of {sampled.population:,} undecided texts "
            f"in the order of the draw, at least {plural(more, 'more judgement')} needed (assay sample, assay judge)"
        )
    prediction = (settings.predictor or Predictor())(texts, sampled.is_judged)
    estimate = estimate_of(texts, sampled, prediction)
    levels = estimated_levels(estimate, grouping)
    accuracies: dict[Level, Floats] = {level: rows.accuracy for level, rows in levels.items()}
    micro = levels["micro"]
    tested = {level: _tested(estimate, level, accuracy, grouping, settings) for level, accuracy in accuracies.items()}
    order = in_order(ranks_of(accuracies["category_macro"][0], micro.accuracy[0]), table.outputs.systems)
    outlook = outlook_of(texts, draw, sampled, prediction)
    more = min(MORE, len(sampled.next))
    widest = float(np.max(micro.high_here - micro.low_here) / 2)
    basis = EstimateBasis(
        draw.name,
        len(sampled.judged),
        sampled.population,
        sampled.skipped,
        prediction.name,
        widest,
        tuple(_needs(estimate, outlook, order, tested, grouping, settings)),
        more,
        # Intervals of the table end where what is decided ends, which cannot be foreseen for those to come.
        min(widest, outlook.widest(outlook.judged + more)[0]),
    )
    undefined = {level: np.full(rows.accuracy.shape, np.nan) for level, rows in levels.items()}
    return EstimatedTable(
        {
            level: {
                "correct": undefined[level],
                **{name: getattr(rows, name) for name in ("accuracy", "low", "high", *HERE)},
            }
            for level, rows in levels.items()
        },
        tested,
        order,
        basis,
        estimate,
    )


def _needs(
    estimate: EstimatedItems,
    outlook: Outlook,
    order: Sequence[int],
    tested: Mapping[Level, Significance],
    grouping: Mapping[Level, Grouping],
    settings: Settings,
) -> Iterator[Need]:
    """The leader of the table, and each system that cannot be told apart from it by the category macro-average."""
    names, cluster = labels(outlook.texts.table.outputs.systems), tested["category_macro"].cluster[0]
    # With a correction the most that any comparison may have to reach.
    alpha = settings.alpha / (1 if settings.correction == "none" else max(len(order) - 1, 1))
    leader, *others = order
    for other in others:
        if cluster[other] and cluster[leader]:
            more = estimate.needs(outlook, leader, other, grouping=grouping["category"], alpha=alpha)
            yield Need(names[leader], names[other], more)


def _tested(
    estimate: EstimatedItems, level: Level, accuracy: Floats, grouping: Mapping[Level, Grouping], settings: Settings
) -> Significance:
    """Each system against its row's best, or bests where they tie."""
    leaders = best(accuracy)
    found = np.full(accuracy.shape, np.nan)
    for column in np.flatnonzero(leaders.any(axis=0)).tolist():
        if level in MEAN_OF:
            p = estimate.worse_in_mean(grouping[MEAN_OF[level]], column)
        else:
            p = estimate.worse(grouping[level], column, asked=leaders[:, column])
        rows = np.flatnonzero(leaders[:, column])
        found[rows] = np.fmin(found[rows], p[rows])
    return clusters(accuracy, found, settings)
