"""Sentences behind the numbers of a profile: for every rendering and translation a few keywords, both words marked.

    for example in examples(found, 0):
        print(example.rendering, example.label, example.shown.source, example.shown.text)

Those come first in which the translation differs from the translators, and of these, those where most others do as the
translators: they show what is peculiar to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.contrasts.profile import ContrastProfile
from assay.contrasts.renderings import RenderedWord, is_reference

EXAMPLES = 3
"""For each rendering and translation."""


@dataclass(frozen=True, slots=True)
class RenderingExample:
    """One keyword in one translation, and what the first translator made of it."""

    rendering: str
    label: str
    shown: RenderedWord
    human: str
    """The rendering of the first translator, empty where there is none or it is unknown."""
    human_shown: RenderedWord | None


def examples(
    found: ContrastProfile, place: int, *, rendering: str = "", system: str = "", limit: int = EXAMPLES
) -> Iterator[RenderingExample]:
    """Examples of one construction, by rendering and translation; only those of one rendering, or one system."""
    table, all_systems = found.renderings.tables[place], found.renderings.systems
    humans = [column for column, own in enumerate(all_systems) if is_reference(own)]
    for code, name in enumerate(table.names):
        if rendering and name != rendering:
            continue
        for column, own in enumerate(all_systems):
            if system and own.name != system:
                continue
            rows = np.flatnonzero(table.codes[:, column] == code)
            for row in _telling(table.codes, rows, code, humans)[:limit]:
                yield _example(found, place, row, column, humans[0] if humans else None)


def _telling(codes: NDArray[np.int8], rows: NDArray[np.intp], code: int, humans: list[int]) -> list[int]:
    """Rows in the order in which they are worth showing; ties in the order of the text."""
    if not humans:
        return [int(row) for row in rows]
    agree = (codes[rows][:, humans] == code).sum(1)
    others = (codes[rows] == code).sum(1)
    return [int(row) for row in rows[np.lexsort((rows, others, agree))]]


def _example(found: ContrastProfile, place: int, row: int, column: int, human: int | None) -> RenderingExample:
    table = found.renderings.tables[place]
    code = int(table.codes[row, column])
    chosen = int(table.codes[row, human]) if human is not None else -1
    return RenderingExample(
        table.names[code],
        found.renderings.systems[column].name,
        found.renderings.show(table, row, column),
        table.names[chosen] if chosen >= 0 else "",
        found.renderings.show(table, row, human) if human is not None and human != column else None,
    )
