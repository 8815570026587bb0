"""Suggesting a verdict on a text from verdicts on other texts, without a model and without a network.

    known = [Known("The lock is stuck.", Verdict.PASS, True), Known("The castle is stuck.", Verdict.FAIL, True)]
    suggest("The lock is jammed.", known)  # -> NearestSuggestion(PASS, 0.58, …, ("jammed", "stuck"), …)

A twin goes first: a text that differs in case, punctuation, contractions or spelling only gets the verdict of the known
one, as surely as twins of the phenomenon have the same verdict. Of a text that is like none nothing is said. Otherwise
a few signs are weighed (`signs`), above all the words and letters that stand in passing or in failing texts only;
verdicts on the phenomenon's other items (`Related`) tell more about these than the few texts of one item do.

Texts that wait for a linguist are not like those that rules decide: where nearly all of the latter are right, most of
the former may be wrong. So texts that somebody judged are counted apart, and the weights were fitted to texts that
became undecided when their exact rules were hidden. Who wrote a text is no sign: suggestions are for people who must
not know. benchmarks/suggestions.py measures how often suggestions are right, and fits the weights.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, repeat
from math import exp, log
from typing import Final

import numpy as np

from assay.prediction import plain
from assay.stats.proportions import Floats
from assay.suggest.suggester import Known as Known
from assay.text import LONGEST, WORD, Marks, WordDiff, compare_words, is_missing, normalise, word_diff
from assay.verdicts import Verdict

SIGNS: Final = ("telling, judged", "telling", "category", "shorter", "alone", "rules alone")
"""What is weighed: which n-grams tell passes from fails among judged texts, and among all known ones; log-odds of the
category's judged texts; how much shorter a text is than the item's others; how little was judged in the phenomenon; and
there, log-odds of a pass by the rules. The last one counts against a text: what is right is found by rules."""

WEIGHTS: Final = (-0.15, 0.16, 0.075, 0.58, -2.3, 0.53, -0.44)
"""Those of a constant and of the signs, fitted to WMT21 in both directions by benchmarks/suggestions.py --fit."""

FLOOR: Final = 0.1
"""How alike the nearest known text must be, or nothing is said."""

TWINS_TELL: Final = 0.6
"""Where fewer twins of the phenomenon have the same verdict, a twin is a text like others: quotation marks are an
example."""

_MOST_TELLING = 3
"""N-grams that count on either side: those of one changed word overlap, and all together would say it many times."""

_SURE = 0.99
"""The most that is said of a text that nobody has judged."""

_JUDGED = 2
"""Known texts are counted in four groups: passes and fails by rules, then those that were judged."""


@dataclass(frozen=True, slots=True)
class Near:
    """A known text, normalised, and how alike it is (0 to 1) to a `text`."""

    known: Known
    similarity: float
    text: str

    @property
    def marks(self) -> Marks:
        """Where it differs."""
        return self.compared().second

    def compared(self) -> WordDiff:
        """Where the two differ. Worked out when it is asked for: that takes as long as finding the nearest of many."""
        return compare_words(self.text, self.known.text)


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
    """Verdicts on texts of *other* items of the same phenomenon, counted once for many suggestions.

    `cased` says that case tells words apart, `share` is that of passes among the judged texts of the category.
    """

    def __init__(self, known: Iterable[Known] = (), *, cased: bool = False, share: float = 0.5) -> None:
        self.cased, self.share = cased, share
        self.texts = np.zeros(4)
        self.grams: tuple[Counter[str], ...] = tuple(Counter() for _ in range(4))
        self.twins = np.zeros(2)
        self._parts: tuple[tuple[int, Related], ...] = ()
        self.count(known)

    def count(self, known: Iterable[Known]) -> None:
        """Count verdicts on the texts of one more item: twins of other items' texts are none."""
        judged = _judged(known)
        for one in judged:
            self.texts[_group(one)] += 1
            self.grams[_group(one)].update(_grams(one.text))
        self.twins += _twins((one, _plain(one.text, cased=self.cased)) for one in judged)

    def add(self, other: "Related") -> None:
        """Count these verdicts too."""
        for own, more in zip(self.grams, other.grams, strict=True):
            own.update(more)
        self.texts, self.twins = self.texts + other.texts, self.twins + other.twins

    def changed(self, *, less: "Related", more: "Related | None" = None, share: float) -> "Related":
        """The same less verdicts that are among them, and with others; to be asked, not to be added to."""
        made = Related(cased=self.cased, share=share)
        # Not subtracted: a phenomenon has many times the n-grams that one text asks for.
        made._parts = ((1, self), (-1, less), *(((1, more),) if more else ()))
        made.texts = np.maximum(sum(sign * part.texts for sign, part in made._parts), 0)
        made.twins = np.maximum(sum(sign * part.twins for sign, part in made._parts), 0)
        return made

    def counts(self, grams: Sequence[str]) -> Floats:
        """How many texts of each group have each of these n-grams; groups × n-grams."""
        if self._parts:
            # Not below 0, though a caller may take away texts that were never counted.
            return np.asarray(np.maximum(sum(sign * part.counts(grams) for sign, part in self._parts), 0))
        return np.array([list(map(counted.get, grams, repeat(0))) for counted in self.grams], dtype=np.float64)


def suggest(text: str, known: Sequence[Known], related: Related | None = None) -> NearestSuggestion | None:
    """The likelier verdict on a text of an item, of which `known` are judged; None where nothing can be said."""
    text, judged, related = normalise(text), _judged(known), related or Related()
    if is_missing(text) or not judged:
        return None
    compared = _Compared(text, judged, related)
    best = judged[int(np.argmax(compared.alike))]
    same = {one.verdict for one in judged if one.text == text}
    if len(same) == 1:
        return NearestSuggestion(same.pop(), 1.0, best, ("", ""), "this very text was judged")
    if compared.is_strange:
        return None
    twin = compared.twin
    if twin is not None:
        differing = _differing(text, twin.text)
        reason = f"judged text differs in case, punctuation or spelling only: {_named(differing)}"
        return NearestSuggestion(twin.verdict, min(compared.twins_tell, _SURE), twin, differing, reason)
    differing = _differing(text, best.text)
    score = float(np.dot(WEIGHTS, [1.0, *compared.signs()]))
    verdict = Verdict.PASS if score >= 0 else Verdict.FAIL
    confidence = min(1 / (1 + exp(-abs(score))), _SURE)
    return NearestSuggestion(verdict, confidence, best, differing, _reason(verdict, best, differing))


def signs(text: str, known: Sequence[Known], related: Related) -> Floats | None:
    """What is weighed of a text, in the order of `SIGNS`; None where a twin decides, or nothing can be said."""
    # Weights are fitted to what they are used for.
    text, judged = normalise(text), _judged(known)
    if is_missing(text) or not judged:
        return None
    compared = _Compared(text, judged, related)
    return None if compared.is_strange or compared.twin else np.array(compared.signs())


def nearest(text: str, known: Sequence[Known], number: int) -> list[Near]:
    """The known texts that are most like a text, nearest first."""
    text, judged = normalise(text), _judged(known)
    if not judged:
        return []
    similarities = _Compared(text, judged, Related()).alike
    # Of those that are as like it as each other the first.
    order = sorted(range(len(judged)), key=lambda row: -similarities[row])[:number]
    return [Near(judged[row], similarities[row], text) for row in order]


def _judged(known: Iterable[Known]) -> list[Known]:
    """Distinct normalised texts with a verdict, in the order given."""
    found: dict[tuple[str, int, bool], Known] = {}
    for one in known:
        if one.verdict != Verdict.WARNING:
            text = normalise(one.text)
            same = one if text == one.text else Known(text, one.verdict, one.is_judged)
            # By what they are, since to hash a record takes longer than to normalise its text.
            found.setdefault((text, int(one.verdict), one.is_judged), same)
    return [one for one in found.values() if not is_missing(one.text)]


def _differing(text: str, other: str) -> tuple[str, str]:
    marks, other_marks = word_diff(text, other)
    return (
        " … ".join(text[start:end] for start, end in marks),
        " … ".join(other[start:end] for start, end in other_marks),
    )


def _reason(verdict: Verdict, best: Known, differing: tuple[str, str]) -> str:
    judged = "nearest judged text" if best.verdict == verdict else f"nearest judged text is a {best.verdict},"
    return f"{judged} differs in: {_named(differing)}"


def _named(differing: tuple[str, str]) -> str:
    return f"{differing[0] or '–'} | {differing[1] or '–'}" if any(differing) else "spacing"


def _group(one: Known) -> int:
    return _JUDGED * one.is_judged + (one.verdict == Verdict.FAIL)


def _twins(known: Iterable[tuple[Known, str]]) -> Floats:
    """How many groups of twins have one verdict, and how many have both."""
    groups: dict[str, list[Verdict]] = {}
    for one, text in known:
        groups.setdefault(text, []).append(one.verdict)
    alike = [len(set(verdicts)) == 1 for verdicts in groups.values() if len(verdicts) > 1]
    return np.array([alike.count(True), alike.count(False)], dtype=np.float64)


_plain = lru_cache(1000)(plain)


def _grams(text: str) -> list[str]:
    """One to three words in a row, and four letters in a row, each once and in a fixed order; not to be changed."""
    return _kept_grams(text) if len(text) <= SENTENCE else _find_grams(text)


def _find_grams(text: str) -> list[str]:
    # The marks make words at the start and end of a text n-grams of their own.
    text = text[:LONGEST]
    words, padded = ["^", *WORD.findall(text), "$"], f" {text} "
    grams = words + [padded[start : start + 4] for start in range(len(text) - 1)]
    grams += map("\t".join, pairwise(words))
    grams += map("\t".join, zip(words, words[1:], words[2:], strict=False))
    return list(dict.fromkeys(grams))


SENTENCE: Final = 500
"""Characters up to which a text's n-grams are kept: those of a thousand texts of 5,000 take 500 MB."""

_kept_grams = lru_cache(1000)(_find_grams)
"""The texts of one item are compared with each other many times while it is being judged."""


class _Compared:
    """A text beside the known ones of its item: n-grams of the text first, then those that only others have."""

    def __init__(self, text: str, known: Sequence[Known], related: Related) -> None:
        self.text, self.known, self.related = text, known, related
        own = dict.fromkeys(_grams(text))
        others = [_grams(one.text) for one in known]
        self.alike = []
        for grams in others:
            shared = sum(map(own.__contains__, grams))
            self.alike.append(shared / (len(own) + len(grams) - shared))
        self.has, self.others = len(own), others
        self._own_grams = own

    # What is below is for suggestions; to find the nearest texts nobody needs it.

    @cached_property
    def grams(self) -> list[str]:
        return list(dict.fromkeys([*self._own_grams, *(gram for grams in self.others for gram in grams)]))

    @cached_property
    def own(self) -> str:
        return _plain(self.text, cased=self.related.cased)

    @cached_property
    def plain(self) -> list[str]:
        return [_plain(one.text, cased=self.related.cased) for one in self.known]

    @property
    def is_strange(self) -> bool:
        """Whether the text is like none."""
        return max(self.alike) < FLOOR and self.own not in self.plain

    @property
    def twin(self) -> Known | None:
        """A known text that differs in nothing that matters, where twins tell, and all of them have one verdict."""
        found = [one for one, text in zip(self.known, self.plain, strict=True) if text == self.own]
        is_clear = len({one.verdict for one in found}) == 1 and self.twins_tell >= TWINS_TELL
        return found[0] if is_clear else None

    @property
    def twins_tell(self) -> float:
        """The share of the phenomenon's twins that have the same verdict; at first nine of ten are expected to."""
        same, different = self.related.twins + _twins(zip(self.known, self.plain, strict=True))
        return float((same + 9) / (same + different + 10))

    def signs(self) -> list[float]:
        """See `SIGNS`."""
        places = {gram: place for place, gram in enumerate(self.grams)}
        groups = [_group(one) for one in self.known]
        counted = np.zeros((4, len(places)))
        for group, grams in zip(groups, self.others, strict=True):
            counted[group, [places[gram] for gram in grams]] += 1
        item, texts = counted, np.bincount(groups, minlength=4).astype(np.float64)
        related, all_related = self.related.counts(self.grams), self.related.texts
        judged = self._telling(item[_JUDGED:], texts[_JUDGED:], related[_JUDGED:], all_related[_JUDGED:])
        telling = self._telling(*(of[:_JUDGED] + of[_JUDGED:] for of in (item, texts, related, all_related)))
        share = self.related.share
        alone = 1 / (1 + (all_related[_JUDGED:].sum() + texts[_JUDGED:].sum()) / 5)
        usual = sorted(map(len, self.plain))[len(self.plain) // 2]
        shorter = max(0.0, log((usual + 3) / (len(self.own) + 3)))
        rules = log(all_related[0] + 1) - log(all_related[1] + 1)
        return [judged, telling, log(share / (1 - share)), shorter, alone, alone * rules]

    def _telling(self, item: Floats, texts: Floats, related: Floats, all_related: Floats) -> float:
        """Log-odds of a pass beyond those of all texts, by n-grams; arguments are passes and fails (× n-grams)."""
        prior = (all_related[0] + 2 * self.related.share) / (all_related.sum() + 2)
        has = np.arange(len(self.grams)) < self.has
        seen = item.sum(axis=0)
        # An n-gram tells if some texts have it and others do not; lacking one may tell as much as having it.
        # Those of the text count unless all texts of the item have them, and nobody knows of others.
        tells = ~has | (seen < texts.sum()) | (texts.sum() == 0) | (related.sum(axis=0) > 0)
        near = np.where(has, item, texts[:, None] - item)[:, tells]
        far = np.where(has, related, np.maximum(all_related[:, None] - related, 0))[:, tells]
        # Related texts weigh as four of the item's. Where they are few they are pulled towards the share of all.
        pull = 0.1 + 1 / (1 + all_related.sum() / 10)
        share = (far[0] + pull * prior) / (far.sum(axis=0) + pull)
        odds = np.log(near[0] + 4 * share) - np.log(near[1] + 4 * (1 - share)) - log(prior / (1 - prior))
        return _strongest(odds)


def _strongest(odds: Floats) -> float:
    """The sum of the few that speak most for a pass and the few that speak most for a fail."""
    if len(odds) <= 2 * _MOST_TELLING:
        return float(odds.sum())
    ordered = np.sort(odds)
    return float(ordered[:_MOST_TELLING].sum() + ordered[-_MOST_TELLING:].sum())
