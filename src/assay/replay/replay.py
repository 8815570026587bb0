"""Replay of judging: hide what is known, let somebody judge n texts, compare each policy with the truth.

    result = replay(table, share=0.3, numbers=(100, 200), draws=200)
    for line in result.lines:
        print(line.judged, line.policy, line.level, line.between)

Of the texts that exact rules alone decide all or a random share are hidden, and n of these are judged again: for the
estimate in the order of a new draw, for `fair` in the order of the queue, cheapest items first.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from assay.errors import BadOption
from assay.evaluation.estimate import EstimatedItems, estimate_of, sums
from assay.evaluation.tally import Grouping
from assay.prediction import PREDICTOR, Adviser, predict
from assay.progress import Progress
from assay.replay.known_texts import Hiding, KnownTexts, Mask, known_texts
from assay.replay.shared_correction import SharedCorrection
from assay.result import Note, Signature
from assay.stats.priorities import FEWEST, HEAVIEST, inclusion
from assay.stats.proportions import Z95, Floats, divide
from assay.suites import Suite
from assay.text import plural
from assay.verdicts import Verdict, VerdictTable
from assay.verdicts.draw import Sampled, sizes_of

ReplayedPolicy = Literal["estimate", "fair", "suggestions"]
REPLAYED: tuple[ReplayedPolicy, ...] = get_args(ReplayedPolicy)
"""The estimate; items decided for all; predictions counted as if they were verdicts, which nobody should do."""

JudgingOrder = Literal["fair", "sample", "both"]
ORDERS: tuple[JudgingOrder, ...] = get_args(JudgingOrder)

ReplayedItems = Literal["these", "drawn"]
ITEMS: tuple[ReplayedItems, ...] = get_args(ReplayedItems)
"""The items of the campaign, or as many drawn from them with replacement, as if the campaign had others of their kind.
"""

NUMBERS = (100, 200, 400)
"""Judgements, unless told otherwise."""

LARGE = 30
"""Items of a category whose intervals are looked at."""

MIXED = 5
"""Right and wrong outputs of a mixed category, at least: the rule of thumb for when counts are normal enough."""


@dataclass(frozen=True, slots=True)
class ReplayLine:
    """A policy after so many judgements; errors are root mean squares over draws and systems, in points.

    `own` is how much of an estimate's corrections is each system's own.

    `draws` are those in which the policy had an answer: an estimate needs some judgements, `fair` an item that counts.
    `level` is the error that all systems have in common, `between` what is left of it: the error of a comparison. The
    others are how often 95 % intervals held the truth: of the micro-average, of differences between two systems, and of
    categories with at least 30 items; None where a policy has no intervals. `mixed` are those of them in which chance
    has something to decide: at least 5 of a system's hidden outputs are right and 5 wrong (or of all outputs, where the
    items were drawn). A category whose hidden outputs are all right is missed by no interval.
    """

    judged: int
    of: int
    policy: ReplayedPolicy
    draws: int
    level: float | None
    between: float | None
    micro: float | None = None
    pairs: float | None = None
    categories: float | None = None
    mixed: float | None = None
    own: float = 1.0

    @property
    def label(self) -> str:
        """The policy, and how much of its corrections is a system's own where that is not all."""
        return self.policy if self.own == 1 else f"{self.policy}, own {self.own:g}"


@dataclass(frozen=True)
class Replay:
    """Lines by judgements and policy. `share` is how much was hidden of what could be, `hidden` how many texts."""

    suite: Suite
    share: float
    hidden: int
    hiding: Hiding
    items: ReplayedItems
    draws: int
    seed: int
    found: int
    """Items that are decided for all systems."""
    systems: int
    predictor: str
    lines: tuple[ReplayLine, ...]

    def line(self, policy: ReplayedPolicy, judged: int, own: float = 1.0) -> ReplayLine:
        """The line of a policy after so many judgements."""
        return next(line for line in self.lines if (line.policy, line.judged, line.own) == (policy, judged, own))

    @property
    def owns(self) -> list[float]:
        """The shares of own corrections that were tried."""
        return sorted({line.own for line in self.lines}, reverse=True)

    @property
    def signature(self) -> Signature:
        return Signature.of(
            {
                **self.suite.signature_fields,
                "hidden": f"exact {100 * self.share:g} %, {self.hidden}",
                "hiding": self.hiding,
                "items": self.items,
                "draws": str(self.draws),
                "seed": str(self.seed),
                "predictor": self.predictor,
            }
            | ({"own": ",".join(f"{own:g}" for own in self.owns)} if self.owns != [1.0] else {})
        )

    def notes(self) -> tuple[Note, ...]:
        """What a reader of the lines must know, the signature last."""
        truth = "the accuracy on these items"
        if self.items == "drawn":
            truth = "the accuracy on the items that these were drawn from, with replacement"
        found = [
            Note(
                f"Errors are root mean squares over {plural(self.draws, 'draw')} and {plural(self.systems, 'system')}, "
                f"in points, against {truth} ({self.found:,} that are decided for all): level is what all systems have "
                "in common, between what is left of it."
            ),
            Note(
                "Coverage: how often 95 % intervals held the truth, in per cent; micro-averages, differences between "
                f"two systems, categories with at least {LARGE} items, and those of these (mixed) in which at least "
                f"{MIXED} {'outputs' if self.items == 'drawn' else 'hidden outputs'} of a system are right and {MIXED} "
                "wrong: one without any of either kind is hardly missed by any interval."
            ),
        ]
        if self.owns != [1.0]:
            found.append(
                Note(
                    "own: the share of each system's corrections that is its own; the rest is shared by all systems. "
                    "Only at 1 is the estimate unbiased; intervals of the others do not know how far they are off."
                )
            )
        for line in self.lines:
            # Suggestions are those of the estimate.
            if line.draws < self.draws and line.policy != "suggestions" and line.own == 1:
                without = plural(self.draws - line.draws, "draw")
                found.append(Note(f"{line.policy} after {line.judged:,}: too few judgements in {without}."))
        return (*found, Note.signature(self.signature))

    def to_dict(self) -> dict[str, Any]:
        """The JSON document."""
        return {
            "signature": self.signature,
            "suite": {"name": self.suite.name, "langpair": self.suite.langpair, "hash": self.suite.hash},
            **{
                name: getattr(self, name)
                for name in ("share", "hidden", "hiding", "items", "draws", "seed", "found", "systems", "predictor")
            },
            "lines": [asdict(line) for line in self.lines],
        }


def replay(
    table: VerdictTable,
    *,
    share: float = 1.0,
    numbers: Sequence[int] | None = None,
    order: JudgingOrder = "both",
    hiding: Hiding = "evenly",
    items: ReplayedItems = "these",
    draws: int = 200,
    seed: int = 1,
    owns: Sequence[float] = (1.0,),
    adviser: Adviser | None = None,
    progress: Progress | None = None,
) -> Replay:
    """Hide a share of what was judged and judge it again, `draws` times for each number of judgements.

    `owns` are shares of each system's own correction, beside one that all share: 1 is the estimate as it is, less shows
    what shrinking would do. The `adviser` is asked once, as if all that can be hidden were hidden.
    """
    if not 0 < share <= 1:
        raise BadOption(f"the share to hide must be above 0 and at most 1, not {share:g}")
    if draws < 1:
        raise BadOption(f"there must be at least one draw, not {draws}")
    chosen_owns = _checked_owns(owns)
    known = known_texts(table).prepared(share, hiding)
    chosen = _checked_numbers(numbers, known.hidden)
    if adviser:
        known = known.advised(adviser)
    campaign = _Bench(known)
    trials: dict[tuple[int, ReplayedPolicy, float], list[_Trial]] = defaultdict(list)
    for turn in range(draws):
        chance = np.random.default_rng([seed, turn])
        bench = campaign if items == "these" else _Bench(known.redrawn(chance), campaign)
        hidden = bench.known.hide(chance)
        for number in chosen:
            for policy, own, trial in bench.trials(hidden, number, order, chance, chosen_owns):
                trials[number, policy, own].append(trial)
        if progress:
            progress(1)
    policies: dict[JudgingOrder, tuple[ReplayedPolicy, ...]] = {
        "fair": ("fair",),
        "sample": ("estimate", "suggestions"),
        "both": REPLAYED,
    }
    return Replay(
        suite=table.suite,
        share=share,
        hidden=known.hidden,
        hiding=hiding,
        items=items,
        draws=draws,
        seed=seed,
        found=len(known.texts.table.items),
        systems=len(table.outputs.systems),
        predictor=f"{PREDICTOR}+{known.advice.name}" if known.advice else PREDICTOR,
        lines=tuple(
            _line(number, known.hidden, policy, own, trials[number, policy, own])
            for number in chosen
            for policy in policies[order]
            for own in (chosen_owns if policy == "estimate" else (1.0,))
        ),
    )


def _checked_owns(owns: Sequence[float]) -> list[float]:
    for own in owns:
        if not 0 <= own <= 1:
            raise BadOption(f"the own share of corrections must lie between 0 and 1, not {own:g}")
    # The estimate as it is stands beside what else it could be.
    return sorted({1.0, *owns}, reverse=True)


def _checked_numbers(numbers: Sequence[int] | None, hidden: int) -> list[int]:
    if numbers is None:
        numbers = [number for number in NUMBERS if number <= hidden]
        if not numbers:
            raise BadOption(f"only {plural(hidden, 'text')} would be hidden; say how many of them to judge (--judged)")
    for number in numbers:
        if not 0 < number <= hidden:
            raise BadOption(f"{number:,} texts cannot be judged: {hidden:,} are hidden; choose from 1 to {hidden:,}")
    return sorted(set(numbers))


@dataclass(frozen=True, slots=True)
class _Trial:
    """Errors of the systems; whether intervals held the truth, of micro-averages, pairs, categories, mixed ones."""

    errors: Floats
    held: Sequence[Mask] = ()


class _Bench:
    """What stays the same from trial to trial.

    Where items were drawn from a campaign, that is where the truth is, and intervals for items of this kind are asked.
    """

    def __init__(self, known: KnownTexts, campaign: "_Bench | None" = None) -> None:
        self.known, self.texts = known, known.texts
        self.whole = Grouping(np.zeros(len(known.categories.members), dtype=np.intp), [(None, None)])
        self.written = self.texts.numbers >= 0
        self.places = np.where(self.written, self.texts.numbers, 0)
        self.passes = self.texts.verdicts == Verdict.PASS
        self.right = np.where(self.written, self.passes[self.places], 0.0)
        self.sizes = sizes_of(self.texts)
        self.is_drawn = campaign is not None
        if campaign is None:
            sizes = np.bincount(known.categories.members, minlength=len(known.categories.names))
            truths = np.zeros((len(sizes), self.right.shape[1]))
            np.add.at(truths, known.categories.members, self.right)
            self.truth, self.truths = self.right.mean(axis=0), divide(truths, sizes[:, None])
            self.large = sizes >= LARGE
        else:
            self.truth, self.truths, self.large = campaign.truth, campaign.truths, campaign.large

    def trials(
        self, hidden: Mask, number: int, order: JudgingOrder, chance: np.random.Generator, owns: Sequence[float]
    ) -> Iterator[tuple[ReplayedPolicy, float, _Trial]]:
        # Drawn whatever the order, so that policies alone see what they see beside each other.
        random = 1 - chance.random(len(hidden))
        shuffled = chance.permutation(len(self.right))
        if order != "fair":
            found = self._estimate(hidden, number, random)
            if found is not None:
                estimate, shares = found
                mixed = self._mixed(hidden)
                yield "estimate", 1.0, self._checked(estimate, mixed)
                for own in owns[1:]:
                    yield "estimate", own, self._shrunk(estimate, hidden, own, mixed)
                yield "suggestions", 1.0, _Trial(self._mean(np.where(hidden, shares >= 0.5, self.passes)) - self.truth)
        if order != "sample":
            counted = self._counted(hidden, number, shuffled)
            if counted.any():
                yield "fair", 1.0, _Trial(self.right[counted].mean(axis=0) - self.truth)

    def _estimate(self, hidden: Mask, number: int, random: Floats) -> tuple[EstimatedItems, Floats] | None:
        """An estimate from the texts of highest priority, and the predictions; None where some stand for too many."""
        priorities = np.where(hidden, self.sizes / random, 0.0)
        order = np.argsort(-priorities, kind="stable")[: np.count_nonzero(hidden)]
        chosen = order[:number]
        threshold = float(priorities[order[number]]) if number < len(order) else 0.0
        chances = np.where(hidden, inclusion(self.sizes, threshold), 1.0)
        if 1 / chances.min() > HEAVIEST or number < min(FEWEST, len(order)):
            return None
        judged = np.zeros(len(hidden), bool)
        judged[chosen] = True
        verdicts = np.where(hidden & ~judged, Verdict.WARNING, self.texts.verdicts).astype(np.int8)
        texts = replace(self.texts, verdicts=verdicts)
        prediction = predict(texts, self.known.pairs, judged, self.known.advice)
        estimate = estimate_of(texts, Sampled(chosen, chances, 0, (), 0), prediction)
        return estimate, np.where(judged, self.passes, prediction.shares)

    def _mixed(self, hidden: Mask) -> Mask:
        """Which systems have a mixed category, categories × systems."""
        asked = np.ones_like(hidden) if self.is_drawn else hidden
        right, wrong = (
            sums(np.where(self.written, (asked & of)[self.places], False), self.known.categories)
            for of in (self.passes, ~self.passes)
        )
        return np.asarray(np.minimum(right, wrong) >= MIXED)

    def _checked(self, estimate: EstimatedItems, mixed: Mask) -> _Trial:
        """The errors of an estimate, and whether its intervals held the truth."""
        micro, rows = estimate.rows(self.whole), estimate.rows(self.known.categories)
        held = []
        for found, truth, asked in (
            (micro, self.truth[None, :], np.True_),
            (rows, self.truths, self.large[:, None]),
            (rows, self.truths, self.large[:, None] & mixed),
        ):
            low, high = (found.low, found.high) if self.is_drawn else (found.low_here, found.high_here)
            # Where nothing is uncertain there is nothing to cover.
            asked = asked & (found.text_variance > 0)
            held.append(((low - 1e-12 <= truth) & (truth <= high + 1e-12))[asked])
        error = micro.accuracy[0] - self.truth
        held.insert(1, self._pairs(estimate))
        return _Trial(error, held)

    def _shrunk(self, estimate: EstimatedItems, hidden: Mask, own: float, mixed: Mask) -> _Trial:
        """The same where only a share of corrections is a system's own."""
        predicted = np.where(self.written, hidden[self.places], 0.0)
        found = SharedCorrection.of(estimate, predicted, self.whole, own)
        rows = SharedCorrection.of(estimate, predicted, self.known.categories, own)
        asked = self.large[:, None] & (rows.variances(estimate) > 0)
        error = found.accuracy[0] - self.truth
        first, second = np.triu_indices(len(error), 1)
        spread = found.pair_variances(estimate)[first, second]
        told = np.abs(error[first] - error[second]) <= Z95 * np.sqrt(spread) + 1e-12
        held = [
            np.abs(of.accuracy - truth) <= Z95 * np.sqrt(of.variances(estimate)) + 1e-12
            for of, truth in ((found, self.truth[None, :]), (rows, self.truths))
        ]
        return _Trial(
            error, [held[0][found.variances(estimate) > 0], told[spread > 0], held[1][asked], held[1][asked & mixed]]
        )

    def _pairs(self, estimate: EstimatedItems) -> Mask:
        """Whether the intervals of differences between each system and those after it held the truth."""
        number, systems = self.right.shape
        # What is decided adds nothing to errors, and to variances only by items.
        kept: Mask = np.asarray((estimate.variances > 0).any(axis=1) | self.is_drawn)
        asked, whole = estimate.among(kept), Grouping(self.whole.members[kept], self.whole.names)
        truth = self.truth if self.is_drawn else self.right[kept].sum(axis=0) / number
        held = []
        for leader in range(systems - 1):
            gain = asked.gain(whole, leader)
            variance = gain.widened + gain.by_items if self.is_drawn else gain.widened
            error = gain.total / number - (truth[leader] - truth)
            found = np.abs(error) <= Z95 * np.sqrt(variance) / number + 1e-12
            held.append(found[0, leader + 1 :][gain.by_texts[0, leader + 1 :] > 0])
        return np.concatenate(held)

    def _counted(self, hidden: Mask, number: int, shuffled: NDArray[np.intp]) -> Mask:
        """The items that are decided for all, after the cheapest ones were judged."""
        needed = np.bincount(self.texts.rows[hidden], minlength=len(self.right))
        order = shuffled[np.argsort(needed[shuffled], kind="stable")]
        counted = np.zeros(len(needed), bool)
        counted[order[: np.searchsorted(np.cumsum(needed[order]), number, side="right")]] = True
        return counted

    def _mean(self, values: Mask) -> Floats:
        return np.asarray(np.where(self.written, values[self.places], 0.0).mean(axis=0))


def _line(number: int, of: int, policy: ReplayedPolicy, own: float, trials: Sequence[_Trial]) -> ReplayLine:
    if not trials:
        return ReplayLine(number, of, policy, 0, None, None, own=own)
    errors = 100 * np.stack([trial.errors for trial in trials])
    common = errors.mean(axis=1, keepdims=True)
    level, between = (float(np.sqrt((of**2).mean())) for of in (common, errors - common))
    held = [np.concatenate(kind) for kind in zip(*(trial.held for trial in trials), strict=True)]
    covered = [float(kind.mean()) if len(kind) else None for kind in held]
    micro, pairs, categories, mixed = covered or (None, None, None, None)
    return ReplayLine(number, of, policy, len(trials), level, between, micro, pairs, categories, mixed, own)
