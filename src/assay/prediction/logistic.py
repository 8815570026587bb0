"""Logistic regression with a ridge: few numbers learnt from few judgements.

weights = fit_logistic(signs, passes)
chances(signs, weights)                 # of a pass, for each row of signs
"""

import numpy as np

from assay.stats.proportions import Floats

RIDGE = 4.0
"""How strongly weights are pulled to 0, in judgements. Chosen by replay of WMT21 and WMT22."""


def fit_logistic(signs: Floats, passes: Floats, counts: Floats | None = None, *, ridge: float = RIDGE) -> Floats:
    """The weights, that of the constant first, by Newton's method. Row k counts `counts[k]` times, or once."""
    rows = np.column_stack([np.ones(len(signs)), signs])
    times = np.ones(len(signs)) if counts is None else counts
    # The constant is all but free: the rate of passes is what is known best.
    pull = np.diag([0.1, *([ridge] * signs.shape[1])])
    weights = np.zeros(rows.shape[1])
    for _ in range(25):
        shares = _logistic(rows @ weights)
        slope = rows.T @ (times * (passes - shares)) - pull @ weights
        curve = (rows * (times * shares * (1 - shares))[:, None]).T @ rows + pull
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def chances(signs: Floats, weights: Floats) -> Floats:
    """The chance of a pass for each row of signs."""
    return _logistic(weights[0] + signs @ weights[1:])


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
