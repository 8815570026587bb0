"""The docs say what is true: their examples are run, and every command, option, format and code is in them.

In ```console blocks each line that starts with `$ ` is run in an empty folder of the page's own, and what follows must
be its output; a line `…` stands for any lines. A command goes on after a backslash, and until its last word where it
has a here-document (`cat > file <<'END'`). ```python blocks are run in order, as doctests where they have `>>>`. Blocks
that need files which only the reader has are ```sh and are not run. `scripts/docs.py` brings outputs up to date.
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
from typing import NamedTuple

import click
import pytest

from assay.cli.app import app
from assay.reports.formats import FORMATS
from assay.verdicts.lint import CODES

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^(?P<fence>`{3,})(?P<kind>console|python)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
HERE = re.compile(r"<<'(\w+)'")
ENVIRONMENT = {
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "NO_COLOR": "1",
    "PYTHONIOENCODING": "utf-8",
    "COLUMNS": "120",
}


class Example(NamedTuple):
    """A command of a console block: as it stands on the page, as it is run, and what it must print."""

    shown: str
    command: str
    expected: str


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if BLOCK.search(page.read_text("utf-8"))], ids=name)
def test_the_examples_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable, value in ENVIRONMENT.items():
        monkeypatch.setenv(variable, value)
    names: dict[str, object] = {}
    for block in BLOCK.finditer(page.read_text("utf-8")):
        if block["kind"] == "console":
            for example in commands(block["text"]):
                assert_like(output_of(example.command), example.expected, example.command)
        else:
            run_python(block["text"], names, name(page))


def commands(text: str) -> Iterator[Example]:
    """The commands of a console block with their expected outputs."""
    lines = text.rstrip("\n").split("\n")
    while lines:
        shown = [lines.pop(0)]
        assert shown[0].startswith("$ "), f"a console block starts with a command, not {shown[0]!r}"
        command = shown[0].removeprefix("$ ")
        while command.endswith("\\"):
            shown.append(lines.pop(0))
            command = command[:-1] + shown[-1].removeprefix("> ")
        if here := HERE.search(command):
            end = lines.index(here[1]) + 1
            shown += lines[:end]
            command = "\n".join([command, *lines[:end]])
            del lines[:end]
        expected = []
        while lines and not lines[0].startswith("$ "):
            expected.append(lines.pop(0))
        yield Example("\n".join(shown), command, "\n".join(expected).rstrip())


def output_of(command: str) -> str:
    """What a command prints, errors last."""
    done = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", check=False)
    return (done.stdout + done.stderr).rstrip()


def assert_like(found: str, expected: str, command: str) -> None:
    lines = [".*?" if line.strip() == "…" else re.escape(line.rstrip()) for line in expected.split("\n")]
    stripped = "\n".join(line.rstrip() for line in found.split("\n"))
    assert re.fullmatch("\n".join(lines), stripped, re.DOTALL), f"$ {command}\n{found}"


def test_a_command_takes_its_continuation_and_its_here_document() -> None:
    found = list(commands("$ cat > a <<'END'\nx\n$ y\nEND\n$ echo a \\\n>   b\na b\n"))
    assert found == [
        Example("$ cat > a <<'END'\nx\n$ y\nEND", "cat > a <<'END'\nx\n$ y\nEND", ""),
        Example("$ echo a \\\n>   b", "echo a   b", "a b"),
    ]


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
            if not getattr(parameter, "hidden", False)  # an old name that is still taken
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
