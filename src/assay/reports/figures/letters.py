"""Letters as outlines: a figure looks the same in every viewer, and how wide its texts are is known.

text_width("careful", 10.5)      # 31.5
outlined(svg)                    # no <text> is left, only outlines

A viewer without the font of an SVG takes another one, whose letters may be wider: texts are cut off or run into each
other. The outlines are of the font that vl-convert measures and draws with (scripts/letters.py, letters.LICENSE).
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape, unescape
from importlib.resources import files

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""For letters that have no outline here, such as Chinese ones: they stay texts."""

UNKNOWN = 1.0
"""Width of a letter without an outline, in font sizes: about the widest of all."""

_ATTRIBUTES = r'(?:\s+[\w:-]+="[^"]*")*'
_TEXT = re.compile(rf"<text(?P<attributes>{_ATTRIBUTES})\s*>(?P<content>(?:[^<]|</?tspan{_ATTRIBUTES}\s*>)*)</text>")
_LINE = re.compile(rf"<tspan(?P<attributes>{_ATTRIBUTES})\s*>(?P<text>[^<]*)</tspan>")
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_OF_TEXTS = frozenset(("text-anchor", "font-family", "font-size", "font-weight", "transform", "xml:space", "x", "y"))


@dataclass(frozen=True, slots=True)
class Face:
    """Letters of one weight: their widths, contours, and how far pairs of them are moved together, in units."""

    units: int
    letters: dict[str, tuple[int, list[tuple[int, int, str]]]]
    kerning: dict[str, int]

    def moves(self, text: str) -> list[int]:
        """Where each letter starts, and where the text ends."""
        places = [0]
        for number, letter in enumerate(text):
            advance = self.letters[letter][0] if letter in self.letters else round(UNKNOWN * self.units)
            places.append(places[-1] + advance + self.kerning.get(text[number : number + 2], 0))
        return places

    def outline(self, letter: str) -> str:
        """The commands of a path, from the start of the base line, in units."""
        return "".join(f"M{x} {y}{rest}" for x, y, rest in self.letters[letter][1])


@cache
def face(*, bold: bool = False) -> Face:
    table = json.loads(files("assay.reports.figures").joinpath("letters.json").read_text("utf-8"))
    chosen = table["bold" if bold else "regular"]
    letters = {letter: (width, contours) for letter, (width, *contours) in chosen["letters"].items()}
    return Face(chosen["units"], letters, chosen["kerning"])


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is in px."""
    chosen = face(bold=bold)
    return chosen.moves(text)[-1] * size / chosen.units


def outlined(svg: str) -> str:
    """An SVG whose texts are outlines, but for those with a letter that has none here.

    Each letter is defined once and used wherever it stands, as matplotlib does it.
    """
    used: dict[str, str] = {}
    drawn = _TEXT.sub(lambda text: _drawn(text["attributes"], text["content"], used) or text[0], svg)
    if not used:
        return svg
    start = drawn.index(">", drawn.index("<svg")) + 1
    opening, definitions = drawn[:start], "".join(used[name] for name in sorted(used))
    if "xmlns:xlink=" not in opening:
        opening = opening.removesuffix(">") + ' xmlns:xlink="http://www.w3.org/1999/xlink">'
    return f"{opening}<defs>{definitions}</defs>{drawn[start:]}"


def _drawn(attributes: str, content: str, used: dict[str, str]) -> str | None:
    """A group for each line of a text, which uses its letters; None where one of them has no outline."""
    given = dict(_ATTRIBUTE.findall(attributes))
    bold = given.get("font-weight") == "bold"
    chosen = face(bold=bold)
    scale = float(given.get("font-size", "16").removesuffix("px")) / chosen.units
    lines, down = _lines(content), float(given.get("y", 0))
    if any(letter not in chosen.letters for _, text in lines for letter in text):
        return None
    kept = "".join(f' {name}="{value}"' for name, value in given.items() if name not in _OF_TEXTS)
    groups = []
    for line, text in lines:
        down += float(line.get("dy", 0))
        places = chosen.moves(text)
        across = float(given.get("x", 0)) - scale * places[-1] * _SHARE[given.get("text-anchor", "start")]
        moved = f"{given.get('transform', '')} translate({across:.2f},{down:.2f}) scale({scale:.6f})".strip()
        said = escape(text)
        label = "" if "aria-label" in given else f' role="img" aria-label="{said}"'
        letters = []
        for letter, place in zip(text, places, strict=False):
            if outline := chosen.outline(letter):
                name = f"{'bold' if bold else 'letter'}-{ord(letter):x}"
                used[name] = f'<path id="{name}" d="{outline}"/>'
                letters.append(f'<use xlink:href="#{name}" x="{place}"/>')
        groups.append(f'<g{label}{kept} data-text="{said}" transform="{moved}">{"".join(letters)}</g>')
    return "".join(groups)


_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""Of a text's width that lies left of its place."""


def _lines(content: str) -> list[tuple[dict[str, str], str]]:
    """The lines of a text with their attributes."""
    if "<tspan" not in content:
        return [({}, unescape(content))]
    return [(dict(_ATTRIBUTE.findall(line["attributes"])), unescape(line["text"])) for line in _LINE.finditer(content)]
