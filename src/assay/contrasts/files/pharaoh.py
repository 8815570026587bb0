"""Word links in Pharaoh's format: `0-0 1-2`, one line per sentence pair, (source, target) tokens from 0.

links = read(Path("system.align"), lines=1000, sizes={0: (12, 10)})
with writing(Path("copy.align")) as stream:
    write(links, stream)
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

from assay.contrasts.trees import Link, Links
from assay.errors import BadFile, UnpairedFile
from assay.files import read_lines

_LINK = re.compile(r"(\d+)-(\d+)", re.ASCII)


def read(path: Path, *, lines: int | None = None, sizes: Mapping[int, tuple[int, int]] | None = None) -> list[Links]:
    """The links of each line. `lines` is their required number; `sizes` the tokens (source, target) of some lines."""
    found = [_links(path, number, line) for number, line in enumerate(read_lines(path), start=1)]
    if lines is not None and len(found) != lines:
        raise UnpairedFile(
            path, f"{len(found):,} lines, and the source has {lines:,}", cure="one line of links per sentence pair"
        )
    for line, (source, target) in (sizes or {}).items():
        for link in found[line]:
            _check(path, line, link, (source, target))
    return found


def _links(path: Path, number: int, line: str) -> Links:
    links = []
    for written in line.split():
        link = _LINK.fullmatch(written)
        if link is None:
            raise BadFile(path, f"{written[:40]!r} is not a link", line=number, cure="links look like this: 0-0 1-2")
        links.append((int(link[1]), int(link[2])))
    return frozenset(links)


def _check(path: Path, line: int, link: Link, sizes: tuple[int, int]) -> None:
    for side, place, size in zip(("source", "target"), link, sizes, strict=True):
        if place >= size:
            raise BadFile(
                path,
                f"the link {link[0]}-{link[1]} is out of range: the {side} has {size} tokens",
                line=line + 1,
                cure="links count the tokens of the trees from 0, a multiword token as one",
            )


def write(links: Iterable[Links], stream: TextIO) -> None:
    """Write the links of each line."""
    for line in links:
        stream.write(" ".join(f"{source}-{target}" for source, target in sorted(line)) + "\n")
