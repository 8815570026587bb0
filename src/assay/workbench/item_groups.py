"""The texts of an item that an annotator can decide, by what one decision settles."""

from dataclasses import dataclass

from assay.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class DecidedTwin:
    """The decided text that another one equals but for its writing; one that no system wrote has the id 0."""

    text_id: int
    value: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ItemGroups:
    """Undecided text -> the decided one that it is a twin of; and the others, those in a row that are twins.

    The first text of a row is the one that most systems wrote.
    """

    twins: dict[int, DecidedTwin]
    rows: tuple[tuple[int, ...], ...]
