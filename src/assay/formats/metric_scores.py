"""Scores of metrics for a challenge set: Assay's own file, which grows while a metric runs, and those of others.

    with ScoreJournal(Path("chrF.scores.tsv"), challenge, header) as journal:
        journal.append(rows)        # of the challenge items from number `journal.done` on
    read_scores("chrF.scores.tsv", challenge, lower_is_better=(), groups={})

A line `# {…}` says what was scored with what; then TSV: `id`, `hyp-1`, `hyp-2`.
"""

import json
import math
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, NoReturn, Self, cast

from assay.formats import aces, foreign_scores
from assay.formats.files import bare_name, read_text, split_lines
from assay.formats.foreign_scores import Values, as_values, number
from assay.formats.json_fields import Fields
from assay.formats.plain_tsv import header_of
from assay.formats.submissions import Given
from assay.model import BadFile, BadOption
from assay.model.challenge import HYPOTHESES, METRIC_GROUPS, ChallengeSet, MetricGroup, MetricScores
from assay.model.text import fold

_COLUMNS = "\t".join(("id", *HYPOTHESES))
_MARK = "# {"
_ELSEWHERE = "delete it or write elsewhere"


class ScoreHeader(NamedTuple):
    """What scores depend on: the metric with its signature, and the hash of the set."""

    metric: str
    group: MetricGroup
    higher_is_better: bool
    signature: str
    set_hash: str

    def __str__(self) -> str:
        return f"# {json.dumps(self._asdict())}\n{_COLUMNS}\n"


class _OwnFile(NamedTuple):
    header: ScoreHeader
    rows: list[tuple[float, float]]


class ScoreJournal:
    """A score file that is written piece by piece, and continued where an interrupted run left off.

    What is there must have been made with the same set and metric. A last line without its end is dropped.
    """

    def __init__(self, path: Path, challenge: ChallengeSet, header: ScoreHeader) -> None:
        if path.suffix == ".gz":
            raise BadOption(f"{path}: scores are added line by line and cannot be compressed; choose another suffix")
        self.path = path
        self.rows: list[tuple[float, float]] = []
        self._ids = [fold(item.id) for item in challenge.items]
        try:
            self._stream = path.open("r+b" if path.exists() else "x+b", buffering=0)
        except OSError as error:
            self._fail(error)
        try:
            kept = self._take_up(self._stream.read(), challenge, header)
            self._stream.truncate(kept)
            self._stream.seek(kept)
            if not kept:
                self._write(str(header).encode())
        except OSError as error:
            self._stream.close()
            self._fail(error)
        except BaseException:
            self._stream.close()
            raise

    def _take_up(self, there: bytes, challenge: ChallengeSet, header: ScoreHeader) -> int:
        """Read what is there; the number of bytes to keep."""
        if str(header).encode().startswith(there):
            return len(there) if there.endswith(_COLUMNS.encode() + b"\n") else 0
        kept = there.rfind(b"\n") + 1
        try:
            own = _read_own(self.path, there[:kept].decode(), challenge)
        except UnicodeDecodeError:
            raise BadFile(self.path, "not a score file", cure=_ELSEWHERE) from None
        for name, mine, found in zip(header._fields, header, own.header, strict=True):
            if mine != found:
                raise BadFile(
                    self.path, f"scores with another {name.replace('_', ' ')}: {found}, not {mine}", cure=_ELSEWHERE
                )
        self.rows = own.rows
        return kept if there.count(b"\n", 0, kept) > 1 else 0

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
        ids = self._ids[self.done : self.done + len(rows)]
        lines = [f"{identity}\t{_written(a)}\t{_written(b)}\n" for identity, (a, b) in zip(ids, rows, strict=True)]
        self._write("".join(lines).encode())
        self.rows += rows

    def _write(self, content: bytes) -> None:
        try:
            while content:
                content = content[self._stream.write(content) :]
            os.fsync(self._stream.fileno())
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> NoReturn:
        if isinstance(error, FileNotFoundError):
            raise BadFile(
                self.path, f"cannot be written: there is no folder {self.path.parent}", cure="make it first"
            ) from None
        raise BadFile(self.path, f"cannot be written ({error.strerror})") from None

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _written(score: float) -> str:
    """To the last bit; `NaN` as other score files have it."""
    return "NaN" if math.isnan(score) else repr(float(score))


def _read_own(path: Path, text: str, challenge: ChallengeSet) -> _OwnFile:
    """The complete lines of an own file, checked against the set."""
    lines = text.split("\n")[:-1]
    if not lines or not lines[0].startswith(_MARK) or (len(lines) > 1 and lines[1] != _COLUMNS):
        raise BadFile(path, "not a score file of Assay", cure=_ELSEWHERE)
    header = _read_header(path, lines[0])
    if header.set_hash != challenge.hash:
        raise BadFile(
            path,
            f"scores of another challenge set (hash {header.set_hash}, not {challenge.hash})",
            cure="delete it, or write the scores of this set to another file",
        )
    ids = [fold(item.id) for item in challenge.items]
    rows: list[tuple[float, float]] = []
    for line, row in enumerate(lines[2:], start=3):
        cells = row.split("\t")
        if len(cells) != 3 or len(rows) == len(ids) or cells[0] != ids[len(rows)]:
            expected = f"challenge item {ids[len(rows)]!r}" if len(rows) < len(ids) else "the end"
            raise BadFile(path, f"{row[:60]!r} stands where {expected} is expected", line=line, cure=_ELSEWHERE)
        rows.append((number(path, line, cells[1]), number(path, line, cells[2])))
    return _OwnFile(header, rows)


def _read_header(path: Path, line: str) -> ScoreHeader:
    try:
        record = json.loads(line.removeprefix("# "))
    except (ValueError, RecursionError):
        raise BadFile(path, "the first line is broken", line=1, cure=_ELSEWHERE) from None
    fields = Fields(path, 1, record)
    group = cast(MetricGroup, fields.one_of("group", METRIC_GROUPS))
    return ScoreHeader(
        fields.text("metric"), group, fields.flag("higher_is_better"), fields.text("signature"), fields.text("set_hash")
    )


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
    given = Given.parse(argument)
    path, text = given.path, read_text(given.path)
    found = _read(given, path, text, challenge)
    if given.name and len(found) > 1:
        raise BadOption(f"{path} holds the scores of {len(found)} metrics; give it without {given.name}=")
    named = [(given.name or scores.name, scores) for scores in found]
    return [
        MetricScores(
            name,
            scores.values,
            groups.get(name, scores.group),
            scores.higher_is_better and name not in lower_is_better,
            scores.signature,
        )
        for name, scores in named
    ]


def _read(given: Given, path: Path, text: str, challenge: ChallengeSet) -> list[MetricScores]:
    count, name = len(challenge), bare_name(path)
    if text.startswith(_MARK):
        return [_read_complete(path, text, challenge)]
    if name.endswith(".seg.score"):
        metric, dash, reference = name.removesuffix(".seg.score").rpartition("-")
        values = foreign_scores.read_blocks(path, text, count)
        return [MetricScores(metric if dash else reference, values, "qe" if reference == "src" else "reference-based")]
    if name.endswith(".score") and name.split(".")[-2] in ("sys", "doc", "domain"):
        raise BadFile(path, "not scores of segments", cure="name the file that ends in .seg.score")
    if aces.is_aces(text) or aces.metrics_in(header_of(text)):
        return [
            MetricScores(metric, values) for metric, values in foreign_scores.read_aces(path, text, challenge).items()
        ]
    if foreign_scores.is_wmt25(text):
        return [MetricScores(given.system_name, foreign_scores.read_wmt25(path, text, challenge))]
    return [MetricScores(given.system_name, foreign_scores.read_columns(path, text, count))]


def _read_complete(path: Path, text: str, challenge: ChallengeSet) -> MetricScores:
    header, rows = _read_own(path, "".join(line + "\n" for line in _complete(text)), challenge)
    if len(rows) < len(challenge):
        raise BadFile(
            path,
            f"scores of {len(rows)} of {len(challenge)} challenge items",
            cure="run `assay challenge score` again to finish it",
        )
    return MetricScores(header.metric, as_values(rows), header.group, header.higher_is_better, header.signature)


def _complete(text: str) -> list[str]:
    """The lines that have an end; Windows may have changed it."""
    return split_lines(text if text.endswith("\n") else text[: text.rfind("\n") + 1])
