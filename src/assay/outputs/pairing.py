"""Pairing submissions with the items of a suite, without guessing.

What a file says itself comes first: item ids, or a map of ids. Then texts are paired by source, prompt and context. A
source that stands in several lines is paired only where the lines say the same; otherwise it is an error, since any
choice would turn with the names of items or the order of lines. Suites whose publishers pair such lines by the order of
ids (`equal_sources: ids`) keep to that.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import UnpairedFile
from assay.files import Lines
from assay.outputs.outputs import Collector
from assay.outputs.source_texts import Source, paragraphs
from assay.outputs.submission import Submission
from assay.suites import Suite
from assay.suites.prompts import is_filled
from assay.text import fold, is_missing, normalise, plural

if TYPE_CHECKING:
    from assay.outputs.id_map import IdMap
    from assay.outputs.repairs import Repairs

_SHOWN = 3
"""Items and lines that an error lists before it says how many more there are."""

_CURE = "tell them apart by prompt or context in suite and file, by a map (--map), or by item ids in the outputs"


@dataclass(frozen=True, slots=True)
class Joined:
    """Which lines belong to which items.

    `lines[k]` is for the item at `positions[k]`. `parts` are items that a map leads to in several lines. `several` are
    items with the same source and all lines that have it: they are paired where these lines say the same. `by_order`
    are sources of several lines that were paired in the order of ids.
    """

    positions: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    parts: list[tuple[int, list[int]]] = field(default_factory=list)
    several: list[tuple[list[int], list[int]]] = field(default_factory=list)
    by_order: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.positions or self.parts or self.several)

    def shifted(self, by: int) -> "Joined":
        """The same pairs with texts that stand some lines further down, or up, than their sources."""
        return Joined(
            self.positions,
            [line + by for line in self.lines],
            [(position, [line + by for line in lines]) for position, lines in self.parts],
            [(positions, [line + by for line in lines]) for positions, lines in self.several],
            self.by_order,
        )


class Pairing:
    """Pairs submissions with one suite; the join with a list of sources is made once and kept."""

    def __init__(
        self, suite: Suite, source: Source | None, *, id_map: "IdMap | None" = None, repairs: "Repairs | None" = None
    ) -> None:
        self.suite = suite
        self.source = source
        self._map = id_map
        self._repairs = repairs
        self._without_blanks: Source | None = None
        # Keyed by the id of the list of sources, which all text files of a campaign share; a list has no hash.
        self._joined: dict[int, tuple[Sequence[str], Joined]] = {}

    def add(self, submission: Submission, collector: Collector) -> None:
        """Give the collector this submission's texts under the items they belong to."""
        joined, ids = self._pairs(submission)
        positions, paired = _texts(self.suite, joined, submission.texts, submission.path, ids)
        if submission.document_lines:
            self._add_document_lines(positions, paired, submission)
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

    def _by_id(self, submission: Submission) -> Joined:
        known = self.suite.positions
        if self._map is not None and (mapped := _by_map(self.suite, self._map, submission.path, submission.keys, ())):
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
            if mapped := _by_map(self.suite, self._map, submission.path, numbers, (), by_line=True):
                self._check_number(self._map, submission)
                return mapped
        expected, found = len(self.suite), len(submission.texts)
        if expected != found:
            if returns := _returns(submission.texts):
                raise _only_returns(submission.path, returns)
            raise UnpairedFile(
                submission.path,
                f"{found:,} lines for {expected:,} items",
                line=min(expected, found) + 1,
                cure="give one line per item in suite order (assay suite sources), or the campaign's --source file",
            )
        return Joined(list(range(expected)), list(range(expected)))

    def _check_number(self, id_map: "IdMap", submission: Submission) -> None:
        """Refuse a file with more or fewer lines than were handed in: behind the first that is lost all are others'."""
        expected, found = id_map.texts, len(submission.texts)
        if expected is None or expected == found:
            return
        if returns := _returns(submission.texts):
            raise _only_returns(submission.path, returns)
        raise UnpairedFile(
            submission.path,
            f"{found:,} lines, but {id_map.path} says {expected:,}",
            line=min(expected, found) + 1,
            cure="ask for the lines as they were handed in, or give the file they are parallel to with --source",
        )


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
        lines_named = f"in {_listed([ids[line] for line in lines])}" if ids else f"of lines {_numbers(lines)}"
        raise _ambiguous(suite, path, places, lines_named, len(differing) - 1)
    return positions, paired


def _ambiguous(suite: Suite, path: Path, places: list[int], lines: str, others: int) -> UnpairedFile:
    ids = _listed([suite.items[place].id for place in places])
    source = fold(suite.items[places[0]].source)
    source = source if len(source) <= 30 else source[:29] + "…"
    whose = f"item {ids} has" if len(places) == 1 else f"{len(places):,} items ({ids}) have"
    more = f" (and {plural(others, 'more source')})" if others else ""
    return UnpairedFile(path, f"{whose} the source {source!r} {lines}, whose translations differ{more}", cure=_CURE)


def _numbers(lines: list[int]) -> str:
    return _listed([f"{line + 1:,}" for line in lines])


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def join(
    suite: Suite,
    source: Source,
    *,
    id_map: "IdMap | None" = None,
    repairs: "Repairs | None" = None,
    but: set[int] | None = None,
) -> Joined:
    """The lines of a source file that belong to items; those in `but` have theirs already."""
    by_id = _by_ids(suite, source, id_map)
    taken = {*by_id.positions, *(position for position, _ in by_id.parts), *(but or ())}
    where = _where(suite, source, repairs)
    items_of: dict[str, list[int]] = {}
    for position, item in enumerate(suite.items):
        text = item.source.strip()
        if position not in taken and text in where:
            items_of.setdefault(text, []).append(position)
    found = Joined(parts=by_id.parts)
    # Not where documents have ids, nor among chosen lines, where neighbours were none before. And what is published
    # with the order of ids stays as it is.
    if not source.ids and but is None and suite.equal_sources == "error":
        found.parts.extend(_in_paragraphs(suite, source, where, taken))
    pairs = list(zip(by_id.positions, by_id.lines, strict=True))
    several = []
    for text, positions in items_of.items():
        lines = where[text]
        if len(lines) == 1 and not source.prompts and not source.contexts:
            pairs += [(position, lines[0]) for position in positions]
        elif suite.equal_sources == "ids":
            pairs += _in_id_order(suite, positions, lines)
            found.by_order.extend([text] if len(lines) > 1 else [])
        else:
            several.append((positions, lines))
    for positions, lines in _told_apart(suite, source, where, several) if several else ():
        if len(lines) == 1:
            pairs += [(position, lines[0]) for position in positions]
        else:
            found.several.append((positions, lines))
    pairs.sort()
    found.positions.extend(position for position, _ in pairs)
    found.lines.extend(line for _, line in pairs)
    return found


def _where(suite: Suite, source: Source, repairs: "Repairs | None") -> dict[str, list[int]]:
    """Source -> lines that have it, of the suite's direction."""
    where: dict[str, list[int]] = {}
    if source.fitting is None:
        for number, line in enumerate(source.lines):
            # Stripped on both sides, not normalised: two items may differ in apostrophes only.
            where.setdefault(line.strip(), []).append(number)
    else:
        for number in source.fitting:
            where.setdefault(source.lines[number].strip(), []).append(number)
    if repairs is not None:
        _unquote(suite, source, where, repairs)
    return where


def _unquote(suite: Suite, source: Source, where: dict[str, list[int]], repairs: "Repairs") -> None:
    """Find items also where their line has the quotes of a CSV cell around it."""
    from assay.outputs.repairs import broken_cells, unquoted

    wanted = {item.source.strip() for item in suite.items}
    found = 0
    for line, numbers in list(where.items()):
        bare = unquoted(line).strip()
        if line not in wanted and bare != line and bare in wanted:
            where[bare] = sorted([*where.get(bare, []), *numbers])
            found += len(numbers)
    if found:
        repairs.note(source.path, f"quotes of CSV taken off {plural(found, 'line')}")
    if broken := broken_cells(source.lines):
        cells = plural(len(broken), "quoted cell")
        repairs.note(source.path, f"{cells} of CSV over several lines, which were translated in pieces, left out")


def _in_paragraphs(
    suite: Suite, source: Source, where: Mapping[str, list[int]], taken: set[int]
) -> Iterator[tuple[int, list[int]]]:
    """Items of several lines, and the lines of plain text that have these one below the other."""
    for position, item in enumerate(suite.items):
        if position in taken or item.source.strip() in where:
            continue
        parts = paragraphs(item.source)
        starts = [
            start
            for start in (where.get(parts[0], ()) if len(parts) > 1 else ())
            if [line.strip() for line in source.lines[start : start + len(parts)]] == parts
        ]
        if len(starts) > 1:
            problem = f"the lines of item {item.id} stand there {len(starts):,} times, from lines {_numbers(starts)} on"
            raise UnpairedFile(source.path, problem, cure=_CURE)
        if starts:
            yield position, list(range(starts[0], starts[0] + len(parts)))


def _in_id_order(suite: Suite, positions: list[int], lines: list[int]) -> Iterator[tuple[int, int]]:
    """The k-th item with a source gets the k-th line that has it; the last line serves the rest."""
    # By id, not by position: a suite whose files were rearranged must be paired as before.
    for turn, position in enumerate(sorted(positions, key=lambda position: suite.items[position].id)):
        yield position, lines[min(turn, len(lines) - 1)]


def _told_apart(
    suite: Suite, source: Source, where: Mapping[str, list[int]], several: list[tuple[list[int], list[int]]]
) -> Iterator[tuple[list[int], list[int]]]:
    """Items and lines of a source once more, apart by what goes with them: document, prompt, context."""
    home = _home(suite, source, where)
    for positions, lines in several:
        chosen = [line for line in lines if home and _suite_of(source.documents[line]) == home] or lines
        groups: dict[tuple[int, ...], list[int]] = {}
        for position in positions:
            item = suite.items[position]
            fitting = _in_document(item.id, source.documents, chosen)
            for told, values in (("prompt", source.prompts), ("context", source.contexts)):
                others = {getattr(suite.items[other], told) for other in positions}
                fitting = _narrowed(getattr(item, told), others, values, fitting)
            groups.setdefault(tuple(fitting), []).append(position)
        for fitting_lines, members in groups.items():
            if fitting_lines:
                yield members, list(fitting_lines)


def _narrowed(wanted: str, others: set[str], values: Sequence[str], lines: list[int]) -> list[int]:
    """The lines with an item's prompt. Without any, all lines, unless the file has the prompts of its neighbours."""
    if not values or len(lines) == 0:
        return lines
    folded = {line: fold(values[line]) for line in lines}
    exact = [line for line in lines if is_filled(folded[line], fold(wanted))]
    if exact:
        return exact
    # An item without a prompt is told whatever its neighbours are not told.
    if not wanted:
        return [
            line for line in lines if not any(other and is_filled(folded[line], fold(other)) for other in others)
        ] or lines
    # The file tells the items of this source apart, and this one is not in it.
    if any(is_filled(text, fold(other)) for text in folded.values() for other in others):
        return []
    return lines


def _in_document(item_id: str, documents: Sequence[str], lines: list[int]) -> list[int]:
    """The lines of the document that has an item's id at its end; all lines where there is none."""
    if not documents:
        return lines
    return [line for line in lines if f"_{documents[line]}".endswith(f"_{item_id}")] or lines


def _suite_of(document: str) -> str:
    """`tsuite_en-cs_speech_WtGHeibBKrA_001` -> `tsuite_en-cs_speech`; empty for documents of no test suite."""
    return "_".join(document.split("_")[:3]) if document.startswith("tsuite_") else ""


def _home(suite: Suite, source: Source, where: Mapping[str, list[int]]) -> str:
    """The test suite of a test set that this suite is: more than half of its sources stand in its documents."""
    documents = source.documents
    if not documents:
        return ""
    found = [where[text] for text in {item.source.strip() for item in suite.items} if text in where]
    counts = Counter(home for lines in found for home in {_suite_of(documents[line]) for line in lines})
    [(home, number)] = counts.most_common(1)
    return home if 2 * number > len(found) else ""


def _by_ids(suite: Suite, source: Source, id_map: "IdMap | None") -> Joined:
    """What a map says, and texts that have the id of an item and its source."""
    if id_map is not None:
        if source.ids:
            return _by_map(suite, id_map, source.path, source.ids, source.lines)
        if not id_map.ids.keys().isdisjoint(source.documents):
            return _by_map(suite, id_map, source.path, source.documents, source.lines)
        numbers = [str(number) for number in range(1, len(source.lines) + 1)]
        return _by_map(suite, id_map, source.path, numbers, source.lines, by_line=True)
    positions, known = suite.positions, {}
    for line in range(len(source.ids)) if source.fitting is None else source.fitting:
        if not source.ids:
            break
        name = source.ids[line]
        # In XML an item is a document with one segment.
        position = positions.get(name, positions.get(name.removesuffix("/1")))
        # Another text under the id of an item: an accident of numbering (`1`, `2`), or a source that was edited since.
        if position is not None and suite.items[position].source.strip() == source.lines[line].strip():
            known[position] = line
    return Joined(list(known), list(known.values()))


def _by_map(
    suite: Suite, id_map: "IdMap", path: Path, ids: Sequence[str], sources: Sequence[str], *, by_line: bool = False
) -> Joined:
    """Texts by a map of ids; `sources`, where they are known, must be those of the items."""
    leads: Mapping[str, tuple[str, ...]] = id_map.lines if by_line else id_map.ids
    # Several lines may be of one document.
    places: dict[str, list[int]] = {}
    for place, name in enumerate(ids):
        # In XML an item is a document with one segment.
        key = name if name in leads else name.removesuffix("/1")
        if key in leads:
            places.setdefault(key, []).append(place)
    if not places:
        # One that only lies beside the outputs need not be theirs: organisers give ids of their own.
        if not id_map.is_given:
            return Joined()
        raise UnpairedFile(
            id_map.path,
            f"none of its {len(leads):,} ids is in {path}",
            cure="give the map that belongs to these outputs",
        )
    found: dict[int, list[int]] = {}
    # A number that was not said to belong to this file may lead anywhere in it.
    exactly = by_line and not id_map.is_given
    # In the order of the map, which is that of an item's parts.
    for name, items in leads.items():
        for place, item in ((place, item) for place in places.get(name, ()) for item in items):
            position = suite.positions.get(item)
            if position is None:
                cure = "give the map of this suite"
                raise UnpairedFile(id_map.path, f"no item {item!r} in suite {suite.name}", cure=cure)
            if sources and not _is_of(suite.items[position].source, sources[place], is_exact=exactly):
                # Numbers of lines are those of the file that was handed in, and this may be a larger test set.
                if exactly:
                    return Joined()
                raise UnpairedFile(
                    id_map.path,
                    f"{name!r} is item {item!r} here, but has another source in {path}",
                    cure="its numbers are lines of another file"
                    if by_line
                    else "map, suite and file do not belong together",
                )
            found.setdefault(position, []).append(place)
    single = {position: lines[0] for position, lines in found.items() if len(lines) == 1}
    parts = [(position, lines) for position, lines in found.items() if len(lines) > 1]
    return Joined(list(single), list(single.values()), parts)


def _is_of(source: str, text: str, *, is_exact: bool) -> bool:
    """Whether a text is the source of an item or a part of it; `is_exact` one of its lines."""
    whole, part = fold(source), fold(text)
    return part == whole or part in map(fold, paragraphs(source)) if is_exact else part in whole
