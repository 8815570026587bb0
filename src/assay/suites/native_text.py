"""The text of a file with items, in which single items are changed and all else stays as somebody wrote it.

    text = ItemsText(path, path.read_text("utf-8"))
    text.change("schloss", {"pass": ["lock"]}, {"pass": ["lock", "latch"]})
    text.append({"id": "bank", "source": "Sie saß auf der Bank."})
    text.changed()

Items are mappings as they stand in a file (`native_writer.item_entry`). Comments, order and quoting stay, down to the
rules of an item that stay the same. What cannot be changed in its place raises `FixedText`: a list in brackets, or an
item that a template makes.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from assay.errors import BadSuite
from assay.suites.native import ITEM_KEYS
from assay.suites.native_writer import dump
from assay.suites.suite import POLARITIES
from assay.yaml_nodes import Dumper, YamlNode, parse_text

_BOM = "\ufeff"
# Not `str.splitlines`, for which more characters end a line than for YAML.
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class FixedText(BadSuite):
    """Text that cannot be changed in its place."""


class _Pattern(str):
    """A regular expression: in single quotes, as the docs have it, whether YAML needs them or not."""


def _write_pattern(dumper: yaml.SafeDumper, pattern: _Pattern) -> yaml.ScalarNode:
    # U+0085 is a line break for YAML and must be written as an escape.
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(pattern), style='"' if "\x85" in pattern else "'")


Dumper.add_representer(_Pattern, _write_pattern)


@dataclass(frozen=True, slots=True)
class _LineBlock:
    """Whole lines [start, end) of a text, and the column in which they begin."""

    start: int
    end: int
    column: int


class _SuiteText:
    """A YAML file of a suite. Changes are collected, and made by `changed`."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self._bom = _BOM if text.startswith(_BOM) else ""
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._text = text.removeprefix(_BOM) + ("" if text.endswith("\n") else self._newline)
        self.root = parse_text(path, self._text)
        # Place from, place to, new text
        self._edits: list[tuple[int, int, str]] = []

    def changed(self) -> str:
        """The text with all changes made."""
        text = self._text
        # From the end, so that what is still to be changed stays in its place.
        for start, end, new in sorted(self._edits, key=lambda edit: edit[:2])[::-1]:
            text = text[:start] + new + text[end:]
        return self._bom + text

    def _insert(self, place: int, new: str) -> None:
        self._edits.append((place, place, new))

    def _line(self, place: int) -> int:
        """Where the line begins that a place is in."""
        return self._text.rfind("\n", 0, place) + 1

    def _end(self, start: int, end: int, column: int) -> int:
        """The end of the last line before `end` that is neither blank nor a comment that stands no deeper than this."""
        # To YAML a block ends where the next one begins.
        if self._text[self._line(end) : end].strip():
            end = (self._text.find("\n", end) + 1) or len(self._text)
        else:
            end = self._line(end)
        for line in _LINE.findall(self._text[start:end])[:0:-1]:
            bare = line.lstrip()
            if bare.strip() and not (bare.startswith("#") and len(line) - len(bare) <= column):
                break
            end -= len(line)
        return end

    def _lines(self, data: Any, column: int) -> str:
        """YAML, indented."""
        lines = _LINE.findall(dump(data))
        return "".join(" " * column + line if line.strip() else line for line in lines).replace("\n", self._newline)


class ManifestText(_SuiteText):
    """`suite.yaml`, to which categories and phenomena are added."""

    def append(self, category: str, phenomenon: str, description: str) -> None:
        """Write a phenomenon behind the last one of its category, or behind all others with a new category."""
        categories = self.root.fields()["categories"]
        known = categories.fields()
        if category in known:
            self._behind(known[category], {phenomenon: description})
        else:
            self._behind(categories, {category: {phenomenon: description}})

    def _behind(self, mapping: YamlNode, new: Mapping[str, Any]) -> None:
        start = mapping.start
        line = self._line(start)
        if not mapping.fields() or self._text[line:start].strip() or self._text[start] in "{&":
            cure = "write categories and phenomena one below the other"
            raise FixedText(self.path, "the list cannot be changed in its place", line=mapping.line, cure=cure)
        column = start - line
        self._insert(self._end(line, mapping.end, column - 1), self._lines(new, column))


class ItemsText(_SuiteText):
    """A file with items."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(path, text)
        items = self.root.fields().get("items")
        self._entries = {entry.text("id"): entry for entry in items.sequence()} if items else {}

    @property
    def ids(self) -> list[str]:
        """The ids of the items that no template makes, as they stand in the file."""
        return list(self._entries)

    def change(self, name: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        """Write those fields of an item anew that differ."""
        if name not in self._entries:
            raise FixedText(self.path, f"the item {name!r} comes from a template", cure="write it under items:")
        entry = self._entries[name]
        block = self._dashed(entry)
        if self._text[entry.start] == "{":
            self._edits.append((block.start, block.end, self._lines([patterned(now)], block.column)))
            return
        fields = self._fields(entry, block)
        for key in ITEM_KEYS:
            if before.get(key) == now.get(key):
                continue
            if key in fields:
                field, value = fields[key]
                new = self._field(key, now[key], before.get(key), field, value) if key in now else ""
                self._edits.append((field.start, field.end, new))
            else:
                above = [other for other in fields if ITEM_KEYS.index(other) < ITEM_KEYS.index(key)]
                column = entry.start - block.start
                self._insert(fields[above[-1]][0].end, self._lines(patterned({key: now[key]}), column))

    def remove(self, name: str) -> None:
        """Take an item out; the comments around it stay."""
        if name not in self._entries:
            raise FixedText(self.path, f"the item {name!r} comes from a template", cure="take it out of only:")
        block = self._dashed(self._entries[name])
        self._edits.append((block.start, block.end, ""))

    def append(self, item: Mapping[str, Any]) -> None:
        """Write an item behind the last one."""
        entries = list(self._entries.values())
        if not entries:
            if "items" in self.root.fields():
                raise self._fixed(self.root.fields()["items"])
            self._insert(len(self._text), f"items:{self._newline}" + self._lines([patterned(item)], 2))
            return
        block = self._dashed(entries[-1])
        # A blank line where the two before have one between them
        between = self._text[self._dashed(entries[-2]).end : block.start] if len(entries) > 1 else "\n"
        gap = self._newline if between.lstrip(" \r").startswith("\n") else ""
        self._insert(block.end, gap + self._lines([patterned(item)], block.column))

    def _fixed(self, node: YamlNode) -> FixedText:
        cure = "write items one below the other, each behind a dash"
        return FixedText(self.path, "the list cannot be changed in its place", line=node.line, cure=cure)

    def _dashed(self, entry: YamlNode) -> _LineBlock:
        """The lines of an entry of a list, which begin with its dash."""
        first = entry.start
        start = self._line(first)
        lead = self._text[start:first]
        if lead.strip() != "-":
            raise self._fixed(entry)
        column = lead.index("-")
        return _LineBlock(start, self._end(start, entry.end, column), column)

    def _fields(self, entry: YamlNode, block: _LineBlock) -> dict[str, tuple[_LineBlock, YamlNode]]:
        """Key -> its lines and its value. The first begins behind the dash."""
        pairs = list(entry.pairs())
        starts = [key.start for key, _ in pairs]
        column = starts[0] - block.start
        if any(self._text[self._line(place) : place].strip() for place in starts[1:]):
            raise self._fixed(entry)
        lines = [starts[0], *(self._line(place) for place in starts[1:])]
        ends = [self._end(place, end, column) for place, end in zip(lines, [*lines[1:], block.end], strict=True)]
        return {
            key.value(): (_LineBlock(start, end, column), value)
            for (key, value), start, end in zip(pairs, lines, ends, strict=True)
        }

    def _field(self, key: str, now: Any, before: Any, field: _LineBlock, value: YamlNode) -> str:
        """The lines of a field with another value. Rules that stay keep theirs, with the comments above them."""
        known = self._rules(field, value, before) if key in POLARITIES else None
        if known is None:
            lines = self._lines(patterned({key: now}), field.column)
            # The first field stands behind the dash.
            return lines if field.start == self._line(field.start) else lines[field.column :]
        lines = self._text[field.start : self._text.index("\n", field.start) + 1]
        column = value.start - self._line(value.start)
        for rule in now:
            kept = next((entry for entry in known if entry[0] == rule), None)
            if kept is not None:
                known.remove(kept)
            lines += kept[1] if kept is not None else self._lines([_rule(rule)], column)
        return lines

    def _rules(self, field: _LineBlock, value: YamlNode, before: Sequence[Any]) -> list[tuple[Any, str]] | None:
        """Each rule with its lines; None where they do not stand one below the other."""
        if self._text[value.start] != "-" or len(value.sequence()) != len(before):
            return None
        ends = [self._dashed(entry).end for entry in value.sequence()]
        starts = [self._text.index("\n", field.start) + 1, *ends]
        return [(rule, self._text[start:end]) for rule, start, end in zip(before, starts, ends, strict=False)]


def patterned(item: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an item, so that patterns are written in quotes."""

    def quoted(key: str, value: Any) -> Any:
        if key in POLARITIES:
            return [_rule(rule) for rule in value]
        return {name: [_rule(rule) for rule in rules] for name, rules in value.items()} if key == "labels" else value

    return {key: quoted(key, value) for key, value in item.items()}


def _rule(rule: str | dict[str, str]) -> str | dict[str, str]:
    if isinstance(rule, str):
        return _Pattern(rule)
    return {key: _Pattern(value) if key == "regex" else value for key, value in rule.items()}
