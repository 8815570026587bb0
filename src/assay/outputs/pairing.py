"""Pairing submissions with the items of a suite: by source sentence, by item id, or in suite order."""

from collections.abc import Sequence

from assay.errors import UnpairedFile
from assay.files import Lines
from assay.outputs.outputs import Collector
from assay.outputs.sources import Source
from assay.outputs.submission import Submission
from assay.suites import Suite


class Pairing:
    """Pairs submissions with one suite; the join with a list of sources is made once and kept."""

    def __init__(self, suite: Suite, source: Source | None) -> None:
        self.suite = suite
        self.source = source
        # Keyed by the id of the list of sources, which all text files of a campaign share; a list has no hash.
        self._joined: dict[int, tuple[Sequence[str], list[int], list[int]]] = {}

    def add(self, submission: Submission, collector: Collector) -> None:
        """Give the collector this submission's texts under the items they belong to."""
        positions, lines = self._pairs(submission)
        texts = submission.texts
        picked = texts.pick(lines) if isinstance(texts, Lines) else [texts[line] for line in lines]
        collector.add(submission.system, positions=positions, texts=picked, part=submission.part)

    def _pairs(self, submission: Submission) -> tuple[list[int], list[int]]:
        # What the file itself says comes first; a source file is for texts that bring neither ids nor sources.
        if submission.by == "item":
            return self._by_id(submission)
        if submission.by == "source":
            return self._by_source(submission.keys, submission)
        if self.source is not None:
            return self._parallel(self.source, submission)
        return self._in_order(submission)

    def _parallel(self, source: Source, submission: Submission) -> tuple[list[int], list[int]]:
        """Pairs with a file that has as many lines as the source file.

        WMT24 puts a canary line before the sentences of some files and not of others; one such line is no difference.
        """
        expected, found = len(source.lines), len(submission.texts)
        if expected == found:
            shift = 0
        elif expected == found + 1 and _is_canary(source.lines[0]):
            shift = -1
        elif found == expected + 1 and _is_canary(submission.texts[0]):
            shift = 1
        else:
            raise UnpairedFile(
                submission.path,
                f"{found:,} lines, but {source.path} has {expected:,}",
                # The first line that has no partner.
                line=min(expected, found) + 1,
                cure="outputs must be line-parallel to the source file",
            )
        positions, lines = self._by_source(source.lines, submission)
        return positions, [line + shift for line in lines] if shift else lines

    def _by_source(self, sources: Sequence[str], submission: Submission) -> tuple[list[int], list[int]]:
        if id(sources) not in self._joined:
            positions, lines = join(self.suite, sources)
            if not positions:
                raise UnpairedFile(
                    self.source.path if self.source else submission.path,
                    f"none of the suite's {len(self.suite):,} sources is in the file",
                    cure="check that suite and source file belong together",
                )
            # The list is kept with its pairs, so that its id stays its own.
            self._joined[id(sources)] = (sources, positions, lines)
        _, positions, lines = self._joined[id(sources)]
        return positions, lines

    def _by_id(self, submission: Submission) -> tuple[list[int], list[int]]:
        known = self.suite.positions
        strange = [key for key in submission.keys if key not in known]
        if strange:
            more = f" and {len(strange) - 1:,} more" if len(strange) > 1 else ""
            raise UnpairedFile(
                submission.path,
                f"no item {strange[0]!r}{more} in suite {self.suite.name}",
                cure="check that suite and outputs belong together",
            )
        return [known[key] for key in submission.keys], list(range(len(submission.keys)))

    def _in_order(self, submission: Submission) -> tuple[list[int], list[int]]:
        expected, found = len(self.suite), len(submission.texts)
        if expected != found:
            raise UnpairedFile(
                submission.path,
                f"{found:,} lines for {expected:,} items",
                line=min(expected, found) + 1,
                cure="give one line per item in suite order (assay suite sources), or the campaign's --source file",
            )
        return list(range(expected)), list(range(expected))


def _is_canary(line: str) -> bool:
    return "canary" in line.lower()


def join(suite: Suite, sources: Sequence[str]) -> tuple[list[int], list[int]]:
    """(positions of items, lines): the k-th item with a source gets the k-th line that has it.

    Items with the same source are taken in ascending id order; where there are fewer lines than items, the last
    line serves the rest.
    """
    where: dict[str, list[int]] = {}
    for number, source in enumerate(sources):
        # Stripped on both sides, not normalised: two items may differ in apostrophes only.
        where.setdefault(source.strip(), []).append(number)
    taken: dict[str, int] = {}
    pairs = []
    items = suite.items
    # By id, not by position: a suite whose files were rearranged must be paired as before.
    for position in sorted(range(len(items)), key=lambda position: items[position].id):
        source = items[position].source.strip()
        numbers = where.get(source)
        if numbers:
            turn = taken.get(source, 0)
            taken[source] = turn + 1
            # More items than lines: the source stood once in the test set, and its one translation serves all of them.
            pairs.append((position, numbers[min(turn, len(numbers) - 1)]))
    pairs.sort()
    return [position for position, _ in pairs], [line for _, line in pairs]
