"""`assay export`: the database to files."""

from pathlib import Path

import click

from assay.cli import terminal
from assay.cli.options import database_option, needs_workbench, output_option
from assay.errors import BadOption


@click.command(short_help="Write what is in the database to files.")
@click.argument("suite", metavar="SUITE", required=False)
@output_option("FOLDER", "The folder to write. [default: the suite's name]")
@database_option
@click.option("--pseudonyms", is_flag=True, help="annotator-1, annotator-2 … in place of names.")
@click.option("--report", is_flag=True, help="Tables and figures too, as assay report writes them.")
@click.option(
    "--revision",
    type=click.IntRange(1),
    metavar="NUMBER",
    help="Only the suite, as it stood at this revision (the page History has their numbers).",
)
@click.option("--force", is_flag=True, help="Replace a folder that is not empty.")
def export(
    suite: str | None,
    output: Path | None,
    db: str,
    pseudonyms: bool,
    report: bool,
    revision: int | None,
    force: bool,
) -> None:
    """Write a suite of the database with outputs, judgements and verdicts to a folder.

    The folder can be evaluated (assay evaluate FOLDER/suite FOLDER/outputs/NAME.yaml) and imported again.

    \b
    Examples:
      assay export
      assay export assay-de-en -o paper/ --pseudonyms --report
      assay export --revision 3 -o as-it-was/
    """
    with needs_workbench():
        from assay.workbench.files.export import export_revision, export_suite
    if revision is not None:
        if pseudonyms or report:
            raise BadOption("--revision writes the suite alone; leave out --pseudonyms and --report")
        folder, old = export_revision(db, suite, output, revision, force=force)
        click.echo(f"{folder}: {len(old):,} items of revision {revision}")
        return
    with terminal.steps("export:") as tell:
        folder, snapshot = export_suite(db, suite, output, pseudonyms=pseudonyms, report=report, force=force, tell=tell)
    judged = sum(text.settlement is not None for text in snapshot.texts.values())
    click.echo(f"{folder}: {len(snapshot.items):,} items, {len(snapshot.systems)} systems, {judged:,} judged texts")
