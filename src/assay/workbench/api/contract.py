"""The JSON that `assay evaluate`, `assay compare` and `assay years` write, as types.

`assay/schemas/evaluation.json` is the contract of the first; a test compares what the API answers with it.
"""

from typing import Literal

from pydantic import Field

from assay.evaluation import Correction
from assay.workbench.api.shapes import Count, Shape, Share

Level = Literal["category", "phenomenon", "micro", "category_macro", "phenomenon_macro"]


class Suite(Shape):
    name: str
    langpair: str
    items: Count
    hash: str


class Summary(Shape):
    """A system's verdicts; `costs` counts items that it alone keeps out of the fair comparison."""

    name: str
    campaign: str
    metadata: dict[str, str]
    outputs: Count
    missing: Count
    passed: Count = Field(alias="pass")
    failed: Count = Field(alias="fail")
    warnings: Count = Field(alias="warning")
    warning_share: Share
    costs: Count


class LeftOut(Shape):
    name: str
    campaign: str
    reason: str


class Excluded(Shape):
    not_in_source: Count
    warning: Count


class Items(Shape):
    total: Count
    counted: Count
    excluded: Excluded


class Likeness(Shape):
    """Systems that wrote nearly the same."""

    systems: list[str]
    share: float


class Dropped(Shape):
    category: str
    phenomenon: str | None


class AllDropped(Shape):
    """What a macro average leaves out: not defined for every system."""

    category_macro: list[Dropped]
    phenomenon_macro: list[Dropped]


class Cell(Shape):
    """Accuracy with its interval, and bounds whatever becomes of the warnings; null where nothing counts."""

    system: str
    campaign: str
    correct: int | None
    total: int | None
    accuracy: Share | None
    low: Share | None
    high: Share | None
    lower_bound: Share | None
    upper_bound: Share | None
    first_cluster: bool
    p: Share | None


class Row(Shape):
    level: Level
    category: str | None
    phenomenon: str | None
    count: Count
    cells: list[Cell]
    average: Share | None


class Evaluation(Shape):
    """What `assay evaluate --format json` writes."""

    assay: str
    signature: str
    suite: Suite
    systems: list[Summary]
    excluded_systems: list[LeftOut]
    items: Items
    not_independent: list[Likeness]
    dropped: AllDropped
    columns: list[str]
    rows: list[Row]


class Change(Shape):
    """A row of a comparison; `p` is one-tailed in the direction of the change, corrected over all rows."""

    level: Level
    category: str | None
    phenomenon: str | None
    items: Count
    first: float | None
    second: float | None
    difference: float | None
    only_first: int | None
    only_second: int | None
    p: Share | None
    outcome: Literal["better", "worse", "same"]
    needed: int | None


class ChangedItem(Shape):
    """An item that only one of the two got right, and what both wrote."""

    item: str
    category: str
    phenomenon: str
    source: str
    first: str
    second: str


class Comparison(Shape):
    """What `assay compare --format json` writes: `lost` are items that only the first got right."""

    assay: str
    signature: str
    correction: Correction
    first: str
    second: str
    items: Count
    rows: list[Change]
    lost: list[ChangedItem]
    gained: list[ChangedItem]


class YearCell(Shape):
    """`change` is since the campaign before; `best` marks the columns of each campaign's best system."""

    system: str
    campaign: str
    best: bool
    accuracy: Share | None
    low: Share | None
    high: Share | None
    change: float | None
    trend: str | None


class YearRow(Shape):
    level: Level
    category: str | None
    phenomenon: str | None
    count: Count
    cells: list[YearCell]


class Years(Shape):
    """What `assay years --format json` writes."""

    assay: str
    signature: str
    correction: Correction
    campaigns: list[str]
    best: dict[str, str]
    returning: list[str]
    items: Count
    rows: list[YearRow]
