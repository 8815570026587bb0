"""`assay contrasts review`: a sheet to read, and what its readers said."""

import shlex
from pathlib import Path

import click

from assay.cli.options import (
    PATH,
    output_option,
)
from assay.errors import BadOption
from assay.text import plural


@click.command()
@click.argument("renderings", metavar="RENDERINGS", type=PATH)
@click.option("-n", "--number", type=click.IntRange(1), metavar="N", help="Draw so many for a sheet.")
@click.option("--construction", metavar="NAME", default="", help="Only of this construction.")
@click.option("--rendering", metavar="NAME", default="", help="Only this rendering.")
@click.option("--fault", metavar="NAME", default="", help="Only what this rule of the contrasts calls a fault.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the draw.")
@output_option("SHEET", "The sheet to write (TSV).")
@click.option(
    "--read", "sheets", metavar="SHEET", type=PATH, multiple=True, help="A sheet that was filled in; one per reader."
)
def review(
    renderings: Path,
    number: int | None,
    construction: str,
    rendering: str,
    fault: str,
    seed: int,
    output: Path | None,
    sheets: tuple[Path, ...],
) -> None:
    """Read some of what a profile found, blind, and see how far it can be trusted.

    RENDERINGS is what --renderings has written. With -n a random sample goes into a sheet that does not say whose
    translation it is; answer its three questions with y or n. With --read the shares of yes are printed with their
    intervals, and for two readers their agreement.

    \b
    Examples:
      assay contrasts review renderings.tsv -n 50 -o sheet.tsv
      assay contrasts review renderings.tsv --read sheet.tsv --read second-reader.tsv
    """
    from assay.contrasts.files.renderings import read
    from assay.contrasts.review import draw, write_sheet
    from assay.contrasts.review_report import review_text
    from assay.files import check_targets

    if bool(sheets) == (number is not None):
        raise BadOption("give -n and -o to draw a sheet, or --read to read one back")
    lines = read(renderings)
    if number is None:
        click.echo(review_text(lines, sheets), nl=False)
        return
    if output is None:
        raise BadOption("name the sheet to write with -o")
    check_targets([output], [renderings])
    drawn = draw(lines, number=number, seed=seed, construction=construction, rendering=rendering, fault=fault)
    write_sheet(lines, drawn, output)
    click.echo(f"{output}: {plural(number, 'rendering')} to read; back with: --read {shlex.quote(str(output))}")
