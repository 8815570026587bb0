"""What requests and answers of the JSON API are made of; what only one subject has stands beside its operations.

Answers are read off the records that use cases return, so a field has the name that it has there. Undefined is null,
never 0. Times are UTC, ISO 8601 with microseconds; positions are code points [start, end) of the normalised text.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from assay.suites import Kind, Polarity
from assay.suites import Rule as ModelRule
from assay.verdicts import Event as ModelEvent
from assay.verdicts import EventKind, Reason
from assay.workbench.items.rule_edits import LONGEST_RULE, MOST_RULES, make_rule
from assay.workbench.people.roles import Role
from assay.workbench.queue.desk import LONGEST_COMMENT
from assay.workbench.snapshot import Snapshot, SnapshotText

LARGEST = 2**31 - 1
"""The largest id that both databases keep."""

Verdict = Annotated[Literal["pass", "fail", "warning"], BeforeValidator(str)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Short = Annotated[str, Field(max_length=200)]
Comment = Annotated[str, Field(max_length=LONGEST_COMMENT)]
Password = Annotated[str, Field(max_length=1000)]
Id = Annotated[int, Field(ge=0, le=LARGEST)]


class Shape(BaseModel):
    """Part of an answer."""

    model_config = ConfigDict(from_attributes=True, extra="forbid", populate_by_name=True)


class RequestBody(BaseModel):
    """Part of a request. Fields that nobody knows are refused, and so are numbers in quotation marks."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ErrorAnswer(Shape):
    """Every error: what is wrong, in words that say what to do."""

    detail: str


class User(Shape):
    name: str
    role: Role
    active: bool
    has_password: bool
    created: str


class Session(Shape):
    """The token goes into the header `Authorization: Bearer TOKEN` of every request; it ends after 30 days."""

    token: str
    user: User


class System(Shape):
    name: str
    campaign: str


class Counts(Shape):
    """Distinct texts by their verdict."""

    passed: Count = Field(alias="pass")
    failed: Count = Field(alias="fail")
    warnings: Count = Field(alias="warning")

    @classmethod
    def of(cls, texts: Iterable[SnapshotText]) -> "Counts":
        counts = Counter(str(text.finding.verdict) for text in texts)
        return cls.model_validate({name: counts[name] for name in ("pass", "fail", "warning")})


# Rules


class Rule(Shape):
    """An `exact` rule with `by` is a judgement, made `on` that day."""

    polarity: Polarity
    kind: Kind
    value: str
    flags: str
    note: str
    by: str
    on: str


class NewRule(RequestBody):
    polarity: Polarity
    kind: Kind
    value: Annotated[str, Field(min_length=1, max_length=LONGEST_RULE)]
    flags: Literal["", "i"] = ""
    note: Comment = ""


class NewRules(RequestBody):
    """All rules that an item is to have, in their order."""

    rules: list[NewRule] = Field(max_length=MOST_RULES)

    def made(self) -> list[ModelRule]:
        """The rules, or what is wrong with the first that cannot be used."""
        return [make_rule(rule.polarity, rule.kind, rule.value, rule.flags, rule.note) for rule in self.rules]


# Texts


class Evidence(Shape):
    """A rule and where it matched."""

    rule: Rule
    start: Count
    end: Count


class Finding(Shape):
    """What a text is worth, and why; `reason` is set for warnings only."""

    verdict: Verdict
    reason: Reason
    evidence: list[Evidence]


class Event(Shape):
    """One thing that somebody did with one text; an `undo` takes back the event `undoes`."""

    id: int
    text_id: int
    by: str
    kind: EventKind
    verdict: Polarity | None
    comment: str
    acceptability: int | None
    tags: list[str]
    blind: bool
    seen: list[str]
    undoes: int | None
    dated: str
    created: str


class Text(Shape):
    """A distinct text of an item: `now` is what it is worth, `ruled` by the rules alone, `first` when first seen.

    `judgements` are those that hold: everybody's last one, and an adjudication. `known` is the last of their ids.
    """

    id: int
    text: str
    now: Finding
    ruled: Finding
    first: Verdict
    systems: list[System]
    disputed: bool
    judgements: list[Event]
    known: int

    @classmethod
    def of(cls, board: Snapshot, text: SnapshotText) -> "Text":
        judgements = holding(text)
        return cls.model_validate(
            {
                "id": text.id,
                "text": text.value,
                "now": text.finding,
                "ruled": text.ruled,
                "first": text.first,
                "systems": board.writers(text.place, text.id),
                "disputed": bool(text.settlement and text.settlement.disputed),
                "judgements": judgements,
                "known": max((event.id for event in judgements), default=0),
            }
        )


def holding(text: SnapshotText) -> list[ModelEvent]:
    """The judgements of a text that hold, and the adjudication."""
    if text.settlement is None:
        return []
    return [*text.settlement.votes.values(), *([text.settlement.ruling] if text.settlement.ruling else [])]
