"""A suite is handed in, and its outputs come back, on the command line."""

import json
from pathlib import Path

import pytest

from tests.conftest import Refused, Run
from tests.suites.building import suite_folder

MANIFEST = "name: garden\nlangpair: de-en\ncategories: {Negation: {Negation: Not so.}}\n"
ITEMS = """\
category: Negation
phenomenon: Negation
items:
  - {id: a, source: Nein., pass: ['No']}
  - {id: b, source: Nein., prompt: Sei nett., pass: ['Sorry']}
  - {id: c, source: "Nie.\\nNiemals.", pass: ['Never ever']}
"""


@pytest.fixture(autouse=True)
def garden(tmp_path: Path) -> Path:
    return suite_folder(tmp_path / "garden", {"negation.yaml": ITEMS}, MANIFEST)


def passed(run: str) -> int:
    return int(json.loads(run)["systems"][0]["pass"])


def test_2026(assay: Run, tmp_path: Path) -> None:
    run = assay("suite", "submit", "garden", "--for", "wmt26", "-o", "garden.jsonl")
    assert run.stdout == (
        "garden.jsonl: 3 texts for 3 items\n"
        "  2 items without a prompt: 'Translate from German to English.' was written\n"
        "garden.jsonl.map.json: the map; do not send it\n"
    )
    asked = [json.loads(line) for line in (tmp_path / "garden.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = dict(zip((row["doc_id"] for row in asked), ("No.", "Sorry, no.", "Never\never."), strict=True))
    rows = [{"doc_id": doc_id, "hypothesis": text} for doc_id, text in reversed(answers.items())]
    (tmp_path / "sys.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run = assay("evaluate", "garden", "sys.jsonl", "--map", "garden.jsonl.map.json", "-f", "json", "--keep-all")
    assert passed(run.stdout) == 3


@pytest.mark.parametrize("year", ["wmt24", "wmt25"])
def test_2024_and_2025(assay: Run, tmp_path: Path, year: str) -> None:
    (tmp_path / "back").mkdir()
    run = assay("suite", "submit", "garden", "--for", year, "-o", "back/garden.txt")
    assert run.stdout == (
        "back/garden.txt: 3 texts for 3 items\n"
        "  1 item of several lines: a line for each, put together again by the map\n"
        "  1 prompt left out: the format has none\n"
        "back/garden.txt.map.json: the map; do not send it\n"
    )
    (tmp_path / "back" / "sys.txt").write_text("Sorry, No.\nNever\never.\n", encoding="utf-8")
    run = assay("evaluate", "garden", "back", "-f", "json", "--keep-all")
    assert (
        run.stderr
        == "assay: back: sources garden.txt; map garden.txt.map.json; 1 file of outputs in the folder itself\n"
    )
    assert passed(run.stdout) == 3


def test_a_map_of_other_texts_is_kept(assay: Run, tmp_path: Path) -> None:
    decoys = tmp_path / "decoys.txt"
    decoys.write_text("Es regnet.\nEs schneit.\n", encoding="utf-8")
    words = ("suite", "submit", "de-en", "--for", "wmt25", "-o", "sources.txt", "--decoys", decoys)
    assay(*words)
    before = (tmp_path / "sources.txt").read_bytes(), (tmp_path / "sources.txt.map.json").read_bytes()
    assay(*words)
    run = assay(*words, "--seed", "2", code=2)
    assert "sources.txt.map.json: this is the map of other texts" in run.stderr
    assert before == ((tmp_path / "sources.txt").read_bytes(), (tmp_path / "sources.txt.map.json").read_bytes())


def test_what_is_wrong_with_the_suite_itself_is_said(assay: Run, tmp_path: Path) -> None:
    suite_folder(tmp_path / "garden", {"negation.yaml": ITEMS.replace("Nie.", "Nie\u200b.")}, MANIFEST)
    run = assay("suite", "submit", "garden", "--for", "wmt25", "-o", "garden.txt")
    assert run.stdout.splitlines()[-1] == (
        "look at these before you send it: control and zero-width characters (assay suite check garden.txt --for wmt25)"
    )


def test_a_clean_file(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Nein.\nNie.\n", encoding="utf-8")
    assert assay("suite", "check", "x.txt", "--for", "wmt24").stdout == "x.txt: 2 sources for wmt24, nothing found\n"


def test_a_paragraph_for_each_kind(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Nein.\n\n\n\nNie.\nNein.\n" + "Ja.\n\n" * 8, encoding="utf-8")
    run = assay("suite", "check", "x.txt", "--for", "wmt25", code=1)
    first, *paragraphs = run.stdout.strip().split("\n\n")
    assert first == "x.txt: 22 sources for wmt25, 2 kinds of problem"
    assert [paragraph.partition(":")[0] for paragraph in paragraphs] == [
        "empty sources (lines 2–4, 8, 10, 12, 14, 16, 18, 20 and 1 more (--all))",
        "duplicate sources (lines 6, 9, 11, 13, 15, 17, 19, 21)",
    ]
    assert "16, 18, 20, 22)" in assay("suite", "check", "x.txt", "--for", "wmt25", "--all", code=1).stdout


def test_paragraphs_fit_the_terminal(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Nein.\n\nNie.\n", encoding="utf-8")
    run = assay("suite", "check", "x.txt", "--for", "wmt25", code=1, COLUMNS="60")
    assert max(map(len, run.stdout.splitlines())) <= 60


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["submit", "garden", "--for", "wmt26", "-o", "x.txt"], "x.txt: wmt26 takes .jsonl files"),
        (["submit", "garden", "--for", "wmt25", "-o", "x.txt", "--decoy-share", "0.5"], "--decoy-share needs decoys"),
        (["check", "nowhere.txt", "--for", "wmt25"], "nowhere.txt: there is no such file"),
        (["convert", "x.jsonl", "-o", "y"], "x.jsonl does not say its languages; name them: --langpair"),
        (["convert", "garden", "-o", "y", "--langpair", "de-en"], "garden: --langpair, --prompts and --repair are for"),
    ],
)
def test_mistakes(refused: Refused, words: list[str], message: str) -> None:
    assert message in refused("suite", *words)


def test_a_year_must_be_known(assay: Run) -> None:
    assert (
        "'wmt27' is not one of 'wmt24', 'wmt25', 'wmt26'"
        in assay("suite", "check", "x", "--for", "wmt27", code=2).stderr
    )


def test_a_blind_set_becomes_a_suite_to_go_on_with(assay: Run, tmp_path: Path) -> None:
    assay("suite", "submit", "garden", "--for", "wmt26", "-o", "blind.jsonl")
    run = assay("suite", "convert", "blind.jsonl", "--langpair", "de-en", "--prompts", "nett", "-o", "nice")
    assert run.stdout == "nice: 1 item without rules\n"
    assert "prompt: Sei nett." in (tmp_path / "nice" / "suite.yaml").read_text(encoding="utf-8") + (
        tmp_path / "nice" / "unsorted" / "unsorted.yaml"
    ).read_text(encoding="utf-8")
