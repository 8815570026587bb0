"""Probes: texts that must not pass, made of a suite's own right examples, to see whether its rules look at grammar.

    found = probe(suite, planted=read_probes(folder, suite))
    found.count("shuffled").share                   # 0.031
    found.by_phenomenon("shuffled")                 # {("Negation", "Negation"): ProbeCount(tried=15, passed=(…))}

Right examples with their words shuffled, with a negation put in, and right examples of other items; and texts that
somebody planted. A rule that still lets them pass looks for a word, not for a construction. Everything is drawn from
a fixed seed, the draws of an item from its id: the same suite has the same probes, whatever else changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal, get_args

from assay.languages import base_language, split_pair
from assay.progress import OpenProgress, no_progress
from assay.suites import Item, Suite
from assay.text import normalise
from assay.verdicts.judge import RuleJudge
from assay.verdicts.negation import LANGUAGES, is_negated, put_in
from assay.verdicts.scope import sentences
from assay.verdicts.verdict import Finding, Verdict

ProbeKind = Literal["shuffled", "negated", "others", "planted"]
KINDS: tuple[ProbeKind, ...] = get_args(ProbeKind)

LIMITS: dict[ProbeKind, float] = {"shuffled": 0.05, "negated": 0.10, "others": 0.003, "planted": 0.0}
"""The share of texts that may pass. Some shuffled texts are right by chance, and some negations change nothing."""

SEED = 1

SHORTEST = 4
"""Words that a text needs to be shuffled: with fewer, too many orders are right."""

TRIES = 20
"""Orders that are tried, to take the one that keeps the fewest neighbours."""

OTHERS = 50
"""Right examples of other items that an item is tried with, drawn at random; all of them would be n²."""

QUESTION = "?"


@dataclass(frozen=True, slots=True)
class ProbeText:
    """A text that must not pass, and the right example that it was made of."""

    kind: ProbeKind
    item: Item
    text: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class ProbeCount:
    """How many texts were tried, and those that passed."""

    tried: int
    passed: tuple[ProbeText, ...]

    @property
    def share(self) -> float | None:
        """The share that passed; None where nothing was tried."""
        return len(self.passed) / self.tried if self.tried else None


@dataclass(frozen=True, slots=True)
class ProbedSuite:
    """What became of the probes of a suite. `missing` says why a kind was not tried, where it could not be."""

    counts: Mapping[ProbeKind, Mapping[tuple[str, str], ProbeCount]]
    missing: Mapping[ProbeKind, str]

    def count(self, kind: ProbeKind) -> ProbeCount:
        """All probes of a kind."""
        counts = self.counts[kind].values()
        return ProbeCount(sum(one.tried for one in counts), tuple(text for one in counts for text in one.passed))

    def by_phenomenon(self, kind: ProbeKind) -> Mapping[tuple[str, str], ProbeCount]:
        """Category and phenomenon -> its probes of a kind, in the order of the suite."""
        return self.counts[kind]

    def exceeds(self, kind: ProbeKind, limits: Mapping[ProbeKind, float] = LIMITS) -> bool:
        """Whether more of a kind pass than may."""
        share = self.count(kind).share
        return share is not None and share > limits[kind]


def probe(
    suite: Suite,
    *,
    planted: Mapping[str, Sequence[str]] | None = None,
    open_progress: OpenProgress = no_progress,
) -> ProbedSuite:
    """Try all probes of a suite; `planted` are further texts that must not pass, by item."""
    source, target = map(base_language, split_pair(suite.langpair))
    items = [item for item in suite.items if item.is_judged]
    judge = RuleJudge(items)
    pool = [(item, item.examples.passing[0]) for item in items if item.examples.passing]
    tried: dict[ProbeKind, dict[tuple[str, str], int]] = {kind: {} for kind in KINDS}
    passed: dict[ProbeKind, dict[tuple[str, str], list[ProbeText]]] = {kind: {} for kind in KINDS}
    with open_progress("probing", len(items)) as progress:
        for item in items:
            row = (item.category, item.phenomenon)
            made = _Probes(suite, item, judge, source=source, target=target)
            texts = [
                *made.shuffled(),
                *made.negated(),
                *made.others(pool),
                *made.planted((planted or {}).get(item.id, ())),
            ]
            for one in texts:
                tried[one.kind][row] = tried[one.kind].get(row, 0) + 1
                if judge.judge(item, one.text).verdict == Verdict.PASS:
                    passed[one.kind].setdefault(row, []).append(one)
            if progress:
                progress(1)
    counts = {
        kind: {row: ProbeCount(number, tuple(passed[kind].get(row, ()))) for row, number in tried[kind].items()}
        for kind in KINDS
    }
    missing: dict[ProbeKind, str] = {}
    if target not in LANGUAGES:
        missing["negated"] = f"not available for {target}; there are {', '.join(LANGUAGES)}"
    return ProbedSuite(counts, missing)


class _Probes:
    """The probes of one item. A text that is right itself, or stands twice, is none."""

    def __init__(self, suite: Suite, item: Item, judge: RuleJudge, *, source: str, target: str) -> None:
        self._item, self._judge = item, judge
        self._source, self._target = source, target
        row = (item.category, item.phenomenon)
        self._is_lexical = suite.lexical.get(row, False)
        self._may_be_negated = suite.negation.get(row, False)
        self._right = {normalise(text): self._judge.judge(item, text) for text in item.examples.passing}

    def shuffled(self) -> Iterator[ProbeText]:
        if self._is_lexical:
            return
        random = self._random("shuffled")
        for text in self._fresh(shuffle(right, random) for right in self._passing()):
            yield ProbeText("shuffled", self._item, *text)

    def negated(self) -> Iterator[ProbeText]:
        if self._may_be_negated or self._target not in LANGUAGES or is_negated(self._item.source, self._source):
            return
        for text in self._fresh(negate(right, self._right[right], self._target) for right in self._passing()):
            yield ProbeText("negated", self._item, *text)

    def others(self, pool: Sequence[tuple[Item, str]]) -> Iterator[ProbeText]:
        own = self._item
        strangers = [
            text
            for item, text in pool
            if item.id != own.id and item.source != own.source and not (own.group and item.group == own.group)
        ]
        drawn = self._random("others").sample(strangers, min(OTHERS, len(strangers)))
        for text in dict.fromkeys(drawn):
            if normalise(text) not in self._right:
                yield ProbeText("others", own, text)

    def planted(self, texts: Sequence[str]) -> Iterator[ProbeText]:
        yield from (ProbeText("planted", self._item, text) for text in dict.fromkeys(texts))

    def _passing(self) -> list[str]:
        """Right examples that the rules let pass; what becomes of the others is lint's to say."""
        return [text for text, finding in self._right.items() if finding.verdict == Verdict.PASS]

    def _fresh(self, made: Iterator[str | None]) -> Iterator[tuple[str, str]]:
        """New text and the right one, each text once."""
        seen = set(self._right)
        for right, text in zip(self._passing(), made, strict=True):
            if text is not None and normalise(text) not in seen:
                seen.add(normalise(text))
                yield text, right

    def _random(self, use: str) -> Random:
        return Random(f"{SEED} {use} {self._item.id}")


def shuffle(text: str, random: Random) -> str | None:
    """The words of each sentence in another order, its last mark at the end; None where none has enough words."""
    whole = [text[start:end] for start, end in sentences(text)]
    parts = [_shuffled(sentence, random) for sentence in whole]
    return " ".join(parts) if parts != whole else None


def _shuffled(sentence: str, random: Random) -> str:
    bare = sentence.rstrip(".!?…")
    words, mark = bare.split(), sentence[len(bare) :]
    if len(words) < SHORTEST:
        return sentence
    neighbours = set(pairwise(words))
    orders = [random.sample(words, len(words)) for _ in range(TRIES)]
    kept = [sum(pair in neighbours for pair in pairwise(order)) for order in orders]
    return " ".join(orders[kept.index(min(kept))]) + mark


def negate(text: str, finding: Finding, language: str) -> str | None:
    """A right text with a negation where its rule has matched; None where it has one, asks, or no place is found."""
    place = finding.evidence[0].start
    start, end = next((span for span in sentences(text) if span[0] <= place < span[1]), (0, len(text)))
    sentence = text[start:end]
    # A negated question asks the same, or is a polite one.
    if is_negated(sentence, language) or sentence.rstrip("\"'”“»)").endswith(QUESTION):
        return None
    # The middle of what was matched: whatever the rule looks at is what must not be so.
    middle = (place + finding.evidence[0].end) // 2 - start
    made = put_in(sentence, language, near=middle)
    return None if made is None else text[:start] + made + text[end:]
