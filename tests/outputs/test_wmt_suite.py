"""Suites go out to WMT and their outputs come back: the verdicts are those of outputs with the ids of items."""

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadOption, UnpairedFile
from assay.outputs.load import load_outputs
from assay.outputs.outputs import Outputs
from assay.outputs.wmt_suite import YEARS, HandedIn, Year, hand_in
from assay.outputs.wmt_suite_check import check_hand_in
from assay.suites import Rule, Suite
from assay.verdicts import RuleJudge
from tests.suites.building import a_suite, an_item

RULES = (Rule("pass", "regex", "right"), Rule("fail", "regex", "wrong"))
POLITE = "Sei höflich, auf {target_language}."
MISSING, BLOCKED = "", "<OUTPUT_BLOCKED>"


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def records(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


class TestText:
    SUITE = a_suite(
        an_item("a", "Eins."),
        an_item("b", "Zwei.\n\nDrei.\rVier."),
        replace(an_item("c", "Eins."), prompt=POLITE, context="Er zählt."),
    )

    def test_a_paragraph_is_a_line_and_the_map_puts_them_together(self, tmp_path: Path) -> None:
        handed_in = hand_in(self.SUITE, tmp_path / "garden.txt", "wmt24")
        assert handed_in.path.read_text(encoding="utf-8") == "Eins.\nZwei.\nDrei.\nVier.\n"
        assert json.loads(handed_in.map_file.read_text(encoding="utf-8")) == {
            "suite": "garden",
            "hash": self.SUITE.hash,
            "texts": 4,
            "ids": {"1": ["a", "c"], "2": "b", "3": "b", "4": "b"},
        }
        assert handed_in.map_file.name == "garden.txt.map.json"

    def test_what_the_format_cannot_hold_is_said(self, tmp_path: Path) -> None:
        assert hand_in(self.SUITE, tmp_path / "garden.txt", "wmt25").notes == [
            "1 item of several lines: a line for each, put together again by the map",
            "1 prompt left out: the format has none",
            "1 context left out: the format has none",
        ]

    def test_half_an_answer_is_none(self, tmp_path: Path) -> None:
        map_file = hand_in(self.SUITE, tmp_path / "garden.txt", "wmt25").map_file
        answers = written(tmp_path, "sys.txt", "One.\nTwo.\nNO TRANSLATION AVAILABLE\nFour.\n")
        assert texts(self.SUITE, load_outputs(self.SUITE, answers, id_map=map_file)) == {
            "a": "One.",
            "b": "",
            "c": "One.",
        }

    def test_a_file_that_lost_a_line_is_refused(self, tmp_path: Path) -> None:
        map_file = hand_in(self.SUITE, tmp_path / "garden.txt", "wmt25").map_file
        answers = written(tmp_path, "sys.txt", "One.\nThree.\nFour.\n")
        with pytest.raises(UnpairedFile, match=r"sys\.txt:4: 3 lines, but .*garden\.txt\.map\.json says 4; ask"):
            load_outputs(self.SUITE, answers, id_map=map_file)

    def test_decoys_are_mixed_in_and_left_out_again(self, tmp_path: Path) -> None:
        decoys = written(tmp_path, "news.txt", "Neues.\nAltes.\nEins.\n")
        handed_in = hand_in(self.SUITE, tmp_path / "garden.txt", "wmt25", decoys=decoys, seed=3)
        lines = handed_in.path.read_text(encoding="utf-8").splitlines()
        assert sorted(lines) == ["Altes.", "Drei.", "Eins.", "Neues.", "Vier.", "Zwei."]
        assert handed_in.sent.decoys == 2
        answers = written(tmp_path, "sys.txt", "".join(f"{line.upper()}\n" for line in lines))
        found = texts(self.SUITE, load_outputs(self.SUITE, answers, id_map=handed_in.map_file))
        assert found == {"a": "EINS.", "b": "ZWEI.\nDREI.\nVIER.", "c": "EINS."}


class TestRecords:
    SUITE = a_suite(
        an_item("a", "Eins."),
        replace(an_item("b", "Eins."), prompt=POLITE),
        replace(an_item("c", "Zwei.\nDrei\u2028Vier."), prompt="Nach {context}: {source}", context="Er zählt."),
        replace(an_item("d", "Eins."), prompt="Translate from {source_language} to English."),
        replace(an_item("e", "Fünf."), context="Sie zählt."),
        langpair="de-en_GB",
    )

    def test_fields_are_those_of_the_blind_set(self, tmp_path: Path) -> None:
        suite = replace(self.SUITE, langpair="de-en")
        handed_in = hand_in(suite, tmp_path / "garden.jsonl", "wmt26")
        name = suite.hash[:8]
        task = "Translate from German to English."
        assert records(handed_in.path) == [
            {"doc_id": f"{name}-00001-en", "source_doc": "Eins.", "tgt_lang": "en", "instruction": task},
            {
                "doc_id": f"{name}-00002-en",
                "source_doc": "Eins.",
                "tgt_lang": "en",
                "instruction": "Sei höflich, auf English.",
            },
            {
                "doc_id": f"{name}-00003-en",
                "source_doc": "Zwei.\nDrei\u2028Vier.",
                "tgt_lang": "en",
                "instruction": "Nach Er zählt.: Zwei.\nDrei\u2028Vier.",
            },
            {
                "doc_id": f"{name}-00004-en",
                "source_doc": "Fünf.",
                "tgt_lang": "en",
                "instruction": task,
                "context": "Sie zählt.",
            },
        ]
        # The prompt of d is the one that a gets.
        assert json.loads(handed_in.map_file.read_text(encoding="utf-8"))["ids"] == {
            f"{name}-00001-en": ["a", "d"],
            f"{name}-00002-en": "b",
            f"{name}-00003-en": "c",
            f"{name}-00004-en": "e",
        }
        assert handed_in.notes == [f"2 items without a prompt: {task!r} was written"]

    def test_no_program_splits_a_line(self, tmp_path: Path) -> None:
        file = hand_in(self.SUITE, tmp_path / "garden.jsonl", "wmt26").path
        assert len(file.read_text(encoding="utf-8").splitlines()) == 5

    def test_the_target_language_is_kept_as_it_is_written(self, tmp_path: Path) -> None:
        file = hand_in(self.SUITE, tmp_path / "garden.jsonl.gz", "wmt26").path
        assert load_outputs(self.SUITE, answered(tmp_path, file, lambda record: "one")).found.tolist() == [
            0,
            1,
            2,
            3,
            4,
        ]


def answered(folder: Path, handed_in: Path, answer: Callable[[dict[str, Any]], str]) -> Path:
    """A folder with the file, its map, and the answers of a system."""
    lines = gzip.decompress(handed_in.read_bytes()).decode().split("\n")
    rows = [json.loads(line) for line in lines if line]
    text = "".join(json.dumps({"doc_id": row["doc_id"], "hypothesis": answer(row)}) + "\n" for row in rows)
    written(folder, "sys.jsonl", text)
    return folder


@pytest.mark.parametrize(("year", "name"), [("wmt24", "x.jsonl"), ("wmt25", "x.tsv"), ("wmt26", "x.txt")])
def test_each_year_has_its_format(tmp_path: Path, year: Year, name: str) -> None:
    with pytest.raises(BadOption, match=f"{year} takes {YEARS[year]} files"):
        hand_in(a_suite(an_item("a")), tmp_path / name, year)


def test_a_suite_without_languages_cannot_be_handed_in(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no language pair"):
        hand_in(a_suite(an_item("a"), langpair=""), tmp_path / "x.txt", "wmt25")


# Out and back ---------------------------------------------------------------------------------------------------------

answers = st.sampled_from(["right", "wrong", "neither", "right and wrong", MISSING, BLOCKED])


@st.composite
def suites(draw: st.DrawFn, *, several_lines: bool, contexts: bool = False) -> Suite:
    """Items some of which have the same source; the same paragraph never stands in two sources."""
    numbers = draw(st.lists(st.integers(0, 4), min_size=1, max_size=6))
    items = []
    for place, number in enumerate(numbers):
        lines = [f"Satz {number}.", "Und mehr.", "Und noch mehr."][: 1 + number % 3 if several_lines else 1]
        source = "\n".join(f"{line} ({number})" for line in lines)
        item = replace(an_item(f"i{place}", source, *RULES), prompt=draw(st.sampled_from(["", POLITE, "Sei knapp."])))
        items.append(replace(item, context=draw(st.sampled_from(["", "Er zählt."])) if contexts else ""))
    return a_suite(*items)


def texts(suite: Suite, outputs: Outputs) -> dict[str, str]:
    return {suite.items[place].id: outputs.text(place, 0) for place in outputs.found.tolist()}


def verdicts(suite: Suite, found: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Verdict and reason of every item; an item without a text is one whose text is missing."""
    judge = RuleJudge(suite)
    findings = {item.id: judge.judge(item, found.get(item.id, "")) for item in suite}
    return {name: (finding.verdict.name, finding.reason) for name, finding in findings.items()}


def directly(suite: Suite, folder: Path, handed_in: HandedIn, told: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The verdicts on outputs that have the ids of items; `told` is what was answered to the texts of the file."""
    parts: dict[str, list[str]] = {}
    for sent in handed_in.sent.lines:
        for item in sent.items:
            parts.setdefault(item, []).append(told[sent.id])
    rows = [
        {"doc_id": item, "hypothesis": MISSING if {MISSING, BLOCKED} & set(pieces) else "\n".join(pieces)}
        for item, pieces in parts.items()
    ]
    assert len(rows) == len(suite)
    file = written(folder, "direct/sys.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return verdicts(suite, texts(suite, load_outputs(suite, file)))


def answers_to(handed_in: HandedIn, data: st.DataObject) -> dict[str, str]:
    return {sent.id: data.draw(answers) for sent in handed_in.sent.lines}


@given(suite=suites(several_lines=True), data=st.data(), with_decoys=st.booleans())
def test_2025_text_comes_back_line_by_line(suite: Suite, data: st.DataObject, with_decoys: bool) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        decoys = written(folder, "news", "Neues.\nAltes.\n") if with_decoys else None
        (folder / "back").mkdir()
        handed_in = hand_in(suite, folder / "back" / "garden.txt", "wmt25", decoys=decoys)
        told = answers_to(handed_in, data)
        lines = [told[sent.id] for sent in handed_in.sent.lines]
        file = written(folder, "back/sys.txt", "".join(f"{line}\n" for line in lines))
        expected = directly(suite, folder, handed_in, told)
        assert verdicts(suite, texts(suite, load_outputs(suite, file, id_map=handed_in.map_file))) == expected
        assert verdicts(suite, texts(suite, load_outputs(suite, folder / "back"))) == expected


@given(suite=suites(several_lines=True), data=st.data(), seed=st.integers(0, 999), has_canary=st.booleans())
def test_2024_text_comes_back_within_a_test_set(suite: Suite, data: st.DataObject, seed: int, has_canary: bool) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        handed_in = hand_in(suite, folder / "garden.txt", "wmt24")
        told = answers_to(handed_in, data)
        # Items stay whole, everything else is mixed.
        documents: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for sent in handed_in.sent.lines:
            documents.setdefault(sent.items, []).append((sent.source, told[sent.id]))
        shuffled = [*documents.values(), [("Nachrichten.", "News.")], [("Wetter.", "Weather.")]]
        Random(seed).shuffle(shuffled)
        pairs = [("CANARY 1", "CANARY 1")] * has_canary + [pair for document in shuffled for pair in document]
        written(folder, "back/sources/de-en.txt", "".join(f"{source}\n" for source, _ in pairs))
        written(folder, "back/system-outputs/de-en/sys.txt", "".join(f"{text}\n" for _, text in pairs))
        # The map has the lines of the file that was handed in; here it must lead nobody astray.
        written(folder, "back/garden.txt.map.json", handed_in.map_file.read_text(encoding="utf-8"))
        found = load_outputs(suite, folder / "back")
        assert verdicts(suite, texts(suite, found)) == directly(suite, folder, handed_in, told)


def returned(handed_in: HandedIn, told: Mapping[str, str], seed: int) -> str:
    """A participant's file: in another order, some rows missing, with more fields, and with texts of others."""
    chance = Random(seed)
    field = chance.choice(["hypothesis", "translation"])
    kept = next(sent.id for sent in handed_in.sent.lines if sent.items)
    rows: list[dict[str, Any]] = [
        {"doc_id": sent.id, "tgt_lang": "en", field: told[sent.id], "metadata": {"model": "x"}, "domain": "news"}
        for sent in handed_in.sent.lines
        # A row that is not there and an empty one are the same; but a file without any row of the suite is refused.
        if sent.id == kept or told[sent.id] != MISSING or chance.random() < 0.5
    ]
    rows += [{"doc_id": f"0{number}-en", "tgt_lang": "en", field: "right"} for number in range(3)]
    rows += [{"doc_id": "00001-cs", "tgt_lang": "cs", field: "wrong"}]
    chance.shuffle(rows)
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_2026_a_file_of_others_is_refused(tmp_path: Path) -> None:
    handed_in = hand_in(TestRecords.SUITE, tmp_path / "garden.jsonl", "wmt26")
    file = written(tmp_path, "sys.jsonl", json.dumps({"doc_id": "00001-en_GB", "hypothesis": "one"}))
    with pytest.raises(UnpairedFile, match=r"none of its 5 ids is in .*sys\.jsonl"):
        load_outputs(TestRecords.SUITE, file, id_map=handed_in.map_file)


@given(suite=suites(several_lines=True, contexts=True), data=st.data(), seed=st.integers(0, 999))
def test_2026_records_come_back_under_their_ids(suite: Suite, data: st.DataObject, seed: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        decoys = written(folder, "news", "Neues.\nAltes.\n") if seed % 2 else None
        handed_in = hand_in(suite, folder / "garden.jsonl", "wmt26", decoys=decoys)
        told = answers_to(handed_in, data)
        file = written(folder, "back/sys.jsonl", returned(handed_in, told, seed))
        found = load_outputs(suite, file, id_map=handed_in.map_file)
        assert verdicts(suite, texts(suite, found)) == directly(suite, folder, handed_in, told)


@given(suite=suites(several_lines=True), data=st.data(), seed=st.integers(0, 999))
def test_2026_records_come_back_under_ids_of_the_organisers(suite: Suite, data: st.DataObject, seed: int) -> None:
    with TemporaryDirectory() as name:
        folder, chance = Path(name), Random(seed)
        handed_in = hand_in(suite, folder / "garden.jsonl", "wmt26")
        told = answers_to(handed_in, data)
        others = [
            {"doc_id": "", "source_doc": source, "tgt_lang": target, "instruction": "Other."}
            for source, target in (("Neues.", "en"), (suite.items[0].source, "cs"))
        ]
        asked = [*records(handed_in.path), *others]
        chance.shuffle(asked)
        back = [f"{number:05}-{row['tgt_lang']}" for number, row in enumerate(asked, start=1)]
        rows = [
            {"doc_id": doc_id, "tgt_lang": row["tgt_lang"], "hypothesis": told.get(row["doc_id"], "right")}
            for doc_id, row in zip(back, asked, strict=True)
        ]
        blind = [{**row, "doc_id": doc_id} for doc_id, row in zip(back, asked, strict=True)]
        chance.shuffle(rows)
        written(folder, "back/blind.jsonl", "".join(json.dumps(row) + "\n" for row in blind))
        written(folder, "back/outputs/sys.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        written(folder, "back/garden.jsonl.map.json", handed_in.map_file.read_text(encoding="utf-8"))
        found = load_outputs(suite, folder / "back")
        assert verdicts(suite, texts(suite, found)) == directly(suite, folder, handed_in, told)


@given(suite=suites(several_lines=True), year=st.sampled_from(list(YEARS)))
def test_what_is_handed_in_is_clean(suite: Suite, year: Year) -> None:
    with TemporaryDirectory() as name:
        assert check_hand_in(hand_in(suite, Path(name, f"x{YEARS[year]}"), year).path, year).problems == ()
