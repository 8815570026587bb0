"""Scores of sets that are more than pairs: an array with the score of every hypothesis, one case after the other.

    values = read_long(path, lines, cases)

Assay's own file has a line `id, hypothesis, score` for each, below the line that says what it is.
"""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assay.challenge.case import CaseSet
from assay.challenge.files.score_columns import Values, number, parsed_score, read_systems
from assay.errors import BadFile
from assay.files import split_lines
from assay.text import fold
from assay.tsv import plain_rows

COLUMNS = ("id", "hypothesis", "score")


def keys_of(cases: CaseSet) -> list[str]:
    """What stands before the score of each hypothesis in Assay's file."""
    return [f"{fold(case.id)}\t{fold(found.name)}" for case in cases.cases for found in case.hypotheses]


def read_table(path: Path, text: str, cases: CaseSet) -> Values:
    """A table with the columns `id`, `hypothesis` and `score`, in any order."""
    places = {tuple(key.split("\t")): place for place, key in enumerate(keys_of(cases))}
    values = np.full(len(places), np.nan)
    seen: dict[int, int] = {}
    for line, row in plain_rows(path, text):
        key = fold(row["id"]), fold(row["hypothesis"])
        if key not in places:
            raise BadFile(
                path,
                f"the set has no hypothesis {key[1]!r} of {key[0]!r}",
                line=line,
                cure="leave out what is not in it",
            )
        at = places[key]
        if at in seen:
            raise BadFile(path, f"the score of line {seen[at]} once more", line=line, cure="give every score once")
        seen[at], values[at] = line, number(path, line, row["score"])
    if len(seen) < len(places):
        missing = next(key for key, place in places.items() if place not in seen)
        raise BadFile(
            path,
            f"{len(seen)} of {len(places)} scores, none for {missing[1]!r} of {missing[0]!r}",
            cure="write NaN where a metric has no score",
        )
    return values


def read_blocks_of_all(path: Path, text: str, cases: CaseSet) -> Values:
    """mt-metrics-eval `.seg.score` with a block for each hypothesis."""
    names = _names(path, cases)
    columns = read_systems(path, text, len(cases), names)
    missing = next((name for name in names if name not in columns), None)
    if missing is not None:
        raise BadFile(path, f"no scores of {missing}", cure="there must be a block for each hypothesis")
    return np.array([columns[name] for name in names], dtype=np.float64).T.reshape(-1)


def _names(path: Path, cases: CaseSet) -> list[str]:
    found = {tuple(hypothesis.name for hypothesis in case.hypotheses) for case in cases.cases}
    if len(found) > 1:
        raise BadFile(
            path,
            "the challenge items of the set have different hypotheses",
            cure=f"write a table with the columns {', '.join(COLUMNS)}",
        )
    return list(found.pop())


def read_numbers(path: Path, text: str, cases: CaseSet) -> Values:
    """A number for each hypothesis on a line for each case; or one a line, all of the first hypothesis first."""
    names = _names(path, cases)
    lines = split_lines(text)
    rows = [line.split("\t") if "\t" in line else line.split() for line in lines]
    if rows[0] and all(cell.strip()[:1].isalpha() and parsed_score(cell) is None for cell in rows[0]):
        raise BadFile(path, f"{' '.join(rows[0])[:60]!r} is no score", line=1, cure="leave the header line out")
    wide = [row or [""] * len(names) for row in rows]
    if len(wide) == len(cases) and all(len(row) == len(names) for row in wide):
        return _numbers(path, wide).reshape(-1)
    if len(rows) == cases.size and all(len(row) <= 1 for row in rows):
        return _numbers(path, [row or [""] for row in rows]).reshape(len(names), len(cases)).T.reshape(-1)
    raise BadFile(
        path,
        f"{len(rows)} lines, and the set has {len(cases)} challenge items of {len(names)} hypotheses",
        cure=f"write {len(names)} numbers on {len(cases)} lines, or {cases.size} lines: all of {names[0]} first",
    )


def _numbers(path: Path, rows: Sequence[Sequence[str]]) -> Values:
    return np.array([[number(path, line, cell) for cell in row] for line, row in enumerate(rows, 1)], dtype=np.float64)


def written(score: float) -> str:
    """To the last bit; `NaN` as other score files have it."""
    return "NaN" if math.isnan(score) else repr(float(score))
