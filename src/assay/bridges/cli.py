"""`assay suite export`: a suite as a folder for another program."""

from pathlib import Path

import click

from assay.bridges.targets import TARGETS
from assay.cli.options import aliases_option, force_option, output_option, suite_argument
from assay.text import plural


@click.command()
@suite_argument
@click.option(
    "--for",
    "target",
    type=click.Choice(list(TARGETS)),
    required=True,
    help="; ".join(f"{target.name}: {target.what}" for target in TARGETS.values()) + ".",
)
@output_option("FOLDER", "The folder to write.", required=True)
@click.option("--held-out", is_flag=True, help="Also export items that are held out.")
@aliases_option
@force_option
def export(suite: str, target: str, output: Path, held_out: bool, aliases: Path | None, force: bool) -> None:
    """Export a suite for another program.

    A task asks language models what assay translate asks them, each item with its own prompt where it has one, and
    judges their answers by the suite's rules: 1 for a pass, 0 for a fail, warnings counted apart, over all items, per
    category and per phenomenon. Inspect and lm-evaluation-harness run it, with Assay installed beside them.

    \b
    Examples:
      assay suite export de-en --for inspect -o de-en-inspect/
      assay suite export de-en --for lm-eval -o de-en-lm-eval/
      assay suite export my-suite --for hf -o my-dataset/
    """
    from assay.bridges.export import export_suite
    from assay.outputs import Inputs

    loaded = Inputs(suite, [], aliases=aliases).load_suite()
    exported = export_suite(loaded, target, output, held_out=held_out, force=force)
    click.echo(f"{output}: {plural(exported.items, 'item')}; use it: {exported.run}")
    if exported.held_out:
        click.echo(f"  {plural(exported.held_out, 'held-out item')} left out; add --held-out to export them")
