"""Suites made of what there is: a blind set, or text with a source a line."""

import json
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.outputs.raw_suite import read_raw_suite
from assay.outputs.repairs import Repairs
from assay.suites import load_suite, save_suite

BLIND = [
    ("01-de_CH", "Uno.", "de_CH", "Italian law:\nbe exact."),
    ("02-de_AT", "Uno.", "de_AT", "Italian law."),
    ("03-de_CH", "One.", "de_CH", "English game."),
    ("04-de_CH", "Uno.", "de_CH", "Italian law, again."),
]


@pytest.fixture
def blind(tmp_path: Path) -> Path:
    names = ("doc_id", "source_doc", "tgt_lang", "instruction")
    lines = [json.dumps(dict(zip(names, row, strict=True))) for row in BLIND]
    (tmp_path / "blind.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "blind.jsonl"


def test_a_blind_set_is_read_for_one_target_language(blind: Path) -> None:
    suite = read_raw_suite(blind, "it-de_CH")
    assert [item.id for item in suite] == ["01-de_CH", "03-de_CH", "04-de_CH"]
    assert (suite.name, suite.langpair) == ("blind-it-de_CH", "it-de_CH")
    assert {item.rules for item in suite} == {()}


def test_prompts_tell_the_suites_of_a_language_apart(blind: Path, tmp_path: Path) -> None:
    suite = read_raw_suite(blind, "it-de_CH", prompts="italian LAW")
    assert [(item.id, item.source, item.prompt) for item in suite] == [
        ("01-de_CH", "Uno.", "Italian law:\nbe exact."),
        ("04-de_CH", "Uno.", "Italian law, again."),
    ]
    save_suite(suite, tmp_path / "law")
    assert load_suite(tmp_path / "law").items == suite.items


@pytest.mark.parametrize(
    ("langpair", "prompts", "message"),
    [
        ("it-de", "", r"blind\.jsonl: it-de stands for de_AT, de_CH here; name one of them"),
        ("it-fr", "", r"blind\.jsonl: no text in the direction it-fr; there are de_AT, de_CH"),
        ("it-de_CH", "poems", r"blind\.jsonl: none of 3 prompts has 'poems' in it"),
        ("italian", "", "'italian' is not a language pair"),
    ],
)
def test_what_a_blind_set_does_not_have(blind: Path, langpair: str, prompts: str, message: str) -> None:
    with pytest.raises(AssayError, match=message):
        read_raw_suite(blind, langpair, prompts=prompts)


def test_text_has_a_source_a_line(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("One.\n\n Two. \n", encoding="utf-8")
    suite = read_raw_suite(tmp_path / "game.txt", "en-is")
    assert [(item.id, item.source) for item in suite] == [("0001", "One."), ("0003", "Two.")]
    with pytest.raises(AssayError, match="text has no prompts"):
        read_raw_suite(tmp_path / "game.txt", "en-is", prompts="x")


def test_text_of_a_spreadsheet_is_repaired_where_that_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "cells.txt"
    file.write_bytes('\ufeffOne.\r"Two\rand three."\r\r"Four, ""five""."\r'.encode())
    with pytest.raises(AssayError, match=r"cells\.txt: 5 bare carriage returns and no other line ends; --repair"):
        read_raw_suite(file, "en-is")
    repairs = Repairs()
    suite = read_raw_suite(file, "en-is", repairs=repairs)
    assert {item.id: item.source for item in suite} == {
        "0001": "One.",
        "0002": "Two and three.",
        "0005": 'Four, "five".',
    }
    assert [line.partition("txt: ")[2] for line in repairs.done] == [
        "the byte order mark is no part of the first line",
        "5 bare carriage returns taken as line ends",
        "1 quoted cell of CSV over several lines put together",
        "quotes of CSV taken off 2 sources",
        "1 empty line left out",
    ]
