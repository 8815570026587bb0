"""`assay items`: what the suite itself is worth."""

from pathlib import Path
from typing import Any

import click

from assay.cli.options import (
    STDOUT,
    aliases_option,
    campaign_option,
    exclude_option,
    format_option,
    output_option,
    outputs_argument,
    outputs_of,
    policy_option,
    source_option,
    split_names,
    suite_argument,
    systems_option,
)


@click.command()
@suite_argument
@outputs_argument
@source_option
@policy_option
@systems_option
@exclude_option
@campaign_option
@aliases_option
@click.option("--limit", type=click.IntRange(min=0), default=20, show_default=True, help="Items to show; 0 shows all.")
@format_option("table", "markdown", "latex", "csv")
@output_option("FILE", "Write all items there instead of the terminal.")
def items(
    suite: str,
    outputs: tuple[str, ...],
    source: str | None,
    campaign: str,
    aliases: Path | None,
    systems: tuple[str, ...],
    exclude: tuple[str, ...],
    limit: int,
    format: str | None,
    output: Path | None,
    **choices: Any,
) -> None:
    """Show difficulty and discrimination of the items, saturated phenomena and suspicious items.

    Items come first that better systems fail more often than worse ones: their rules deserve a look.

    \b
    Example:
      assay items de-en assay-demo/*.tsv
    """
    from assay.cli import screen
    from assay.reports import TABLE_FORMATS, render_table
    from assay.reports.analysis import items_table
    from assay.workbench.comparing import analyse_files
    from assay.workbench.evaluating import Inputs, check_output, report_format, write_report

    chosen = report_format(format, output, TABLE_FORMATS)
    files, name = outputs_of(outputs, campaign)
    inputs = Inputs(suite, files, source, name, aliases)
    check_output(inputs, output)
    evaluation, analysis = analyse_files(
        inputs,
        systems=split_names(systems),
        exclude=split_names(exclude),
        **choices,
    )
    most = None if output or not limit else limit
    width, ansi = (None, False) if output else (screen.width(), screen.has_style())
    text = render_table(items_table(analysis, evaluation.suite, most), chosen, width=width, ansi=ansi)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_report(text, output)
        if output != STDOUT:
            click.echo(f"{output}: {len(analysis.items):,} items")
