"""Scores that others made for a challenge set: mt-metrics-eval, WMT25 and ACES files, and plain columns of numbers.

    values = read_blocks(path, read_text(path), len(challenge))

All return one row per challenge item, the scores of its first and its second translation; NaN where there is none.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from assay.challenge.challenge_set import HYPOTHESES, ChallengeItem, ChallengeSet
from assay.challenge.files import aces
from assay.challenge.files.records import fold_foreign
from assay.challenge.files.score_columns import Values, as_values, both_columns, number, parsed_score
from assay.errors import BadFile, UnknownName
from assay.files import split_lines
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


def read_columns(path: Path, text: str, count: int) -> Values:
    """Two numbers a line (hyp-1, hyp-2), or one: all of hyp-1, then all of hyp-2."""
    rows = [line.split("\t") if "\t" in line else line.split() for line in split_lines(text)]
    # Words that are no number (`nan` is one): a header, for which the count of lines would be off by one.
    if rows[0] and all(cell.strip()[:1].isalpha() and parsed_score(cell) is None for cell in rows[0]):
        raise BadFile(path, f"{' '.join(rows[0])[:60]!r} is no score", line=1, cure="leave the header line out")
    # A blank line is a missing score, so the width is decided by all lines together.
    width = 2 if any(len(row) == 2 for row in rows) else 1
    odd = next((at for at, row in enumerate(rows, 1) if row and len(row) != width), None)
    if odd is not None:
        raise BadFile(
            path, f"{len(rows[odd - 1])} cells", line=odd, cure="write two numbers on every line, or one on every line"
        )
    expected = count if width == 2 else 2 * count
    if len(rows) != expected:
        raise BadFile(
            path,
            f"{len(rows)} lines where {expected} are expected",
            cure=f"write hyp-1 and hyp-2 on {count} lines, or {2 * count} lines: all of hyp-1, then all of hyp-2",
        )
    numbers = [[number(path, at, cell) for cell in row or [""] * width] for at, row in enumerate(rows, 1)]
    if width == 2:
        return as_values(numbers)
    scores = [score for (score,) in numbers]
    return as_values(zip(scores[:count], scores[count:], strict=True))


def is_wmt25(text: str) -> bool:
    return {"system_id", "hypothesis_segment"} <= set(header_of(text))


def read_wmt25(path: Path, text: str, challenge: ChallengeSet) -> Values:
    """The scored TSV of WMT25: rows of each system in the order of the set, whose texts they must have."""
    column = _score_column(path, header_of(text))
    scores: dict[str, list[float]] = {name: [] for name in HYPOTHESES}
    for line, row in _rows_of_set(path, text, challenge):
        system = row["system_id"].strip()
        # Files of WMT25 hold other systems too; only hyp-1 and hyp-2 are the set.
        if system not in scores:
            continue
        at = len(scores[system])
        scores[system].append(number(path, line, row[column]))
        # Beyond that the count is wrong, which `both_columns` reports better.
        if at < len(challenge):
            item = challenge.items[at]
            text_of = item.second if system == HYPOTHESES[1] else item.first
            if not _same(row["hypothesis_segment"], text_of):
                raise _other_texts(path, line, item)
    return both_columns(path, scores, len(challenge))


def _score_column(path: Path, header: list[str]) -> str:
    others = [name for name in header if name and name not in WMT25_COLUMNS]
    for name in ("overall", "score"):
        if name in others:
            return name
    if len(others) != 1:
        problem = f"several columns may hold the score: {', '.join(others)}" if others else "no column with scores"
        raise BadFile(path, problem, line=1, cure="name it 'overall' or 'score'")
    return others[0]


def _rows_of_set(path: Path, text: str, challenge: ChallengeSet) -> Iterator[Record]:
    """The rows of this set and language pair; a file may have several of both."""
    rows = list(plain_rows(path, text))
    sets = {row.get("set_id", "").strip() for _, row in rows}
    if len(sets) > 1 and challenge.name not in sets:
        raise BadFile(path, str(UnknownName("set", challenge.name, sets)))
    rows = [(line, row) for line, row in rows if len(sets) < 2 or row["set_id"].strip() == challenge.name]
    pair = _pair_among({_pair(row) for _, row in rows}, challenge, path)
    return ((line, row) for line, row in rows if pair is None or _pair(row) == pair)


def _pair(row: Mapping[str, str]) -> tuple[str, str]:
    return row.get("source_lang", "").strip(), row.get("target_lang", "").strip()


def _pair_among(pairs: set[tuple[str, str]], challenge: ChallengeSet, path: Path) -> tuple[str, str] | None:
    """The pair of the set as the rows write it, `eng_Latn` for `en`; None where no row has it."""
    source, target = split_pair(challenge.langpair)
    if (source, target) in pairs:
        return source, target
    found = sorted(pair for pair in pairs if fits(source, pair[0]) and fits(target, pair[1]))
    if len(found) > 1:
        raise BadFile(
            path,
            f"rows of several language pairs may be those of {challenge.langpair}: {', '.join(map('-'.join, found))}",
            cure="leave in the file those of the set",
        )
    return found[0] if found else None


def read_aces(path: Path, text: str, challenge: ChallengeSet) -> dict[str, Values]:
    """A scored ACES table: metric -> values. The texts tell which score belongs to which translation."""
    header = header_of(text)
    metrics = aces.metrics_in(header)
    if not metrics:
        raise BadFile(path, "no scores", line=1, cure="they stand in columns METRIC-good and METRIC-bad")
    rows = list(plain_rows(path, text))
    if len(rows) != len(challenge):
        raise BadFile(path, f"{len(rows)} rows where {len(challenge)} are expected", cure="score the whole set")
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in metrics}
    for (line, row), item in zip(rows, challenge.items, strict=True):
        good_is_first = _good_is_first(path, line, dict(row), item)
        for name, pairs in found.items():
            good, bad = (number(path, line, row[f"{name}-{side}"]) for side in ("good", "bad"))
            pairs.append((good, bad) if good_is_first else (bad, good))
    return {name: as_values(pairs) for name, pairs in found.items()}


def _good_is_first(path: Path, line: int, row: dict[str, str], item: ChallengeItem) -> bool:
    if not {aces.GOOD, aces.BAD} <= row.keys():
        if item.correct is None:
            raise BadFile(
                path,
                "the set is blind, and nothing tells which translation is called good here",
                line=line,
                cure=f"keep the columns {aces.GOOD} and {aces.BAD}",
            )
        return item.correct == 1
    # Two equal texts fit both ways; then the label decides.
    for first, second, is_first in sorted(
        [(aces.GOOD, aces.BAD, True), (aces.BAD, aces.GOOD, False)], key=lambda way: way[2] != (item.correct != 2)
    ):
        if _same(row[first], item.first) and _same(row[second], item.second):
            return is_first
    raise _other_texts(path, line, item)


def _same(cell: str, text: str) -> bool:
    found, expected = fold_foreign(cell), fold_foreign(text)
    # pandas writes NaN for an empty cell.
    return found == expected or (not expected and found == "NaN")


def _other_texts(path: Path, line: int, item: ChallengeItem) -> BadFile:
    return BadFile(
        path,
        f"scores of other texts: not those of challenge item {item.id!r}",
        line=line,
        cure="check that set and scores belong together, in the same order",
    )
