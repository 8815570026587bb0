"""Reports: the same table on a terminal, in Markdown, CSV and JSON."""

import csv
import json
import re
from io import StringIO
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from assay.errors import UnknownName
from assay.evaluation import Evaluation, evaluate
from assay.reports import render, render_table
from assay.reports.suite_stats import suite_table
from assay.reports.table import Table, TableCell, TableRow, accuracy_table, percent
from assay.result import Note
from tests.evaluation.tables import Drawing, drawn, suite_and_outputs

# Best has 18 of 20 and 3 of 3, Other 13 of 20 (p 0.029, see tests/evaluation) and 1 of 3.
BOTH: Drawing = {
    "Ambiguity/Word": {"Best": "P" * 18 + "FF", "Other": "P" * 13 + "F" * 7},
    "MWE/Idiom": {"Best": "PPP", "Other": "PFF"},
}
# Under own, B has nothing in MWE.
GAP: Drawing = {"Ambiguity/Word": {"A": "PF", "B": "PP"}, "MWE/Idiom": {"A": "PP", "B": "??"}}


def shown(evaluation: Evaluation, format: str = "table", **options: Any) -> str:
    """A report in a format that is text."""
    text = render(evaluation, format, **options)
    assert isinstance(text, str)
    return text


def line(text: str, label: str) -> str:
    """The line of a row."""
    return next(found for found in text.splitlines() if found.startswith(label))


def cells(text: str, label: str) -> list[str]:
    """What stands in the line of a row after its label and the marks of the label."""
    return line(text, label).removeprefix(label).replace("?", "").split()


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


class TestTerminal:
    def test_a_row_has_count_accuracies_and_mean(self) -> None:
        # Mean of 90 and 65 per cent
        assert cells(shown(drawn(BOTH)), "Ambiguity") == ["20", "90.0*", "65.0", "77.5"]

    def test_first_cluster_is_starred_where_there_is_no_bold(self) -> None:
        text = shown(drawn(BOTH))
        assert "\x1b" not in text
        assert "90.0*" in line(text, "Ambiguity")
        assert "65.0*" not in line(text, "Ambiguity")

    def test_first_cluster_is_bold_on_a_terminal(self) -> None:
        text = line(shown(drawn(BOTH), ansi=True), "Ambiguity")
        assert re.search(r"\x1b\[1m *90\.0\x1b\[0m", text)
        assert not re.search(r"\x1b\[1m *65\.0", text)
        assert "*" not in text

    def test_columns_are_aligned_with_and_without_bold(self) -> None:
        for ansi in (False, True):
            table = plain(shown(drawn(BOTH), ansi=ansi)).split("\n\n")[1].splitlines()
            ends = {len(found) for found in table if not found.startswith("─")}
            assert len(ends) == 1

    def test_rows_under_twenty_items_have_a_dagger_and_a_note(self) -> None:
        text = shown(drawn({"Ambiguity/Word": {"A": "P" * 19, "B": "P" * 19}}))
        assert cells(text, "Ambiguity")[0] == "19†"
        assert "†: fewer than 20 items; the test means little there." in text
        alone = shown(drawn({"Ambiguity/Word": {"A": "P" * 19}}))
        assert "†: fewer than 20 items; read the row as examples." in alone

    def test_rows_of_twenty_items_have_none(self) -> None:
        text = shown(drawn({"Ambiguity/Word": {"A": "P" * 20}}))
        assert "†" not in text

    def test_undefined_is_a_dash(self) -> None:
        # A has 2 of 2, B nothing; the mean is over what is defined.
        text = shown(drawn(GAP, policy="own"))
        assert drawn(GAP, policy="own").columns == ["B", "A"]
        assert cells(text, "MWE") == ["2†", "–", "100.0*", "100.0"]

    def test_a_row_where_nothing_counts_is_not_hidden(self) -> None:
        text = shown(drawn({"Ambiguity/Word": {"A": "P"}, "MWE/Idiom": {"A": "?"}}))
        assert cells(text, "MWE") == ["0", "–", "–"]

    def test_without_a_width_there_is_one_panel(self) -> None:
        assert headings(shown(many(30))) == 1

    @pytest.mark.parametrize("width", [60, 80, 100])
    def test_panels_fit_the_width_and_lose_no_system(self, width: int) -> None:
        evaluation = many(30)
        text = shown(evaluation, width=width)
        table = [found for found in text.splitlines() if not found.startswith("Signature: ")]
        assert max(map(len, table)) <= width
        assert headings(text) > 1
        heads = re.findall("(?m)^category +items +(.*)$", text)
        assert " ".join(heads).split() == [*evaluation.columns, "mean"]
        assert len(re.findall(r"(?m)^Ambiguity +20 ", text)) == headings(text)  # label and count stand in every panel

    def test_a_width_too_small_for_anything_still_shows_everything(self) -> None:
        evaluation = many(3)
        text = shown(evaluation, width=1)
        assert headings(text) == 4  # three systems and the mean
        assert all(name in text for name in evaluation.columns)

    def test_long_names_are_broken_after_hyphens(self) -> None:
        words = shown(drawn({"A/W": {"VolcTrans-GLAT-Large": "P"}})).split("─")[0].split()
        assert words[-7:] == ["VolcTrans-", "GLAT-", "category", "items", "Large", "95", "%"]

    def test_the_averages_bounds_and_warnings_stand_below(self) -> None:
        text = shown(drawn({"Ambiguity/Word": {"A": "PPF?", "B": "PPPP"}}))
        # A: 2 of 4 with the warning failed, 3 of 4 with it passed; B: 4 of 4. Columns: B, A.
        assert cells(text, "lower bound") == ["4", "100.0", "50.0", "75.0"]
        assert cells(text, "upper bound") == ["4", "100.0", "75.0", "87.5"]
        assert cells(text, "warnings") == ["4", "0.0", "25.0", "12.5"]
        assert cells(text, "micro-average")[0] == "3†"


class TestNotes:
    def test_say_what_counts_and_how_it_was_tested(self) -> None:
        text = shown(drawn({"A/W": {"A": "P?", "B": "PP"}}, alpha=0.01))
        assert "1 of 2 items count (policy fair: no system has a warning on them)." in text
        assert "1 do not count: " in text
        assert "ztest, one-tailed, alpha 0.01" in text
        assert "bound the accuracy on all items, not the averages above" in text
        assert text.splitlines()[-1].startswith("Signature: assay:")

    def test_name_what_the_macros_leave_out(self) -> None:
        text = shown(drawn(GAP, policy="own"))
        assert "Category macro-average leaves out, since not every system has a counting item: MWE." in text
        assert "Phenomenon macro-average leaves out, since not every system has a counting item: MWE / Idiom." in text

    def test_name_systems_left_out_and_costly_ones(self) -> None:
        drawing = {"A/W": {"Good": "P" * 50, "Doubtful": "??" + "P" * 48, "Lazy": "-" * 50}}
        text = shown(drawn(drawing))
        assert "Left out: Lazy, 1 distinct text for 50 items: it did not translate the suite." in text
        assert re.search(r"Costly.*Doubtful.*\b2\b.*4\.0%", text)

    def test_do_not_say_what_is_not_so(self) -> None:
        text = shown(drawn({"A/W": {"A": "P" * 20}}))
        for word in ("do not count", "leaves out", "Left out", "Costly", "fewer than", "?", "independent"):
            assert word not in text


class TestMarkdown:
    def test_first_cluster_is_bold(self) -> None:
        text = shown(drawn(BOTH), "markdown")
        assert "| Ambiguity | 20 | **90.0** | 65.0 | 77.5 |" in text.splitlines()

    def test_all_lines_of_the_table_have_as_many_cells(self) -> None:
        table = [found for found in shown(drawn(BOTH), "markdown").splitlines() if found.startswith("|")]
        assert {found.count("|") for found in table} == {6}
        assert table[1] == "| --- | ---: | ---: | ---: | ---: |"

    @pytest.mark.parametrize(
        ("name", "escaped"),
        [
            ("a|b", r"a\|b"),
            ("a*b*", r"a\*b\*"),
            ("a_b_", r"a\_b\_"),
            ("a\\b", r"a\\b"),
            ("<b>", "&lt;b>"),
            ("a`b`", r"a\`b\`"),
        ],
    )
    def test_names_are_escaped(self, name: str, escaped: str) -> None:
        text = shown(drawn({f"{name}/W": {name: "P" * 20}}), "markdown")
        assert f"| category | items | {escaped} | 95 % |" in text.splitlines()
        assert f"| {escaped} | 20 | 100.0 | 84–100 |" in text.splitlines()

    def test_notes_are_a_list_and_the_signature_is_code(self) -> None:
        text = shown(drawn(BOTH), "markdown")
        assert re.fullmatch(r"- Signature: `assay:[^`]+`", text.splitlines()[-1])
        assert r"- Bold or \*: first cluster" in text

    def test_phenomena_are_indented_below_their_category(self) -> None:
        text = shown(drawn(BOTH), "markdown", by="both").splitlines()
        rows = [found.split("|")[1].strip() for found in text if found.startswith("|")]
        assert rows[2:6] == ["Ambiguity", "&nbsp;&nbsp;Word", "MWE", "&nbsp;&nbsp;Idiom"]

    def test_undefined_is_a_dash(self) -> None:
        assert "| MWE | 0 | – | – |" in shown(
            drawn({"Ambiguity/Word": {"A": "P"}, "MWE/Idiom": {"A": "?"}}), "markdown"
        )


class TestLevels:
    @pytest.mark.parametrize(
        ("by", "labels"),
        [
            (None, ["Ambiguity", "MWE"]),
            ("category", ["Ambiguity", "MWE"]),
            ("phenomenon", ["Ambiguity / Word", "MWE / Idiom"]),
            ("both", ["Ambiguity", "  Word", "MWE", "  Idiom"]),
        ],
    )
    def test_rows_shown(self, by: Any, labels: list[str]) -> None:
        table = accuracy_table(drawn(BOTH), by) if by else accuracy_table(drawn(BOTH))
        assert [row.indented_label for row in table.rows[: len(labels)]] == labels
        assert [row.label for row in table.rows[len(labels) :]] == [
            "micro-average",
            "category macro-average",
            "phenomenon macro-average",
            "lower bound",
            "upper bound",
            "warnings",
        ]

    def test_data_hold_both_levels_unless_told_otherwise(self) -> None:
        rows = json.loads(shown(drawn(BOTH), "json"))["rows"]
        assert [row["level"] for row in rows][:4] == ["category", "phenomenon"] * 2
        rows = json.loads(shown(drawn(BOTH), "json", by="category"))["rows"]
        assert [row["level"] for row in rows][:3] == ["category", "category", "micro"]


class TestCsv:
    def lines(self, evaluation: Evaluation) -> list[dict[str, str]]:
        return list(csv.DictReader(StringIO(shown(evaluation, "csv"))))

    def test_one_line_per_row_and_system(self) -> None:
        lines = self.lines(drawn(BOTH))
        assert len(lines) == 7 * 2  # two categories, two phenomena, three averages
        first = lines[0]
        assert (first["level"], first["category"], first["phenomenon"]) == ("category", "Ambiguity", "")
        assert (first["count"], first["system"], first["campaign"]) == ("20", "Best", "")
        assert (first["correct"], first["total"], first["accuracy"]) == ("18", "20", "0.9")
        assert [found["first_cluster"] for found in lines[:2]] == ["true", "false"]

    def test_numbers_are_those_of_the_json(self) -> None:
        evaluation = drawn(GAP, policy="own")
        cells = [cell for row in evaluation.to_dict()["rows"] for cell in row["cells"]]
        for found, cell in zip(self.lines(evaluation), cells, strict=True):
            for name in ("correct", "total", "accuracy", "low", "high", "lower_bound", "upper_bound"):
                assert (float(found[name]) if found[name] else None) == cell[name]

    def test_undefined_is_empty(self) -> None:
        [found] = [
            found
            for found in self.lines(drawn(GAP, policy="own"))
            if (found["level"], found["category"], found["system"]) == ("category", "MWE", "B")
        ]
        assert (found["total"], found["accuracy"], found["low"], found["high"]) == ("0", "", "", "")

    def test_names_with_commas_and_quotes_survive(self) -> None:
        [found, *_] = self.lines(drawn({'Verb tense, "aspect"/W': {"A,B": "P"}}))
        assert (found["category"], found["system"]) == ('Verb tense, "aspect"', "A,B")


NUMBER = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
COUNT = {"type": "integer", "minimum": 0}
NAME = {"type": "string"}


def record(fields: dict[str, Any]) -> dict[str, Any]:
    """An object with at least these fields."""
    return {"type": "object", "properties": fields, "required": [*fields]}


# The JSON of the counting contract, field by field.
SCHEMA = record(
    {
        "assay": {"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
        "signature": NAME,
        "suite": record({"name": NAME, "langpair": NAME, "items": COUNT, "hash": NAME}),
        "systems": {
            "type": "array",
            "items": record(
                {
                    "name": NAME,
                    "campaign": NAME,
                    **dict.fromkeys(("outputs", "missing", "pass", "fail", "warning"), COUNT),
                    "warning_share": NUMBER,
                }
            ),
        },
        "excluded_systems": {"type": "array", "items": record({"name": NAME, "campaign": NAME, "reason": NAME})},
        "items": record(
            {"total": COUNT, "counted": COUNT, "excluded": record({"not_in_source": COUNT, "warning": COUNT})}
        ),
        "columns": {"type": "array", "items": NAME},
        "rows": {
            "type": "array",
            "items": record(
                {
                    "level": {"enum": ["category", "phenomenon", "micro", "category_macro", "phenomenon_macro"]},
                    "category": {"type": ["string", "null"]},
                    "phenomenon": {"type": ["string", "null"]},
                    "count": COUNT,
                    "cells": {
                        "type": "array",
                        "items": record(
                            {
                                "system": NAME,
                                "campaign": NAME,
                                "correct": {"type": ["integer", "null"]},
                                "total": {"type": ["integer", "null"]},
                                **dict.fromkeys(("accuracy", "low", "high", "lower_bound", "upper_bound"), NUMBER),
                                "first_cluster": {"type": "boolean"},
                            }
                        ),
                    },
                    "average": NUMBER,
                }
            ),
        },
    }
)


class TestJson:
    @pytest.mark.parametrize("drawing", [BOTH, GAP, {"A/W": {"A@x": "P" * 30, "A@y": "F" * 30, "Lazy": "-" * 30}}])
    @pytest.mark.parametrize("policy", ["fair", "own", "strict"])
    def test_has_the_shape_of_the_contract(self, drawing: Drawing, policy: Any) -> None:
        Draft202012Validator(SCHEMA).validate(json.loads(shown(drawn(drawing, policy=policy), "json")))

    def test_is_strict(self) -> None:
        """No NaN, which many readers refuse."""
        text = shown(drawn({"A/W": {"A": "?"}}), "json")

        def refuse(constant: str) -> None:
            pytest.fail(f"{constant} in JSON")

        json.loads(text, parse_constant=refuse)

    def test_numbers_of_a_small_table(self) -> None:
        suite, outputs = suite_and_outputs({"Ambiguity/Word": {"A@wmt21": "PPF?", "B@wmt21": "PF-P"}})
        found = evaluate(suite, outputs).to_dict()
        assert found["suite"] == {"name": "drawn", "langpair": "de-en", "items": 4, "hash": suite.hash}
        assert found["items"] == {"total": 4, "counted": 2, "excluded": {"not_in_source": 0, "warning": 2}}
        assert found["columns"] == ["A", "B"]
        system = found["systems"][1]
        assert (system["name"], system["campaign"], system["outputs"], system["missing"]) == ("B", "wmt21", 4, 1)
        assert (system["pass"], system["fail"], system["warning"], system["warning_share"]) == (2, 1, 1, 0.25)
        first = found["rows"][0]
        assert (first["level"], first["category"], first["phenomenon"], first["count"]) == (
            "category",
            "Ambiguity",
            None,
            2,
        )
        # A passes both fair items, word-1 and word-2; B one of them. Wilson of 2 of 2: [2/(2 + 3.8415), 1].
        cell = first["cells"][0]
        assert (cell["system"], cell["campaign"]) == ("A", "wmt21")
        assert (cell["correct"], cell["total"], cell["accuracy"]) == (2, 2, 1)
        assert (cell["low"], cell["high"]) == pytest.approx((2 / 5.8414588, 1))
        assert (cell["lower_bound"], cell["upper_bound"], cell["first_cluster"]) == (0.5, 0.75, True)
        assert first["average"] == 0.75

    def test_counted_and_excluded_add_up_to_the_suite(self) -> None:
        for policy in ("fair", "own", "strict"):
            items: Any = drawn({"A/W": {"A": "PF?-", "B": "P!?P"}}, policy=policy).to_dict()["items"]
            assert items["counted"] + sum(items["excluded"].values()) == items["total"] == 4

    def test_letters_are_written_as_they_are(self) -> None:
        assert "Größe" in shown(drawn({"Größe/W": {"A": "P"}}), "json")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UnknownName, match="no format 'pdf'"):
        render(drawn(BOTH), "pdf")


@pytest.mark.parametrize(("value", "text"), [(0.8779, "87.8"), (1.0, "100.0"), (0.0, "0.0"), (None, "–")])
def test_per_cent(value: float | None, text: str) -> None:
    assert percent(value) == text


def test_a_table_of_anything_can_be_rendered() -> None:
    row = TableRow("category", "row", (TableCell("7", 7, True),), 0)
    table = Table("Title", "what", ("n",), (row,), (Note("A note."),))
    assert render_table(table).splitlines() == ["Title", "", "what   n", "────────", "row   7*", "", "A note."]
    assert render_table(table, "markdown").splitlines()[2:5] == ["| what | n |", "| --- | ---: |", "| row | **7** |"]


def test_suite_statistics() -> None:
    suite, _ = suite_and_outputs(GAP)
    text = render_table(suite_table(suite))
    # Two items with one pass and one fail rule each per phenomenon; "Satz word-1." has two words.
    assert line(text, "Ambiguity").split()[1:] == ["2", "2", "2", "0", "0", "0", "0", "2.0"]
    assert line(text, "all").split()[1:] == ["4", "4", "4", "0", "0", "0", "0", "2.0"]
    assert "2 categories, 2 phenomena, 8 contains rules" in text


def many(systems: int) -> Evaluation:
    return drawn({"Ambiguity/Word": {f"S{number:02}": "P" * 18 + "FF" for number in range(systems)}})


def headings(text: str) -> int:
    """The number of panels."""
    return len(re.findall("(?m)^category +items", text))
