"""Names made fit to print, and places where labels do not touch.

distinct(["VolcTrans-AT", "a name that goes on and on and on"])  # ["VolcTrans-AT", "a name that go…n and on"]
spread([10, 11, 50], gap=12, low=0, high=100)                    # [4.5, 16.5, 50.0]
"""

import textwrap
from collections.abc import Iterable, Sequence

LONGEST = 24
ELLIPSIS = "…"


def clean(name: str) -> str:
    """One line of printable characters; an SVG may not hold the others."""
    return " ".join("".join(mark if mark.isprintable() else " " for mark in name).split()) or "?"


def shorten(name: str, longest: int = LONGEST) -> str:
    """Cut in the middle, since names differ in their ends: `Lan-Br…(WMT22)`."""
    if len(name) <= longest:
        return name
    tail = (longest - 1) // 3
    return name[: longest - 1 - tail] + ELLIPSIS + name[len(name) - tail :]


def distinct(names: Iterable[str], longest: int = LONGEST) -> list[str]:
    """A short label for every name, no two the same."""
    labels: list[str] = []
    for name in map(clean, names):
        label, number = shorten(name, longest), 2
        while label in labels:
            mark = f" ({number})"
            label, number = shorten(name, longest - len(mark)) + mark, number + 1
        labels.append(label)
    return labels


def wrapped(label: str, width: int) -> list[str]:
    """At most two lines, the second cut where it is too long."""
    first, *rest = textwrap.wrap(label, width, break_on_hyphens=False)
    return [first, shorten(" ".join(rest), width)] if rest else [first]


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Places at least `gap` apart within [low, high], the nearest to the wanted ones by least squares.

    With the gaps taken out the places need only stay in order, which is isotonic regression: neighbours in the wrong
    order share their mean (pool adjacent violators). Without room for all they stay apart and overrun `low`.
    """
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    blocks: list[tuple[float, int]] = []
    for rank, number in enumerate(order):
        mean, size = wanted[number] - rank * gap, 1
        while blocks and blocks[-1][0] >= mean:
            before, count = blocks.pop()
            mean, size = (before * count + mean * size) / (count + size), count + size
        blocks.append((mean, size))
    last = high - gap * (len(wanted) - 1)
    flat = [min(max(mean, low), last) for mean, size in blocks for _ in range(size)]
    places = [0.0] * len(wanted)
    for rank, number in enumerate(order):
        places[number] = flat[rank] + rank * gap
    return places
