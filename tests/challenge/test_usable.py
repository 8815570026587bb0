"""Metrics on sets with gaps: what lacks a reference gets no score, whenever the run was interrupted."""

import math
from dataclasses import replace

import pytest

from assay.challenge.case import Case, CaseSet, Hypothesis, Reference
from assay.challenge.challenge_set import ChallengeSet, Segment
from assay.challenge.metric import FunctionMetric
from assay.challenge.pairs import scorable
from assay.challenge.score import MemoryJournal, score
from assay.challenge.usable import usable_by
from assay.errors import AssayError

LENGTH = FunctionMetric("length", "length", lambda segments: [float(len(segment.hypothesis)) for segment in segments])


def view(*references: str) -> ChallengeSet:
    cases = [
        Case(
            str(number),
            "Quelle",
            tuple(Hypothesis(f"hyp-{place}", "x" * (3 * number + place)) for place in (1, 2, 3)),
            (Reference("reference", text),) if text else (),
        )
        for number, text in enumerate(references)
    ]
    return scorable(CaseSet("set", tuple(cases)))


def scores(challenge: ChallengeSet, journal: MemoryJournal, metric: FunctionMetric = LENGTH) -> list[float]:
    usable, kept = usable_by(metric, challenge, journal)
    score(usable, metric, kept, batch=2)
    return [first for first, _ in journal.rows]


@pytest.mark.parametrize("done", range(10))
def test_a_run_with_gaps_goes_on_from_anywhere(done: int) -> None:
    journal = MemoryJournal()
    expected = [math.nan] * 3 + [4.0, 5.0, 6.0] + [math.nan] * 3
    journal.append([(value, value) for value in expected[:done]])
    assert str(scores(view("", "reference", ""), journal)) == str(expected)


def test_a_metric_without_a_reference_has_no_gaps() -> None:
    bare = replace(LENGTH, needs_reference=False)
    assert scores(view("", "reference"), MemoryJournal(), bare) == [1, 2, 3, 4, 5, 6]


def test_a_set_without_any_reference_is_refused() -> None:
    with pytest.raises(AssayError, match="length needs a reference, and the challenge item '0:hyp-1' has none"):
        scores(view("", ""), MemoryJournal())


def test_each_hypothesis_is_scored_once() -> None:
    seen: list[Segment] = []

    def noted(segments: list[Segment]) -> list[float]:
        seen.extend(segments)
        return [1.0] * len(segments)

    challenge = view("a", "b")
    scores(challenge, MemoryJournal(), replace(LENGTH, function=noted))  # type: ignore[arg-type]
    assert len(seen) == len({*seen}) == 6
