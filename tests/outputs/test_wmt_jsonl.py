"""WMT25 and WMT26 JSONL: documents that may hold several lines, in many directions."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay import evaluate
from assay.errors import BadFile, UnpairedFile
from assay.outputs.load import load_outputs
from assay.suites import Suite
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


BLIND: list[dict[str, Any]] = [
    {"doc_id": "1-de_CH", "source_doc": "Buongiorno.", "tgt_lang": "de_CH", "instruction": "Be polite."},
    {"doc_id": "2-de_CH", "source_doc": "Buongiorno.", "tgt_lang": "de_CH", "instruction": "Be brief."},
    {"doc_id": "1-de_AT", "source_doc": "Buongiorno.", "tgt_lang": "de_AT", "instruction": "Be polite."},
    {"doc_id": "3-ko_KR", "source_doc": "Go!", "tgt_lang": "ko_KR", "instruction": "Be polite."},
]
ANSWERS: list[dict[str, Any]] = [
    {"doc_id": "3-ko_KR", "tgt_lang": "ko_KR", "hypothesis": "가!"},
    {"doc_id": "2-de_CH", "tgt_lang": "de_CH", "hypothesis": "Hoi.", "metadata": {"model": "m"}},
    {"doc_id": "1-de_AT", "tgt_lang": "de_AT", "hypothesis": "Grüß Gott."},
    {"doc_id": "1-de_CH", "tgt_lang": "de_CH", "hypothesis": "Grüezi."},
]


def swiss(langpair: str = "it-de_CH") -> Suite:
    return a_suite(
        replace(an_item("brief", "Buongiorno."), prompt="Be brief."),
        replace(an_item("polite", "Buongiorno."), prompt="Be polite."),
        langpair=langpair,
    )


def test_a_blind_set_of_many_directions_is_paired_by_target_source_and_prompt(tmp_path: Path) -> None:
    said: list[str] = []
    blind, answers = jsonl(tmp_path / "blind.jsonl", *BLIND), jsonl(tmp_path / "sys.jsonl", *ANSWERS)
    outputs = load_outputs(swiss(), answers, source=blind, tell=said.append)
    assert [outputs.text(item, 0) for item in range(2)] == ["Hoi.", "Grüezi."]
    assert said == [f"{answers}: in another order than the source file; put right by doc_id"]


def test_codes_are_compared_by_what_they_mean(tmp_path: Path) -> None:
    blind, answers = jsonl(tmp_path / "blind.jsonl", *BLIND), jsonl(tmp_path / "sys.jsonl", *ANSWERS)
    outputs = load_outputs(swiss("ita_Latn-deu_Latn_CH"), answers, source=blind)
    assert [outputs.text(item, 0) for item in range(2)] == ["Hoi.", "Grüezi."]
    # Without a region, Austria and Switzerland both fit, and their polite answers differ.
    with pytest.raises(UnpairedFile, match=r"the source 'Buongiorno\.' in 1-de_CH, 1-de_AT, whose translations differ"):
        load_outputs(swiss("it-de"), answers, source=blind)
    with pytest.raises(
        UnpairedFile, match=r"blind\.jsonl: no text in the direction it-fr; there are de_AT, de_CH, ko_KR"
    ):
        load_outputs(swiss("it-fr"), answers, source=blind)


def test_the_released_set_has_its_own_names(tmp_path: Path) -> None:
    doc_id = "WMT26_###_edu_###_ces_Latn_###_{}_###_edu1"
    released = jsonl(
        tmp_path / "wmt26.jsonl",
        {"doc_id": doc_id.format("deu_Latn"), "src_text": "Dobrý den.", "prompt_instruction": "Translate.", "refs": {}},
        {"doc_id": doc_id.format("ukr_Cyrl"), "src_text": "Dobrý den.", "prompt_instruction": "Translate.", "refs": {}},
    )
    answers = jsonl(
        tmp_path / "sys.jsonl",
        {"doc_id": doc_id.format("ukr_Cyrl"), "translation": "Добрий день."},
        {"doc_id": doc_id.format("deu_Latn"), "translation": "Guten Tag."},
    )
    outputs = load_outputs(a_suite(an_item("a", "Dobrý den."), langpair="cs-de"), answers, source=released)
    assert outputs.text(0, 0) == "Guten Tag."


def test_a_file_with_sources_of_its_own_needs_no_source_file(tmp_path: Path) -> None:
    answers = jsonl(
        tmp_path / "sys.jsonl",
        *({**asked, **answer} for asked in BLIND for answer in ANSWERS if asked["doc_id"] == answer["doc_id"]),
    )
    outputs = load_outputs(swiss(), answers)
    assert [outputs.text(item, 0) for item in range(2)] == ["Hoi.", "Grüezi."]


def test_answers_under_the_doc_ids_of_others_are_noticed(tmp_path: Path) -> None:
    blind = jsonl(tmp_path / "blind.jsonl", *BLIND)
    answers = jsonl(tmp_path / "sys.jsonl", {**ANSWERS[3], "source_doc": "Arrivederci."})
    with pytest.raises(BadFile, match=r"sys\.jsonl:1: doc_id '1-de_CH' has another source here than in .*blind\.jsonl"):
        load_outputs(swiss(), answers, source=blind)


def test_what_is_no_language_is_named(tmp_path: Path) -> None:
    blind = jsonl(tmp_path / "blind.jsonl", *BLIND, {**BLIND[0], "doc_id": "9", "tgt_lang": "Swiss German"})
    with pytest.raises(BadFile, match=r"blind\.jsonl:5: .*'Swiss German'"):
        load_outputs(swiss(), jsonl(tmp_path / "sys.jsonl", *ANSWERS), source=blind)


@pytest.mark.parametrize("marker", ["<OUTPUT_BLOCKED>", "<ERROR>", "FAILED", " "])
def test_what_a_provider_blocked_is_missing(tmp_path: Path, marker: str) -> None:
    blind = jsonl(tmp_path / "blind.jsonl", *BLIND)
    answers = jsonl(tmp_path / "sys.jsonl", {**ANSWERS[1], "hypothesis": marker}, ANSWERS[3])
    suite = swiss()
    verdicts = evaluate(suite, load_outputs(suite, answers, source=blind), keep_all=True).verdicts()
    assert {judged.item.id: judged.finding.reason for judged in verdicts} == {"brief": "missing", "polite": "no_match"}
