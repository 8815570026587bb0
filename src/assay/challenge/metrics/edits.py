"""WER and CER: the edits from translation to reference by Levenshtein, per word or character of the reference.

    cer("").score(segments)

0 is the reference itself; more than 1 is possible, and lower is better. Words are what white space separates. Nothing
is normalised. With an empty reference there is no score (NaN).
"""

from collections.abc import Sequence
from functools import partial
from math import nan

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import FunctionMetric
from assay.challenge.metrics.options import check_plain
from assay.challenge.metrics.spaces import spaced_only


def wer(option: str) -> FunctionMetric:
    """Word error rate."""
    check_plain("WER", option, "rapidfuzz")
    signature = f"WER|tok:space|rapidfuzz:{_version()}"
    return FunctionMetric(
        "WER",
        signature,
        _word_errors,
        group="baseline",
        higher_is_better=False,
        parallel=True,
        for_languages=partial(spaced_only, wer, option, "CER"),
    )


def cer(option: str) -> FunctionMetric:
    """Character error rate."""
    check_plain("CER", option, "rapidfuzz")
    signature = f"CER|rapidfuzz:{_version()}"
    return FunctionMetric("CER", signature, _character_errors, group="baseline", higher_is_better=False, parallel=True)


def _word_errors(segments: Sequence[Segment]) -> list[float]:
    return [_rate(segment.hypothesis.split(), segment.reference.split()) for segment in segments]


def _character_errors(segments: Sequence[Segment]) -> list[float]:
    return [_rate(segment.hypothesis, segment.reference) for segment in segments]


def _rate(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(hypothesis, reference) / len(reference) if reference else nan


def _version() -> str:
    import rapidfuzz

    return rapidfuzz.__version__
