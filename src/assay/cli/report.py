"""`assay report`: the whole appendix."""

from pathlib import Path
from typing import Any

import click

from assay.cli.options import (
    aliases_option,
    campaign_option,
    exclude_option,
    force_option,
    keep_all_option,
    merge_option,
    output_option,
    outputs_argument,
    outputs_of,
    plural,
    policy_option,
    scores_option,
    source_option,
    split_names,
    statistics_options,
    suite_argument,
    systems_option,
)


@click.command()
@suite_argument
@outputs_argument
@output_option("FOLDER", "The folder to write.", required=True)
@source_option
@policy_option
@statistics_options("ztest")
@systems_option
@exclude_option
@campaign_option
@keep_all_option
@merge_option
@aliases_option
@scores_option
@click.option(
    "--examples",
    metavar="NAME,…",
    multiple=True,
    help="Phenomena for the table of examples.  [default: the three hardest]",
)
@click.option("--no-figures", is_flag=True, help="Leave the figures out.")
@force_option
def report(
    suite: str,
    outputs: tuple[str, ...],
    output: Path,
    source: str | None,
    systems: tuple[str, ...],
    exclude: tuple[str, ...],
    campaign: str,
    aliases: Path | None,
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
    from assay.cli import screen
    from assay.workbench.evaluating import Inputs, load_scores
    from assay.workbench.reporting import Wanted, write_appendix

    files, name = outputs_of(outputs, campaign)
    wanted = Wanted(load_scores(scores), split_names(examples), not no_figures)
    with screen.steps("writing") as step:
        written = write_appendix(
            Inputs(suite, files, source, name, aliases),
            output,
            wanted,
            systems=split_names(systems),
            exclude=split_names(exclude),
            force=force,
            step=step,
            **choices,
        )
    click.echo(f"{output}: {plural(len(written), 'file')}; open {output / 'index.html'}")
