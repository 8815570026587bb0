"""Texts whose verdict is known, and which of them are hidden in a replay.

    known = known_texts(table).prepared(0.3, "evenly")
    hidden = known.hide(np.random.default_rng(1))

Exact rules are what linguists judged once. Hidden are only texts that nothing else decides, as they were when somebody
judged them: one that a pattern decides too would never have been undecided.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from assay.errors import BadOption
from assay.evaluation.tally import Grouping, groupings
from assay.prediction import Advice, Adviser, TextPairs, text_pairs
from assay.stats.proportions import Floats
from assay.verdicts import RuleJudge, Verdict, VerdictTable
from assay.verdicts.written_texts import WrittenTexts, written_texts

Mask = NDArray[np.bool_]
Places = NDArray[np.intp]

Hiding = Literal["evenly", "failing", "one-system"]
HIDINGS: tuple[Hiding, ...] = get_args(Hiding)
"""Any text may be hidden; wrong ones more often; one system's more often."""

TIMES_FAILING = 3
"""How much more often hidden texts are wrong than the others."""

TIMES_UNDECIDED = 5
"""How many more undecided outputs the one system has than the others."""


@dataclass(frozen=True)
class KnownTexts:
    """The texts of items that are decided for all systems.

    `chances` are how likely each text is hidden: 0 where anything but exact rules decides it.
    """

    texts: WrittenTexts
    pairs: TextPairs
    categories: Grouping
    chances: Floats
    advice: Advice | None = None

    def advised(self, adviser: Adviser) -> Self:
        """With what an adviser says, to whom all that can be hidden is hidden."""
        hideable = self.chances > 0
        verdicts = np.where(hideable, Verdict.WARNING, self.texts.verdicts).astype(np.int8)
        return replace(self, advice=adviser(replace(self.texts, verdicts=verdicts), hideable))

    @property
    def hidden(self) -> int:
        """How many texts are hidden each time."""
        return sum(number for number, _ in self._portions())

    def prepared(self, share: float, hiding: Hiding) -> Self:
        """With the chances to hide a `share` of what can be hidden."""
        hideable = self.chances > 0
        if hiding == "evenly":
            return replace(self, chances=np.where(hideable, share, 0.0))
        chances = self._failing if hiding == "failing" else self._one_system
        return replace(self, chances=chances(share, hideable))

    def _failing(self, share: float, hideable: Mask) -> Floats:
        """Hidden texts are wrong three times as often as those that are not hidden."""
        failing = self.texts.verdicts == Verdict.FAIL
        wrong, right = (np.count_nonzero(hideable & of) for of in (failing, ~failing))
        number = share * (wrong + right)
        # x / number = 3 (all wrong - x) / (all - number), solved for x.
        bad = TIMES_FAILING * number * failing.sum() / (len(failing) + (TIMES_FAILING - 1) * number)
        if bad > wrong or number - bad > right:
            raise BadOption(
                f"hidden texts cannot be wrong {TIMES_FAILING} times as often as others: of {wrong + right:,} that can "
                f"be hidden {wrong:,} are wrong, and {number:.0f} are to be hidden; try a smaller --share"
            )
        return np.where(hideable, np.where(failing, bad / max(wrong, 1), (number - bad) / max(right, 1)), 0.0)

    def _one_system(self, share: float, hideable: Mask) -> Floats:
        """Hidden are texts that one system alone wrote, and so few others that it has five times their warnings."""
        written = self.texts.numbers >= 0
        numbers = np.where(written, self.texts.numbers, 0)
        own = hideable[numbers] & written & (self.texts.outputs_of()[numbers] == 1)
        system = int(own.sum(axis=0).argmax())
        alone = np.zeros(len(hideable), bool)
        alone[numbers[own[:, system], system]] = True
        outputs = ((hideable & ~alone)[numbers] & written).sum(axis=0)
        others = np.delete(outputs, system)
        # own + p · its other outputs = 5 · p · the outputs of another one, solved for p.
        hidden = share * np.count_nonzero(alone)
        needed = TIMES_UNDECIDED * (others.mean() if len(others) else 0.0) - outputs[system]
        if not 0 < hidden <= needed:
            raise BadOption(
                f"no system can have {TIMES_UNDECIDED} times the undecided outputs of others: too few of the texts "
                "that can be hidden were written by one system alone"
            )
        return np.where(hideable, np.where(alone, share, hidden / needed), 0.0)

    def _portions(self) -> Iterator[tuple[int, Places]]:
        """How many are hidden of which texts; always the same number, whatever the draw."""
        for chance in np.unique(self.chances[self.chances > 0]).tolist():
            places = np.flatnonzero(self.chances == chance)
            yield max(1, round(chance * len(places))), places

    def hide(self, chance: np.random.Generator) -> Mask:
        """Which texts are hidden this time."""
        hidden = np.zeros(len(self.chances), bool)
        for number, places in self._portions():
            hidden[chance.choice(places, size=number, replace=False)] = True
        return hidden

    def redrawn(self, chance: np.random.Generator) -> Self:
        """As many items, drawn from these with replacement: other items of their kind. One drawn twice is two items."""
        texts, number = self.texts, len(self.texts.table.items)
        chosen = np.sort(chance.integers(number, size=number))
        ends = np.searchsorted(texts.rows, np.arange(number + 1))
        sizes = np.diff(ends)[chosen]
        places = _ranges(ends[chosen], sizes)
        # What a text's number grows by, for each item drawn.
        shift = np.cumsum(sizes) - sizes - ends[chosen]
        numbers = np.where(texts.numbers[chosen] >= 0, texts.numbers[chosen] + shift[:, None], -1)
        table = texts.table
        moved = WrittenTexts(
            replace(table, items=table.items[chosen], verdicts=table.verdicts[chosen]),
            np.repeat(np.arange(number), sizes),
            [texts.texts[place] for place in places.tolist()],
            texts.verdicts[places],
            texts.judged[places],
            numbers,
        )
        of_pairs = texts.rows[self.pairs.first]
        order = np.argsort(of_pairs, kind="stable")
        starts = np.searchsorted(of_pairs[order], np.arange(number + 1))
        lengths = np.diff(starts)[chosen]
        kept = order[_ranges(starts[chosen], lengths)]
        shifts = np.repeat(shift, lengths)
        pairs = TextPairs(self.pairs.first[kept] + shifts, self.pairs.second[kept] + shifts, self.pairs.alike[kept])
        categories = Grouping(self.categories.members[chosen], self.categories.names)
        advice = replace(self.advice, odds=self.advice.odds[places]) if self.advice else None
        return replace(
            self, texts=moved, pairs=pairs, categories=categories, chances=self.chances[places], advice=advice
        )


def known_texts(table: VerdictTable) -> KnownTexts:
    """What of a verdict table can be replayed; items with a text that is undecided even now have no truth."""
    decided = (table.verdicts != Verdict.WARNING).all(axis=1)
    known = replace(table, items=table.items[decided], verdicts=table.verdicts[decided])
    texts = written_texts(known)
    hideable = _undecided_otherwise(texts)
    if not hideable.any():
        raise BadOption(
            "there is nothing to hide: no text is decided by exact rules or judgements alone, on an item that is "
            "decided for all systems"
        )
    categories = groupings(known.suite, known.items)["category"]
    return KnownTexts(texts, text_pairs(texts, wanted=hideable), categories, hideable.astype(np.float64))


def _undecided_otherwise(texts: WrittenTexts) -> Mask:
    """The texts that an exact rule decides, and no pattern would."""
    items = [texts.table.suite.items[position] for position in texts.table.items.tolist()]
    places = np.flatnonzero(texts.judged).tolist()
    asked = {int(texts.rows[place]) for place in places}
    bare = {row: replace(items[row], rules=tuple(r for r in items[row].rules if r.kind != "exact")) for row in asked}
    judge = RuleJudge(bare.values())
    found = np.zeros(len(texts.texts), bool)
    for place in places:
        found[place] = judge.judge(bare[int(texts.rows[place])], texts.texts[place]).verdict == Verdict.WARNING
    return found


def _ranges(starts: Places, lengths: Places) -> Places:
    """start, start + 1, … for each start, one after the other."""
    return np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
