"""TSV and JSONL with item ids."""

import csv
import json
from pathlib import Path

import pytest

from assay.errors import BadFile, BadOption, UnpairedFile
from assay.outputs.load import load_outputs
from assay.tsv import TsvWriter
from tests.suites.building import a_suite, an_item

SUITE = a_suite(an_item("a", "Eins."), an_item("b", "Zwei."))


def file_with(tmp_path: Path, text: str, name: str = "sys.tsv") -> Path:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8", newline="")
    return file


def texts(file: Path, campaign: str = "") -> dict[tuple[str, str], list[str]]:
    outputs = load_outputs(SUITE, file, campaign=campaign)
    return {
        (system.name, system.campaign): [outputs.text(item, column) for item in (0, 1)]
        for column, system in enumerate(outputs.systems)
    }


@pytest.mark.parametrize("item", ["item", "item_id", "id"])
@pytest.mark.parametrize("text", ["text", "output", "translation", "hypothesis", "target"])
def test_columns_are_known_by_several_names(tmp_path: Path, item: str, text: str) -> None:
    assert texts(file_with(tmp_path, f"{text}\tnoise\t{item}\ntwo\t!\tb\none\t?\ta\n")) == {("sys", ""): ["one", "two"]}


def test_a_table_may_hold_several_systems_and_campaigns(tmp_path: Path) -> None:
    table = "item\tsystem\tcampaign\ttext\na\tX\tW1\tone\na\tY\tW1\tuno\na\tX\tW2\teins\n"
    file = file_with(tmp_path, table)
    assert texts(file) == {("X", "W1"): ["one", ""], ("Y", "W1"): ["uno", ""], ("X", "W2"): ["eins", ""]}
    assert texts(file, campaign="W2") == {("X", "W2"): ["eins", ""]}


def test_an_item_that_is_not_in_the_table_is_not_found(tmp_path: Path) -> None:
    assert load_outputs(SUITE, file_with(tmp_path, "item\ttext\nb\ttwo\n")).found.tolist() == [1]


@pytest.mark.parametrize(
    "text", ['a "quoted" word', "tab\there", "new\nline", '"all quoted"', "\r\n", "carriage\rreturn"]
)
def test_what_python_csv_wrote_is_read_back(tmp_path: Path, text: str) -> None:
    file = tmp_path / "sys.tsv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = TsvWriter(stream)
        writer.writerow(["item", "text"])
        writer.writerow(["a", text])
    assert texts(file) == {("sys", ""): [text, ""]}
    with file.open(encoding="utf-8", newline="") as stream:
        assert list(csv.reader(stream, dialect="excel-tab")) == [["item", "text"], ["a", text]]


def test_a_byte_order_mark_and_windows_lines_are_accepted(tmp_path: Path) -> None:
    assert texts(file_with(tmp_path, "\ufeffitem\ttext\r\na\tone\r\n\r\n")) == {("sys", ""): ["one", ""]}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("item\ttext\na\tone\tmore\n", ":2: 3 cells under 2 columns"),
        ("item\ttext\na\tone\nb\n", ":3: 1 cells under 2 columns"),
        ("item\titem\na\ta\n", ":1: a column name stands twice"),
        ("name\ttext\na\tone\n", ":2: no column with the item's id and the text"),
        ("item\tcomment\na\tone\n", ":2: no column with the item's id and the text"),
        ("item\ttext\n", ": no outputs"),
        ("item\ttext\na\tone\na\tuno\n", ":3: item 'a' stands twice for system 'sys'"),
        ('item\ttext\na\t"one\nb\ttwo\n', ":"),
        ('item\ttext\na\t"Yes", he said.\n', ":2: not a TSV row"),
    ],
)
def test_a_slip_is_named_by_line(tmp_path: Path, text: str, problem: str) -> None:
    file = file_with(tmp_path, text)
    with pytest.raises(BadFile) as caught:
        load_outputs(SUITE, file)
    assert str(caught.value).startswith(f"{file}{problem}")


def test_an_unknown_item_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnpairedFile, match=r"sys\.tsv: no item 'z' in suite garden"):
        load_outputs(SUITE, file_with(tmp_path, "item\ttext\nz\tone\n"))


def test_a_campaign_that_is_not_in_the_table_is_refused(tmp_path: Path) -> None:
    file = file_with(tmp_path, "item\tcampaign\ttext\na\tW1\tone\n")
    with pytest.raises(BadFile, match=r"sys\.tsv: no outputs of campaign 'W9'"):
        load_outputs(SUITE, file, campaign="W9")


def test_one_name_for_several_systems_is_refused(tmp_path: Path) -> None:
    file = file_with(tmp_path, "item\tsystem\ttext\na\tX\tone\na\tY\tuno\n")
    with pytest.raises(BadOption, match="holds 2 systems"):
        load_outputs(SUITE, f"mine={file}")


def test_a_name_by_hand_wins_over_the_one_in_the_table(tmp_path: Path) -> None:
    file = file_with(tmp_path, "item\tsystem\tcampaign\ttext\na\tX\tW1\tone\n")
    systems = load_outputs(SUITE, f"mine={file}").systems
    assert [(system.name, system.campaign) for system in systems] == [("mine", "W1")]


# JSONL


def jsonl(tmp_path: Path, *records: dict[str, object]) -> Path:
    return file_with(tmp_path, "".join(json.dumps(record) + "\n" for record in records), "sys.jsonl")


def test_jsonl_holds_the_same_fields(tmp_path: Path) -> None:
    file = jsonl(
        tmp_path,
        {"item": "a", "system": "X", "text": "one", "score": [1]},
        {"item": "b", "system": "X", "text": "two\nlines\u2028"},
    )
    assert texts(file) == {("X", ""): ["one", "two\nlines\u2028"]}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_text_that_is_null_is_missing_wherever_it_stands(tmp_path: Path, order: tuple[int, int]) -> None:
    records: list[dict[str, object]] = [{"item": "a", "text": "one"}, {"item": "b", "text": None}]
    assert texts(jsonl(tmp_path, *(records[place] for place in order))) == {("sys", ""): ["one", ""]}


def test_a_record_that_names_its_text_differently_is_not_lost(tmp_path: Path) -> None:
    file = jsonl(tmp_path, {"item": "a", "text": "one"}, {"item": "b", "output": "two"})
    assert texts(file) == {("sys", ""): ["one", "two"]}


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        ({"item": "b", "text": ["two"]}, ":2: 'text' is not a text"),
        ({"text": "two"}, ":2: no field with the item's id"),
        ({"item": "b"}, ":2: "),
        ({"item": "a", "text": "uno"}, ":2: item 'a' stands twice"),
    ],
)
def test_a_slip_in_jsonl_is_named_by_line(tmp_path: Path, second: dict[str, object], problem: str) -> None:
    file = jsonl(tmp_path, {"item": "a", "text": "one"}, second)
    with pytest.raises(BadFile) as caught:
        load_outputs(SUITE, file)
    assert str(caught.value).startswith(f"{file}{problem}")
