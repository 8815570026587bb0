"""Use case: how far annotators agree.

    found = agreement(reader)
    found.rows[0].overall.alpha

Agreement is between people who did not know of each other. Of each person the first judgement of a text counts that
was not taken back, if it was blind and nobody had adjudicated the text before. Judgements read from files do not
count: nobody knows what was to be seen.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.errors import UnknownName
from assay.stats.agreement import MISSING, RaterAgreement, RaterPair, krippendorff_alpha, overall, pairwise
from assay.suites import Item
from assay.verdicts.judgements import Event
from assay.workbench.db.judgements import shared_events
from assay.workbench.queue.questions import scale
from assay.workbench.reader import Reader
from assay.workbench.snapshot import SnapshotText

Votes = Mapping[int, Mapping[str, Event]]
"""Text id -> person -> the judgement that counts."""

Ratings = NDArray[np.int64]
Shown = TypeVar("Shown")


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """All annotators on one category, or on all (`category` is empty); `acceptability` is its ordinal alpha."""

    category: str
    overall: RaterAgreement
    acceptability: float | None


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two annotators on one category, or on all; they say different things of `differ` texts."""

    category: str
    pair: RaterPair
    differ: int


@dataclass(frozen=True, slots=True)
class AnnotatorPair:
    """Two annotators; the first row is that of all categories."""

    first: str
    second: str
    rows: Sequence[PairRow]


@dataclass(frozen=True, slots=True)
class JudgementsLeftOut:
    """Judgements of texts that several people judged which do not count, by reason."""

    imported: int
    undone: int
    seen: int
    later: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """`texts` have two judgements or more that count; `asked` says whether the suite asks for acceptability."""

    people: Sequence[str]
    texts: int
    rows: Sequence[AgreementRow]
    couples: Sequence[AnnotatorPair]
    left_out: JudgementsLeftOut
    asked: bool


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A text of which people say different things, in the order in which they said them."""

    item: Item
    text: SnapshotText
    votes: Sequence[Event]


def agreement(reader: Reader) -> Agreement:
    """How far the annotators of a suite agree, per category and pair; of seconds ago where that takes long."""
    return reader.figure("agreement", lambda: _agreement(reader))


def show_agreement(reader: Reader, show: Callable[[Agreement], Shown]) -> tuple[Agreement, Shown]:
    """The same with how a page shows it, kept together: to write the 1,225 pairs of fifty people takes the longest."""

    def shown() -> tuple[Agreement, Shown]:
        found = agreement(reader)
        return found, show(found)

    return reader.figure("shown agreement", shown)


def _agreement(reader: Reader) -> Agreement:
    snapshot, (votes, left_out) = reader.snapshot, _read(reader)
    people = sorted({name for given in votes.values() for name in given})
    texts = sorted(votes)
    categories = np.array([snapshot.items[snapshot.texts[text_id].place].category for text_id in texts], dtype=object)
    verdicts, asked = _ratings(votes, texts, people, "verdict"), scale(snapshot) is not None
    grades = _ratings(votes, texts, people, "acceptability")
    named = [name for name in snapshot.stored.suite.taxonomy if name in set(categories.tolist())]
    rows, chosen = [], {}
    for name in ("", *named):
        mask = categories == name if name else np.ones(len(texts), dtype=bool)
        chosen[name] = verdicts[mask]
        rows.append(
            AgreementRow(name, overall(chosen[name]), krippendorff_alpha(grades[mask], "ordinal") if asked else None)
        )
    return Agreement(people, len(texts), rows, _couples(people, chosen), left_out, asked)


def differences(reader: Reader, *, first: str, second: str, category: str = "") -> list[Disagreement]:
    """The texts of which two people, judging blind, say different things. Whoever looks has seen what they say."""
    snapshot, (votes, _) = reader.snapshot, _read(reader)
    people = {name for given in votes.values() for name in given}
    for name in (first, second):
        if name not in people:
            raise UnknownName("annotator", name, people)
    found = []
    for text_id, given in votes.items():
        text = snapshot.texts[text_id]
        item = snapshot.items[text.place]
        if category not in ("", item.category) or first not in given or second not in given:
            continue
        if given[first].verdict != given[second].verdict:
            found.append(Disagreement(item, text, sorted((given[first], given[second]), key=attrgetter("id"))))
    reader.reveal((difference.text.id for difference in found), "judgements")
    return sorted(found, key=lambda difference: (difference.text.place, difference.text.id))


def counted(events: Iterable[Event]) -> tuple[dict[int, dict[str, Event]], JudgementsLeftOut]:
    """The judgements that count for agreement, and how many do not. `events` in their order."""
    everything = list(events)
    undone = {event.undoes for event in everything if event.kind == "undo"}
    decided: set[int] = set()
    seen: set[tuple[int, str]] = set()
    votes: dict[int, dict[str, Event]] = {}
    numbers: Counter[str] = Counter()
    for event in everything:
        key = (event.text_id, event.by)
        if event.kind == "adjudication":
            decided.add(event.text_id)
        elif event.verdict is None:
            continue
        elif event.kind == "import":
            numbers["imported"] += 1
        elif event.id in undone:
            numbers["undone"] += 1
        elif event.text_id in decided or key in seen:
            numbers["later"] += 1
        else:
            seen.add(key)
            if event.blind:
                votes.setdefault(event.text_id, {})[event.by] = event
            else:
                numbers["seen"] += 1
    return votes, JudgementsLeftOut(
        imported=numbers["imported"], undone=numbers["undone"], seen=numbers["seen"], later=numbers["later"]
    )


def _read(reader: Reader) -> tuple[Votes, JudgementsLeftOut]:
    """Votes on texts of the snapshot that two people or more judged blind."""
    votes, left_out = counted(shared_events(reader.db, reader.snapshot.stored.id))
    kept = {text_id: given for text_id, given in votes.items() if len(given) > 1 and text_id in reader.snapshot.texts}
    return kept, left_out


def _ratings(votes: Votes, texts: Sequence[int], people: Sequence[str], field: str) -> Ratings:
    """Texts × people: pass is 1 and fail 0, acceptability as it was given."""
    columns = {name: column for column, name in enumerate(people)}
    ratings = np.full((len(texts), len(people)), MISSING, dtype=np.int64)
    for row, text_id in enumerate(texts):
        for name, event in votes[text_id].items():
            value = event.verdict == "pass" if field == "verdict" else event.acceptability
            if value is not None:
                ratings[row, columns[name]] = value
    return ratings


def _couples(people: Sequence[str], ratings: Mapping[str, Ratings]) -> list[AnnotatorPair]:
    """Every two people who judged the same text, with the categories in which they did."""
    found: dict[tuple[int, int], list[PairRow]] = {pair: [] for pair in combinations(range(len(people)), 2)}
    for category, matrix in ratings.items():
        passed, failed = ((matrix == value).astype(np.int64) for value in (1, 0))
        differ = (passed.T @ failed + failed.T @ passed).tolist()
        for (left, right), numbers in pairwise(matrix).items():
            if numbers.units:
                found[left, right].append(PairRow(category, numbers, differ[left][right]))
    return [AnnotatorPair(people[left], people[right], rows) for (left, right), rows in found.items() if rows]
