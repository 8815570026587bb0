"""`assay items`: difficulty and discrimination of the suite's items."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    executor_options,
    format_option,
    inputs_options,
    output_option,
    policy_option,
    selection_options,
)
from assay.cli.results import deliver, look

if TYPE_CHECKING:
    from assay.outputs import Inputs


@click.command()
@inputs_options()
@policy_option
@selection_options
@click.option("--limit", type=click.IntRange(min=0), default=20, show_default=True, help="Items to show; 0 shows all.")
@executor_options()
@format_option("table")
@output_option("FILE", "Write all items there instead of the terminal.")
def items(inputs: "Inputs", limit: int, format: str | None, output: Path | None, **choices: Any) -> None:
    """Show difficulty and discrimination of the items, saturated phenomena and suspicious items.

    Items come first that better systems fail more often than worse ones: their rules deserve a look.

    \b
    Example:
      assay items de-en assay-demo/*.tsv
    """
    from assay.evaluation import evaluate_files
    from assay.evaluation.items import analyse_suite
    from assay.outputs import check_output
    from assay.reports import render_table
    from assay.reports.analysis import items_table
    from assay.reports.files import report_format

    chosen = report_format(format, output, "table")
    check_output(inputs, output)
    evaluation = evaluate_files(inputs, **choices)
    analysis = analyse_suite(evaluation)
    # A file is for further work and gets all items, whatever the limit.
    most = None if output or not limit else limit
    width, ansi = look(output)
    text = render_table(items_table(analysis, evaluation, most), chosen, width=width, ansi=ansi)
    deliver(text, output, f"{len(analysis.items):,} items")
