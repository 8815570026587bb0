"""Which texts of an item one decision settles: twins of decided texts, rows of undecided ones, the same text elsewhere.

found = rows_at(snapshot, place)
found.twins        # undecided text -> the decided text that it equals but for writing
found.rows         # the others, those together that a judgement decides together
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from assay.prediction import TwinForm, TwinForms, about_form, agreement, same_rows, twins_agree, twins_of
from assay.suites import POLARITIES, Item
from assay.text import normalise
from assay.verdicts import Verdict
from assay.workbench.item_rows import DecidedTwin, ItemRows
from assay.workbench.snapshot import Snapshot, SnapshotText

SHARED: Final = 3
"""Decided texts that two items of one source must have in common, all with the same verdicts, to test the same."""

_VERDICTS: Final = dict(zip(POLARITIES, (Verdict.PASS, Verdict.FAIL), strict=True))


def rows_at(snapshot: Snapshot, place: int) -> ItemRows:
    """Which texts of the item at a place one decision settles; kept with the snapshot."""
    found = snapshot.item_rows.get(place)
    if found is None:
        found = snapshot.item_rows[place] = _find_rows(snapshot, place)
    return found


def _find_rows(snapshot: Snapshot, place: int) -> ItemRows:
    """What somebody skipped, or took out of a list, is by itself."""
    texts = snapshot.texts_at(place)
    waiting = [text for text in texts if text.waits and not text.disputed]
    if not waiting:
        return ItemRows({}, ())
    order = {task.text_id: task.rank for task in snapshot.waiting_at(place)}
    waiting.sort(key=lambda text: order.get(text.id, ()))
    item = snapshot.items[place]
    if not has_twins(snapshot, item):
        return ItemRows({}, tuple((text.id,) for text in waiting))
    forms = {text.id: form_of(snapshot, text) for text in waiting if not text.skipped}
    twins: dict[int, DecidedTwin] = {}
    if _phenomenon_agrees(snapshot, place):
        known = known_texts(snapshot, place)
        pairs = twins_of(forms, ((key, form, twin.verdict) for key, (form, twin) in enumerate(known)))
        twins = {text_id: known[key][1] for text_id, key in pairs.items()}
    rows = same_rows({text_id: form for text_id, form in forms.items() if text_id not in twins})
    alone = [(text.id,) for text in waiting if text.skipped]
    return ItemRows(twins, (*map(tuple, rows), *alone))


def has_twins(snapshot: Snapshot, item: Item) -> bool:
    """Whether texts of the phenomenon can be twins: as the suite says, or as its name tells."""
    said = snapshot.stored.suite.twins.get((item.category, item.phenomenon))
    return not about_form(item.category, item.phenomenon) if said is None else said


def form_of(snapshot: Snapshot, text: SnapshotText) -> TwinForm:
    """The form of a text, kept as long as its suite's outputs are."""
    found = snapshot.written.forms.get(text.id)
    if found is None:
        found = snapshot.written.forms[text.id] = _forms(snapshot.stored.suite.langpair).of(text.value)
    return found


_forms = lru_cache(100)(TwinForms)


@lru_cache(5000)
def _form_of_rule(langpair: str, text: str) -> TwinForm:
    """The form of what an exact rule or an example says: after each judgement of an item it is asked for again."""
    return _forms(langpair).of(text)


def known_texts(snapshot: Snapshot, place: int) -> list[tuple[TwinForm, DecidedTwin]]:
    """All decided texts of an item: what systems wrote, its exact rules and its examples."""
    found = {
        text.value: (form_of(snapshot, text), DecidedTwin(text.id, text.value, text.finding.verdict))
        for text in snapshot.texts_at(place)
        if text.decided
    }
    item, langpair = snapshot.items[place], snapshot.stored.suite.langpair
    written = [(rule.value, rule.polarity) for rule in item.rules if rule.kind == "exact"]
    written += [(text, polarity) for polarity, texts in item.examples.by_polarity() for text in texts]
    for value, polarity in written:
        text = normalise(value)
        if text not in found:
            found[text] = (_form_of_rule(langpair, text), DecidedTwin(0, text, _VERDICTS[polarity]))
    return list(found.values())


def _phenomenon_agrees(snapshot: Snapshot, place: int) -> bool:
    """Whether decided twins of the phenomenon's other items have one verdict."""
    item = snapshot.items[place]
    key = item.category, item.phenomenon
    counted = snapshot.written.twin_counts.get(key)
    if counted is None:
        places = (other for other, one in enumerate(snapshot.items) if (one.category, one.phenomenon) == key)
        counted = snapshot.written.twin_counts[key] = {
            other: agreement((form, twin.verdict) for form, twin in known_texts(snapshot, other)) for other in places
        }
    others = [numbers for other, numbers in counted.items() if other != place]
    return twins_agree(sum(same for same, _ in others), sum(both for _, both in others))


def same_elsewhere(snapshot: Snapshot, text: SnapshotText) -> list[SnapshotText]:
    """The same text of other items with the same source that test the same, where it waits too."""
    places = _same_sources(snapshot).get(text.place, ())
    found = []
    for place in places:
        texts = [other for other in snapshot.texts_at(place) if other.value == text.value and other.waits]
        kept = [other for other in texts if not other.disputed and not other.skipped]
        if kept and tests_agree(snapshot, text.place, place):
            found += kept
    return found


def tests_agree(snapshot: Snapshot, one: int, other: int) -> bool:
    """Whether two items of one source test the same: so they say, or all texts that both decided have one verdict."""
    first, second = snapshot.items[one], snapshot.items[other]
    if first.tests != second.tests:
        return False
    if (first.category, first.phenomenon) == (second.category, second.phenomenon):
        return True
    verdicts = [
        {text.value: text.finding.verdict for text in snapshot.texts_at(place) if text.decided}
        for place in (one, other)
    ]
    shared = verdicts[0].keys() & verdicts[1].keys()
    return len(shared) >= SHARED and all(verdicts[0][text] == verdicts[1][text] for text in shared)


def _same_sources(snapshot: Snapshot) -> Mapping[int, tuple[int, ...]]:
    """Place of an item -> the places of the others with its source, prompt and context; only where there are any."""
    known = snapshot.written.same_sources.get(snapshot.stored.revision)
    if known is None:
        # Sources change with a revision only; those of before are not asked for any more.
        snapshot.written.same_sources.clear()
        known = snapshot.written.same_sources[snapshot.stored.revision] = _by_source(snapshot.items)
    return known


def _by_source(items: Iterable[Item]) -> dict[int, tuple[int, ...]]:
    by_source: dict[tuple[str, str, str], list[int]] = {}
    for place, item in enumerate(items):
        by_source.setdefault((item.source, item.prompt, item.context), []).append(place)
    groups = [places for places in by_source.values() if len(places) > 1]
    return {place: tuple(other for other in places if other != place) for places in groups for place in places}
