"""Scores of metrics for a challenge set: Assay's own file, which grows while a metric runs, and those of others.

    with ScoreJournal(Path("chrF.scores.tsv"), challenge, header) as journal:
        journal.append(rows)        # of the challenge items from number `journal.done` on
    read_scores("chrF.scores.tsv", challenge, lower_is_better=(), groups={})

A line `# {…}` says what was scored with what; then TSV: `id`, `hyp-1`, `hyp-2`, or of sets that are more than pairs
`id`, `hypothesis`, `score`.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np

from assay.challenge.case import CaseSet
from assay.challenge.challenge_set import HYPOTHESES, METRIC_GROUPS, ChallengeSet, MetricGroup, MetricScores
from assay.challenge.files import aces, flat_scores, foreign_scores, wmt25_scores
from assay.challenge.files.flat_scores import written
from assay.challenge.files.score_columns import Values, as_values, number, read_blocks
from assay.challenge.pairs import cases_of, scorable
from assay.errors import BadFile, BadOption
from assay.files import bare_name, read_text, split_lines, write_bytes
from assay.journal import JournalFile, whole_lines, writing_errors
from assay.json_lines import Fields
from assay.outputs import NamedFile
from assay.text import fold
from assay.tsv import header_of

_COLUMNS = "\t".join(("id", *HYPOTHESES))
_FLAT_COLUMNS = "\t".join(flat_scores.COLUMNS)
_MARK = "# {"
"""How score files of Assay begin; those of others are told by their names and columns."""
_ABOVE = 2
"""Lines above the scores."""
_BEGINNING = b'# {"metric": '
"""How the first line begins: a file that was cut within it is known as one of Assay's by that much."""
_ELSEWHERE = "delete it or write elsewhere"
_AGAIN = "score anew with --again, or write elsewhere"


@dataclass(frozen=True, slots=True)
class ScoreHeader:
    """What scores depend on: the metric with its signature, and the hash of the set."""

    metric: str
    group: MetricGroup
    higher_is_better: bool
    signature: str
    set_hash: str

    def __str__(self) -> str:
        return self.above(_COLUMNS)

    def above(self, columns: str) -> str:
        """The lines above the scores."""
        return f"# {json.dumps(asdict(self))}\n{columns}\n"


class ScoreJournal(JournalFile):
    """A score file that is written piece by piece, and continued where an interrupted run left off.

    What is there must have been made with the same set, metric and signature; a group or direction that has changed
    since is written down. A last line without its end is dropped, and a file without scores is as good as none. With
    `again` the first scores replace what is there. `kept` counts the challenge items whose scores are from before.
    """

    def __init__(self, path: Path, challenge: ChallengeSet, header: ScoreHeader, *, again: bool = False) -> None:
        # A gzip file cannot be cut after its last complete line.
        if path.suffix == ".gz":
            raise BadOption(f"{path}: scores are added line by line and cannot be compressed; choose another suffix")
        self.path = path
        self._header = header
        self._flat = challenge.origin is not None
        self._ids = _keys(challenge)
        with writing_errors(path):
            there = path.read_bytes() if path.exists() else b""
            lines = self._lines_in(there)
            self.rows = [] if again else self._take_up(lines, challenge)
            self.kept = len(self.rows)
            self._useless = len(lines) <= _ABOVE
            # Another header, or half a line at the end: replaced as a whole, since a run may be killed here too.
            if self.rows and there != self._lines(self.rows):
                write_bytes(self._lines(self.rows), path)
        super().__init__(path)

    def _lines_in(self, there: bytes) -> list[str]:
        """The complete lines of what is there; an error where it is not a score file."""
        # Cut before the first score, or empty: nothing to continue, and nothing of somebody else's to protect.
        if there.count(b"\n") < _ABOVE and (there.startswith(_BEGINNING) or _BEGINNING.startswith(there)):
            return []
        try:
            lines = split_lines(whole_lines(there).decode())
        except UnicodeDecodeError:
            raise BadFile(self.path, "not a score file", cure=_ELSEWHERE) from None
        _header_of(self.path, lines)
        return lines

    def _take_up(self, lines: Sequence[str], challenge: ChallengeSet) -> list[tuple[float, float]]:
        """The scores in the lines; those of another set or metric are an error."""
        if len(lines) <= _ABOVE:
            return []
        header = _header_of(self.path, lines)
        _check_set(self.path, header, challenge)
        for name in ("metric", "signature"):
            mine, found = getattr(self._header, name), getattr(header, name)
            if mine != found:
                raise BadFile(self.path, f"scores with another {name}: {found}, not {mine}", cure=_AGAIN)
        return _read_rows(self.path, lines, challenge)

    @property
    def done(self) -> int:
        """For how many challenge items there are scores."""
        return len(self.rows)

    @property
    def values(self) -> Values:
        """The scores so far."""
        return as_values(self.rows)

    def append(self, rows: Sequence[tuple[float, float]]) -> None:
        """Add the scores of the next challenge items; they are on the disk when this returns."""
        # Only now, with scores to write, does what is there go: an interruption before would have lost it for nothing.
        if not self.done:
            self.truncate(0)
        self.write_lines(self._lines(rows, start=self.done))
        self.rows += rows

    def _lines(self, rows: Sequence[tuple[float, float]], start: int = 0) -> bytes:
        """What stands in the file for the challenge items from a number on; before the first, what it is."""
        ids = self._ids[start : start + len(rows)]
        columns = _FLAT_COLUMNS if self._flat else _COLUMNS
        lines = [
            f"{identity}\t{written(a)}\n" if self._flat else f"{identity}\t{written(a)}\t{written(b)}\n"
            for identity, (a, b) in zip(ids, rows, strict=True)
        ]
        return "".join([self._header.above(columns) if not start else "", *lines]).encode()

    def close(self) -> None:
        """Close the file; one that has got no scores is removed."""
        super().close()
        # One that had scores before stays, also where `again` was to replace them and nothing came.
        if self._useless and not self.rows:
            self.path.unlink(missing_ok=True)


def _keys(challenge: ChallengeSet) -> list[str]:
    """What stands before the scores of each line."""
    if challenge.origin is not None:
        return flat_scores.keys_of(challenge.origin.cases)
    return [fold(item.id) for item in challenge.items]


def _header_of(path: Path, lines: Sequence[str]) -> ScoreHeader:
    if not lines or not lines[0].startswith(_MARK) or lines[1:2] not in ([], [_COLUMNS], [_FLAT_COLUMNS]):
        raise BadFile(path, "not a score file of Assay", cure=_ELSEWHERE)
    try:
        record = json.loads(lines[0].removeprefix("# "))
    except (ValueError, RecursionError):
        raise BadFile(path, "the first line is broken", line=1, cure=_ELSEWHERE) from None
    fields = Fields(path, 1, record)
    group = cast(MetricGroup, fields.one_of("group", METRIC_GROUPS))
    return ScoreHeader(
        fields.text("metric"), group, fields.flag("higher_is_better"), fields.text("signature"), fields.text("set_hash")
    )


def hash_of(challenge: ChallengeSet) -> str:
    """Of what is scored: the pairs, or the hypotheses of the cases that they come from."""
    return challenge.hash if challenge.origin is None else challenge.origin.cases.hash


def _check_set(path: Path, header: ScoreHeader, challenge: ChallengeSet) -> None:
    expected = hash_of(challenge)
    if header.set_hash != expected:
        raise BadFile(
            path,
            f"scores of another challenge set (hash {header.set_hash}, not {expected})",
            cure="score this set into another folder, or with --again",
        )


def _read_rows(path: Path, lines: Sequence[str], challenge: ChallengeSet) -> list[tuple[float, float]]:
    """The scores in the lines below the header."""
    ids, flat = _keys(challenge), challenge.origin is not None
    rows: list[tuple[float, float]] = []
    for line, row in enumerate(lines[_ABOVE:], start=_ABOVE + 1):
        cells = row.split("\t")
        key = "\t".join(cells[: 2 if flat else 1])
        if len(cells) != 3 or len(rows) == len(ids) or key != ids[len(rows)]:
            expected = f"challenge item {ids[len(rows)]!r}" if len(rows) < len(ids) else "the end"
            raise BadFile(path, f"{row[:60]!r} stands where {expected} is expected", line=line, cure=_ELSEWHERE)
        # The score of a hypothesis stands for both texts of its challenge item.
        rows.append((number(path, line, cells[-1 if flat else 1]), number(path, line, cells[-1])))
    return rows


def read_scores(
    argument: str,
    challenge: ChallengeSet,
    *,
    lower_is_better: Collection[str],
    groups: Mapping[str, MetricGroup],
) -> list[MetricScores]:
    """The scores in `[NAME=]FILE`, of several metrics where the file has them.

    `lower_is_better` and `groups` are about metrics by name, and go before what a file says.
    """
    given = NamedFile.parse(argument)
    found = _read(given, read_text(given.path), challenge)
    if challenge.origin is not None:
        places = np.array(challenge.origin.places, dtype=np.intp).reshape(-1, 2)
        found = [replace(scores, values=scores.values[places]) for scores in found]
    return _as_told(given, found, lower_is_better=lower_is_better, groups=groups)


def read_case_scores(
    argument: str,
    cases: CaseSet,
    *,
    lower_is_better: Collection[str],
    groups: Mapping[str, MetricGroup],
) -> list[MetricScores]:
    """As `read_scores`, but `values` has the score of every hypothesis, one case after the other."""
    given = NamedFile.parse(argument)
    view = scorable(cases)
    found = _read(given, read_text(given.path), view)
    if view.origin is None:
        found = [replace(scores, values=scores.values.reshape(-1)) for scores in found]
    return _as_told(given, found, lower_is_better=lower_is_better, groups=groups)


def _as_told(
    given: NamedFile,
    found: list[MetricScores],
    *,
    lower_is_better: Collection[str],
    groups: Mapping[str, MetricGroup],
) -> list[MetricScores]:
    if given.name and len(found) > 1:
        raise BadOption(f"{given.path} holds the scores of {len(found)} metrics; give it without {given.name}=")
    return [
        replace(
            scores,
            name=name,
            group=groups.get(name, scores.group),
            higher_is_better=scores.higher_is_better and name not in lower_is_better,
        )
        for scores in found
        for name in [given.name or scores.name]
    ]


def _read(given: NamedFile, text: str, challenge: ChallengeSet) -> list[MetricScores]:
    """The scores of pairs or, of a set that is more than pairs, of every hypothesis in turn."""
    path, count, name = given.path, len(challenge), bare_name(given.path)
    if text.startswith(_MARK):
        return [_read_complete(path, text, challenge)]
    if wmt25_scores.is_wmt25(text):
        values = wmt25_scores.read_wmt25(path, text, cases_of(challenge))
        shape = -1 if challenge.origin is not None else (-1, 2)
        return [MetricScores(given.system_name, values.reshape(shape), _group_by_folder(path))]
    if challenge.origin is not None:
        return [_read_flat(given, text, challenge.origin.cases)]
    if name.endswith(".seg.score"):
        return [_of_segments(name, read_blocks(path, text, count))]
    _check_level(path, name)
    if aces.is_aces(text) or aces.metrics_in(header_of(text)):
        return [
            MetricScores(metric, values) for metric, values in foreign_scores.read_aces(path, text, challenge).items()
        ]
    return [MetricScores(given.system_name, foreign_scores.read_columns(path, text, count))]


def _of_segments(name: str, values: Values) -> MetricScores:
    """As mt-metrics-eval names them: METRIC-REFERENCE.seg.score, where the reference `src` means none."""
    metric, dash, reference = name.removesuffix(".seg.score").rpartition("-")
    return MetricScores(metric if dash else reference, values, "qe" if reference == "src" else "reference-based")


def _check_level(path: Path, name: str) -> None:
    if name.endswith(".score") and name.split(".")[-2] in ("sys", "doc", "domain"):
        raise BadFile(path, "not scores of segments", cure="name the file that ends in .seg.score")


def _group_by_folder(path: Path) -> MetricGroup:
    """Organisers return scores in the folders baseline, primary and secondary."""
    return "baseline" if path.parent.name == "baseline" else "reference-based"


def _read_flat(given: NamedFile, text: str, cases: CaseSet) -> MetricScores:
    path, name = given.path, bare_name(given.path)
    if name.endswith(".seg.score"):
        return _of_segments(name, flat_scores.read_blocks_of_all(path, text, cases))
    _check_level(path, name)
    if set(flat_scores.COLUMNS) <= set(header_of(text)):
        return MetricScores(given.system_name, flat_scores.read_table(path, text, cases))
    return MetricScores(given.system_name, flat_scores.read_numbers(path, text, cases))


def _read_complete(path: Path, text: str, challenge: ChallengeSet) -> MetricScores:
    # The lines that have an end; Windows may have changed it.
    lines = split_lines(text[: text.rfind("\n") + 1])
    header = _header_of(path, lines)
    _check_set(path, header, challenge)
    rows = _read_rows(path, lines, challenge)
    origin = challenge.origin
    expected, what = (len(challenge), "challenge items") if origin is None else (origin.cases.size, "hypotheses")
    if len(rows) < expected:
        raise BadFile(
            path, f"scores of {len(rows)} of {expected} {what}", cure="run `assay challenge score` again to finish it"
        )
    values = as_values(rows) if origin is None else as_values(rows)[:, 0]
    return MetricScores(header.metric, values, header.group, header.higher_is_better, header.signature)
