"""What a database knows of a suite beyond its files, one JSON object a line; `kind` says what a line is.

    {"kind": "person", "name": "Anna", "role": "annotator", …}
    {"kind": "revision", "number": 2, "by": "Anna", "comment": "rules of …", …}
    {"kind": "version", "revision": 2, "id": "lexical-ambiguity/strauss", "rules": [{…, "by": "Anna"}], …}

A line may refer to people, revisions, items and systems of lines before it. What is blank, false or empty is left out,
and so is the heading of a revision that is that of the one before.
"""

import dataclasses
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TextIO

from assay.errors import BadFile
from assay.json_lines import Fields, Record, read_fields
from assay.outputs import System
from assay.suites import KINDS, POLARITIES, SAID_KEYS, TIERS, Examples, Item, Label, Polarity, Rule
from assay.suites.kinds import kind_names
from assay.verdicts import Verdict
from assay.workbench.files.history_records import (
    SEEN,
    History,
    ItemPlace,
    PastDraw,
    PastHiding,
    PastOutput,
    PastPerson,
    PastSystem,
    PastText,
    PastVersion,
    Revision,
    Seen,
)
from assay.workbench.people.roles import ROLES

FORMAT: Final = 1
RULE: Final = ("polarity", "kind", "value", "flags", "note", "scope")
FIRST: Final = {str(verdict): verdict for verdict in Verdict}


def write_history(history: History, stream: TextIO) -> None:
    """Write a history, a line each."""
    for kind, record in _records(history):
        stream.write(json.dumps({"kind": kind, **_given(record)}, ensure_ascii=False) + "\n")


def _given(record: Mapping[Any, Any]) -> Record:
    """A record without what is blank, false or empty."""
    return {name: value for name, value in record.items() if value or type(value) is int}


def _records(history: History) -> Iterator[tuple[str, Record]]:
    yield "suite", {"format": FORMAT, "created": history.created}
    for person in history.people:
        yield "person", _fields(person)
    before = ""
    for revision in history.revisions:
        heading = _given(revision.heading) | {"taxonomy": revision.heading["taxonomy"]}
        # As text, since a taxonomy in another order is another one.
        same, before = before == json.dumps(heading), json.dumps(heading)
        yield "revision", {**_fields(revision), "heading": None if same else heading}
    for entry in history.entries:
        yield "item", {"id": entry.item, "position": entry.position, "imported": entry.imported}
    for version in history.versions:
        yield "version", {"revision": version.revision, **_item(version), "removed": version.removed}
    for delivery in history.deliveries:
        system = delivery.system
        whose = {"campaign": system.campaign, "name": system.name, "by": delivery.by, "imported": delivery.imported}
        yield "system", {**whose, "details": dict(system.metadata), "file": system.file}
    for text in history.texts:
        yield "text", {**_fields(text), "first": str(text.first)}
    for output in history.outputs:
        whose = {"campaign": output.system.campaign, "system": output.system.name}
        yield "output", {**whose, "item": output.item, "text": output.text}
    for draw in history.draws:
        texts = [{"item": item, "text": text, "size": size} for item, text, size in draw.texts]
        yield "draw", {**_fields(draw), "texts": texts}
    for hiding in history.hidings:
        hidden = hiding.system
        whose = {"campaign": hidden.campaign, "system": hidden.name} if hidden else {}
        yield "hiding", {**whose, "by": hiding.by, "created": hiding.created, "hidden": hiding.hidden}


def _fields(record: PastDraw | PastPerson | PastText | Revision) -> Record:
    """The fields of a record, not those of records in it."""
    return {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}


def _item(version: PastVersion) -> Record:
    item = version.item
    # Author and date of a rule are those of the version; its own `by` and `on` are for judgements in files.
    rules = [
        _given({**{name: getattr(rule, name) for name in RULE}, "by": by, "created": created})
        for rule, (by, created) in zip(item.rules, version.authors, strict=True)
    ]
    names = (
        *("id", "category", "phenomenon", "source", "prompt", "context"),
        *("tests", "tags", "notes", "held_out", "source_of"),
    )
    examples = _given(dict(item.examples.by_polarity()))
    # Only where it is used, so that files of suites without groups and labels stay what they were.
    labels = [{"name": label.name, "rules": [_label_rule(rule) for rule in label.rules]} for label in item.labels]
    more = {"group": item.group, "renderings": item.renderings, "rubric": item.rubric, "labels": labels}
    dependent = {} if item.independent else {"dependent": True}
    tier = {} if item.tier == "entry" else {"tier": item.tier}
    return (
        {name: getattr(item, name) for name in names}
        | {"examples": examples, "rules": rules}
        | _given(more)
        | dependent
        | tier
    )


def _label_rule(rule: Rule) -> Record:
    return _given({name: getattr(rule, name) for name in RULE if name != "polarity"})


def read_history(path: Path) -> History:
    """The history of a file."""
    reader = _Reader()
    for fields in read_fields(path):
        reader.take(fields)
    if not reader.revisions:
        raise BadFile(path, "there is no revision in it", cure="export the suite again")
    lost = reader.entries.keys() - {version.item.id for version in reader.versions}
    if lost:
        raise BadFile(path, f"there is no version of the item {min(lost)!r}", cure="export the suite again")
    return History(
        reader.created,
        tuple(reader.people.values()),
        tuple(reader.revisions.values()),
        tuple(reader.entries.values()),
        tuple(reader.versions),
        tuple(reader.deliveries.values()),
        tuple(reader.texts.values()),
        tuple(reader.outputs),
        tuple(reader.draws),
        tuple(reader.hidings),
    )


class _Reader:
    """Takes line after line, and refuses one that refers to what was not before it, or stands twice."""

    def __init__(self) -> None:
        self.created = ""
        self.people: dict[str, PastPerson] = {}
        self.revisions: dict[int, Revision] = {}
        self.entries: dict[str, ItemPlace] = {}
        self.versions: list[PastVersion] = []
        self.deliveries: dict[System, PastSystem] = {}
        self.texts: dict[tuple[str, str], PastText] = {}
        self.outputs: list[PastOutput] = []
        self.draws: list[PastDraw] = []
        self.hidings: list[PastHiding] = []

    def take(self, fields: Fields) -> None:
        kinds = {
            "suite": self._suite,
            "person": self._person,
            "revision": self._revision,
            "item": self._entry,
            "version": self._version,
            "system": self._delivery,
            "text": self._text,
            "output": self._output,
            "draw": self._draw,
            "hiding": self._hiding,
        }
        kinds[fields.one_of("kind", tuple(kinds))](fields)

    def _suite(self, fields: Fields) -> None:
        if fields.number("format") != FORMAT:
            fields.fail(
                f"the format is {fields.number('format')}, not {FORMAT}", "update Assay: pip install -U assay-mt"
            )
        self.created = fields.text("created")

    def _person(self, fields: Fields) -> None:
        name, role = fields.text("name"), fields.one_of("role", ROLES)
        self._once(fields, self.people, name)
        settings = fields.table("settings").record
        self.people[name] = PastPerson(name, role, fields.flag("active"), settings, fields.text("created"))

    def _revision(self, fields: Fields) -> None:
        number = fields.count("number")
        if number != len(self.revisions) + 1:
            fields.fail(f"revision {number} stands where {len(self.revisions) + 1} is due")
        if "heading" in fields.record:
            heading = _read_heading(fields.table("heading"))
        elif number > 1:
            heading = dict(self.revisions[number - 1].heading)
        else:
            fields.fail("the first revision has no heading")
        comment = fields.text("comment", "")
        self.revisions[number] = Revision(number, self._known(fields, "by"), fields.text("created"), comment, heading)

    def _entry(self, fields: Fields) -> None:
        entry = ItemPlace(fields.text("id"), fields.count("position"), fields.text("imported", ""))
        self._once(fields, self.entries, entry.item)
        self.entries[entry.item] = entry

    def _version(self, fields: Fields) -> None:
        number = fields.count("revision")
        if number not in self.revisions:
            fields.fail(f"there is no revision {number} before it")
        if self.versions and number < self.versions[-1].revision:
            fields.fail(f"revision {number} stands behind {self.versions[-1].revision}")
        rules = fields.tables("rules")
        authors = tuple((self._known(rule, "by"), rule.text("created")) for rule in rules)
        item = _read_item(fields, self._item(fields, "id"), tuple(map(_read_rule, rules)))
        self.versions.append(PastVersion(number, item, fields.flag("removed"), authors))

    def _delivery(self, fields: Fields) -> None:
        details = fields.table("details")
        metadata = {name: details.text(name) for name in details.record}
        system = System(fields.text("name"), fields.text("campaign", ""), metadata, fields.text("file", ""))
        self._once(fields, self.deliveries, system)
        self.deliveries[system] = PastSystem(system, self._known(fields, "by"), fields.text("imported"))

    def _text(self, fields: Fields) -> None:
        item, text = self._item(fields, "item"), fields.text("text", "")
        self._once(fields, self.texts, (item, text))
        seen = fields.table("seen")
        for name in seen.record:
            self._person_named(fields, name)
        what = {name: _seen(seen, name) for name in seen.record}
        self.texts[item, text] = PastText(item, text, FIRST[fields.one_of("first", tuple(FIRST))], what)

    def _output(self, fields: Fields) -> None:
        found = self._system(fields)
        self.outputs.append(PastOutput(found, self._item(fields, "item"), fields.text("text", "")))

    def _hiding(self, fields: Fields) -> None:
        found = self._system(fields) if "system" in fields.record else None
        by, created = self._known(fields, "by"), fields.text("created")
        self.hidings.append(PastHiding(found, by, created, fields.flag("hidden")))

    def _system(self, fields: Fields) -> System:
        wanted = System(fields.text("system"), fields.text("campaign", ""))
        if wanted not in self.deliveries:
            fields.fail(f"there is no system {wanted.name!r} before it")
        return self.deliveries[wanted].system

    def _draw(self, fields: Fields) -> None:
        drawn = fields.tables("texts")
        texts = tuple((self._item(text, "item"), text.text("text"), _size(text)) for text in drawn)
        names = [(item, text) for item, text, _ in texts]
        for entry, name in zip(drawn, names, strict=True):
            if name not in self.texts:
                entry.fail(f"there is no text {name[1][:40]!r} of {name[0]!r} before it")
        if len(set(names)) < len(names):
            fields.fail("a text stands twice in the draw")
        by, seed = self._known(fields, "by"), fields.count("seed")
        whose = fields.texts("campaigns"), fields.texts("systems")
        self.draws.append(PastDraw(by, fields.text("created"), seed, *whose, texts))

    def _item(self, fields: Fields, key: str) -> str:
        name = fields.text(key)
        if name not in self.entries:
            fields.fail(f"there is no item {name!r} before it")
        return name

    def _known(self, fields: Fields, key: str) -> str:
        return self._person_named(fields, fields.text(key))

    def _person_named(self, fields: Fields, name: str) -> str:
        if name not in self.people:
            fields.fail(f"there is no person {name!r} before it")
        return name

    def _once(self, fields: Fields, known: Mapping[Any, object], key: object) -> None:
        if key in known:
            fields.fail("this stands twice")


def _seen(fields: Fields, name: str) -> tuple[Seen, ...]:
    found = fields.texts(name)
    for what in found:
        if what not in SEEN:
            fields.fail(f"{what!r} is nothing that can be seen", f"one of {', '.join(SEEN)}")
    return tuple(what for what in SEEN if what in found)


def _size(fields: Fields) -> float:
    size = fields.record.get("size")
    # True is a number to Python. No text stands for more outputs than there are systems.
    if isinstance(size, bool) or not isinstance(size, int | float) or not 0 < size < 1e9:
        fields.fail(f"'size' is {size!r}, not the size of a text")
    return float(size)


def _read_heading(fields: Fields) -> Record:
    taxonomy = fields.table("taxonomy")
    read = {
        category: {name: names.text(name) for name in names.record}
        for category, names in ((category, taxonomy.table(category)) for category in taxonomy.record)
    }
    return {
        "name": fields.text("name"),
        **{name: fields.text(name, "") for name in ("langpair", "version", "licence")},
        "authors": list(fields.texts("authors")),
        **{name: fields.text(name, "") for name in ("description", "canary")},
        "taxonomy": read,
        **({"equal_sources": "ids"} if fields.text("equal_sources", "error") == "ids" else {}),
        **({"guidelines": _read_guidelines(fields)} if "guidelines" in fields.record else {}),
        **{key: _read_said(fields, key, bool, "true or false") for key in SAID_KEYS if key in fields.record},
    }


def _read_guidelines(fields: Fields) -> list[list[str]]:
    """Category, phenomenon, and how strictly its texts are judged."""
    return _read_said(fields, "guidelines", str, "a text")


def _read_said(fields: Fields, name: str, kind: type, words: str) -> list[Any]:
    """What is said of phenomena: category, phenomenon and something of a kind."""
    found = fields.record[name]
    if not isinstance(found, list):
        fields.fail(f"{name!r} is {found!r}, not a list")
    for entry in found:
        if not isinstance(entry, list) or [type(part) for part in entry] != [str, str, kind]:
            fields.fail(f"{name!r} has {entry!r}, not a category, a phenomenon, and {words}")
    return found


def _read_item(fields: Fields, name: str, rules: tuple[Rule, ...]) -> Item:
    examples = fields.table("examples")
    return Item(
        id=name,
        category=fields.text("category", ""),
        phenomenon=fields.text("phenomenon", ""),
        source=fields.text("source", ""),
        rules=rules,
        tests=fields.text("tests", ""),
        examples=Examples(*(examples.texts(polarity) for polarity in POLARITIES)),
        tags=fields.texts("tags"),
        notes=fields.text("notes", ""),
        held_out=fields.flag("held_out"),
        prompt=fields.text("prompt", ""),
        context=fields.text("context", ""),
        group=fields.text("group", ""),
        independent=not fields.flag("dependent"),
        renderings=fields.one_of("renderings", ("same", "differ")) if fields.text("renderings", "") else "",
        labels=tuple(
            Label(label.text("name"), tuple(_read_rule(rule, "pass") for rule in label.tables("rules")))
            for label in fields.tables("labels")
        ),
        rubric=fields.text("rubric", ""),
        source_of=fields.text("source_of", ""),
        tier=fields.one_of("tier", TIERS) if fields.text("tier", "") else "entry",
    )


def _read_rule(fields: Fields, polarity: Polarity | None = None) -> Rule:
    """A rule; those of labels have no polarity in the file."""
    polarity, kind = polarity or fields.one_of("polarity", POLARITIES), fields.text("kind")
    if kind not in KINDS:
        kind = fields.one_of("kind", kind_names())
    if fields.text("flags", "") not in ("", "i"):
        fields.fail(f"the flags {fields.text('flags')!r} are not known", "a regex may have i")
    value, flags, note, scope = (fields.text(name, "") for name in ("value", "flags", "note", "scope"))
    return Rule(polarity, kind, value, flags, note, scope=scope)
