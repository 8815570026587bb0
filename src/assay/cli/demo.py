"""`assay demo`: a bundled suite on the outputs that come with it."""

import shlex
from pathlib import Path

import click

from assay.cli.options import PATH, completed_by


@click.command()
@click.argument("name", metavar="[SUITE]", default="de-en", shell_complete=completed_by("suites"))
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=PATH,
    default="assay-demo",
    show_default=True,
    help="Where to put the outputs and the report.",
)
def demo(name: str, output: Path) -> None:
    """Evaluate a bundled suite on the outputs of demo systems, and write a report.

    \b
    Example:
      assay demo
    """
    from assay.cli import terminal
    from assay.evaluation import evaluate_files
    from assay.outputs import copy_demo
    from assay.reports import render
    from assay.reports.answer import first_screen
    from assay.reports.files import write_report

    inputs = copy_demo(name, output)
    evaluation = evaluate_files(inputs)
    # `copy_demo` has made the folder.
    write_report(render(evaluation, "markdown", by="both"), output / "report.md")
    write_report(render(evaluation, "html"), output / "report.html")
    more = f"assay examples {name} {shlex.quote(str(output))}/*.tsv"
    click.echo(first_screen(evaluation, width=terminal.width(), ansi=terminal.has_style(), more=more))
    click.echo("The outputs were made for this demonstration: careful by a language model, the others are made up.")
    click.echo(f"report:    {output / 'report.html'}  (open it in a browser), {output / 'report.md'}")
    click.echo(f"the same:  assay evaluate {name} {shlex.quote(str(output))}/*.tsv")
    click.echo(f"your own:  assay suite sources {name} -o sources.txt")
    click.echo(f"           assay evaluate {name} YOUR-SYSTEM.txt     (its translation, line by line)")
