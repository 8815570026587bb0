"""The queue of warnings: texts that a linguist has to judge, those first that free most items.

for task in queue(evaluation.table):
    print(task.item.id, task.text, task.systems)
"""

from collections.abc import Iterator

from assay.outputs import System
from assay.text import normalise
from assay.verdicts.judgements import Task
from assay.verdicts.verdict import Reason, Verdict, VerdictTable


def queue(table: VerdictTable) -> list[Task]:
    """All texts to judge, identical ones once, those first that free an item with the fewest judgements."""
    tasks = [task for row, columns in _warned(table).items() for task in _tasks(table, row, columns)]
    ranks = table.suite.positions
    return sorted(
        tasks,
        key=lambda task: (task.left is None, task.left or 0, ranks[task.item.id], -len(task.systems), task.text),
    )


def _warned(table: VerdictTable) -> dict[int, list[int]]:
    """Row of the verdict table -> its columns with a warning."""
    found: dict[int, list[int]] = {}
    rows, columns = (table.verdicts == Verdict.WARNING).nonzero()
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        found.setdefault(row, []).append(column)
    return found


def _tasks(table: VerdictTable, row: int, columns: list[int]) -> Iterator[Task]:
    position = int(table.items[row])
    texts: dict[str, tuple[Reason, list[System]]] = {}
    for column in columns:
        reason = table.finding(position, column).reason
        text = normalise(table.outputs.text(position, column))
        texts.setdefault(text, (reason, []))[1].append(table.outputs.systems[column])
    judgeable = {text: found for text, found in texts.items() if found[0] != "missing"}
    left = len(judgeable) if len(judgeable) == len(texts) else None
    for text, (reason, systems) in judgeable.items():
        yield Task(table.suite.items[position], text, reason, tuple(systems), left)
