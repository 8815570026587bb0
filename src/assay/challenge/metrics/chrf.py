"""chrF and chrF++: sacreBLEU's sentence scores, equal to the last bit.

    chrf("").score(segments)
    chrf("word_order=1,beta=3").score(segments)

chrF as it is by default is computed by fastchrf. With words or other options the n-grams of a text are counted here,
once for each text, and the formula is sacreBLEU's.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from operator import add

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import FunctionMetric, Metric
from assay.challenge.metrics.options import check_modules, flag, named, read_options, whole

KNOWN = {
    "char_order": whole(1),
    "word_order": whole(0),
    "beta": whole(1),
    "lowercase": flag,
    "whitespace": flag,
    "eps_smoothing": flag,
}


@dataclass(frozen=True, slots=True)
class ChrfOptions:
    """The parameters of sacreBLEU's class."""

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False


def chrf(option: str) -> Metric:
    """chrF2 of characters up to order 6."""
    check_modules("chrF", "sacrebleu", "fastchrf")
    options = ChrfOptions(**read_options("chrF", option, KNOWN))
    if options != ChrfOptions():
        return _counted(named("chrF", option), options)
    # fastchrf has its own threads, which do not survive a fork: a worker would wait for them for ever.
    return FunctionMetric("chrF", _scorer(options).signature(), _fast_scores, group="baseline", parallel=False)


def chrf_plus(option: str) -> Metric:
    """chrF2++: characters up to order 6, words up to 2."""
    check_modules("chrF++", "sacrebleu")
    return _counted(named("chrF++", option), ChrfOptions(**{"word_order": 2, **read_options("chrF++", option, KNOWN)}))


def _counted(name: str, options: ChrfOptions) -> FunctionMetric:
    return FunctionMetric(
        name, _scorer(options).signature(), partial(_scores, options), group="baseline", parallel=True
    )


def _scores(options: ChrfOptions, segments: Sequence[Segment]) -> list[float]:
    score = _scorer(options).score
    return [score(segment.hypothesis, segment.reference) for segment in segments]


@cache
def _scorer(options: ChrfOptions) -> "_SentenceChrf":
    return _SentenceChrf(options)


_Order = tuple[int, set[str], dict[str, int]]
"""n-grams of one order: how many, the distinct ones, and how often those that repeat come."""


class _SentenceChrf:
    """sacreBLEU's chrF with counting of its own."""

    def __init__(self, options: ChrfOptions) -> None:
        from sacrebleu.metrics.chrf import CHRF

        self._chrf: CHRF = CHRF(
            char_order=options.char_order,
            word_order=options.word_order,
            beta=options.beta,
            lowercase=options.lowercase,
            whitespace=options.whitespace,
            eps_smoothing=options.eps_smoothing,
        )
        self._ngrams = lru_cache(maxsize=100)(self._counted)  # texts come back soon or not at all

    def signature(self) -> str:
        # sacreBLEU knows its name and the number of references only after it has scored something.
        name = self._chrf.sentence_score("", [""]).name
        return f"{name}|{self._chrf.get_signature()}"

    def score(self, hypothesis: str, reference: str) -> float:
        statistics: list[int] = []
        for (number, there, repeated), (wanted_number, wanted, wanted_repeated) in zip(
            self._ngrams(hypothesis), self._ngrams(reference), strict=True
        ):
            matches = len(there & wanted)
            if repeated and wanted_repeated:
                # The intersection has counted one match of each; what both have more often adds to it.
                both = repeated.keys() & wanted_repeated.keys()
                matches += sum(min(repeated[ngram], wanted_repeated[ngram]) - 1 for ngram in both)
            # As in sacreBLEU: n-grams that the reference is too short for do not count.
            statistics += (number if wanted_number else 0, wanted_number, matches)
        score: float = self._chrf._compute_f_score(statistics)
        return score

    def _counted(self, text: str) -> list[_Order]:
        given = text.lower() if self._chrf.lowercase else text
        line = given if self._chrf.whitespace else "".join(given.split())
        orders = _orders(line, self._chrf.char_order)
        if self._chrf.word_order:
            words: list[str] = self._chrf._remove_punctuation(given)
            orders += [
                _order([" ".join(words[start : start + length]) for start in range(len(words) - length + 1)])
                for length in range(1, self._chrf.word_order + 1)
            ]
        return orders


def _orders(line: str, number: int) -> list[_Order]:
    """Character n-grams of every order: each is one of the order before and the letter behind it.

    Only an n-gram that begins with a repeated one can repeat, so of higher orders few have to be counted.
    """
    ngrams = list(line)
    found = [_order(ngrams)]
    places: Sequence[int] = range(len(line))
    for length in range(2, number + 1):
        repeated, last = found[-1][2], len(line) - length
        places = [place for place in places if place <= last and ngrams[place] in repeated] if repeated else ()
        ngrams = list(map(add, ngrams, line[length - 1 :]))
        counts = Counter([ngrams[place] for place in places])
        again = {ngram: times for ngram, times in counts.items() if times > 1}
        found.append((len(ngrams), set(ngrams), again))
    return found


def _order(ngrams: list[str]) -> _Order:
    counts = Counter(ngrams)
    return len(ngrams), {*counts}, {ngram: times for ngram, times in counts.items() if times > 1}


def _fast_scores(segments: Sequence[Segment]) -> list[float]:
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
