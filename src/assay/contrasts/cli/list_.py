"""`assay contrasts list`: the bundled contrasts."""

import click


@click.command("list")
def list_() -> None:
    """List the bundled contrasts and what they test.

    \b
    Example:
      assay contrasts list
    """
    from assay.contrasts import bundled
    from assay.contrasts.files.definitions import read

    for name, path in bundled().items():
        found = read(path)
        click.echo(f"{name}: {found.name} {found.version} ({found.licence})")
        if found.description:
            click.echo(f"  {found.description}")
        width = max(map(len, found.contrasts))
        for contrast in found.contrasts.values():
            click.echo(f"  {contrast.name:{width}}  {contrast.tests}")
