"""`assay user …`: accounts of the workbench."""

import sys
from contextlib import closing

import click

from assay.cli.options import database_option, needs_workbench
from assay.workbench.people.roles import ROLES, Role

role_option = click.option(
    "--role",
    type=click.Choice(ROLES),
    default="annotator",
    show_default=True,
    help="viewer looks; annotator judges and edits rules; adjudicator decides disagreements; admin does everything.",
)


@click.group()
def user() -> None:
    """Add and change the accounts of the workbench."""


@user.command()
@click.argument("name")
@role_option
@database_option
def add(name: str, role: Role, db: str) -> None:
    """Add an account. The password is asked for, or read from standard input where that is no terminal.

    \b
    Examples:
      assay user add anna --role admin
      assay user add ben < password.txt
    """
    with needs_workbench():
        from assay.workbench.db.database import Store
        from assay.workbench.people import credentials
    secret = _password()
    credentials.check_password(secret)
    with closing(Store.ready(db)) as store:
        added = credentials.create_user(store, name, role, secret, by=credentials.local_name())
    click.echo(f"{added.name}: {added.role}")


@user.command("list")
@database_option
def list_(db: str) -> None:
    """List accounts and other people named in judgements.

    \b
    Example:
      assay user list --db postgresql://assay@localhost/assay
    """
    with needs_workbench():
        from assay.workbench.db.database import Store
        from assay.workbench.db.people import list_users
    with closing(Store.open(db)) as store, store.reading() as connection:
        known = list_users(connection)
    for found in known:
        access = "active" if found.active and found.has_password else "no password" if found.active else "not active"
        click.echo(f"{found.name}\t{found.role}\t{access}")


@user.command()
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), help="The new role.")
@click.option("--password", is_flag=True, help="Ask for a new password.")
@click.option("--active/--inactive", default=None, help="Whether the account can be used.")
@database_option
def change(name: str, role: Role | None, password: bool, active: bool | None, db: str) -> None:
    """Change an account's role or password, or close and open it.

    \b
    Examples:
      assay user change ben --role adjudicator
      assay user change ben --inactive
    """
    with needs_workbench():
        from assay.workbench.db.database import Store
        from assay.workbench.people import credentials
    with closing(Store.open(db)) as store:
        secret = _password() if password else None
        by = credentials.local_name()
        changed = credentials.alter_user(store, name, by=by, role=role, password=secret, active=active)
    click.echo(f"{changed.name}: {changed.role}{'' if changed.active else ', not active'}")


def _password() -> str:
    if sys.stdin.isatty():
        secret: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        return secret
    return sys.stdin.readline().rstrip("\r\n")
