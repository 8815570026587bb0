"""The same pairs with other references: how much a metric's accuracy depends on the choice of the reference.

redrawn = redraw(table, challenge, seed=2)
redrawn.changed        how many challenge items got another reference
"""

from dataclasses import replace
from random import Random

from assay.challenge.build import Built, DistinctText, versions
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.errors import BadOption
from assay.text import normalise
from assay.verdicts import VerdictTable


def redraw(table: VerdictTable, challenge: ChallengeSet, seed: int) -> Built:
    """Draw each item's reference again, from the correct outputs that are neither in its pair nor its reference."""
    if challenge.is_blind:
        raise BadOption("the set is blind; references are drawn again for the open set")
    places = {table.suite.items[position].id: place for place, position in enumerate(table.items.tolist())}
    known: dict[str, tuple[tuple[DistinctText, ...], tuple[DistinctText, ...]]] = {}
    items = []
    for item in challenge.items:
        if item.item not in places:
            raise BadOption(
                f"the challenge item {item.id!r} is of an item that these outputs do not have: {item.item!r}"
            )
        if item.item not in known:
            known[item.item] = versions(table, places[item.item])
        # Otherwise the new references could come from other outputs, or verdicts, than the pairs.
        _check(item, *known[item.item])
        # A generator per item, so that a reference does not depend on which other items are in the set.
        items.append(_other_reference(item, known[item.item][0], Random(f"{seed}:reference:{item.id}")))
    changed = sum(new.reference != old.reference for new, old in zip(items, challenge.items, strict=True))
    if not changed:
        raise BadOption("no item of the set has another correct output that could serve as its reference")
    signature = f"{challenge.signature}|references:{seed}" if challenge.signature else f"references:{seed}"
    redrawn = ChallengeSet(challenge.name, challenge.langpair, tuple(items), signature)
    return Built(redrawn, len(known), {}, changed)


def _check(item: ChallengeItem, correct: tuple[DistinctText, ...], incorrect: tuple[DistinctText, ...]) -> None:
    """Refuse a pair that is not among these outputs, or was judged differently."""
    for text, judged, word in ((item.right, correct, "correct"), (item.wrong, incorrect, "incorrect")):
        if normalise(text) not in {normalise(version.text) for version in judged}:
            raise BadOption(
                f"the {word} translation of the challenge item {item.id!r} is no {word} output here; "
                "give the suite and the outputs that the set was built from"
            )


def _other_reference(item: ChallengeItem, correct: tuple[DistinctText, ...], chance: Random) -> ChallengeItem:
    taken = {normalise(item.right), normalise(item.reference)}
    others = [version for version in correct if normalise(version.text) not in taken]
    if not others:
        return item
    chosen = chance.choice(others)
    return replace(item, reference=chosen.text, reference_systems=chosen.systems)
