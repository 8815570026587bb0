"""What figures are drawn of in the tests, and what is found in them.

texts(heat_map(drawn(GAP)))
"""

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from assay.evaluation import Evaluation
from assay.reports.figures.figure import Figure, render
from assay.reports.figures.scatter import ItemPoint
from assay.reports.figures.years import SlopePoint
from tests.evaluation.tables import Drawing, drawn

NASTY = [
    "VolcTrans-GLAT",
    "Lan-Bridge@WMT22",
    "Lan-Bridge@WMT23",
    'A "quoted" <b>name</b> & more of it than fits',
    "Система перевода",
    "Žluťoučký kůň",
    "__proto__",
    "constructor",
    "it's 100 % \\n ${datum}",
    "bell\x07 and\nline\u2028breaks",
]

# Middle has no item that counts for both: it must keep its place between the others.
GAP: Drawing = {
    "Ambiguity/Word": {"A": "PPPF", "B": "PFFF"},
    "Middle/Idiom": {"A": "P?", "B": "?P"},
    "Verb & tense of long names/Past": {"A": "PPPPPPPPPP", "B": "FFFFFFFFFP"},
}


def nasty() -> Evaluation:
    marks = ["PPPPPPFFPP"[n:] + "PFPPFFPFPP"[:n] for n in range(len(NASTY))]
    systems = dict(zip(NASTY, marks, strict=True))
    return drawn({"Двусмысленность/a": systems, "Podřadicí souvětí/b": dict(zip(NASTY, marks[::-1], strict=True))})


def years(*, systems: int = 3) -> list[SlopePoint]:
    return [
        SlopePoint(f"System-{n}", year, 0.7 + n / 1000, 0.68, 0.74)
        for n in range(systems)
        for year in (2021, 2022, 2023)
    ]


def items() -> list[ItemPoint]:
    placed = [ItemPoint(f"i{n}", f"Category {n % 3}", n / 20, n / 10 - 1) for n in range(1, 20)]
    return [*placed, ItemPoint("easy", "Category 0", 0.0, None), ItemPoint("hard", "Category 1", 1.0, None)]


def rows(spec: Any) -> Iterator[dict[str, Any]]:
    """All data of a document, wherever it stands."""
    if isinstance(spec, dict):
        data = spec.get("data")
        if isinstance(data, dict):
            yield from data["values"]
        for part in spec.values():
            yield from rows(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from rows(part)


def texts(figure: Figure) -> list[tuple[str, float]]:
    """Texts of the drawn figure, each with its height within its block."""
    pytest.importorskip("vl_convert")
    found = []
    for element in ElementTree.fromstring(render(figure, "svg")).iter():
        place = re.match(r"translate\([-\d.]+,([-\d.]+)\)", element.get("transform", ""))
        if text := element.get("data-text"):
            found.append((text, float(place[1]) if place else 0.0))
    return found
