"""To-do files as Excel and LibreOffice save them: the bytes are those that they write."""

import csv
import gzip
import io
import random
import tempfile
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadFile
from assay.outputs import System
from assay.text import normalise
from assay.tsv import read_tsv
from assay.verdicts.judgements import Judgement
from assay.verdicts.queue import Task
from assay.verdicts.todo import BLIND_FIELDS, FIELDS, read_todo, write_todo
from tests.suites.building import an_item

IDS = ["f/a", "f/b"]
RIGHT = Judgement("f/a", 'Er sagte: „Nein; später.“ Und: "Ja, gut."', "pass", comment="völlig richtig")
WRONG = Judgement("f/b", "- Ja.", "fail")

# Excel for Germany: "CSV UTF-8 (durch Trennzeichen getrennt)".
GERMAN = (
    BOM_UTF8
    + (
        "item;source;text;verdict;comment;;\r\n"
        'f/a;Ein Satz.;"Er sagte: „Nein; später.“ Und: ""Ja, gut.""";Pass;völlig richtig;;\r\n'
        "f/b;Noch einer.;'- Ja.;FAIL ;;;\r\n"
        ";;;;;;\r\n"
    ).encode()
)

# Excel: "Unicode text (*.txt)".
UNICODE_TEXT = BOM_UTF16_LE + (
    "item\tsource\ttext\tverdict\tcomment\r\n"
    'f/a\tEin Satz.\t"Er sagte: „Nein; später.“ Und: ""Ja, gut."""\tpass\tvöllig richtig\r\n'
    "f/b\tNoch einer.\t'- Ja.\tfail\r\n"  # empty cells at the end are left out
).encode("utf-16-le")

# Excel for the United States and LibreOffice: commas.
COMMAS = (
    "item,source,text,verdict,comment\n"
    'f/a,Ein Satz.,"Er sagte: „Nein; später.“ Und: ""Ja, gut.""",p,völlig richtig\n'
    "f/b,Noch einer.,'- Ja.,F,\n"
).encode()

# LibreOffice, "quote all text cells", and columns moved.
QUOTED = (
    '"Comment"\t"VERDICT"\t"mine"\t" Text "\t"item"\n'
    '"völlig richtig"\t"pass"\t"=1+1"\t"Er sagte: „Nein; später.“ Und: ""Ja, gut."""\t"f/a"\n'
    "\n"
    '""\t"\xa0fail"\t""\t"\'- Ja."\t"f/b"\n'
).encode()

# With the line that tells Excel the separator; what is told need not be true any more.
DECLARED = b"sep=;\r\n" + GERMAN.removeprefix(BOM_UTF8)
DECLARED_WRONG = BOM_UTF8 + b'"sep=,"\r\n' + GERMAN.removeprefix(BOM_UTF8)
BIG_ENDIAN = BOM_UTF16_BE + UNICODE_TEXT.removeprefix(BOM_UTF16_LE).decode("utf-16-le").encode("utf-16-be")
OLD_MAC = UNICODE_TEXT.removeprefix(BOM_UTF16_LE).decode("utf-16-le").replace("\r\n", "\r").encode()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("todo.csv", GERMAN),
        ("todo.txt", UNICODE_TEXT),
        ("todo.tsv", UNICODE_TEXT),
        ("todo.csv", COMMAS),
        ("todo.tsv", QUOTED),
        ("todo.csv", DECLARED),
        ("todo.csv", DECLARED_WRONG),
        ("todo.csv", BIG_ENDIAN),
        ("todo.txt", OLD_MAC),
        ("todo.csv.gz", gzip.compress(GERMAN)),
    ],
)
def test_what_a_spreadsheet_saves_comes_back(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert list(read_todo(tmp_path / name, IDS).judgements) == [RIGHT, WRONG]


def a_workbook(file: Path, title: str, *rows: tuple[str, ...]) -> Path:
    book = openpyxl.Workbook()
    book.worksheets[0].title = title
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file


def test_a_text_file_that_was_saved_as_a_workbook_comes_back(tmp_path: Path) -> None:
    """It keeps the apostrophe of the text file, which a workbook of Assay's own does not have."""
    file = a_workbook(tmp_path / "todo.xlsx", "todo", ("Item", "Text", "Verdict"), ("f/a", "'- Ja.", "pass"))
    assert list(read_todo(file, IDS).judgements) == [Judgement("f/a", "- Ja.", "pass")]


def test_cells_that_have_a_kind_and_nothing_in_them_are_blank(tmp_path: Path) -> None:
    file = a_workbook(tmp_path / "todo.xlsx", "todo", ("item", "text", "verdict"), ("f/a", "Ja.", ""), ("f/b", "", ""))
    assert list(read_todo(file, IDS).judgements) == []


def test_an_apostrophe_in_a_workbook_of_assay_is_one_of_the_text(tmp_path: Path) -> None:
    file = tmp_path / "todo.xlsx"
    write_todo([Task(an_item("f/a"), "'- Ja.'", "no_match", (System("A"),), 1)], file)
    book = openpyxl.load_workbook(file)
    book.worksheets[0].cell(2, 1 + FIELDS.index("verdict"), "pass")
    book.save(file)
    assert list(read_todo(file, IDS).judgements) == [Judgement("f/a", "'- Ja.'", "pass")]


def test_a_workbook_may_have_any_name(tmp_path: Path) -> None:
    file = a_workbook(tmp_path / "a.xlsx", "a", ("item", "text", "verdict"), ("f/a", "Ja.", "pass"))
    assert list(read_todo(file.rename(tmp_path / "todo.tsv"), IDS).judgements) == [Judgement("f/a", "Ja.", "pass")]


def test_a_tab_before_a_formula_is_taken_off(tmp_path: Path) -> None:
    (tmp_path / "todo.csv").write_text('item,text,verdict\nf/a,"\t=1+1",pass\n', encoding="utf-8")
    assert list(read_todo(tmp_path / "todo.csv", IDS).judgements) == [Judgement("f/a", "=1+1", "pass")]


def test_ids_that_a_spreadsheet_took_for_numbers_are_found(tmp_path: Path) -> None:
    (tmp_path / "todo.csv").write_text("item,text,verdict\n551012,Ja.,pass\n7,Nein.,fail\n", encoding="utf-8")
    found = list(read_todo(tmp_path / "todo.csv", ["00551012", "00551013", "7"]).judgements)
    assert [judgement.item for judgement in found] == ["00551012", "7"]


def test_a_number_that_could_be_two_ids_is_none(tmp_path: Path) -> None:
    (tmp_path / "todo.csv").write_text("item,text,verdict\n7,Ja.,pass\n", encoding="utf-8")
    with pytest.raises(BadFile, match="no item '7' in the suite"):
        list(read_todo(tmp_path / "todo.csv", ["007", "07"]).judgements)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            GERMAN.replace(b"FAIL ", b"falsch"),
            ":3: row 3, column 'verdict': 'falsch' is no verdict; write pass or fail (or p, f), or leave it blank",
        ),
        (DECLARED.replace(b"FAIL ", b"?"), ":4: row 3, column 'verdict': '?' is no verdict; write pass or fail"),
        (
            b'item,comment,text,verdict\nf/a,"two\nlines",x,p\nf/b,,y,pp\n',
            ":4: row 3, column 'verdict': 'pp' is no verdict; write pass or fail",
        ),
        (
            "item;text;verdict\nf/a;schön;p\n".encode("cp1252"),
            ":2: not UTF-8 (byte 0xf6); save it as a workbook (.xlsx) or as CSV UTF-8",
        ),
        (UNICODE_TEXT[:-1], ": the UTF-16 file is damaged; save it as a workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ": a workbook of the old kind (.xls); save it as a workbook (.xlsx)"),
        (BOM_UTF8, ": the file is empty"),
        (b"", ": the file is empty"),
        (b"item|text|verdict\nf/a|x|p\n", ":1: no column 'item'; keep the header of assay warnings"),
        (b"\n\nitem,text\nf/a,x\n", ":3: no column 'verdict'; keep the header of assay warnings"),
        (b"item,text,verdict,Verdict\nf/a,x,p,p\n", ":1: a column name stands twice"),
        (b"item,text,verdict\nf/a,,p\n", ":2: row 2: a verdict without a text; leave texts as they were"),
        (b"item,text,verdict\nf/a,a, b,p\n", ":2: 4 cells under 3 columns; a text with a separator"),
        (b'item,text,verdict\nf/a,"No," she said,p\n', ":2: not a row of a table: "),
    ],
)
def test_a_slip_is_named_by_file_line_and_cure(tmp_path: Path, content: bytes, problem: str) -> None:
    file = tmp_path / "todo.csv"
    file.write_bytes(content)
    with pytest.raises(BadFile) as caught:
        list(read_todo(file, IDS).judgements)
    assert str(caught.value).startswith(f"{file}{problem}")


@pytest.mark.parametrize("name", ["todo.tsv", "todo.xlsx"])
def test_a_blind_file_does_not_say_who_wrote_a_text_and_comes_back(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    write_todo([Task(an_item("f/a"), "Ja.", "no_match", (System("Acme"), System("Best", "W1")), 1)], file, blind=True)
    if name == "todo.tsv":
        assert "Acme" not in file.read_text("utf-8")
        [(_, row)] = read_tsv(file)
        assert tuple(row) == BLIND_FIELDS
        file.write_text(
            "\t".join(BLIND_FIELDS) + "\n" + "\t".join((dict(row) | {"verdict": "pass"}).values()) + "\n", "utf-8"
        )
    else:
        book = openpyxl.load_workbook(file)
        [head, cells] = book.worksheets[0].iter_rows(values_only=True)
        assert "Acme" not in cells
        book.worksheets[0].cell(2, 1 + head.index("verdict"), "pass")
        book.save(file)
    assert list(read_todo(file, IDS).judgements) == [Judgement("f/a", "Ja.", "pass")]


# What delimiters, quotes and formulas are made of, among other texts. A cell begins and ends as it likes.
CELLS = st.text(st.sampled_from("=+-@'\"\t;,\n\r aä“„😀\ufeff") | st.characters(exclude_categories=["Cs"]), max_size=8)


@given(
    st.lists(
        st.tuples(CELLS.map(normalise).filter(bool), st.sampled_from(["pass", "fail"]), CELLS), min_size=1, max_size=5
    ),
    st.sampled_from(["\t", ";", ","]),
    st.sampled_from([(b"", "utf-8"), (BOM_UTF8, "utf-8"), (BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_every_text_comes_back_from_every_kind_of_file(
    lines: list[tuple[str, str, str]],
    delimiter: str,
    encoding: tuple[bytes, str],
    quoting: int,
    declared: bool,
    chance: random.Random,
) -> None:
    ids = [f"f/{number}" for number in range(len(lines))]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "todo.tsv"
        tasks = [
            Task(an_item(name), text, "no_match", (System("A"),), 1)
            for name, (text, *_) in zip(ids, lines, strict=True)
        ]
        write_todo(tasks, file)
        columns = chance.sample(FIELDS, len(FIELDS))
        stream = io.StringIO(newline="")
        # A spreadsheet keeps the apostrophe before a formula, which is part of the cell to it.
        with file.open(encoding="utf-8", newline="") as written:
            rows = list(csv.DictReader(written, dialect="excel-tab"))
        if declared:
            stream.write(f"sep={delimiter}\r\n")
        writer = csv.writer(stream, delimiter=delimiter, quoting=quoting, lineterminator="\r\n")  # type: ignore[arg-type]
        writer.writerow([*columns, ""])
        for row, (_, verdict, comment) in zip(rows, lines, strict=True):
            filled = row | {"verdict": chance.choice([verdict, verdict.upper(), f" {verdict[0]} "]), "comment": comment}
            writer.writerow([*(filled[name] for name in columns), ""])
        mark, codec = encoding
        file.write_bytes(mark + stream.getvalue().encode(codec))
        found = list(read_todo(file, ids).judgements)
    assert [(judgement.item, judgement.verdict) for judgement in found] == [
        (name, verdict) for name, (_, verdict, _) in zip(ids, lines, strict=True)
    ]
    assert [judgement.text for judgement in found] == [text for text, *_ in lines]
