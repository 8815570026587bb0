"""What a profile says, in sentences: each has its numbers, and nothing is said of too few keywords.

finding(construction)   # gerund (2,569 keywords): all 10 systems choose finite clause less often than …
"""

from collections.abc import Iterator, Sequence
from statistics import mean

from assay.contrasts.profile import ConstructionProfile, TranslationRow, listed, people_words
from assay.text import plural

SMALL = 30
"""Below so many known keywords nothing is said of a row: an interval is some 30 points wide."""

MOST = 2
"""Renderings that are spoken of; all are in the table."""


def finding(found: ConstructionProfile) -> str:
    """What there is to say of a construction."""
    return " ".join(_findings(found))


def _findings(found: ConstructionProfile) -> Iterator[str]:
    people, systems = found.of_kind("translator"), found.of_kind("system")
    what = f"{found.name} ({plural(found.keywords, 'keyword')})"
    if not people:
        yield f"{what}: no human translation to compare with."
        return
    if not systems:
        yield f"{what}: no system to compare."
        return
    if any(row.known < SMALL for row in (*people, *systems)):
        least = min((*people, *systems), key=lambda row: row.known)
        yield f"{what}: {least.label} has {plural(least.known, 'known rendering')} only, too few to say anything."
        return
    name = people_words([row.label for row in people])
    order = sorted(range(len(found.renderings)), key=lambda place: _weight(systems, place), reverse=True)
    said = [_finding(found.renderings[place], place, people, systems, name) for place in order]
    first, *more = [sentence for sentence in said if sentence][:MOST] or [
        f"no system differs significantly from {name} in any rendering."
    ]
    yield f"{what}: {first}"
    yield from (sentence[0].upper() + sentence[1:] for sentence in more)
    yield from _about_distance(found, systems)


def _weight(systems: Sequence[TranslationRow], place: int) -> tuple[int, float]:
    """How much there is to say of a rendering: systems that differ in the same direction, then by how much."""
    signs = [row.shares[place].differs for row in systems]
    return max(signs.count(1), signs.count(-1)), mean(abs(row.shares[place].difference or 0) for row in systems)


def _finding(
    rendering: str, place: int, people: Sequence[TranslationRow], systems: Sequence[TranslationRow], name: str
) -> str:
    signs = [row.shares[place].differs for row in systems]
    sign = 1 if signs.count(1) >= signs.count(-1) else -1
    if not signs.count(sign):
        return ""
    differ = [row for row, own in zip(systems, signs, strict=True) if own == sign]
    same = all((row.shares[place].difference or 0) * sign > 0 for row in systems)
    values = [100 * (row.shares[place].share.value or 0) for row in (systems if same else differ)]
    human = [100 * (row.shares[place].share.value or 0) for row in people]
    more = "more often" if sign > 0 else "less often"
    range_ = _range(values)
    if same and len(systems) > 1:
        significant = (
            "all significant" if len(differ) == len(systems) else f"{len(differ)} of {len(systems)} significant"
        )
        who = f"all {len(systems)} systems choose {rendering} {more}"
        return f"{who} than {name}, {range_} against {_range(human)} ({significant})."
    labels = listed([row.label for row in differ]) if len(differ) <= 3 else f"{len(differ)} of {len(systems)} systems"
    verb = "chooses" if len(differ) == 1 else "choose"
    opposite = signs.count(-sign)
    other = f"; {plural(opposite, 'system')} {'less' if sign > 0 else 'more'} often" if opposite else ""
    return f"{labels} {verb} {rendering} {more} than {name}, {range_} against {_range(human)} (significant){other}."


def _range(values: Sequence[float]) -> str:
    low, high = f"{min(values):.1f}", f"{max(values):.1f}"
    return f"{low} %" if low == high else f"{low}–{high} %"


def _about_distance(found: ConstructionProfile, systems: Sequence[TranslationRow]) -> Iterator[str]:
    yardstick = found.yardstick.value
    if yardstick is None:
        return
    far = [row.label for row in systems if row.beyond]
    who = "no system" if not far else listed(far) if len(far) <= 3 else f"{len(far)} of {len(systems)} systems"
    verb = "are" if len(far) > 1 else "is"
    than = f"significantly further from the translators than these are from each other ({yardstick:.3f})"
    yield f"{who[0].upper()}{who[1:]} {verb} {than}."
