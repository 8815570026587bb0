"""Scores by content: what was scored once, for whichever set, is not scored again.

    with ScoreStore(Path("~/scores-of-all-sets"), metric) as store:
        store.get(segment), store.add(segments, scores)

A folder has a file for each signature; a line is a hash of source, translation, reference and language, and the score.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import Metric
from assay.errors import BadFile
from assay.files import make_folder
from assay.journal import JournalFile, whole_lines

_CURE = "delete it; it is made anew"


class ScoreStore(JournalFile):
    """The known scores of one metric. Half a line, of a run that was killed, is dropped."""

    def __init__(self, folder: Path, metric: Metric) -> None:
        make_folder(folder, cure="choose another with --cache")
        super().__init__(folder / f"{_digest(metric.signature)}.scores", alone=True)
        there = self.read()
        lines = whole_lines(there)
        if len(lines) < len(there):
            self.truncate(len(lines))
        try:
            self._scores = dict(self._read(lines))
        except BadFile:
            self.close()
            raise
        if not lines:
            self.write_lines(f"# {' '.join(metric.signature.split())}\n".encode("utf-8", "replace"))

    def _read(self, lines: bytes) -> Iterator[tuple[str, float]]:
        # The first line is for people: it says whose scores these are.
        for number, line in enumerate(lines.decode(errors="replace").splitlines()[1:], 2):
            key, _, score = line.partition("\t")
            try:
                yield key, float(score)
            except ValueError:
                raise BadFile(self.path, f"{score[:40]!r} is no score", line=number, cure=_CURE) from None

    def get(self, segment: Segment) -> float | None:
        """The score of a segment, if there is one."""
        return self._scores.get(_key(segment))

    def add(self, segments: Sequence[Segment], scores: Sequence[float]) -> None:
        """Keep the scores of segments; they are on the disk when this returns."""
        new = {_key(segment): float(score) for segment, score in zip(segments, scores, strict=True)}
        self.write_lines("".join(f"{key}\t{score!r}\n" for key, score in new.items()).encode())
        self._scores |= new


def _key(segment: Segment) -> str:
    return _digest("\0".join((segment.source, segment.hypothesis, segment.reference, segment.language)))


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
