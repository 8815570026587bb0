"""What all results have in common, be they of systems, campaigns, metrics, contrasts or suggestions.

    print(result.signature)             # assay:0.1.0|suite:assay-de-en@0.3.0#82a417c9a53d|policy:fair|…
    for note in result.notes("category"):
        print(note)
    json.dumps(result.to_dict("both"))

These are `Evaluation`, `Comparison`, `Years`, `Ageing`, `MetricEvaluation`, `ContrastRun` and `Calibration`; each is
complete when it is made.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self, get_args

from assay import __version__

By = Literal["category", "phenomenon", "both"]
BY: tuple[By, ...] = get_args(By)
"""Rows to look at: categories, phenomena, or each category followed by its phenomena."""

RowChoice = Literal["category", "phenomenon", "both", "labels"]
"""The same, or the shares of labels instead."""


class Signature(str):
    """Everything that a number depends on, in a line: `assay:0.1.0|suite:…|policy:fair|…`.

    It is a string, since it is written and compared as one everywhere; `fields` are the names and values it is made of,
    in their order.
    """

    fields: Mapping[str, str]

    def __new__(cls, fields: Mapping[str, str]) -> Self:
        made = super().__new__(cls, "|".join(f"{name}:{value}" for name, value in fields.items()))
        made.fields = dict(fields)
        return made

    def __getnewargs__(self) -> tuple[Mapping[str, str]]:  # type: ignore[override]  # what `__new__` takes
        return (self.fields,)

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> Self:
        """A signature of this version of Assay."""
        return cls({"assay": __version__, **fields})

    def changed(self, fields: Mapping[str, str]) -> Self:
        """The same with other values, each in its place, and with further fields at the end."""
        return type(self)({**self.fields, **fields})


def exact_name(name: str, digest: str, version: str = "") -> str:
    """`name@version#hash`, which names contents and not just their title; without a version `name#hash`."""
    return f"{name}@{version}#{digest}" if version else f"{name}#{digest}"


@dataclass(frozen=True, slots=True)
class Note:
    """A line under a table. One with a label is a signature: `Signature`, or `Signature of chrF`.

    A signature is no prose: it is set in code style where there is one, and must not be folded. `paper` is what stands
    in a paper instead, nothing where it is empty: readers there can neither run commands nor judge texts.
    """

    text: str
    label: str = ""
    paper: str | None = None

    @classmethod
    def signature(cls, signature: str, of: str = "") -> Self:
        """The signature of a result, or of something that it rests on."""
        return cls(signature, f"Signature of {of}" if of else "Signature")

    @property
    def is_signature(self) -> bool:
        return bool(self.label)

    def __str__(self) -> str:
        return f"{self.label}: {self.text}" if self.label else self.text


def plain_notes(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes without signatures, for pages that show those elsewhere."""
    return tuple(note for note in notes if not note.is_signature)


class Result(Protocol):
    """A table of numbers that knows what they depend on and what a reader must be told."""

    @property
    def columns(self) -> Sequence[object]:
        """What is compared, in table order."""
        ...

    @property
    def signature(self) -> Signature: ...

    def rows(self, by: By) -> Sequence[object]:
        """Rows of categories, phenomena or both, and the averages."""
        ...

    def averages(self) -> Sequence[object]:
        """The rows over everything; these end the list of `rows`."""
        ...

    def notes(self, by: By) -> tuple[Note, ...]:
        """What a reader of these rows must know, the signature last."""
        ...

    def to_dict(self, by: By) -> Mapping[str, Any]:
        """The JSON document."""
        ...
