"""`assay compare`: two systems, or one before and after."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.ansi import marks
from assay.cli.options import (
    by_option,
    executor_options,
    format_option,
    inputs_options,
    output_option,
    policy_option,
    split_names,
    statistics_options,
)
from assay.cli.results import deliver, look

if TYPE_CHECKING:
    from assay.outputs import Inputs


@click.command()
@inputs_options()
@by_option()
@policy_option
@statistics_options("mcnemar", correction=None)
@click.option("--systems", metavar="A,B", multiple=True, help="The two to compare, where OUTPUT has more.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Items to list on each side; 0 lists all.",
)
@click.option(
    "--fail-on-regression",
    is_flag=True,
    help="Exit with 1 when a row gets significantly worse (with Holm's correction unless told otherwise).",
)
@executor_options()
@format_option("comparison")
@output_option("FILE", "Write there instead of the terminal (.txt, .md or .json).")
def compare(
    inputs: "Inputs",
    systems: tuple[str, ...],
    by: Any,
    limit: int,
    fail_on_regression: bool,
    format: str | None,
    output: Path | None,
    **choices: Any,
) -> None:
    """Compare two systems, or the same system before and after a change.

    Shows what changed in every row with its test, and the items that only one of the two got right. The test is paired
    and one-tailed in the direction of the change; the correction is over all rows shown.

    \b
    Examples:
      assay compare de-en assay-demo/average.tsv assay-demo/careful.tsv
      assay compare de-en old/model.txt new/model.txt --fail-on-regression -o regression.md
    """
    from assay.cli import terminal
    from assay.evaluation import compare_files
    from assay.outputs import check_output
    from assay.reports import render_table
    from assay.reports.comparison import comparison_table, headline, item_lines, render_markdown
    from assay.reports.data import result_json
    from assay.reports.files import report_format

    chosen = report_format(format, output, "comparison")
    # A regression test looks at many rows at once; uncorrected it would often fail by chance.
    choices["correction"] = choices["correction"] or ("holm" if fail_on_regression else "none")
    most = limit or None
    check_output(inputs, output)
    with terminal.progress("drawing", choices["draws"]) as progress:
        comparison = compare_files(inputs, systems=split_names(systems), progress=progress, **choices)
        if chosen == "json":
            text = result_json(comparison, by)
        elif chosen == "markdown":
            text = render_markdown(comparison, by, most)
        else:
            width, ansi = look(output)
            first, second = comparison.names
            lines = [
                render_table(comparison_table(comparison, by), width=width, ansi=ansi),
                f"{headline(comparison, by)}.",
                "",
                f"Only {first} got these right:",
                *item_lines(comparison.lost, most, marks(ansi)),
                "",
                f"Only {second} got these right:",
                *item_lines(comparison.gained, most, marks(ansi)),
            ]
            text = "\n".join(lines) + "\n"
    deliver(text, output, headline(comparison, by))
    if fail_on_regression and comparison.worse(by):
        sys.exit(1)
