"""`assay report`: the whole appendix."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    evaluation_options,
    executor_options,
    force_option,
    inputs_options,
    output_option,
    split_names,
)
from assay.text import plural

if TYPE_CHECKING:
    from assay.outputs import Inputs


@click.command()
@inputs_options()
@output_option("FOLDER", "The folder to write.", required=True)
@evaluation_options
@click.option(
    "--examples",
    metavar="NAME,…",
    multiple=True,
    help="Phenomena for the table of examples.  [default: the three hardest]",
)
@click.option("--no-figures", is_flag=True, help="Leave the figures out.")
@executor_options()
@force_option
def report(
    inputs: "Inputs",
    output: Path,
    scores: Path | None,
    examples: tuple[str, ...],
    no_figures: bool,
    force: bool,
    **choices: Any,
) -> None:
    """Write a whole appendix: all tables and figures in every format, an interactive page, a METHODS paragraph.

    Several campaign files get a folder each, and tables that compare them.

    \b
    Examples:
      assay report de-en assay-demo/*.tsv -o report
      assay report items.de-en.json wmt21.yaml wmt22.yaml -o appendix
    """
    from assay.cli import terminal
    from assay.evaluation.outside_scores import read_scores
    from assay.reports.appendix import AppendixOptions, write_appendix

    wanted = AppendixOptions(read_scores(scores) if scores else None, split_names(examples), not no_figures)
    with terminal.steps("writing") as step:
        written = write_appendix(inputs, output, wanted, force=force, step=step, **choices)
    click.echo(f"{output}: {plural(len(written), 'file')}; open {output / 'index.html'}")
