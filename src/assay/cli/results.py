"""Where a result goes: to the terminal, or to the file of `-o`, about which one line is said.

width, ansi = look(output)
deliver(render(evaluation, width=width, ansi=ansi), output, "3 systems, 168 items count")
"""

from pathlib import Path

import click

from assay.cli import terminal
from assay.cli.options import STDOUT
from assay.errors import BadOption
from assay.reports.formats import FORMATS


def look(output: Path | None) -> tuple[int | None, bool]:
    """How wide a text may be, and whether with bold and colours; a file has neither limit nor style."""
    return (None, False) if output else (terminal.width(), terminal.has_style())


def check_output_file(format: str, output: Path | None) -> None:
    """Refuse a workbook that would be shown in the terminal."""
    if output is None and FORMATS[format].is_binary:
        raise BadOption("a workbook needs a file: -o report.xlsx")


def deliver(content: str | bytes, output: Path | None, said: str = "") -> None:
    """Show a result, or write it whole or not at all and say so."""
    if output is None:
        click.echo(content, nl=False)
        return
    from assay.reports.files import write_report

    write_report(content, output)
    if said and output != STDOUT:
        click.echo(f"{output}: {said}")
