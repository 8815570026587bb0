"""What waits for a linguist, and what the linguist says."""

from typing import NamedTuple

from assay.model.outputs import System
from assay.model.suite import Item, Polarity
from assay.model.verdicts import Reason


class Task(NamedTuple):
    """A text without a verdict, and everybody who wrote it.

    `left` counts the texts of this item that have to be judged before it counts for a fair comparison: 1 means
    that this judgement frees the item. It is None where an output is missing, so that no judgement can.
    """

    item: Item
    text: str
    reason: Reason
    systems: tuple[System, ...]
    left: int | None


class Judgement(NamedTuple):
    """A linguist's verdict on one text of one item: who, when, why."""

    item: str
    text: str
    verdict: Polarity
    by: str = ""
    on: str = ""
    comment: str = ""
