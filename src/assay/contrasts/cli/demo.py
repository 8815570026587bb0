"""`assay contrasts demo`: the bundled sample."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli import terminal
from assay.cli.options import (
    PATH,
)

if TYPE_CHECKING:
    from assay.contrasts.run import ContrastInputs


@click.command()
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=PATH,
    default="assay-contrasts-demo",
    show_default=True,
    help="Where to put the sample and the report.",
)
@click.option("--force", is_flag=True, help="Write over files of the same names that are not the demo's.")
def demo(output: Path, force: bool) -> None:
    """Run the English–Czech contrasts on the bundled sample: made-up systems, trees and links written by hand.

    \b
    Example:
      assay contrasts demo
    """
    from assay.contrasts.profile_report import render
    from assay.contrasts.run import profile_contrasts
    from assay.contrasts.run_files import REPORT, copy_sample
    from assay.reports.files import write_report

    # The sample has trees and links of its own, so the demo needs neither a parser nor a cache.
    inputs = copy_sample(output, force=force)
    found = profile_contrasts(inputs, cache=None)
    write_report(render(found, "html"), output / REPORT)
    click.echo(render(found, width=terminal.width(), ansi=terminal.has_style()))
    click.echo("The systems are made up for this demonstration.")
    click.echo(f"report:    {output / REPORT}  (open it in a browser)")
    click.echo(f"the same:  assay contrasts run {_arguments(inputs)}")
    click.echo(f"one pair:  assay contrasts show {_arguments(inputs, '1')}")


def _arguments(inputs: "ContrastInputs", *more: str) -> str:
    """The inputs of a run as arguments of the command line."""
    words = [inputs.contrasts, *more, "--source", str(inputs.source), *inputs.outputs]
    for reference in inputs.references:
        words += ["--reference", reference]
    tools = inputs.tools
    words += ["--source-parser", tools.source_parser, "--target-parser", tools.target_parser]
    words += ["--aligner", tools.aligner]
    return " ".join(map(shlex.quote, words))
