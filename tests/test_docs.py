"""The docs say what is true: their examples are run, and every command, option, format and code is in them.

In ```console blocks each line that starts with `$ ` is run in an empty folder of the page's own, and what follows must
be its output; a line `…` stands for any lines. ```python blocks are run in order, as doctests where they have `>>>`.
Blocks that need files which only the reader has are ```sh and are not run.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from assay.cli.app import app
from assay.reports import FORMATS
from assay.rules.lint import CODES

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if BLOCK.search(page.read_text("utf-8"))], ids=name)
def test_the_examples_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    monkeypatch.setenv("COLUMNS", "120")
    names: dict[str, object] = {}
    for kind, text in BLOCK.findall(page.read_text("utf-8")):
        if kind == "console":
            for command, expected in commands(text):
                done = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", check=False)
                assert_like((done.stdout + done.stderr).rstrip(), expected, command)
        else:
            run_python(text, names, name(page))


def commands(text: str) -> Iterator[tuple[str, str]]:
    """(command, expected output) of a console block."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command = command[:-1] + more.removeprefix("> ")
        yield command, expected.rstrip()


def assert_like(found: str, expected: str, command: str) -> None:
    lines = [".*?" if line.strip() == "…" else re.escape(line.rstrip()) for line in expected.split("\n")]
    stripped = "\n".join(line.rstrip() for line in found.split("\n"))
    assert re.fullmatch("\n".join(lines), stripped, re.DOTALL), f"$ {command}\n{found}"


def run_python(text: str, names: dict[str, object], page: str) -> None:
    if ">>>" not in text:
        exec(compile(text, page, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(text, names, page, page, 0)
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    with contextlib.redirect_stdout(report):
        runner.run(test, clear_globs=False, out=report.write)
    names.update(test.globs)
    assert not runner.failures, report.getvalue()


def all_commands(command: click.Command, path: str = "assay") -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            yield from all_commands(found, f"{path} {child}")


def test_every_command_and_option_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")
    missing = []
    for path, command in all_commands(app):
        if path != "assay" and f"`{path}" not in page:
            missing.append(path)
        missing += [
            f"{path} {option}"
            for parameter in command.params
            if isinstance(parameter, click.Option)
            for option in parameter.opts
            if f"`{option}" not in page
        ]
    assert not missing


@pytest.mark.parametrize("path", [path for path, command in all_commands(app) if not isinstance(command, click.Group)])
def test_the_help_of_every_command_shows_an_example(path: str) -> None:
    command = dict(all_commands(app))[path]
    assert path == "assay suite list" or f"      {path}" in (command.help or "")


def test_every_format_and_lint_code_is_documented() -> None:
    docs = "\n".join(page.read_text("utf-8") for page in PAGES)
    assert [word for word in (*FORMATS, *CODES) if f"`{word}`" not in docs] == []


def test_links_between_pages_lead_somewhere() -> None:
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if not (page.parent / target).exists():
                broken.append(f"{name(page)}: {target}")
    assert not broken
