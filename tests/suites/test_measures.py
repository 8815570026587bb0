"""The measures of `benchmarks/real_mt.py` and `benchmarks/blind.py` on a few lines, counted by hand."""

import subprocess
import sys
from pathlib import Path

from tests.suites.building import suite_folder

ROOT = Path(__file__).resolve().parent.parent.parent

JAWS = """\
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  - id: jaw
    source: Der Kiefer schmerzt.
    pass: ['jaw']
    fail: ['pine']
  - id: bench
    source: Die Bank ist leer.
    pass: ['bench']
    fail: ['bank']
"""


def run(folder: Path, name: str, *arguments: str) -> list[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / name), str(folder / "garden"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    return [" ".join(line.split()) for line in done.stdout.splitlines()]


def written(path: Path, *rows: str) -> str:
    path.write_text("".join(row.replace(" | ", "\t") + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_outputs_with_quotation_marks_are_read_plain_and_quoted(tmp_path: Path) -> None:
    suite_folder(tmp_path / "garden", {"words.yaml": JAWS.replace("'jaw'", "'^\"jaw\"'")})
    plain = written(tmp_path / "x.plain.tsv", "item | output", 'words/jaw | "jaw" hurts')
    quoted = written(tmp_path / "x.quoted.tsv", "item | output", 'words/jaw | """jaw"" hurts"')
    lines = run(tmp_path, "real_mt.py", plain, quoted)
    assert [line.startswith("all pass 1 fail 0") for line in lines if line.startswith("all")] == [True, True]


def test_real_translations_and_readers(tmp_path: Path) -> None:
    suite_folder(tmp_path / "garden", {"words.yaml": JAWS})
    one = written(
        tmp_path / "x.one.tsv", "item | output", "words/jaw | The jaw hurts.", "words/bench | It is.", "words/gone | x"
    )
    two = written(tmp_path / "x.two.tsv", "item | output", "words/jaw | The pine hurts.", "words/bench | The bench.")
    readings = written(
        tmp_path / "readings.tsv",
        "item | system | reader | verdict",
        *("words/jaw | one | Ada | right", "words/bench | one | Ada | right", "words/jaw | two | Ada | right"),
        *("words/jaw | one | Ben | right", "words/bench | one | Ben | unclear", "words/bench | two | Ben | wrong"),
    )
    lines = run(tmp_path, "real_mt.py", one, two, "--readers", readings)
    assert lines[0] == "one: 2 items, 1 outputs for items that are gone"
    assert lines[1].startswith("all pass 1 fail 0 undecided 1 of 2 (50.0 %")
    assert lines[3] == "two: 2 items, 0 outputs for items that are gone"
    assert lines[4].startswith("all pass 1 fail 1 undecided 0 of 2 (0.0 %")
    # Ada: the pine fails and she read it as right; the bench is undecided. Ben: the bench passes, read as wrong.
    assert lines[6] == "rules and Ada: 3 texts read, 0 unclear"
    assert lines[7].startswith("wrong verdicts of the rules 1 of 2 (50.0 %")
    assert lines[9].startswith("fail, read as right 1 of 1")
    assert lines[10].startswith("undecided by the rules 1 of 3")
    assert lines[12] == "rules and Ben: 3 texts read, 1 unclear"
    assert lines[14].startswith("pass, read as wrong 1 of 2")
    # Both read the two texts of one; they agree on the jaw.
    assert lines[-1].startswith("Ada and Ben agree on 1 of 2 (50.0 %")


def test_blind_translations(tmp_path: Path) -> None:
    suite_folder(tmp_path / "garden", {"words.yaml": JAWS})
    table = written(
        tmp_path / "blind.tsv",
        "item | kind | text",
        *("words/jaw | free | His jaw hurts.", "words/jaw | free | His chin hurts.", "words/jaw | llm | The pine."),
        *("words/jaw | wrong | The jaw laughs.", "words/bench | wrong | The bank.", "words/gone | llm | x"),
    )
    lines = run(tmp_path, "blind.py", table)
    assert lines[0] == "5 texts of 2 items, 1 for items that are gone"
    assert lines[1].startswith("right failed 1 of 3 (33.3 %")
    assert lines[1].endswith("at most 0.5 % above the bar")
    assert lines[2] == "words/jaw (llm): The pine."
    assert lines[3].startswith("wrong passed 1 of 2")
    assert lines[5].startswith("free right undecided 1 of 2")


def test_sentence_by_sentence(tmp_path: Path) -> None:
    words = JAWS.replace("  - id:", "  - tier: context\n    id:")
    entry = "  - id: oak\n    source: Die Eiche.\n    pass: ['oak']\n"
    suite_folder(tmp_path / "garden", {"words.yaml": words + entry})
    table = written(
        tmp_path / "sentences.tsv",
        "item | text",
        *("words/jaw | The pine.", "words/bench | The bench.", "words/bench | A seat.", "words/oak | Oak."),
        "words/gone | x",
    )
    lines = run(tmp_path, "blind.py", "--sentence-by-sentence", table)
    assert lines[0] == "3 texts of the context tier, 1 of another, 1 of items that are gone"
    assert lines[1].startswith("failed 1 of 3 (33.3 %")
    assert lines[1].endswith("at least 70 % below the bar")
    assert lines[2].startswith("passed 1 of 3")
    assert lines[3] == "words/bench: The bench."
    assert lines[4].startswith("undecided 1 of 3")
    assert lines[5] == "words/bench: A seat."
