"""What requests and answers of the JSON API are made of; what only one subject has stands beside its operations.

Answers are the records that use cases return, without their internal fields; a class stands here where the JSON has
other fields than the record, or a verdict as a word. Undefined is null, never 0. Times are UTC, ISO 8601 with
microseconds; positions are code points [start, end) of the normalised text.
"""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, with_config

from assay.errors import UnknownName
from assay.outputs import System
from assay.suites import Polarity, Rule
from assay.suites.kinds import LONGEST_NAME, is_kind, kind_names
from assay.verdicts import Evidence, Reason
from assay.verdicts.judgements import Event
from assay.workbench.items.rule_edits import LONGEST_RULE, LONGEST_SCOPE, MOST_RULES, make_rule
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import LONGEST_COMMENT
from assay.workbench.reader import Reader
from assay.workbench.snapshot import SnapshotText

LARGEST = 2**31 - 1
"""The largest id that both databases keep."""

VerdictWord = Annotated[Literal["pass", "fail", "warning"], BeforeValidator(str)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Short = Annotated[str, Field(max_length=200)]
Comment = Annotated[str, Field(max_length=LONGEST_COMMENT)]
Password = Annotated[str, Field(max_length=1000)]
Id = Annotated[int, Field(ge=0, le=LARGEST)]


ANSWER: Final = ConfigDict(
    from_attributes=True, extra="forbid", populate_by_name=True, json_schema_serialization_defaults_required=True
)
"""An answer has all its fields, also those that Python has a default for, and no others; its schema says so."""


class Shape(BaseModel):
    """Part of an answer that no use case has a record for."""

    model_config = ANSWER

    @classmethod
    def made_of(cls, record: object, **more: object) -> Self:
        """With the fields that a record has, and others."""
        own = {name: getattr(record, name) for name in cls.model_fields if hasattr(record, name)}
        return cls.model_validate(own | more)


def at(*path: str) -> Any:
    """A field of an answer that stands somewhere in the record that it is made from."""
    return Field(validation_alias=AliasPath(*path))


def answered(*records: type) -> None:
    """Describe these records as answers: whole ones, and those with defaults."""
    for record in records:
        with_config(ANSWER)(record)


answered(Event, Rule, System, User)


class RequestBody(BaseModel):
    """Part of a request. Fields that nobody knows are refused, and so are numbers in quotation marks."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ErrorAnswer(Shape):
    """Every error: what is wrong, in words that say what to do."""

    detail: str


class Session(Shape):
    """The token goes into the header `Authorization: Bearer TOKEN` of every request; it ends after 30 days."""

    token: str
    user: User


# Rules


def _known_kind(name: str) -> str:
    if not is_kind(name):
        raise ValueError(str(UnknownName("kind of rule", name, kind_names())))
    return name


class NewRule(RequestBody):
    polarity: Polarity
    kind: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_known_kind)]
    value: Annotated[str, Field(min_length=1, max_length=LONGEST_RULE)]
    flags: Literal["", "i"] = ""
    note: Comment = ""
    scope: Annotated[str, Field(max_length=LONGEST_SCOPE)] = ""

    def made(self) -> Rule:
        """The rule, or what is wrong with it."""
        return make_rule(self.polarity, self.kind, self.value, self.flags, self.note, self.scope)


class NewRules(RequestBody):
    """All rules that an item is to have, in their order."""

    rules: list[NewRule] = Field(max_length=MOST_RULES)

    def made(self) -> list[Rule]:
        """The rules, or what is wrong with the first that cannot be tried."""
        return [rule.made() for rule in self.rules]


# Texts


class FindingAnswer(Shape):
    """What a text is worth, and why; `reason` is set for warnings only."""

    verdict: VerdictWord
    reason: Reason
    evidence: list[Evidence]


class Text(Shape):
    """A distinct text of an item: `now` is what it is worth, `ruled` by the rules alone, `first` when first seen.

    `judgements` are those that hold: everybody's last one, and an adjudication. `known` is the last of their ids.
    """

    id: int
    text: str
    now: FindingAnswer
    ruled: FindingAnswer
    first: VerdictWord
    systems: list[System]
    disputed: bool
    judgements: list[Event]
    known: int

    @classmethod
    def of(cls, reader: Reader, text: SnapshotText) -> "Text":
        judgements = reader.votes(text)
        return cls.made_of(
            text,
            text=text.value,
            now=text.finding,
            systems=reader.writers(text),
            judgements=judgements,
            known=max((event.id for event in judgements), default=0),
        )
