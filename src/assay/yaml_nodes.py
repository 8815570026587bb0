"""YAML in which every scalar is a string, a key stands once, and every node knows its line.

YAML 1.1 makes `on`, `no` and `1.10` into True, False and 1.1; a suite is full of such words. So scalars stay
as written and the readers say what they expect.

    document = parse(Path("suite.yaml"))
    document.text("name")
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import yaml

from assay.errors import BadSuite
from assay.files import read_text
from assay.limits import longest_text, too_long

Loader: type[Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # PyYAML may be built without libyaml


DEEPEST = 100
"""Levels of lists and mappings within each other."""

MOST_NODES = 5_000_000
"""Nodes of a file with every alias written out."""


class YamlNode:
    """A node of a YAML file with checked access; a failed check names file and line."""

    # A suite has tens of thousands of these; without slots each would carry a dictionary.
    __slots__ = ("end", "line", "path", "start")

    is_text = False
    is_mapping = False

    def __init__(self, path: Path, first: Any, last: Any) -> None:
        # Numbers, not PyYAML's marks: these would be half of what the garbage collector walks while a suite is read.
        self.path = path
        self.line: int = first.line + 1
        self.start: int = first.index
        """Characters of the text before it."""
        self.end: int = last.index
        """Likewise up to its end; to YAML a block ends where the next one begins."""

    def fail(self, problem: str, cure: str = "") -> NoReturn:
        raise BadSuite(self.path, problem, line=self.line, cure=cure)

    def value(self) -> str:
        """The scalar itself."""
        self.fail("a plain text is expected here")

    def pairs(self) -> Iterator[tuple["YamlNode", "YamlNode"]]:
        """Keys and values of a mapping, as they stand."""
        self.fail("a mapping (key: value) is expected here")

    def fields(self) -> dict[str, "YamlNode"]:
        """The fields of a mapping; a key that stands twice is an error, since YAML would drop the first."""
        self.fail("a mapping (key: value) is expected here")

    def sequence(self) -> Sequence["YamlNode"]:
        """The entries of a list."""
        self.fail("a list (- …) is expected here")

    def only(self, *known: str) -> dict[str, "YamlNode"]:
        """The fields; one with another name than these is an error, with a suggestion."""
        fields = self.fields()
        for name in fields:
            if name not in known:
                # Imported here: difflib is needed for an error message only, and costs start-up time.
                from difflib import get_close_matches

                near = get_close_matches(name, known, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
                self._key(name).fail(f"unknown key {name!r}", hint)
        return fields

    def take(self, above: Mapping[str, "YamlNode"], names: Iterable[str]) -> None:
        """Take these fields over from above, where there are no own ones."""
        for name in names:
            if name in above:
                self.fields().setdefault(name, above[name])

    def _key(self, name: str) -> "YamlNode":
        """The node of a key, which may stand lines above its value."""
        return next((key for key, _ in self.pairs() if key.is_text and key.value() == name), self)

    def text(self, name: str, default: str | None = None) -> str:
        """A field that is a text; required unless it has a default."""
        field = self.fields().get(name)
        if field is None:
            if default is None:
                self.fail(f"{name!r} is missing")
            return default
        return field.value()

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of texts; absent or empty is an empty tuple."""
        field = self.fields().get(name)
        # `tags:` with nothing behind it is an empty scalar to YAML, not an empty list.
        if field is None or (field.is_text and not field.value()):
            return ()
        return tuple(entry.value() for entry in field.sequence())

    def flag(self, name: str) -> bool:
        """A field that is true or false; absent is false."""
        value = self.text(name, "false").lower()
        if value not in ("true", "false"):
            self.fields()[name].fail(f"{name!r} is true or false, not {value!r}")
        return value == "true"


class _TextNode(YamlNode):
    __slots__ = ("_text",)

    is_text = True

    def __init__(self, path: Path, first: Any, last: Any, text: str) -> None:
        # As the constructor above does, without calling it: most nodes are texts.
        self.path = path
        self.line = first.line + 1
        self.start = first.index
        self.end = last.index
        self._text = text

    def value(self) -> str:
        return self._text


class _ListNode(YamlNode):
    __slots__ = ("_entries",)

    def __init__(self, path: Path, first: Any, last: Any, entries: list[YamlNode]) -> None:
        super().__init__(path, first, last)
        self._entries = entries

    def sequence(self) -> Sequence[YamlNode]:
        return self._entries


class _MappingNode(YamlNode):
    """Its children are keys and values in turn."""

    __slots__ = ("_children", "_fields")

    is_mapping = True

    def __init__(self, path: Path, first: Any, last: Any, children: list[YamlNode]) -> None:
        super().__init__(path, first, last)
        self._children = children
        # Not made yet: two keys may be equal, and that is an error only where the mapping is looked at.
        self._fields: dict[str, YamlNode] | None = None

    def pairs(self) -> Iterator[tuple[YamlNode, YamlNode]]:
        return zip(self._children[::2], self._children[1::2], strict=True)

    def fields(self) -> dict[str, YamlNode]:
        if self._fields is None:
            found: dict[str, YamlNode] = {}
            for key, value in self.pairs():
                name = key.value()
                if name in found:
                    key.fail(f"the key {name!r} stands twice", "join the two")
                found[name] = value
            self._fields = found
        return self._fields


def parse(path: Path) -> YamlNode:
    """The root of a YAML file."""
    return parse_text(path, read_text(path))


def parse_text(path: Path, text: str) -> YamlNode:
    """The root of a text that stands in a file, or will."""
    try:
        node = _compose(path, text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadSuite(
            path,
            f"not valid YAML: {error.problem or error.context}",
            line=mark.line + 1 if mark else None,
            cure="check indentation and quotes",
        ) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise BadSuite(path, f"not valid YAML: {error.reason}", line=line, cure="remove the character") from None
    if node is None:
        raise BadSuite(path, "the file holds nothing but comments")
    return node


class _Open:
    """A list or mapping whose end is still to come; `size` is that of what stands around it, so far."""

    __slots__ = ("children", "size", "start")

    def __init__(self, start: Any, children: list[YamlNode], size: int) -> None:
        self.start = start
        self.children = children
        self.size = size


def _compose(path: Path, text: str) -> YamlNode | None:
    """The root node, None where there is none.

    PyYAML would do this too, but by recursion in C, which ends the process where a file is nested deeply enough; and it
    would let aliases of aliases stand for more nodes than there is memory.
    """
    above: list[_Open] = []
    known: dict[str, tuple[YamlNode, int]] = {}  # anchor -> its node, and the number of nodes with aliases written out
    children: list[YamlNode] = []  # of what is open, and how many nodes these are
    size = 1
    node: YamlNode
    longest = longest_text()
    # Each event is asked for: most of the time goes by here, and `yaml.parse` would ask for each twice.
    next_event = Loader(text).get_event
    while True:
        event = next_event()
        kind = type(event)
        if kind is yaml.ScalarEvent:
            value = event.value
            if len(value) > longest:
                raise too_long(path, len(value), line=event.start_mark.line + 1)
            node, added, anchor = _TextNode(path, event.start_mark, event.end_mark, value), 1, event.anchor
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            above.append(_Open(event, children, size))
            children, size = [], 1
            if len(above) > DEEPEST:
                raise _refused(path, event, f"nested deeper than {DEEPEST} levels", "write it flatter")
            continue
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            opened = above.pop()
            anchor, added = opened.start.anchor, size
            made = _MappingNode if kind is yaml.MappingEndEvent else _ListNode
            node = made(path, opened.start.start_mark, event.end_mark, children)
            children, size = opened.children, opened.size
        elif kind is yaml.AliasEvent:
            if event.anchor not in known:
                raise yaml.MarkedYAMLError(problem="found undefined alias", problem_mark=event.start_mark)
            (node, added), anchor = known[event.anchor], None
        elif kind is yaml.DocumentStartEvent and children:
            raise yaml.MarkedYAMLError(problem="but found another document", problem_mark=event.start_mark)
        elif kind is yaml.StreamEndEvent:
            return children[0] if children else None
        else:
            continue
        if anchor:
            known[anchor] = node, added
        children.append(node)
        size += added
        if size > MOST_NODES:
            raise _refused(path, event, "its aliases stand for too much", "write out what they stand for")


def _refused(path: Path, event: Any, problem: str, cure: str) -> BadSuite:
    return BadSuite(path, problem, line=event.start_mark.line + 1, cure=cure)


class Dumper(yaml.SafeDumper):
    """Writes lists indented under their key, the way people do."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        # PyYAML writes the dashes of a list in the column of their key; `indentless=False` turns that off.
        super().increase_indent(flow, indentless=False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """U+0085 is a line break for YAML and must be written as an escape."""
    style = '"' if "\x85" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


Dumper.add_representer(str, _text)
