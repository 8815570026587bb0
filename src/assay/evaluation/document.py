"""The JSON of `assay evaluate`, `assay compare` and `assay years`, described once.

The methods `to_dict` of results make these documents, and the type checker compares the two. `scripts/schemas.py` makes
`schemas/evaluation.json` of the first one, and the JSON API names all three as what it answers.

Nothing but types is here, and only readers of types import it: pydantic, which they need, comes with the workbench.
"""

from typing import Annotated, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict  # that of `typing` is not enough for pydantic before Python 3.12

from assay.evaluation.settings import Correction
from assay.evaluation.tally import Level

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]

closed = with_config(ConfigDict(extra="forbid"))
"""Says of a type that its objects have the keys that it names and no others."""


@closed
class ClosedDocument(TypedDict):
    """What all documents are."""


class SuiteDocument(ClosedDocument):
    """The suite; `items` are all that it has."""

    name: str
    langpair: str
    items: Count
    hash: str


# Not as a class, since `pass` is a keyword
SystemDocument = TypedDict(
    "SystemDocument",
    {
        "name": str,
        "campaign": str,
        "metadata": dict[str, str],
        "outputs": Count,
        "missing": Count,
        "pass": Count,
        "fail": Count,
        "warning": Count,
        "warning_share": Share,
        "costs": Count,
    },
)
SystemDocument.__doc__ = "A system's verdicts; `costs` counts items that it alone keeps out of the fair comparison."
closed(SystemDocument)


class ExcludedSystemDocument(ClosedDocument):
    """A system that was left out."""

    name: str
    campaign: str
    reason: str


class ExcludedItemsDocument(ClosedDocument):
    """Items that do not count: without an output, with a warning, or with labels and no rules."""

    not_in_source: Count
    warning: Count
    labels_only: NotRequired[Count]


class ItemsDocument(ClosedDocument):
    """How many items count; `total` is the sum of the others."""

    total: Count
    counted: Count
    excluded: ExcludedItemsDocument


class LikenessDocument(ClosedDocument):
    """Systems that wrote nearly the same; `share` is the least share of texts that two of them have in common."""

    systems: list[str]
    share: float


class DroppedDocument(ClosedDocument):
    """A category or phenomenon that a macro-average leaves out."""

    category: str
    phenomenon: str | None


class AllDroppedDocument(ClosedDocument):
    """What the macro-averages leave out: not defined for every system."""

    category_macro: list[DroppedDocument]
    phenomenon_macro: list[DroppedDocument]


class KeyDocument(ClosedDocument):
    """What a row is about."""

    level: Level
    category: str | None
    phenomenon: str | None


class CellDocument(ClosedDocument):
    """Accuracy with its interval, and bounds whatever becomes of the warnings; null where nothing counts.

    Cells of an estimate have a second interval, `low_here` to `high_here`, for these very items.
    """

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
    low_here: NotRequired[Share | None]
    high_here: NotRequired[Share | None]


class RowDocument(KeyDocument):
    """A category, a phenomenon, an average, or groups; `count` is the items, or groups, that count."""

    count: Count
    cells: list[CellDocument]
    average: Share | None


class CorrelationDocument(KeyDocument):
    """Spearman's rank correlation of a row's accuracies with an outside score, with its 95 % interval."""

    score: str
    systems: Count
    rho: float | None
    low: float | None
    high: float | None


class NeedDocument(ClosedDocument):
    """The leader, a system that cannot be told apart from it, and how many more judgements that takes.

    It is null where judging cannot tell them apart.
    """

    first: str
    second: str
    judgements: Count | None


class EstimateDocument(ClosedDocument):
    """What an estimate was made from: of so many `undecided` texts of a draw so many were judged, or skipped."""

    draw: str
    judged: Count
    undecided: Count
    skipped: Count
    predictor: str
    needs: list[NeedDocument]


class LabelCellDocument(ClosedDocument):
    """A label of one system; `difference` is to the other phenomena that have it, `p` two-tailed, not corrected."""

    system: str
    campaign: str
    number: Count
    total: Count
    share: Share | None
    low: Share | None
    high: Share | None
    difference: float | None
    p: Share | None


class LabelRowDocument(ClosedDocument):
    """A label in a phenomenon, or, where it is null, the share of texts without one; `count` is the items found."""

    category: str
    phenomenon: str
    label: str | None
    count: Count
    cells: list[LabelCellDocument]


class EvaluationDocument(ClosedDocument):
    """What `assay evaluate --format json` writes."""

    assay: str
    signature: str
    suite: SuiteDocument
    systems: list[SystemDocument]
    excluded_systems: list[ExcludedSystemDocument]
    items: ItemsDocument
    not_independent: list[LikenessDocument]
    dropped: AllDroppedDocument
    columns: list[str]
    rows: list[RowDocument]
    labels: NotRequired[list[LabelRowDocument]]
    estimate: NotRequired[EstimateDocument]


class ScoredDocument(EvaluationDocument):
    """The same, and what `--scores` adds."""

    scores: NotRequired[dict[str, dict[str, float]]]
    correlations: NotRequired[list[CorrelationDocument]]


class ChangeDocument(KeyDocument):
    """A row of a comparison; `p` is one-tailed in the direction of the change, corrected over all rows."""

    items: Count
    first: float | None
    second: float | None
    difference: float | None
    only_first: int | None
    only_second: int | None
    p: Share | None
    outcome: Literal["better", "worse", "same"]
    needed: int | None


class ChangedItemDocument(ClosedDocument):
    """An item that only one of the two got right, and what both wrote."""

    item: str
    category: str
    phenomenon: str
    source: str
    first: str
    second: str


class ComparisonDocument(ClosedDocument):
    """What `assay compare --format json` writes: `lost` are items that only the first got right."""

    assay: str
    signature: str
    correction: Correction
    first: str
    second: str
    items: Count
    rows: list[ChangeDocument]
    lost: list[ChangedItemDocument]
    gained: list[ChangedItemDocument]


class YearCellDocument(ClosedDocument):
    """`change` is since the campaign before; `best` marks the columns of each campaign's best system."""

    system: str
    campaign: str
    best: bool
    accuracy: Share | None
    low: Share | None
    high: Share | None
    change: float | None
    trend: Literal["gain", "loss", ""]


class YearRowDocument(KeyDocument):
    """A row over all campaigns."""

    count: Count
    cells: list[YearCellDocument]


class DifferenceDocument(KeyDocument):
    """A row of differences between two campaigns, in the order of the systems."""

    items: Count
    differences: list[float | None]
    trends: list[Literal["gain", "loss", ""]]
    average: float | None


class DifferencesDocument(ClosedDocument):
    """Differences between two campaigns, for the systems that are in both."""

    first: str
    second: str
    systems: list[str]
    rows: list[DifferenceDocument]


class YearsDocument(ClosedDocument):
    """What `assay years --format json` writes."""

    assay: str
    signature: str
    correction: Correction
    campaigns: list[str]
    best: dict[str, str]
    returning: list[str]
    items: Count
    rows: list[YearRowDocument]


class YearsDifferenceDocument(YearsDocument):
    """The same, and what `--diff` adds."""

    differences: DifferencesDocument


class CampaignDocument(ClosedDocument):
    """A campaign: the systems that were kept, and those that were not."""

    name: str
    systems: list[str]
    excluded_systems: list[ExcludedSystemDocument]


class AgeingCellDocument(ClosedDocument):
    """A row in one campaign; `share` is decided / outputs, `common_share` that on the items that all campaigns have."""

    campaign: str
    found: Count
    counting: Count
    single: Count
    outputs: Count
    missing: Count
    decided: Count
    share: Share | None
    common_share: Share | None


class AgeingRowDocument(KeyDocument):
    """A row in all campaigns; `change` is that of the common share from the first to the last."""

    items: Count
    common: Count
    change: float | None
    cells: list[AgeingCellDocument]


class LostRowDocument(KeyDocument):
    """A row without a counting item in these campaigns; `found`, `nearest` and `left` are of the last of them."""

    campaigns: list[str]
    found: Count
    nearest: str | None
    left: Count | None


class ItemStateDocument(ClosedDocument):
    """An item in one campaign; `left` texts must be judged before it counts, null where that does not help."""

    campaign: str
    outputs: Count
    undecided: Count
    left: Count | None


class ItemCostDocument(ClosedDocument):
    """An item with undecided outputs."""

    item: str
    category: str
    phenomenon: str
    source: str
    campaigns: list[ItemStateDocument]


class AgeingDocument(ClosedDocument):
    """What `assay years --ageing --format json` writes."""

    assay: str
    signature: str
    campaigns: list[CampaignDocument]
    rows: list[AgeingRowDocument]
    lost: list[LostRowDocument]
    items: list[ItemCostDocument]


class ExampleDocument(ClosedDocument):
    """A text and who wrote it; `start` and `end` are what the deciding rule matched, in code points of `text`."""

    item: str
    category: str
    phenomenon: str
    tests: str
    source: str
    verdict: str
    reason: str
    text: str
    start: int | None
    end: int | None
    right: str
    systems: list[str]
