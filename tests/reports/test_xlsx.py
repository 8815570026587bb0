"""Excel: what is written is read back with openpyxl."""

import re
from io import BytesIO
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from assay import spreadsheet
from assay.evaluation import Evaluation, evaluate
from assay.outputs import Collector, System
from assay.reports.suite_stats import suite_table
from assay.reports.table import Table, TableCell, TableRow, accuracy_table
from assay.reports.xlsx import render
from assay.result import Note
from assay.spreadsheet import LONGEST_NAME, LONGEST_TEXT, Sheet, SheetCell, sheet_name, shorten, workbook
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.verdicts import VERDICT_FIELDS as FIELDS
from tests.evaluation.tables import Drawing, drawn

# Best is alone in the first cluster of Ambiguity (18 and 13 of 20); Lazy did not translate the suite.
THREE: Drawing = {
    "Ambiguity/Word": {"Best": "P" * 18 + "FF", "Other": "P" * 13 + "F" * 7, "Lazy": "-" * 20},
    "MWE/Idiom": {"Best": "PPP", "Other": "PF?", "Lazy": "---"},
}
# Under own, B has nothing in MWE.
GAP: Drawing = {"Ambiguity/Word": {"A": "PF", "B": "PP"}, "MWE/Idiom": {"A": "PP", "B": "??"}}


def read(data: bytes) -> Workbook:
    return load_workbook(BytesIO(data))


def lines(sheet: Worksheet) -> list[tuple[object, ...]]:
    return list(sheet.iter_rows(values_only=True))


def one_item(text: str, *, source: str = "Satz.", system: str = "A") -> Evaluation:
    """One item, whose only output is this text."""
    item = Item("word-1", "Ambiguity", "Word", source, (Rule("pass", "contains", "right"),))
    suite = Suite("tiny", "de-en", (item,), taxonomy_of((item,)))
    collector = Collector(suite)
    collector.add(System(system), positions=[0], texts=[text])
    return evaluate(suite, collector.outputs())


class TestSheets:
    def test_there_is_one_per_level_and_the_rest(self) -> None:
        names = read(render(drawn(THREE))).sheetnames
        assert names == ["categories", "phenomena", "averages", "systems", "verdicts", "notes"]

    def test_accuracies_are_numbers_shown_as_per_cent(self) -> None:
        sheet = read(render(drawn(THREE)))["categories"]
        head, ambiguity = lines(sheet)[:2]
        assert head == ("category", "items", "Best", "Other", "mean")
        assert ambiguity == ("Ambiguity", 20, 0.9, 0.65, pytest.approx(0.775))
        assert [sheet[cell].number_format for cell in ("B2", "C2")] == ["#,##0", "0.0%"]

    def test_phenomena_stand_beside_their_categories(self) -> None:
        assert [line[:3] for line in lines(read(render(drawn(THREE)))["phenomena"])] == [
            ("category", "phenomenon", "items"),
            ("Ambiguity", "Word", 20),
            ("MWE", "Idiom", 2),
        ]

    def test_first_cluster_is_bold(self) -> None:
        sheet = read(render(drawn(THREE)))["categories"]
        assert [sheet[cell].font.b for cell in ("C2", "D2", "E2")] == [True, False, False]

    def test_undefined_is_empty_and_nought_is_nought(self) -> None:
        sheet = read(render(drawn(GAP, policy="own")))["categories"]
        assert lines(sheet)[2] == ("MWE", 2, None, 1, 1)
        none_right = read(render(drawn({"Ambiguity/Word": {"A": "FF"}})))["categories"]
        assert lines(none_right)[1] == ("Ambiguity", 2, 0, 0)

    @pytest.mark.parametrize(
        ("name", "pane"),
        [("categories", "B2"), ("phenomena", "C2"), ("averages", "C2"), ("systems", "B2"), ("verdicts", "C2")],
    )
    def test_head_and_names_stay_in_sight(self, name: str, pane: str) -> None:
        assert read(render(drawn(THREE)))[name].freeze_panes == pane

    def test_averages_have_intervals_and_bounds(self) -> None:
        evaluation = drawn(THREE)
        micro = evaluation.averages()[0].cells[1]
        head, _, other = lines(read(render(evaluation))["averages"])[:3]
        found = dict(zip(head, other, strict=True))
        # 14 of the 22 items that count, and 14 or 15 of 23 with the warning failed or passed
        assert (found["average"], found["system"], found["items"]) == ("micro-average", "Other", 22)
        assert (found["correct"], found["total"], found["accuracy"]) == (14, 22, pytest.approx(14 / 22))
        assert (found["lower bound"], found["upper bound"]) == (pytest.approx(14 / 23), pytest.approx(15 / 23))
        assert (found["low"], found["high"], found["p"]) == (
            pytest.approx(micro.low),
            pytest.approx(micro.high),
            pytest.approx(micro.p),
        )
        assert found["first cluster"] is False

    def test_macro_averages_have_no_counts(self) -> None:
        macro = lines(read(render(drawn(THREE)))["averages"])[3]
        assert macro[:6] == ("category macro-average", "Best", None, 22, None, None)

    def test_systems_that_were_left_out_are_named(self) -> None:
        found = lines(read(render(drawn(THREE)))["systems"])
        assert found[2] == ("Other", None, 23, 0, 14, 8, 1, pytest.approx(1 / 23), 1, None)
        assert found[3][0] == "Lazy"
        assert "did not translate" in str(found[3][-1])

    def test_verdicts_have_a_line_per_item_and_system(self) -> None:
        evaluation = drawn(THREE)
        found = lines(read(render(evaluation))["verdicts"])
        assert found[0] == FIELDS
        assert len(found) == 1 + 23 * 2
        assert found[1] == (
            *("word-1", "Best", None, "pass", None, "pass:contains:right", "right", 0, 5),
            *("Ambiguity", "Word", "Satz word-1.", "right 0"),
        )

    def test_notes_end_with_the_signature(self) -> None:
        evaluation = drawn(THREE)
        notes = [line[1] for line in lines(read(render(evaluation))["notes"])]
        assert notes[1:] == list(map(str, accuracy_table(evaluation).notes))
        assert notes[-1] == f"Signature: {evaluation.signature}"


class TestFurtherTables:
    def test_numbers_look_as_in_the_table(self) -> None:
        cells = (
            TableCell("1,234†", 1234),
            TableCell("87.8", 0.8777, strong=True),
            TableCell("+1.2▲", 0.012),
            TableCell("8.5", 8.5),
            TableCell("0.00", 0.0004),
            TableCell("<0.001", 0.0004),
            TableCell("–"),
            TableCell("better"),
        )
        line = TableRow("phenomenon", "Idiom", cells, 0, indent=1)
        table = Table("More", "row", tuple("abcdefgh"), (line,), (Note("Read this."),))
        workbook = read(render(drawn(THREE), [table]))
        sheet = workbook["More"]
        assert lines(sheet)[1] == ("Idiom", 1234, 0.8777, 0.012, 8.5, 0.0004, 0.0004, None, "better")
        assert [cell.number_format for cell in sheet[2][1:6]] == ["#,##0", "0.0%", "0.0%", "0.0##", "0.0##"]
        assert (sheet["A2"].alignment.indent, sheet["C2"].font.b) == (1, True)
        assert lines(workbook["notes"])[-1] == ("More", "Read this.")

    def test_tables_of_an_evaluation_and_of_a_suite(self) -> None:
        evaluation = drawn(THREE)
        workbook = read(render(evaluation, [accuracy_table(evaluation, "both"), suite_table(evaluation.suite)]))
        assert workbook.sheetnames[6:] == ["drawn (de-en) accuracy in per…", "drawn (de-en)"]
        assert lines(workbook.worksheets[6])[1] == ("Ambiguity", 20, 0.9, 0.65, pytest.approx(0.775))
        assert lines(workbook.worksheets[7])[1][:3] == ("Ambiguity", 20, 20)

    def test_a_table_cannot_take_the_name_of_a_sheet(self) -> None:
        table = Table("Verdicts", "row", (), (), ())
        assert read(render(drawn(THREE), [table, table])).sheetnames[6:] == ["Verdicts 2", "Verdicts 3"]


class TestTexts:
    @pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "{=1}", "https://example.org", "0123", "TRUE"])
    def test_strings_stay_strings(self, text: str) -> None:
        sheet = read(render(one_item(text, source=text, system=text)))["verdicts"]
        for column in ("B", "L", "M"):
            assert (sheet[f"{column}2"].value, sheet[f"{column}2"].data_type) == (text, "s")
            assert sheet[f"{column}2"].hyperlink is None

    def test_long_texts_are_cut_with_a_mark(self) -> None:
        text = str(read(render(one_item("x" * 40_000)))["verdicts"]["M2"].value)
        assert (len(text), text[-2:]) == (LONGEST_TEXT, "x…")

    def test_texts_that_xml_cannot_hold_do_not_break_the_file(self) -> None:
        text = read(render(one_item("a\x01b\ud800c\ufffe")))["verdicts"]["M2"].value
        assert str(text).startswith("a")

    @pytest.mark.parametrize(
        ("text", "limit", "short"),
        [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("a😀", 3, "a😀"), ("ab😀", 3, "ab…"), ("a😀b", 3, "a…")],
    )
    def test_shorten_counts_as_excel_does(self, text: str, limit: int, short: str) -> None:
        assert shorten(text, limit) == short

    def test_lines_that_a_sheet_cannot_hold_go_to_the_next(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(spreadsheet, "MOST_LINES", 20)
        workbook = read(render(drawn(THREE)))
        parts = [workbook[name] for name in ("verdicts", "verdicts 2", "verdicts 3")]
        assert [part.max_row - 1 for part in parts] == [20, 20, 6]


class TestSheetNames:
    @pytest.mark.parametrize(
        ("title", "name"),
        [
            ("de-en: categories [all]?", "de-en categories all"),
            ("a/b\\c*d", "a b c d"),
            ("'quoted'", "quoted"),
            ("", "table"),
            ("///", "table"),
            ("History", "history of"),
            ("x" * 40, "x" * 30 + "…"),
        ],
    )
    def test_excels_rules(self, title: str, name: str) -> None:
        assert sheet_name(title, set()) == name

    @given(st.lists(st.text(max_size=40) | st.just("a" * 40), max_size=12))
    def test_names_are_valid_and_unique(self, titles: list[str]) -> None:
        taken: set[str] = set()
        names = [sheet_name(title, taken) for title in titles]
        assert len({name.casefold() for name in names}) == len(titles)
        for name in names:
            assert 0 < len(name.encode("utf-16-le")) <= 2 * LONGEST_NAME
            assert not set(name) & set("[]:*?/\\")
            assert not name.startswith("'")
            assert not name.endswith("'")


def test_the_same_results_are_the_same_file() -> None:
    def written() -> bytes:
        return workbook([Sheet("numbers", ["a"], [[SheetCell(1.5)]], 1)])

    core = ZipFile(BytesIO(written())).read("docProps/core.xml").decode()
    # xlsxwriter would write the present time twice.
    assert re.findall(r">(\d{4}-[^<]*)<", core) == ["2000-01-01T00:00:00Z"] * 2
    assert written() == written()


def test_a_text_that_looks_like_markup_is_a_text() -> None:
    """xlsxwriter takes `<r>…</r>` for pieces with a style and writes it as it stands: a broken workbook."""
    data = workbook([Sheet("texts", ["<r>&</r>"], [[SheetCell("<r>a & b</r>")]], 1)])
    assert lines(read(data)["texts"]) == [("<r>&</r>",), ("<r>a & b</r>",)]
