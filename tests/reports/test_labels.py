"""Rows over groups and tables of labels in every format."""

import csv
import io
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook

from assay.errors import BadOption
from assay.evaluation import Evaluation, evaluate
from assay.outputs import load_outputs
from assay.reports import render
from assay.reports.figures import label_bars
from assay.reports.figures.figure import render as draw
from assay.reports.formats import names
from assay.reports.labels import labels_table
from assay.suites import load_suite
from tests.evaluation.tables import SMALL, drawn

PAIRS = Path(__file__).parent.parent / "suites" / "pairs" / "gender-en-de"


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    suite = load_suite("gender-en-de")
    return evaluate(suite, load_outputs(suite, sorted(PAIRS.glob("*.tsv"))))


def text_of(made: str | bytes) -> str:
    return made if isinstance(made, str) else made.decode("utf-8", "replace")


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "html"])
def test_tables_have_rows_over_groups_and_labels(evaluation: Evaluation, format: str) -> None:
    text = text_of(render(evaluation, format))
    for word in ("groups wholly right", "groups consistent", "feminine", "masculine", "undecided"):
        assert word in text


def test_csv_and_json_have_the_levels(evaluation: Evaluation) -> None:
    lines = list(csv.DictReader(io.StringIO(text_of(render(evaluation, "csv")))))
    found = {line["system"]: (line["correct"], line["total"]) for line in lines if line["level"] == "groups"}
    assert found == {"careful": ("15", "15"), "average": ("0", "15"), "literal": ("0", "15")}
    document = json.loads(text_of(render(evaluation, "json")))
    assert [row["level"] for row in document["rows"][-2:]] == ["groups", "consistency"]
    assert {row["label"] for row in document["labels"]} == {"feminine", "masculine", "neutral", None}
    assert document["signature"].endswith("units:group")


def test_a_workbook_has_them_too(evaluation: Evaluation) -> None:
    made = render(evaluation, "xlsx")
    assert isinstance(made, bytes)
    book = load_workbook(io.BytesIO(made))
    assert {"groups wholly right", "groups consistent"} <= {row[0].value for row in book["averages"].iter_rows()}
    assert "feminine" in {str(row[0].value).strip() for row in book["labels"].iter_rows()}


def test_labels_alone(evaluation: Evaluation) -> None:
    for name in ("table", "markdown", "latex", "csv"):
        text = text_of(render(evaluation, name, by="labels"))
        assert "feminine" in text
        assert "micro-average" not in text
    assert set(names("table")) == {"table", "markdown", "latex", "csv"}
    with pytest.raises(BadOption, match="cannot be written as json"):
        render(evaluation, "json", by="labels")


def test_a_suite_without_labels_says_so() -> None:
    plain = drawn(SMALL)
    with pytest.raises(BadOption, match="no item that was found has labels"):
        labels_table(plain)
    assert "labels" not in plain.to_dict()


def test_the_figure_has_a_panel_for_each_phenomenon(evaluation: Evaluation) -> None:
    figure = label_bars(evaluation)
    assert len(figure.spec["vconcat"]) == 2
    assert draw(figure, "svg").startswith(b"<svg")
