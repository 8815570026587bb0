"""Use case: what people did, out of files into the database: judgements, events, and what an export knows beside them.

Nothing is taken twice: what is here already stays as it is.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.outputs import System
from assay.suites import Suite
from assay.text import is_missing, normalise
from assay.verdicts.events import EventLine
from assay.verdicts.judgements import Event
from assay.workbench.db import seen
from assay.workbench.db.draws import add_draw
from assay.workbench.db.hidings import add_hiding
from assay.workbench.db.judgements import add_event, record_many, settle, suite_events
from assay.workbench.db.outputs import add_outputs, add_system
from assay.workbench.db.people import ensure_annotator, find_user, get_user
from assay.workbench.files.history_records import History, Seen
from assay.workbench.files.suite_texts import SuiteTexts


def take_judgements(texts: SuiteTexts, suite: Suite) -> int:
    """Settled judgements of a file become events, unless they were here before, whatever became of them since."""
    given = [
        (item.id, rule)
        for item in suite.items
        for rule in item.rules
        if rule.by and rule.kind == "exact" and not is_missing(normalise(rule.value))
    ]
    db, found = texts.db, texts.take([(name, rule.value) for name, rule in given])
    known = {(event.text_id, event.by, event.verdict, event.dated) for event in suite_events(db, texts.suite_id)}
    events = []
    for (_, rule), text_id in zip(given, found, strict=True):
        if (text_id, rule.by, rule.polarity, rule.on) not in known:
            event = Event(0, text_id, rule.by, "import", rule.polarity, rule.note, dated=rule.on)
            events.append((event, ensure_annotator(db, rule.by).id))
    record_many(db, events)
    return len(events)


def take_events(texts: SuiteTexts, lines: Sequence[EventLine]) -> int:
    """Events of an exported folder, in their order, without those that are here already."""
    db, found = texts.db, texts.take([(line.item, line.text) for line in lines])
    here: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for event in reversed(suite_events(db, texts.suite_id)):
        here[_key(event)].append(event.id)
    ids: dict[int, int] = {}
    added = set()
    for line, text_id in zip(lines, found, strict=True):
        created = line.event.created or f"{line.event.dated}T00:00:00.000000Z"
        undoes = ids[line.event.undoes] if line.event.undoes else None
        event = replace(line.event, text_id=text_id, created=created, undoes=undoes)
        same = here[_key(event)]
        if same:
            ids[event.id] = same.pop()
        else:
            ids[event.id] = add_event(db, event, ensure_annotator(db, event.by))
            added.add(event.id)
    settle(db, {text_id for line, text_id in zip(lines, found, strict=True) if line.event.id in added})
    return len(added)


def _key(event: Event) -> tuple[object, ...]:
    """What tells an event from others; the same person may have said two things of a text in one file."""
    return event.text_id, event.by, event.kind, event.verdict, event.created, event.dated


def take_texts(texts: SuiteTexts, history: History) -> None:
    """The texts of a suite that was just restored, in their order, with what rules first said of them."""
    texts.take([(text.item, text.text) for text in history.texts], [int(text.first) for text in history.texts])


def take_systems(texts: SuiteTexts, history: History) -> dict[System, int]:
    """The systems of a suite that was just restored, in their order, with what they wrote for items removed since.

    Returns the id of each.
    """
    db, suite_id = texts.db, texts.suite_id
    ids = {
        past.system: add_system(db, suite_id, past.system, get_user(db, past.by), moment=past.imported)
        for past in history.deliveries
    }
    if history.outputs:
        found = texts.take([(output.item, output.text) for output in history.outputs])
        rows = []
        for output, text_id in zip(history.outputs, found, strict=True):
            raw = output.text if output.text != normalise(output.text) else None
            rows.append((ids[output.system], texts.item_id(output.item), text_id, raw))
        add_outputs(db, suite_id, rows)
    return ids


def take_draws(texts: SuiteTexts, history: History) -> None:
    """The draws of a suite that was just restored, in their order."""
    for draw in history.draws:
        ids = texts.take([(item, text) for item, text, _ in draw.texts])
        add_draw(texts.db, texts.suite_id, get_user(texts.db, draw.by), draw, ids)


def take_hidings(texts: SuiteTexts, history: History, ids: Mapping[System, int]) -> None:
    """What was hidden in a suite that was just restored, and brought back, in its order."""
    for past in history.hidings:
        system_id = ids[past.system] if past.system else None
        add_hiding(texts.db, texts.suite_id, system_id, get_user(texts.db, past.by), past)


def take_seen(texts: SuiteTexts, history: History) -> None:
    """What people who are here have seen of texts that are here."""
    shown: dict[str, dict[int, tuple[Seen, ...]]] = defaultdict(dict)
    for text in history.texts:
        text_id = texts.find(text.item, text.text)
        if text_id is not None:
            for name, what in text.seen.items():
                shown[name][text_id] = what
    for name, found in shown.items():
        user = find_user(texts.db, name)
        if user is not None:
            seen.reveal(texts.db, user, seen.unseen(texts.db, user, found))
