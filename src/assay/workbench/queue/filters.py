"""What the queue can be narrowed to, with how many texts wait there."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from assay.workbench.people.roles import User
from assay.workbench.queue.desk import Filters, waiting
from assay.workbench.snapshot import Snapshot
from assay.workbench.text_view import WORDS


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """One value of a filter, in words, and how many texts wait there."""

    value: str
    label: str
    number: int


@dataclass(frozen=True, slots=True)
class FilterChoices:
    """The values of each filter; phenomena by category."""

    categories: list[FilterChoice]
    phenomena: dict[str, list[FilterChoice]]
    systems: list[FilterChoice]
    campaigns: list[FilterChoice]
    reasons: list[FilterChoice]


def choices(board: Snapshot, filters: Filters, user: User) -> FilterChoices:
    """What there is to choose from; a filter's own choice stays in its list when nothing waits there any more."""
    tasks = waiting(board, Filters(again=filters.again), user)
    items = [board.items[task.place] for task in tasks]
    categories = Counter(item.category for item in items)
    phenomena = Counter((item.category, item.phenomenon) for item in items)
    reasons = Counter(str(board.texts[task.text_id].finding.reason) for task in tasks)
    written = np.isin(board.text_of_code[board.outputs.codes], [task.text_id for task in tasks]).sum(axis=0).tolist()
    systems: Counter[str] = Counter()
    campaigns: Counter[str] = Counter()
    for system, number in zip(board.outputs.systems, written, strict=True):
        systems[system.name] += number
        campaigns[system.campaign] += number
    taxonomy = board.stored.suite.taxonomy
    return FilterChoices(
        categories=[
            FilterChoice(name, name, categories[name])
            for name in taxonomy
            if categories[name] or name == filters.category
        ],
        phenomena={
            category: [
                FilterChoice(name, name, phenomena[category, name])
                for name in names
                if phenomena[category, name] or name == filters.phenomenon
            ]
            for category, names in taxonomy.items()
            if filters.category in (None, category)
        },
        systems=_choices(systems, filters.system),
        campaigns=_choices(campaigns, filters.campaign) if len(board.campaigns) > 1 else [],
        reasons=[]
        if filters.again
        else [
            FilterChoice(name, WORDS[name], reasons[name])
            for name in ("no_match", "contradiction", "timeout")
            if reasons[name] or name == filters.reason
        ],
    )


def _choices(found: Counter[str], chosen: str | None) -> list[FilterChoice]:
    return [
        FilterChoice(name, name or "no campaign", number)
        for name, number in sorted(found.items())
        if number or name == chosen
    ]
