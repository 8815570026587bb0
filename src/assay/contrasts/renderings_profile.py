"""A profile counted again from a file of renderings, without trees: what the browser shows of a run.

for part in file_profile(read(Path("renderings.tsv"))):
    print(part.construction.finding, part.table.title, len(part.examples))
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.contrasts.files.renderings import RenderedKeyword
from assay.contrasts.profile import ConstructionProfile, ContrastProfile
from assay.contrasts.profile_numbers import construction_profile
from assay.contrasts.profile_report import construction_table
from assay.contrasts.records import Construction
from assay.contrasts.renderings import UNKNOWN, RenderingTable
from assay.errors import BadOption
from assay.reports.table import Table

EXAMPLES = 3
"""For each rendering and translation."""


@dataclass(frozen=True, slots=True)
class ProfiledConstruction:
    """One construction of a file: its numbers, its table, and some of its lines."""

    construction: ConstructionProfile
    table: Table
    examples: list[RenderedKeyword]


def file_profile(lines: Sequence[RenderedKeyword], *, seed: int = 1) -> list[ProfiledConstruction]:
    """The profiles of all constructions in a file."""
    found = []
    for name in dict.fromkeys(line.construction for line in lines):
        own = [line for line in lines if line.construction == name]
        # People first, as in the file of a run.
        systems = list(dict.fromkeys(line.system for line in sorted(own, key=lambda line: line.kind != "translator")))
        people = {line.system for line in own if line.kind == "translator"}
        table = _table(name, own, systems)
        profile = construction_profile(table, systems, np.array([system in people for system in systems]), (), seed)
        found.append(ProfiledConstruction(profile, construction_table(profile, name), _examples(own)))
    return found


def profiled(found: ContrastProfile, lines: Sequence[RenderedKeyword]) -> list[ProfiledConstruction]:
    """The same of a run that has just been made; `lines` are its renderings."""
    made = []
    for one in found.constructions:
        own = [line for line in lines if line.construction == one.name]
        made.append(ProfiledConstruction(one, construction_table(one, one.name), _examples(own)))
    return made


def _table(name: str, lines: Sequence[RenderedKeyword], systems: Sequence[str]) -> RenderingTable:
    names = tuple(dict.fromkeys(line.rendering for line in lines if line.rendering))
    keywords = {keyword: row for row, keyword in enumerate(dict.fromkeys(line.keyword for line in lines))}
    codes = np.full((len(keywords), len(systems)), -1 - UNKNOWN.index("missing"), np.int8)
    for line in lines:
        code = names.index(line.rendering) if line.rendering else -1 - _reason(line.unknown)
        codes[keywords[line.keyword], systems.index(line.system)] = code
    places = np.array([_place(keyword) for keyword in keywords], np.int64)
    return RenderingTable(
        Construction(name, ()), names, places[:, 0], places[:, 1], codes, np.full(codes.shape, -1, np.int32)
    )


def _place(keyword: str) -> tuple[int, int]:
    sentence, _, word = keyword.partition(":")
    if not sentence.isdecimal() or not word.isdecimal():
        raise BadOption(f"{keyword!r} is no keyword; it is written sentence:word, both from 1")
    return int(sentence) - 1, int(word) - 1


def _reason(unknown: str) -> int:
    known = [str(reason) for reason in UNKNOWN]
    return known.index(unknown) if unknown in known else known.index("missing")


def _examples(lines: Sequence[RenderedKeyword]) -> list[RenderedKeyword]:
    """A few of every rendering and translation, in the order of renderings."""
    chosen: dict[tuple[str, str], list[RenderedKeyword]] = {}
    for line in lines:
        own = chosen.setdefault((line.rendering, line.system), [])
        if line.rendering and len(own) < EXAMPLES:
            own.append(line)
    return [line for key in sorted(chosen) for line in chosen[key]]
