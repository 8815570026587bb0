"""Two columns of scores, one for each hypothesis of a challenge set."""

import math
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.challenge.challenge_set import HYPOTHESES
from assay.errors import BadFile, UnknownName
from assay.files import split_lines

Values = NDArray[np.float64]


def number(path: Path, line: int, cell: str) -> float:
    """A score as written; `NaN`, `None` and an empty cell mean that there is none."""
    found = parsed_score(cell)
    if found is None:
        raise BadFile(path, f"{cell.strip()!r} is not a number", line=line, cure=cure_for(cell.strip()))
    return found


def as_values(rows: Iterable[Sequence[float]]) -> Values:
    return np.array(list(rows), dtype=np.float64).reshape(-1, 2)


def read_blocks(path: Path, text: str, count: int) -> Values:
    """mt-metrics-eval `.seg.score`: lines `SYSTEM SCORE`, a block for each system; only hyp-1 and hyp-2 count."""
    columns: dict[str, list[float]] = {name: [] for name in HYPOTHESES}
    for line, row in enumerate(split_lines(text), start=1):
        cells = row.split()
        if cells and len(cells) != 2:
            raise BadFile(path, "not SYSTEM and SCORE", line=line, cure="write them with a tab between")
        if cells and cells[0] in columns:
            columns[cells[0]].append(number(path, line, cells[1]))
    return both_columns(path, columns, count)


def read_systems(path: Path, text: str, count: int, names: Collection[str]) -> dict[str, list[float]]:
    """mt-metrics-eval `.seg.score` of any systems: system -> its scores, in the order of the set."""
    columns: dict[str, list[float]] = {}
    for line, row in enumerate(split_lines(text), start=1):
        cells = row.split()
        if not cells:
            continue
        if len(cells) != 2:
            raise BadFile(path, "not SYSTEM and SCORE", line=line, cure="write them with a tab between")
        if cells[0] not in names:
            raise BadFile(path, str(UnknownName("hypothesis", cells[0], names)), line=line)
        columns.setdefault(cells[0], []).append(number(path, line, cells[1]))
    for name, found in columns.items():
        if len(found) != count:
            raise BadFile(
                path,
                f"{len(found)} scores of {name} where {count} are expected",
                cure="there must be one for each challenge item, in the order of the set; None where there is none",
            )
    return columns


def both_columns(path: Path, columns: dict[str, list[float]], count: int) -> Values:
    for name, found in columns.items():
        if len(found) != count:
            raise BadFile(
                path,
                f"{len(found)} scores of {name} where {count} are expected",
                cure="there must be one for each challenge item, in the order of the set",
            )
    return as_values(zip(*columns.values(), strict=True))


def parsed_score(cell: str) -> float | None:
    """A score, NaN for none; None where it is neither."""
    written = cell.strip()
    if written.lower() in _NO_SCORE:
        return math.nan
    try:
        # Python reads 1_000 as a number; nobody writes that into a score file.
        found = float("" if "_" in written else written)
    except ValueError:
        return None
    # Nothing can be counted with an infinite score: it is the trace of a division by zero.
    return found if math.isfinite(found) else None


def cure_for(written: str) -> str:
    point = written.replace(",", ".")
    # 0,75 is a decimal comma; 0.5,0.75 and 1,2,3 are lists.
    if "." not in written and parsed_score(point) is not None:
        return f"write a point instead of the comma: {point}"
    if "," in written and None not in map(parsed_score, written.split(",")):
        return "separate numbers with a tab or a space"
    return "write NaN where a metric has no score"


_NO_SCORE = ("", "nan", "none")
