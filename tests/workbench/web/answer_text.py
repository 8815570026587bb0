"""What an answer says beside a text: HTML, JSON and files as trees, to be asked what stands next to what.

    answer = parsed(response, texts)
    answer.beside("The newt is odd.")     # all that goes with the text, but for other texts and what goes with them
    answer.record("The newt is odd.")     # the row, list entry or object that holds the text itself

Entries of a list, rows of a table and objects of an array go with what stands around the list, and not with each other.
"""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from itertools import pairwise
from typing import Literal

from httpx import Response

ENTRIES = frozenset({"li", "tr", "article", "option"})
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "use", "wbr"})
TOLD = ("title", "aria-label")
"""Attributes that people get to read."""

ASIDE = "near"
"""Name of the part that has judged texts which are like the one to judge."""

Kind = Literal["text", "element", "object", "entry"]


@dataclass(eq=False)
class Part:
    """A part of an answer. An `entry` is one of several that have nothing to do with each other.

    `name` is the name of a field, or the class of an element.
    """

    own: str = ""
    kind: Kind = "text"
    parts: list["Part"] = field(default_factory=list)
    name: str = ""

    @cached_property
    def text(self) -> str:
        return self.own + "".join(part.text for part in self.parts)


Way = list[Part]
"""From the root of an answer to the smallest part that holds a text."""


class Answer:
    """An answer that is to be searched for texts of a suite."""

    def __init__(self, root: Part, texts: Collection[str]) -> None:
        self.root, self.texts = root, texts
        self.whole = root.text

    def holds(self, text: str) -> bool:
        return text in self.whole

    def is_subject(self, text: str) -> bool:
        """Whether the answer is about a text, and does not only set it beside another."""
        return any(not _aside(way) for way in self._ways(text))

    def beside(self, text: str) -> str:
        return "\n".join(self._around(way[_aside(way) :], text) for way in self._ways(text))

    def record(self, text: str) -> str:
        return "\n".join(self._around(way[self._first(way) :], text) for way in self._ways(text))

    def _ways(self, text: str) -> Iterator[Way]:
        waiting = [[self.root]]
        while waiting:
            way = waiting.pop()
            inside = [part for part in way[-1].parts if text in part.text]
            waiting += [[*way, part] for part in inside]
            if not inside and text in way[-1].text:
                yield way

    def _around(self, way: Way, text: str) -> str:
        """What goes with the end of a way."""
        found = [way[-1].text]
        for part, below in pairwise(way):
            if below.kind != "entry":
                found.append(part.own)
                found += (other.text for other in part.parts if other is not below and not self._others(other, text))
        return "\n".join(found)

    def _first(self, way: Way) -> int:
        """Where the record begins: the last entry or object on the way, or else the element around the text's own."""
        whole = [place for place, part in enumerate(way) if part.kind in ("entry", "object")]
        if whole:
            return whole[-1]
        own = max(place for place, part in enumerate(way) if part.kind == "element" or place == 0)
        return own - 1 if own > 1 else own

    def _others(self, part: Part, text: str) -> bool:
        """Whether a part holds other texts."""
        found = part.text
        return any(other in found for other in self.texts if other != text)


def _aside(way: Way) -> int:
    """Where on a way something begins that has nothing to do with what stands around it; 0 where nothing does."""
    return next((place for place, part in enumerate(way) if part.name == ASIDE), 0)


def parsed(response: Response, texts: Collection[str]) -> Answer:
    """The answer as a tree; what is neither HTML nor JSON has its lines as entries."""
    kind = response.headers.get("content-type", "").partition(";")[0]
    if kind == "application/json":
        return Answer(_of_json(response.json()), texts)
    if kind == "text/html":
        return Answer(_Page.read(response.text), texts)
    return Answer(Part(kind="element", parts=[Part(line, "entry") for line in response.text.splitlines()]), texts)


def _of_json(value: object, kind: Kind = "element") -> Part:
    if isinstance(value, dict):
        # The name of a field says what it is: "suggestion: {…}".
        given = ((key, inner) for key, inner in value.items() if inner is not None)
        named = [Part(f" {key}: ", "element", [_of_json(inner)], key) for key, inner in given]
        return Part(kind="entry" if kind == "entry" else "object", parts=named)
    if isinstance(value, list):
        return Part(kind="element", parts=[_of_json(inner, "entry") for inner in value])
    return Part(value if isinstance(value, str) else json.dumps(value), kind)


class _Page(HTMLParser):
    """A page as parts; scripts and styles say nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = [Part(kind="element")]
        self.names = [""]

    @classmethod
    def read(cls, page: str) -> Part:
        reader = cls()
        reader.feed(page)
        return reader.stack[0]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = "".join(f" {value} " for name, value in attrs if name in TOLD and value)
        part = Part(told, "entry" if tag in ENTRIES else "element", name=dict(attrs).get("class") or "")
        self.stack[-1].parts.append(part)
        if tag not in VOID:
            self.stack.append(part)
            self.names.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.names:
            while self.names.pop() != tag:
                self.stack.pop()
            self.stack.pop()

    def handle_data(self, data: str) -> None:
        if self.names[-1] not in ("script", "style"):
            self.stack[-1].parts.append(Part(data))
