"""What all figures have in common: every one of them can be drawn, and their labels can be read."""

import sys
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import MissingExtra, UnknownName
from assay.evaluation import Evaluation
from assay.reports.figures.curves import phenomenon_series, sorted_phenomena
from assay.reports.figures.dots import dot_plot
from assay.reports.figures.figure import Figure, provenance, render
from assay.reports.figures.heat import heat_map
from assay.reports.figures.labels import LONGEST, clean, distinct, shorten, spread, wrapped
from assay.reports.figures.look import accuracy_domain
from assay.reports.figures.scatter import ItemPoint, difficulty
from assay.reports.figures.years import SlopePoint, slopes
from tests.evaluation.tables import drawn
from tests.reports.figures import GAP, NASTY, items, nasty, texts, years

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


class TestEveryFigure:
    @figures
    def test_compiles_without_warnings(self, make: Callable[[], Figure], capfd: pytest.CaptureFixture[str]) -> None:
        vl_convert = pytest.importorskip("vl_convert")
        vl_convert.vegalite_to_vega(make().spec, show_warnings=True)
        assert capfd.readouterr().err == ""

    @figures
    def test_svg_has_outlines_for_letters(self, make: Callable[[], Figure]) -> None:
        assert texts(make())
        assert b"<text" not in render(make(), "svg")

    @figures
    def test_png_is_wide_enough_for_paper(self, make: Callable[[], Figure]) -> None:
        pytest.importorskip("vl_convert")
        picture = render(make(), "png")
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert 600 < int.from_bytes(picture[16:20], "big") < 1300

    @figures
    def test_pdf(self, make: Callable[[], Figure]) -> None:
        pytest.importorskip("vl_convert")
        picture = render(make(), "pdf")
        assert picture.startswith(b"%PDF")
        assert b"/Font" not in picture
        assert picture == render(make(), "pdf")

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
            render(slopes(years()), "jpg")

    def test_without_vl_convert_the_cure_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "vl_convert", None)
        with pytest.raises(MissingExtra, match=r"pip install 'assay-mt\[reports\]'"):
            render(slopes(years()))

    def test_nothing_is_fetched(self) -> None:
        pytest.importorskip("vl_convert")
        spec = {"data": {"url": "http://127.0.0.1:9/data.json"}, "mark": "point"}
        with pytest.raises(ValueError, match="not allowed"):
            render(Figure("outside", "", "", spec))


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

    def test_axis_holds_all_values_in_whole_steps(self) -> None:
        assert accuracy_domain([0.32, 0.91]) == pytest.approx((0.3, 0.95))
        assert accuracy_domain([0.72, 0.91]) == pytest.approx((0.72, 0.92))
        assert accuracy_domain([0.847, 0.921]) == pytest.approx((0.84, 0.93))
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
