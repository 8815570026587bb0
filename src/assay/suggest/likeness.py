"""Suggesting a verdict on a text from verdicts on other texts, without a model and without a network.

    known = [Known("The lock is stuck.", Verdict.PASS), Known("The castle is stuck.", Verdict.FAIL)]
    suggest("The lock is jammed.", known)  # -> Suggestion(PASS, 0.90, …, ("jammed", "stuck"), …)

Two things are weighed: which known texts the text is like, and which of its words and letters stand in passing or in
failing texts only. Verdicts on the phenomenon's other items (`Related`) tell more about the latter than the few texts
of one item do. benchmarks/suggestions.py measures how often suggestions are right.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from assay.suggest.suggester import Known as Known
from assay.text import LONGEST, WORD, Marks, is_missing, normalise, word_diff
from assay.verdicts import Verdict

PASSES = 0.75
"""The share of passes where no related text is known. It is 0.68 in the judged texts of WMT21 de-en, 0.83 in en-de."""

# Weights of the two signs, fitted to WMT21 de-en by logistic regression and rounded: the n-grams that tell, and the
# vote of the near texts. That vote counts for less where related texts already say which n-grams matter.
_BIAS, _TELLING, _NEAR_ALONE, _NEAR_RELATED = 0.1, 0.22, 0.6, 0.3

_MOST_TELLING = 3
"""N-grams that count on either side: those of one changed word overlap, and all together would say it many times."""

_SURE = 0.99
"""The most that is said of a text that nobody has judged."""

_Flags = NDArray[np.bool_]
_Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Near:
    """A known text, normalised, how alike it is (0 to 1), and where it differs."""

    known: Known
    similarity: float
    marks: Marks


@dataclass(frozen=True, slots=True)
class NearestSuggestion:
    """What a text may be worth. Of many suggestions with confidence c about the share c is right.

    `nearest` is normalised; `differing` are the words of the text that it lacks, and its words that the text lacks.
    """

    verdict: Verdict
    confidence: float
    nearest: Known
    differing: tuple[str, str]
    reason: str


class Related:
    """Verdicts on texts of *other* items of the same phenomenon, counted once for many suggestions."""

    def __init__(self, known: Iterable[Known] = ()) -> None:
        self.passing: Counter[str] = Counter()
        self.failing: Counter[str] = Counter()
        self.passes = self.fails = 0
        self._less: Related | None = None
        for one in _judged(known):
            if one.verdict == Verdict.PASS:
                self.passes += 1
                self.passing.update(_grams(one.text))
            else:
                self.fails += 1
                self.failing.update(_grams(one.text))

    def add(self, other: "Related") -> None:
        """Count these verdicts too."""
        self.passing.update(other.passing)
        self.failing.update(other.failing)
        self.passes, self.fails = self.passes + other.passes, self.fails + other.fails

    def without(self, other: "Related") -> "Related":
        """The same less verdicts that are among them; to be asked, not to be added to."""
        rest = Related()
        # Not subtracted: a phenomenon has many times the n-grams that one text asks for.
        rest.passing, rest.failing, rest._less = self.passing, self.failing, other
        rest.passes, rest.fails = self.passes - other.passes, self.fails - other.fails
        return rest

    def counts(self, grams: Sequence[str]) -> tuple[_Numbers, _Numbers]:
        """How many passing and how many failing texts have each of these n-grams."""
        passing, failing = _counts(self.passing, grams), _counts(self.failing, grams)
        if self._less is None:
            return passing, failing
        less = self._less.counts(grams)
        return np.maximum(passing - less[0], 0), np.maximum(failing - less[1], 0)


def _counts(counted: Mapping[str, int], grams: Sequence[str]) -> _Numbers:
    return np.array(list(map(counted.get, grams, repeat(0))), dtype=np.float64)


def suggest(text: str, known: Sequence[Known], related: Related | None = None) -> NearestSuggestion | None:
    """The likelier verdict on a text of an item, of which `known` are judged; None where nothing can be said."""
    text, judged = normalise(text), _judged(known)
    if is_missing(text) or not judged:
        return None
    best = judged[int(np.argmax(_alike(text, judged)))]
    same = {one.verdict for one in judged if one.text == text}
    if len(same) == 1:
        return NearestSuggestion(same.pop(), 1.0, best, ("", ""), "this very text was judged")
    score = _score(_Table(text, judged), related or Related())
    verdict = Verdict.PASS if score >= 0 else Verdict.FAIL
    confidence = min(1 / (1 + exp(-abs(score))), _SURE)
    differing = _differing(text, best.text)
    return NearestSuggestion(verdict, confidence, best, differing, _reason(verdict, best, differing))


def nearest(text: str, known: Sequence[Known], number: int) -> list[Near]:
    """The known texts that are most like a text, nearest first."""
    text, judged = normalise(text), _judged(known)
    if not judged:
        return []
    similarities = _alike(text, judged)
    # Of those that are as like it as each other the first.
    order = sorted(range(len(judged)), key=lambda row: -similarities[row])[:number]
    return [Near(judged[row], similarities[row], word_diff(text, judged[row].text)[1]) for row in order]


def _alike(text: str, known: Sequence[Known]) -> list[float]:
    """The share of the n-grams of a text and each known one, together, that both have (Jaccard)."""
    own, found = set(_grams(text)), []
    for one in known:
        grams = _grams(one.text)
        shared = len(own.intersection(grams))
        found.append(shared / (len(own) + len(grams) - shared))
    return found


def _judged(known: Iterable[Known]) -> list[Known]:
    """Distinct normalised texts with a verdict, in the order given."""
    pairs = ((normalise(one.text), one.verdict) for one in known if one.verdict != Verdict.WARNING)
    return [Known(*pair) for pair in dict.fromkeys(pairs) if not is_missing(pair[0])]


def _differing(text: str, other: str) -> tuple[str, str]:
    marks, other_marks = word_diff(text, other)
    return (
        " … ".join(text[start:end] for start, end in marks),
        " … ".join(other[start:end] for start, end in other_marks),
    )


def _reason(verdict: Verdict, best: Known, differing: tuple[str, str]) -> str:
    judged = "nearest judged text" if best.verdict == verdict else f"nearest judged text is a {best.verdict},"
    if not any(differing):
        return f"{judged} differs in spacing only"
    return f"{judged} differs in: {differing[0] or '–'} | {differing[1] or '–'}"


def _grams(text: str) -> list[str]:
    """One to three words in a row, and four letters in a row, each once and in a fixed order."""
    text = text[:LONGEST]
    # The marks make words at the start and end of a text n-grams of their own.
    words, letters = ["^", *WORD.findall(text), "$"], f" {text} "
    grams = words + [letters[start : start + 4] for start in range(len(text) - 1)]
    grams += map("\t".join, pairwise(words))
    grams += map("\t".join, zip(words, words[1:], words[2:], strict=False))
    return list(dict.fromkeys(grams))


class _Table:
    """Where n-grams stand: n-gram `columns[k]` in known text `rows[k]`, those with a flag in `text` in the text."""

    def __init__(self, text: str, known: Sequence[Known]) -> None:
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__  # a new n-gram gets the next number
        own = len([numbers[gram] for gram in _grams(text)])
        columns: list[int] = []
        lengths = []
        for one in known:
            grams = _grams(one.text)
            columns.extend(map(numbers.__getitem__, grams))
            lengths.append(len(grams))
        # Sparse, as a list of pairs: most n-grams stand in few texts.
        self.grams = list(numbers)
        self.columns = np.array(columns, dtype=np.intp)
        self.rows = np.repeat(np.arange(len(known)), lengths)
        # Those of the text were numbered first.
        self.text: _Flags = np.arange(len(numbers)) < own
        self.passing: _Flags = np.array([one.verdict == Verdict.PASS for one in known])

    def count(self, chosen: _Flags) -> _Numbers:
        """How many of the chosen known texts have each n-gram."""
        return np.bincount(self.columns, chosen[self.rows], minlength=len(self.grams)).astype(np.float64)

    def similarities(self, weights: _Numbers) -> _Numbers:
        """The share of the n-grams of the text and each known text, together, that both have (Jaccard)."""
        weighed = weights[self.columns]
        shared = np.bincount(self.rows, weighed * self.text[self.columns])
        return np.asarray(shared / (np.bincount(self.rows, weighed) + weights[self.text].sum() - shared))


@dataclass(frozen=True, slots=True)
class _Prior:
    """Log-odds and share of a pass before the text is looked at; `alone` is 1 without related texts, 0 with many."""

    odds: float
    share: float
    alone: float


def _prior(related: Related) -> _Prior:
    # PASSES counts as two texts, so that the share is never 0 or 1. With ten related texts `alone` is one half.
    texts = related.passes + related.fails
    share = (related.passes + 2 * PASSES) / (texts + 2)
    return _Prior(log(share / (1 - share)), share, 1 / (1 + texts / 10))


@dataclass(frozen=True, slots=True)
class _Counts:
    """Passing and failing texts, of the item and related, that have (or lack) each n-gram."""

    passing: _Numbers
    failing: _Numbers
    related_passing: _Numbers
    related_failing: _Numbers

    def share(self, prior: _Prior) -> _Numbers:
        """The share of passes of the related texts, pulled towards the share of all where they are few."""
        pull = 0.1 + prior.alone
        return (self.related_passing + pull * prior.share) / (self.related_passing + self.related_failing + pull)

    def odds(self, prior: _Prior) -> _Numbers:
        """Log-odds of a pass beyond those of all texts; the related texts weigh as four of the item's."""
        share = self.share(prior)
        return np.log(self.passing + 4 * share) - np.log(self.failing + 4 * (1 - share)) - prior.odds


def _score(table: _Table, related: Related) -> float:
    """Log-odds of a pass: which n-grams tell, and which known texts are near in the n-grams that tell."""
    passing, prior = table.passing, _prior(related)
    having = _Counts(table.count(passing), table.count(~passing), *related.counts(table.grams))
    # Not below 0, though a caller that takes texts away from `related` may take one that was never counted.
    lacking = _Counts(
        np.maximum(passing.sum() - having.passing, 0),
        np.maximum((~passing).sum() - having.failing, 0),
        np.maximum(related.passes - having.related_passing, 0),
        np.maximum(related.fails - having.related_failing, 0),
    )
    # An n-gram tells if some known texts have it and others do not; lacking one may tell as much as having it.
    seen = having.passing + having.failing
    telling = np.concatenate(
        [having.odds(prior)[table.text & (seen < len(passing))], lacking.odds(prior)[~table.text & (seen > 0)]]
    )
    near = _NEAR_RELATED + (_NEAR_ALONE - _NEAR_RELATED) * prior.alone
    return _BIAS + _TELLING * _strongest(telling) + near * _vote(table, having, prior)


def _strongest(odds: _Numbers) -> float:
    """The sum of the few that speak most for a pass and the few that speak most for a fail."""
    if len(odds) <= 2 * _MOST_TELLING:
        return float(odds.sum())
    ordered = np.sort(odds)
    return float(ordered[:_MOST_TELLING].sum() + ordered[-_MOST_TELLING:].sum())


def _vote(table: _Table, having: _Counts, prior: _Prior) -> float:
    """Log-odds of a pass by a vote of the known texts, weighed by how alike they are in the n-grams that tell."""
    passes, fails = table.passing.sum(), (~table.passing).sum()
    share = having.share(prior)
    related = np.abs(np.log(share / (1 - share)) - prior.odds)
    # Half a text is added on either side, so that a few texts do not make an n-gram look certain.
    own = np.abs((having.passing + 0.5) / (passes + 1) - (having.failing + 0.5) / (fails + 1))
    # The cube, so that one very near text outvotes many that are only somewhat alike; 0.005 lets every n-gram count.
    votes = table.similarities(own + 0.1 * related + 0.005) ** 3
    for_pass, for_fail = float(votes[table.passing].sum()), float(votes[~table.passing].sum())
    return log(for_pass + 0.1 * prior.share) - log(for_fail + 0.1 * (1 - prior.share))
