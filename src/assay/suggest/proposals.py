r"""Proposing rules that tell judged texts apart, and that would have been right about texts nobody judged yet.

    propose(
        ["Du hast das Haus gemalt.", "Sie haben das Haus gemalt.", "Sie haben das Haus gestrichen."], []
    )   # -> [Proposal(Rule("pass", "regex", r"^(?:Du hast|Sie haben) das Haus (?:gemalt|gestrichen)\.$"), …)]

Three kinds are proposed, and nothing where none is there:

- An *exchange* is a judged text with other words in one place, as an undecided text has them, where these words have
  stood for each other in judged texts of other items and never changed a verdict (`assay.suggest.exchanges`).
- A *frame* is a whole text with two places that vary. Most of what it stands for has been judged, and it holds the rest
  by analogy: what is right in three of four corners is right in the fourth.
- A *wrong word*, for fail only: a wrong text differs from a right one in this word and nothing else, it stands in other
  wrong texts too, and in no right one, not even of the phenomenon's other items (`SiblingTexts`).

A word that only right texts have so far says nothing about the rest of a text: on held-out judgements such rules were
wrong half of the time (`benchmarks/proposals.py`), as were rules of function words or punctuation. So there are none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import combinations, product
from typing import Final

from assay.suggest.exchanges import Exchanges, Tokens, exchange_of, place_of_difference, shared, tokens
from assay.suites import Polarity, Rule
from assay.text import is_missing, normalise
from assay.verdicts import Pattern, RuleTimeout

MANY_PROPOSALS: Final = 5
"""A linguist has to read them all."""

MANY_ALTERNATIVES: Final = 6
"""What may stand in one place of a frame, and wrong words in one rule."""

LONGEST_PLACE: Final = 3
"""Words of what may stand in one place of a frame: in more of them there is more that may be wrong."""

MOST_TEXTS: Final = 40
"""Texts of a side that are compared with each other; most items have fewer."""

SHORT_WORD: Final = 4
"""Words with fewer letters are mostly function words, which tell texts apart by accident."""

CORNERS: Final = 1
"""Texts beside which two things in the first place of a frame were both judged: what stands beside one of them may then
stand beside the other."""

FEWEST_WRONG: Final = 3
"""Wrong texts that have to have a wrong word."""

EVERYWHERE: Final = 0.01
"""Words that stand in texts of more than this share of a suite's items tell nothing about one of them."""

# `re.escape` would also escape spaces and hyphens, which nobody does by hand.
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
_WORD = re.compile(r"[^\W\d_]+")

Fixed = tuple[Tokens, Tokens, Tokens]
"""What stands before, between and behind the two places of a frame."""


@dataclass(frozen=True, slots=True)
class SiblingTexts:
    """What is known beside the texts of an item: right and wrong texts of its siblings, and words that tell nothing.

    `exchanges` are of all other items.
    """

    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    common: frozenset[str] = field(default=frozenset())
    exchanges: Exchanges = field(default=Exchanges())


NO_SIBLINGS: Final = SiblingTexts()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rule, and how many distinct texts it matches.

    It matches `covers` of the `of` texts that it should, `wrongly` (always 0) of the other side, and `others` of those
    without a verdict.
    """

    rule: Rule
    covers: int
    of: int
    wrongly: int
    others: int


def propose(
    passing: Sequence[str],
    failing: Sequence[str],
    polarity: Polarity = "pass",
    others: Sequence[str] = (),
    *,
    contrast: SiblingTexts = NO_SIBLINGS,
) -> list[Proposal]:
    """Rules of a polarity that match its texts and none of the other side, best first, at most five.

    The sides are all that is known of the item: judged texts, exact rules, examples, what its rules decide. There are
    none where a text is on both sides.
    """
    sides = [_distinct(passing), _distinct(failing)]
    wanted, unwanted = sides if polarity == "pass" else reversed(sides)
    if set(wanted) & set(unwanted):
        return []
    rest = _distinct(others)
    values = [*_exchanged(wanted, unwanted, rest, contrast.exchanges), *_frames(wanted)]
    if polarity == "fail":
        values = [*_wrong_words(wanted, unwanted, contrast), *values]
    proposals: list[Proposal] = []
    for value in dict.fromkeys(values):
        try:
            covers, wrongly, undecided = (_matched(value, texts) for texts in (wanted, unwanted, rest))
        except RuleTimeout:
            continue
        if covers and not wrongly:
            proposals.append(Proposal(Rule(polarity, "regex", value), covers, len(wanted), wrongly, undecided))
    # The sort is stable: of those that do the same, words, which are simpler, stay before whole texts.
    return sorted(proposals, key=lambda proposal: -(proposal.covers + proposal.others))[:MANY_PROPOSALS]


def common_words(items: Iterable[Iterable[str]]) -> frozenset[str]:
    """Words, in small letters, that stand in texts of many items: function words, in any language."""
    counts: Counter[str] = Counter()
    number = 0
    for texts in items:
        number += 1
        counts.update({word.lower() for text in texts for word in _WORD.findall(text)})
    many = max(5, EVERYWHERE * number)
    return frozenset(word for word, count in counts.items() if count > many)


def _distinct(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(map(normalise, texts)) if not is_missing(text)]


def _matched(value: str, texts: Iterable[str]) -> int:
    pattern = Pattern(value)
    return sum(pattern.search(text) is not None for text in texts)


def _tokens(texts: Iterable[str]) -> list[Tokens]:
    """The first texts as tokens, without those that tokens do not make up."""
    cut = ((text, tokens(text)) for text in list(texts)[:MOST_TEXTS])
    return [found for text, found in cut if "".join(found) == text]


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


# Exchanges


def _exchanged(
    wanted: Sequence[str], unwanted: Sequence[str], rest: Sequence[str], exchanges: Exchanges
) -> Iterator[str]:
    """Judged texts with one place in which undecided texts have something else that never made a difference."""
    sides = _tokens(wanted), _tokens(unwanted)
    found: dict[tuple[Tokens, int, int], set[Tokens]] = {}
    for text in _tokens(rest):
        near = [
            [known for known in side if (told := exchange_of(known, text)) and exchanges.are_neutral(told)]
            for side in sides
        ]
        # Where it follows from a right text and from a wrong one it follows from neither.
        for known in near[0] if not near[1] else ():
            start, end, text_end = place_of_difference(known, text)
            found.setdefault((known, start, end), set()).add(text[start:text_end])
    for (known, start, end), others in found.items():
        either = _either([known[start:end], *sorted(others)[: MANY_ALTERNATIVES - 1]])
        yield f"^{_escaped(''.join(known[:start]))}{either}{_escaped(''.join(known[end:]))}$"


# Frames


def _frames(texts: Sequence[str]) -> list[str]:
    """Whole texts with two places that vary, where all that is new follows from three corners that were judged."""
    known = _tokens(texts)
    rows: dict[Fixed, dict[Tokens, set[Tokens]]] = {}
    for one, other in combinations(known, 2):
        parts = _two_places(one, other)
        if parts:
            fixed, *corners = parts
            for first, second in corners:
                rows.setdefault(fixed, {}).setdefault(first, set()).add(second)
    # Texts that differ in the first place only have shown no second one; they are corners too.
    for (head, middle, tail), row in rows.items():
        seconds = set().union(*row.values())
        for first, second in product(row, seconds):
            if (*head, *first, *middle, *second, *tail) in known:
                row[first].add(second)
    return [
        f"^{_escaped(''.join(head))}{_either([one, other])}{_escaped(''.join(middle))}"
        f"{_either(row[one] | row[other])}{_escaped(''.join(tail))}$"
        for (head, middle, tail), row in rows.items()
        for one, other in combinations(sorted(row), 2)
        if len(row[one] & row[other]) >= CORNERS and row[one] != row[other]
        if len(row[one] | row[other]) <= MANY_ALTERNATIVES
    ]


def _two_places(one: Tokens, other: Tokens) -> tuple[Fixed, tuple[Tokens, Tokens], tuple[Tokens, Tokens]] | None:
    """Where two texts differ in exactly two places, in words: (what is the same, both places of one, of the other).

    Where something is only left out, the rest of the text may make up for it (`baked Tim a cake`, `baked a cake for
    Tim`), and without both it is wrong.
    """
    start = shared(one, other)
    end = shared(one[start:][::-1], other[start:][::-1])
    a, b = one[start : len(one) - end], other[start : len(other) - end]
    if not a or not b or not (start or end):
        return None
    block = SequenceMatcher(None, a, b, autojunk=False).find_longest_match()
    places = (a[: block.a], b[: block.b]), (a[block.a + block.size :], b[block.b + block.size :])
    changes = [tokens for place in places for tokens in place]
    if max(map(len, changes)) > LONGEST_PLACE:
        return None
    if not block.size or not all(changes) or not all(_is_word(token) for tokens in changes for token in tokens):
        return None
    fixed = one[:start], a[block.a : block.a + block.size], one[len(one) - end :]
    return fixed, (places[0][0], places[1][0]), (places[0][1], places[1][1])


def _is_word(token: str) -> bool:
    return token.strip()[:1].isalnum()


def _either(alternatives: Iterable[Tokens]) -> str:
    texts = sorted("".join(tokens) for tokens in alternatives)
    space = " " if all(text.startswith(" ") for text in texts) else ""
    return f"{space}(?:{'|'.join(_escaped(text.removeprefix(space)) for text in texts)})"


# Wrong words


def _wrong_words(wrong: Sequence[str], right: Sequence[str], contrast: SiblingTexts) -> list[str]:
    """The words that alone make texts wrong: all of them in one rule, then each."""
    by_text = [{token.strip() for token in tokens} for tokens in _tokens(wrong)]
    counts = Counter(word.lower() for words in by_text for word in {word.lower() for word in words})
    good = {word.lower() for text in (*right, *contrast.right) for word in _WORD.findall(text)}
    found = set()
    for bad in _tokens(wrong):
        for fine in _tokens(right):
            word = _only_difference(fine, bad)
            small = word.lower()
            if len(word) >= SHORT_WORD and word.isalpha() and counts[small] >= FEWEST_WRONG:
                found |= {small} - good - contrast.common
    spelled = []
    for small in sorted(found, key=lambda word: (-counts[word], word)):
        forms = sorted({word for words in by_text for word in words if word.lower() == small})
        spelled += [_escaped(forms[0])] if len(forms) == 1 else [f"[{small[0].upper()}{small[0]}]{_escaped(small[1:])}"]
    every = [rf"\b(?:{'|'.join(spelled[:MANY_ALTERNATIVES])})\b"] if len(spelled) > 1 else []
    return [*every, *(rf"\b{word}\b" for word in spelled)]


def _only_difference(right: Tokens, wrong: Tokens) -> str:
    """The word that stands in a wrong text where a right one has something else, and all else is the same."""
    start = shared(right, wrong)
    end = shared(right[start:][::-1], wrong[start:][::-1])
    changed = wrong[start : len(wrong) - end]
    return changed[0].strip() if len(changed) == 1 and len(right) > start + end else ""
