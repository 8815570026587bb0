"""What a result was computed with."""

from dataclasses import dataclass
from typing import Literal, get_args

from assay.model import BadOption, UnknownName

Policy = Literal["fair", "own", "strict"]
Test = Literal["ztest"]

POLICIES: tuple[Policy, ...] = get_args(Policy)
TESTS: tuple[Test, ...] = get_args(Test)


@dataclass(frozen=True, slots=True)
class Settings:
    """Choices that change numbers; every one of them is in the signature.

    `policy`: which items count: `fair` (no system has a warning), `own` (this system has none), `strict` (all;
    warnings fail). `keep_all` keeps systems that did not translate the suite.
    """

    policy: Policy = "fair"
    test: Test = "ztest"
    alpha: float = 0.05
    keep_all: bool = False

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise UnknownName("policy", self.policy, POLICIES)
        if self.test not in TESTS:
            raise UnknownName("test", self.test, TESTS)
        if not 0 < self.alpha < 1:
            raise BadOption(f"alpha is {self.alpha:g}; it must lie between 0 and 1, like 0.05")
