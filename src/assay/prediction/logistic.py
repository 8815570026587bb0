"""Logistic regression with a ridge: few numbers learnt from few judgements.

weights = fit_logistic(signs, passes)
chances(signs, weights)                 # of a pass, for each row of signs

Where somebody has said something of each row already, the weights say what to add to that: `odds` are its log-odds.
"""

import numpy as np

from assay.stats.proportions import Floats

RIDGE = 4.0
"""How strongly weights are pulled to 0, in judgements. Chosen by replay of WMT21 and WMT22."""


def fit_logistic(
    signs: Floats,
    passes: Floats,
    counts: Floats | None = None,
    *,
    ridge: float = RIDGE,
    odds: Floats | None = None,
) -> Floats:
    """The weights, that of the constant first, by Newton's method. Row k counts `counts[k]` times, or once."""
    rows = np.column_stack([np.ones(len(signs)), signs])
    times = np.ones(len(signs)) if counts is None else counts
    given = np.zeros(len(signs)) if odds is None else odds
    # The constant is all but free, since the rate of passes is what is known best; unless it is known already.
    pull = np.diag([0.1 if odds is None else ridge, *([ridge] * signs.shape[1])])
    weights = np.zeros(rows.shape[1])
    for _ in range(25):
        shares = _logistic(given + rows @ weights)
        slope = rows.T @ (times * (passes - shares)) - pull @ weights
        curve = (rows * (times * shares * (1 - shares))[:, None]).T @ rows + pull
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def chances(signs: Floats, weights: Floats, odds: Floats | None = None) -> Floats:
    """The chance of a pass for each row of signs."""
    return _logistic((0.0 if odds is None else odds) + weights[0] + signs @ weights[1:])


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
