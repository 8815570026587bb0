"""`assay warnings`: the undecided texts, as a file for a linguist to fill in."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    executor_options,
    inputs_options,
    keep_all_option,
    output_option,
    selection_options,
    split_names,
)
from assay.text import plural

if TYPE_CHECKING:
    from assay.outputs import Inputs


@click.command()
@inputs_options()
@output_option("FILE", "The file to write: .xlsx for a spreadsheet, .json for Pearmut, else TSV.", required=True)
@selection_options
@keep_all_option
@click.option("--blind", is_flag=True, help="Leave out which systems wrote a text.")
@click.option(
    "--annotators", metavar="NAME,…", multiple=True, help="Who shares the texts of a campaign of Pearmut (.json)."
)
@executor_options()
def warnings(inputs: "Inputs", output: Path, annotators: tuple[str, ...], **choices: Any) -> None:
    """Write the texts that no rule decides, for a linguist to judge.

    Identical texts stand once for all systems. Those come first that free an item for a fair comparison with the
    fewest judgements (column left). Open the file in a spreadsheet, fill the column verdict with pass or fail, then run
    assay judge. With --blind the judge does not see who wrote what.

    A name that ends in .json makes a campaign of Pearmut, in which the words that contradictory rules matched are
    marked; assay judge takes the annotations back.

    \b
    Examples:
      assay warnings de-en outputs/*.tsv -o todo.xlsx
      assay warnings de-en outputs/*.tsv -o todo.xlsx --blind
      assay warnings de-en outputs/*.tsv -o round-1.json --annotators anna,ben
    """
    from assay.evaluation import write_warnings
    from assay.outputs import check_output

    check_output(inputs, output)
    tasks = write_warnings(inputs, output, annotators=split_names(annotators), **choices)
    # The number that shows whether an hour of judging is worth it.
    first = sum(task.left == 1 for task in tasks)
    click.echo(f"{output}: {plural(len(tasks), 'text')} to judge, {first:,} of which free an item")
