"""Which texts of the queue to see, and what it can be narrowed to, with how many texts wait there."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from assay.errors import BadOption, UnknownName
from assay.suites import TIERS
from assay.verdicts import Verdict
from assay.workbench.files.history_records import Seen
from assay.workbench.people.roles import User
from assay.workbench.queue.neighbours import ADVICE, advice, triage_doubts
from assay.workbench.queue.sample import sample_tasks
from assay.workbench.snapshot import Snapshot, WaitingText
from assay.workbench.text_view import WORDS


@dataclass(frozen=True, slots=True)
class Filters:
    """Which warnings to see. `again`: texts that somebody else judged and this annotator did not.

    `sample`: in the order of the newest draw (of the campaign). `triage`: lists of texts that look wrong whatever the
    rules say. `words` stand in the source or in the text, `length` is `short` or `long`, `doubt` keeps what looks
    wrong, `tier` the items of a tier. `suggestion` keeps what is suggested to pass or to fail, or of which nothing is.
    """

    category: str | None = None
    phenomenon: str | None = None
    system: str | None = None
    campaign: str | None = None
    reason: str | None = None
    again: bool = False
    sample: bool = False
    triage: bool = False
    words: str | None = None
    length: str | None = None
    doubt: bool = False
    tier: str | None = None
    suggestion: str | None = None

    @property
    def narrows(self) -> bool:
        """Whether anything is left out of what there is to judge."""
        return self != self.mode

    @property
    def mode(self) -> "Filters":
        """The same without what narrows it."""
        return Filters(again=self.again, sample=self.sample, triage=self.triage)

    @property
    def tells(self) -> tuple[Seen, ...]:
        """What somebody who sees a text with these filters knows of it."""
        named: tuple[tuple[Seen, str | None], ...] = (("systems", self.system), ("suggestion", self.suggestion))
        return tuple(what for what, chosen in named if chosen)

    def query(self) -> dict[str, Any]:
        """The query of an address with these filters."""
        return {name: getattr(self, name) for name in self.__slots__}


NO_FILTERS: Final = Filters()
_text_id: Final = attrgetter("text_id")
LENGTHS: Final = ("short", "long")
LONG: Final = 400
"""Characters of source and text together from which on a text is long."""

REASONS: Final = ("no_match", "contradiction", "timeout")
"""Why a text waits."""


def waiting(snapshot: Snapshot, filters: Filters, user: User) -> list[WaitingText]:
    """The texts that wait and fit the filters, in the order of the queue."""
    _check(snapshot, filters)
    if filters.sample:
        return sample_tasks(snapshot, filters.campaign)
    tasks = _seconds(snapshot, user) if filters.again else snapshot.undisputed
    return [task for task in tasks if _fits(snapshot, task, filters)] if filters.narrows else tasks


def ever_waited(snapshot: Snapshot, filters: Filters, tasks: Sequence[WaitingText]) -> int | None:
    """How many texts wait or once waited; the reasons of those that don't wait any more are not known."""
    if filters.reason or filters.again or filters.sample or filters.triage or filters.doubt or filters.suggestion:
        return None
    known = snapshot.ever_waited.get(filters, lambda: _once_waiting(snapshot, filters))
    return len(known.union(map(_text_id, tasks))) if filters.narrows else len(known) + snapshot.late


def _once_waiting(snapshot: Snapshot, filters: Filters) -> frozenset[int]:
    """The texts that fit the filters and waited when they were first seen."""
    codes = snapshot.outputs.codes[:, [column for columns in snapshot.kept.values() for column in columns]]
    written = set(snapshot.text_of_code[codes].ravel().tolist()) - {-1}
    return frozenset(
        text_id
        for text_id in written
        if (text := snapshot.texts[text_id]).first == Verdict.WARNING and text.ruled.reason != "missing"
        if _fits(snapshot, WaitingText(text_id, text.place, 0, None, 0), filters)
    )


def _check(snapshot: Snapshot, filters: Filters) -> None:
    """Refuse names that nobody has."""
    taxonomy = snapshot.stored.suite.taxonomy
    for kind, name, known in (
        ("category", filters.category, list(taxonomy)),
        ("phenomenon", filters.phenomenon, [name for names in taxonomy.values() for name in names]),
        ("system", filters.system, [stored.system.name for stored in snapshot.systems]),
        ("campaign", filters.campaign, snapshot.campaigns),
        ("reason", filters.reason, REASONS),
        ("length", filters.length, LENGTHS),
        ("tier", filters.tier, TIERS),
        ("suggestion", filters.suggestion, ADVICE),
    ):
        if name is not None and name not in known:
            raise UnknownName(kind, name, known)
    if filters.sample and filters != Filters(campaign=filters.campaign, sample=True):
        raise BadOption("a sample is judged in its own order: no filter goes with it but a campaign")


def _fits(snapshot: Snapshot, task: WaitingText, filters: Filters) -> bool:
    item, text = snapshot.items[task.place], snapshot.texts[task.text_id]
    if filters.category not in (None, item.category) or filters.phenomenon not in (None, item.phenomenon):
        return False
    if filters.tier not in (None, item.tier) or filters.reason not in (None, text.finding.reason):
        return False
    if filters.words and not _has_words(filters.words, item.source, text.value):
        return False
    if filters.length and (len(item.source) + len(text.value) > LONG) != (filters.length == "long"):
        return False
    if filters.doubt and not triage_doubts(snapshot, text):
        return False
    if not _written_by(snapshot, task, filters):
        return False
    # Last, since it takes the longest.
    return filters.suggestion is None or filters.suggestion == advice(snapshot, text)


def _written_by(snapshot: Snapshot, task: WaitingText, filters: Filters) -> bool:
    """Whether a system of the filters wrote the text."""
    if filters.system is None and filters.campaign is None:
        return True
    return any(
        filters.system in (None, system.name) and filters.campaign in (None, system.campaign)
        for system in snapshot.writers(task.place, task.text_id)
    )


def _has_words(words: str, source: str, text: str) -> bool:
    """Whether all of these words stand in a source and its translation together."""
    both = f"{source}\n{text}".casefold()
    return all(word in both for word in words.casefold().split())


def _seconds(snapshot: Snapshot, user: User) -> list[WaitingText]:
    """Texts that others judged and this user did not, in the order of the suite."""
    own = snapshot.votes_of.get(user.name, frozenset())
    return [task for task in snapshot.voted if task.text_id not in own]


# Choices


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
    tiers: list[FilterChoice]
    """None where the suite has one."""


def choices(snapshot: Snapshot, filters: Filters, user: User) -> FilterChoices:
    """What there is to choose from; a filter's own choice stays in its list when nothing waits there any more."""
    tasks = waiting(snapshot, filters.mode, user)
    items = [snapshot.items[task.place] for task in tasks]
    categories = Counter(item.category for item in items)
    phenomena = Counter((item.category, item.phenomenon) for item in items)
    reasons = Counter(str(snapshot.texts[task.text_id].finding.reason) for task in tasks)
    written = (
        np.isin(snapshot.text_of_code[snapshot.outputs.codes], [task.text_id for task in tasks]).sum(axis=0).tolist()
    )
    systems: Counter[str] = Counter()
    campaigns: Counter[str] = Counter()
    for system, number in zip(snapshot.outputs.systems, written, strict=True):
        systems[system.name] += number
        campaigns[system.campaign] += number
    taxonomy = snapshot.stored.suite.taxonomy
    return FilterChoices(
        categories=_choices({name: categories[name] for name in taxonomy}, filters.category),
        phenomena={
            category: _choices({name: phenomena[category, name] for name in names}, filters.phenomenon)
            for category, names in taxonomy.items()
            if filters.category in (None, category)
        },
        systems=_choices(dict(sorted(systems.items())), filters.system, {"": "no campaign"}),
        campaigns=_choices(dict(sorted(campaigns.items())), filters.campaign, {"": "no campaign"})
        if len(snapshot.campaigns) > 1
        else [],
        reasons=_choices({name: reasons[name] for name in REASONS}, filters.reason, WORDS) if not filters.again else [],
        tiers=_choices(Counter(item.tier for item in items), filters.tier)
        if len(snapshot.stored.suite.tiers) > 1
        else [],
    )


def _choices(
    found: Mapping[str, int], chosen: str | None, words: Mapping[str, str] = MappingProxyType({})
) -> list[FilterChoice]:
    return [
        FilterChoice(name, words.get(name, name), number) for name, number in found.items() if number or name == chosen
    ]
