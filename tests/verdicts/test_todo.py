"""The to-do file: out to the linguist and back."""

import tempfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.errors import BadFile
from assay.outputs import System
from assay.spreadsheet import LONGEST_TEXT, Sheet, SheetCell, read_sheet, workbook
from assay.tsv import TsvWriter, read_tsv
from assay.verdicts.judgements import Judgement
from assay.verdicts.queue import Task
from assay.verdicts.todo import FIELDS, read_todo, write_todo
from assay.verdicts.todo_table import todo_rows
from tests.suites.building import an_item

TASKS = [
    Task(an_item("f/a", "Ein\tSatz."), 'He said "no".', "no_match", (System("A"), System("B", "W1")), 1),
    Task(an_item("f/b"), "Two", "contradiction", (System("A"),), None),
]


def filled(file: Path, *verdicts: str, comment: str = "") -> None:
    """Fill in the column `verdict` as a linguist would."""
    rows = [dict(row) for _, row in read_tsv(file)]
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = TsvWriter(stream)
        writer.writerow(FIELDS)
        for row, verdict in zip(rows, verdicts, strict=True):
            writer.writerow((row | {"verdict": verdict, "comment": comment}).values())


@pytest.mark.parametrize("name", ["todo.tsv", "todo.xlsx"])
def test_prompts_stand_behind_the_source_where_there_are_any(tmp_path: Path, name: str) -> None:
    told = replace(TASKS[1], item=replace(TASKS[1].item, prompt="Be brief.\n" * 4000))
    write_todo([TASKS[0], told], tmp_path / name, blind=True)
    rows = todo_rows(tmp_path / name)
    assert [row.cells["item"] for row in rows] == ["f/a", "f/b"]
    if name == "todo.tsv":
        first, second = (row for _, row in read_tsv(tmp_path / name))
        assert list(first)[3:6] == ["source", "prompt", "tests"]
        assert (first["prompt"], second["prompt"][:9]) == ("", "Be brief.")


def test_a_rubric_stands_behind_the_source_where_there_is_one(tmp_path: Path) -> None:
    write_todo([replace(TASKS[0], item=replace(TASKS[0].item, rubric="Is it no?"))], tmp_path / "todo.tsv")
    [(_, row)] = read_tsv(tmp_path / "todo.tsv")
    assert list(row)[3:6] == ["source", "rubric", "tests"]
    assert row["rubric"] == "Is it no?"


def test_a_task_is_a_line_to_fill_in(tmp_path: Path) -> None:
    write_todo(TASKS, tmp_path / "todo.tsv")
    (_, first), (_, second) = read_tsv(tmp_path / "todo.tsv")
    assert first == {
        "item": "f/a",
        "category": "Ambiguity",
        "phenomenon": "Lexical ambiguity",
        "source": "Ein\tSatz.",
        "tests": "",
        "text": 'He said "no".',
        "reason": "no_match",
        "systems": "A, B (W1)",
        "left": "1",
        "verdict": "",
        "comment": "",
    }
    assert second["left"] == ""


@pytest.mark.parametrize(
    ("answer", "verdict"), [("pass", "pass"), ("p", "pass"), (" FAIL ", "fail"), ("f", "fail"), ("Pass", "pass")]
)
def test_what_was_filled_in_comes_back(tmp_path: Path, answer: str, verdict: str) -> None:
    write_todo(TASKS, tmp_path / "todo.tsv")
    filled(tmp_path / "todo.tsv", answer, "", comment=" sure ")
    found = list(read_todo(tmp_path / "todo.tsv", ["f/a", "f/b"]).judgements)
    assert found == [Judgement("f/a", 'He said "no".', verdict, comment="sure")]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "item\ttext\tverdict\nf/a\tone\tmaybe\n",
            ":2: row 2, column 'verdict': 'maybe' is no verdict; write pass or fail",
        ),
        ("item\ttext\tverdict\nf/z\tone\tpass\n", ":2: no item 'f/z' in the suite"),
        ("item\ttext\nf/a\tone\n", ":1: no column 'verdict'"),
        ("item\ttext\tverdict\nf/a\tone\tp\nf/a\tone\tf\n", ":3: this text of item 'f/a' was judged in line 2 too"),
        ("item\ttext\tverdict\nf/a\tone\tp\tq\n", ":2: 4 cells under 3 columns"),
        ("item\ttext\tverdict\nf/a\tone\ntwo\tpass\n", ":3: a short line that begins with no item ('two')"),
    ],
)
def test_a_slip_is_named_by_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "todo.tsv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        list(read_todo(file, ["f/a"]).judgements)
    assert str(caught.value).startswith(f"{file}{problem}")


def test_the_same_text_in_two_spellings_cannot_be_judged_both_ways(tmp_path: Path) -> None:
    """They are one text for the rules: white space is folded."""
    file = tmp_path / "todo.tsv"
    file.write_text("item\ttext\tverdict\nf/a\tone  two\tpass\nf/a\tone two\tfail\n", encoding="utf-8")
    with pytest.raises(BadFile, match="judged in line 2 too"):
        list(read_todo(file, ["f/a"]).judgements)


# As a workbook


def filled_workbook(file: Path, *verdicts: str) -> None:
    """Fill in the column `verdict` in a spreadsheet, which writes the file in its own way."""
    book = openpyxl.load_workbook(file)
    for row, verdict in enumerate(verdicts, start=2):
        book.worksheets[0].cell(row, 1 + FIELDS.index("verdict"), verdict or None)
    book.save(file)


def a_workbook(file: Path, *rows: tuple[str | int | None, ...]) -> Path:
    """A workbook as a spreadsheet writes it; a value that begins with `=` is a formula."""
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file


def test_a_workbook_has_the_same_lines_as_the_tsv_file(tmp_path: Path) -> None:
    write_todo(TASKS, tmp_path / "todo.tsv")
    write_todo(TASKS, tmp_path / "todo.xlsx")
    assert list(read_sheet(tmp_path / "todo.xlsx", FIELDS)) == list(read_tsv(tmp_path / "todo.tsv"))


def test_a_workbook_that_a_spreadsheet_saved_comes_back(tmp_path: Path) -> None:
    write_todo(TASKS, tmp_path / "todo.xlsx")
    filled_workbook(tmp_path / "todo.xlsx", "", "F")
    assert list(read_todo(tmp_path / "todo.xlsx", ["f/a", "f/b"]).judgements) == [Judgement("f/b", "Two", "fail")]


def test_the_same_texts_are_the_same_workbook(tmp_path: Path) -> None:
    for name in ("one.xlsx", "two.xlsx"):
        write_todo(TASKS, tmp_path / name)
    assert (tmp_path / "one.xlsx").read_bytes() == (tmp_path / "two.xlsx").read_bytes()


# What spreadsheets, XML and the library take for something else.
ODD = st.sampled_from(
    ["=", "'", "+1", "\t", "\n", "\r", "\x00", "\x1b", "_x0041_", "x005F_", "<r>", "</r>", "&", "\ufffe"]
)


@given(st.lists(st.lists(ODD | st.text(max_size=5), min_size=1).map("".join), min_size=1, max_size=5))
@example(["=HYPERLINK(1)", "'=1", "\tx\n", "a\r\nb", "\x00\x07", "_x0041_", "<r>a & b</r>", "😀"])
def test_every_text_comes_back_as_it_was_or_is_refused(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "todo.xlsx"
        try:
            write_todo([Task(an_item("f/a"), text, "no_match", (System("A"),), 1) for text in texts], file)
        except BadFile:
            # Only what the library writes wrongly: its own escapes within each other, or within its own markup.
            assert any("_x" in text or "<r>" in text for text in texts)
            assert not file.exists()
        else:
            assert [record["text"] for _, record in read_sheet(file, ["item", "text"])] == texts
            cells = openpyxl.load_workbook(file).worksheets[0].iter_rows(min_row=2)
            assert all(cell.data_type != "f" for row in cells for cell in row)


@pytest.mark.parametrize("text", ["a" * (LONGEST_TEXT + 1), "half \ud800"])
def test_a_text_that_no_cell_can_hold_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadFile, match=r"todo.xlsx: item 'f/a': a cell cannot hold this text.*; write a .tsv file"):
        write_todo([Task(an_item("f/a"), text, "no_match", (System("A"),), 1)], tmp_path / "todo.xlsx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (
            [("item", "text", "verdict"), ("f/a", "one", "maybe")],
            ":2: row 2, column 'verdict': 'maybe' is no verdict; write pass or fail",
        ),
        ([("item", "text"), ("f/a", "one")], ":1: no column 'verdict'"),
        ([("item", "item"), ("f/a", "one")], ":1: a column name stands twice"),
        ([("item", "text", "verdict"), ("f/a", "=1+1", "p")], ":2: a formula in the column 'text'; type it with"),
        ([("item", "text", "verdict"), ("f/a", 1, "p"), (None,), ("f/a", "1", "f")], ":4: this text of item 'f/a'"),
    ],
)
def test_a_slip_in_a_workbook_is_named_by_line(
    tmp_path: Path, rows: list[tuple[str | int | None, ...]], problem: str
) -> None:
    file = a_workbook(tmp_path / "todo.xlsx", *rows)
    with pytest.raises(BadFile) as caught:
        list(read_todo(file, ["f/a"]).judgements)
    assert str(caught.value).startswith(f"{file}{problem}")


def test_columns_and_sheets_of_the_linguist_are_left_alone(tmp_path: Path) -> None:
    file = a_workbook(
        tmp_path / "todo.xlsx", ("verdict", "mine", "text", "item"), ("p", "=1+1", "one", "f/a"), ("", "=2", "", "")
    )
    book = openpyxl.load_workbook(file)
    book.create_sheet("notes").append(["whatever"])
    book.save(file)
    assert list(read_todo(file, ["f/a"]).judgements) == [Judgement("f/a", "one", "pass")]


def test_pieces_with_a_style_of_their_own_are_one_text(tmp_path: Path) -> None:
    """As Excel writes a cell of which one word is bold, without numbers of lines and columns."""
    sheet = (
        "<worksheet><sheetData><row><c t='inlineStr'><is><t>item</t></is></c><c t='str'><v>text</v></c></row>"
        "<row><c t='s'><v>0</v></c><c t='s'><v>1</v></c></row></sheetData></worksheet>"
    )
    strings = (
        "<sst><si><t>f/a</t></si><si><r><t>No </t></r><r><rPr><b/></rPr><t>one</t></r><rPh><t>X</t></rPh></si></sst>"
    )
    book = "<workbook xmlns:r='r'><sheets><sheet name='a' r:id='r1'/></sheets></workbook>"
    kinds = "<Relationships><Relationship Id='r1' Type='x/worksheet' Target='/xl/a.xml'/>{}</Relationships>"
    file = tmp_path / "todo.xlsx"
    with ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", book)
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            kinds.format("<Relationship Id='r2' Type='x/sharedStrings' Target='b.xml'/>"),
        )
        archive.writestr("xl/a.xml", sheet)
        archive.writestr("xl/b.xml", strings)
    assert list(read_sheet(file, ["item", "text"])) == [(2, {"item": "f/a", "text": "No one"})]


class TestNoWorkbook:
    """One line whatever is wrong with it, and nothing unpacked that is too large."""

    def refusal(self, file: Path, content: bytes) -> str:
        file.write_bytes(content)
        with pytest.raises(BadFile) as caught:
            list(read_todo(file, ["f/a"]).judgements)
        return str(caught.value)

    def test_a_file_of_another_kind(self, tmp_path: Path) -> None:
        file = tmp_path / "todo.xlsx"
        expected = f"{file}: no workbook, or a damaged one; save it again as an Excel workbook (.xlsx)"
        assert self.refusal(file, b"item\ttext\tverdict\n") == expected
        assert self.refusal(file, b"") == expected

    def test_cut_off_or_with_a_wrong_part(self, tmp_path: Path) -> None:
        whole = workbook([Sheet("a", ("item",), [[SheetCell("f/a")]], 1)])
        file = tmp_path / "todo.xlsx"
        for part, content in {
            "xl/sharedStrings.xml": "<sst>",
            "xl/worksheets/sheet1.xml": "<worksheet><row><c t='s'><v>9</v></c></row></worksheet>",
            "xl/workbook.xml": "<workbook/>",
            "xl/_rels/workbook.xml.rels": "<a/>",
        }.items():
            stream = BytesIO()
            with ZipFile(BytesIO(whole)) as old, ZipFile(stream, "w") as new:
                for name in old.namelist():
                    new.writestr(name, content if name == part else old.read(name))
            assert "no workbook, or a damaged one" in self.refusal(file, stream.getvalue())
        assert "no workbook, or a damaged one" in self.refusal(file, whole[: len(whole) // 2])

    def test_entities_within_entities(self, tmp_path: Path) -> None:
        nested = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 20}">' for n in range(1, 8))
        bomb = f'<!DOCTYPE sst [<!ENTITY e0 "{"x" * 50}">{nested}]><sst><si><t>&e7;</t></si></sst>'
        stream = BytesIO()
        with (
            ZipFile(BytesIO(workbook([Sheet("a", ("item",), [[SheetCell("f/a")]], 1)]))) as old,
            ZipFile(stream, "w") as new,
        ):
            for name in old.namelist():
                new.writestr(name, bomb if name == "xl/sharedStrings.xml" else old.read(name))
        assert "no workbook, or a damaged one" in self.refusal(tmp_path / "todo.xlsx", stream.getvalue())

    def test_a_part_that_unpacks_to_more_than_the_limit(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_MAX_FILE", "1")
        stream = BytesIO()
        with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
            archive.writestr("xl/workbook.xml", b" " * (1024**2 + 1))
        assert "more than 1 MB, unpacked" in self.refusal(tmp_path / "todo.xlsx", stream.getvalue())
