"""Word links in Pharaoh's format: `0-0 1-2`, one line per sentence pair, (source, target) tokens from 0.

links = read(Path("system.align"), lines=1000, sizes={0: (12, 10)})
"""

import re
from collections.abc import Mapping
from pathlib import Path

from assay.contrasts.trees import Links
from assay.errors import BadFile, UnpairedFile
from assay.files import read_lines

_LINK = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)

Sizes = tuple[int, int]
"""How many tokens source and target have."""


def read(path: Path, *, lines: int | None = None, sizes: Mapping[int, Sizes] | None = None) -> list[Links]:
    """The links of each line. `lines` is their required number; `sizes` the tokens of some lines, from 0."""
    written = read_lines(path)
    if lines is not None and len(written) != lines:
        raise UnpairedFile(
            path, f"{len(written):,} lines, and the source has {lines:,}", cure="one line of links per sentence pair"
        )
    return [parse(path, place, line, (sizes or {}).get(place)) for place, line in enumerate(written)]


def parse(path: Path, place: int, line: str, sizes: Sizes | None) -> Links:
    """The links of one line, the `place` of which counts from 0; they must be between tokens that are there."""
    links = []
    for written in line.split():
        numbers = _LINK.fullmatch(written)
        if numbers is None:
            raise BadFile(path, f"{written[:40]!r} is not a link", line=place + 1, cure="links look like this: 0-0 1-2")
        link = int(numbers[1]), int(numbers[2])
        for side, token, size in zip(("source", "target"), link, sizes or (), strict=False):
            if token >= size:
                raise BadFile(
                    path,
                    f"the link {written} is out of range: the {side} has {size} tokens",
                    line=place + 1,
                    cure="links count the tokens of the trees from 0, a multiword token as one",
                )
        links.append(link)
    return frozenset(links)
