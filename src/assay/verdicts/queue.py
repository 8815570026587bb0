"""The queue of warnings: texts that a linguist has to judge, those first that free most items.

    for task in queue(evaluation.table):
        print(task.item.id, task.text, task.systems)

To-do files and the workbench have one order (`Priority.rank`). What frees most with the least work comes first:

1. texts whose judgement alone lets the item count in most fair comparisons;
2. items that few judgements free before items that need many; those that no judgement frees, since an output is
   missing, come last;
3. the order of the suite, so that the texts of an item follow each other and its source is read once;
4. within an item what most systems wrote, since one judgement decides all of these outputs.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.outputs import System
from assay.suites import Item
from assay.text import normalise
from assay.verdicts.table import missing_texts
from assay.verdicts.verdict import Reason, Verdict, VerdictTable

Text = TypeVar("Text", bound=Hashable)
_ROWS = 256
"""Items that are looked at together, so that memory does not grow with them."""

Rank = tuple[int, bool, int, int, int, int | str]


@dataclass(frozen=True, slots=True)
class Task:
    """A text without a verdict, and the systems that wrote it.

    `left` counts the texts of this item that have to be judged before it counts for a fair comparison: 1 means
    that this judgement frees the item. It is None where an output is missing: then no judgement frees the item.
    """

    item: Item
    text: str
    reason: Reason
    systems: tuple[System, ...]
    left: int | None


@dataclass(frozen=True, slots=True)
class Priority:
    """What it brings to judge a text.

    Judging it alone makes the item count in `frees` fair comparisons; `left` is the smallest number of texts that must
    be judged before it counts in one, None where an output is missing in all of them.
    """

    frees: int
    left: int | None

    def rank(self, place: int, systems: int, tie: int | str) -> Rank:
        """The place in the queue of a text that so many systems wrote for the item at this place of the suite.

        `tie` keeps equal texts in the same order every time.
        """
        return (-self.frees, self.left is None, self.left or 0, place, -systems, tie)


def priorities(comparisons: Iterable[Mapping[Text, bool]]) -> dict[Text, Priority]:
    """The priority of every text of an item that can be judged.

    A fair comparison counts the item once all its texts are decided. Each is given by its undecided texts, which are
    True where a linguist can judge them and False where an output is missing.
    """
    frees: dict[Text, int] = {}
    left: dict[Text, int] = {}
    for undecided in comparisons:
        judgeable = [text for text, can_be_judged in undecided.items() if can_be_judged]
        needed = len(judgeable)
        # Where an output is missing, no number of judgements lets the item count.
        reachable = needed == len(undecided)
        for text in judgeable:
            frees[text] = frees.get(text, 0) + (reachable and needed == 1)
            if reachable:
                left[text] = min(needed, left.get(text, needed))
    return {text: Priority(number, left.get(text)) for text, number in frees.items()}


def queue(table: VerdictTable) -> list[Task]:
    """All texts to judge, identical ones once, in the order of the queue; all systems are one comparison."""
    ranked = [entry for row, columns in _warned(table).items() for entry in _tasks(table, row, columns)]
    return [task for _, task in sorted(ranked, key=lambda entry: entry[0])]


def judgements_needed(table: VerdictTable) -> Counter[int]:
    """Number of texts that must be judged before an item counts -> how many items need so many.

    As `queue` has it, without making the queue. Items that no judgement frees are left out: an output is missing.
    """
    needed: Counter[int] = Counter()
    for start in range(0, len(table.items), _ROWS):
        warned = table.verdicts[start : start + _ROWS] == Verdict.WARNING
        codes, places = np.unique(table.outputs.codes[table.items[start : start + _ROWS]][warned], return_inverse=True)
        # The text that waits at each place, as a number; -1 where none does, -2 where one is missing.
        waiting = np.full(warned.shape, -1, dtype=np.int64)
        waiting[warned] = _text_numbers(table, codes)[places]
        waiting.sort(axis=1)
        # Each text once: where a number begins.
        texts = np.count_nonzero(np.diff(waiting, axis=1, prepend=-1), axis=1)
        needed.update(texts[warned.any(axis=1) & (waiting[:, 0] > -2)].tolist())
    return needed


def _text_numbers(table: VerdictTable, codes: NDArray[np.int32]) -> NDArray[np.int64]:
    """A number for each code, the same for texts that are the same once normalised; -2 where an output is missing."""
    judgeable = (codes >= 0) & ~missing_texts(table)[codes]
    found = np.full(len(codes), -2, dtype=np.int64)
    if table.outputs.numbers is not None:
        found[judgeable] = table.outputs.numbers[codes[judgeable]]
    else:
        numbers: dict[str, int] = {}
        texts = (normalise(table.outputs.texts[code]) for code in codes[judgeable].tolist())
        found[judgeable] = [numbers.setdefault(text, len(numbers)) for text in texts]
    return found


def _warned(table: VerdictTable) -> dict[int, list[int]]:
    """Row of the verdict table -> its columns with a warning."""
    found: dict[int, list[int]] = {}
    rows, columns = (table.verdicts == Verdict.WARNING).nonzero()
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        found.setdefault(row, []).append(column)
    return found


def _tasks(table: VerdictTable, row: int, columns: list[int]) -> Iterator[tuple[Rank, Task]]:
    """The texts of one item that can be judged, each with its rank."""
    position = int(table.items[row])
    texts: dict[str, tuple[Reason, list[System]]] = {}
    for column in columns:
        reason = table.finding(position, column).reason
        text = normalise(table.outputs.text(position, column))
        texts.setdefault(text, (reason, []))[1].append(table.outputs.systems[column])
    undecided = {text: reason != "missing" for text, (reason, _) in texts.items()}
    for text, priority in priorities([undecided]).items():
        reason, systems = texts[text]
        task = Task(table.suite.items[position], text, reason, tuple(systems), priority.left)
        yield priority.rank(position, len(systems), text), task
