"""Pairing submissions with the items of a suite, without guessing.

What a file says itself comes first: item ids, or a map of ids. Then texts are paired by source, prompt and context. A
source that stands in several lines is paired only where the lines say the same; otherwise it is an error, since any
choice would turn with the names of items or the order of lines. Suites whose publishers pair such lines by the order of
ids (`equal_sources: ids`) keep to that.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import UnpairedFile
from assay.files import Lines
from assay.outputs.outputs import Collector
from assay.outputs.source_join import CURE, Joined, by_map, join, listed, numbered
from assay.outputs.source_texts import Source
from assay.outputs.submission import Submission
from assay.suites import Suite, Tier
from assay.text import fold, is_missing, normalise, plural

if TYPE_CHECKING:
    from assay.outputs.id_map import IdMap
    from assay.outputs.repairs import Repairs


class Pairing:
    """Pairs submissions with one suite; the join with a list of sources is made once and kept."""

    def __init__(
        self,
        suite: Suite,
        source: Source | None,
        *,
        id_map: "IdMap | None" = None,
        repairs: "Repairs | None" = None,
        tier: Tier | None = None,
    ) -> None:
        self.suite = suite
        self.source = source
        self._tier = tier
        self._map = id_map
        self._repairs = repairs
        self._without_blanks: Source | None = None
        # Items that share a source with another, which is asked for; and that other one.
        parts = [suite, *([suite.of_tier(tier)] if tier else [])]
        self._sharing = [
            (suite.positions[item.id], suite.positions[item.source_of])
            for part in parts
            for item in part.items
            if item.source_of in suite.positions
        ]
        # Keyed by the id of the list of sources, which all text files of a campaign share; a list has no hash.
        self._joined: dict[int, tuple[Sequence[str], Joined]] = {}

    def add(self, submission: Submission, collector: Collector) -> None:
        """Give the collector this submission's texts under the items they belong to."""
        joined, ids = self._pairs(submission)
        positions, paired = _texts(self.suite, joined, submission.texts, submission.path, ids)
        if submission.document_lines:
            self._add_document_lines(positions, paired, submission)
        if self._sharing:
            self._add_shared(positions, paired)
        collector.add(submission.system, positions=positions, texts=paired, part=submission.part)
        collector.by_order.update(joined.by_order)

    def _pairs(self, submission: Submission) -> tuple[Joined, Sequence[str]]:
        """The pairs, and the ids of the texts where they have any."""
        # What the file itself says comes first; a source file is for texts that bring neither ids nor sources.
        if submission.by == "item":
            return self._by_id(submission), submission.keys
        if submission.by == "source":
            keys, ids = submission.keys, submission.ids
            return self._join(Source(submission.path, keys, ids, submission.prompts, submission.contexts)), ids
        if self.source is not None:
            return self._parallel(self.source, submission), self.source.ids
        return self._in_order(submission), ()

    def _parallel(self, source: Source, submission: Submission) -> Joined:
        """Pairs with a file that has as many lines as the source file.

        WMT24 puts a canary line before the sentences of some files and not of others; one such line is no difference.
        """
        texts = submission.texts
        expected, found = len(source.lines), len(texts)
        if expected == found:
            return self._join(source)
        if expected == found + 1 and _is_canary(source.lines[0]):
            return self._join(source).shifted(-1)
        if found == expected + 1 and _is_canary(texts[0]):
            return self._join(source).shifted(1)
        blank = expected - sum(1 for line in source.lines if line.strip())
        if blank and found == expected - blank and self._repairs is not None:
            if self._without_blanks is None:
                self._without_blanks = Source(source.path, [line for line in source.lines if line.strip()])
            self._repairs.note(source.path, f"{plural(blank, 'empty line')} left out, as in the outputs")
            return self._join(self._without_blanks)
        raise self._unequal(source, submission, blank)

    def _unequal(self, source: Source, submission: Submission, blank: int) -> UnpairedFile:
        expected, found = len(source.lines), len(submission.texts)
        # The first line that has no partner.
        line = min(expected, found) + 1
        for path, returns in ((submission.path, _returns(submission.texts)), (source.path, source.bare_returns)):
            if returns:
                return _only_returns(path, returns)
        cure = "outputs must be line-parallel to the source file"
        if blank and found == expected - blank:
            cure += f"; {plural(blank, 'line')} of that {'is' if blank == 1 else 'are'} empty, --repair leaves them out"
        return UnpairedFile(
            submission.path, f"{found:,} lines, but {source.path} has {expected:,}", line=line, cure=cure
        )

    def _join(self, source: Source) -> Joined:
        if id(source.lines) not in self._joined:
            joined = join(self.suite, source, id_map=self._map, repairs=self._repairs)
            if not joined:
                raise self._none_found(source)
            # The list is kept with its pairs, so that its id stays its own.
            self._joined[id(source.lines)] = (source.lines, joined)
        return self._joined[id(source.lines)][1]

    def _none_found(self, source: Source) -> UnpairedFile:
        if source.bare_returns:
            return _only_returns(source.path, source.bare_returns)
        return UnpairedFile(
            source.path,
            f"none of the suite's {len(self.suite):,} sources is in the file",
            cure="check that suite and source file belong together",
        )

    def _add_document_lines(self, positions: list[int], paired: list[str], submission: Submission) -> None:
        """Pair items that are no whole document, but a line of one."""
        known = set(positions)
        rest = [item for position, item in enumerate(self.suite.items) if position not in known]
        if not rest:
            return
        wanted = {item.source.strip() for item in rest}
        # Most lines of documents are no items.
        chosen = [line for line in submission.document_lines if line[0].strip() in wanted]
        joined = join(self.suite, Source(submission.path, [source for source, _, _ in chosen]), but=known)
        texts, documents = [text for _, text, _ in chosen], [document for _, _, document in chosen]
        found, more = _texts(self.suite, joined, texts, submission.path, documents)
        positions += found
        paired += more

    def _add_shared(self, positions: list[int], paired: list[str]) -> None:
        """Give the translation of a source to all items that share it."""
        known = dict(zip(positions, paired, strict=True))
        for position, first in self._sharing:
            if position not in known and first in known:
                positions.append(position)
                paired.append(known[first])

    def _by_id(self, submission: Submission) -> Joined:
        known = self.suite.positions
        if self._map is not None and (mapped := by_map(self.suite, self._map, submission.path, submission.keys, ())):
            return mapped
        strange = [key for key in submission.keys if key not in known]
        if strange:
            more = f" and {len(strange) - 1:,} more" if len(strange) > 1 else ""
            raise UnpairedFile(
                submission.path,
                f"no item {strange[0]!r}{more} in suite {self.suite.name}",
                cure="check that suite and outputs belong together",
            )
        return Joined([known[key] for key in submission.keys], list(range(len(submission.keys))))

    def _in_order(self, submission: Submission) -> Joined:
        if self._map is not None:
            numbers = [str(number) for number in range(1, len(submission.texts) + 1)]
            if mapped := by_map(self.suite, self._map, submission.path, numbers, (), by_line=True):
                self._check_number(self._map, submission)
                return mapped
        asked = [position for position, item in enumerate(self.suite.items) if not item.source_of]
        expected, found = len(asked), len(submission.texts)
        if expected != found and self._tier is not None:
            # The sources of a tier alone (assay suite sources --tier) were translated.
            asked = [self.suite.positions[item.id] for item in self.suite.of_tier(self._tier).asked]
            expected = len(asked)
        if expected != found:
            cure = "give one line per item in suite order (assay suite sources), or the campaign's --source file"
            what = "items" if expected == len(self.suite) else "sources"
            raise _wrong_number(submission, expected, f"{found:,} lines for {expected:,} {what}", cure)
        return Joined(asked, list(range(expected)))

    def _check_number(self, id_map: "IdMap", submission: Submission) -> None:
        """Refuse a file with more or fewer lines than were handed in: behind the first that is lost all are others'."""
        expected, found = id_map.texts, len(submission.texts)
        if expected is not None and expected != found:
            cure = "ask for the lines as they were handed in, or give the file they are parallel to with --source"
            raise _wrong_number(submission, expected, f"{found:,} lines, but {id_map.path} says {expected:,}", cure)


def _wrong_number(submission: Submission, expected: int, problem: str, cure: str) -> UnpairedFile:
    """Of lines; the place is the first that has no partner."""
    if returns := _returns(submission.texts):
        return _only_returns(submission.path, returns)
    return UnpairedFile(submission.path, problem, line=min(expected, len(submission.texts)) + 1, cure=cure)


def _only_returns(path: Path, number: int) -> UnpairedFile:
    problem = f"{plural(number, 'bare carriage return')} and no other line ends"
    return UnpairedFile(path, problem, cure="--repair takes them as line ends")


def _returns(texts: Sequence[str]) -> int:
    return texts.bare_returns if isinstance(texts, Lines) else 0


def _is_canary(line: str) -> bool:
    return "canary" in line.lower()


def _pick(texts: Sequence[str], lines: Sequence[int]) -> list[str]:
    return texts.pick(lines) if isinstance(texts, Lines) else [texts[line] for line in lines]


def _texts(
    suite: Suite, joined: Joined, texts: Sequence[str], path: Path, ids: Sequence[str]
) -> tuple[list[int], list[str]]:
    """(positions of items, their texts) of one system; sources of several lines are checked with its own texts."""
    positions, paired = list(joined.positions), _pick(texts, joined.lines)
    for position, lines in joined.parts:
        pieces = _pick(texts, lines)
        positions.append(position)
        # Half an answer is none: rules would judge what is not there.
        paired.append("" if any(is_missing(normalise(piece)) for piece in pieces) else "\n".join(pieces))
    differing = []
    for places, lines in joined.several:
        written = _pick(texts, lines)
        if len({text.strip() for text in written}) > 1:
            differing.append((places, lines))
        positions += places
        paired += written[:1] * len(places)
    if differing:
        places, lines = differing[0]
        lines_named = f"in {listed([ids[line] for line in lines])}" if ids else f"of lines {numbered(lines)}"
        raise _ambiguous(suite, path, places, lines_named, len(differing) - 1)
    return positions, paired


def _ambiguous(suite: Suite, path: Path, places: list[int], lines: str, others: int) -> UnpairedFile:
    ids = listed([suite.items[place].id for place in places])
    source = fold(suite.items[places[0]].source)
    source = source if len(source) <= 30 else source[:29] + "…"
    whose = f"item {ids} has" if len(places) == 1 else f"{len(places):,} items ({ids}) have"
    more = f" (and {plural(others, 'more source')})" if others else ""
    return UnpairedFile(path, f"{whose} the source {source!r} {lines}, whose translations differ{more}", cure=CURE)
