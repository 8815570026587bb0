"""Figures of challenge sets hold the evaluation's numbers and can be drawn."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from assay.challenge.analysis import curve
from assay.challenge.report.figures import challenge_figures, challenge_provenance, challenge_series, closeness_curve
from assay.errors import UnknownName
from assay.reports.figures.curves import phenomenon_series, sorted_phenomena
from assay.reports.figures.figure import Figure, render
from tests.challenge.measured import FOUR, drawn_at_random, scored
from tests.reports.figures import NASTY, rows, texts

EVERY: dict[str, Callable[[], Figure]] = {
    "few": lambda: closeness_curve(scored(FOUR)),
    "advantage": lambda: closeness_curve(scored(FOUR), "advantage"),
    "many": lambda: closeness_curve(drawn_at_random(metrics=12)),
    "nasty names": lambda: closeness_curve(scored({"A/x": dict.fromkeys(NASTY[:8], "+-+=")})),
    "nothing right": lambda: closeness_curve(scored({"A/x": {"m": "-"}})),
    "metrics": lambda: sorted_phenomena(
        phenomenon_series(drawn_at_random(metrics=4)), provenance=challenge_provenance(drawn_at_random(metrics=4))
    ),
}

figures = pytest.mark.parametrize("make", EVERY.values(), ids=EVERY)


@figures
def test_compiles_without_warnings(make: Callable[[], Figure], capfd: pytest.CaptureFixture[str]) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    vl_convert.vegalite_to_vega(make().spec, show_warnings=True)
    assert capfd.readouterr().err == ""


@figures
def test_png_is_wide_enough_for_paper(make: Callable[[], Figure]) -> None:
    pytest.importorskip("vl_convert")
    assert 600 < int.from_bytes(render(make(), "png")[16:20], "big") < 1300


@figures
def test_caption_is_one_sentence(make: Callable[[], Figure]) -> None:
    assert make().caption.endswith(".")
    assert ". " not in make().caption


def points(figure: Figure) -> list[dict[str, Any]]:
    return [row for row in rows(figure.spec) if "low" in row]


class TestCloseness:
    def test_holds_every_number(self) -> None:
        evaluation = drawn_at_random(metrics=5)
        found = {(point["key"], round(point["x"])): point for point in points(closeness_curve(evaluation))}
        for place, band in enumerate(curve(evaluation)):
            for cell in band.cells:
                if cell.accuracy is None:
                    assert (cell.metric, place) not in found
                else:
                    point = found[cell.metric, place]
                    assert (point["accuracy"], point["low"], point["high"]) == (cell.accuracy, cell.low, cell.high)

    def test_bands_are_named_with_their_challenge_items(self) -> None:
        found = " ".join(text for text, _ in texts(closeness_curve(scored(FOUR))))
        assert "0.7 to 0.8" in found
        assert "n = 23" in found
        assert "n = 0" in found

    def test_intervals_of_a_band_stand_apart_and_within_it(self) -> None:
        places = sorted({point["x"] for point in points(closeness_curve(drawn_at_random(metrics=8)))})
        assert len(places) == 8
        assert places[-1] - places[0] < 0.5

    def test_of_many_metrics_the_best_and_the_worst_are_told_apart(self) -> None:
        evaluation = drawn_at_random(metrics=12)
        micro = {cell.metric: cell.accuracy or 0 for cell in evaluation.averages()[0].cells}
        keys = {point["key"] for point in points(closeness_curve(evaluation))}
        ends = {max(micro.values()), min(micro.values())}
        assert "10 others" in keys
        assert {micro[key] for key in keys if key in micro} == ends

    def test_metrics_can_be_chosen(self) -> None:
        figure = closeness_curve(drawn_at_random(metrics=12), highlight=["Kiwi"])
        assert {point["key"] for point in points(figure)} == {"Kiwi", "11 others"}
        with pytest.raises(UnknownName, match="'Kiwy'"):
            closeness_curve(scored(FOUR), highlight=["Kiwy"])

    def test_caption_has_items_and_signature(self) -> None:
        evaluation = scored(FOUR, per_item=2)
        caption = closeness_curve(evaluation).caption
        assert "23 challenge items of 12 sources" in caption
        assert evaluation.signature in caption


class TestSortedPhenomena:
    def test_a_line_per_direction_is_the_mean_over_metrics(self) -> None:
        # Word: mean of 90, 65, 100 and 60 per cent; Idiom: 2, 1, 2 and 1 of 3.
        series = challenge_series({"de–en": scored(FOUR), "en–de": scored({"A/x": {"m": "+-"}})})
        assert series == {"de–en": pytest.approx([0.7875, 0.5]), "en–de": [0.5]}
        assert "en–de" in " ".join(text for text, _ in texts(sorted_phenomena(series)))

    def test_reports_give_the_same_line(self) -> None:
        evaluation = drawn_at_random(metrics=3)
        assert challenge_series({"a": evaluation.to_dict()}) == challenge_series({"a": evaluation})

    def test_a_line_per_metric(self) -> None:
        assert phenomenon_series(scored(FOUR))["chrF"] == pytest.approx([0.9, 2 / 3])


def test_all_figures_of_a_set_have_names_of_their_own() -> None:
    names = [figure.name for figure in challenge_figures(scored(FOUR))]
    assert len(set(names)) == len(names) == 4
    assert all(re.fullmatch("[a-z-]+", name) for name in names)
