"""`assay warnings`: what waits for a linguist, as a file to fill in."""

from pathlib import Path

import click

from assay.cli.options import (
    aliases_option,
    campaign_option,
    exclude_option,
    keep_all_option,
    output_option,
    outputs_argument,
    outputs_of,
    plural,
    source_option,
    split_names,
    suite_argument,
    systems_option,
)


@click.command()
@suite_argument
@outputs_argument
@output_option("FILE", "The TSV file to write.", required=True)
@source_option
@systems_option
@exclude_option
@campaign_option
@keep_all_option
@aliases_option
def warnings(
    suite: str,
    outputs: tuple[str, ...],
    output: Path,
    source: str | None,
    systems: tuple[str, ...],
    exclude: tuple[str, ...],
    campaign: str,
    keep_all: bool,
    aliases: Path | None,
) -> None:
    """Write the texts that no rule decides, for a linguist to judge.

    Identical texts stand once for all systems. Those come first that free an item for a fair comparison with the
    fewest judgements (column left). Fill the column verdict with pass or fail, then run assay judge.

    \b
    Example:
      assay warnings de-en outputs/*.tsv -o todo.tsv
    """
    from assay.workbench.evaluating import Inputs, check_output
    from assay.workbench.judging import write_warnings

    files, name = outputs_of(outputs, campaign)
    inputs = Inputs(suite, files, source, name, aliases)
    check_output(inputs, output)
    tasks = write_warnings(
        inputs, output, systems=split_names(systems), exclude=split_names(exclude), keep_all=keep_all
    )
    first = sum(task.left == 1 for task in tasks)
    click.echo(f"{output}: {plural(len(tasks), 'text')} to judge, {first:,} of which free an item")
