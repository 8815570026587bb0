"""`assay hide`: systems, campaigns and suites out of sight, and back."""

from contextlib import closing

import click

from assay.cli.options import database_option, needs_workbench
from assay.errors import BadOption


@click.command(short_help="Hide systems or suites of the database, or bring them back.")
@click.argument("suite", metavar="SUITE", required=False)
@click.option("--campaign", metavar="NAME", help="All systems of this campaign, or the campaign of --system.")
@click.option("--system", metavar="NAME", help="One system.")
@click.option("--back", is_flag=True, help="Bring back what is hidden.")
@click.option("--delete", "typed", metavar="NAME", help="Delete what is hidden, for good; NAME is its name once more.")
@database_option
def hide(suite: str | None, campaign: str | None, system: str | None, back: bool, typed: str | None, db: str) -> None:
    """Hide a system, a campaign or a suite: it is kept as it is, counts nowhere and costs no fair items.

    Without --campaign and --system it is the suite itself. Without SUITE what is hidden is listed.

    \b
    Examples:
      assay hide assay-de-en --system Garbage --campaign WMT22
      assay hide assay-de-en --system Garbage --back
      assay hide assay-de-en --system Garbage --delete Garbage
      assay hide
    """
    with needs_workbench():
        from assay.workbench.db.database import Store
        from assay.workbench.files import hidden
        from assay.workbench.people.credentials import local_user
    if suite is None and (campaign is not None or system is not None or back or typed is not None):
        raise BadOption("name the suite too: assay hide SUITE --system NAME")
    if back and typed is not None:
        raise BadOption("--back and --delete exclude each other")
    with closing(Store.open(db)) as store:
        if suite is None:
            for line in hidden.hidden_lines(store):
                click.echo(line)
            return
        target, user = hidden.Whole(suite, campaign, system), local_user(store)
        if typed is not None:
            hidden.delete_for_good(store, user, target, typed)
            verb = "deleted for good"
        elif back:
            hidden.bring_back(store, user, target)
            verb = "brought back"
        else:
            hidden.hide(store, user, target)
            verb = f"hidden; bring it back with: {target.command()} --back"
    click.echo(f"{target}: {verb}")
