"""Write the outlines of letters that figures are drawn with, from two fonts.

    python scripts/letters.py LiberationSans-Regular.ttf LiberationSans-Bold.ttf

Needs fontTools, which nothing else does. The fonts must be those that vl-convert draws with (Liberation Sans 2.00.1):
Vega places texts by their widths.
"""

import json
import sys
from pathlib import Path
from typing import Any

from fontTools.pens.basePen import decomposeQuadraticSegment
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

TABLE = Path(__file__).resolve().parent.parent / "src" / "assay" / "reports" / "figures" / "letters.json"
RANGES = ((0x20, 0x7F), (0xA0, 0x180), (0x218, 0x21C), (0x370, 0x530), (0x2010, 0x2045))
"""Latin, Greek and Cyrillic letters, dashes and quotation marks."""

LETTERS = [*(code for start, end in RANGES for code in range(start, end)), *map(ord, "€№™←↑→↓−√∞≈≠≤≥▲▼⁰⁴⁵⁶⁷⁸⁹")]


def main() -> None:
    faces = {name: face(TTFont(path)) for name, path in zip(("regular", "bold"), sys.argv[1:], strict=True)}
    lines = json.dumps(faces, ensure_ascii=False, separators=(",", ":"), sort_keys=True).replace('],"', '],\n"')
    TABLE.write_text(lines + "\n", "utf-8")


def face(font: Any) -> dict[str, Any]:
    """Letter -> its width and its contours; pairs of letters -> what they are moved together."""
    names, glyphs = font.getBestCmap(), font.getGlyphSet()
    letters = {chr(code): names[code] for code in LETTERS if code in names}
    outlines = {}
    for letter, name in letters.items():
        pen = DecomposingRecordingPen(glyphs)
        glyphs[name].draw(pen)
        outlines[letter] = [round(glyphs[name].width), *contours(pen.value)]
    by_name: dict[str, list[str]] = {}
    for letter, name in letters.items():
        by_name.setdefault(name, []).append(letter)
    kerning = {
        first + second: value
        for (left, right), value in font["kern"].kernTables[0].kernTable.items()
        for first in by_name.get(left, ())
        for second in by_name.get(right, ())
    }
    return {"units": font["head"].unitsPerEm, "letters": outlines, "kerning": kerning}


def contours(commands: list[Any]) -> list[list[Any]]:
    """Contours as where they start and how they go on from there, in the commands of an SVG path; y grows downwards."""
    found: list[list[Any]] = []
    here = (0, 0)
    for command, points in commands:
        points = [(round(x), -round(y)) for x, y in points]
        if command == "moveTo":
            found.append([*points[0], ""])
        elif command == "lineTo":
            found[-1][2] += straight(here, points[0])
        elif command == "qCurveTo":
            start = here
            for segment in decomposeQuadraticSegment(points):
                ends = [(round(x), round(y)) for x, y in segment]
                found[-1][2] += "q" + relative(start, ends)
                start = ends[-1]
        else:
            found[-1][2] += "z"
        here = points[-1] if points else here
    return found


def straight(here: tuple[int, int], there: tuple[int, int]) -> str:
    across, down = there[0] - here[0], there[1] - here[1]
    return f"v{down}" if not across else f"h{across}" if not down else "l" + relative(here, [there])


def relative(here: tuple[int, int], points: list[tuple[int, int]]) -> str:
    """Numbers need no space before a minus."""
    numbers = [str(number) for x, y in points for number in (x - here[0], y - here[1])]
    return numbers[0] + "".join(number if number.startswith("-") else f" {number}" for number in numbers[1:])


if __name__ == "__main__":
    main()
