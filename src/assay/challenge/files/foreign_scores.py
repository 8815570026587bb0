"""Scores that others made for a set of pairs: ACES files, and plain columns of numbers.

    values = read_columns(path, read_text(path), len(challenge))

All return one row per challenge item, the scores of its first and its second translation; NaN where there is none.
"""

from pathlib import Path

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.challenge.files import aces
from assay.challenge.files.score_columns import Values, as_values, number, parsed_score
from assay.challenge.files.wmt25_scores import other_texts, same_text
from assay.errors import BadFile
from assay.files import split_lines
from assay.tsv import header_of, plain_rows


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


def read_aces(path: Path, text: str, challenge: ChallengeSet) -> dict[str, Values]:
    """A scored ACES table: metric -> values. The texts tell which score belongs to which translation."""
    header = header_of(text)
    metrics = aces.metrics_in(header)
    if not metrics:
        raise BadFile(path, "no scores", line=1, cure="they stand in columns METRIC-good and METRIC-bad")
    rows = list(plain_rows(path, text, doubled=True))
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
        if same_text(row[first], item.first) and same_text(row[second], item.second):
            return is_first
    raise other_texts(path, line, item.id)
