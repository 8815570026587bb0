"""Baselines that know nothing of translation. If one of them wins a challenge set, the set tests something else.

    length               characters of the translation
    length:reference     minus the absolute logarithm of its length divided by the reference's, at most 0
    copy                 similarity of the translation to its source, 0 to 1

None of them is meant to be good. The accuracy of `length` and `copy` should be near one half: far above it, longer
translations or those nearer to the source tend to be the right ones; far below it, the shorter or freer ones do.
Either way a metric can win without looking at the phenomenon. `length:reference` finds sets in which the wrong
translations are those that differ most in length from the reference, to either side.
"""

from collections.abc import Sequence
from math import log, nan

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import FunctionMetric, Metric, check_plain
from assay.errors import BadOption


def length(option: str) -> Metric:
    """Length alone, as such or beside the reference."""
    if option == "reference":
        return FunctionMetric("length:reference", "length:reference|unit:character", _nearness, group="baseline")
    if option:
        raise BadOption(f"length knows no option {option!r}; write length or length:reference")
    return FunctionMetric("length", "length|unit:character", _lengths, group="baseline", needs_reference=False)


def copy(option: str) -> Metric:
    """What is taken over from the source: 1 minus the Levenshtein distance, divided by the longer text's length."""
    check_plain("copy", option, "rapidfuzz")
    return FunctionMetric(
        "copy", "copy|unit:character", _copied, group="baseline", needs_source=True, needs_reference=False
    )


def _lengths(segments: Sequence[Segment]) -> list[float]:
    return [float(len(segment.hypothesis)) for segment in segments]


def _nearness(segments: Sequence[Segment]) -> list[float]:
    return [
        -abs(log(len(segment.hypothesis) / len(segment.reference))) if segment.hypothesis and segment.reference else nan
        for segment in segments
    ]


def _copied(segments: Sequence[Segment]) -> list[float]:
    from rapidfuzz.distance import Levenshtein

    return [Levenshtein.normalized_similarity(segment.source, segment.hypothesis) for segment in segments]
