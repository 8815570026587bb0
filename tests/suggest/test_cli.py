"""`assay suggest`, as users run it."""

import csv
import json
from pathlib import Path

import pytest

from assay.suites import Item, Rule, Suite, native_writer, taxonomy_of
from tests.conftest import Run
from tests.translate.protocols import KEY, Fault
from tests.translate.server import MtServer

SAID = '{"verdict": "fail", "confidence": 0.7, "reason": "so it seems"}'


@pytest.fixture
def demo(tmp_path: Path) -> list[str]:
    """Three systems and eight items: `lock` passes, `castle` fails, and `latch` waits for a linguist."""
    rules = (Rule("pass", "contains", "lock"), Rule("fail", "contains", "castle"))
    items = tuple(
        Item(f"schloss-{number}", "Ambiguity", "Lexical ambiguity", f"Schloss {number} klemmt.", rules)
        for number in range(8)
    )
    suite = Suite("little", "de-en", items, taxonomy_of(items))
    native_writer.write(suite, tmp_path / "in" / "suite")
    for word in ("lock", "castle", "latch"):
        lines = [f"The {word} number {number} is stuck.\n" for number in range(8)]
        (tmp_path / "in" / f"{word}.txt").write_text("".join(lines), encoding="utf-8")
    return ["in/suite", "in/lock.txt", "in/castle.txt", "in/latch.txt"]


def test_suggestions_in_a_file_are_not_judgements(assay: Run, demo: list[str], tmp_path: Path) -> None:
    said = assay("suggest", *demo, "-o", "hints.tsv").stdout
    with (tmp_path / "hints.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, dialect="excel-tab"))
    assert said == f"hints.tsv: {len(rows)} of {len(rows)} texts suggested by nearest\n"
    assert {row["suggestion"] for row in rows} <= {"pass", "fail"}
    refused = assay("judge", demo[0], "hints.tsv", "-o", "judged", code=2).stderr
    assert "no column 'verdict'" in refused
    before = assay("evaluate", *demo, "-f", "json").stdout
    assay("suggest", *demo)
    assert assay("evaluate", *demo, "-f", "json").stdout == before


def test_jsonl_and_the_terminal_say_the_same(assay: Run, demo: list[str], tmp_path: Path) -> None:
    assay("suggest", *demo, "--limit", "3", "-o", "hints.jsonl")
    records = [json.loads(line) for line in (tmp_path / "hints.jsonl").read_text("utf-8").splitlines()]
    shown = assay("suggest", *demo, "--limit", "3").stdout
    assert len(records) == 3
    for record in records:
        assert f"{record['suggestion']} {record['confidence']:.2f}" in shown
        assert record["text"] in shown
    assert shown.endswith("3 of 3 texts suggested by nearest\n")


@pytest.mark.parametrize("suffix", ["txt", "md", "tex", "csv", "json"])
def test_calibration_in_every_format(assay: Run, demo: list[str], tmp_path: Path, suffix: str) -> None:
    said = assay("suggest", *demo, "--calibrate", "--sample", "9", "-o", f"report.{suffix}").stdout
    assert "nearest: 9 of 9 texts suggested, right " in said
    text = (tmp_path / f"report.{suffix}").read_text("utf-8")
    assert "Ambiguity" in text
    if suffix == "json":
        rows = json.loads(text)["rows"]
        whole = rows[-1]
        assert whole["texts"] == sum(row["texts"] for row in rows[:-1]) == 9
        assert sum(whole["confusion"].values()) == whole["suggested"]


def test_a_language_model_is_asked_once(assay: Run, demo: list[str], tmp_path: Path) -> None:
    with MtServer(wants_key=True, answer=lambda _: SAID) as server:
        spec = ["--suggester", server.spec("openai", key_env="SOME_KEY"), "--limit", "4"]
        planned = assay("suggest", *demo, *spec, "--dry-run", SOME_KEY=KEY).stdout
        assert planned.startswith("parrot: 4 texts to ask for, ")
        assert not server.requests
        first = assay("suggest", *demo, *spec, "-o", "one.tsv", SOME_KEY=KEY)
        assert "parrot: 4 requests\n" in first.stderr
        second = assay("suggest", *demo, *spec, "-o", "two.tsv", SOME_KEY=KEY)
        assert "parrot: 0 requests, 4 answers known from before\n" in second.stderr
        assert len(server.requests) == 4
        assert assay("suggest", *demo, *spec, "--dry-run", SOME_KEY=KEY).stdout.startswith("parrot: 0 texts")
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "two.tsv").read_bytes()
    written = [path for path in tmp_path.rglob("*") if path.is_file() and "in" not in path.parts]
    assert {path.suffix for path in written} == {".tsv", ".jsonl"}
    assert not [path for path in written if KEY.encode() in path.read_bytes()]


def test_a_budget_and_a_refusal_end_with_3(assay: Run, demo: list[str], tmp_path: Path) -> None:
    with MtServer(answer=lambda _: SAID) as server:
        spec = ["--suggester", server.spec("openai"), "--limit", "3"]
        done = assay("suggest", *demo, *spec, "--max-requests", "1", "-o", "hints.tsv", code=3)
        assert "1 requests were allowed, and made" in done.stderr
        assert done.stdout == "hints.tsv: 1 of 3 texts suggested by parrot\n"
        server.next(Fault.QUOTA)
        assert "quota is exhausted" in assay("suggest", *demo, *spec, code=3).stderr


def test_calibrating_a_language_model(assay: Run, demo: list[str]) -> None:
    """It always says fail: every right one is a known fail."""
    with MtServer(answer=lambda _: SAID) as server:
        spec = ["--suggester", server.spec("anthropic"), "--calibrate", "--sample", "10", "-f", "json"]
        whole = json.loads(assay("suggest", *demo, *spec).stdout)["rows"][-1]
    assert whole["confusion"]["pass_pass"] == whole["confusion"]["fail_pass"] == 0
    assert whole["right"] == whole["confusion"]["fail_fail"]


def test_suggesters_are_listed(assay: Run) -> None:
    names = [line.split()[0] for line in assay("suggest", "--list").stdout.splitlines()]
    assert names[:3] == ["anthropic", "nearest", "openai"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suggester", "nerest"], "no suggester 'nerest'; did you mean nearest?"),
        (["--sample", "3"], "--sample is for --calibrate"),
        (["--calibrate", "--limit", "3"], "use --sample with --calibrate"),
        (["-o", "hints.md"], "suggestions are written as .tsv or .jsonl"),
        (["--calibrate", "-o", "hints.tsv"], "the suffix names no format"),
        (["--calibrate", "--on", "exact", "--judgements", "x.jsonl"], "leave --on out"),
        (["--calibrate", "--judgements", "x.jsonl"], "x.jsonl: there is no such file"),
        (["--suggester", "openai:model=x", "--journal", "j"], "OPENAI_API_KEY"),
        (
            ["--max-cost", "1", "--suggester", "openai:model=x,base_url=http://localhost:9/v1"],
            "--max-cost needs prices",
        ),
    ],
)
def test_mistakes(assay: Run, demo: list[str], arguments: list[str], message: str) -> None:
    code = 3 if "OPENAI" in message else 2
    assert message in assay("suggest", *demo, *arguments, code=code, OPENAI_API_KEY="").stderr
