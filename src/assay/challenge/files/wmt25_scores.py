"""Scores of WMT challenge sets: tables with a row for each hypothesis, as participants hand them in and get them back.

    values = read_wmt25(path, read_text(path), cases)

What is handed in has the texts; what organisers return has not, and its rows are grouped by system or by segment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from assay.challenge.case import Case, CaseSet
from assay.challenge.files.records import fold_foreign
from assay.challenge.files.score_columns import Values, number
from assay.errors import BadFile, UnknownName
from assay.languages import fits, split_pair
from assay.tsv import Record, header_of, plain_rows

WMT25_COLUMNS = (
    "doc_id",
    "segment_id",
    "source_lang",
    "target_lang",
    "set_id",
    "system_id",
    "source_segment",
    "hypothesis_segment",
    "reference_segment",
    "domain_name",
    "method",
)
_PREFIX = "challenge_"
"""What the organisers put before the name of a set."""
_TOGETHER = "check that set and scores belong together, in the same order"


def is_wmt25(text: str) -> bool:
    """Whether a text is a table of WMT25, with the texts or without."""
    header = set(header_of(text))
    return "system_id" in header and bool(header & {"hypothesis_segment", "segment_id"})


@dataclass(frozen=True, slots=True)
class _SystemRow:
    line: int
    row: Mapping[str, str]

    @property
    def segment(self) -> int | None:
        """The number of the segment, where it is one."""
        written = self.row.get("segment_id", "").strip()
        return int(written) if written.isdecimal() and len(written) < 10 else None


def read_wmt25(path: Path, text: str, cases: CaseSet) -> Values:
    """The score of every hypothesis, one case after the other; of a set with several language pairs for each apart."""
    places: dict[str, list[int]] = {}
    for place, case in enumerate(cases.cases):
        places.setdefault(case.langpair, []).append(place)
    if len(places) == 1:
        return _read_pair(path, text, cases)
    starts = np.cumsum([0, *(len(case.hypotheses) for case in cases.cases)])
    values = np.full(cases.size, np.nan)
    for numbers in places.values():
        part = replace(cases, cases=tuple(cases.cases[number] for number in numbers))
        at = np.concatenate([np.arange(starts[number], starts[number + 1]) for number in numbers])
        values[at] = _read_pair(path, text, part)
    return values


def _read_pair(path: Path, text: str, cases: CaseSet) -> Values:
    column = _score_column(path, header_of(text))
    counts = {len(case.hypotheses) for case in cases.cases}
    names = [hypothesis.name for hypothesis in cases.cases[0].hypotheses]
    if len(counts) > 1 or any([found.name for found in case.hypotheses] != names for case in cases.cases):
        raise BadFile(path, "the challenge items of the set have different hypotheses", cure="use a file with ids")
    rows: dict[str, list[_SystemRow]] = {name: [] for name in names}
    for line, row in _rows_of_set(path, text, cases):
        system = _system(row["system_id"].strip())
        if system in rows:
            rows[system].append(_SystemRow(line, row))
        # Tables of WMT25 hold other systems and references too; but a numbered hypothesis is one of a challenge set.
        elif system.startswith("hyp-"):
            raise BadFile(path, str(UnknownName("hypothesis", system, names)), line=line)
    columns = [_column(path, name, found, cases, column) for name, found in rows.items()]
    return np.array(columns, dtype=np.float64).T.reshape(-1)


def _system(written: str) -> str:
    """`hyp1` is hyp-1."""
    return f"hyp-{written[3:]}" if written.startswith("hyp") and written[3:].isdecimal() else written


def _column(path: Path, name: str, rows: list[_SystemRow], cases: CaseSet, column: str) -> list[float]:
    """The scores of a system in the order of the set."""
    ids = [row.segment for row in rows]
    if None not in ids and len({*ids}) == len(ids):
        rows = sorted(rows, key=lambda row: row.segment or 0)
    if len(rows) != len(cases):
        raise BadFile(
            path,
            f"{len(rows)} scores of {name} where {len(cases)} are expected{_gap(ids, len(cases))}",
            cure="there must be one for each challenge item, in the order of the set",
        )
    scores = []
    for row, case in zip(rows, cases.cases, strict=True):
        _check(path, row, case, name)
        scores.append(number(path, row.line, row.row[column]))
    return scores


def _gap(ids: Sequence[int | None], count: int) -> str:
    """Which segment is missing or there twice, where the numbers tell."""
    found = sorted(number for number in ids if number is not None)
    if not found or len(found) < len(ids):
        return ""
    twice = next((first for first, second in pairwise(found) if first == second), None)
    if twice is not None:
        return f": segment {twice} twice"
    # Numbers may go on from one language pair to the next; a set has as many as it has challenge items.
    gap = next((first + 1 for first, second in pairwise(found) if second > first + 1), None)
    if gap is None and len(found) < count:
        gap = found[-1] + 1 if found[0] == 1 else None
    return f": segment {gap} is missing" if gap is not None else ""


def _check(path: Path, row: _SystemRow, case: Case, name: str) -> None:
    """Whether a row is about a hypothesis of the case, by its text or its document."""
    if "hypothesis_segment" in row.row:
        text = next(found.text for found in case.hypotheses if found.name == name)
        if not same_text(row.row["hypothesis_segment"], text):
            raise other_texts(path, row.line, case.id)
    elif case.document and row.row.get("doc_id", "").strip() not in ("", case.document):
        raise BadFile(
            path,
            f"a score for the document {row.row['doc_id'].strip()!r} where challenge item {case.id!r} is of "
            f"{case.document!r}",
            line=row.line,
            cure=_TOGETHER,
        )


def same_text(cell: str, text: str) -> bool:
    """Whether a cell of somebody else's table is a text of the set."""
    found, expected = fold_foreign(cell), fold_foreign(text)
    # pandas writes NaN for an empty cell.
    return found == expected or (not expected and found == "NaN")


def other_texts(path: Path, line: int, identity: str) -> BadFile:
    """The error of scores that are not those of the set."""
    return BadFile(path, f"scores of other texts: not those of challenge item {identity!r}", line=line, cure=_TOGETHER)


def _score_column(path: Path, header: list[str]) -> str:
    others = [name for name in header if name and name not in WMT25_COLUMNS]
    for name in ("overall", "score"):
        if name in others:
            return name
    if len(others) != 1:
        problem = f"several columns may hold the score: {', '.join(others)}" if others else "no column with scores"
        raise BadFile(path, problem, line=1, cure="name it 'overall' or 'score'")
    return others[0]


def _rows_of_set(path: Path, text: str, cases: CaseSet) -> list[Record]:
    """The rows of this set and language pair; a file may have several of both."""
    rows = list(plain_rows(path, text))
    sets = {_set(row) for _, row in rows}
    if len(sets) > 1 and cases.name not in sets:
        raise BadFile(path, str(UnknownName("set", cases.name, sets)))
    rows = [(line, row) for line, row in rows if len(sets) < 2 or _set(row) == cases.name]
    pair = _pair_among(rows, cases, path)
    return [(line, row) for line, row in rows if pair is None or _pair(row) == pair]


def _set(row: Mapping[str, str]) -> str:
    return row.get("set_id", "").strip().removeprefix(_PREFIX)


def _pair(row: Mapping[str, str]) -> tuple[str, str]:
    return row.get("source_lang", "").strip(), row.get("target_lang", "").strip()


def _pair_among(rows: Sequence[Record], cases: CaseSet, path: Path) -> tuple[str, str] | None:
    """The pair of the set as the rows write it, `eng_Latn` for `en`; None where neither says one."""
    pairs = {_pair(row) for _, row in rows}
    source, target = split_pair(cases.langpair)
    if not cases.langpair or not rows or pairs == {("", "")}:
        return None
    if (source, target) in pairs:
        return source, target
    found = sorted(pair for pair in pairs if fits(source, pair[0]) and fits(target, pair[1]))
    if len(found) > 1:
        raise BadFile(
            path,
            f"rows of several language pairs may be those of {cases.langpair}: {', '.join(map('-'.join, found))}",
            cure="leave in the file those of the set",
        )
    if not found:
        raise BadFile(
            path,
            f"the scores are of {', '.join(sorted(map('-'.join, pairs)))}, and the set is of {cases.langpair}",
            line=rows[0][0],
            cure="name the scores of this direction",
        )
    return found[0]
