"""Several draws of one set: mean, range and deviation of every accuracy, and what the draws differ in."""

import csv
from io import StringIO
from statistics import stdev
from typing import Any

import pytest

from assay.challenge.report.spread import render_spread, spread_csv, spread_table
from assay.errors import BadOption
from assay.reports.table import Table
from assay.result import Note
from tests.challenge.measured import drawn_at_random, scored


def report(chrf: str, bleu: str = "+++--", **options: Any) -> Any:
    return scored({"A/x": {"chrF": chrf, "BLEU": bleu}}, **options).to_dict("category")


def texts(table: Table, label: str) -> list[str]:
    return [cell.text for cell in next(row for row in table.rows if row.label == label).cells]


def test_mean_range_and_the_deviation_of_averages() -> None:
    # 60 and 80 per cent: mean 70, sample deviation sqrt(2 · 10²) = 14.1; BLEU has 60 both times.
    table = spread_table([report("+++--"), report("++++-", bleu="--+++")])
    assert table.columns == ("challenge items", "BLEU", "chrF")
    assert texts(table, "A") == ["5", "60.0 (60.0–60.0)", "70.0 (60.0–80.0)"]
    assert texts(table, "micro-average") == ["5", "60.0 ± 0.0 (60.0–60.0)", "70.0 ± 14.1 (60.0–80.0)"]
    assert table.title == "test (de-en): accuracy of metrics in per cent, 2 draws"


def test_metrics_are_joined_by_name_whatever_their_order() -> None:
    first, second = report("+++++", bleu="-----"), report("-----", bleu="+++++")
    assert first["columns"] == second["columns"][::-1]
    assert texts(spread_table([first, second]), "A")[1:] == ["50.0 (0.0–100.0)"] * 2


def test_many_draws_against_the_statistics_module() -> None:
    reports: list[Any] = [drawn_at_random(metrics=3, seed=seed).to_dict() for seed in range(4)]
    table = spread_table(reports)
    for label, level in (("micro-average", "micro"), ("phenomenon macro-average", "phenomenon_macro")):
        rows = [next(row for row in found["rows"] if row["level"] == level) for found in reports]
        values = [cell["accuracy"] for row in rows for cell in row["cells"] if cell["metric"] == "Kiwi"]
        text = texts(table, label)[1 + reports[0]["columns"].index("Kiwi")]
        mean, deviation = 100 * sum(values) / 4, 100 * stdev(values)
        assert text == f"{mean:.1f} ± {deviation:.1f} ({100 * min(values):.1f}–{100 * max(values):.1f})"


def test_a_row_that_some_draw_lacks_is_a_dash_and_named() -> None:
    more = scored({"A/x": {"chrF": "+-", "BLEU": "++"}, "B/y": {"chrF": "+", "BLEU": "-"}}).to_dict("category")
    table = spread_table([report("+++--"), more])
    assert [row.label for row in table.rows][:2] == ["A", "B"]
    assert texts(table, "A")[0] == "2–5"
    assert texts(table, "B") == ["1", "–", "–"]
    assert Note("–: not in every draw: B (not in 1).") in table.notes


def test_notes_say_what_the_draws_differ_in() -> None:
    notes = spread_table(
        [
            report("+++--", signature="suite:s|seed:1"),
            report("++++-", signature="suite:s|seed:2|references:3", alpha=0.1),
        ]
    ).notes
    (note,) = (note.text for note in notes if note.text.startswith("Draws differ"))
    assert "set seed: 1, 2; set references: –, 3" in note
    assert "alpha: 0.05, 0.1" in note
    assert "suite" not in note


def test_another_version_of_a_metric_is_named() -> None:
    second = report("++++-")
    second["metrics"][0]["signature"] = f"{second['metrics'][0]['name']}|version:2"
    notes = spread_table([report("+++--"), second]).notes
    (note,) = (note.text for note in notes if note.text.startswith("Draws differ"))
    assert f"{second['metrics'][0]['name']} version: 1, 2" in note


def test_the_same_set_twice_is_said() -> None:
    assert Note("Draws 1 and 2 are the same set: they add no spread.") in spread_table([report("+++--")] * 2).notes


def test_csv_has_mean_and_ends() -> None:
    lines = list(csv.DictReader(StringIO(spread_csv([report("+++--"), report("++++-")]))))
    chrf = next(line for line in lines if line["metric"] == "chrF" and line["level"] == "micro")
    assert [float(chrf[name]) for name in ("mean", "low", "high")] == pytest.approx([0.7, 0.6, 0.8])
    assert float(chrf["deviation"]) == pytest.approx(0.1414, abs=1e-4)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (report("+++--", langpair="en-de"), "^report 2 is of en-de, report 1 of de-en; a spread is of one direction"),
        (scored({"A/x": {"chrF": "+-"}}).to_dict(), "same metrics: BLEU is in one"),
    ],
)
def test_what_cannot_be_joined(second: Any, words: str) -> None:
    with pytest.raises(BadOption, match=words):
        spread_table([report("+++--"), second])


def test_one_direction_may_be_written_in_two_ways() -> None:
    assert spread_table([report("+++--"), report("+++--", langpair="deu_Latn-eng_Latn")])


def test_reports_are_called_by_their_names() -> None:
    with pytest.raises(BadOption, match=r"^b\.json is of en-de, a\.json of de-en"):
        render_spread([report("+++--"), report("+++--", langpair="en-de")], names=["a.json", "b.json"])


def test_csv_is_data() -> None:
    both = [report("+++--"), report("++++-")]
    assert render_spread(both, "csv") == spread_csv(both)
    assert "±" in render_spread(both)


def test_one_report_has_no_spread() -> None:
    with pytest.raises(BadOption, match="at least two"):
        spread_table([report("+++--")])
