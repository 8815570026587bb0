"""Groups of items: which item is in which unit of a test, which groups are wholly right, and which are consistent.

    units = group_numbers(suite, table.items)
    counts = {row.level: row for row in count_groups(table, "fair")}
    counts["groups"].sample                 # groups × systems, for the same tests as items

A group is wholly right where all its members are, and wrong where one is. It is consistent where its members are
rendered by the same words, or all by different ones, as the suite says: by their labels where all of them have some,
else by the words that the deciding rule matched, without regard to capitals (docs/reference/counting.md).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.row_count import RowCount
from assay.evaluation.settings import Policy
from assay.evaluation.tally import Mask
from assay.suites import Item, Suite, groups
from assay.text import normalise
from assay.verdicts import Verdict, VerdictTable
from assay.verdicts.label_judge import LabelJudge

_Verdicts = NDArray[np.int8]


def group_numbers(suite: Suite, items: NDArray[np.intp]) -> NDArray[np.intp] | None:
    """A number for each group that the items found are in, and for each item without one; None without groups."""
    chosen = [suite.items[place] for place in items.tolist()]
    if not any(item.group for item in chosen):
        return None
    numbers: dict[tuple[str, str], int] = {}
    # An item without a group stands for itself; its id cannot be taken for the name of a group.
    keys = [("group", item.group) if item.group else ("item", item.id) for item in chosen]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def count_groups(table: VerdictTable, policy: Policy) -> list[RowCount]:
    """Groups wholly right, and groups that are consistent where the suite asks for that; nothing without groups."""
    found = _whole_groups(table)
    if not found:
        return []
    counts = [_wholly_right(table, policy, found)]
    asked = [places for places in found if _asked(table, places)]
    if asked:
        counts.append(_consistent(table, policy, asked))
    return counts


def _whole_groups(table: VerdictTable) -> list[list[int]]:
    """Rows of the verdict table by group. A group counts where all its members were found, and are two or more."""
    rows = {place: row for row, place in enumerate(table.items.tolist())}
    return [
        [rows[place] for place in places]
        for places in groups.members(table.suite.items, independent=True).values()
        if len(places) > 1 and all(place in rows for place in places)
    ]


def _wholly_right(table: VerdictTable, policy: Policy, found: Sequence[list[int]]) -> RowCount:
    verdicts = np.stack([_joined(table.verdicts[rows]) for rows in found])
    everywhere = np.array([(table.verdicts[rows] != Verdict.WARNING).all() for rows in found])
    return RowCount("groups", verdicts, _counting(verdicts, everywhere, policy))


def _joined(verdicts: _Verdicts) -> _Verdicts:
    """Right where all are, wrong where one is."""
    undecided = np.where((verdicts == Verdict.WARNING).any(axis=0), Verdict.WARNING, Verdict.PASS)
    return np.where((verdicts == Verdict.FAIL).any(axis=0), Verdict.FAIL, undecided).astype(np.int8)


def _counting(verdicts: _Verdicts, everywhere: Mask, policy: Policy) -> Mask:
    """Which groups count for which systems. `everywhere` are those whose members are decided for all systems."""
    if policy == "strict":
        return np.ones_like(verdicts, dtype=bool)
    if policy == "fair":
        return np.broadcast_to(everywhere[:, None], verdicts.shape)
    if policy == "own":
        return np.asarray(verdicts != Verdict.WARNING)
    # The product of two estimates is none of the product: texts of a group are not drawn together.
    return np.zeros_like(verdicts, dtype=bool)


# Consistency


def _asked(table: VerdictTable, rows: Sequence[int]) -> str:
    """`same` or `differ`, as a member says; empty where none does."""
    return next((item.renderings for item in _items(table, rows) if item.renderings), "")


def _items(table: VerdictTable, rows: Sequence[int]) -> list[Item]:
    return [table.suite.items[place] for place in table.items[list(rows)].tolist()]


def _consistent(table: VerdictTable, policy: Policy, found: Sequence[list[int]]) -> RowCount:
    renderings = _Renderings(table)
    verdicts = np.empty((len(found), len(table.outputs.systems)), dtype=np.int8)
    everywhere = np.ones(len(found), dtype=bool)
    for number, rows in enumerate(found):
        asked = _asked(table, rows)
        for column in range(verdicts.shape[1]):
            words = list(renderings.of(rows, column))
            verdicts[number, column] = _agreement(words, asked)
            everywhere[number] &= None not in words
    return RowCount("consistency", verdicts, _counting(verdicts, everywhere, policy))


def _agreement(words: Sequence[str | None], asked: str) -> Verdict:
    """Whether renderings are the same, or all different; not known where one of them is not."""
    known = [(one, other) for one, other in combinations(words, 2) if one is not None and other is not None]
    if any((one == other) != (asked == "same") for one, other in known):
        return Verdict.FAIL
    return Verdict.WARNING if None in words else Verdict.PASS


class _Renderings:
    """By what words systems rendered what items test."""

    def __init__(self, table: VerdictTable) -> None:
        self._table = table
        self._labels = LabelJudge(table.suite.items)

    def of(self, rows: Sequence[int], column: int) -> Iterator[str | None]:
        """The rendering of each member by one system, None where it is not known."""
        labelled = all(item.labels for item in _items(self._table, rows))
        for place in self._table.items[list(rows)].tolist():
            item, text = self._table.suite.items[place], self._table.outputs.text(place, column)
            if labelled:
                yield self._labels.judge(item, text).name or None
                continue
            finding = self._table.finding(place, column)
            # Of a text that was judged as a whole nobody said which words decide.
            if finding.verdict == Verdict.WARNING or finding.is_judged:
                yield None
            else:
                first = finding.evidence[0]
                yield normalise(text)[first.start : first.end].casefold()
