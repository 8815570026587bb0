"""Predictions of judgements: a logistic regression on what is known around a text, fitted to what was judged.

    prediction = predict(texts, pairs, judged)
    prediction.shares[texts.undecided]      # the chance that each would be judged right

Texts that no rule decides are not like those that rules decide: where nearly all of the latter are right, most of the
former may be wrong. So the model is fitted to judgements alone, and what rules say are signs among others. It is
small, so that a hundred judgements are enough, and pulled towards saying the same of every text. Texts are in five
parts, and those of a part, judged or not, are predicted from the judgements of the others alone: what is predicted of a
text never depends on whether it was judged, or how, so that the estimate stays unbiased whatever a model is worth.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.prediction.logistic import chances, fit_logistic
from assay.prediction.text_pairs import TextPairs, text_pairs
from assay.stats.proportions import Floats
from assay.verdicts import Verdict
from assay.verdicts.written_texts import WrittenTexts

PREDICTOR = "nearest-2"
"""Its name in signatures. Change it when predictions change."""

FOLDS = 5

NEVER_SURE = 0.01
"""A prediction lies so far from 0 and 1: a text that nobody has looked at may be a surprise."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Prediction:
    """The chance of each text to be judged right; only that of undecided and judged ones means something."""

    shares: Floats
    name: str = PREDICTOR


@dataclass(frozen=True, slots=True)
class Advice:
    """What somebody else thinks of texts, a language model for example: log-odds of a pass, 0 where nothing is said.

    It is one sign more, weighed as judgements say it deserves. It must not know how any text of the sample was judged.
    """

    odds: Floats
    name: str


Adviser = Callable[[WrittenTexts, Mask], Advice]
"""Asked about the undecided texts and those of the sample (the mask), whose verdicts it must not use."""


@dataclass(frozen=True, slots=True)
class Predictor:
    """Predicts the texts of a verdict table from those of a sample that were judged, with or without an adviser."""

    adviser: Adviser | None = None

    def __call__(self, texts: WrittenTexts, judged: Mask) -> Prediction:
        advice = self.adviser(texts, judged) if self.adviser else None
        return predict(texts, text_pairs(texts, wanted=texts.undecided | judged), judged, advice)


def predict(texts: WrittenTexts, pairs: TextPairs, judged: Mask, advice: Advice | None = None) -> Prediction:
    """Predict all texts; `judged` are those that were undecided, and then judged."""
    wanted = texts.undecided | judged
    passes = (texts.verdicts == Verdict.PASS).astype(np.float64)
    shares = np.zeros(len(passes))
    places, rows = _by_name(texts, np.flatnonzero(wanted)), _rows(texts)
    for fold in range(FOLDS):
        # The texts of an item stand together and are like each other: every fifth is left out, whatever its item.
        out = np.zeros(len(passes), bool)
        out[places[fold::FOLDS]] = True
        known = judged & ~out
        # Signs must not know what is left out either: from those of others a model can tell a verdict that they count.
        hidden = np.where(judged & out, Verdict.WARNING, texts.verdicts).astype(np.int8)
        signs = _signs(replace(texts, verdicts=hidden), pairs, known, *rows)
        if advice:
            signs = np.column_stack([signs, advice.odds])
        centre, spread = signs[wanted].mean(axis=0), signs[wanted].std(axis=0)
        signs = (signs - centre) / np.where(spread > 0, spread, 1.0)
        shares[out] = chances(signs[out], fit_logistic(signs[known], passes[known]))
    name = f"{PREDICTOR}+{advice.name}" if advice else PREDICTOR
    return Prediction(np.clip(shares, NEVER_SURE, 1 - NEVER_SURE), name)


def _by_name(texts: WrittenTexts, places: NDArray[np.intp]) -> NDArray[np.intp]:
    """The same texts by item id and text, so that who is left out with whom does not depend on the order of a table."""
    items, rows = texts.table.suite.items, texts.table.items
    names = {place: (items[rows[texts.rows[place]]].id, texts.texts[place]) for place in places.tolist()}
    return np.array(sorted(names, key=names.__getitem__), dtype=np.intp)


def _rows(texts: WrittenTexts) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The phenomenon and the category of each text, as numbers."""
    items = [texts.table.suite.items[position] for position in texts.table.items.tolist()]
    phenomena = _numbered([(item.category, item.phenomenon) for item in items])
    return phenomena[texts.rows], _numbered([item.category for item in items])[texts.rows]


def _signs(
    texts: WrittenTexts, pairs: TextPairs, judged: Mask, phenomena: NDArray[np.intp], categories: NDArray[np.intp]
) -> Floats:
    """What is known around each text, never from its own verdict; texts × signs."""
    passing, failing = texts.verdicts == Verdict.PASS, texts.verdicts == Verdict.FAIL
    decided = (passing | failing) & ~judged
    signs = [_vote(pairs, passing & known, failing & known) for known in (decided, judged)]
    signs += [_nearest(pairs, side, len(texts.texts)) for side in (passing, failing)]
    signs += [_rate(group, passing, judged) for group in (phenomena, texts.rows, categories)]
    counted = [np.bincount(phenomena, side & decided, minlength=phenomena.max() + 1) for side in (passing, failing)]
    signs.append((np.log(counted[0] + 1) - np.log(counted[1] + 1))[phenomena])
    signs.append(np.log(texts.outputs_of()))
    signs += _writers(texts, passing & decided, decided, texts.undecided | judged)
    return np.stack(signs, axis=1)


def _vote(pairs: TextPairs, passing: Mask, failing: Mask) -> Floats:
    """Log-odds of a pass by the known texts of the item, the nearest first."""
    # The cube, so that one very near text outvotes many that are only somewhat alike; 0.05 is that nobody votes.
    weights = pairs.alike**3
    sums = [
        np.bincount(pairs.first, weights * side[pairs.second], minlength=len(passing)) for side in (passing, failing)
    ]
    return np.asarray(np.log(sums[0] + 0.05) - np.log(sums[1] + 0.05))


def _nearest(pairs: TextPairs, side: Mask, number: int) -> Floats:
    """How alike the nearest text with this verdict is."""
    found = np.zeros(number)
    chosen = side[pairs.second]
    np.maximum.at(found, pairs.first[chosen], pairs.alike[chosen])
    return found


def _rate(group: NDArray[np.intp], passing: Mask, judged: Mask) -> Floats:
    """Log-odds of a pass among the judged texts of a group, less the text itself; few are pulled to the rate of all."""
    right = (passing & judged).astype(np.float64)
    size = group.max() + 1
    passes = np.bincount(group, right, minlength=size)[group] - right
    all_of = np.bincount(group, judged, minlength=size)[group] - judged
    overall = (right.sum() + 0.5) / (judged.sum() + 1)
    share = (passes + 2 * overall) / (all_of + 2)
    return np.asarray(np.log(share) - np.log1p(-share))


def _writers(texts: WrittenTexts, passes: Mask, decided: Mask, waiting: Mask) -> list[Floats]:
    """How good those are who wrote a text, by what rules decide, and how much of theirs is undecided."""
    written = texts.numbers >= 0
    numbers = np.where(written, texts.numbers, 0)
    right, known, open_ = ((values[numbers] & written).sum(axis=0) for values in (passes, decided, waiting))
    systems = (np.log(right + 1) - np.log(known - right + 1), np.log(open_ + 1) - np.log(known + 1))
    outputs = texts.outputs_of()
    return [
        np.bincount(texts.numbers[written], np.broadcast_to(of, written.shape)[written], len(outputs)) / outputs
        for of in systems
    ]


def _numbered(names: list[str] | list[tuple[str, str]]) -> NDArray[np.intp]:
    known: dict[object, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.intp)
