"""pdflatex takes what Assay writes, and nothing runs off the page. For `make test-all`.

Debian: apt-get install texlive-latex-recommended texlive-lang-cyrillic lmodern
"""

import re
import shutil
import subprocess
from pathlib import Path
from shutil import copy

import pytest

from assay.evaluation import By, evaluate_files
from assay.outputs import Inputs
from assay.reports.appendix import AppendixOptions, write_appendix
from assay.reports.latex import render, render_many
from assay.reports.suite_stats import suite_table
from assay.reports.table import Table, TableCell, TableRow, accuracy_table
from assay.result import Note
from tests.starter import OUTPUTS, STARTER

PREAMBLE = r"\usepackage[T2A,T1]{fontenc}\usepackage{array,booktabs,colortbl,graphicx,longtable}"


def compiled(text: str, folder: Path) -> str:
    """What pdflatex says about a document; it fails where pdflatex fails or is not there."""
    program = shutil.which("pdflatex")
    assert program, "no pdflatex; run: apt-get install texlive-latex-recommended texlive-lang-cyrillic lmodern"
    (folder / "table.tex").write_text(text, encoding="utf-8")
    for _ in range(2):  # A longtable learns its widths from the run before.
        done = subprocess.run(
            [program, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "table.tex"],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def pages(log: str) -> int:
    found = re.search(r"Output written on table\.pdf \((\d+) pages?", log)
    assert found
    return int(found[1])


def fits(log: str) -> bool:
    """Nothing is wider or higher than the page."""
    return not re.search(r"Overfull \\[hv]box|Float too large", log)


def wide(*, systems: int, rows: int) -> Table:
    """The widest numbers that an accuracy table can have: 100.0 in bold everywhere, under the longest of names."""
    cells = (TableCell("1,234†", 1234), *[TableCell("100.0", 1.0, strong=True)] * systems, TableCell("100.0", 1.0))
    made = []
    for number in range(rows):
        if number % 8:
            made.append(TableRow("phenomenon", f"Pluperfect subjunctive with modal verb {number}", cells, 0, indent=1))
        else:
            made.append(TableRow("category", "Coordination & ellipsis", cells, 0))
    made.append(TableRow("average", "phenomenon macro-average", cells, 1))
    names = [f"Online-System-{number}" for number in range(systems)]
    return Table("Many systems", "category", ("items", *names, "mean"), tuple(made), (Note.signature("a:1|b:2"),))


def table_of(*labels: str) -> Table:
    rows = tuple(TableRow("category", label, (TableCell("50.0", 0.5),), 0) for label in labels)
    return Table(labels[0], labels[-1], (labels[0],), rows, tuple(map(Note, labels)))


@pytest.mark.parametrize(("by", "number"), [("category", 1), ("phenomenon", 2), ("both", 2)])
def test_the_bundled_suite(by: By, number: int, tmp_path: Path) -> None:
    evaluation = evaluate_files(Inputs(STARTER, [str(path) for path in OUTPUTS]))
    log = compiled(render(accuracy_table(evaluation, by), document=True), tmp_path)
    assert fits(log)
    assert pages(log) == number


@pytest.mark.parametrize(("systems", "rows"), [(2, 120), (8, 20), (20, 20), (20, 120), (50, 60)])
def test_many_systems_and_rows_fit_portrait_pages(systems: int, rows: int, tmp_path: Path) -> None:
    assert fits(compiled(render(wide(systems=systems, rows=rows), document=True), tmp_path))


def test_an_appendix(tmp_path: Path) -> None:
    evaluation = evaluate_files(Inputs(STARTER, [str(path) for path in OUTPUTS]))
    tables = [accuracy_table(evaluation), accuracy_table(evaluation, "both"), suite_table(evaluation.suite)]
    log = compiled(render_many(tables, "Appendix: 100 % of it"), tmp_path)
    assert fits(log)
    assert "multiply defined" not in log


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of two campaigns with a system in common."""
    folder = tmp_path_factory.mktemp("campaigns")
    for year, names in (("WMT21", ("average", "literal")), ("WMT22", ("average", "careful"))):
        files = [str(path) for path in OUTPUTS if path.stem in names]
        (folder / f"{year}.yaml").write_text(f"campaign: {year}\noutputs: {files}\n", encoding="utf-8")
    inputs = Inputs(STARTER, [str(folder / "WMT21.yaml"), str(folder / "WMT22.yaml")])
    write_appendix(inputs, folder / "report", AppendixOptions(figures=False))
    return folder / "report"


def test_an_appendix_of_several_campaigns(campaigns: Path, tmp_path: Path) -> None:
    log = compiled((campaigns / "appendix.tex").read_text("utf-8"), tmp_path)
    assert fits(log)
    assert "multiply defined" not in log


def test_the_same_table_of_two_campaigns_stands_in_one_paper(campaigns: Path, tmp_path: Path) -> None:
    for year in ("wmt21", "wmt22"):
        copy(campaigns / year / "tables" / "categories.tex", tmp_path / f"{year}.tex")
    paper = [
        rf"\documentclass[twocolumn,a4paper]{{article}}\usepackage[margin=25mm]{{geometry}}{PREAMBLE}",
        r"\begin{document}\listoftables",
        r"See \ref{tab:assay-wmt21-de-en-categories} and \ref{tab:assay-wmt22-de-en-categories}.",
        r"\input{wmt21}\input{wmt22}",
        r"\end{document}",
    ]
    log = compiled("\n".join(paper), tmp_path)
    assert "multiply defined" not in log
    assert "undefined references" not in log


def test_languages(tmp_path: Path) -> None:
    table = table_of(
        "Kůň žral žlutý oves — „ještě?“",
        "Мама мыла раму, а їжак співав",
        "Größe, Œuvre, Łódź, ğ, ő, ț, ø",
        "tiếng Việt: ặ, ế, ỗ",
        "中文, ελληνικά, עברית, 😀",
    )
    assert compiled(render(table, document=True), tmp_path)


def test_characters_that_mean_something(tmp_path: Path) -> None:
    table = table_of(
        "[x] at the start of a row",
        "*y* too",
        "  indented & 100 % of $5 #1 a_b {c} ~ ^ \\ end",
        "-- --- '' ,, `` << >> ?` !` \" | ' @ =",
        "“a” ‘b’ „c“ «d» ‹e› – — … † ‡ • → ← ≤ ≥ ≠ ± × ÷ ° § ¶ € № ½ ²",
        "a\nnew\r\nline\tand\x00\x07\u200b nothing",
        "",
    )
    assert compiled(render(table, document=True), tmp_path)


def test_any_character_at_all(tmp_path: Path) -> None:
    blocks = [
        range(0x600),
        range(0x1E00, 0x2400),
        range(0xD7F0, 0xD810),
        range(0xFB00, 0x10010),
        range(0x1F600, 0x1F610),
    ]
    characters = "".join(chr(code) for block in blocks for code in block)
    labels = [characters[start : start + 24] for start in range(0, len(characters), 24)]
    assert compiled(render(table_of("every character", *labels), document=True), tmp_path)


def test_a_piece_is_taken_in_by_a_paper_of_two_columns(tmp_path: Path) -> None:
    narrow, broad = table_of("Kategorie", "Категория, die auch sehr lang sein kann", "中"), wide(systems=18, rows=20)
    (tmp_path / "narrow.tex").write_text(render(narrow, label="tab:narrow"), encoding="utf-8")
    (tmp_path / "broad.tex").write_text(render(broad, label="tab:broad"), encoding="utf-8")
    paper = [
        rf"\documentclass[twocolumn,a4paper]{{article}}\usepackage[margin=25mm]{{geometry}}{PREAMBLE}",
        r"\begin{document}\listoftables",
        r"See \ref{tab:narrow} and \ref{tab:broad}.",
        r"\input{narrow}\input{broad}",
        r"\end{document}",
    ]
    log = compiled("\n".join(paper), tmp_path)
    assert fits(log)
    assert "undefined references" not in log


def test_a_long_piece_is_taken_in_by_a_landscape_page(tmp_path: Path) -> None:
    (tmp_path / "long.tex").write_text(render(wide(systems=18, rows=60), label="tab:long"), encoding="utf-8")
    paper = [
        rf"\documentclass[a4paper]{{article}}\usepackage{{pdflscape}}{PREAMBLE}",
        r"\begin{document}See \ref{tab:long}.",
        r"\begin{landscape}\input{long}\end{landscape}",
        r"\end{document}",
    ]
    assert fits(compiled("\n".join(paper), tmp_path))
