"""`assay years`: several campaigns compared."""

from pathlib import Path
from typing import Any

import click

from assay.cli.options import (
    aliases_option,
    by_option,
    executor_options,
    format_option,
    output_option,
    policy_option,
    split_names,
    statistics_options,
    suite_argument,
    systems_option,
)
from assay.cli.results import deliver, look


@click.command()
@suite_argument
@click.argument("campaigns", metavar="CAMPAIGN.yaml...", nargs=-1, required=True)
@by_option()
@policy_option
@statistics_options("ztest")
@systems_option
@aliases_option
@click.option("--diff", nargs=2, metavar="FIRST SECOND", help="Differences in points between two campaigns instead.")
@executor_options()
@format_option("years")
@output_option("FILE", "Write there instead of the terminal.")
def years(
    suite: str,
    campaigns: tuple[str, ...],
    by: Any,
    systems: tuple[str, ...],
    aliases: Path | None,
    diff: tuple[str, str] | None,
    format: str | None,
    output: Path | None,
    **choices: Any,
) -> None:
    """Compare campaigns: systems that return under the same name, and the best system of each.

    Each campaign is a YAML file that names its source file and outputs. A system that changed its name is joined by
    aliases, in the campaign file or with --aliases. The items are those found in all campaigns on which none of the
    systems shown has a warning.

    \b
    Examples:
      assay years items.de-en.json wmt21.yaml wmt22.yaml
      assay years items.de-en.json wmt21.yaml wmt22.yaml --diff WMT21 WMT22 -o difference.tex
    """
    from assay.cli import terminal
    from assay.evaluation import years_of_files
    from assay.outputs import Inputs, check_output
    from assay.reports import render_table
    from assay.reports.data import json_text
    from assay.reports.files import report_format
    from assay.reports.years import difference_table, years_table

    chosen = report_format(format, output, "years")
    inputs = Inputs(suite, campaigns, aliases=aliases)
    check_output(inputs, output)
    found = years_of_files(
        inputs,
        systems=split_names(systems),
        # A table of differences needs no tests between consecutive campaigns.
        rows=chosen == "json" or not diff,
        diff=diff,
        open_progress=terminal.progress,
        **choices,
    )
    if chosen == "json":
        text = json_text(found.to_dict_with_differences(*diff, by) if diff else found.to_dict(by))
    else:
        table = difference_table(found, *diff, by) if diff else years_table(found, by)
        width, ansi = look(output)
        text = render_table(table, chosen, width=width, ansi=ansi)
    said = f"{len(found.returning)} returning systems, {found.evaluation.items_counted:,} items count"
    deliver(text, output, said)
