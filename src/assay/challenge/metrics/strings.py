"""BLEU, chrF, chrF++ and TER: sacreBLEU's sentence scores with its defaults, equal to the last bit.

    bleu("").score(segments)

The n-grams of a text are counted once for BLEU, though it is translation or reference of several items in a row. chrF
is computed by fastchrf.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import FunctionMetric, Metric, check_plain

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as Scorer
    from sacrebleu.metrics.bleu import BLEU


def bleu(option: str) -> Metric:
    """BLEU of sentences: effective order, exponential smoothing, tokeniser 13a."""
    check_plain("BLEU", option, "sacrebleu")
    return FunctionMetric("BLEU", _signature("BLEU", _bleu()), _bleu_scores, group="baseline")


def chrf(option: str) -> Metric:
    """chrF2 of characters up to order 6."""
    check_plain("chrF", option, "sacrebleu", "fastchrf")
    # fastchrf has its own threads, which do not survive a fork: a worker would wait for them for ever.
    return FunctionMetric("chrF", _signature("chrF2", _chrf()), _chrf_scores, group="baseline", parallel=False)


def chrf_plus(option: str) -> Metric:
    """chrF2++: characters up to order 6, words up to 2."""
    check_plain("chrF++", option, "sacrebleu")
    scores = partial(_sentence_scores, _chrf_plus)
    return FunctionMetric("chrF++", _signature("chrF2++", _chrf_plus()), scores, group="baseline")


def ter(option: str) -> Metric:
    """Translation edit rate; lower is better."""
    check_plain("TER", option, "sacrebleu")
    scores = partial(_sentence_scores, _ter)
    return FunctionMetric("TER", _signature("TER", _ter()), scores, group="baseline", higher_is_better=False)


@cache
def _bleu() -> "BLEU":
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True)


@cache
def _chrf() -> "Scorer":
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()


@cache
def _chrf_plus() -> "Scorer":
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(word_order=2)


@cache
def _ter() -> "Scorer":
    from sacrebleu.metrics.ter import TER

    return TER()


def _signature(name: str, scorer: "Scorer") -> str:
    scorer.sentence_score("", [""])  # sacreBLEU knows the number of references only after it has seen some
    return f"{name}|{scorer.get_signature()}"


def _sentence_scores(scorer: "Callable[[], Scorer]", segments: Sequence[Segment]) -> list[float]:
    score = scorer().sentence_score
    return [score(segment.hypothesis, [segment.reference]).score for segment in segments]


@dataclass(frozen=True, slots=True)
class _Ngrams:
    """The number of words of a text, and for each order its distinct n-grams and the counts of the repeated ones."""

    length: int
    orders: list[tuple[set[tuple[str, ...]], dict[tuple[str, ...], int]]]


def _bleu_scores(segments: Sequence[Segment]) -> list[float]:
    return [_bleu_of(_ngrams(segment.hypothesis), _ngrams(segment.reference)) for segment in segments]


@lru_cache(maxsize=100)  # texts come back soon or not at all
def _ngrams(text: str) -> _Ngrams:
    words = _words(text)
    shifted = [words[start:] for start in range(_bleu().max_ngram_order)]
    orders = []
    for order in range(1, len(shifted) + 1):
        found = list(zip(*shifted[:order], strict=False))
        distinct = set(found)
        # A set is much faster than a Counter, and n-grams seldom repeat in a sentence.
        repeated = {} if len(distinct) == len(found) else {ngram: n for ngram, n in Counter(found).items() if n > 1}
        orders.append((distinct, repeated))
    return _Ngrams(len(words), orders)


def _words(text: str) -> list[str]:
    """The words of sacreBLEU's tokeniser 13a.

    It treats line ends specially; otherwise each piece between spaces can be tokenised alone, and letters need nothing.
    """
    if "\n" in text:
        words: list[str] = _bleu().tokenizer(text.rstrip()).split()
        return words
    return [word for piece in text.split() for word in _words_of(piece)]


@lru_cache(maxsize=100_000)
def _words_of(piece: str) -> list[str]:
    words: list[str] = [piece] if piece.isalpha() else _bleu().tokenizer(piece).split()
    return words


def _bleu_of(hypothesis: _Ngrams, reference: _Ngrams) -> float:
    correct = []
    for (there, repeated), (wanted, wanted_repeatedly) in zip(hypothesis.orders, reference.orders, strict=True):
        matches = len(there & wanted)
        if repeated and wanted_repeatedly:
            both = repeated.keys() & wanted_repeatedly.keys()
            # The intersection of the sets has counted one match of each n-gram; what both have more often adds to it.
            matches += sum(min(repeated[ngram], wanted_repeatedly[ngram]) - 1 for ngram in both)
        correct.append(matches)
    scorer = _bleu()
    score: float = scorer.compute_bleu(
        correct,
        [max(hypothesis.length - missing, 0) for missing in range(len(correct))],
        sys_len=hypothesis.length,
        ref_len=reference.length,
        smooth_method=scorer.smooth_method,
        effective_order=scorer.effective_order,
    ).score
    return score


def _chrf_scores(segments: Sequence[Segment]) -> list[float]:
    from fastchrf import pairwise_chrf

    # Grouped by reference, because fastchrf scores all hypotheses of a reference in one call.
    places: dict[str, list[int]] = defaultdict(list)
    for place, segment in enumerate(segments):
        places[segment.reference].append(place)
    found = pairwise_chrf(
        [[_squeezed(segments[place].hypothesis) for place in group] for group in places.values()],
        [[_squeezed(reference)] for reference in places],
        # `_squeezed` has removed it, by Python's idea of white space, which is sacreBLEU's.
        remove_whitespace=False,
    )
    scores = [0.0] * len(segments)
    for group, rows in zip(places.values(), found, strict=True):
        for place, (score,) in zip(group, rows, strict=True):
            scores[place] = score
    return scores


def _squeezed(text: str) -> str:
    """The text without what Python takes for white space: fastchrf would keep a few control characters of it."""
    return "".join(text.split())
