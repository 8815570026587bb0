"""`assay lint`: check a suite."""

import sys
from typing import TYPE_CHECKING

import click

from assay.cli.options import inputs_options, split_names
from assay.text import plural

if TYPE_CHECKING:
    from assay.outputs import Inputs


@click.command()
@inputs_options(needs_outputs=False)
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("--ignore", metavar="CODE,…", multiple=True, help="Leave these problems out.")
def lint(inputs: "Inputs", strict: bool, ignore: tuple[str, ...]) -> None:
    """Check a suite: rules that do not compile, contradict examples or each other, or never fire.

    With OUTPUT the rules are tried on real texts too. The exit code is 1 where there are errors (with --strict:
    or warnings).

    \b
    Examples:
      assay lint de-en
      assay lint my-suite/ outputs/*.tsv --ignore never-fires
    """
    from assay.cli import terminal
    from assay.errors import UnknownName
    from assay.verdicts.lint import CODES, lint_files

    ignored = set(split_names(ignore))
    for code in ignored:
        if code not in CODES:
            raise UnknownName("problem code", code, CODES)
    problems = [problem for problem in lint_files(inputs) if problem.code not in ignored]
    for problem in problems:
        # Red and yellow (ANSI).
        level = terminal.styled(problem.level, "31" if problem.level == "error" else "33")
        click.echo(f"{problem.place}: {level}: {problem.item}: {problem.message} [{problem.code}]")
    errors = sum(problem.level == "error" for problem in problems)
    click.echo(f"{plural(errors, 'error')}, {plural(len(problems) - errors, 'warning')}")
    if errors or (strict and problems):
        sys.exit(1)
