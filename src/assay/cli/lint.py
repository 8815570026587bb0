"""`assay lint`: check a suite."""

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from assay.cli import terminal
from assay.cli.options import inputs_options, split_names
from assay.text import one_line, plural

if TYPE_CHECKING:
    from assay.outputs import Inputs
    from assay.verdicts.lint import LintProblem


@click.command()
@inputs_options(needs_outputs=False)
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("--all", "show_all", is_flag=True, help="Show every problem on a line of its own.")
@click.option("--ignore", metavar="CODE,…", multiple=True, help="Leave these problems out.")
def lint(inputs: "Inputs", strict: bool, show_all: bool, ignore: tuple[str, ...]) -> None:
    """Check a suite: rules that do not compile, can never match, contradict examples or each other, or never fire.

    Problems are shown by kind, a few of each. With OUTPUT the rules are tried on real texts too. The exit code is 1
    where there are errors (with --strict: or warnings; notes are for a person to look at).

    \b
    Examples:
      assay lint de-en
      assay lint my-suite/ outputs/*.tsv --ignore never-fires
    """
    from assay.errors import UnknownName
    from assay.verdicts.lint import CODES, lint_files

    ignored = set(split_names(ignore))
    for code in ignored:
        if code not in CODES:
            raise UnknownName("problem code", code, CODES)
    found = lint_files(inputs, open_progress=terminal.progress)
    problems = [problem for problem in found if problem.code not in ignored]
    if show_all:
        for problem in problems:
            click.echo(f"{problem.place}: {_level(problem)}: {_what(problem)} [{problem.code}]")
    else:
        for code, about in CODES.items():
            found = [problem for problem in problems if problem.code == code]
            if found:
                _show(code, about, found)
    counts = Counter(problem.level for problem in problems)
    notes = f", {plural(counts['note'], 'note')}" if counts["note"] else ""
    click.echo(f"{plural(counts['error'], 'error')}, {plural(counts['warning'], 'warning')}{notes}")
    if counts["error"] or (strict and counts["warning"]):
        sys.exit(1)


FEW = 3
"""Problems of a kind that are shown without --all."""

LONGEST = 240
"""Characters of a problem that are shown without --all: rules of templates are long."""


def _show(code: str, about: str, found: "list[LintProblem]") -> None:
    """A paragraph on the problems of one kind."""
    click.echo(f"{_level(found[0])}: {about} [{code}]" + (f", {len(found):,} times" if len(found) > 1 else ""))
    for problem in found[:FEW]:
        click.echo(f"  {problem.place}: {one_line(_what(problem), LONGEST)}")
    if len(found) > FEW:
        click.echo(f"  … and {len(found) - FEW:,} more (--all)")
    click.echo()


def _what(problem: "LintProblem") -> str:
    # The place of an item without a line number is its id.
    is_named = not problem.item or problem.place.endswith(repr(problem.item))
    return problem.message if is_named else f"{problem.item}: {problem.message}"


def _level(problem: "LintProblem") -> str:
    # Red, yellow and cyan (ANSI).
    return terminal.styled(problem.level, {"error": "31", "warning": "33", "note": "36"}[problem.level])
