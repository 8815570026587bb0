"""The join of a suite with a list of sources: which lines belong to which items.

Ids and maps of ids come first, then source, prompt and context; documents of WMT24 tell in whose suite a line stands.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import UnpairedFile
from assay.outputs.source_texts import Source, paragraphs
from assay.suites import Suite
from assay.text import fold, plural

if TYPE_CHECKING:
    from assay.outputs.id_map import IdMap
    from assay.outputs.repairs import Repairs

_SHOWN = 3
"""Items and lines that an error lists before it says how many more there are."""

CURE = "tell them apart by prompt or context in suite and file, by a map (--map), or by item ids in the outputs"


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


def numbered(lines: list[int]) -> str:
    return listed([f"{line + 1:,}" for line in lines])


def listed(names: list[str]) -> str:
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
            problem = f"the lines of item {item.id} stand there {len(starts):,} times, from lines {numbered(starts)} on"
            raise UnpairedFile(source.path, problem, cure=CURE)
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
    # Few files have prompts, and their module knows all languages.
    from assay.suites.prompts import is_filled

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
            return by_map(suite, id_map, source.path, source.ids, source.lines)
        if not id_map.ids.keys().isdisjoint(source.documents):
            return by_map(suite, id_map, source.path, source.documents, source.lines)
        numbers = [str(number) for number in range(1, len(source.lines) + 1)]
        return by_map(suite, id_map, source.path, numbers, source.lines, by_line=True)
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


def by_map(
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
