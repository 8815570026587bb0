"""A profile of systems against people: how often each renders a construction as what, beside human translators.

    for construction in found.constructions:
        print(construction.finding)

Shares are of the keywords whose rendering is known. The distance of a system is the mean of those to each translator,
in total variation: the share of keywords that would have to be rendered otherwise to have the translator's shares. That
of the translators to each other is the yardstick. docs/reference/contrasts.md has every formula.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from assay import __version__
from assay.contrasts.annotations import AnnotationEffort
from assay.contrasts.contrast_run import effort_note
from assay.contrasts.faults import FaultCounts
from assay.contrasts.renderings import ENOUGH, Renderings
from assay.result import By, Note, Signature, exact_name
from assay.text import plural
from assay.verdicts import Reason

ALPHA = 0.05
DRAWS, FLIPS = 2_000, 10_000
"""Draws of sentences for intervals, and of their signs for tests."""

Kind = Literal["translator", "system", "group"]


@dataclass(frozen=True, slots=True)
class IntervalNumber:
    """A number with its 95 % interval; None where undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class RenderingShare:
    """How often a rendering was chosen; `p` is of the paired test against the translators, adjusted by Holm."""

    count: int
    share: IntervalNumber
    difference: float | None = None
    """From the translators, on keywords known of both."""
    p: float | None = None

    @property
    def differs(self) -> int:
        """1: significantly more often than the translators; -1: less often; 0: neither, or nobody knows."""
        if self.p is None or self.p > ALPHA or not self.difference:
            return 0
        return 1 if self.difference > 0 else -1


@dataclass(frozen=True, slots=True)
class TranslationRow:
    """A translator, a system or a group of systems. `reasons` says how often a rendering is unknown, and why."""

    label: str
    kind: Kind
    known: int
    reasons: Mapping[Reason, int]
    shares: tuple[RenderingShare, ...]
    distance: IntervalNumber
    beyond: bool = False
    """Whether it is significantly further from the translators than these are from each other."""

    @property
    def total(self) -> int:
        return self.known + sum(self.reasons.values())


@dataclass(frozen=True, slots=True)
class ConstructionProfile:
    """One construction: its renderings, and a row for each translator, system and group."""

    name: str
    description: str
    renderings: tuple[str, ...]
    keywords: int
    sentences: int
    rows: tuple[TranslationRow, ...]
    yardstick: IntervalNumber
    """The translators' distance from each other; None where there is only one."""
    finding: str = ""
    """What there is to say, in a few sentences."""

    def of_kind(self, *kinds: Kind) -> list[TranslationRow]:
        return [row for row in self.rows if row.kind in kinds]


@dataclass(frozen=True)
class ContrastProfile:
    """The profiles of all constructions."""

    renderings: Renderings
    constructions: tuple[ConstructionProfile, ...]
    tools: Mapping[str, str]
    effort: AnnotationEffort
    groups: Mapping[str, Sequence[str]]
    seed: int
    faults: tuple[FaultCounts, ...] = ()

    @property
    def name(self) -> str:
        contrasts = self.renderings.contrasts
        return f"{contrasts.name} ({contrasts.langpair})"

    @property
    def columns(self) -> list[str]:
        """Translators, systems and groups."""
        return [row.label for row in self.constructions[0].rows]

    @property
    def aligned_twice(self) -> bool:
        """Whether the chance of the aligner is in intervals and tests."""
        return all(table.again is not None for table in self.renderings.tables)

    @property
    def signature(self) -> Signature:
        """Everything that a number depends on, apart from the texts."""
        contrasts = self.renderings.contrasts
        tools = {name.replace(" ", "-"): value.replace("|", ",") for name, value in self.tools.items()}
        return Signature.of({
            "contrasts": exact_name(contrasts.name, contrasts.hash, contrasts.version),
            **tools,
            "distance": "total-variation",
            "intervals": f"sentences[{DRAWS}]",
            **({"alignments": "2"} if self.aligned_twice else {}),
            **({"subtypes": contrasts.subtypes_hash} if self.renderings.subtypes else {}),
            "test": f"sign-flips[{FLIPS}]",
            "correction": "holm",
            "seed": str(self.seed),
        })  # fmt: skip

    def rows(self, by: By = "phenomenon") -> list[ConstructionProfile]:
        """The constructions; they are what is compared, so there is no other choice."""
        return list(self.constructions)

    def averages(self) -> list[ConstructionProfile]:
        """There is no average over constructions: their renderings are different things."""
        return []

    def notes(self, by: By = "phenomenon") -> tuple[Note, ...]:
        """What the reader must know, signatures last."""
        return (
            *map(Note, self._remarks()),
            *(Note.signature(signature, of=f"the {tool}") for tool, signature in self.tools.items()),
            Note.signature(self.signature),
        )

    def _remarks(self) -> Iterator[str]:
        people = [row.label for row in self.constructions[0].of_kind("translator")]
        yield (
            "A profile describes and does not judge: a rendering that people choose less often is not wrong. Shares "
            "are of the keywords whose rendering is known; others have no link, a word of no class, or no translation."
        )
        if people:
            yield (
                f"▲ ▼: significantly more or less often than {people_words(people)}, paired by keyword, signs turned "
                f"by sentence, Holm over all systems and renderings of a construction, alpha {ALPHA:g}."
            )
            yield (
                "Distance: the share of keywords that would have to be rendered otherwise to have the shares of a "
                "translator, in the mean over them; its interval is ± 1.96 standard errors over draws of sentences."
            )
        else:
            yield "Without a human translation there is nobody to compare with: name one with --reference."
        if len(people) == 1:
            yield (
                f"{people[0]} is one way to translate: with one translator nobody knows how far people are from each "
                "other."
            )
        if self.aligned_twice:
            yield (
                "The aligner draws at random, so there are two alignments: numbers are of the first, the draws of "
                "intervals are of both by turns, and p is the larger one of both."
            )
        for found in self.faults:
            yield f"{found.fault.name} ({found.word}): {found.fault.description} {found.trust.capitalize()}."
        for construction, subtypes in self.renderings.subtypes.items():
            few = [f"{subtype} ({number})" for subtype, number in subtypes.items() if number < ENOUGH]
            yield (
                f"A keyword of {construction} is of the first subtype that it fits; the tests of each subtype are "
                f"corrected by themselves." + (f" Too few for a table: {', '.join(few)}." if few else "")
            )
        for name, lines in self.renderings.absent.items():
            yield f"{name} lacks {plural(lines, 'line')} with a keyword; these are left out for all."
        yield effort_note(self.effort)

    def to_dict(self, by: By = "phenomenon") -> dict[str, Any]:
        """The JSON document."""
        contrasts = self.renderings.contrasts
        return {
            "assay": __version__,
            "signature": self.signature,
            "contrasts": {
                "name": contrasts.name,
                "langpair": contrasts.langpair,
                "version": contrasts.version,
                "hash": contrasts.hash,
            },
            "tools": dict(self.tools),
            "effort": asdict(self.effort) | {"share_needed": self.effort.share_needed},
            "groups": {name: list(systems) for name, systems in self.groups.items()},
            "absent": dict(self.renderings.absent),
            "constructions": [asdict(found) for found in self.constructions],
            **(
                {"subtypes": {name: dict(found) for name, found in self.renderings.subtypes.items()}}
                if self.renderings.subtypes
                else {}
            ),
            "faults": [asdict(found) | {"called": found.word} for found in self.faults],
            "notes": list(map(str, self.notes())),
        }


def people_words(names: Sequence[str]) -> str:
    """`the translator (refA)`, `the translators (refA and refB)`."""
    return f"the translator ({names[0]})" if len(names) == 1 else f"the translators ({listed(names)})"


def listed(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
