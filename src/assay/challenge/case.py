"""Cases: a source with its references, any number of hypotheses, and what is known about these.

    case = Case("1", "Eins.", (Hypothesis("hyp-1", "One."), Hypothesis("hyp-2", "Two.")), langpair="de-en",
                relations=(Ladder.parse("hyp-1 > hyp-2"),))
    case.better_pairs()         # [("hyp-1", "hyp-2")]

What the files of all challenge sets have in common. Accuracy is counted on challenge items, the pairs that the
relations of a case say (`pairs`); agreement with people on the human scores of its hypotheses.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from assay.errors import BadOption

# ISO 639-2 has `mul` for "multiple languages".
SEVERAL_PAIRS = "mul-mul"

_BETTER, _EQUAL = " > ", " = "

Further = tuple[tuple[str, Any], ...]
"""Fields of a set that mean nothing to Assay and are kept: names in alphabetical order, and values as JSON has them."""


@dataclass(frozen=True, slots=True)
class ErrorSpan:
    """Characters of a hypothesis that are wrong, from `start` up to but not including `end`."""

    start: int
    end: int
    severity: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference, and who wrote it."""

    name: str
    text: str
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A translation: its name in the case, who wrote it, what people gave it (kind of score, value) and its errors.

    The kinds of human scores are in alphabetical order.
    """

    name: str
    text: str
    systems: tuple[str, ...] = ()
    human: tuple[tuple[str, float], ...] = ()
    spans: tuple[ErrorSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Ladder:
    """Names of hypotheses from best to worst; those on one step are equally good.

    With two steps it is a pair of a better and a worse one, with a single step an equality.
    """

    steps: tuple[tuple[str, ...], ...]

    @classmethod
    def parse(cls, written: str) -> "Ladder":
        """`hyp-1 > hyp-2 = hyp-3 > hyp-4`."""
        steps = tuple(tuple(name.strip() for name in step.split(_EQUAL)) for step in written.strip().split(_BETTER))
        if not all(name for step in steps for name in step) or sum(map(len, steps)) < 2:
            raise BadOption(f"{written!r} says nothing about two hypotheses; write hyp-1 > hyp-2 or hyp-1 = hyp-2")
        return cls(steps)

    def __str__(self) -> str:
        return _BETTER.join(map(_EQUAL.join, self.steps))

    @property
    def names(self) -> tuple[str, ...]:
        """All hypotheses of the ladder."""
        return tuple(name for step in self.steps for name in step)

    def better_pairs(self) -> list[tuple[str, str]]:
        """Each better hypothesis with each worse one."""
        return [
            (better, worse)
            for place, step in enumerate(self.steps)
            for better in step
            for lower in self.steps[place + 1 :]
            for worse in lower
        ]

    def equal_pairs(self) -> list[tuple[str, str]]:
        """Each two hypotheses of a step."""
        return [
            (first, second) for step in self.steps for place, first in enumerate(step) for second in step[place + 1 :]
        ]


@dataclass(frozen=True, slots=True)
class Case:
    """A source and its hypotheses; `labels` are its categories from the widest to the narrowest.

    `item` is the item of a suite that it comes from, `document` the text that it is part of. White space of all texts
    is folded to single spaces. A reference without a text is none.
    """

    id: str
    source: str
    hypotheses: tuple[Hypothesis, ...]
    references: tuple[Reference, ...] = ()
    relations: tuple[Ladder, ...] = ()
    langpair: str = ""
    labels: tuple[str, ...] = ()
    item: str = ""
    document: str = ""
    further: Further = ()

    @property
    def reference(self) -> str:
        """The text of the first reference; empty where there is none."""
        return self.references[0].text if self.references else ""

    def better_pairs(self) -> list[tuple[str, str]]:
        """Names of a better and a worse hypothesis, as the relations say, each pair once."""
        return list(dict.fromkeys(pair for ladder in self.relations for pair in ladder.better_pairs()))

    def equal_pairs(self) -> list[tuple[str, str]]:
        """Names of two hypotheses that are equally good, as the relations say, each pair once."""
        return list(dict.fromkeys(pair for ladder in self.relations for pair in ladder.equal_pairs()))

    @property
    def problem(self) -> str:
        """What is wrong with names and relations; empty where nothing is."""
        names = [hypothesis.name for hypothesis in self.hypotheses]
        (name, number), *_ = Counter(names).most_common(1) or [("", 0)]
        if number > 1:
            return f"two hypotheses are called {name!r}"
        odd = next((name for name in names if not name or _BETTER in name or _EQUAL in name), None)
        if odd is not None:
            return f"{odd!r} cannot name a hypothesis"
        strange = next((name for ladder in self.relations for name in ladder.names if name not in names), None)
        if strange is not None:
            return f"a relation names {strange!r}, which is no hypothesis of the challenge item"
        return _contradiction(self.better_pairs(), self.equal_pairs())


def _contradiction(better: Iterable[tuple[str, str]], equal: Iterable[tuple[str, str]]) -> str:
    """Two statements that cannot both hold, also by way of others; empty where there are none."""
    group: dict[str, str] = {}

    def find(name: str) -> str:
        while group.get(name, name) != name:
            name = group[name]
        return name

    for first, second in equal:
        group[find(first)] = find(second)
    worse: dict[str, set[str]] = {}
    for above, below in better:
        if find(above) == find(below):
            return f"the relations contradict: {above!r} is better than {below!r} and as good as it"
        worse.setdefault(find(above), set()).add(find(below))
    for above, below in better:
        seen, ahead = set[str](), [find(below)]
        while ahead:
            name = ahead.pop()
            if name == find(above):
                return f"the relations contradict: {above!r} is better than {below!r}, and the other way round"
            if name not in seen:
                seen.add(name)
                ahead += worse.get(name, ())
    return ""


@dataclass(frozen=True)
class CaseSet:
    """Cases of one or several language pairs; `signature` says how they were drawn, and is empty where unknown.

    `unread` names files of the set with something that cases cannot hold.
    """

    name: str
    cases: tuple[Case, ...]
    signature: str = ""
    unread: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        (twice, number), *_ = Counter(case.id for case in self.cases).most_common(1) or [("", 0)]
        if number > 1:
            raise BadOption(f"the challenge item {twice!r} is in the set {number} times; ids must differ")

    def __len__(self) -> int:
        return len(self.cases)

    @cached_property
    def langpair(self) -> str:
        """That of all cases; `mul-mul` where there are several, empty where none is known."""
        pairs = {case.langpair for case in self.cases}
        return pairs.pop() if len(pairs) == 1 else SEVERAL_PAIRS if pairs else ""

    @cached_property
    def size(self) -> int:
        """The number of hypotheses."""
        return sum(len(case.hypotheses) for case in self.cases)

    @cached_property
    def hash(self) -> str:
        """Of what is scored, in its order: scores of one set do not fit another."""
        digest = sha256()
        for case in self.cases:
            named = [part for hypothesis in case.hypotheses for part in (hypothesis.name, hypothesis.text)]
            digest.update(
                "\0".join((case.id, case.source, case.reference, *named, "")).encode("utf-8", "surrogatepass")
            )
        return digest.hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class PairOrigin:
    """Where pairs come from: for each pair the places of its hypotheses, counted over all hypotheses of all cases."""

    cases: CaseSet
    places: tuple[tuple[int, int], ...]
