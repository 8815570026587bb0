"""Challenge items: two translations of one item, one right and one wrong, and a reference to score them with.

    challenge = ChallengeSet("assay-de-en", "de-en", items)
    challenge.segments()        what a metric has to score, each distinct one once

A set is blind where nobody is told which of the two is right; its key says so.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from assay.challenge.case import PairOrigin
from assay.errors import BadOption
from assay.result import exact_name

MetricGroup = Literal["baseline", "reference-based", "qe", "control"]
METRIC_GROUPS: tuple[MetricGroup, ...] = get_args(MetricGroup)

HYPOTHESES = ("hyp-1", "hyp-2")
"""What the two translations are called in files."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What a metric scores: one translation of a source, beside a reference.

    `language` is the target language, for metrics that ask for it.
    """

    source: str
    hypothesis: str
    reference: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class ChallengeItem:
    """A reference and two translations of one item, in the order in which a metric's author sees them.

    White space of all texts is folded to single spaces. `correct` is 1 or 2, None in a blind set, where `item`,
    `category`, `phenomenon` and the systems (`NAME` or `NAME (CAMPAIGN)`, all that wrote the text) are empty too.
    `langpair` is empty where it is that of the set.
    """

    id: str
    source: str
    reference: str
    first: str
    second: str
    correct: Literal[1, 2] | None = None
    item: str = ""
    category: str = ""
    phenomenon: str = ""
    reference_systems: tuple[str, ...] = ()
    first_systems: tuple[str, ...] = ()
    second_systems: tuple[str, ...] = ()
    langpair: str = ""

    @property
    def right(self) -> str:
        """The correct translation."""
        return self.second if self.correct == 2 else self.first

    @property
    def wrong(self) -> str:
        """The incorrect translation."""
        return self.first if self.correct == 2 else self.second

    @property
    def segments(self) -> tuple[Segment, Segment]:
        """Both translations, ready to be scored."""
        return (
            Segment(self.source, self.first, self.reference),
            Segment(self.source, self.second, self.reference),
        )


@dataclass(frozen=True)
class ChallengeSet:
    """Challenge items; `signature` says how they were drawn, and is empty where unknown.

    `langpair` is `mul-mul` where items have several. `origin` is where the items of a set come from whose cases are
    more than pairs: metrics score the hypotheses of its cases.
    """

    name: str
    langpair: str
    items: tuple[ChallengeItem, ...]
    signature: str = ""
    origin: PairOrigin | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        (twice, number), *_ = Counter(item.id for item in self.items).most_common(1) or [("", 0)]
        if number > 1:
            raise BadOption(f"the challenge item {twice!r} is in the set {number} times; ids must differ")

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def is_blind(self) -> bool:
        """Whether it is unknown for some item which translation is right."""
        return any(item.correct is None for item in self.items)

    @cached_property
    def hash(self) -> str:
        """Of what is scored, in its order: scores of one set do not fit another."""
        digest = sha256()
        for item in self.items:
            digest.update(
                "\0".join((item.id, item.source, item.reference, item.first, item.second, "")).encode(
                    "utf-8", "surrogatepass"
                )
            )
        return digest.hexdigest()[:12]

    @property
    def exact_name(self) -> str:
        """Name and hash, as signatures have them."""
        return exact_name(self.name, self.hash)

    def segments(self) -> list[Segment]:
        """Each distinct translation with its source and reference, in order of appearance."""
        return list(dict.fromkeys(segment for item in self.items for segment in item.segments))


@dataclass(frozen=True)
class MetricScores:
    """What one metric says about a challenge set: `values[i]` are the scores of item i's first and second translation.

    NaN is neither right nor a tie: the metric has no score there.
    """

    name: str
    values: NDArray[np.float64]
    group: MetricGroup = "reference-based"
    higher_is_better: bool = True
    signature: str = ""
