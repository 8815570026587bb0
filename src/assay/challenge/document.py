"""The JSON of `assay challenge report`, described once.

`MetricEvaluation.to_dict` makes it, and the type checker compares the two; `scripts/schemas.py` makes
`schemas/challenge.json` of it, by which reports are read back.

Nothing but types is here, as in `assay.evaluation.document`.
"""

from typing import Annotated, NotRequired

from pydantic import Field

from assay.challenge.challenge_set import MetricGroup
from assay.evaluation.document import ClosedDocument, Count, KeyDocument, Share

Some = Annotated[int, Field(ge=1)]
Difference = Annotated[float, Field(ge=-1, le=1)]


class SetDocument(ClosedDocument):
    """The challenge set: `size` challenge items from `items` items, with `sources` distinct sources; `signature` says
    how it was drawn."""

    name: str
    langpair: str
    hash: str
    size: Some
    items: Some
    sources: NotRequired[Some]  # reports of before 0.2 have none
    signature: str


class MetricDocument(ClosedDocument):
    """A metric, with its challenge items that tie and those that it has no score for."""

    name: str
    group: MetricGroup
    higher_is_better: bool
    signature: str
    ties: Count
    undefined: Count


class ClosenessDocument(ClosedDocument):
    """Mean and quartiles of a closeness in characters."""

    mean: Share
    lower: Share
    median: Share
    upper: Share


class DifficultyDocument(ClosedDocument):
    """How close the two translations are to each other and each to the reference; `closer` is the share of challenge
    items whose correct translation is closer to the reference."""

    pair: ClosenessDocument
    correct: ClosenessDocument
    incorrect: ClosenessDocument
    closer: Share


class MetricCellDocument(ClosedDocument):
    """A metric in a row; null where undefined, or where the row has no such number."""

    metric: str
    group: MetricGroup
    correct: Count | None
    total: Count | None
    ties: Count | None
    undefined: Count | None
    accuracy: Share | None
    low: Share | None
    high: Share | None
    first_cluster: bool
    first_cluster_in_group: bool
    p: Share | None


class MetricRowDocument(KeyDocument):
    """A category, a phenomenon or an average: `count` challenge items from `items` items, with `sources` distinct
    sources. `average` is over metrics, not controls; `won_by_control` are controls as good as the best of them."""

    count: Count
    items: Count
    sources: NotRequired[Count]
    cells: list[MetricCellDocument]
    average: Share | None
    won_by_control: NotRequired[list[str]]


class RedundancyDocument(ClosedDocument):
    """Two metrics: challenge items that both, or either, get wrong; Cohen's kappa of right and wrong; the share of
    their mistakes that both make."""

    first: str
    second: str
    both_wrong: Count
    either_wrong: Count
    kappa: Difference | None
    shared: Share | None


class BandCellDocument(ClosedDocument):
    """A metric in a band."""

    metric: str
    correct: Count
    total: Count
    accuracy: Share | None
    low: Share | None
    high: Share | None


class BandDocument(ClosedDocument):
    """Challenge items whose measure lies in (low, high]."""

    low: Difference
    high: Difference
    size: Count
    cells: list[BandCellDocument]


class LanguageDocument(ClosedDocument):
    """The challenge items of one language pair."""

    langpair: str
    size: Some
    sources: Some
    cells: list[BandCellDocument]


class CurvesDocument(ClosedDocument):
    """Accuracy by how close the two translations are, and by how much closer to the reference the correct one is."""

    closeness: list[BandDocument]
    advantage: list[BandDocument]


class ChallengeDocument(ClosedDocument):
    """What `assay challenge report --format json` writes; `never_right` are ids that every metric gets wrong,
    `languages` language pairs, where challenge items have several."""

    assay: str
    signature: str
    set: SetDocument
    metrics: list[MetricDocument]
    difficulty: DifficultyDocument
    columns: list[str]
    rows: list[MetricRowDocument]
    redundancy: list[RedundancyDocument]
    curves: CurvesDocument
    never_right: list[str]
    languages: NotRequired[list[LanguageDocument]]
