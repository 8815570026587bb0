"""Controls, which know nothing of translation. Where one of them wins, the challenge set tests something else.

    length               characters of the translation
    length:reference     minus the absolute logarithm of its length divided by the reference's, at most 0
    copy                 similarity of the translation to its source, 0 to 1
    random               a number from 0 to 1 that follows from the text; random:7 for another one

None of them is meant to be good, and none competes with metrics. The accuracy of `length` and `copy` should be near
one half: far above it, longer translations or those nearer to the source tend to be the right ones; far below it, the
shorter or freer ones do. Either way a metric can win without looking at the phenomenon. `length:reference` finds sets
in which the wrong translations are those that differ most in length from the reference, to either side. `random`
shows what chance gives.
"""

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from math import log, nan

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import FunctionMetric, Metric
from assay.challenge.metrics.options import check_plain
from assay.errors import BadOption


def length(option: str) -> Metric:
    """Control: length alone, as such or beside the reference."""
    if option == "reference":
        return FunctionMetric(
            "length:reference", "length:reference|unit:character", _nearness, group="control", parallel=True
        )
    if option:
        raise BadOption(f"length knows no option {option!r}; write length or length:reference")
    return FunctionMetric(
        "length", "length|unit:character", _lengths, group="control", needs_reference=False, parallel=True
    )


def copy(option: str) -> Metric:
    """Control: what is taken over from the source, 1 minus the Levenshtein distance over the longer text's length."""
    check_plain("copy", option, "rapidfuzz")
    return FunctionMetric(
        "copy",
        "copy|unit:character",
        _copied,
        group="control",
        needs_source=True,
        needs_reference=False,
        parallel=True,
    )


def random(option: str) -> Metric:
    """Control: chance, a number that follows from the text and the seed behind the colon."""
    if option and not option.isdecimal():
        raise BadOption(f"random:{option}: the seed is a whole number; write random or random:7")
    seed = int(option or 1)
    name = f"random:{seed}" if option else "random"
    return FunctionMetric(
        name,
        f"random|seed:{seed}",
        partial(_by_chance, seed),
        group="control",
        needs_source=True,
        needs_reference=False,
        parallel=True,
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


def _by_chance(seed: int, segments: Sequence[Segment]) -> list[float]:
    """The first eight bytes of a hash, as a number from 0 to 1: the same text has the same score everywhere."""
    texts = (f"{seed}\0{segment.source}\0{segment.hypothesis}" for segment in segments)
    return [int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest()[:8]) / 2**64 for text in texts]
