"""What a run of contrasts found: good, bad and unknown per contrast and system, on all keywords and on subsets of them.

    run = count_run({ALL: evaluation}, contrasts, expectation="source", tools=signatures, effort=effort)
    for row in run.rows():
        print(row.phenomenon, [cell.own.value for cell in row.cells])

Systems are sorted by their mean over the contrasts that rank.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from assay import __version__
from assay.contrasts.aligners.base import SMALL_POOL
from assay.contrasts.annotations import AnnotationEffort
from assay.contrasts.counts import SMALL, ContrastRow, MeanRows, by_mean, contrast_rows, mean_rows, means
from assay.contrasts.records import Contrasts
from assay.evaluation import Evaluation
from assay.outputs import System
from assay.reports.table import percent
from assay.result import By, Note, Signature

ALL = "all"
"""The name of what is not a subset."""

OUT_OF_ORDER = "↑"

CAVEAT = (
    "Bad is another construction than the rule expects, which need not be a fault: read some before you quote it, and "
    "don't rank systems by it. assay contrasts profile compares them with people instead."
)

OWN, STRICT, FAIR = "Good / (Good+Bad)", "Good / all", "Good, fair"


@dataclass(frozen=True)
class ContrastRun:
    """What a run found: an evaluation for each named subset, then that of all keywords.

    `tools` are the signatures of parsers and aligner; `absent` counts the items of a subset that are not tested.
    `systems` and their `labels` are sorted by `mean`, the highest first; `averaged` are the rows that the mean is over.
    """

    evaluations: Mapping[str, Evaluation]
    contrasts: Contrasts
    expectation: str
    tools: Mapping[str, str]
    effort: AnnotationEffort
    absent: Mapping[str, int]
    systems: list[System]
    labels: list[str]
    mean: list[float | None]
    averaged: MeanRows = field(repr=False)
    counted: Mapping[str, list[ContrastRow]] = field(repr=False)
    """For each subset the rows of categories and contrasts, and the one over all."""

    @property
    def evaluation(self) -> Evaluation:
        """That of all keywords."""
        return self.evaluations[ALL]

    @property
    def columns(self) -> list[str]:
        """The systems."""
        return self.labels

    @property
    def signature(self) -> Signature:
        """Everything that a number of this run depends on, apart from the outputs."""
        return self.signature_of(ALL)

    def signature_of(self, subset: str) -> Signature:
        """The same for a subset. A bar would end the signature of a tool, so commas stand there."""
        tools = {name.replace(" ", "-"): value.replace("|", ",") for name, value in self.tools.items()}
        return self.evaluations[subset].signature.changed(tools)

    def rows(self, by: By = "phenomenon", subset: str = ALL) -> list[ContrastRow]:
        """The rows of a subset, the one over all last; a system may be missing there."""
        if by == "both":
            return self.counted[subset]
        return [
            row
            for row in self.counted[subset]
            if row.category is None or (row.phenomenon is None) == (by == "category")
        ]

    def averages(self) -> list[ContrastRow]:
        """The row over all contrasts; contrasts have no macro-averages."""
        return self.counted[ALL][-1:]

    def notes(self, by: By = "phenomenon") -> tuple[Note, ...]:
        """What the reader must know, signatures last; the same whatever the rows."""
        return (
            *map(Note, self._remarks()),
            *(Note.signature(signature, of=f"the {tool}") for tool, signature in self.tools.items()),
            *(
                Note.signature(self.signature_of(subset), of=f"the subset {subset}")
                for subset in self.evaluations
                if subset != ALL
            ),
            Note.signature(self.signature),
        )

    def _remarks(self) -> Iterator[str]:
        settings, kind, name = self.evaluation.settings, *self.expectation.partition(":")[::2]
        yield f"What is good is said by {_EXPECTATIONS[kind].format(name=name)} (expectation {self.expectation})."
        yield (
            "Good, bad: the aligned word has a good, or a bad class. Unknown: there is no link, there are only links "
            "to function words, or no class fits; or there is no translation."
        )
        yield CAVEAT
        yield (
            f"{OWN} leaves the unknown out; {STRICT}, which is Good in the first table, counts them as not good. "
            "Intervals are Wilson's, at 95 %. The line of a contrast has the means over its systems."
        )
        yield from self._about_order()
        contrasts = [row for row in self.rows() if row.phenomenon]
        if any(not row.ranks for row in contrasts):
            yield f"†: some system has fewer than {SMALL} decided keywords; sizes and intervals only, nobody is ranked."
        if any(row.ranks for row in contrasts):
            yield f"{OUT_OF_ORDER}: higher than the line above it, against the order of the means."
            yield (
                f"Bold or *: first cluster by policy {settings.policy}, not significantly worse than the best "
                f"({settings.test}, one-tailed, alpha {settings.alpha:g}, correction {settings.correction})."
            )
        yield from self._about_data()

    def _about_order(self) -> Iterator[str]:
        """What systems are sorted by."""
        used, dropped = self.averaged.used, self.averaged.dropped
        measure = {"own": OWN, "strict": STRICT, "fair": FAIR}[self.evaluation.settings.policy]
        names = ", ".join(str(row.phenomenon) for row in used)
        small = "" if all(row.ranks for row in used) else " (too small to rank anybody)"
        listed = ", ".join(f"{label} {percent(value)}" for label, value in zip(self.labels, self.mean, strict=True))
        if used:
            yield f"Systems are sorted by their mean {measure} over {names}{small}: {listed}."
        else:
            yield "Systems are sorted by name: no contrast has a decided keyword of every system."
        if dropped:
            left = ", ".join(str(row.phenomenon) for row in dropped)
            yield f"Not in that mean, because some system has no decided keyword there: {left}."

    def _about_data(self) -> Iterator[str]:
        for left in self.evaluation.excluded:
            yield f"Left out: {left.system.name}, {left.reason}."
        for subset, number in self.absent.items():
            if number:
                yield f"{number:,} of the subset {subset} are not tested here: nobody says what is expected of them."
        yield effort_note(self.effort)
        aligner = self.tools.get("aligner", "")
        if aligner.startswith("eflomal|") and "|priors:none" in aligner and self.effort.pairs_distinct < SMALL_POOL:
            yield (
                f"eflomal learnt from {self.effort.pairs_distinct:,} pairs only; with fewer than about {SMALL_POOL:,} "
                "its links are poor. Test more systems together, or start from what a larger pool taught it (--learn, "
                "then --aligner eflomal:priors=FILE)."
            )

    def to_dict(self, by: By = "both") -> dict[str, Any]:
        """The JSON document, which holds all rows; `evaluation` is what `assay evaluate` writes."""
        return {
            "assay": __version__,
            "signature": self.signature,
            "contrasts": {
                "name": self.contrasts.name,
                "langpair": self.contrasts.langpair,
                "version": self.contrasts.version,
                "hash": self.contrasts.hash,
                "expectation": self.expectation,
            },
            "tools": dict(self.tools),
            "effort": asdict(self.effort) | {"share_needed": self.effort.share_needed},
            "order": [{"system": label, "mean": mean} for label, mean in zip(self.labels, self.mean, strict=True)],
            "subsets": [
                {
                    "name": subset,
                    "signature": self.signature_of(subset),
                    "items": len(evaluation.suite),
                    "absent": self.absent.get(subset, 0),
                    "rows": [row.to_dict() for row in self.rows("both", subset)],
                }
                for subset, evaluation in self.evaluations.items()
            ],
            "notes": list(map(str, self.notes())),
            "evaluation": self.evaluation.to_dict(),
        }


_EXPECTATIONS = {
    "source": "the source rules of the contrasts",
    "reference": "the class that the reference {name} chose, so that {name} itself is good almost by construction",
    "references": "any class that one of the references chose, on lines that all of them have",
    "gold": "the class of the gold trees {name}",
}


def effort_note(effort: AnnotationEffort) -> str:
    """What was parsed and aligned, and what was known already."""
    return (
        f"{effort.needed:,} of {effort.sentences:,} sentences ({percent(effort.share_needed)} %) have a construction; "
        f"only their translations are parsed. Parsed now: {effort.source_parsed:,} of {effort.source_distinct:,} "
        f"distinct sentences of the source and {effort.target_parsed:,} of {effort.target_distinct:,} distinct "
        f"translations; aligned now: {effort.pairs_aligned:,} of {effort.pairs_distinct:,} distinct pairs; "
        "the rest was known."
    )


def count_run(
    evaluations: Mapping[str, Evaluation],
    contrasts: Contrasts,
    *,
    expectation: str,
    tools: Mapping[str, str],
    effort: AnnotationEffort,
    absent: Mapping[str, int] | None = None,
) -> ContrastRun:
    """Count good, bad and unknown of every subset, and sort the systems by what they have on all keywords."""
    whole = evaluations[ALL]
    averaged = mean_rows(contrast_rows(whole))
    mean = means(averaged.used, len(whole.systems))
    places = by_mean(mean, whole.systems)
    systems = [whole.systems[place] for place in places]
    ranks = {system: rank for rank, system in enumerate(systems)}
    return ContrastRun(
        evaluations=evaluations,
        contrasts=contrasts,
        expectation=expectation,
        tools=tools,
        effort=effort,
        absent=absent or {},
        systems=systems,
        labels=[whole.columns[place] for place in places],
        mean=[mean[place] for place in places],
        averaged=averaged,
        counted={
            subset: [
                replace(row, cells=tuple(sorted(row.cells, key=lambda cell: ranks[cell.system])))
                for row in contrast_rows(evaluation, "both")
            ]
            for subset, evaluation in evaluations.items()
        },
    )
