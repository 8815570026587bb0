"""Challenge items to read: both translations under each other, with the words that differ between marks.

for line in item_lines(evaluation, limit=20):
    print(line)

Ambiguity › Lexical ambiguity
  lex/schloss#2: Das Schloss klemmt.
    reference: The lock is jammed. (Online-A)
    ✓ The [lock] is stuck. (Online-B, Online-W)
    ✗ The [castle] is stuck. (Online-G)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.analysis import never_right
from assay.challenge.challenge_set import ChallengeItem
from assay.text import Marks, word_diff

MOST_SYSTEMS = 3
"""Systems named behind a text; of the others only the number."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text; `differs` where the other text has something else."""

    text: str
    differs: bool


def differing(first: str, second: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, cut where whole words differ."""
    before, after = word_diff(first, second)
    return _pieces(first, before), _pieces(second, after)


def _pieces(text: str, marks: Marks) -> list[Piece]:
    found, place = [], 0
    for start, end in marks:
        found += [Piece(text[place:start], False), Piece(text[start:end], True)]
        place = end
    return [piece for piece in (*found, Piece(text[place:], False)) if piece.text]


def by_phenomenon(items: Sequence[ChallengeItem]) -> dict[tuple[str, str], list[ChallengeItem]]:
    """Challenge items by category and phenomenon, in order of appearance."""
    found: dict[tuple[str, str], list[ChallengeItem]] = {}
    for item in items:
        found.setdefault((item.category, item.phenomenon), []).append(item)
    return found


def systems_of(item: ChallengeItem) -> tuple[str, str, str]:
    """Who wrote the reference, the correct and the incorrect translation; empty where nobody knows."""
    pair = (item.second_systems, item.first_systems) if item.correct == 2 else (item.first_systems, item.second_systems)
    reference, right, wrong = map(_named, (item.reference_systems, *pair))
    return reference, right, wrong


def _named(systems: Sequence[str]) -> str:
    more = len(systems) - MOST_SYSTEMS
    return ", ".join(systems[:MOST_SYSTEMS]) + (f" and {more} more" if more > 0 else "")


def item_lines(
    evaluation: MetricEvaluation, limit: int | None = None, marks: tuple[str, str] = ("[", "]")
) -> Iterator[str]:
    """The challenge items that every metric gets wrong, grouped by phenomenon, differing words between the marks."""
    lost = never_right(evaluation)
    shown = lost if limit is None else lost[:limit]
    for (category, phenomenon), members in by_phenomenon(shown).items():
        yield f"{category} › {phenomenon}"
        for item in members:
            yield from item_text(item, marks)
    if len(shown) < len(lost):
        yield f"… and {len(lost) - len(shown):,} more (--lost 0 shows all)"


def item_text(item: ChallengeItem, marks: tuple[str, str] = ("[", "]")) -> Iterator[str]:
    """A challenge item as lines of text."""
    right, wrong = ("".join(_marked(piece, marks) for piece in side) for side in differing(item.right, item.wrong))
    yield f"  {item.id}: {item.source}"
    for sign, text, systems in zip(
        ("reference:", "✓", "✗"), (item.reference, right, wrong), systems_of(item), strict=True
    ):
        yield f"    {sign} {text}" + (f" ({systems})" if systems else "")


def _marked(piece: Piece, marks: tuple[str, str]) -> str:
    return f"{marks[0]}{piece.text}{marks[1]}" if piece.differs else piece.text
