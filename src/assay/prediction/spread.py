"""How far judgements lie from what was predicted of them, on average: what intervals of an estimate are made of.

    spread(texts, prediction, judged)       # E (y - f)² of each text, f what is predicted of it

With p the chance of a pass that is p (1 - f)² + (1 - p) f². Were predictions what they promise, p would be f. But they
are drawn towards each other, and few are sure; and a text that many systems wrote, which weighs most in a sum over
outputs, is right far more often than the texts that most judgements are of, those of a single system. So p is f
corrected by what was judged: log-odds to which a constant, a multiple of these log-odds and one of the logarithm of how
many wrote a text are added, all three drawn towards 0.
"""

import numpy as np
from numpy.typing import NDArray

from assay.prediction.logistic import chances, fit_logistic
from assay.prediction.model import NEVER_SURE, Prediction
from assay.stats.proportions import Floats
from assay.verdicts import Verdict
from assay.verdicts.written_texts import WrittenTexts

_RIDGE = 1.0
"""How strongly a correction is drawn to 0: as by four judgements that are wholly unsure. Not fitted to anything."""


def spread(texts: WrittenTexts, prediction: Prediction, judged: NDArray[np.bool_]) -> Floats:
    """The mean squared error of each text's prediction; only that of undecided and judged ones means something."""
    predicted = prediction.shares
    passes = (texts.verdicts == Verdict.PASS).astype(np.float64)
    sure = np.clip(predicted, NEVER_SURE, 1 - NEVER_SURE)
    odds = np.log(sure) - np.log1p(-sure)
    signs = np.column_stack([odds, np.log(texts.outputs_of())])
    weights = fit_logistic(signs[judged], passes[judged], ridge=_RIDGE, odds=odds[judged])
    share = chances(signs, weights, odds)
    number = np.count_nonzero(judged)
    # What is fitted to judgements lies nearer to them than to others, as in any regression.
    free = number / (number - _fitted(signs[judged], share[judged]))
    return np.asarray(free * (share * (1 - predicted) ** 2 + (1 - share) * predicted**2))


def _fitted(signs: Floats, share: Floats) -> float:
    """How many numbers a ridge leaves free to be fitted: fewer than there are judgements."""
    rows = np.column_stack([np.ones(len(signs)), signs])
    curve = (rows * (share * (1 - share))[:, None]).T @ rows
    return float(np.trace(np.linalg.solve(curve + _RIDGE * np.eye(len(curve)), curve)))
