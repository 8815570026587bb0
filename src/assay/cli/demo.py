"""`assay demo`: a bundled suite on the outputs of made-up systems."""

import shlex
from pathlib import Path

import click

from assay.cli.options import PATH


@click.command()
@click.argument("name", metavar="[SUITE]", default="de-en")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=PATH,
    default="assay-demo.md",
    show_default=True,
    help="Where to write the report (.md, .csv, .json or .txt).",
)
def demo(name: str, output: Path) -> None:
    """Evaluate a bundled suite on the outputs of three made-up systems, and write a report.

    \b
    Example:
      assay demo
    """
    from assay.cli import screen
    from assay.reports import render
    from assay.workbench.evaluating import demo_inputs, evaluate_files, report_format, write_text

    inputs = demo_inputs(name)
    chosen = report_format(None, output)
    evaluation = evaluate_files(inputs)
    click.echo("The systems are made up for this demonstration.\n")
    click.echo(render(evaluation, width=screen.width(), ansi=screen.has_style()))
    write_text(render(evaluation, chosen, by="both"), output)
    files = " ".join(shlex.quote(path) for path in inputs.outputs)
    click.echo(f"Report:   {output.resolve()}")
    click.echo(f"The same: assay evaluate {name} {files}")
    click.echo(f"Your own: assay suite sources {name} -o sources.txt, translate it, assay evaluate {name} YOUR.txt")
