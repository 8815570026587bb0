"""`--tier` on the command line: one option, wherever items are chosen."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.suites import load_suite, save_suite
from tests.conftest import Run

CHOSEN = ("lexical-ambiguity/", "idiom/")


@pytest.fixture(scope="module")
def tiered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The items of two phenomena of a bundled suite, one of them as a context tier; and outputs for them."""
    folder = tmp_path_factory.mktemp("tiered")
    suite = load_suite("de-en")
    items = [
        replace(item, tier="context" if item.id.startswith("idiom/") else "entry", group="")
        for item in suite
        if item.id.startswith(CHOSEN)
    ]
    taxonomy = {"Ambiguity": {"Lexical ambiguity": ""}, "MWE": {"Idiom": ""}}
    save_suite(
        replace(suite, items=tuple(items), taxonomy=taxonomy, guidelines={}, lexical={}, negation={}), folder / "suite"
    )
    for name, place in (("right", 0), ("left", -1)):
        texts = [(*item.examples.passing, *item.examples.failing)[place] for item in items]
        lines = [f"{item.id}\t{text}" for item, text in zip(items, texts, strict=True)]
        (folder / f"{name}.tsv").write_text("item\toutput\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return folder


def number(folder: Path, tier: str) -> int:
    return sum(item.tier == tier for item in load_suite(folder / "suite"))


@pytest.mark.parametrize(
    ("command", "before", "after"),
    [
        ("evaluate --notes", "entry tier", "tier:context"),
        ("compare --notes", "entry tier", "tier:context"),
        ("examples --verdict any --limit 0", "lexical-ambiguity/", "idiom/"),
        ("items --limit 0", "lexical-ambiguity/", "idiom/"),
        ("explain --verdict pass", "lexical-ambiguity/", "idiom/"),
    ],
)
def test_a_tier_is_chosen(assay: Run, tiered: Path, command: str, before: str, after: str) -> None:
    name, *more = command.split()
    arguments = [str(tiered / "suite"), str(tiered / "right.tsv"), str(tiered / "left.tsv"), *more]
    whole, part = assay(name, *arguments).stdout, assay(name, *arguments, "--tier", "context").stdout
    assert before in whole
    assert before not in part
    assert after in part


def test_sources_of_a_tier(assay: Run, tiered: Path) -> None:
    lines = assay("suite", "sources", str(tiered / "suite"), "--tier", "context").stdout.splitlines()
    assert len(lines) == number(tiered, "context")


def test_translations_of_a_tier(assay: Run, tiered: Path, tmp_path: Path) -> None:
    assay(
        "translate", str(tiered / "suite"), "--system", "mine=cmd:cat", "-o", str(tmp_path / "out"), "--tier", "context"
    )
    [written] = (tmp_path / "out").glob("mine*.tsv")
    lines = written.read_text("utf-8").splitlines()[1:]
    assert len(lines) == number(tiered, "context")
    assert all(line.startswith("idiom/") for line in lines)


def test_the_report_of_a_tier(assay: Run, tiered: Path, tmp_path: Path) -> None:
    arguments = [str(tiered / "suite"), str(tiered / "right.tsv"), str(tiered / "left.tsv"), "--no-figures"]
    assay("report", *arguments, "-o", str(tmp_path / "whole"))
    assay("report", *arguments, "-o", str(tmp_path / "part"), "--tier", "entry")
    whole, part = (
        "".join(path.read_text("utf-8") for path in sorted((tmp_path / name / "tables").glob("*.csv")))
        for name in ("whole", "part")
    )
    assert "Idiom" in whole
    assert "Idiom" not in part


def test_warnings_and_samples_of_a_tier(assay: Run, tiered: Path, tmp_path: Path) -> None:
    ids = [item.id for item in load_suite(tiered / "suite")]
    strange = tmp_path / "strange.tsv"
    strange.write_text(
        "item\toutput\n" + "\n".join(f"{name}\tqwertz {n}" for n, name in enumerate(ids)) + "\n", encoding="utf-8"
    )
    wanted = number(tiered, "context")
    assay("warnings", str(tiered / "suite"), str(strange), "-o", str(tmp_path / "todo.tsv"), "--tier", "context")
    assert len((tmp_path / "todo.tsv").read_text("utf-8").splitlines()) == wanted + 1
    drawn = ["--draw", str(tmp_path / "draw.json"), "-n", str(wanted)]
    assay("sample", str(tiered / "suite"), str(strange), "-o", str(tmp_path / "part.tsv"), "--tier", "context", *drawn)
    assert len((tmp_path / "part.tsv").read_text("utf-8").splitlines()) == wanted + 1


def test_a_suite_without_the_tier(assay: Run) -> None:
    done = assay("suite", "stats", "gender-en-de", "--tier", "context", code=2)
    assert "has no items of the tier context" in done.stderr
