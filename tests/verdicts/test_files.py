"""The verdict table as a file."""

import csv
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.errors import BadOption
from assay.evaluation import evaluate
from assay.files import writing
from assay.outputs import load_outputs
from assay.suites import Rule
from assay.tsv import TsvWriter, restored
from assay.verdicts.files import check_verdicts_path, write_verdicts
from assay.verdicts.verdict import VERDICT_FIELDS, Judged, VerdictTable
from tests.suites.building import a_suite, an_item

SUITE = a_suite(
    an_item("00001001", "Der Kiefer\ttut weh.", Rule("pass", "regex", r"\bjaw\b"), Rule("fail", "contains", "pine")),
    an_item("00001002", 'Er sagt "ja".', Rule("pass", "regex", "yes")),
)


def save(lines: Iterable[Judged], path: Path) -> None:
    with writing(path) as stream:
        write_verdicts(lines, stream, jsonl=path.suffix == ".jsonl")


def table(folder: Path, *texts: str) -> VerdictTable:
    file = folder / "sys.jsonl"
    records = [{"item": item.id, "text": text} for item, text in zip(SUITE, texts, strict=True)]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return evaluate(SUITE, load_outputs(SUITE, file, campaign="W1"), keep_all=True).table


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, dialect="excel-tab"))


def test_a_line_says_what_a_text_is_worth_and_why(tmp_path: Path) -> None:
    save(table(tmp_path, "The  jaw hurts.", "No\tmatch"), tmp_path / "verdicts.tsv")
    assert rows(tmp_path / "verdicts.tsv") == [
        {
            "item": "00001001",
            "system": "sys",
            "campaign": "W1",
            "verdict": "pass",
            "reason": "",
            "rule": r"pass:regex:\bjaw\b",
            "match": "jaw",
            "start": "4",
            "end": "7",
            "category": "Ambiguity",
            "phenomenon": "Lexical ambiguity",
            "source": "Der Kiefer\ttut weh.",
            "text": "The  jaw hurts.",
        },
        {
            "item": "00001002",
            "system": "sys",
            "campaign": "W1",
            "verdict": "warning",
            "reason": "no_match",
            "rule": "",
            "match": "",
            "start": "",
            "end": "",
            "category": "Ambiguity",
            "phenomenon": "Lexical ambiguity",
            "source": 'Er sagt "ja".',
            "text": "No\tmatch",
        },
    ]


def test_a_contradiction_names_both_rules(tmp_path: Path) -> None:
    save(table(tmp_path, "jaw of pine", "yes"), tmp_path / "verdicts.tsv")
    first = rows(tmp_path / "verdicts.tsv")[0]
    assert (first["verdict"], first["reason"]) == ("warning", "contradiction")
    assert first["rule"] == r"pass:regex:\bjaw\b & fail:contains:pine"


def test_jsonl_holds_the_same_fields(tmp_path: Path) -> None:
    save(table(tmp_path, "Käse\u2028\n", "yes"), tmp_path / "verdicts.jsonl")
    records = [json.loads(line) for line in (tmp_path / "verdicts.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    assert [tuple(record) for record in records] == [VERDICT_FIELDS, VERDICT_FIELDS]
    assert (records[0]["text"], records[0]["start"], records[1]["start"]) == ("Käse\u2028\n", None, 0)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
@example("=1+1", "'=1+1")
def test_any_text_survives_in_a_tsv_file(first: str, second: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save(table(folder, first, second), folder / "verdicts.tsv")
        assert [restored(row["text"]) for row in rows(folder / "verdicts.tsv")] == [first, second]


def test_the_table_can_be_read_back_as_outputs(tmp_path: Path) -> None:
    first = table(tmp_path, 'a "jaw"\tor\nso', "yes")
    save(first, tmp_path / "verdicts.tsv")
    again = load_outputs(SUITE, tmp_path / "verdicts.tsv")
    assert again.systems == first.outputs.systems
    assert [again.text(place, 0) for place in (0, 1)] == ['a "jaw"\tor\nso', "yes"]


def test_quoting_is_minimal(tmp_path: Path) -> None:
    with (tmp_path / "x.tsv").open("w", encoding="utf-8", newline="") as stream:
        TsvWriter(stream).writerow(["plain", "it's", 'a "b"', "c\td"])
    assert (tmp_path / "x.tsv").read_text(encoding="utf-8").rstrip() == 'plain\tit\'s\t"a ""b"""\t"c\td"'


@pytest.mark.parametrize("name", ["verdicts.csv", "verdicts", "verdicts.json"])
def test_another_suffix_is_refused(name: str) -> None:
    with pytest.raises(BadOption, match=r"\.tsv, \.jsonl or \.parquet"):
        check_verdicts_path(Path(name))
