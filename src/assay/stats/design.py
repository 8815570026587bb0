"""The design effect: by how much items that come in units vary more, together, than as many independent ones.

    design_effects(influence, weights, rows, units=units, number=3)

An estimate from n items with the design effect d is as sure as one from n / d independent items (Kish 1965), so
intervals and tests of proportions take counts divided by it. An item's influence is what it adds to the error of a mean
p, (x - p) / n; in a unit influences add up before they are squared.

Six items in 3 units of two, both right / both wrong / one of each: p = 1/2, influences ±1/12, in units 1/6, -1/6 and 0.
Units vary by 3/2·2·(1/6)² = 1/12, items by 6/5·6·(1/12)² = 1/20, so d = 5/3; that 3 units tell little makes it more.
"""

import numpy as np
from numpy.typing import NDArray

from assay.stats.proportions import Z95, Floats, divide


def design_effects(
    influence: Floats, weights: Floats, rows: NDArray[np.intp], *, units: NDArray[np.intp], number: int
) -> Floats:
    """The design effect of each of `number` rows; `influence` and `weights` are items × systems.

    One for all systems of a row, since that of one alone is mostly noise where units are few: sums over systems of the
    variance by units, over that by items. It is at least 1, and at most what units of these weights can have, which is
    also what it is taken for where nothing varies. Where each item is its own unit it is exactly 1.
    """
    places, members = np.unique(np.stack([rows, units]), axis=1, return_inverse=True)
    together, weight = (_summed(values, members.reshape(-1), places.shape[1]) for values in (influence, weights))
    of_units = _variance(together, weight, places[0], number)
    of_items = _variance(influence, weights, rows, number)
    most = divide(
        _summed((weight**2).sum(axis=1, keepdims=True), places[0], number)[:, 0],
        _summed((weights**2).sum(axis=1, keepdims=True), rows, number)[:, 0],
    )
    there, items = (np.bincount(of, minlength=number) for of in (places[0], rows))
    # Few units tell little about how units vary: as with a quantile of t in the place of one of the normal distribution
    # (Korn and Graubard 1998), against as many items, for which no such thing is done.
    found = divide(of_units, of_items) * (_t95(there - 1) / _t95(items - 1)) ** 2
    # One unit says nothing about how units vary.
    known = ~np.isnan(found) & (there > 1)
    # Exactly 1, whatever the rounding of sums.
    alone = (there == items) | np.isnan(most)
    return np.where(alone, 1.0, np.clip(np.where(known, found, np.inf), 1.0, np.maximum(most, 1.0)))


def _t95(freedom: NDArray[np.intp]) -> Floats:
    """The two-sided 95 % point of Student's t by its expansion (Abramowitz and Stegun 26.7.5); good from 3 on."""
    z, v = Z95, np.maximum(freedom, 1).astype(np.float64)
    return np.asarray(
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def _variance(influence: Floats, weights: Floats, rows: NDArray[np.intp], number: int) -> Floats:
    """Σ over systems of n / (n - 1) · Σ influence², n the members of a row that count for the system."""
    sums = _summed(influence**2, rows, number)
    counted = _summed((weights > 0).astype(np.float64), rows, number)
    return np.asarray((sums * np.nan_to_num(divide(counted, counted - 1))).sum(axis=1))


def _summed(values: Floats, members: NDArray[np.intp], number: int) -> Floats:
    found = np.zeros((number, values.shape[1]))
    np.add.at(found, members, values)
    return found
