"""Priority sampling: a few of many things are looked at, in an order in which every beginning is a valid sample.

Thing t has a size w and a permanent random number u in (0, 1]; its priority is w / u. With the n things of highest
priority looked at, and τ the priority of the next one, each stands for 1 / π things, π = min(1, w / τ). Sums over any
subset are then unbiased, and estimates of two things are uncorrelated (Duffield, Lund and Thorup, Journal of the ACM
54(6), 2007).
"""

from collections.abc import Iterable
from hashlib import sha256

import numpy as np

from assay.stats.proportions import Floats

HEAVIEST = 25.0
"""The most that one thing may stand for."""

FEWEST = 4
"""Things to be looked at, at least, before anything is estimated: three say nothing about how much things vary."""


def permanent_numbers(seed: int, names: Iterable[tuple[str, ...]]) -> Floats:
    """A random number in (0, 1] for each name, the same whenever it is asked for."""
    found = []
    for name in names:
        digest = sha256("\0".join((str(seed), *name)).encode(errors="surrogatepass")).digest()
        # 53 bits, all that a float holds; plus one, since 0 would be an endless priority.
        found.append(((int.from_bytes(digest[:8]) >> 11) + 1) / 2**53)
    return np.array(found, dtype=np.float64)


def inclusion(sizes: Floats, threshold: float) -> Floats:
    """The chance of each thing to be in a sample whose next one has this priority; 0 where nothing is left."""
    return np.minimum(1.0, sizes / threshold) if threshold > 0 else np.ones_like(sizes)
