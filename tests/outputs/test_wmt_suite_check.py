"""What would go wrong with a file that is handed in, and where it stands."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import BadFile
from assay.outputs.wmt_suite import Year
from assay.outputs.wmt_suite_check import HandInProblem, check_hand_in


def checked(folder: Path, content: bytes | str, year: Year = "wmt25", **options: int) -> dict[str, tuple[int, ...]]:
    """Kind -> lines."""
    return {problem.kind: problem.lines for problem in problems(folder, content, year, **options)}


def problems(folder: Path, content: bytes | str, year: Year = "wmt25", **options: int) -> tuple[HandInProblem, ...]:
    file = folder / "suite"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return check_hand_in(file, year, **options).problems


def record(**changed: Any) -> str:
    """A line of JSONL with everything that it needs."""
    known = {"doc_id": "1", "source_doc": "Uno.", "tgt_lang": "de_CH", "instruction": "Translate."} | changed
    return json.dumps({name: value for name, value in known.items() if value is not None}, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Eins.\nZwei.\n", {}),
        ("Eins.\r\nZwei.\r\n", {}),
        ("\ufeffEins.\n", {"byte order mark": (1,)}),
        ("Eins.\rZwei.\rDrei.", {"bare carriage returns": (1, 2)}),
        ("Eins.\nZwei.\rDrei.\n", {"bare carriage returns": (2,)}),
        ("Eins.\n\n \nZwei.\n\n", {"empty sources": (2, 3, 5)}),
        ("Eins.\nZwei.\n Eins. \n", {"duplicate sources": (3,)}),
        ("Eins\u2028Zwei.\nDrei\x0bVier.\nFünf.\n", {"lines that will be split": (1, 2)}),
        ("Eins\u200b.\nZ\u00adwei.\nDr\tei.\n\ufffd\n", {"control and zero-width characters": (1, 2, 3, 4)}),
        # In these the joiners are spelling.
        ("می\u200cروم\n👩\u200d🔬\n", {}),
        ("Ein\u200cs.\n", {"control and zero-width characters": (1,)}),
        ('Eins.\n"Zwei\nund drei."\nVier.\n', {"cells of CSV over several lines": (2, 3)}),
        ('Eins.\n"Zwei, drei."\n"Vier, fünf."\n', {"quotes of CSV": (2, 3)}),
        ('Eins.\n"Er sagt ""ja""."\n', {"quotes of CSV": (2,)}),
        # Speech: another line with a comma has no quotes around it.
        ('"Komm her, Ben!"\nEr kommt, aber spät.\n"Endlich!"\n', {}),
    ],
)
def test_text(tmp_path: Path, text: str, found: dict[str, tuple[int, ...]]) -> None:
    assert checked(tmp_path, text) == found
    assert checked(tmp_path, text, "wmt24") == found


def test_sources_may_be_so_long(tmp_path: Path) -> None:
    assert checked(tmp_path, "x" * 4000 + "\n") == {}
    assert checked(tmp_path, "x" * 4001 + "\nx\n") == {"long sources": (1,)}
    assert checked(tmp_path, "Eins.\nDreizehn.\n", longest=8) == {"long sources": (2,)}


def test_characters_that_nobody_sees_are_named(tmp_path: Path) -> None:
    [problem] = problems(tmp_path, "a\u200bb\u200b\nc\u202e\n")
    assert problem.message.startswith("U+200B ZERO WIDTH SPACE (2), U+202E RIGHT-TO-LEFT OVERRIDE (1). Systems")


def test_what_is_not_utf_8_is_found_line_by_line(tmp_path: Path) -> None:
    assert checked(tmp_path, b"Eins.\nF\xfcnf.\n")["not UTF-8"] == (2,)
    assert "UTF-16" in checked(tmp_path, "Eins.\n".encode("utf-16"))


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([record(), record(doc_id="2", instruction="Be polite.")], {}),
        ([record(source_doc="Uno.\nDue.\tTre.")], {}),
        ([record(), record(doc_id="2", tgt_lang="de_AT")], {}),
        ([record(), record(doc_id="2")], {"duplicate sources": (2,)}),
        ([record(source_doc="")], {"empty sources": (1,)}),
        ([record(source_doc=None)], {"empty sources": (1,)}),
        ([record(source_doc=["Uno."])], {"empty sources": (1,)}),
        ([record(), record(doc_id="2", source_doc="D", instruction=" ")], {"missing prompts": (2,)}),
        ([record(instruction=None)], {"missing prompts": (1,)}),
        ([record(instruction="Into {target_language}.")], {"places in prompts": (1,)}),
        ([record(instruction="Keep {name} as it is.")], {}),
        ([record(context="Before.")], {"contexts": (1,)}),
        ([record(doc_id=None), record(source_doc="D")], {"missing ids": (1,)}),
        ([record(), record(source_doc="D")], {"duplicate ids": (1, 2)}),
        ([record(tgt_lang=None)], {"target language": (1,)}),
        ([record(tgt_lang="xx_Klingon")], {"target language": (1,)}),
        ([record(), '{"doc_id": "2", "sour\n', "[]\n"], {"broken JSON": (2, 3)}),
        (
            [record(source_doc="U\u2028no.")],
            {"lines that will be split": (1,), "control and zero-width characters": (1,)},
        ),
        ([record(source_doc="U\rno.")], {"control and zero-width characters": (1,)}),
        (["Uno.\n"], {"format": (1,)}),
    ],
)
def test_records(tmp_path: Path, lines: list[str], found: dict[str, tuple[int, ...]]) -> None:
    assert checked(tmp_path, "".join(lines), "wmt26") == found


def test_records_are_no_text(tmp_path: Path) -> None:
    [problem] = problems(tmp_path, record(), "wmt24")
    assert (problem.kind, problem.message) == (
        "format",
        "wmt24 takes text, a paragraph a line. Write it with assay suite submit --for wmt24",
    )


def test_an_empty_file_is_no_file_to_check(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="the file is empty"):
        problems(tmp_path, b"")


def test_the_icelandic_terms_of_2025_are_caught_in_full(data: Path) -> None:
    file = data / "wmt25-eea" / "EEA_Terminology.txt"
    if not file.exists():
        pytest.skip(f"no {file}")
    report = check_hand_in(file, "wmt25")
    found = {problem.kind: problem for problem in report.problems}
    assert list(found) == [
        "byte order mark",
        "bare carriage returns",
        "cells of CSV over several lines",
        "empty sources",
    ]
    assert len(found["bare carriage returns"].lines) == file.read_bytes().count(b"\r") == 365
    # Each cell has two quotes, and each quote stands in a cell.
    assert found["cells of CSV over several lines"].message.startswith("43 cells")
    assert file.read_bytes().count(b'"') == 2 * 43
    # What is left are the 256 sources that could be used, and the 14 lines that never came back.
    assert len(found["empty sources"].lines) == 14
    assert report.sources - len(found["cells of CSV over several lines"].lines) == 256 + 14
