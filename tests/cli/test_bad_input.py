"""Outputs, suites and to-do files that are wrong: one line that names the place, exit code 2, and nothing written."""

import gzip
import json
import os
from pathlib import Path

import pytest

from tests.conftest import Refused, Run
from tests.contrasts.garden import garden
from tests.starter import CAREFUL, LITERAL, STARTER, SUITE

SIZE = len(SUITE)


# Outputs


@pytest.mark.parametrize("count", [SIZE - 1, SIZE + 1, 1])
def test_lines_that_are_not_as_many_as_items(refused: Refused, tmp_path: Path, count: int) -> None:
    (tmp_path / "sys.txt").write_text("line\n" * count, encoding="utf-8")
    message = refused("evaluate", STARTER, "sys.txt", "-o", "r.json", "--verdicts", "v.tsv")
    assert message.startswith(f"sys.txt:{min(count, SIZE) + 1}: {count} lines for {SIZE} items; ")


def test_lines_that_are_not_as_many_as_source_lines(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "src.de").write_text("Eins.\nZwei.\n", encoding="utf-8")
    (tmp_path / "sys.en").write_text("One.\n", encoding="utf-8")
    message = refused("evaluate", STARTER, "-s", "src.de", "sys.en")
    assert message.startswith("sys.en:2: 1 lines, but src.de has 2; ")


def test_no_source_sentence_found_at_all(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "src.de").write_text("Fremd.\n", encoding="utf-8")
    (tmp_path / "sys.en").write_text("Strange.\n", encoding="utf-8")
    message = refused("evaluate", STARTER, "--source", "src.de", "sys.en")
    assert message.startswith(f"src.de: none of the suite's {SIZE} sources is in the file; ")


def test_a_system_name_twice(refused: Refused) -> None:
    message = refused("evaluate", STARTER, CAREFUL, f"careful={LITERAL}")
    assert message.startswith(f"{LITERAL}: system 'careful' is given twice; ")


def test_a_file_given_twice(refused: Refused) -> None:
    assert "system 'careful' is given twice" in refused("evaluate", STARTER, CAREFUL, CAREFUL)


def test_the_columns_of_a_text_that_is_not_utf_8(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "sys.txt").write_bytes(b"gut\nsch\xf6n\n")
    assert refused("evaluate", STARTER, "sys.txt").startswith("sys.txt:2: not UTF-8 (byte 0xf6); ")


@pytest.mark.parametrize("name", ["sys.txt", "sys.tsv", "sys.jsonl", "sys.xml", "campaign.yaml"])
def test_an_empty_file(refused: Refused, tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    assert refused("evaluate", STARTER, name) == f"{name}: the file is empty"


def test_an_empty_standard_input(refused: Refused) -> None:
    assert "the file is empty" in refused("evaluate", STARTER, "-")


def test_a_truncated_gzip_file(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "sys.txt.gz").write_bytes(gzip.compress(b"line\n" * SIZE)[:-9])
    assert refused("evaluate", STARTER, "sys.txt.gz").startswith("sys.txt.gz: the gzip file is truncated or damaged")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("sys.jsonl", '{"item": "a", "text": "x"}\n{"item": \n', "sys.jsonl:2: broken JSON"),
        ("sys.jsonl", "[]\n", "sys.jsonl:1: not a JSON object"),
        ("sys.xml", "<dataset>\n<doc></dataset>", "sys.xml:2: broken XML"),
        ("sys.tsv", "item\ttext\nlexical-ambiguity/birne\n", "sys.tsv:2: 1 cells under 2 columns"),
        ("sys.tsv", "item\ttext\nx\ty\n", "sys.tsv: no item 'x' in suite assay-de-en"),
        ("campaign.yaml", "campaign: W\noutputs: [\n", "campaign.yaml:3: not valid YAML"),
        ("campaign.yaml", "campaign: W\noutputs: [nowhere.txt]\n", "nowhere.txt: there is no such file"),
        ("campaign.yaml", "campaign: W\noutputs: ['*.txt']\n", "campaign.yaml:2: no file fits '*.txt'"),
        ("campaign.yaml", "campaign: W\noutputs: ['/*.nothing']\n", "campaign.yaml:2: no file fits '/*.nothing'"),
        ("campaign.yaml", "campaign: W\nbell: '\a'\noutputs: []\n", "campaign.yaml:2: not valid YAML"),
        ("campaign.yaml", "campaign: W\noutputs: []\n", "campaign.yaml:2: "),
    ],
)
def test_broken_outputs(refused: Refused, tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert refused("evaluate", STARTER, name).startswith(message)


@pytest.mark.parametrize("name", ["folder", "folder.tsv", "folder.xml", "folder.jsonl", "folder.gz"])
def test_an_empty_folder_holds_no_outputs(refused: Refused, tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert refused("evaluate", STARTER, name).startswith(f"{name}: no outputs in this folder")


@pytest.mark.parametrize("option", ["--campaign", "--source", "--map", "--aliases"])
def test_a_folder_where_a_file_is_expected(refused: Refused, tmp_path: Path, option: str) -> None:
    (tmp_path / "folder.yaml").mkdir()
    outputs = [] if option == "--campaign" else [LITERAL]
    message = refused("evaluate", STARTER, option, "folder.yaml", *outputs)
    assert message.startswith("folder.yaml: a folder where a file is expected")


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", STARTER, "nowhere.txt"],
        ["evaluate", STARTER, "x=nowhere.txt"],
        ["evaluate", STARTER, "--source", "nowhere.txt", CAREFUL],
        ["evaluate", STARTER, "--campaign", "nowhere.yaml"],
        ["evaluate", STARTER, CAREFUL, "--aliases", "nowhere.yaml"],
        ["evaluate", "nowhere.json", CAREFUL],
        ["explain", STARTER, "nowhere.txt", "-i", "x"],
        ["warnings", STARTER, "nowhere.txt", "-o", "todo.tsv"],
        ["judge", STARTER, "nowhere.tsv", "-o", "judged"],
        ["lint", "nowhere.json"],
        ["suite", "convert", "nowhere.json", "-o", "x"],
        ["suite", "stats", "nowhere.json"],
        ["suite", "sources", "nowhere.json", "-o", "x.txt"],
    ],
)
def test_a_file_that_is_not_there(refused: Refused, arguments: list[str | Path]) -> None:
    message = refused(*arguments)
    assert message.startswith("nowhere.")
    assert "there is no such file" in message


@pytest.mark.parametrize("argument", ["x" * 300, "name=" + "x" * 300])
def test_a_file_name_that_is_too_long(refused: Refused, argument: str) -> None:
    assert "xxx" in refused("evaluate", STARTER, argument)
    assert "xxx" in refused("evaluate", argument, CAREFUL)


def test_systems_that_did_not_translate_the_suite(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "sys.txt").write_text("####\n" * SIZE, encoding="utf-8")
    assert refused("evaluate", STARTER, "sys.txt").startswith("no system translated the suite (sys); ")


# Suites


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"items": [\n{"id": }\n]}', "items.json:2: broken JSON"),
        ('{"items": []}', "items.json: the suite has no items"),
        ("", "items.json: the file is empty"),
        ("[" * 100_000, "items.json: broken JSON"),
    ],
)
def test_a_broken_json_suite(refused: Refused, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "items.json").write_text(text, encoding="utf-8")
    assert refused("evaluate", "items.json", CAREFUL).startswith(message)


def dfki_items(tmp_path: Path, *changes: dict[str, object]) -> None:
    items = [
        {
            "id": str(number),
            "langpair": "deen",
            "category": "C",
            "phenomenon": "P",
            "source_sentence": "Eins.",
            **change,
        }
        for number, change in enumerate(changes)
    ]
    (tmp_path / "items.json").write_text(json.dumps({"items": items}), encoding="utf-8")


def test_a_duplicate_id_in_a_json_suite(refused: Refused, tmp_path: Path) -> None:
    dfki_items(tmp_path, {"id": "7"}, {"id": "7"})
    assert refused("evaluate", "items.json", CAREFUL).startswith("items.json: the id '7' stands twice (item 2); ")


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ("  - {id: a, source: 'Eins.\n", "garden/p.yaml:5: not valid YAML"),
        ("  - {id: a, source: Eins.}\n  - {id: a, source: Zwei.}\n", "garden/p.yaml:5: the id 'a' stands twice"),
        ("  - {id: a, source: Eins., phenomenon: Q}\n", "garden/p.yaml:4: unknown phenomenon 'Q'"),
        ("  - {id: a, source: Eins., psas: [x]}\n", "garden/p.yaml:4: unknown key 'psas'; did you mean 'pass'?"),
        ('  - {id: a, source: "a\x01b"}\n', "garden/p.yaml:4: not valid YAML"),
    ],
)
def test_a_broken_native_suite(refused: Refused, tmp_path: Path, items: str, message: str) -> None:
    garden(tmp_path, items)
    assert refused("evaluate", "garden", CAREFUL).startswith(message)
    assert refused("lint", "garden").startswith(message)


def test_an_unknown_category_in_a_native_suite(refused: Refused, tmp_path: Path) -> None:
    garden(tmp_path, "  - {id: a, source: Eins.}\n", category="Rhyme")
    assert refused("evaluate", "garden", CAREFUL).startswith("garden/p.yaml:1: unknown category 'Rhyme'; ")


@pytest.mark.parametrize("kind", ["native", "dfki"])
def test_a_regex_that_does_not_compile_is_named_by_file_item_and_position(
    refused: Refused, tmp_path: Path, kind: str
) -> None:
    (tmp_path / "sys.txt").write_text("One.\n", encoding="utf-8")
    if kind == "native":
        garden(tmp_path, "  - {id: a, source: Eins., pass: ['good (bad']}\n")
        message = refused("evaluate", "garden", "sys.txt", "-o", "r.json")
        assert message.startswith("garden/p.yaml:4: item 'p/a': the pass rule 'good (bad' does not compile: ")
    else:
        dfki_items(tmp_path, {"negative_regex": "good (bad"})
        message = refused("evaluate", "items.json", "sys.txt", "-o", "r.json")
        assert message.startswith("items.json: item '0'")
        assert "the fail rule 'good (bad' does not compile: " in message
    assert " at position " in message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("de-eng", "no suite or file 'de-eng'; did you mean de-en?"),
        ("folder", "folder: the folder has no suite.yaml; name a suite's folder or file"),
        ("notes.docx", "notes.docx: not a suite; "),
    ],
)
def test_what_is_no_suite(refused: Refused, tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "some.txt").touch()
    (tmp_path / "notes.docx").touch()
    assert refused("evaluate", name, CAREFUL).startswith(message)


# To-do files


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item\ttext\tverdict\nlexical-ambiguity/birne\tBulb.\t\n", "todo.tsv: no line has a verdict; "),
        (
            "item\ttext\tverdict\nlexical-ambiguity/birne\tBulb.\tperhaps\n",
            "todo.tsv:2: row 2, column 'verdict': 'perhaps' is no verdict; ",
        ),
        ("item\ttext\tverdict\nx\tBulb.\tpass\n", "todo.tsv:2: no item 'x' in the suite; "),
        ("item\ttext\nx\tBulb.\n", "todo.tsv:1: no column 'verdict'; "),
        ("", "todo.tsv: the file is empty"),
    ],
)
def test_a_to_do_file_that_cannot_be_taken_back(refused: Refused, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "todo.tsv").write_text(text, encoding="utf-8")
    assert refused("judge", STARTER, "todo.tsv", "-o", "judged").startswith(message)


# Texts and names that no UTF-8 file can hold


def test_a_lone_surrogate_in_a_json_suite_is_no_crash(refused: Refused, tmp_path: Path) -> None:
    dfki_items(tmp_path, {"source_sentence": "halb \ud83d"})
    assert refused("suite", "convert", "items.json", "-o", "copy").startswith("items.json")


def test_a_lone_surrogate_in_an_output_is_no_crash(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "sys.jsonl").write_text(
        '{"item": "lexical-ambiguity/birne", "text": "half \\ud83d"}\n', encoding="utf-8"
    )
    message = refused("evaluate", STARTER, "sys.jsonl", "--keep-all", "--verdicts", "v.tsv")
    assert message.startswith("sys.jsonl:1")


def test_a_file_name_that_is_not_utf_8_can_be_reported_on(assay: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"sys\xff.tsv")
    (tmp_path / name).write_bytes(CAREFUL.read_bytes())
    assay("evaluate", STARTER, name, "-o", "r.json", "--verdicts", "v.tsv")
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["columns"][0].startswith("sys")
