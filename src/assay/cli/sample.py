"""`assay sample`: a random part of the undecided texts, as a file for a linguist to fill in."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    draw_option,
    executor_options,
    inputs_options,
    keep_all_option,
    output_option,
    predictor_option,
    selection_options,
)

if TYPE_CHECKING:
    from assay.outputs import Inputs


@click.command()
@inputs_options()
@output_option("FILE", "The file to write: .xlsx for a spreadsheet, else TSV.", required=True)
@click.option(
    "-n",
    "--number",
    metavar="N",
    type=click.IntRange(min=1),
    help="Judgements in all, those included that the draw has already.",
)
@click.option(
    "--until",
    metavar="GOAL",
    help='Or what they must be enough for: "±0.5" (no system\'s interval is wider), "clusters fixed".',
)
@draw_option("The draw to make, or to go on with.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="Seed of a new draw.  [default: goes by the number of exact rules]",
)
@click.option("--new", "anew", is_flag=True, help="Draw anew, where there are new outputs or other rules.")
@predictor_option(
    "The suggester that estimates will be made with, like nearest or openai:… (see assay suggest): what to expect goes "
    "by it."
)
@selection_options
@keep_all_option
@click.option("--show-systems", is_flag=True, help="Say which systems wrote a text.")
@executor_options()
def sample(
    inputs: "Inputs",
    output: Path,
    number: int | None,
    until: str | None,
    draw: Path | None,
    seed: int | None,
    anew: bool,
    show_systems: bool,
    **choices: Any,
) -> None:
    """Write a random part of the texts that no rule decides, for a linguist to judge.

    Their judgements stand for all the others: assay evaluate --policy estimate says how much of all items is right, and
    how sure that is. The order is drawn once and kept beside the suite (--draw). Every beginning of it is a sample: say
    a larger -n to go on. Fill the column verdict with pass or fail, from the top, or with skip where nobody can tell,
    then run assay judge. Nobody sees who wrote what.

    \b
    Examples:
      assay sample de-en outputs/*.tsv -n 150 -o todo.xlsx
      assay judge de-en todo.xlsx -o de-en-judged
      assay sample de-en-judged outputs/*.tsv --until "±0.5" -o more.xlsx
    """
    from assay.evaluation.sample import DrawChoice, SampleSize, write_sample

    size = SampleSize.parse(number, until)
    written = write_sample(inputs, output, size, DrawChoice(draw, seed, anew), blind=not show_systems, **choices)
    click.echo("\n  ".join(written.sentences))
