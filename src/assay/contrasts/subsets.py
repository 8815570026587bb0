"""Named subsets of the keywords that a run tests: a list of ids, or a suite that a linguist has refined.

    subset = read_subset("refined", Path("refined.txt"))
    part = restrict(judged, subset)

A list has an id (`12:5`, sentence and word from 1) or the number of a sentence (`12`, all its keywords) in each line;
empty lines and comments behind a `#` are ignored. The suite is one that `assay contrasts find` wrote for the same
source.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assay.contrasts.judge import JudgedContrasts
from assay.contrasts.trees import Tree
from assay.errors import BadFile, BadOption
from assay.files import read_lines
from assay.suites import load_suite

_LONGEST_ID = 19
_ID = re.compile(r"[1-9]\d{0,8}(:[1-9]\d{0,8})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class SubsetKey:
    """The id of an item, or the number of a sentence; with the source text if it is known."""

    id: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Subset:
    """A named selection of the keywords of a source."""

    name: str
    wanted: tuple[SubsetKey, ...]
    path: Path


def read_subset(name: str, path: Path) -> Subset:
    """A list of ids, or a suite folder."""
    if path.is_dir():
        suite = load_suite(path)
        return Subset(name, tuple(SubsetKey(item.id, item.source) for item in suite.items), path)
    found = []
    for number, line in enumerate(read_lines(path), start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        if not _ID.fullmatch(text):
            raise BadFile(path, f"{text[:40]!r} is not an id", line=number, cure="write sentence:word, or a sentence")
        found.append(SubsetKey(text))
    if not found:
        raise BadFile(path, "there are no ids in the file", cure="write one per line, like 12:5")
    return Subset(name, tuple(found), path)


def restrict(judged: JudgedContrasts, subset: Subset) -> JudgedContrasts:
    """Only the items of a subset."""
    sources = {item.id: item.source for item in judged.suite.items}
    wanted = {one.id: one for one in subset.wanted}
    places = [
        place
        for place, item in enumerate(judged.suite.items)
        # `12:5` itself, or the whole sentence `12`.
        if item.id in wanted or item.id.partition(":")[0] in wanted
    ]
    if not places:
        raise BadOption(
            f"{subset.path}: the subset {subset.name} has none of the {len(sources):,} keywords of this run"
        )
    _check_sources(subset, sources)
    return _pick(judged, places, subset.name)


def check_in_source(subset: Subset, sources: Mapping[int, Tree]) -> None:
    """Refuse an id of a sentence or word that the source does not have."""
    for one in subset.wanted:
        line, _, word = one.id.partition(":")
        # A suite may have other ids; those are simply not found.
        if len(one.id) > _LONGEST_ID or not line.isdecimal() or (word and not word.isdecimal()):
            continue
        tree = sources.get(int(line) - 1)
        if tree is None:
            problem = f"there is no sentence {line}, the source has {len(sources):,}"
        elif word and int(word) > len(tree):
            problem = f"the sentence {line} has {len(tree)} words"
        else:
            continue
        raise BadFile(subset.path, f"{one.id} is not in the source: {problem}", cure="take ids of this source")


def absent(subset: Subset, judged: JudgedContrasts) -> int:
    """How many of a subset's items this run does not test, because it has no expectation for them."""
    known = {name for item in judged.suite.items for name in (item.id, item.id.partition(":")[0])}
    return sum(one.id not in known for one in subset.wanted)


def _check_sources(subset: Subset, sources: Mapping[str, str]) -> None:
    for one in subset.wanted:
        if one.source and one.id in sources and one.source.split() != sources[one.id].split():
            raise BadFile(
                subset.path,
                f"the item {one.id} has another sentence than line {one.id.partition(':')[0]} of the source",
                cure="take a suite that was found in this source",
            )


def _pick(judged: JudgedContrasts, places: list[int], name: str) -> JudgedContrasts:
    codes = judged.outputs.codes[places]
    used = np.unique(codes[codes >= 0])
    picked = judged.outputs.of_items(places)
    suite = replace(
        judged.suite,
        items=tuple(judged.suite.items[place] for place in places),
        # The name goes into the version, and so into every signature.
        version=f"{judged.suite.version}/{name}",
    )
    findings = [judged.findings[code] for code in used.tolist()]
    return JudgedContrasts(suite, picked, findings, [judged.occurrences[place] for place in places])
