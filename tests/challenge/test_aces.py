"""ACES TSV as others write it: unquoted, or quoted by pandas; and TSV of both kinds."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.challenge.files.sets import read_challenge, write_challenge
from assay.errors import BadFile
from assay.tsv import plain_rows
from tests.challenge.challenges import GARDEN, texts

HEAD = "source\tgood-translation\tincorrect-translation\treference\tphenomena\tlangpair\n"


def aces(folder: Path, text: str, name: str = "ACES.tsv") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8", newline="")
    return file


def test_quotes_of_an_unquoted_file_belong_to_the_texts(tmp_path: Path) -> None:
    found = read_challenge(aces(tmp_path, HEAD + 'Ja.\t"Yes."\t"No.\tYes \\n .\tantonym-replacement\tde-en\n'))
    item = found.items[0]
    assert (item.first, item.second, item.reference, item.correct) == ('"Yes."', '"No.', "Yes .", 1)
    assert (item.category, item.phenomenon) == ("real-world knowledge", "antonym-replacement")
    assert (found.name, found.langpair, item.id) == ("ACES", "de-en", "1")


def test_quotes_of_pandas_are_taken_off(tmp_path: Path) -> None:
    row = 'Ja.\t"He said ""yes""."\t"No\nNo"\tYes.\tA :: B\tde-en\n'
    item = read_challenge(aces(tmp_path, HEAD + row)).items[0]
    assert (item.first, item.second) == ('He said "yes".', "No No")
    assert (item.category, item.phenomenon) == ("A", "B")


def test_several_language_pairs_and_none(tmp_path: Path) -> None:
    rows = "a\tb\tc\td\te\tde-en\na\tb\tc\td\te\ten-fr\n"
    assert read_challenge(aces(tmp_path, HEAD + rows)).langpair == "mul-mul"
    bare = HEAD.replace("\tlangpair", "") + "a\tb\tc\td\te\n"
    assert read_challenge(aces(tmp_path, bare)).langpair == ""
    assert read_challenge(aces(tmp_path, bare, "some.de-en.tsv")).langpair == "de-en"


def test_programs_for_aces_find_its_columns(tmp_path: Path) -> None:
    write_challenge(GARDEN, tmp_path / "set.tsv", "aces")
    with (tmp_path / "set.tsv").open(encoding="utf-8", newline="") as stream:
        first = next(csv.DictReader(stream, dialect="excel-tab", quoting=csv.QUOTE_NONE))
    assert first["good-translation"] == 'His "jaw" is hurting.'
    assert first["incorrect-translation"] == "His pine hurts."
    assert first["phenomena"] == "Ambiguity :: Lexical ambiguity"


def test_a_quote_in_a_column_that_only_our_own_files_have(tmp_path: Path) -> None:
    write_challenge(GARDEN, tmp_path / "set.tsv", "aces")
    text = (tmp_path / "set.tsv").read_text(encoding="utf-8")
    assert "\tid\t" in text
    with pytest.raises(BadFile, match=r':1: the column name "id has a quote; write the names of columns without'):
        read_challenge(aces(tmp_path, text.replace("\tid\t", '\t"id\t', 1)))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            HEAD.replace("reference", '"reference') + "a\tb\tc\td\te\tde-en\n",
            ':1: the column name "reference has a quote',
        ),
        (HEAD.replace("source", '"source"') + 'a\t"b\tc\td\te\tde-en\n', ':1: the column name "source" has a quote'),
        (HEAD.replace("reference", "ref") + "a\tb\tc\td\te\tde-en\n", ":1: no column 'reference'; an ACES file has"),
        (HEAD + "a\tb\tc\n", ":2: 3 cells under 6 columns"),
        (HEAD, "no challenge items"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        read_challenge(aces(tmp_path, text))


def test_an_own_file_says_which_is_first(tmp_path: Path) -> None:
    write_challenge(GARDEN, tmp_path / "set.tsv", "aces")
    text = (tmp_path / "set.tsv").read_text("utf-8")
    with pytest.raises(BadFile, match=":3: 'correct' is empty"):
        read_challenge(aces(tmp_path, text.replace("c2\t1", "c2\t")))


@given(
    rows=st.lists(st.lists(texts, min_size=3, max_size=3), min_size=1, max_size=4),
    ending=st.sampled_from(["\n", "\r\n"]),
)
def test_what_csv_wrote_is_read_as_csv_does(rows: list[list[str]], ending: str) -> None:
    stream = StringIO(newline="")
    csv.writer(stream, dialect="excel-tab", lineterminator=ending).writerows([["a", "b", "c"], *rows])
    kept = [row for row in rows if any(row)]
    found = [list(row.values()) for _, row in plain_rows(Path("x"), stream.getvalue()) if any(row.values())]
    assert found == kept
