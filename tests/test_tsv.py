"""No cell is a formula for a spreadsheet, and every text comes back as it was."""

from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.reports.data import csv_text
from assay.tsv import TsvWriter, defused, read_tsv, restored


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('=HYPERLINK("http://x","y")', '\'=HYPERLINK("http://x","y")'),
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("- Ja.", "'- Ja."),
        ("+49 30", "'+49 30"),
        ("'=1", "''=1"),
        ("'Tis true.", "'Tis true."),
        ("a=b", "a=b"),
        ("-0.5", "-0.5"),
        ("+3e-07", "+3e-07"),
        ("", ""),
    ],
)
def test_what_looks_like_a_formula_gets_an_apostrophe(text: str, written: str) -> None:
    assert defused(text) == written
    assert restored(written) == text


@given(st.text(alphabet="'=+-@1a.e ", max_size=6) | st.text(max_size=20))
def test_every_cell_comes_back(text: str) -> None:
    assert restored(defused(text)) == text


def test_tables_are_written_and_read_so(tmp_path: Path) -> None:
    texts = ["=1+1", "'=1", "- Nein.", "plain", "-7"]
    stream = StringIO()
    TsvWriter(stream).writerows([["text"], *([text] for text in texts)])
    (tmp_path / "some.tsv").write_text(stream.getvalue(), encoding="utf-8")
    assert [record["text"] for _, record in read_tsv(tmp_path / "some.tsv")] == texts
    assert stream.getvalue().splitlines()[1] == "'=1+1"


def test_numbers_of_csv_files_stay_numbers() -> None:
    assert csv_text(["=head"], [[-0.5, "=1", True, None, "-3"]]) == "'=head\n-0.5,'=1,true,,-3\n"
