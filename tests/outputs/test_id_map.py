"""Maps of ids, and what is said where they do not fit."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import BadFile, UnpairedFile
from assay.outputs.load import load_outputs
from assay.suites import Suite
from tests.suites.building import a_suite, an_item

SUITE = a_suite(an_item("a", "Eins."), an_item("b", "Eins."), an_item("c", "Zwei.\nDrei."))


def a_map(folder: Path, ids: dict[str, Any], *, suite: Suite = SUITE, digest: str | None = None) -> Path:
    file = folder / "map.json"
    content = {"suite": suite.name, "hash": suite.hash if digest is None else digest, "ids": ids}
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def answers(folder: Path, **texts: str) -> Path:
    file = folder / "sys.jsonl"
    lines = [json.dumps({"doc_id": name, "hypothesis": text}) + "\n" for name, text in texts.items()]
    file.write_text("".join(lines), encoding="utf-8")
    return file


def texts(outputs: Any) -> dict[str, str]:
    return {SUITE.items[place].id: outputs.text(place, 0) for place in outputs.found.tolist()}


def test_a_map_tells_items_with_the_same_source_apart(tmp_path: Path) -> None:
    id_map = a_map(tmp_path, {"x1": "b", "x2": "a"})
    found = load_outputs(SUITE, answers(tmp_path, x2="two", x9="a decoy", x1="one"), id_map=id_map)
    assert texts(found) == {"a": "two", "b": "one"}


def test_parts_of_an_item_are_put_together(tmp_path: Path) -> None:
    id_map = a_map(tmp_path, {"p1": "c", "p2": "c"})
    assert texts(load_outputs(SUITE, answers(tmp_path, p2="Three.", p1="Two."), id_map=id_map)) == {"c": "Two.\nThree."}


def test_a_text_may_serve_several_items(tmp_path: Path) -> None:
    id_map = a_map(tmp_path, {"x": ["a", "b"]})
    assert texts(load_outputs(SUITE, answers(tmp_path, x="one"), id_map=id_map)) == {"a": "one", "b": "one"}


def test_lines_of_plain_text_have_numbers(tmp_path: Path) -> None:
    (tmp_path / "sys.txt").write_text("a decoy\nDrei\nZwei\nuno\n", encoding="utf-8")
    id_map = a_map(tmp_path, {"4": "b", "3": "c", "2": "c"})
    assert texts(load_outputs(SUITE, tmp_path / "sys.txt", id_map=id_map)) == {"b": "uno", "c": "Zwei\nDrei"}


def test_a_table_is_a_map_too(tmp_path: Path) -> None:
    (tmp_path / "sent.map.tsv").write_text(
        "line\tid\titem\tsource\n1\t001\t\tFremd.\n2\t002\tb\tEins.\n", encoding="utf-8"
    )
    (tmp_path / "sys.txt").write_text("a decoy\nuno\n", encoding="utf-8")
    id_map = tmp_path / "sent.map.tsv"
    assert texts(load_outputs(SUITE, tmp_path / "sys.txt", id_map=id_map)) == {"b": "uno"}
    found = load_outputs(SUITE, answers(tmp_path, **{"001": "decoy", "002": "uno"}), id_map=id_map)
    assert texts(found) == {"b": "uno"}


def test_a_map_that_is_older_than_the_rules_still_leads_to_the_items(tmp_path: Path) -> None:
    id_map = a_map(tmp_path, {"x": "a"}, digest="000000000000")
    assert texts(load_outputs(SUITE, answers(tmp_path, x="one"), id_map=id_map)) == {"a": "one"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"suite": "other", "hash": "0123", "ids": {"x": "a"}}, "a map of another suite, other"),
        ({"suite": "garden", "hash": "0123", "ids": {"x": "z"}}, "no item 'z' in suite garden"),
        ({"ids": {"x": "z"}}, "a map of another suite, without a name; no item 'z' here"),
        ({"suite": "garden", "hash": "", "ids": {"y": "a"}}, r"none of its 1 ids is in .*sys\.jsonl"),
    ],
)
def test_a_map_of_another_suite_is_refused(tmp_path: Path, content: Any, message: str) -> None:
    (tmp_path / "map.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UnpairedFile, match=rf"map\.json: {message}"):
        load_outputs(SUITE, answers(tmp_path, x="one"), id_map=tmp_path / "map.json")


def test_a_map_that_leads_to_other_sources_is_refused(tmp_path: Path) -> None:
    (tmp_path / "src.txt").write_text("Eins.\nZwei.\n", encoding="utf-8")
    (tmp_path / "sys.txt").write_text("one\ntwo\n", encoding="utf-8")
    id_map = a_map(tmp_path, {"1": "a", "2": "b"})
    with pytest.raises(UnpairedFile, match=r"map\.json: '2' is item 'b' here, but has another source in .*src\.txt"):
        load_outputs(SUITE, tmp_path / "sys.txt", source=tmp_path / "src.txt", id_map=id_map)


def test_numbers_of_other_lines_lead_nobody_astray(tmp_path: Path) -> None:
    for name, text in {"sources/x": "Fremd.\nEins.\nDrei.\n", "outputs/sys": "other\none\nthree\n"}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    # It lies there by the way; the lines are those of a file that was handed in.
    a_map(tmp_path, {"1": ["a", "b"], "2": "c", "3": "c"})
    assert texts(load_outputs(SUITE, tmp_path)) == {"a": "one", "b": "one"}
    with pytest.raises(UnpairedFile, match=r"'1' is item 'a' here, .*; its numbers are lines of another file"):
        load_outputs(SUITE, tmp_path, id_map=tmp_path / "map.json")


@pytest.mark.parametrize("number", ["two", True, 1, -1])
def test_a_map_knows_how_many_texts_there_are(tmp_path: Path, number: Any) -> None:
    content = {"suite": "garden", "texts": number, "ids": {"x": "a", "y": "b"}}
    (tmp_path / "map.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(BadFile, match=rf"map\.json: 'texts' is {number!r}, with 2 ids"):
        load_outputs(SUITE, answers(tmp_path, x="one"), id_map=tmp_path / "map.json")


@pytest.mark.parametrize("text", ["{", "[]", '{"ids": []}', '{"ids": {}}', '{"ids": {"x": 1}}', '{"ids": {"x": [1]}}'])
def test_what_is_no_map_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "map.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=r"map\.json:?1?: (broken JSON|not a map of ids)"):
        load_outputs(SUITE, answers(tmp_path, x="one"), id_map=tmp_path / "map.json")
