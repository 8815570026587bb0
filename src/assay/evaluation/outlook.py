"""What more judgements of a draw would bring: how wide intervals will be, and when two systems can be told apart.

    outlook = Outlook.of(texts, draw, sampled, spread)
    outlook.widest(150)                     # half of the widest interval of a system, and of a difference
    outlook.number_for(0.005)               # judgements until no system's interval is wider than ±0.5 points

Only the chances of texts depend on how many are judged. Everything else stays as it is today: predictions, how far
judgements lie from them, the differences between systems. Before anything of a draw is judged, judgements are taken to
vary as those made before it did, and where there are none by 0.16, as where one in five texts is wrong (or right).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.tally import Grouping
from assay.stats.priorities import inclusion
from assay.stats.proportions import Z95, Floats, upper_tail
from assay.verdicts import Verdict
from assay.verdicts.draw import Draw, Sampled
from assay.verdicts.written_texts import WrittenTexts

ASSUMED = 0.16
"""p (1 - p) with p = 0.8."""

_ASSUMED_TEXTS = 10
"""How many texts judged before it takes until they say as much as what is assumed without them."""


@dataclass(frozen=True)
class Outlook:
    """Sizes of the texts of a draw (0 for those that are decided), and how much a judgement of each varies.

    `waiting` are those that come next, in order; texts are numbered as in `WrittenTexts`.
    """

    texts: WrittenTexts
    sampled: Sampled
    sizes: Floats
    spread: Floats
    waiting: NDArray[np.intp]

    @classmethod
    def of(cls, texts: WrittenTexts, draw: Draw, sampled: Sampled, spread: Floats | None = None) -> "Outlook":
        """As things are now; `spread` is how much judgements vary around predictions, where something is judged."""
        places = texts.places()
        unknown = texts.undecided
        unknown[sampled.judged] = True
        sizes = np.zeros(len(texts.texts))
        for text in draw.texts:
            place = places.get((text.item, text.text))
            if place is not None and unknown[place]:
                sizes[place] = text.size
        varies = np.where(sizes > 0, _assumed(texts) if spread is None else spread, 0.0)
        waiting = np.array([places[text.item, text.text] for text in sampled.next], dtype=np.intp)
        return cls(texts, sampled, sizes, varies, waiting)

    @property
    def judged(self) -> int:
        return len(self.sampled.judged)

    @property
    def most(self) -> int:
        """Judgements when all that waits is judged."""
        return self.judged + len(self.sampled.next)

    @property
    def least(self) -> int:
        """Judgements before there is an estimate."""
        return max(self.judged + self.sampled.missing, 1)

    def chances(self, number: int) -> Floats:
        """The chance of each text to be judged, with so many judgements in all."""
        waiting, more = self.sampled.next, number - self.judged
        chances = inclusion(self.sizes, waiting[more].priority if more < len(waiting) else 0.0)
        return np.where(self.sizes > 0, chances * number / (number + self.sampled.skipped), 1.0)

    def variances(self, number: int) -> Floats:
        """The variance that each text adds, with so many judgements in all."""
        chances = self.chances(number)
        return np.asarray((1 - chances) / chances * self.spread)

    def widest(self, number: int) -> tuple[float, float]:
        """Half of the widest 95 % interval of a system's micro-average, and of a difference of two; these items."""
        variances, left = (self._summed(of) for of in (self.variances(number), self._left(number)))
        # Nothing is further off than if all that is not judged were right, or wrong.
        halves = [
            np.minimum(Z95 * np.sqrt(varies), most / 2).max() for varies, most in zip(variances, left, strict=True)
        ]
        return float(halves[0]) / len(self.texts.table.items), float(halves[1]) / len(self.texts.table.items)

    def _left(self, number: int) -> Floats:
        """1 for each text that is still undecided after so many judgements: the order is known."""
        left = (self.texts.undecided & (self.sizes > 0)).astype(np.float64)
        left[self.waiting[: number - self.judged]] = 0.0
        return left

    def _summed(self, values: Floats) -> tuple[Floats, Floats]:
        """Sums over the texts of each system, and over those that only one of two wrote: what both wrote cancels."""
        shared = self._wrote.T @ (values[:, None] * self._wrote)
        own = np.diag(shared)
        return own, np.maximum(own[:, None] + own[None, :] - 2 * shared, 0.0)

    def number_for(self, half: float) -> int | None:
        """The fewest judgements with which no system's interval is wider; None where skipped texts forbid it."""
        return self._fewest(lambda number: self.widest(number)[0] <= half)

    def number_to_tell(
        self,
        first: int,
        second: int,
        grouping: Grouping,
        *,
        difference: float,
        by_items: float,
        widening: float,
        floor: float,
        alpha: float,
    ) -> int | None:
        """The fewest judgements with which two systems differ significantly in the mean over the rows of a level.

        `by_items` is the variance of the difference that stays when all is judged, `widening` and `floor` are what
        that by texts is widened by today. None: judging is not enough.
        """
        if not difference:
            return None
        found = np.bincount(grouping.members, minlength=len(grouping.names))
        weights = 1 / (found * np.count_nonzero(found))[grouping.members]
        apart = self._wrote[:, first] != self._wrote[:, second]
        shares = np.where(apart, weights[self.texts.rows] ** 2, 0.0)

        def told_apart(number: int) -> bool:
            by_texts = float(shares @ self.variances(number))
            variance = by_items + (widening * by_texts + floor if by_texts else 0.0)
            return variance == 0 or float(upper_tail(abs(difference) / np.sqrt(variance))) < alpha

        return self._fewest(told_apart)

    @cached_property
    def _wrote(self) -> Floats:
        """Texts × systems: 1 where a system wrote a text."""
        numbers = self.texts.numbers
        found = np.zeros((len(self.texts.texts), numbers.shape[1]))
        for column in range(numbers.shape[1]):
            found[numbers[numbers[:, column] >= 0, column], column] = 1.0
        return found

    def _fewest(self, enough: Callable[[int], bool]) -> int | None:
        """The fewest judgements that are enough; more are never worse."""
        low, high = max(self.least, self.judged), self.most
        if high < low or not enough(high):
            return None
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle + 1, high)
        return high


def _assumed(texts: WrittenTexts) -> float:
    """How much judgements vary, by those that are no part of the draw: what nobody but a linguist decided is alike."""
    right = np.count_nonzero(texts.judged & (texts.verdicts == Verdict.PASS))
    share = (right + _ASSUMED_TEXTS * 0.8) / (np.count_nonzero(texts.judged) + _ASSUMED_TEXTS)
    return float(share * (1 - share))
