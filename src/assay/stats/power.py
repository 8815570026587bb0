"""How many items it takes to tell two systems apart.

A paired test sees only the items on which the two differ. Let a share `first` of the items be right for the first
system alone and `second` for the second alone. A one-sided test at level alpha finds the difference with probability
`power` on n = (z_alpha·sqrt(d) + z_power·sqrt(d − δ²))² / δ² items, d = first + second, δ = first − second (Connor
1987).
"""

from math import ceil, sqrt


def items_needed(first: float, second: float, *, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """Items for a paired one-sided test; None where the two do not differ, so that no number suffices."""
    difference, discordant = abs(first - second), first + second
    if difference == 0:
        return None
    from statistics import NormalDist  # which imports decimal and fractions, and only comparisons need it

    normal = NormalDist()
    spread = normal.inv_cdf(1 - alpha) * sqrt(discordant)
    # Mathematically never negative; rounding can make it so where the two differ on every item.
    spread += normal.inv_cdf(power) * sqrt(max(discordant - difference**2, 0))
    return ceil(spread**2 / difference**2)
