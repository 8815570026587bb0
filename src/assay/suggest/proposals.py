r"""Proposing regular expressions that tell judged texts apart, as a linguist would write them.

    propose(["The lock is stuck.", "The padlock is stuck."], ["The castle is stuck."])
    # -> [Proposal(Rule("pass", "regex", r"\b(?:lock|padlock)\b"), covers=2, of=2, wrongly=0, others=0), …]

Pieces are looked for that stand in texts of the wanted polarity and in none of the other: a word, words in a row, a
stem with its endings, two words with a gap. Pieces that cover too little alone are put together as alternatives. What
is returned was tried on all texts.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import permutations
from operator import or_

from assay.suites import Polarity, Rule
from assay.text import is_missing, normalise
from assay.verdicts import Pattern, RuleTimeout

# At most so many proposals, alternatives in one pattern, endings of one stem: a linguist has to read them all.
MANY_PROPOSALS = 5
MANY_ALTERNATIVES = 5
MANY_ENDINGS = 4

LONG_SEQUENCE = 4
"""Words and signs in a row that make one piece."""

SHORT_STEM, LONG_ENDING = 3, 3
"""Letters that words of one stem share at least, and that follow it at most."""

SHORT_WORD = 4
"""Words with fewer letters are mostly function words, which tell texts apart by accident."""

_TRIED = 12
"""Patterns that are tried on all texts: more than are returned, since some may match a text of the other side."""

_PAIRED = 16
"""The most frequent words among which pairs are looked for: 16 make 240 pairs, and each is looked up in every text."""

_ALIKE = 3
"""Pieces that stand in exactly the same texts, and first pieces from which alternatives are built: the best few, so
that one word in many variants does not take all places."""

# `re.escape` would also escape spaces and hyphens, which nobody does by hand.
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_JOINT = re.compile(r"(?<=\w)['-](?=\w)")
_EDGE = r"\b"

_Spot = tuple[int, int, str, str]
"""Place and number of tokens, `^` or nothing, `$` or nothing."""

_Key = tuple[str, str, str]
"""`^` or nothing, a sequence of tokens as it is written, `$` or nothing."""


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
    passing: Sequence[str], failing: Sequence[str], polarity: Polarity = "pass", others: Sequence[str] = ()
) -> list[Proposal]:
    """Rules of a polarity that match its texts and none of the other side, best first, at most five.

    Those that match all come before those that match some, then simple ones before complicated ones. There are none
    where a text is on both sides.
    """
    sides = [_distinct(passing), _distinct(failing)]
    wanted, unwanted = sides if polarity == "pass" else reversed(sides)
    if set(wanted) & set(unwanted):
        return []
    rest = _distinct(others)
    proposals: list[Proposal] = []
    for value in _candidates([_Text(text) for text in wanted], [_Text(text) for text in unwanted]):
        try:
            covers, wrongly, undecided = (_matched(value, texts) for texts in (wanted, unwanted, rest))
        except RuleTimeout:
            continue
        if covers and not wrongly:
            proposals.append(Proposal(Rule(polarity, "regex", value), covers, len(wanted), wrongly, undecided))
    # What covers less than half as much as the best would only distract from it.
    most = max((proposal.covers for proposal in proposals), default=0)
    worthwhile = [proposal for proposal in proposals if 2 * proposal.covers >= most]
    # The sort is stable: of those that cover the same, the simpler ones, which were tried first, stay in front.
    return sorted(worthwhile, key=lambda proposal: -proposal.covers)[:MANY_PROPOSALS]


def _distinct(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(map(normalise, texts)) if not is_missing(text)]


def _matched(value: str, texts: Iterable[str]) -> int:
    pattern = Pattern(value)
    return sum(pattern.search(text) is not None for text in texts)


class _Text:
    """A normalised text with its words and signs. `first` and `last` are the places of each.

    `sequences` are those at a place, of a length and, at the edges of the text, with an anchor; shorter ones first.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = [token.span() for token in _TOKEN.finditer(text)]
        self.tokens = [text[start:end] for start, end in self.spans]
        self.first = {token: place for place, token in reversed(list(enumerate(self.tokens)))}
        self.last = {token: place for place, token in enumerate(self.tokens)}
        self.joints = {joint.start() for joint in _JOINT.finditer(text)}
        self.sequences: dict[_Spot, _Key] = {}
        for length in range(1, LONG_SEQUENCE + 1):
            for place in range(len(self.tokens) - length + 1):
                body = text[self.spans[place][0] : self.spans[place + length - 1][1]]
                self.sequences[place, length, "", ""] = ("", body, "")
                if place == 0:
                    self.sequences[place, length, "^", ""] = ("^", body, "")
                if place + length == len(self.tokens):
                    self.sequences[place, length, "", "$"] = ("", body, "$")

    def parts(self, spot: _Spot) -> Iterator[_Key]:
        """The sequences within a sequence that lack its anchor, its last token or its first."""
        place, length, head, tail = spot
        if head or tail:
            yield self.sequences[place, length, "", ""]
        if length > 1:
            yield self.sequences[place, length - 1, head, ""]
            yield self.sequences[place + 1, length - 1, "", tail]

    def cuts(self, spot: _Spot) -> bool:
        """Whether a sequence holds a part of a word such as `wasn't` or `e-mail`; only `'t` may stand alone."""
        start, end = self.spans[spot[0]][0], self.spans[spot[0] + spot[1] - 1][1]
        hyphen = start in self.joints and self.text[start] == "-"
        return hyphen or start - 1 in self.joints or end in self.joints or end - 1 in self.joints

    def opens_sentence(self, place: int) -> bool:
        """Whether only signs stand between a token and the start of its sentence."""
        while place and not _is_word(self.tokens[place - 1]):
            place -= 1
            if self.tokens[place] in ".!?…:":
                return True
        return place == 0

    def in_order(self, first: str, second: str) -> bool:
        return first in self.first and second in self.last and self.first[first] < self.last[second]


@dataclass(frozen=True, slots=True)
class _Sequence:
    """Words and signs in a row, at the start or end of the text where `head` is `^` or `tail` is `$`.

    Bit k of `wanted` tells whether it stands in wanted text k; `opens` whether it opens a sentence in one of them;
    `folded` whether its first letter may be large or small. `cost` says how complicated it is.
    """

    head: str
    text: str
    tail: str
    wanted: int
    cost: float
    opens: bool
    folded: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a pattern, between the edges `head` and `tail` (`\\b`, `^`, `$` or nothing).

    Bit k of `wanted` tells whether it matches wanted text k; `strings` are the strings it stands for.
    """

    head: str
    body: str
    tail: str
    wanted: int
    cost: float
    strings: frozenset[str]


def _candidates(wanted: Sequence[_Text], unwanted: Sequence[_Text]) -> list[str]:
    """Patterns that should do, best first."""
    sequences = _fold(_sequences(wanted, unwanted))
    pieces = _cheapest([*map(_spelled, sequences), *_stems(sequences), *_pairs(wanted, unwanted)])
    covers = [[piece] for piece in pieces[:_TRIED]]
    # Greedy covers depend on where they begin, so they begin with nothing and with each of the best pieces.
    covers += [_cover(pieces, first) for first in ([], *covers[:_ALIKE])]
    # Of patterns for the same strings, such as `locks?` and `(?:lock|locks)`, the simplest stays.
    simplest: dict[frozenset[str], str] = {}
    for cover in sorted(filter(None, covers), key=_rank):
        simplest.setdefault(frozenset().union(*(piece.strings for piece in cover)), _pattern(cover))
    return list(simplest.values())[:_TRIED]


def _rank(cover: Sequence[_Piece]) -> tuple[int, float, int, str]:
    """What covers more texts comes first, then what is simple, then what is short. Words alike are simpler."""
    value = _pattern(cover)
    # Alternatives with the same first letters are one idea to a reader (`lock|locked`), and so a little cheaper.
    alike = len(cover) - len({piece.body[:SHORT_STEM] for piece in cover})
    return -_union(cover).bit_count(), sum(piece.cost for piece in cover) - alike / 2, len(value), value


def _is_word(token: str) -> bool:
    return token[0].isalnum() or token[0] == "_"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _union(pieces: Iterable[_Piece | _Sequence]) -> int:
    return reduce(or_, (piece.wanted for piece in pieces), 0)


def _standing(texts: Sequence[_Text]) -> dict[_Key, int]:
    """In which texts (bits) each sequence stands."""
    found: dict[_Key, int] = {}
    for number, text in enumerate(texts):
        for key in text.sequences.values():
            found[key] = found.get(key, 0) | 1 << number
    return found


def _sequences(wanted: Sequence[_Text], unwanted: Sequence[_Text]) -> list[_Sequence]:
    """Sequences that stand in wanted texts only, without those that hold another one."""
    found, against = _standing(wanted), _standing(unwanted)
    # Sequences that tell the sides apart, themselves or by a part of theirs. Shorter ones come first, so that a longer
    # one has its parts looked up here.
    told: set[_Key] = set()
    sequences: dict[_Key, _Sequence] = {}
    for text in wanted:
        for spot, key in text.sequences.items():
            if any(part in told for part in text.parts(spot)):
                told.add(key)
            elif key not in against and not text.cuts(spot):
                told.add(key)
                head, body, tail = key
                opens = text.opens_sentence(spot[0]) or (key in sequences and sequences[key].opens)
                # `The` would tell texts apart only because it opens a sentence here, and not there: an accident.
                only_large = opens and (head, _small(body), tail) in against
                cost = _cost(body) + len(head + tail) + 4 * only_large
                sequences[key] = _Sequence(*key, found[key], cost, opens)
    return list(sequences.values())


def _cost(body: str) -> int:
    """How complicated a sequence is: by its tokens, with 2 more for signs and 1 for function words only."""
    tokens = _TOKEN.findall(_JOINT.sub("", body))
    words = [token for token in tokens if _is_word(token)]
    return 1 + len(tokens) + 2 * (len(words) < len(tokens)) + all(len(word) < SHORT_WORD for word in words)


def _small(body: str) -> str:
    small = body[0].lower()  # of `İ` it is two letters, which a class like [İi] cannot hold
    return small + body[1:] if len(small) == 1 else body


def _fold(sequences: Iterable[_Sequence]) -> list[_Sequence]:
    """A sequence that opens a sentence is taken together with its small form, where each stands in other texts."""
    folded = {(sequence.head, sequence.text, sequence.tail): sequence for sequence in sequences}
    for (head, body, tail), large in list(folded.items()):
        small = folded.get((head, _small(body), tail))
        if large.opens and small and small is not large and large.wanted & ~small.wanted:
            del folded[head, body, tail]
            both = replace(small, wanted=small.wanted | large.wanted, cost=small.cost + 0.5, folded=True)
            folded[head, small.text, tail] = both
    return list(folded.values())


def _either(text: str) -> str:
    return f"[{text[0].upper()}{text[0]}]"


def _spelled(sequence: _Sequence) -> _Piece:
    head, text, tail = sequence.head, sequence.text, sequence.tail
    return _Piece(
        head or (_EDGE if _is_word(text) else ""),
        _either(text) + _escaped(text[1:]) if sequence.folded else _escaped(text),
        tail or (_EDGE if _is_word(text[-1]) else ""),
        sequence.wanted,
        sequence.cost,
        frozenset([head + text + tail]),
    )


def _stems(sequences: Iterable[_Sequence]) -> list[_Piece]:
    """Words that share a stem, with their endings."""
    families: dict[str, list[_Sequence]] = {}
    for word in sequences:
        if word.text.isalnum() and not word.head and not word.tail:
            for length in range(max(SHORT_STEM, len(word.text) - LONG_ENDING), len(word.text) + 1):
                families.setdefault(word.text[:length], []).append(word)
    pieces = []
    for stem, family in families.items():
        endings = sorted((word.text[len(stem) :] for word in family), key=lambda ending: (len(ending), ending))
        # Where all endings begin alike, a longer stem makes a simpler piece of the same words.
        shares_more = len({ending[:1] for ending in endings}) == 1
        if not shares_more and len(family) <= MANY_ENDINGS and len(endings[-1]) <= len(stem):
            begin = _either(stem) + stem[1:] if any(word.folded for word in family) else stem
            body, strings = begin + _endings(endings), frozenset(word.text for word in family)
            pieces.append(_Piece(_EDGE, body, _EDGE, _union(family), 2 + len(family) / 2, strings))
    return pieces


def _endings(endings: Sequence[str]) -> str:
    """`s?`, `(?:s|ed)?` or `(?:s|ed)`; of sorted endings the empty one comes first."""
    if endings[0]:
        return f"(?:{'|'.join(endings)})"
    if len(endings) == 2 and len(endings[1]) == 1:
        return f"{endings[1]}?"
    return f"(?:{'|'.join(endings[1:])})?"


def _pairs(wanted: Sequence[_Text], unwanted: Sequence[_Text]) -> list[_Piece]:
    """Two words with a gap that stand in this order in wanted texts only, though either stands in others too."""
    against = {token for text in unwanted for token in text.first}
    counts = Counter(
        token
        for text in wanted
        for token, place in text.first.items()
        if token in against and _is_word(token) and not text.cuts((place, 1, "", ""))
    )
    pieces = []
    for pair in permutations([word for word, _ in counts.most_common(_PAIRED)], 2):
        if not any(text.in_order(*pair) for text in unwanted):
            mask = sum(1 << number for number, text in enumerate(wanted) if text.in_order(*pair))
            body, cost = r"\b.*\b".join(pair), 4.5 + sum(len(word) < SHORT_WORD for word in pair)
            pieces.append(_Piece(_EDGE, body, _EDGE, mask, cost, frozenset([body])))
    return [piece for piece in pieces if piece.wanted]


def _cheapest(pieces: Iterable[_Piece]) -> list[_Piece]:
    """The best pieces first, and only a few that stand in the same texts."""
    kept: Counter[int] = Counter()
    best = []
    for piece in sorted(pieces, key=lambda piece: _rank([piece])):
        kept[piece.wanted] += 1
        if kept[piece.wanted] <= _ALIKE:
            best.append(piece)
    return best


def _cover(pieces: Sequence[_Piece], first: Sequence[_Piece]) -> list[_Piece]:
    """Alternatives, beginning with `first`, that together stand in as many wanted texts as possible."""
    chosen, covered = list(first), _union(first)
    # Greedy, as is usual for set cover: again and again what adds most new texts for its cost.
    while len(chosen) < MANY_ALTERNATIVES:
        gains = [(piece.wanted & ~covered).bit_count() / piece.cost for piece in pieces]
        most = max(gains, default=0)
        if not most:
            break
        best = [piece for piece, gain in zip(pieces, gains, strict=True) if gain == most]
        # Of equals the one that looks like what is there; max takes the first, which is the simplest.
        chosen.append(
            max(best, key=lambda piece: any(piece.body[:SHORT_STEM] == one.body[:SHORT_STEM] for one in chosen))
        )
        covered = _union(chosen)
    # What was chosen early may be needless by now.
    for piece in list(chosen):
        others = [other for other in chosen if other is not piece]
        if _union(others) == covered:
            chosen = others
    return sorted(chosen, key=lambda piece: _rank([piece]))


def _pattern(cover: Sequence[_Piece]) -> str:
    if len(cover) > 1 and len({(piece.head, piece.tail) for piece in cover}) == 1:
        return f"{cover[0].head}(?:{'|'.join(piece.body for piece in cover)}){cover[0].tail}"
    return "|".join(piece.head + piece.body + piece.tail for piece in cover)
