"""Use case: write a set in another format, with what is known about it beside what its files say.

convert_file(Path("mslc-a/"), Path("mslc-a.jsonl"), Additions(ladder="hyp-2 > hyp-1"))
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from assay.challenge.case import Case, CaseSet, Ladder
from assay.challenge.challenge_set import MetricScores
from assay.challenge.files.scores import read_case_scores
from assay.challenge.files.sets import SetFormat, files_of, losses, read_cases, write_cases
from assay.challenge.jobs import check_set_targets, score_arguments
from assay.errors import BadOption
from assay.languages import read_pair


@dataclass(frozen=True, slots=True)
class Additions:
    """What a user knows about a set, and its files do not say.

    `ladder` orders the hypotheses of every case. `human` are [NAME=]FILE with scores by people. `rank_by` makes
    relations of a human score: of two hypotheses that differ by more than `margin` the higher one is better.
    `reference`, a name or a place from 1, is the one that metrics get: the first of its case.
    """

    name: str = ""
    langpair: str = ""
    ladder: str = ""
    human: Sequence[str] = ()
    rank_by: str = ""
    margin: float = 0.0
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Converted:
    """A set that was written, and what its new format does not hold."""

    cases: CaseSet
    files: list[Path]
    lost: list[str]

    @property
    def remarks(self) -> list[str]:
        """What the user should know."""
        found = [f"left out: {lost}" for lost in self.lost]
        folder, name = self.files[0].resolve().parent.name, self.files[0].name.partition(".")[0]
        if self.files[0].name.endswith(".src.txt") and folder != name:
            found.append(f"the organisers of WMT want the folder to be called {name}, as the set is")
        return found


def convert_file(
    path: Path,
    output: Path,
    additions: Additions | None = None,
    *,
    format: SetFormat | None = None,
    force: bool = False,
    lossy: bool = False,
    scores: Sequence[str] = (),
) -> Converted:
    """Write a set in another format; `scores` of metrics go with it into an mt-metrics-eval tree."""
    check_set_targets(output, files_of(path), format=format)
    cases = with_additions(read_cases(path), additions or Additions())
    metrics = [found for given in score_arguments(scores) for found in _scores(given, cases)]
    if scores and format != "mt-metrics-eval":
        raise BadOption("--scores is for -f mt-metrics-eval; other formats hold no scores of metrics")
    files = write_cases(cases, output, format, force=force, lossy=lossy, scores=metrics)
    kind = format or ("jsonl" if output.suffix == ".jsonl" else "tsv")
    return Converted(cases, files, losses(cases, kind))


def with_additions(cases: CaseSet, additions: Additions) -> CaseSet:
    """The set with what a user knows about it."""
    if additions.ladder and additions.rank_by:
        raise BadOption("give either --ladder or --rank-by")
    found = cases.cases
    if additions.langpair:
        read_pair(additions.langpair)
        found = tuple(replace(case, langpair=additions.langpair) for case in found)
    if additions.reference:
        found = tuple(_led_by(case, additions.reference) for case in found)
    for given in additions.human:
        found = _with_human(replace(cases, cases=found), given)
    if additions.ladder:
        ladder = Ladder.parse(additions.ladder)
        found = tuple(replace(case, relations=(*case.relations, ladder)) for case in found)
    if additions.rank_by:
        found = tuple(_ranked(case, additions.rank_by, additions.margin) for case in found)
        if not any(case.relations for case in found):
            raise BadOption(f"no two hypotheses of a challenge item differ in a human score {additions.rank_by!r}")
    odd = next((case for case in found if case.problem), None)
    if odd is not None:
        raise BadOption(f"challenge item {odd.id!r}: {odd.problem}")
    return replace(cases, name=additions.name or cases.name, cases=found)


def _led_by(case: Case, wanted: str) -> Case:
    """The case with another reference as the first."""
    names = [reference.name for reference in case.references]
    place = names.index(wanted) if wanted in names else int(wanted) - 1 if wanted.isdecimal() else -1
    if not 0 <= place < len(names):
        known = ", ".join(names) or "none"
        raise BadOption(f"the challenge item {case.id!r} has no reference {wanted!r}; it has: {known}")
    chosen = case.references[place]
    return replace(case, references=(chosen, *case.references[:place], *case.references[place + 1 :]))


def _scores(given: str, cases: CaseSet) -> list[MetricScores]:
    return read_case_scores(given, cases, lower_is_better=(), groups={})


def _with_human(cases: CaseSet, given: str) -> tuple[Case, ...]:
    """The cases with a further kind of human score."""
    scores, *others = _scores(given, cases)
    if others:
        raise BadOption(f"{given}: several columns of scores; give a file with the one that people gave")
    values = iter(scores.values.tolist())
    return tuple(
        replace(
            case,
            hypotheses=tuple(
                hypothesis
                if math.isnan(value)
                else replace(hypothesis, human=tuple(sorted({**dict(hypothesis.human), scores.name: value}.items())))
                for hypothesis, value in zip(case.hypotheses, values, strict=False)
            ),
        )
        for case in cases.cases
    )


def _ranked(case: Case, kind: str, margin: float) -> Case:
    scores = {found.name: dict(found.human)[kind] for found in case.hypotheses if kind in dict(found.human)}
    better = [
        (first, second) if scores[first] > scores[second] else (second, first)
        for first, second in combinations(scores, 2)
        if abs(scores[first] - scores[second]) > margin
    ]
    ladders = tuple(Ladder(((above,), (below,))) for above, below in better)
    return replace(case, relations=(*case.relations, *ladders))
