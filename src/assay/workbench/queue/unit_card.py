"""What stands on a card: rows to judge, and of each item what is tested and what is right.

card = open_unit(reader, offer.unit, show=("systems",))
card.panels[0].right        # ("lock", "padlock")
card.rows[0].text.value
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from assay.suites import Item
from assay.text import char_diff
from assay.verdicts import Finding
from assay.workbench.files.history_records import Seen
from assay.workbench.item_rows import DecidedTwin
from assay.workbench.queue.neighbours import NEAREST, Neighbour, ShownSuggestion, doubts, triage_doubts
from assay.workbench.queue.readable_rules import readable
from assay.workbench.queue.suggester_pool import Opinion, Opinions
from assay.workbench.queue.twins import rows_at
from assay.workbench.queue.units import Unit, UnitRow
from assay.workbench.reader import Reader
from assay.workbench.snapshot import SnapshotText
from assay.workbench.text_view import Mark, TextView, guideline_of, system_names, tested


@dataclass(frozen=True, slots=True)
class ItemPanel:
    """An item of a card: what is tested, what its pass rules look for, and the judged texts nearest to its first row.

    `near` has a right and a wrong one where there are any. `guideline` is what was agreed on for its phenomenon.
    """

    place: int
    item: Item
    tested: str
    guideline: str | None
    right: Sequence[str]
    near: Sequence[Neighbour]

    @property
    def rules(self) -> Sequence[Neighbour]:
        """A right and a wrong text, to be seen at a glance."""
        kinds = {near.shown.verdict: near for near in reversed(self.near)}
        return [kinds[verdict] for verdict in ("pass", "fail") if verdict in kinds]


@dataclass(frozen=True)
class CardRow:
    """Texts that are judged together. `variants` differ from the first in writing only; `also` are other items with it.

    `systems` and `suggestion` are None while they are hidden; `seen` is what the annotator has seen of the text before.
    `ruled` is what the rules say, None for a second opinion on a text that they decide.
    """

    row: UnitRow
    text: TextView
    variants: Sequence[TextView]
    also: Sequence[str]
    outputs: int
    ruled: Finding | None
    systems: Sequence[str] | None
    suggestion: ShownSuggestion | None
    opinion: Opinion | None
    seen: tuple[Seen, ...]
    find_doubts: Callable[[], Sequence[str]]

    @cached_property
    def doubts(self) -> Sequence[str]:
        """Found when they are asked for, since by then others can write again."""
        return self.find_doubts()

    @property
    def ids(self) -> str:
        """The texts as a form sends them."""
        return "+".join(map(str, self.row.all))


@dataclass(frozen=True)
class ListRow:
    """A text of a list: the twin that it is taken for, or what looks wrong about it."""

    plain: TextView
    item: Item
    decided: DecidedTwin | None
    doubts: Sequence[str]

    @cached_property
    def text(self) -> TextView:
        """The text, with the characters marked that its twin has otherwise; made when others can write again."""
        return _marked(self.plain, self.decided.value) if self.decided else self.plain

    @cached_property
    def twin(self) -> TextView | None:
        """The twin, likewise."""
        if self.decided is None:
            return None
        known = self.decided
        shown = TextView(known.text_id, known.value, [], str(known.verdict), [], [], 0, None)
        return _marked(shown, self.plain.value)


@dataclass(frozen=True, slots=True)
class UnitCard:
    """A unit with everything around it; `known` is the last event of its texts that is known."""

    unit: Unit
    panels: Sequence[ItemPanel]
    rows: Sequence[CardRow]
    listed: Sequence[ListRow]
    known: int

    @property
    def panel_of(self) -> dict[int, ItemPanel]:
        return {panel.place: panel for panel in self.panels}

    @property
    def item(self) -> Item:
        """The item of the first row."""
        return self.panels[0].item if self.panels else self.listed[0].item

    @property
    def text(self) -> TextView:
        """The first text."""
        return self.rows[0].text if self.rows else self.listed[0].text

    @property
    def long(self) -> bool:
        """Whether source and text are better read side by side."""
        return any(len(panel.item.source) > 300 for panel in self.panels)


def open_unit(
    reader: Reader, unit: Unit, *, show: Collection[str], opinions: Opinions | None = None, seen: Collection[str] = ()
) -> UnitCard:
    """A unit with what this user wants to `show` of its texts before judging; that is then kept as seen."""
    states = reader.states(unit.text_ids)
    known = max((state.known for state in states.values()), default=0)
    if unit.kind != "card":
        reader.reveal(unit.text_ids, "suggestion")
        return UnitCard(unit, (), (), [_listed(reader, row, unit) for row in unit.rows], known)
    first = {row.place: row for row in reversed(unit.rows)}
    # Of the item that is read first all that is near; of the others what shows right and wrong.
    panels = [
        _panel(reader, place, first[place], most=NEAREST if not number else 1)
        for number, place in enumerate(unit.places)
    ]
    rows = []
    for number, row in enumerate(unit.rows):
        asked = opinions if not number else None
        before = states[row.texts[0]].seen if row.texts[0] in states else ()
        rows.append(_row(reader, row, show=show, opinions=asked, before=before))
    return UnitCard(unit, panels, rows, (), known)


def _panel(reader: Reader, place: int, row: UnitRow, *, most: int) -> ItemPanel:
    return item_panel(reader, place, reader.snapshot.texts[row.texts[0]], most=most)


def item_panel(reader: Reader, place: int, text: SnapshotText, *, most: int = NEAREST) -> ItemPanel:
    """What an item tells of a text."""
    item = reader.snapshot.items[place]
    right = readable(rule for rule in item.rules if rule.polarity == "pass")
    return ItemPanel(
        place,
        item,
        tested(reader.snapshot, item),
        guideline_of(reader.snapshot, item),
        right,
        reader.neighbours(text, most),
    )


def _row(
    reader: Reader, row: UnitRow, *, show: Collection[str], opinions: Opinions | None, before: Collection[Seen]
) -> CardRow:
    snapshot = reader.snapshot
    text = snapshot.text(row.texts[0])
    hidden = reader.hide(text)
    # A second opinion is given without what the rules have come to say of the text since.
    second = text.settlement is not None and hidden.verdict != "warning"
    writers = reader.writers(text) if "systems" in show else None
    variants = [_marked(reader.hide(snapshot.text(other)), text.value) for other in row.texts[1:]]
    return CardRow(
        row=row,
        text=replace(hidden, marks=[], why=[]) if second else hidden,
        variants=variants,
        also=[snapshot.items[snapshot.text(other).place].id for other in row.also],
        outputs=hidden.written + sum(variant.written for variant in variants),
        ruled=None if second else text.ruled,
        systems=system_names(snapshot, writers) if writers is not None else None,
        suggestion=reader.suggestion(text) if "suggestion" in show else None,
        opinion=reader.opinion(text, opinions) if opinions and "suggestion" in show else None,
        seen=reader.seen(text.id, before),
        find_doubts=partial(doubts, snapshot, text),
    )


def _marked(text: TextView, other: str) -> TextView:
    """A text with the characters marked that another has otherwise."""
    marks: list[Mark] = [(start, end, "differs") for start, end in char_diff(other, text.value)]
    return replace(text, marks=marks)


def _listed(reader: Reader, row: UnitRow, unit: Unit) -> ListRow:
    snapshot = reader.snapshot
    text, item = snapshot.text(row.texts[0]), snapshot.items[row.place]
    if unit.kind == "triage":
        return ListRow(reader.hide(text), item, None, triage_doubts(snapshot, text))
    twin = rows_at(snapshot, row.place).twins[text.id]
    known = snapshot.texts.get(twin.text_id)
    if known is not None:
        reader.votes(known)
    return ListRow(reader.hide(text), item, twin, ())
