"""What a result was computed with."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from assay.errors import BadOption, UnknownName

if TYPE_CHECKING:
    from assay.prediction import Predictor

Policy = Literal["fair", "own", "strict", "estimate"]
Test = Literal["ztest", "mcnemar", "bootstrap", "randomization"]
Correction = Literal["none", "holm", "bh"]
Units = Literal["item", "group"]
Tails = Literal[1, 2]

POLICIES: tuple[Policy, ...] = get_args(Policy)
TESTS: tuple[Test, ...] = get_args(Test)
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
UNITS: tuple[Units, ...] = get_args(Units)


class Choices(TypedDict, total=False):
    """The fields of `Settings` as keywords."""

    policy: Policy
    test: Test
    alpha: float
    correction: Correction
    draws: int
    seed: int
    keep_all: bool
    merge_identical: bool
    predictor: "Predictor | None"
    units: Units | None
    tails: Tails


@dataclass(frozen=True, slots=True)
class Settings:
    """Choices that change numbers; every one of them is in the signature.

    `policy`: which items count: `fair` (no system has a warning), `own` (this system has none), `strict` (all;
    warnings fail), `estimate` (all; undecided texts as a sample of judgements says). `draws` and `seed` are for tests
    that draw: bootstrap, randomization, and mcnemar on macro-averages. `keep_all` keeps systems that did not translate
    the suite; `merge_identical` makes one column of systems that wrote the very same. `predictor` says what undecided
    texts are probably worth, for policy estimate; it names itself in the signature. `units`: what is one observation in
    tests and intervals, an item (as published) or a group of items; without a choice groups, where the suite has any.
    `tails`: 2 where p is to be that of a difference in either direction, since the data say who is best.
    """

    policy: Policy = "fair"
    test: Test = "ztest"
    alpha: float = 0.05
    correction: Correction = "none"
    draws: int = 10_000
    seed: int = 1
    keep_all: bool = False
    merge_identical: bool = False
    predictor: "Predictor | None" = None
    units: Units | None = None
    tails: Tails = 1

    def __post_init__(self) -> None:
        for kind, value, known in (
            ("policy", self.policy, POLICIES),
            ("test", self.test, TESTS),
            ("correction", self.correction, CORRECTIONS),
            ("unit", self.units or "item", UNITS),
        ):
            if value not in known:
                raise UnknownName(kind, value, known)
        if self.policy == "estimate" and self.test != "ztest":
            raise BadOption("policy estimate has a test of its own, paired over items; leave --test out")
        if self.policy != "estimate" and self.predictor:
            raise BadOption(f"--predictor is for --policy estimate; policy {self.policy} predicts nothing")
        if self.policy == "estimate" and self.units == "group":
            raise BadOption("policy estimate counts items, not groups; leave --units out")
        if not 0 < self.alpha < 1:
            raise BadOption(f"alpha is {self.alpha:g}; it must lie between 0 and 1, like 0.05")
        if self.draws < 1:
            raise BadOption(f"draws is {self.draws}; at least 1, and 10000 for a paper")
        if self.seed < 0:
            raise BadOption(f"seed is {self.seed}; it must not be negative")

    @property
    def is_drawn(self) -> bool:
        """Whether the test draws."""
        return self.test != "ztest"

    @property
    def test_in_words(self) -> str:
        """The test with its level, and its correction where there is one."""
        correction = "" if self.correction == "none" else f", {self.correction} correction"
        tails = "one-tailed" if self.tails == 1 else "two-tailed"
        return f"{self.test_name}, {tails}, alpha {self.alpha:g}{correction}"

    @property
    def test_name(self) -> str:
        """Estimates are compared item by item, with the variance of what was not judged."""
        return "paired-z" if self.policy == "estimate" else self.test

    @property
    def signature_fields(self) -> dict[str, str]:
        """Names and values for a signature; draws only where something is drawn."""
        fields = {
            "policy": self.policy,
            "test": self.test_name,
            "alpha": f"{self.alpha:g}",
            "correction": self.correction,
            "seed": str(self.seed),
        }
        if self.is_drawn:
            fields["draws"] = str(self.draws)
        if self.keep_all:
            fields["keep"] = "all"
        if self.merge_identical:
            fields["merge"] = "identical"
        if self.units:
            fields["units"] = self.units
        if self.tails != 1:
            fields["tails"] = str(self.tails)
        return fields

    def for_groups(self, there_are: bool) -> "Settings":
        """The same with the units that are meant where nothing was said; a suite without groups has none to choose."""
        if not there_are:
            return replace(self, units=None) if self.units else self
        units: Units = "item" if self.policy == "estimate" else "group"
        return self if self.units else replace(self, units=units)
