"""Each kind of figure holds the evaluation's numbers and draws them in their places."""

import re
from colorsys import rgb_to_hls
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadOption, UnknownName
from assay.reports.figures.curves import phenomenon_series, sorted_phenomena
from assay.reports.figures.dots import FIRST, OTHER, dot_plot
from assay.reports.figures.figure import render
from assay.reports.figures.heat import heat_map
from assay.reports.figures.labels import distinct
from assay.reports.figures.look import DASHES, INKS, LINE_HEIGHT, MOST_LINES, PALETTE, RAMP, SHAPES
from assay.reports.figures.scatter import ItemPoint, difficulty
from assay.reports.figures.years import SlopePoint, slopes
from tests.evaluation.tables import drawn
from tests.reports.figures import GAP, items, nasty, rows, texts, years


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
        first_digit = dict(re.findall(r'data-text="([\d.]+)"[^>]*><use xlink:href="#(\w+)-', svg))
        assert (first_digit["75.0"], first_digit["17.5"]) == ("bold", "letter")

    def test_averages_stand_below_their_systems(self) -> None:
        categories, averages = heat_map(nasty()).spec["vconcat"]
        assert categories["width"] == averages["width"]

    def test_colours_use_the_range_of_the_cells(self) -> None:
        figure = heat_map(drawn({"A/x": {"one": "PPPPPPPPPF", "two": "PPPPPPPPFF"}}))
        scale = figure.spec["vconcat"][0]["layer"][0]["encoding"]["color"]["scale"]
        assert scale["domain"] == [0.8, 0.9]

    def test_ramp_darkens_evenly_and_bears_black_numbers(self) -> None:
        colours = [
            [round(a + (b - a) * step / 10) for a, b in zip(_channels(first), _channels(second), strict=True)]
            for first, second in pairwise(RAMP)
            for step in range(10)
        ]
        lights = [_luminance(*colour) for colour in colours]
        greys = [0.299 * red + 0.587 * green + 0.114 * blue for red, green, blue in colours]
        assert all(light > dark for light, dark in pairwise(lights))
        assert all(light > dark for light, dark in pairwise(greys))
        assert greys[0] - greys[-1] > 100
        assert (_luminance(*_channels(RAMP[-1])) + 0.05) / 0.05 > 4.5  # WCAG's contrast with black


def _channels(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def _luminance(*channels: int) -> float:
    """Relative luminance as WCAG defines it, 0 for black and 1 for white."""
    shares = [value / 255 for value in channels]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_luminance() -> None:  # WCAG: black 0, white 1, and 0.2126 of pure red
    colours = [(0, 0, 0), (255, 255, 255), (255, 0, 0)]
    assert [_luminance(*colour) for colour in colours] == pytest.approx([0, 1, 0.2126])


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

    def test_a_label_has_the_marker_and_the_colour_of_its_line(self) -> None:
        *_, markers, labels = slopes(years()).spec["layer"]
        colours = markers["encoding"]["color"]["scale"]
        assert dict(zip(colours["domain"], colours["range"], strict=True)) == {
            "System-0": "#0072b2",
            "System-1": "#d55e00",
            "System-2": "#009e73",
        }
        inks = {row["label"]: row["ink"] for row in labels["data"]["values"]}
        assert inks == {"System-0": "#00659e", "System-1": "#b34f00", "System-2": "#00785a"}

    def test_inks_are_dark_shades_of_the_colours(self) -> None:
        for colour, ink in zip(PALETTE, INKS, strict=True):
            assert 1.05 / (_luminance(*_channels(ink)) + 0.05) > 4.5  # WCAG's contrast with white
            bright, dark = (rgb_to_hls(*(value / 255 for value in _channels(c))) for c in (colour, ink))
            assert abs(bright[0] - dark[0]) < 0.03

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
