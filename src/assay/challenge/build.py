"""Draw challenge items from judged outputs: one correct output as the reference, another correct and an incorrect one.

    built = build(evaluation.table, Drawing(per_item=3, seed=1))
    built.challenge, built.left_out

Everything random depends on the seed, the item and its texts: an item's draw stays the same when others come and go,
and in whichever order the systems are given.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from statistics import median
from typing import Literal

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.challenge.closeness import Closeness, Range, similarity
from assay.errors import BadOption
from assay.result import Signature
from assay.suites import Item
from assay.text import fold, normalise
from assay.verdicts import Verdict, VerdictTable

MOST_BY_DEFAULT = 10
"""Challenge items of one item where nothing is said about their number."""

LeftOut = Literal[
    "not_in_source",
    "held_out",
    "reserved",
    "one_correct",
    "none_correct",
    "none_incorrect",
    "closeness",
    "same_source",
]


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a set is drawn.

    At most `per_item` challenge items of an item; `total` in all, shared evenly between phenomena and then between
    their items, each of which gives at most `per_item`, where both are given. With neither, every item gives one, and
    phenomena with fewer items than the median phenomenon more of each, at most 10, until they have as many. `reserve`
    is the share of items that is never written. `closeness` and `advantage` keep only challenge items whose two
    translations are that close, and whose correct one is that much closer to the reference than the incorrect one.
    `apart` keeps an item's references and correct translations to different texts: in a blind set a translation that is
    a reference elsewhere would be known to be correct.
    """

    per_item: int | None = None
    total: int | None = None
    reserve: float = 0.0
    seed: int = 1
    closeness: Range | None = None
    advantage: Range | None = None
    apart: bool = False

    def __post_init__(self) -> None:
        for name, value in (("per item", self.per_item), ("total", self.total)):
            if value is not None and value < 1:
                raise BadOption(f"{name} is {value}; at least 1")
        if not 0 <= self.reserve < 1:
            raise BadOption(f"reserve is {self.reserve:g}; a share from 0 to below 1, like 0.2")
        if self.seed < 0:
            raise BadOption(f"seed is {self.seed}; it must not be negative")

    @property
    def signature_fields(self) -> dict[str, str]:
        """Names and values for a signature."""
        asked = [str(self.total)] if self.total else []
        asked += [f"{self.per_item}/item"] if self.per_item else []
        number = ",".join(asked) or "balanced"
        fields = {"draw": number, "reserve": f"{self.reserve:g}", "seed": str(self.seed)}
        fields |= {"closeness": str(self.closeness)} if self.closeness else {}
        fields |= {"advantage": str(self.advantage)} if self.advantage else {}
        return fields | ({"references": "apart"} if self.apart else {})


@dataclass(frozen=True, slots=True)
class Built:
    """A set, and what became of the suite's items: `used` of them gave challenge items, others did not, by reason.

    `changed` counts the references that are others than before, in a set whose references were drawn again.
    """

    challenge: ChallengeSet
    used: int
    left_out: dict[LeftOut, int]
    changed: int | None = None


@dataclass(frozen=True, slots=True)
class DistinctText:
    """A distinct text of an item, white space folded, and the systems that wrote it."""

    text: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _DrawPool:
    """What can be drawn from one item; `triples` are numbers of (reference, correct, incorrect)."""

    item: Item
    correct: Sequence[DistinctText]
    incorrect: Sequence[DistinctText]
    triples: Sequence[int]

    def places(self, triple: int) -> tuple[int, int, int]:
        """Places of the reference and of the correct text among the correct ones, and of the incorrect text."""
        # A triple is a number with digits of three bases, so that none has to be kept. The correct text is not the
        # reference: it is counted among the others, and those after the reference move up by one.
        rest, incorrect = divmod(triple, len(self.incorrect))
        reference, correct = divmod(rest, len(self.correct) - 1)
        return reference, correct + (correct >= reference), incorrect

    def apart(self, seed: int) -> list[int]:
        """Triples whose references are a random half of the correct texts, and whose pairs use the other half."""
        number = len(self.correct)
        references = set(Random(f"{seed}:references:{self.item.id}").sample(range(number), number // 2))
        chosen = []
        for triple in self.triples:
            reference, correct, _ = self.places(triple)
            if reference in references and correct not in references:
                chosen.append(triple)
        return chosen


def is_reserved(item: Item, share: float) -> bool:
    """Whether an item belongs to the share that is held back; its source alone decides, today and next year.

    The first eight bytes of a hash are a random number from 0 to 2^64 that stays the same.
    """
    number = int.from_bytes(sha256(normalise(item.source).encode()).digest()[:8])
    return number < share * 2**64


def build(table: VerdictTable, drawing: Drawing) -> Built:
    """Draw a set from verdicts."""
    left_out: Counter[LeftOut] = Counter()
    pools = []
    for found in _pools(table, drawing):
        if isinstance(found, _DrawPool):
            pools.append(found)
        else:
            left_out[found] += 1
    left_out["not_in_source"] += len(table.suite) - len(table.items)
    numbers = _shares(pools, drawing)
    items = tuple(
        made for pool, number in zip(pools, numbers, strict=True) for made in _draw(pool, number, drawing.seed)
    )
    used = sum(number > 0 for number in numbers)
    if drawing.apart:
        told = set(telling(items))
        items = tuple(item for item in items if item not in told)
        left_out["same_source"] = used - len({item.item for item in items})
        used -= left_out["same_source"]
    suite = table.suite
    signature = Signature.of({**suite.signature_fields, **drawing.signature_fields})
    challenge = ChallengeSet(suite.name, suite.langpair, items, signature)
    return Built(challenge, used, {reason: number for reason, number in left_out.items() if number})


def telling(items: Sequence[ChallengeItem]) -> list[ChallengeItem]:
    """Challenge items with a translation that is the reference of another one of the same source."""
    references: dict[str, set[str]] = {}
    for item in items:
        references.setdefault(item.source, set()).add(item.reference)
    return [item for item in items if references[item.source] & {item.first, item.second}]


# What there is to draw from


def _pools(table: VerdictTable, drawing: Drawing) -> Iterator[_DrawPool | LeftOut]:
    for place, position in enumerate(table.items.tolist()):
        item = table.suite.items[position]
        if item.held_out:
            yield "held_out"
        elif drawing.reserve and is_reserved(item, drawing.reserve):
            yield "reserved"
        else:
            yield _pool(item, *versions(table, place), drawing)


def versions(table: VerdictTable, place: int) -> tuple[tuple[DistinctText, ...], tuple[DistinctText, ...]]:
    """Distinct texts of the item at a place of the table with their systems: correct ones, incorrect ones.

    Texts that are equal after normalisation are one.
    """
    texts: dict[int, dict[str, list[tuple[str, str]]]] = {Verdict.PASS: {}, Verdict.FAIL: {}}
    codes = table.outputs.codes[table.items[place]].tolist()
    known: dict[int, tuple[str, list[tuple[str, str]]]] = {}
    for code, verdict, system in zip(codes, table.verdicts[place].tolist(), table.outputs.systems, strict=True):
        if verdict == Verdict.WARNING:
            continue
        if code not in known:
            text = table.outputs.texts[code]
            known[code] = fold(text), texts[verdict].setdefault(normalise(text), [])
        folded, found = known[code]
        found.append((folded, f"{system.name} ({system.campaign})" if system.campaign else system.name))
    # In alphabetical order: the order of files on the command line must not change what is drawn.
    correct, incorrect = (
        tuple(
            DistinctText(min(text for text, _ in found), tuple(sorted(system for _, system in found)))
            for _, found in sorted(texts[verdict].items())
        )
        for verdict in (Verdict.PASS, Verdict.FAIL)
    )
    return correct, incorrect


def _pool(
    item: Item, correct: Sequence[DistinctText], incorrect: Sequence[DistinctText], drawing: Drawing
) -> _DrawPool | LeftOut:
    if not correct:
        return "none_correct"
    if len(correct) < 2:
        return "one_correct"
    if not incorrect:
        return "none_incorrect"
    pool = _DrawPool(item, correct, incorrect, range(len(correct) * (len(correct) - 1) * len(incorrect)))
    if drawing.apart:
        pool = replace(pool, triples=pool.apart(drawing.seed))
    if drawing.closeness or drawing.advantage:
        pool = replace(pool, triples=_fitting(pool, drawing))
    return pool if pool.triples else "closeness"


def _fitting(pool: _DrawPool, drawing: Drawing) -> list[int]:
    """Triples that are as close as was asked for."""
    near = similarity()
    among = [[near(one.text, other.text) for other in pool.correct] for one in pool.correct]
    across = [[near(one.text, other.text) for other in pool.incorrect] for one in pool.correct]
    found = []
    for triple in pool.triples:
        reference, correct, incorrect = pool.places(triple)
        measured = Closeness(across[correct][incorrect], among[reference][correct], across[reference][incorrect])
        if (drawing.closeness is None or measured.pair in drawing.closeness) and (
            drawing.advantage is None or measured.advantage in drawing.advantage
        ):
            found.append(triple)
    return found


# How many of which


def _shares(pools: Sequence[_DrawPool], drawing: Drawing) -> list[int]:
    """How many challenge items each item gives."""
    if drawing.per_item is not None and drawing.total is None:
        return [min(drawing.per_item, len(pool.triples)) for pool in pools]
    places: dict[tuple[str, str], list[int]] = {}
    for place, pool in enumerate(pools):
        places.setdefault((pool.item.category, pool.item.phenomenon), []).append(place)
    chance = Random(f"{drawing.seed}:shares")
    most = drawing.per_item if drawing.total else MOST_BY_DEFAULT
    room = [len(pool.triples) if most is None else min(most, len(pool.triples)) for pool in pools]
    if drawing.total:
        wanted = _evenly([sum(room[place] for place in found) for found in places.values()], drawing.total, chance)
    else:
        # As many for every phenomenon as the median has items, so that large ones do not decide the averages; but each
        # of their items gives one.
        usual = int(median(map(len, places.values()))) if places else 0
        wanted = [max(len(found), usual) for found in places.values()]
    numbers = [0] * len(pools)
    for found, number in zip(places.values(), wanted, strict=True):
        for place, share in zip(found, _evenly([room[place] for place in found], number, chance), strict=True):
            numbers[place] = share
    return numbers


def _evenly(room: Sequence[int], total: int, chance: Random) -> list[int]:
    """Share a total out as evenly as the room of each allows; who gets one more is left to chance."""
    shares = [0] * len(room)
    left = min(total, sum(room))
    while left:
        open_ = [place for place, share in enumerate(shares) if share < room[place]]
        if left < len(open_):
            for place in chance.sample(open_, left):
                shares[place] += 1
            break
        # As much for everybody as fills the smallest room, or uses up what is left.
        step = min(left // len(open_), min(room[place] - shares[place] for place in open_))
        for place in open_:
            shares[place] += step
        left -= step * len(open_)
    return shares


def _draw(pool: _DrawPool, number: int, seed: int) -> Iterator[ChallengeItem]:
    """Open challenge items: the correct translation comes first."""
    item = pool.item
    chance = Random(f"{seed}:{item.id}")
    for count, triple in enumerate(chance.sample(pool.triples, number), 1):
        first, second, third = pool.places(triple)
        reference, correct, incorrect = pool.correct[first], pool.correct[second], pool.incorrect[third]
        yield ChallengeItem(
            id=f"{item.id}#{count}",
            source=fold(item.source),
            reference=reference.text,
            first=correct.text,
            second=incorrect.text,
            correct=1,
            item=item.id,
            category=item.category,
            phenomenon=item.phenomenon,
            reference_systems=reference.systems,
            first_systems=correct.systems,
            second_systems=incorrect.systems,
        )
