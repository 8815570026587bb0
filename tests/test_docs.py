"""The docs say what is true: their examples are run, and every command, option, format and code is in them.

In ```console blocks each line that starts with `$ ` is run in an empty folder of the page's own, and what follows must
be its output; a line `…` stands for any lines. A command goes on after a backslash, and until its last word where it
has a here-document (`cat > file <<'END'`). ```python blocks are run in order, as doctests where they have `>>>`. Blocks
that need files which only the reader has are ```sh and are not run. Numbers in sentences are marked with their place in
the outputs (tests/page_numbers.py). `scripts/docs.py` brings outputs and marked numbers up to date.
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
from tests.page_numbers import renewed, strays
from tests.shell_commands import ShellCommands

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

FIXED = {
    "README.md": ("Python 3.11", "CC BY 4.0"),
    "docs/tutorial.md": ("Python 3.11", "Fewer than 20 items", "more than 1 %", "with 1, a single judgement"),
    "docs/howto/compare.md": ("exit code is 1", "below 0.05 from b = 9 on", "A category of 8 items", "more than 2 %"),
    "docs/howto/ci.md": (
        "exit code is 1",
        "exit code 0",
        "1 if not, 2 if the command itself",
        "more than 2 %",
        "p < 0.05",
        "two tests at 5 %",
        "With 10 items one item is 10 points",
    ),
}
"""Pages on which every number of a sentence is marked with its place in an output, but for those that no run prints."""


class Example(NamedTuple):
    """A command of a console block: as it stands on the page, as it is run, and what it must print."""

    shown: str
    command: str
    expected: str


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="module")
def shell_commands() -> Iterator[ShellCommands]:
    """What the examples call as `assay`."""
    with ShellCommands({**os.environ, **ENVIRONMENT}) as made:
        yield made


@pytest.mark.parametrize("page", [page for page in PAGES if BLOCK.search(page.read_text("utf-8"))], ids=name)
def test_the_examples_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell_commands: ShellCommands
) -> None:
    monkeypatch.chdir(tmp_path)
    for variable, value in ENVIRONMENT.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("PATH", str(shell_commands.folder), prepend=os.pathsep)
    names: dict[str, object] = {}
    for block in BLOCK.finditer(page.read_text("utf-8")):
        if block["kind"] == "console":
            for example in commands(block["text"]):
                assert_like(output_of(example.command), example.expected, example.command)
        else:
            run_python(block["text"], names, name(page))


@pytest.mark.parametrize(
    "command", ["assay --version", "assay evaluate nowhere", "assay evaluate", "echo x | assay -h"]
)
def test_an_example_ends_as_the_command_does(shell_commands: ShellCommands, tmp_path: Path, command: str) -> None:
    real = ENVIRONMENT["PATH"]
    ends = [
        subprocess.run(
            ["bash", "-c", f"cd {tmp_path}; {command}"],
            capture_output=True,
            encoding="utf-8",
            check=False,
            env={**os.environ, **ENVIRONMENT, "PATH": path},
        )
        for path in (real, f"{shell_commands.folder}{os.pathsep}{real}")
    ]
    assert (ends[0].returncode, ends[0].stdout, ends[0].stderr) == (ends[1].returncode, ends[1].stdout, ends[1].stderr)


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


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_numbers_in_sentences_are_those_of_the_outputs(page: Path) -> None:
    text = page.read_text("utf-8")
    assert renewed(text) == text


@pytest.mark.parametrize("page", FIXED)
def test_every_number_in_a_sentence_says_where_it_comes_from(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for phrase in FIXED[page]:
        assert phrase in " ".join(text.split()), f"{page}: FIXED has {phrase!r}, which the page does not"
        text = re.sub(r"\s+".join(map(re.escape, phrase.split())), "", text)
    assert list(strays(text)) == [], "mark them with their place in an output, or add the phrase to FIXED"


PRINTED = """
```console
$ assay evaluate
7 of 10 items count, 3,
  or 1,234 in all
row    items    A    B
──────────────────────
Verbs      6  85.7*  57.1
```

Of 9<!-- of # items --> items 5 %<!-- # of … items --> count, or 1<!-- or # in all -->, and of
6<!-- Verbs: items --> verbs 57.1 %<!-- Verbs: A* --> are right; 12 and `13` are not marked.
"""


def test_marked_numbers_become_those_of_the_output() -> None:
    assert (
        renewed(PRINTED).split("```")[2]
        == """

Of 10<!-- of # items --> items 7 %<!-- # of … items --> count, or 1,234<!-- or # in all -->, and of
6<!-- Verbs: items --> verbs 85.7 %<!-- Verbs: A* --> are right; 12 and `13` are not marked.
"""
    )
    assert [stray.number for stray in strays(PRINTED)] == ["12"]
    with pytest.raises(LookupError, match="no output above has 'Nouns: A'"):
        renewed(PRINTED + "3<!-- Nouns: A -->")
    with pytest.raises(LookupError, match="no output above has 'Verbs: A'"):  # which has a star
        renewed(PRINTED + "85.7<!-- Verbs: A -->")


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
