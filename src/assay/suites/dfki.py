"""DFKI test suite, `items.json`: one positive and one negative regex and whole-sentence tokens per item.

    suite = read(Path("items.de-en.json"))

Tokens become `exact` rules. Blank tokens are kept as blank rules, so that a file written back is the same.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assay.errors import BadSuite
from assay.files import read_text, writing
from assay.json_lines import parse_json
from assay.suites.suite import POLARITIES, Item, Polarity, Rule, Suite, taxonomy_of
from assay.text import normalise

_SIGNS: dict[Polarity, str] = {"pass": "positive", "fail": "negative"}


def read(path: Path) -> Suite:
    """Read an items file."""
    text = read_text(path)
    data = parse_json(path, text, kind=BadSuite)
    # Only after parsing: a file that is no JSON at all should be told so first.
    check_characters(path, text)
    entries = data.get("items") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise BadSuite(path, "no list of items", cure='a DFKI suite is {"items": [ … ]}')
    items: dict[str, Item] = {}
    shown = str(path)
    pairs: dict[str, str] = {}
    for number, entry in enumerate(entries, start=1):
        item, pair = _item(path, shown, number, entry)
        if item.id in items:
            raise BadSuite(path, f"the id {item.id!r} stands twice (item {number})", cure="make ids unique")
        items[item.id] = item
        # One item for each language pair is enough to know that there are several.
        pairs[pair] = item.id
    if not items:
        raise BadSuite(path, "the suite has no items")
    if len(pairs) > 1:
        raise BadSuite(path, f"items of several language pairs: {', '.join(pairs)}", cure="split the file")
    found = tuple(items.values())
    return Suite(
        name=path.name.removesuffix(".gz").removesuffix(".json"),
        langpair=langpair(next(iter(pairs))),
        items=found,
        taxonomy=taxonomy_of(found),
        equal_sources="ids",
        path=str(path),
    )


def langpair(name: str) -> str:
    """`deen` -> `de-en`; anything else is left alone."""
    # The suite's authors write `deen`; Assay writes `de-en` throughout.
    return f"{name[:2]}-{name[2:]}" if re.fullmatch("[a-z]{4}", name) else name


def short_pair(langpair: str) -> str:
    """`de-en` -> `deen`; of longer codes nobody could tell where the second begins, so they are left alone."""
    return langpair.replace("-", "") if re.fullmatch("[a-z]{2}-[a-z]{2}", langpair) else langpair


def _item(path: Path, shown: str, number: int, entry: Any) -> tuple[Item, str]:
    where = f"item {number}"
    if not isinstance(entry, dict):
        raise BadSuite(path, f"{where} is not an object")
    try:
        item_id = _text(entry, "id")
        # From here on messages can name the item, which is easier to find than a number.
        where = f"item {item_id!r}"
        rules: list[Rule] = []
        for polarity, sign in _SIGNS.items():
            pattern = entry.get(f"{sign}_regex") or ""
            if not isinstance(pattern, str):
                raise TypeError(f"{sign}_regex is not a text")
            if pattern:
                rules.append(Rule(polarity, "regex", pattern))
            tokens = entry.get(f"{sign}_tokens") or []
            if not isinstance(tokens, list):
                raise TypeError(f"{sign}_tokens is not a list")
            if not {str}.issuperset(map(type, tokens)):
                raise TypeError(f"{sign}_tokens holds something that is not a text")
            rules += [Rule(polarity, "exact", token) for token in tokens]
        item = Item(
            id=item_id,
            category=_text(entry, "category"),
            phenomenon=_text(entry, "phenomenon"),
            source=_text(entry, "source_sentence"),
            rules=tuple(rules),
            place=f"{shown}: {where}",
        )
        return item, _text(entry, "langpair")
    except (KeyError, TypeError) as error:
        raise BadSuite(path, f"{where}: {error.args[0]}", cure="see docs/reference/formats.md") from None


def _text(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key)
    if value is None:
        raise KeyError(f"{key!r} is missing")
    if not isinstance(value, str) or not value or value.isspace():
        raise TypeError(f"{key!r} is not a text")
    return value


def check_characters(path: Path, text: str) -> None:
    """Refuse escapes of half a character, which no file could hold."""
    # The escapes D800 to DFFF; a pair of them is one character and fine, so only encoding tells.
    if re.search(r"\\u[dD][89a-fA-F]", text):
        try:
            json.dumps(json.loads(text), ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = ord(error.object[error.start])
            raise BadSuite(path, f"\\u{half:04x} is half a character", cure="write the character itself") from None


def write(suite: Suite, path: Path) -> None:
    """Write an items file. What the format cannot hold (`losses`) is left out or put into the regex."""
    # Keys in the order of the published files, so that a file read and written back differs nowhere.
    entries = [
        {
            "category": item.category,
            "id": item.id,
            "langpair": short_pair(suite.langpair),
            "negative_regex": _pattern(item, "fail"),
            "negative_tokens": _tokens(item.rules, "fail"),
            "phenomenon": item.phenomenon,
            "positive_regex": _pattern(item, "pass"),
            "positive_tokens": _tokens(item.rules, "pass"),
            "source_sentence": item.source,
        }
        for item in suite.items
    ]
    with writing(path) as stream:
        json.dump({"items": entries}, stream, ensure_ascii=False, indent=2)
        stream.write("\n")


def _tokens(rules: Iterable[Rule], polarity: Polarity) -> list[str]:
    return [rule.value for rule in rules if rule.kind == "exact" and rule.polarity == polarity]


_WRITTEN = ("regex", "contains")
"""Kinds of rules that a pattern of a DFKI file can hold."""


def _is_written(rule: Rule) -> bool:
    return rule.kind in _WRITTEN and not rule.scope


def _pattern(item: Item, polarity: Polarity) -> str:
    """The one pattern of a polarity, which matches whatever its regex and contains rules match."""
    rules = [rule for rule in item.rules if rule.polarity == polarity and _is_written(rule)]
    # The usual case: the file's own pattern, unchanged to the character.
    if len(rules) == 1 and rules[0].kind == "regex" and not rules[0].flags:
        return rules[0].value
    patterns = []
    for rule in rules:
        if rule.is_blank:
            continue
        # A contains rule is compared with normalised texts, so its value is normalised before it becomes a pattern.
        pattern = re.escape(normalise(rule.value)) if rule.kind == "contains" else rule.value
        # Joined patterns share one numbering of groups, so `\1` would point to another pattern's group.
        if len(rules) > 1 and re.search(r"(?<!\\)(?:\\\\)*(?:\\[1-9]|\(\?P=|\(\?\()", pattern):
            raise BadSuite(
                item.place, f"item {item.id!r}: {rule} refers to a group and cannot be joined with other rules"
            )
        patterns.append(f"(?{rule.flags}:{pattern})" if rule.flags else pattern)
    return patterns[0] if len(patterns) == 1 else "|".join(f"(?:{pattern})" for pattern in patterns)


def losses(suite: Suite) -> list[str]:
    """What a DFKI file cannot hold of this suite."""
    found: dict[str, int] = {}

    def count(what: str, number: int = 1) -> None:
        if number:
            found[what] = found.get(what, 0) + number

    count("version", bool(suite.version))
    count("licence", bool(suite.licence))
    count("authors", len(suite.authors))
    count("description", bool(suite.description))
    count("canary", bool(suite.canary))
    if suite.equal_sources == "error":
        repeated = len(suite.items) - len({item.source.strip() for item in suite.items})
        count("items with the source of another (outputs are paired with them in the order of ids)", repeated)
    count(
        "descriptions of phenomena",
        sum(bool(text) for names in suite.taxonomy.values() for text in names.values()),
    )
    count("guidelines", len(suite.guidelines))
    count("phenomena without items", len(set(suite.phenomena) - {(i.category, i.phenomenon) for i in suite}))
    for item in suite.items:
        count("what items test", bool(item.tests))
        count("examples", len(item.examples.passing) + len(item.examples.failing))
        count("tags", len(item.tags))
        count("notes of items", bool(item.notes))
        count("held-out marks", item.held_out)
        count("prompts", bool(item.prompt))
        count("contexts", bool(item.context))
        count("members of groups", bool(item.group))
        count("labels", len(item.labels))
        count("rubrics", bool(item.rubric))
        count("tiers", item.tier != "entry")
        for polarity in POLARITIES:
            kinds = [rule.kind for rule in item.rules if rule.polarity == polarity and _is_written(rule)]
            count("further regex or contains rules (joined into one regex)", max(len(kinds) - 1, 0))
        count("sources of other items", bool(item.source_of))
        for rule in item.rules:
            count(f"{rule.kind} rules (left out)", rule.kind not in (*_WRITTEN, "exact"))
            count("rules for a part of the text (left out)", bool(rule.scope) and rule.kind in _WRITTEN)
            count("contains rules (written as regex)", rule.kind == "contains" and not rule.scope)
            count("flags (written into the regex)", bool(rule.flags))
            count("notes, authors and dates of rules", bool(rule.note or rule.by or rule.on))
    return [f"{number} × {what}" for what, number in found.items()]
