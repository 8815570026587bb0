"""WMT25 JSONL: documents that may hold several lines."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import BadFile, UnpairedFile
from assay.outputs.load import load_outputs
from tests.suites.building import a_suite, an_item

SUITE = a_suite(an_item("a", "Eins."), an_item("b", "Zwei.\nDrei."), an_item("c", "Vier."))


def jsonl(file: Path, *records: Any) -> Path:
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def source(tmp_path: Path) -> Path:
    return jsonl(
        tmp_path / "src.jsonl",
        {"doc_id": "d1", "src_text": "Eins."},
        {"doc_id": 2, "src_text": "Zwei.\nDrei."},
        {"doc_id": "d3", "src_text": "Kopf.\nVier.\nFuß."},
    )


def test_documents_and_their_lines_are_paired(tmp_path: Path) -> None:
    file = jsonl(
        tmp_path / "sys.jsonl",
        {"doc_id": "d3", "hypothesis": "Head.\nFour.\nFoot.", "metadata": {}},
        {"doc_id": "2", "hypothesis": "Two.\nThree."},
        {"doc_id": "d1", "hypothesis": "FAILED"},
    )
    outputs = load_outputs(SUITE, file, source=source(tmp_path))
    assert [outputs.text(item, 0) for item in range(3)] == ["FAILED", "Two.\nThree.", "Four."]


def test_a_document_with_another_number_of_lines_is_paired_as_a_whole_only(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "sys.jsonl", {"doc_id": "d3", "hypothesis": "Head. Four.\nFoot."})
    outputs = load_outputs(SUITE, file, source=source(tmp_path))
    assert outputs.found.tolist() == [0, 1]
    assert [outputs.text(item, 0) for item in range(2)] == ["", ""]


def test_without_a_source_file_the_doc_ids_are_item_ids(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "sys.jsonl", {"doc_id": "c", "hypothesis": "Four."}, {"doc_id": "a", "hypothesis": None})
    outputs = load_outputs(SUITE, file)
    assert outputs.found.tolist() == [0, 2]
    assert (outputs.text(0, 0), outputs.text(2, 0)) == ("", "Four.")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"doc_id": "a", "hypothesis": "x"}\n{"doc_id": \n', ":2: broken JSON"),
        ('{"doc_id": "a", "hypothesis": "x"}\n[1]\n', ":2: not a JSON object"),
        (
            '{"doc_id": "a", "hypothesis": "x"}\n\n{"doc_id": "a", "hypothesis": "y"}\n',
            ":3: the doc_id 'a' stands twice",
        ),
        ('{"doc_id": "a", "hypothesis": "x"}\n{"hypothesis": "y"}\n', ":2: 'doc_id' is missing"),
        (
            '{"doc_id": "a", "hypothesis": "x"}\n{"doc_id": "b", "hypothesis": ["y"]}\n',
            ":2: 'hypothesis' is not a text",
        ),
        ('{"doc_id": "a", "hypothesis": "x"}\n{"doc_id": "b", "hypothesis": ' + "9" * 5000 + "}\n", ":2: "),
    ],
)
def test_a_slip_is_named_by_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "sys.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        load_outputs(SUITE, file)
    assert str(caught.value).startswith(f"{file}{problem}")


def test_a_document_without_a_source_is_refused(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "sys.jsonl", {"doc_id": "d9", "hypothesis": "Nine."})
    with pytest.raises(BadFile, match=r"sys\.jsonl: no source for doc_id 'd9'"):
        load_outputs(SUITE, file, source=source(tmp_path))


def test_a_doc_id_that_is_no_item_is_refused(tmp_path: Path) -> None:
    file = jsonl(tmp_path / "sys.jsonl", {"doc_id": "x", "hypothesis": "?"}, {"doc_id": "y", "hypothesis": "?"})
    with pytest.raises(UnpairedFile, match=r"sys\.jsonl: no item 'x' and 1 more in suite garden"):
        load_outputs(SUITE, file)
