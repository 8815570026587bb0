"""One limit for a text and one for a file, at every door, and how a user raises them."""

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.challenge.files.sets import read_challenge
from assay.contrasts.files import conllu, definitions
from assay.errors import AssayError, BadFile, BadOption
from assay.files import read_text
from assay.limits import in_the_sandbox, largest_file, longest_text
from assay.outputs import NamedFile, load_outputs
from assay.outputs.aliases import read_aliases
from assay.outputs.decoys import in_suite_order, read_decoys
from assay.outputs.sources import read_source
from assay.spreadsheet import Sheet, SheetCell, workbook
from assay.suites import load_suite
from assay.translate.collect import collect
from assay.translate.engine import Answer
from assay.translate.prompt import read_prompt
from assay.translate.retry import Limits
from assay.translate.submissions import read_participant_file
from assay.verdicts.events import read_events
from assay.verdicts.todo import read_todo
from tests.suites.building import MANIFEST, a_suite, an_item, suite_folder
from tests.translate.fakes import FakeEngine


def test_the_limits_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (longest_text(), largest_file()) == (100_000, 1024**3)
    monkeypatch.setenv("ASSAY_MAX_TEXT", "7")
    monkeypatch.setenv("ASSAY_MAX_FILE", "2")
    assert (longest_text(), largest_file()) == (7, 2 * 1024**2)


def test_what_comes_over_the_web_has_limits_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_the_sandbox("RULE", seconds=10, megabytes=512) == (10, 512)
    monkeypatch.setenv("ASSAY_RULE_SECONDS", "30")
    assert in_the_sandbox("RULE", seconds=10, megabytes=512) == (30, 512)
    monkeypatch.setenv("ASSAY_RULE_MB", "much")
    with pytest.raises(BadOption, match="ASSAY_RULE_MB is a whole number above 0, not 'much'"):
        in_the_sandbox("RULE", seconds=10, megabytes=512)


@pytest.mark.parametrize("value", ["0", "-1", "many", "1e6", "²"])
def test_a_limit_is_a_whole_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("ASSAY_MAX_TEXT", value)
    with pytest.raises(BadOption, match="ASSAY_MAX_TEXT is a whole number above 0"):
        longest_text()


@pytest.mark.parametrize("name", ["large.txt", "large.txt.gz", "-"])
def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("ASSAY_MAX_FILE", "1")
    data = b"a" * (1024**2 + 1)
    path = Path("-") if name == "-" else tmp_path / name
    if name == "-":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    else:
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises(BadFile, match="more than 1 MB, unpacked; split it, or raise ASSAY_MAX_FILE"):
        read_text(path)


def test_a_gzip_file_within_the_limit_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_MAX_FILE", "1")
    file = tmp_path / "just.txt.gz"
    file.write_bytes(gzip.compress(b"a" * 1024**2))
    assert len(read_text(file)) == 1024**2


LONG = "x" * 201  # characters; the tests below allow 200
SUITE = a_suite(an_item("f/a"))
EVENT = {"item": "f/a", "text": LONG, "by": "Ada", "kind": "judgement", "verdict": "pass", "comment": ""}
PAIR = {"id": "1", "source": LONG, "reference": "a", "hyp-1": "a", "hyp-2": "b"}
ITEM = f"category: Ambiguity\nphenomenon: Lexical ambiguity\nitems:\n  - id: a\n    source: {LONG}\n    pass: [x]\n"
DFKI = {"id": "a", "source_sentence": LONG, "category": "c", "phenomenon": "p", "langpair": "deen"}
TREE = f"1\t{LONG}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
XML = '<dataset><doc id="d"><src><p><seg id="1">{}</seg></p></src><hyp system="A"><p><seg id="1">{}</seg></p></hyp>'


def outputs(path: Path) -> object:
    return load_outputs(SUITE, [path])


def todo(path: Path) -> object:
    return read_todo(path, ["f/a"])


# A file's name, what is in it, and who reads it.
DOORS: list[tuple[str, str, Callable[[Path], object]]] = [
    ("items.json", json.dumps({"items": [DFKI]}), load_suite),
    ("sample.de-en.tsv", f"Category\tPhenomenon\tSource\nA\tB\t{LONG}\n", load_suite),
    ("aliases.yaml", f"systems:\n  a: {LONG}\n", read_aliases),
    ("contrasts.yaml", f"name: {LONG}\n", definitions.read),
    ("todo.tsv", f"item\ttext\tverdict\nf/a\t{LONG}\tpass\n", todo),
    ("judgements.jsonl", json.dumps(EVENT), lambda path: list(read_events(path))),
    ("set.jsonl", json.dumps(PAIR), read_challenge),
    ("set.tsv", f"id\tsource\treference\thyp-1\thyp-2\n1\t{LONG}\ta\tb\tc\n", read_challenge),
    (
        "aces.tsv",
        "ID\tsource\tgood-translation\tincorrect-translation\treference\tphenomena\tlangpair\n"
        f"1\t{LONG}\ta\tb\tc\tp\tde-en\n",
        read_challenge,
    ),
    ("trees.conllu", TREE, lambda path: list(conllu.read(path))),
    ("source.txt", LONG, read_source),
    ("source.xml", XML.format(LONG, "a") + "</doc></dataset>", read_source),
    ("source.jsonl", json.dumps({"doc_id": "a", "src_text": LONG}), read_source),
    ("a.txt", LONG, outputs),
    ("a.tsv", f"item\ttext\nf/a\t{LONG}\n", outputs),
    ("a.jsonl", json.dumps({"item": "f/a", "text": LONG}), outputs),
    ("a.xml", XML.format("Es regnet.", LONG) + "</doc></dataset>", outputs),
    ("campaign.yaml", f"name: {LONG}\n", outputs),
    ("decoys.txt", LONG, read_decoys),
    ("examples.tsv", f"a\t{LONG}\n", lambda path: read_prompt(template=None, system=None, examples=path)),
]


@pytest.mark.parametrize(("name", "content", "read"), DOORS, ids=[name for name, *_ in DOORS])
def test_every_door_refuses_a_text_that_is_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, read: Callable[[Path], object]
) -> None:
    monkeypatch.setenv("ASSAY_MAX_TEXT", "200")
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(
        AssayError, match=r"\b20\d characters, at most 200 are read; shorten it, or raise ASSAY_MAX_TEXT$"
    ):
        read(tmp_path / name)


def test_a_folder_and_a_workbook_are_doors_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_MAX_TEXT", "200")
    with pytest.raises(BadFile, match=r"a.yaml:5: a text of 201 characters"):
        load_suite(suite_folder(tmp_path / "suite", {"a.yaml": ITEM}, MANIFEST))
    line = [SheetCell("f/a"), SheetCell(LONG), SheetCell("pass")]
    (tmp_path / "todo.xlsx").write_bytes(workbook([Sheet("a", ("item", "text", "verdict"), [line], 1)]))
    with pytest.raises(BadFile, match=r"todo.xlsx:2: a text of 201 characters"):
        todo(tmp_path / "todo.xlsx")


def test_what_participants_hand_in_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_MAX_TEXT", "200")
    (tmp_path / "a.txt").write_text(LONG, encoding="utf-8")
    (found,) = read_participant_file(NamedFile.parse(str(tmp_path / "a.txt")), in_suite_order(SUITE))
    assert found.faults[0].startswith("line 1: a text of 201 characters")


def test_an_answer_that_is_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_MAX_TEXT", "200")
    kept: list[tuple[str, Answer]] = []
    engine = FakeEngine(lambda sentence, _: LONG if sentence == "b" else sentence)
    found = collect(engine, ["a", "b"], keep=kept.extend, limits=Limits())
    assert [sentence for sentence, _ in kept] == ["a"]
    assert found.failures == {"b": "the answer has more than 200 characters (ASSAY_MAX_TEXT)"}


def test_a_raised_limit_holds_for_tables_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's csv would read 131,072 characters of a cell."""
    monkeypatch.setenv("ASSAY_MAX_TEXT", "200000")
    (tmp_path / "todo.tsv").write_text(f"item\ttext\tverdict\nf/a\t{'x' * 150_000}\tp\n", encoding="utf-8")
    (judgement,) = read_todo(tmp_path / "todo.tsv", ["f/a"]).judgements
    assert len(judgement.text) == 150_000
