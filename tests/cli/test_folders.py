"""Folders, maps and repairs on the command line: what is said, and where."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.suites.building import suite_folder

MANIFEST = "name: garden\nlangpair: de-en\ncategories: {Negation: {Negation: Not so.}}\n"
ITEMS = """\
category: Negation
phenomenon: Negation
items:
  - {id: a, source: Nein., pass: ['No']}
  - {id: b, source: Nein., pass: ['Nope']}
  - {id: c, source: Nie., pass: ['Never']}
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A folder like those of WMT, beside a suite."""
    suite_folder(tmp_path / "garden", {"negation.yaml": ITEMS}, MANIFEST)
    for name, text in {
        "sources/t.de-en.src.de": "Fremd.\nNein.\nNie.\nNein.\n",
        "system-outputs/t.de-en.hyp.Same.en": "Other.\nNo.\nNever.\nNo.\n",
        "references/t.de-en.ref.A.en": "Strange.\nNo.\nNever.\nNo.\n",
    }.items():
        file = tmp_path / "wmt" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "wmt"


def test_a_folder_is_evaluated_and_what_was_found_is_said(assay: Run, campaign: Path) -> None:
    run = assay("evaluate", "garden", "wmt", "-f", "json", "--keep-all")
    assert json.loads(run.stdout)["systems"][0]["pass"] == 2
    assert run.stderr == (
        "assay: wmt: sources sources/t.de-en.src.de; 1 file of outputs in system-outputs/; "
        "left aside: references (1 file)\n"
    )


def test_lines_that_differ_are_refused_until_a_map_tells_them_apart(assay: Run, campaign: Path, tmp_path: Path) -> None:
    output = campaign / "system-outputs" / "t.de-en.hyp.Same.en"
    output.write_text("Other.\nNope.\nNever.\nNo.\n", encoding="utf-8")
    run = assay("evaluate", "garden", "wmt", code=2)
    assert (
        "t.de-en.hyp.Same.en: 2 items (negation/a, negation/b) have the source 'Nein.' of lines 2, 4, whose"
        in run.stderr
    )
    ids = {"4": "negation/a", "2": "negation/b", "3": "negation/c"}
    (tmp_path / "ids.json").write_text(json.dumps({"suite": "garden", "ids": ids}), encoding="utf-8")
    run = assay("evaluate", "garden", "wmt", "--map", "ids.json", "-f", "json", "--keep-all")
    assert json.loads(run.stdout)["systems"][0]["pass"] == 3


def test_repairs_are_listed_on_standard_error(assay: Run, campaign: Path) -> None:
    output = campaign / "system-outputs" / "t.de-en.hyp.Same.en"
    output.write_bytes(output.read_bytes().replace(b"\n", b"\r"))
    run = assay("evaluate", "garden", "wmt", code=2)
    assert "t.de-en.hyp.Same.en: 4 bare carriage returns and no other line ends; --repair takes them" in run.stderr
    run = assay("evaluate", "garden", "wmt", "--repair", "--keep-all")
    assert run.stderr.endswith("t.de-en.hyp.Same.en: 4 bare carriage returns taken as line ends\n")
