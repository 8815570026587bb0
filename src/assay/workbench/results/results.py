"""Use cases around results: a suite of the database evaluated as somebody chose, and the items behind a cell.

asked = ResultOptions(campaigns=("WMT21",), policy="own")
results = show_results(reader, asked)
cell = open_cell(reader, asked, CellPlace("Online-W", category="Ambiguity"))
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from glob import escape
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from assay.errors import BadOption, UnknownName
from assay.evaluation import Choices, Evaluation
from assay.evaluation.answer import ResultAnswer, answer_of
from assay.evaluation.tally import AVERAGES, OVER_GROUPS, OVER_TIERS, Mask, counting
from assay.outputs import System
from assay.prediction import Predictor
from assay.reports.table import Table, accuracy_table
from assay.suites import Item
from assay.verdicts import Judged, Verdict
from assay.verdicts.draw import Draw
from assay.workbench.queue.sample import drawn_of
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot
from assay.workbench.text_view import TextView
from assay.workbench.work.tags import RatedSystem, acceptability, tag_counts, tags_table

DRAWS: Final = 1_000
"""Draws of the resampling tests on a page; a paper has 10,000, which take seconds."""

MOST_DRAWS: Final = 100_000

ALL: Final = "*"
"""Stands for all campaigns."""

PORTION: Final = 40
"""Items that come at once."""

VERDICTS: Final = (Verdict.FAIL, Verdict.WARNING, Verdict.PASS)
"""In the order in which a reader wants them."""

Rows = NDArray[np.intp]
"""Rows of the verdict table."""

WARNINGS: Final = "warnings"
"""The row of shares of warnings, which opens like an average."""


ESTIMATE: Final = "estimate"
"""The policy by which a sample of judgements stands for all."""


@dataclass(frozen=True, slots=True)
class ResultOptions:
    """What somebody wants to see. Without a campaign it is the newest; without systems all; `test` by the page.

    Policy `estimate` has a test of its own.
    """

    campaigns: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    policy: str = "fair"
    test: str = ""
    alpha: float = 0.05
    correction: str = "none"
    draws: int = DRAWS
    seed: int = 1
    keep_all: bool = False
    merge_identical: bool = False
    units: str | None = None

    def choices(self, test: str = "ztest", predictor: Predictor | None = None) -> Choices:
        """The fields of `Settings`, which checks them; the predictor is for estimates alone."""
        if self.draws > MOST_DRAWS:
            raise BadOption(f"draws is {self.draws:,}; here at most {MOST_DRAWS:,}, more with: assay evaluate --draws")
        chosen = replace(self, test="ztest" if self.policy == ESTIMATE else self.test or test)
        # `tails` is the affair of challenge reports.
        names = Choices.__annotations__.keys() - {"predictor", "tails"}
        found = cast(Choices, {name: getattr(chosen, name) for name in names})
        return Choices(**found, predictor=predictor) if self.policy == ESTIMATE else found

    def query(self) -> dict[str, Any]:
        """The query of an address that asks for the same; what is as ever is left out."""
        usual = asdict(ResultOptions())
        found = {name: value for name, value in asdict(self).items() if value != usual[name]}
        return {QUERY_NAMES.get(name, name): value for name, value in found.items()}


QUERY_NAMES: Final = {"campaigns": "campaign", "systems": "system"}


@dataclass(frozen=True, slots=True)
class ResultForm:
    """What was chosen, and what else could be. `asked` names its campaign."""

    asked: ResultOptions
    campaigns: Sequence[str]
    names: Sequence[str]

    @property
    def chosen(self) -> Collection[str]:
        """Names of the systems that were asked for."""
        return self.asked.systems or self.names


@dataclass(frozen=True, slots=True)
class Results(ResultForm):
    """An evaluation with its table."""

    evaluation: Evaluation
    table: Table
    answer: ResultAnswer
    """Without examples: a text is shown only to those of whom it is written down."""
    tags: Table | None


@dataclass(frozen=True, slots=True)
class NoResults(ResultForm):
    """No estimate can be made of what was judged so far; `problem` says why."""

    problem: str


def show_results(reader: Reader, asked: ResultOptions) -> Results | NoResults:
    """The heat map of a suite as it stands."""
    snapshot = reader.snapshot
    asked = named(snapshot, asked)
    form = asked, snapshot.campaigns, asked_systems(snapshot, asked)
    try:
        evaluation = evaluate_snapshot(snapshot, asked)
    except BadOption as error:
        # Who samples comes here before enough is judged, and wants to know how much is missing.
        if asked.policy != ESTIMATE:
            raise
        return NoResults(*form, str(error))
    answer = answer_of(evaluation, with_examples=False)
    return Results(*form, evaluation, accuracy_table(evaluation, "both"), answer, tags_table(snapshot, evaluation))


def named(snapshot: Snapshot, asked: ResultOptions) -> ResultOptions:
    """The same with its campaign named, the newest where none is; and all systems are as good as none."""
    if not asked.campaigns and snapshot.campaigns:
        asked = replace(asked, campaigns=(snapshot.campaigns[-1],))
    return replace(asked, systems=()) if set(asked.systems) == set(asked_systems(snapshot, asked)) else asked


def asked_systems(snapshot: Snapshot, asked: ResultOptions) -> list[str]:
    """The systems of the campaigns asked for."""
    columns = snapshot.columns(campaigns_of(asked))
    return sorted({snapshot.systems[column].system.name for column in columns}, key=str.lower)


def campaigns_of(asked: ResultOptions) -> Sequence[str] | None:
    """Names of campaigns; None where all were asked for."""
    return None if ALL in asked.campaigns else asked.campaigns


def evaluate_snapshot(snapshot: Snapshot, asked: ResultOptions) -> Evaluation:
    """The evaluation that somebody asked for.

    The last ones are kept as long as nothing changes: the table, its cells and its files are of one evaluation.
    """
    asked = named(snapshot, asked)
    # A name is a name here and no pattern.
    systems = [escape(name) for name in asked.systems] or None
    campaigns = campaigns_of(asked)
    return snapshot.evaluations.get(
        asked,
        lambda: snapshot.evaluate(
            campaigns=campaigns,
            systems=systems,
            draw=draw_for(snapshot, asked, campaigns),
            **asked.choices(predictor=snapshot.predictor),
        ),
    )


def draw_for(snapshot: Snapshot, asked: ResultOptions, campaigns: Sequence[str] | None) -> Draw | None:
    """The draw from which some campaigns, or all, are estimated, where that is asked for."""
    return drawn_of(snapshot, campaigns) if asked.policy == ESTIMATE else None


def evaluation_of(reader: Reader, asked: ResultOptions) -> Evaluation:
    """The evaluation that somebody asked for, for its numbers; `open_cell` and `show_verdicts` show its texts.

    An estimate takes a while, and may be seconds old.
    """
    if asked.policy != ESTIMATE:
        return evaluate_snapshot(reader.snapshot, asked)
    return reader.figure(("estimate", asked), lambda: evaluate_snapshot(reader.snapshot, asked))


@dataclass(frozen=True, slots=True)
class TaggedOutputs:
    """How many outputs of a system in a category have a tag in a judgement that holds."""

    tag: str
    category: str
    system: System
    outputs: int


@dataclass(frozen=True, slots=True)
class TagCounts:
    tags: Sequence[TaggedOutputs]
    acceptability: Sequence[RatedSystem]


def count_tags(reader: Reader, asked: ResultOptions) -> TagCounts:
    """What judgements say beside their verdicts, counted."""
    snapshot, evaluation = reader.snapshot, evaluate_snapshot(reader.snapshot, asked)
    tags = [
        TaggedOutputs(tag, category, evaluation.systems[place], number)
        for (tag, category, place), number in sorted(tag_counts(snapshot, evaluation).items())
    ]
    return TagCounts(tags, acceptability(snapshot, evaluation))


@dataclass(frozen=True, slots=True)
class ShownVerdicts:
    """Lines of the verdict table, of `total` that fit."""

    signature: str
    total: int
    lines: Sequence[Judged]


def show_verdicts(
    reader: Reader,
    asked: ResultOptions,
    *,
    category: str | None,
    phenomenon: str | None,
    verdict: str | None,
    start: int,
    number: int,
) -> ShownVerdicts:
    """Outputs with their verdicts, item by item. Whoever looks has seen who wrote the texts."""
    evaluation = evaluate_snapshot(reader.snapshot, asked)
    lines = list(evaluation.verdicts(category=category, phenomenon=phenomenon, verdict=verdict))
    shown = lines[start : start + number]
    outputs, places = evaluation.table.outputs, evaluation.suite.positions
    columns = {system: column for column, system in enumerate(outputs.systems)}
    codes = (int(outputs.codes[places[line.item.id], columns[line.system]]) for line in shown)
    reader.reveal((reader.snapshot.code_texts[code] for code in codes if code >= 0), "systems", "judgements")
    return ShownVerdicts(evaluation.signature, len(lines), shown)


# A cell


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell of the heat map: the label of its column, and its row: a category, a phenomenon in it, or an average."""

    column: str
    category: str | None = None
    phenomenon: str | None = None
    average: str | None = None


@dataclass(frozen=True, slots=True)
class CellItem:
    """What a system wrote for an item, None where it wrote nothing. `counts` says whether the item does."""

    item: Item
    verdict: str
    shown: TextView | None
    counts: bool


@dataclass(frozen=True, slots=True)
class CellGroup:
    """Items with the same verdict: how many there are, how many of them count, and those to show now."""

    verdict: str
    number: int
    counted: int
    first: bool
    items: Sequence[CellItem]


@dataclass(frozen=True, slots=True)
class CellItems:
    """The items behind a cell: `numbers` by verdict, `shown` verdicts, items from `start` on, and how many are left.

    `asked` names the campaign.
    """

    asked: ResultOptions
    place: CellPlace
    where: str
    numbers: Mapping[str, int]
    shown: Collection[str]
    groups: Sequence[CellGroup]
    start: int
    left: int
    queue: Mapping[str, str]
    """The filters of the queue that are left with the cell's warnings."""


def open_cell(
    reader: Reader, asked: ResultOptions, place: CellPlace, *, verdicts: Collection[str] = (), start: int = 0
) -> CellItems:
    """The items of a cell with a system's outputs, what needs a look first; those of some verdicts, from a place on."""
    asked = named(reader.snapshot, asked)
    evaluation = evaluate_snapshot(reader.snapshot, asked)
    if place.column not in evaluation.columns:
        raise UnknownName("system", place.column, evaluation.columns)
    known = [str(verdict) for verdict in VERDICTS]
    for name in verdicts:
        if name not in known:
            raise UnknownName("verdict", name, known)
    column = evaluation.order[evaluation.columns.index(place.column)]
    rows = _rows(evaluation, place)
    codes = evaluation.table.verdicts[rows, column]
    members = {str(verdict): rows[codes == verdict] for verdict in VERDICTS}
    shown = [name for name in known if not verdicts or name in verdicts]
    groups = list(_groups(reader, evaluation, column, {name: members[name] for name in shown}, max(start, 0)))
    left = sum(len(members[name]) for name in shown) - max(start, 0) - PORTION
    numbers = {name: len(found) for name, found in members.items()}
    queue = _queue(place, evaluation.table.outputs.systems[column])
    return CellItems(asked, place, where(place), numbers, shown, groups, start, max(left, 0), queue)


def _queue(place: CellPlace, system: System) -> dict[str, str]:
    found = {"category": place.category, "phenomenon": place.phenomenon}
    whose = {"system": system.name, "campaign": system.campaign}
    return {name: value for name, value in {**found, **whose}.items() if value}


def other_texts(reader: Reader, asked: ResultOptions, item: str, column: str) -> list[TextView]:
    """What systems of the campaigns asked for wrote for an item, but for the text of one system; right ones first."""
    snapshot = reader.snapshot
    asked = named(snapshot, asked)
    place = snapshot.place(item)
    written = snapshot.written_at(place)
    evaluation = evaluate_snapshot(snapshot, asked)
    own = -1
    if column in evaluation.columns:
        system = evaluation.table.outputs.systems[evaluation.order[evaluation.columns.index(column)]]
        own = written[snapshot.outputs.systems.index(system)]
    ids = dict.fromkeys(written[place] for place in snapshot.columns(campaigns_of(asked)))
    reader.items([place])
    shown = [reader.show(snapshot.texts[text_id]) for text_id in ids if text_id not in (-1, own)]
    order = [str(verdict) for verdict in reversed(VERDICTS)]
    return sorted(shown, key=lambda text: (order.index(text.verdict), -text.written))


def _groups(
    reader: Reader, evaluation: Evaluation, column: int, members: Mapping[str, Rows], start: int
) -> Iterator[CellGroup]:
    """A portion of the items, by verdict."""
    mask = counting(evaluation.table, evaluation.settings.policy)
    before = 0
    for verdict, rows in members.items():
        chosen = rows[max(start - before, 0) : max(start + PORTION - before, 0)]
        if len(chosen):
            items = list(_cell_items(reader, evaluation, chosen.tolist(), column, mask))
            yield CellGroup(verdict, len(rows), int(mask[rows, column].sum()), start <= before, items)
        before += len(rows)


def where(place: CellPlace) -> str:
    """How the row of a cell is called."""
    if place.category is None:
        return (AVERAGES | OVER_TIERS | OVER_GROUPS).get(place.average or "", place.average or "all items")
    return f"{place.category} › {place.phenomenon}" if place.phenomenon else place.category


def _rows(evaluation: Evaluation, place: CellPlace) -> Rows:
    """Rows of the verdict table that belong to a cell."""
    taxonomy = evaluation.suite.taxonomy
    if place.category is not None and place.category not in taxonomy:
        raise UnknownName("category", place.category, taxonomy)
    if place.phenomenon is not None and place.phenomenon not in taxonomy.get(place.category or "", {}):
        raise UnknownName("phenomenon", place.phenomenon, taxonomy.get(place.category or "", {}))
    if place.average not in (None, *AVERAGES, *OVER_TIERS, *OVER_GROUPS, WARNINGS):
        raise UnknownName("average", place.average or "", [*AVERAGES, *OVER_TIERS, *OVER_GROUPS, WARNINGS])
    items = evaluation.suite.items
    if place.average in OVER_GROUPS:
        return np.flatnonzero(
            [items[position].group != "" and items[position].independent for position in evaluation.table.items]
        )
    if place.average in OVER_TIERS:
        return np.flatnonzero([f"{items[position].tier}_tier" == place.average for position in evaluation.table.items])
    chosen = [
        row
        for row, position in enumerate(evaluation.table.items.tolist())
        if place.category in (None, items[position].category) and place.phenomenon in (None, items[position].phenomenon)
    ]
    return np.array(chosen, dtype=np.intp)


def _cell_items(
    reader: Reader, evaluation: Evaluation, rows: Sequence[int], column: int, mask: Mask
) -> Iterator[CellItem]:
    table, snapshot = evaluation.table, reader.snapshot
    reader.items(int(table.items[row]) for row in rows)
    for row in rows:
        position = int(table.items[row])
        code = int(table.outputs.codes[position, column])
        shown = reader.show(snapshot.texts[snapshot.code_texts[code]]) if code >= 0 else None
        item = evaluation.suite.items[position]
        yield CellItem(item, str(table.finding(position, column).verdict), shown, bool(mask[row, column]))
