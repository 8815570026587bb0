"""`assay init`: make the database."""

import click

from assay.cli.options import database_option, needs_workbench


@click.command(short_help="Make the workbench's database, or bring it up to date.")
@database_option
def init(db: str) -> None:
    """Make the workbench's database, or bring an older one up to date.

    \b
    Examples:
      assay init
      assay init --db postgresql://assay@localhost/assay
    """
    with needs_workbench():
        from assay.workbench.db.database import Store
    store = Store.create(db)
    click.echo(f"{store.name}: ready")
    store.close()
