"""`assay import`: files into the database."""

import click

from assay.cli import screen
from assay.cli.options import (
    campaign_option,
    database_option,
    needs_workbench,
    outputs_argument,
    source_option,
    suite_argument,
)


@click.command("import", short_help="Put a suite and outputs into the database.")
@suite_argument
@outputs_argument
@source_option
@campaign_option
@database_option
@click.option("--force", is_flag=True, help="Take the file's version where the database has another.")
def import_(suite: str, outputs: tuple[str, ...], source: str | None, campaign: str, db: str, force: bool) -> None:
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
        from assay.workbench.importing import import_files
    with screen.steps("import:") as tell:
        done = import_files(db, suite, outputs, source=source, campaign=campaign, force=force, tell=tell)
    for line in done.lines():
        click.echo(line)
