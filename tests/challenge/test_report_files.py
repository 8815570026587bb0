"""Challenge sets as data, as a page and as a workbook: every number that of the evaluation."""

import csv
import json
import sys
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from openpyxl import Workbook, load_workbook

import assay
from assay.challenge.accuracy import evaluate_metrics
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, MetricScores
from assay.challenge.report import render, render_csv
from assay.reports.data import result_json
from tests.challenge.measured import FOUR, drawn_at_random, scored
from tests.reports.test_html import HOSTILE, Page

SCHEMA = Path(assay.__file__).parent / "schemas" / "challenge.json"


def validator() -> Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


class TestJson:
    @pytest.mark.parametrize("by", ["category", "phenomenon", "both"])
    @pytest.mark.parametrize("test", ["ztest", "mcnemar", "bootstrap", "randomization"])
    def test_fits_the_schema(self, by: Any, test: Any) -> None:
        evaluation = drawn_at_random(metrics=5, test=test, draws=50)
        validator().validate(json.loads(result_json(evaluation, by)))

    def test_one_metric_and_one_challenge_item_fit(self) -> None:
        validator().validate(json.loads(result_json(scored({"A/x": {"m": "="}}), "both")))

    @pytest.mark.parametrize("name", ["columns", "rows", "difficulty", "curves", "never_right"])
    def test_nothing_may_be_missing(self, name: str) -> None:
        document: Any = scored(FOUR).to_dict()
        assert validator().is_valid(document)
        del document[name]
        assert not validator().is_valid(document)

    def test_contract(self) -> None:
        document = json.loads(result_json(scored(FOUR), "both"))
        assert document["set"] == {
            "name": "test",
            "langpair": "de-en",
            "hash": scored(FOUR).challenge.hash,
            "size": 23,
            "items": 23,
            "sources": 23,
            "signature": "suite:test|seed:1",
        }
        assert document["columns"] == ["chrF", "BLEU", "COMET", "Kiwi"]
        bleu = {"name": "BLEU", "group": "baseline", "higher_is_better": True, "signature": "BLEU|version:1"}
        assert document["metrics"][1] == bleu | {"ties": 1, "undefined": 0}
        ambiguity = document["rows"][0]
        assert [ambiguity[name] for name in ("level", "category", "phenomenon", "count", "items", "average")] == [
            "category", "Ambiguity", None, 20, 20, pytest.approx(0.7875),
        ]  # fmt: skip
        cell = ambiguity["cells"][0]
        assert [cell[name] for name in ("metric", "group", "correct", "total", "ties", "undefined", "accuracy")] == [
            "chrF", "baseline", 18, 20, 0, 0, 0.9,
        ]  # fmt: skip
        assert [[cell["first_cluster"], cell["first_cluster_in_group"]] for cell in ambiguity["cells"]] == [
            [True, True], [False, False], [True, True], [False, True],
        ]  # fmt: skip
        assert document["never_right"] == ["i22#22"]
        assert [band["size"] for band in document["curves"]["closeness"]] == [0, 0, 0, 23, 0, 0]
        assert document["difficulty"]["pair"]["mean"] == pytest.approx(1 - 6 / 21)
        assert len(document["redundancy"]) == 6

    def test_undefined_is_null(self) -> None:
        document = scored(FOUR).to_dict()
        macro = next(row for row in document["rows"] if row["level"] == "category_macro")
        assert macro["cells"][0]["correct"] is None
        assert document["curves"]["closeness"][0]["cells"][0]["accuracy"] is None

    def test_csv_has_the_same_numbers(self) -> None:
        evaluation = drawn_at_random(metrics=4)
        lines = list(csv.DictReader(StringIO(render_csv(evaluation))))
        cells = [(row, cell) for row in evaluation.to_dict()["rows"] for cell in row["cells"]]
        assert len(lines) == len(cells)
        for line, (row, cell) in zip(lines, cells, strict=True):
            assert [line["level"], line["count"], line["metric"]] == [row["level"], str(row["count"]), cell["metric"]]
            assert line["accuracy"] == str(cell["accuracy"])
            assert line["first_cluster"] == str(cell["first_cluster"]).lower()


def hostile() -> Any:
    """Everything that a user can name or write is an attack."""
    items = tuple(
        ChallengeItem(f"{number}{HOSTILE}", HOSTILE, HOSTILE, f"a {HOSTILE}", f"b {HOSTILE}", 1, "i", HOSTILE, HOSTILE)
        for number in range(2)
    )
    scores = MetricScores(HOSTILE, np.array([[0.0, 1.0], [0.0, 1.0]]), signature=HOSTILE)
    return evaluate_metrics(ChallengeSet(HOSTILE, "de-en", items, HOSTILE), [scores])


@pytest.fixture(scope="module")
def page() -> Page:
    pytest.importorskip("vl_convert")
    return Page(str(render(scored(FOUR), "html")))


class TestPage:
    def test_the_table_with_its_marks(self, page: Page) -> None:
        assert page.row("Ambiguity") == ["20", "20", "90.0", "65.0", "100.0", "60.0", "78.8"]
        cells = [
            attributes for attributes in page.tags("td") if (attributes.get("title") or "").startswith("chrF; 18 of")
        ]
        assert {cell["class"] for cell in cells} == {"strong shade"}
        assert all("95 % interval" in (cell["title"] or "") for cell in cells)
        assert page.row("ties") == ["23", "23", "0.0", "4.3", "0.0", "0.0", "1.1"]

    def test_groups_span_their_columns(self, page: Page) -> None:
        spans = [(head.get("class"), head.get("colspan")) for head in page.tags("th") if head.get("colspan")]
        assert spans[:3] == [("group", "2"), ("group", "1"), ("group", "1")]

    def test_it_has_figures_and_the_other_tables(self, page: Page) -> None:
        assert sum(1 for _ in page.tags("figure")) == 4
        assert page.row("chrF, COMET")[0] == "1"
        assert page.row("0.7 to 0.8")[0] == "23"

    def test_what_every_metric_gets_wrong_is_marked(self) -> None:
        text = str(render(scored(FOUR), "html"))
        assert 'The <mark class="pass">lock</mark> is jammed.' in text
        assert 'The <mark class="fail">castle</mark> is jammed.' in text
        assert "1 challenge item that none of 4 metrics gets right" in text
        assert '<p class="none">None.</p>' in str(render(scored({"A/x": {"m": "+"}}), "html"))

    def test_no_script_and_nothing_from_elsewhere(self, page: Page) -> None:
        assert not page.scripts
        policy = next(meta["content"] for meta in page.tags("meta") if meta.get("http-equiv"))
        assert policy is not None
        assert "script-src 'none'" in policy
        for _, attributes in page.elements:
            for name in ("src", "href", "xlink:href"):
                target = attributes.get(name)
                assert target is None or target.startswith("#")

    def test_hostile_names_and_texts_stay_texts(self) -> None:
        page = Page(str(render(hostile(), "html")))
        assert not page.scripts
        assert not list(page.tags("img"))
        assert "<img src=x onerror=alert(2)>" in page.text

    def test_without_the_drawing_package_the_rest_is_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "vl_convert", None)
        text = str(render(scored(FOUR), "html"))
        assert "Left out: " in text
        assert "assay-mt[reports]" in text
        assert "<mark" in text


@pytest.fixture(scope="module")
def book() -> Workbook:
    data = render(scored(FOUR), "xlsx")
    assert isinstance(data, bytes)
    return load_workbook(BytesIO(data))


class TestWorkbook:
    def test_sheets(self, book: Workbook) -> None:
        assert book.sheetnames == [
            "categories", "phenomena", "rows", "metrics", "items", "redundancy", "closeness", "advantage", "notes",
        ]  # fmt: skip

    def test_accuracies_are_numbers_with_both_marks(self, book: Workbook) -> None:
        sheet = book["categories"]
        assert [cell.value for cell in sheet[1]][:4] == ["category", "challenge items", "sources", "chrF (baseline)"]
        assert [cell.value for cell in sheet[2]] == ["Ambiguity", 20, 20, 0.9, 0.65, 1, 0.6, pytest.approx(0.7875)]
        assert sheet["D2"].number_format == "0.0%"
        marks = [(cell.font.b, cell.fill.fgColor.rgb == "FFD4D4D4") for cell in sheet[2][3:7]]
        assert marks == [(True, True), (False, False), (True, True), (True, False)]

    def test_a_row_holds_everything_about_a_metric(self, book: Workbook) -> None:
        head, first = list(book["rows"].iter_rows(values_only=True))[:2]
        line = dict(zip(head, first, strict=True))
        assert (line["row"], line["metric"]) == ("Ambiguity", "chrF")
        assert (line["correct"], line["total"], line["ties"], line["first cluster"]) == (18, 20, 0, True)

    def test_items_have_the_scores_of_the_right_and_the_wrong_one(self, book: Workbook) -> None:
        rows = list(book["items"].iter_rows(values_only=True))
        assert len(rows) == 24
        # The second has its correct translation in the second place.
        line = dict(zip(rows[0], rows[2], strict=True))
        assert (line["right"], line["wrong"]) == ("The lock is jammed.", "The castle is jammed.")
        assert (line["right systems"], line["wrong systems"]) == ("Right, B, C, D, E", "Wrong")
        assert (line["chrF of right"], line["chrF of wrong"], line["chrF is right"]) == (1, 0, True)
        # Kiwi has no score of the correct translation of the 22nd.
        line = dict(zip(rows[0], rows[22], strict=True))
        assert (line["Kiwi of right"], line["Kiwi of wrong"], line["Kiwi is right"]) == (None, 0.5, False)

    def test_infinite_scores_are_empty(self) -> None:
        evaluation = scored({"A/x": {"m": "++"}})
        values = np.array([[float("inf"), 0.0], [-float("inf"), 1.0]])
        data = render(evaluate_metrics(evaluation.challenge, [MetricScores("m", values)]), "xlsx")
        assert isinstance(data, bytes)
        rows = list(load_workbook(BytesIO(data))["items"].iter_rows(values_only=True))
        assert dict(zip(rows[0], rows[1], strict=True))["m of right"] is None
