"""YAML in which every scalar is a string, a key stands once, and every node knows its line.

YAML 1.1 makes `on`, `no` and `1.10` into True, False and 1.1; a suite is full of such words. So scalars stay
as written and the readers say what they expect.

    document = parse(Path("suite.yaml"))
    document.text("name")
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
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

_TAG = "tag:yaml.org,2002:str"  # not looked at: scalars stay as written


class YamlNode:
    """A node of a YAML file with checked access; a failed check names file and line."""

    # A suite has tens of thousands of these; without slots each would carry a dictionary.
    __slots__ = ("_fields", "node", "path")

    def __init__(self, path: Path, node: yaml.Node) -> None:
        self.path = path
        self.node = node
        self._fields: dict[str, YamlNode] | None = None

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    def fail(self, problem: str, cure: str = "") -> NoReturn:
        raise BadSuite(self.path, problem, line=self.line, cure=cure)

    @property
    def is_text(self) -> bool:
        return isinstance(self.node, yaml.ScalarNode)

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    def value(self) -> str:
        """The scalar itself."""
        if not isinstance(self.node, yaml.ScalarNode):
            self.fail("a plain text is expected here")
        return str(self.node.value)

    def fields(self) -> dict[str, "YamlNode"]:
        """The fields of a mapping; a key that stands twice is an error, since YAML would drop the first."""
        if self._fields is None:
            if not isinstance(self.node, yaml.MappingNode):
                self.fail("a mapping (key: value) is expected here")
            found: dict[str, YamlNode] = {}
            # Read from the node, not made into a dict by PyYAML: a dict would silently keep the last of two equal keys.
            for key_node, value_node in self.node.value:
                key = YamlNode(self.path, key_node)
                name = key.value()
                if name in found:
                    key.fail(f"the key {name!r} stands twice", "join the two")
                found[name] = YamlNode(self.path, value_node)
            self._fields = found
        return self._fields

    def only(self, *known: str) -> dict[str, "YamlNode"]:
        """The fields; one with another name than these is an error, with a suggestion."""
        fields = self.fields()
        for name in fields:
            if name not in known:
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
        for key_node, _ in self.node.value:
            if key_node.value == name:
                return YamlNode(self.path, key_node)
        return self

    def text(self, name: str, default: str | None = None) -> str:
        """A field that is a text; required unless it has a default."""
        field = self.fields().get(name)
        if field is None:
            if default is None:
                self.fail(f"{name!r} is missing")
            return default
        return field.value()

    def sequence(self) -> Iterator["YamlNode"]:
        if not isinstance(self.node, yaml.SequenceNode):
            self.fail("a list (- …) is expected here")
        for child in self.node.value:
            yield YamlNode(self.path, child)

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
    return YamlNode(path, node)


class _Open:
    """A list or mapping whose end is still to come."""

    __slots__ = ("children", "size", "start")

    def __init__(self, start: Any) -> None:
        self.start = start
        self.children: list[yaml.Node] = []
        self.size = 1

    def close(self, end: Any) -> yaml.Node:
        first, last = self.start.start_mark, end.end_mark
        if isinstance(self.start, yaml.SequenceStartEvent):
            return yaml.SequenceNode(_TAG, self.children, first, last)
        pairs = list(zip(self.children[::2], self.children[1::2], strict=True))
        return yaml.MappingNode(_TAG, pairs, first, last)


def _compose(path: Path, text: str) -> yaml.Node | None:
    """The root node, None where there is none.

    PyYAML would do this too, but by recursion in C, which ends the process where a file is nested deeply enough; and it
    would let aliases of aliases stand for more nodes than there is memory.
    """
    root = _Open(yaml.SequenceStartEvent(None, None, True))
    above = [root]
    known: dict[str, tuple[yaml.Node, int]] = {}  # anchor -> its node, and the number of nodes with aliases written out
    node: yaml.Node
    longest = longest_text()
    events: Iterator[Any] = yaml.parse(text, Loader=Loader)  # Any: with libyaml their marks are of another class
    for event in events:
        start, end = event.start_mark, event.end_mark
        if isinstance(event, yaml.CollectionStartEvent):
            above.append(_Open(event))
            if len(above) > DEEPEST + 1:
                raise BadSuite(
                    path, f"nested deeper than {DEEPEST} levels", line=start.line + 1, cure="write it flatter"
                )
            continue
        if isinstance(event, yaml.ScalarEvent):
            if len(event.value) > longest:
                raise too_long(path, len(event.value), line=start.line + 1)
            node, size, anchor = yaml.ScalarNode(_TAG, event.value, start, end), 1, event.anchor
        elif isinstance(event, yaml.CollectionEndEvent):
            done = above.pop()
            node, size, anchor = done.close(event), done.size, done.start.anchor
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in known:
                raise yaml.MarkedYAMLError(problem="found undefined alias", problem_mark=start)
            (node, size), anchor = known[event.anchor], None
        elif isinstance(event, yaml.DocumentStartEvent) and root.children:
            raise yaml.MarkedYAMLError(problem="but found another document", problem_mark=start)
        else:
            continue
        if anchor:
            known[anchor] = node, size
        above[-1].children.append(node)
        above[-1].size += size
        if above[-1].size > MOST_NODES:
            raise BadSuite(
                path, "its aliases stand for too much", line=start.line + 1, cure="write out what they stand for"
            )
    return root.children[0] if root.children else None


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
