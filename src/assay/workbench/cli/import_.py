"""`assay import`: files into the database."""

from typing import TYPE_CHECKING

import click

from assay.cli import terminal
from assay.cli.options import database_option, inputs_options, needs_workbench

if TYPE_CHECKING:
    from assay.outputs import Inputs


@click.command("import", short_help="Put a suite and outputs into the database.")
@inputs_options(needs_outputs=False, has_tier=False)
@database_option
@click.option("--force", is_flag=True, help="Take the file's version where the database has another.")
def import_(inputs: "Inputs", db: str, force: bool) -> None:
    """Put a suite and outputs of systems into the workbench's database, everything that evaluate reads.

    SUITE is a file or folder, a bundled suite, a suite of the database, or a folder that export wrote. What is there
    already is left alone; nothing is written where something is wrong.

    \b
    Examples:
      assay import de-en outputs/*.txt
      assay import items.de-en.json WMT21.yaml WMT22.yaml
      assay import items.de-en.json hyp/*.en --source newstest.de --campaign WMT21
    """
    with needs_workbench():
        from assay.workbench.files.import_files import import_files
    with terminal.steps("import:") as tell:
        done = import_files(db, inputs, force=force, tell=tell or (lambda step: None))
    for line in done.lines():
        click.echo(line)
