"""A blind set: two translations in random order, and nothing that tells which is right.

blind_set, key = blind(challenge)

Participants of a shared task get the first; the second has the same items in the same order, with everything known.
"""

import secrets
from dataclasses import replace
from random import Random

from assay.challenge.build import telling
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.errors import BadOption


def blind(challenge: ChallengeSet, seed: str = "") -> tuple[ChallengeSet, ChallengeSet]:
    """The set without labels, and with them. Items are shuffled too: neighbours would tell the phenomenon.

    Whoever knows the seed knows the order, so by default it is random; only the key's signature holds it. A set where
    a translation is the reference of another item is refused: `Drawing(apart=True)` draws none.
    """
    told = telling(challenge.items)
    if told:
        raise BadOption(
            f"a translation of the challenge item {told[0].id!r} is the reference of another, which tells that it is "
            "right; draw the set for a blind one (--blind, or Drawing(apart=True))"
        )
    seed = seed or secrets.token_hex(8)
    chance = Random(f"{seed}:blind")
    order = chance.sample(challenge.items, len(challenge.items))
    # New ids of equal width: the old ones may tell the item, and with it the phenomenon.
    width = len(str(len(order)))
    known = [
        replace(_swapped(item) if chance.random() < 0.5 else item, id=f"{number:0{width}d}")
        for number, item in enumerate(order, 1)
    ]
    hidden = [
        ChallengeItem(item.id, item.source, item.reference, item.first, item.second, langpair=item.langpair)
        for item in known
    ]
    return (
        ChallengeSet(challenge.name, challenge.langpair, tuple(hidden)),
        ChallengeSet(challenge.name, challenge.langpair, tuple(known), f"{challenge.signature}|blind:{seed}"),
    )


def _swapped(item: ChallengeItem) -> ChallengeItem:
    return replace(
        item,
        first=item.second,
        second=item.first,
        first_systems=item.second_systems,
        second_systems=item.first_systems,
        correct=1 if item.correct == 2 else 2,
    )
