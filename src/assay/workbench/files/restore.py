"""Use case: what people did, out of files into the database: judgements, events, and what an export knows beside them.

Nothing is taken twice: what is here already stays as it is.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from assay.errors import UnknownName
from assay.outputs import System
from assay.suites import Item, Suite
from assay.text import is_missing, normalise
from assay.verdicts import Event, RuleJudge
from assay.verdicts.events import EventLine
from assay.workbench.db import seen
from assay.workbench.db.judgements import add_event, record_many, settle, suite_events
from assay.workbench.db.outputs import (
    Ruled,
    add_outputs,
    add_system,
    add_texts,
    digest,
    list_systems,
    outputs_changed,
    text_ids,
)
from assay.workbench.db.people import ensure_annotator, find_user, get_user
from assay.workbench.db.suites import every_item, rules_hash
from assay.workbench.files.history_records import History, Seen
from assay.workbench.snapshot import ruled_of


def take_judgements(db: Connection, suite_id: int, suite: Suite) -> int:
    """Settled judgements of a file become events, unless they were here before, whatever became of them since."""
    given = [
        (item.id, rule)
        for item in suite.items
        for rule in item.rules
        if rule.by and rule.kind == "exact" and not is_missing(normalise(rule.value))
    ]
    found = _text_ids(db, suite_id, [(name, rule.value) for name, rule in given])
    known = {(event.text_id, event.by, event.verdict, event.dated) for event in suite_events(db, suite_id)}
    events = []
    for (_, rule), text_id in zip(given, found, strict=True):
        if (text_id, rule.by, rule.polarity, rule.on) not in known:
            event = Event(0, text_id, rule.by, "import", rule.polarity, rule.note, dated=rule.on)
            events.append((event, ensure_annotator(db, rule.by).id))
    record_many(db, events)
    return len(events)


def take_events(db: Connection, suite_id: int, lines: Sequence[EventLine]) -> int:
    """Events of an exported folder, in their order, without those that are here already."""
    found = _text_ids(db, suite_id, [(line.item, line.text) for line in lines])
    here: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for event in reversed(suite_events(db, suite_id)):
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


def take_texts(db: Connection, suite_id: int, history: History) -> None:
    """The texts of a suite that was just restored, in their order, with what rules first said of them."""
    wanted = [(text.item, text.text) for text in history.texts]
    _text_ids(db, suite_id, wanted, [int(text.first) for text in history.texts])


def take_systems(db: Connection, suite_id: int, history: History) -> dict[System, int]:
    """The systems of a suite that was just restored, in their order, each with its id."""
    return {
        past.system: add_system(db, suite_id, past.system, get_user(db, past.by), moment=past.imported)
        for past in history.deliveries
    }


def take_past_outputs(db: Connection, suite_id: int, history: History) -> None:
    """What systems wrote for items that were removed."""
    if not history.outputs:
        return
    found = _text_ids(db, suite_id, [(output.item, output.text) for output in history.outputs])
    systems = {stored.system: stored.id for stored in list_systems(db, suite_id)}
    items = every_item(db, suite_id)
    rows = []
    for output, text_id in zip(history.outputs, found, strict=True):
        raw = output.text if output.text != normalise(output.text) else None
        rows.append((systems[output.system], items[output.item][0], text_id, raw))
    add_outputs(db, suite_id, rows)


def take_seen(db: Connection, suite_id: int, history: History) -> None:
    """What people who are here have seen of texts that are here."""
    ids, items = text_ids(db, suite_id), every_item(db, suite_id)
    shown: dict[str, dict[int, tuple[Seen, ...]]] = defaultdict(dict)
    for text in history.texts:
        text_id = ids.get((items[text.item][0], digest(normalise(text.text)))) if text.item in items else None
        if text_id is not None:
            for name, what in text.seen.items():
                shown[name][text_id] = what
    for name, found in shown.items():
        user = find_user(db, name)
        if user is not None:
            seen.reveal(db, user, seen.unseen(db, user, found))


def _text_ids(
    db: Connection, suite_id: int, wanted: Sequence[tuple[str, str]], firsts: Sequence[int] | None = None
) -> list[int]:
    """The ids of texts (item, text), which are added and judged by the rules where they are new."""
    if not wanted:
        return []
    items = every_item(db, suite_id)
    for name, _ in wanted:
        if name not in items:
            raise UnknownName("item", name, items)
    texts = [normalise(text) for _, text in wanted]
    keys = [(items[name][0], digest(text)) for (name, _), text in zip(wanted, texts, strict=True)]
    known = text_ids(db, suite_id)
    new = {key: place for place, key in reversed(list(enumerate(keys))) if key not in known}
    places = sorted(new.values())
    rows = _judged([(items[wanted[place][0]][1], keys[place][0], texts[place]) for place in places])
    if rows:
        added = add_texts(db, rows, [firsts[place] for place in places] if firsts else None)
        known |= dict(zip((keys[place] for place in places), added, strict=True))
        outputs_changed(db, suite_id)
    return [known[key] for key in keys]


def _judged(found: Sequence[tuple[Item, int, str]]) -> list[tuple[int, str, Ruled]]:
    """(item, its id, text) -> what its rules say, as the database keeps it."""
    judge = RuleJudge({item.id: item for item, _, _ in found}.values())
    hashes = {item.id: rules_hash(item.rules) for item, _, _ in found}
    return [(item_id, text, ruled_of(item, judge.judge(item, text), hashes[item.id])) for item, item_id, text in found]
