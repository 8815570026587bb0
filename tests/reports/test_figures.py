"""Figures hold the evaluation's numbers, their labels can be read, and every one of them can be drawn."""

import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluation import Evaluation
from assay.model import BadOption, MissingExtra, UnknownName
from assay.reports.figures import (
    Figure,
    ItemPoint,
    SlopePoint,
    difficulty,
    dot_plot,
    heat_map,
    phenomenon_series,
    provenance,
    render,
    slopes,
    sorted_phenomena,
)
from assay.reports.figures.dots import FIRST, OTHER
from assay.reports.figures.labels import LONGEST, clean, counted, distinct, shorten, spread, wrapped
from assay.reports.figures.look import (
    DASHES,
    LINE_HEIGHT,
    MOST_LINES,
    PALETTE,
    RAMP,
    SHAPES,
    accuracy_domain,
    luminance,
)
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


EVERY: dict[str, Callable[[], Figure]] = {
    "heat": lambda: heat_map(nasty()),
    "heat with a gap": lambda: heat_map(drawn(GAP)),
    "heat of nothing": lambda: heat_map(drawn({"A/x": {"one": "??"}})),
    "dots": lambda: dot_plot(nasty()),
    "dots with a gap": lambda: dot_plot(drawn(GAP, policy="own")),
    "dots of nothing": lambda: dot_plot(drawn({"A/x": {"one": "??"}})),
    "curves": lambda: sorted_phenomena(phenomenon_series(nasty()), provenance=provenance(nasty())),
    "curves of unequal length": lambda: sorted_phenomena({"de–en": [0.1, 0.9, 0.5], "en–ru": [0.7, 0.2]}),
    "one phenomenon": lambda: sorted_phenomena({"de–en": [0.5]}),
    "slopes": lambda: slopes(years(), best=years()[-3:]),
    "slopes of many": lambda: slopes([point for name in NASTY for point in [SlopePoint(name, 2021, 0.5)]]),
    "items": lambda: difficulty(items()),
    "items of many categories": lambda: difficulty([ItemPoint(f"{n}", f"Kategorie {n}", 0.5, 0.1) for n in range(9)]),
    "only undefined items": lambda: difficulty([ItemPoint("easy", "A", 0.0, None)]),
}

figures = pytest.mark.parametrize("make", EVERY.values(), ids=EVERY)


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
    for element in ElementTree.fromstring(render(figure, "svg")).iter("{http://www.w3.org/2000/svg}text"):
        place = re.match(r"translate\([-\d.]+,([-\d.]+)\)", element.get("transform", ""))
        found.append(("".join(element.itertext()), float(place[1]) if place else 0.0))
    return found


class TestEveryFigure:
    @figures
    def test_compiles_without_warnings(self, make: Callable[[], Figure], capfd: pytest.CaptureFixture[str]) -> None:
        vl_convert = pytest.importorskip("vl_convert")
        vl_convert.vegalite_to_vega(make().spec, show_warnings=True)
        assert capfd.readouterr().err == ""

    @figures
    def test_svg(self, make: Callable[[], Figure]) -> None:
        assert texts(make())

    @figures
    def test_png_is_wide_enough_for_paper(self, make: Callable[[], Figure]) -> None:
        pytest.importorskip("vl_convert")
        picture = render(make(), "png")
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert 600 < int.from_bytes(picture[16:20], "big") < 1300

    @figures
    def test_pdf(self, make: Callable[[], Figure]) -> None:
        pytest.importorskip("vl_convert")
        assert render(make(), "pdf").startswith(b"%PDF")

    @figures
    def test_caption_is_one_sentence(self, make: Callable[[], Figure]) -> None:
        figure = make()
        assert figure.caption.endswith(".")
        assert ". " not in figure.caption
        assert figure.spec["description"] == clean(figure.caption)

    @pytest.mark.parametrize("make", [heat_map, dot_plot])
    def test_caption_has_items_and_signature(self, make: Callable[[Evaluation], Figure]) -> None:
        evaluation = drawn(GAP)
        caption = make(evaluation).caption
        assert "2 systems" in caption
        assert "14 of 16 items count" in caption
        assert evaluation.signature in caption

    def test_unknown_format(self) -> None:
        with pytest.raises(UnknownName, match="'jpg'"):
            render(slopes(years()), "jpg")  # type: ignore[arg-type]

    def test_without_vl_convert_the_cure_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "vl_convert", None)
        with pytest.raises(MissingExtra, match=r"pip install 'assay-mt\[reports\]'"):
            render(slopes(years()))

    def test_nothing_is_fetched(self) -> None:
        pytest.importorskip("vl_convert")
        spec = {"data": {"url": "http://127.0.0.1:9/data.json"}, "mark": "point"}
        with pytest.raises(ValueError, match="not allowed"):
            render(Figure("outside", "", "", spec))


class TestHeatMap:
    def test_holds_every_number(self) -> None:
        evaluation = drawn(GAP)
        cells = {(row["row"], row["system"]): row for row in rows(heat_map(evaluation).spec) if "first_cluster" in row}
        assert len(cells) == 2 * (3 + 3)
        for row in evaluation.rows("category"):
            if row.category is None:
                continue
            for cell in row.cells:
                drawn_cell = cells[row.category, cell.system.name]
                assert drawn_cell["accuracy"] == cell.accuracy
                assert drawn_cell["first_cluster"] == cell.first_cluster
        assert cells["Ambiguity", "A"]["text"] == "75.0"
        # Macro over Ambiguity and Verb, Middle being undefined: (3/4 + 1)/2 and (1/4 + 1/10)/2.
        assert cells["category macro-average", "A"]["text"] == "87.5"
        assert cells["category macro-average", "B"]["text"] == "17.5"

    def test_systems_in_table_order(self) -> None:
        evaluation = nasty()
        heads = heat_map(evaluation).spec["vconcat"][0]["layer"][0]["encoding"]["x"]["scale"]["domain"]
        assert heads == distinct(evaluation.columns)

    def test_undefined_cells_show_a_dash_in_their_own_row(self) -> None:
        found = texts(heat_map(drawn(GAP)))
        dashes = [height for text, height in found if text == "–"]
        middle = next(height for text, height in found if text == "Middle")
        assert len(dashes) == 2
        assert all(abs(height - middle) < 5 for height in dashes)

    def test_labels_and_numbers_are_drawn(self) -> None:
        evaluation = nasty()
        found = {text for text, _ in texts(heat_map(evaluation))}
        assert set(distinct(evaluation.columns)) <= found
        assert {"Двусмысленность", "Podřadicí souvětí", "items", "macro-average"} <= found

    def test_bold_is_the_first_cluster(self) -> None:
        pytest.importorskip("vl_convert")
        svg = render(heat_map(drawn(GAP)), "svg").decode()
        assert re.search(r'font-weight="bold"[^>]*>75\.0<', svg)
        assert not re.search(r'font-weight="bold"[^>]*>17\.5<', svg)

    def test_ramp_darkens_evenly_and_bears_black_numbers(self) -> None:
        colours = [
            [round(a + (b - a) * step / 10) for a, b in zip(_channels(first), _channels(second), strict=True)]
            for first, second in pairwise(RAMP)
            for step in range(10)
        ]
        lights = [luminance("#" + "".join(f"{value:02x}" for value in colour)) for colour in colours]
        greys = [0.299 * red + 0.587 * green + 0.114 * blue for red, green, blue in colours]
        assert all(light > dark for light, dark in pairwise(lights))
        assert all(light > dark for light, dark in pairwise(greys))
        assert greys[0] - greys[-1] > 100
        assert (luminance(RAMP[-1]) + 0.05) / 0.05 > 4.5  # WCAG's contrast with black


def _channels(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def test_luminance() -> None:  # WCAG: black 0, white 1, and 0.2126 of pure red
    assert [luminance("#000000"), luminance("#ffffff"), luminance("#ff0000")] == pytest.approx([0, 1, 0.2126])


class TestDotPlot:
    def test_holds_every_number(self) -> None:
        evaluation = drawn(GAP)
        panels = dot_plot(evaluation).spec["hconcat"]
        assert [panel["title"] for panel in panels] == [
            "category macro-average",
            "micro-average",
            "phenomenon macro-average",
        ]
        micro, category, phenomenon = evaluation.averages()
        for panel, row in zip(panels, (category, micro, phenomenon), strict=True):
            for dot, cell in zip(panel["data"]["values"], row.cells, strict=True):
                assert (dot["accuracy"], dot["low"], dot["high"]) == (cell.accuracy, cell.low, cell.high)
                assert dot["cluster"] == (FIRST if cell.first_cluster else OTHER)

    def test_systems_and_a_dash_for_the_undefined(self) -> None:
        found = [text for text, _ in texts(dot_plot(drawn({"A/x": {"one": "??"}})))]
        assert found.count("–") == 3
        assert "one" in found


class TestSortedPhenomena:
    def test_series_leave_out_what_is_not_defined_for_all(self) -> None:
        assert phenomenon_series(drawn(GAP)) == {"A": [0.75, 1.0], "B": [0.25, 0.1]}

    def test_values_are_sorted(self) -> None:
        figure = sorted_phenomena({"de–en": [0.9, 0.1, 0.5]})
        assert [(row["rank"], row["accuracy"]) for row in rows(figure.spec)] == [(1, 0.1), (2, 0.5), (3, 0.9)]

    def test_lines_of_unequal_length_share_an_axis_of_shares(self) -> None:
        figure = sorted_phenomena({"a": [0.9, 0.1, 0.5], "b": [0.3, 0.2]})
        assert [row["rank"] for row in rows(figure.spec)] == [0, 0.5, 1, 0, 1]
        assert "2 to 3 phenomena" in figure.caption

    @pytest.mark.parametrize(
        ("highlight", "shown"),
        [
            ((), ["s11", "s0", "10 others"]),  # best and worst
            (("s4", "s2"), ["s4", "s2", "10 others"]),
        ],
    )
    def test_many_lines_are_grey_but_for_some(self, highlight: tuple[str, ...], shown: list[str]) -> None:
        figure = sorted_phenomena({f"s{n}": [n / 20, 0.5] for n in range(12)}, highlight=highlight)
        scale = figure.spec["encoding"]["color"]["scale"]
        assert scale["domain"] == shown
        assert scale["range"] == ["#0072b2", "#d55e00", "#b3b3b3"]
        assert {text for text, _ in texts(figure)} >= set(shown)
        assert len({row["line"] for row in rows(figure.spec)}) == 12

    def test_errors(self) -> None:
        with pytest.raises(UnknownName, match="did you mean Online-B"):
            sorted_phenomena({"Online-B": [0.5]}, highlight=["Online-b"])
        with pytest.raises(BadOption, match="no phenomena"):
            sorted_phenomena({"Online-B": []})
        with pytest.raises(BadOption, match="at most 8"):
            sorted_phenomena({f"{n}": [0.5] for n in range(9)}, highlight=[f"{n}" for n in range(9)])
        with pytest.raises(BadOption, match="nothing to draw"):
            sorted_phenomena({})

    def test_lines_differ_in_more_than_colour(self) -> None:
        assert len(set(PALETTE)) == len(set(DASHES)) == len(set(SHAPES)) == MOST_LINES


class TestSlopes:
    def test_holds_every_number(self) -> None:
        points = years()
        found = {
            SlopePoint(row["system"], row["year"], row["value"], row["low"], row["high"])
            for row in rows(slopes(points).spec)
            if "year" in row
        }
        assert found == set(points)

    def test_a_system_that_ended_early_says_when(self) -> None:
        figure = slopes([SlopePoint("old", 2020, 0.5), SlopePoint("new", 2020, 0.6), SlopePoint("new", 2021, 0.7)])
        assert {row["label"] for row in rows(figure.spec) if "label" in row} == {"old, 2020", "new"}

    def test_the_best_of_each_year_is_dashed(self) -> None:
        best = [SlopePoint("a", 2021, 0.8), SlopePoint("b", 2022, 0.9)]
        figure = slopes([*best, SlopePoint("a", 2022, 0.7)], best=best)
        dashed = [layer for layer in figure.spec["layer"] if layer["mark"].get("strokeDash") == [5, 3]]
        assert [(row["x"], row["value"]) for layer in dashed for row in layer["data"]["values"]] == [
            (2021, 0.8),
            (2022, 0.9),
        ]
        assert "best of each year" in {text for text, _ in texts(figure)}

    def test_two_values_in_a_year(self) -> None:
        with pytest.raises(BadOption, match="two values in 2021"):
            slopes([SlopePoint("a", 2021, 0.5), SlopePoint("a", 2021, 0.6)])

    def test_nothing_to_draw(self) -> None:
        with pytest.raises(BadOption, match="nothing to draw"):
            slopes([])

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
    def test_labels_are_a_line_height_apart(self, values: list[float]) -> None:
        points = [SlopePoint(f"s{n}", 2021, value) for n, value in enumerate(values)]
        spec = slopes(points, best=points[:1]).spec
        low, high = spec["layer"][-1]["encoding"]["y"]["scale"]["domain"]
        places = sorted(row["place"] for row in spec["layer"][-1]["data"]["values"])
        assert len(places) == len(values) + 1
        apart = LINE_HEIGHT * (high - low) / spec["height"]
        assert all(second - first >= apart - 1e-9 for first, second in pairwise(places))
        assert low - 1e-9 <= places[0]
        assert places[-1] <= high + 1e-9


class TestDifficulty:
    def test_holds_every_item(self) -> None:
        found = {row["item"]: row for row in rows(difficulty(items()).spec) if "item" in row}
        assert len(found) == 19
        assert (found["i4"]["difficulty"], found["i4"]["discrimination"]) == (0.2, -0.6)

    def test_items_without_a_place_are_counted(self) -> None:
        found = {text for text, _ in texts(difficulty(items()))}
        assert {"1 item passed by all systems", "1 item failed by all systems", "saturated"} <= found

    def test_caption_counts_the_corners(self) -> None:
        # Difficulty of at most 0.1: easy, i1, i2. Discrimination under −0.2: i1 to i7.
        caption = difficulty(items()).caption
        assert "21 items" in caption
        assert "3 are saturated (difficulty at most 10 %), 7 contrary" in caption

    @pytest.mark.parametrize(("categories", "told_apart"), [(1, True), (6, True), (7, False)])
    def test_at_most_six_categories_are_told_apart(self, categories: int, told_apart: bool) -> None:
        figure = difficulty([ItemPoint(f"{n}", f"c{n}", 0.5, 0.1) for n in range(categories)])
        coded = [layer for layer in figure.spec["layer"] if {"shape", "color"} <= layer["encoding"].keys()]
        assert bool(coded) == told_apart

    def test_nothing_to_draw(self) -> None:
        with pytest.raises(BadOption, match="nothing to draw"):
            difficulty([])


class TestLabels:
    def test_long_names_keep_both_ends(self) -> None:
        assert shorten("A-very-long-system-name (WMT22)", 20) == "A-very-long-s…WMT22)"
        assert shorten("VolcTrans-GLAT") == "VolcTrans-GLAT"

    def test_names_that_are_cut_alike_stay_apart(self) -> None:
        long = ["x" * 30 + middle + "y" * 30 for middle in "abc"]
        assert distinct(long)[1:] == ["xxxxxxxxxxxxx…yyyyyy (2)", "xxxxxxxxxxxxx…yyyyyy (3)"]

    @given(st.lists(st.text(), max_size=30))
    def test_labels_are_printable_short_and_distinct(self, names: list[str]) -> None:
        labels = distinct(names)
        assert len(set(labels)) == len(labels) == len(names)
        assert all(label.isprintable() and 0 < len(label) <= LONGEST for label in labels)

    def test_wrapped(self) -> None:
        assert wrapped("Named entity & terminology", 17) == ["Named entity &", "terminology"]
        assert wrapped("Verb tense and aspect and mood and voice", 17) == ["Verb tense and", "aspect and …voice"]
        assert wrapped("MWE", 17) == ["MWE"]

    def test_counted(self) -> None:
        assert [counted(1, "system"), counted(1870, "item"), counted(14, "category")] == [
            "1 system",
            "1,870 items",
            "14 categories",
        ]

    def test_axis_holds_all_values_in_whole_steps(self) -> None:
        assert accuracy_domain([0.72, 0.91]) == pytest.approx((0.7, 0.95))
        assert accuracy_domain([1.0, 1.0]) == pytest.approx((0.95, 1.0))
        assert accuracy_domain([0.0]) == pytest.approx((0.0, 0.05))
        assert accuracy_domain([]) == (0.0, 1.0)

    def test_spread_by_hand(self) -> None:
        # 10 and 11 give way by half of what they lack to 12; 50 has room.
        assert spread([10, 11, 50], gap=12, low=0, high=100) == pytest.approx([4.5, 16.5, 50])
        assert spread([50, 11, 10], gap=12, low=0, high=100) == pytest.approx([50, 16.5, 4.5])
        assert spread([0, 0, 0], gap=10, low=0, high=100) == pytest.approx([0, 10, 20])
        assert spread([100, 100], gap=10, low=0, high=100) == pytest.approx([90, 100])
        assert spread([], gap=10, low=0, high=100) == []

    @given(st.lists(st.floats(-50, 550), max_size=40), st.floats(0, 12))
    def test_spread_keeps_order_gap_and_bounds(self, wanted: list[float], gap: float) -> None:
        places = spread(wanted, gap=gap, low=0, high=500)
        paired = sorted(zip(places, wanted, strict=True))
        assert all(second - first >= gap - 1e-9 for (first, _), (second, _) in pairwise(paired))
        assert all(-1e-9 <= place <= 500 + 1e-9 for place in places)
        if gap > 0:
            assert [want for _, want in paired] == sorted(wanted)
