"""`assay contrasts models`: models for parsers."""

from pathlib import Path

import click

from assay.cli import terminal
from assay.cli.options import (
    output_option,
)
from assay.errors import BadOption


@click.command()
@click.option("--fetch", metavar="NAME", help="Fetch an official UDPipe model.")
@click.option("--language", metavar="CODE", help="Only models for this language, such as cs.")
@output_option("FOLDER", "Where a fetched model goes. [default: this folder]")
def models(fetch: str | None, language: str | None, output: Path | None) -> None:
    """List models for parsers, with their licences, or fetch one.

    \b
    Examples:
      assay contrasts models --language cs
      assay contrasts models --fetch czech-pdt -o models
    """
    from assay.contrasts.models import MODELS

    if fetch is not None:
        _fetch(fetch, output or Path())
        return
    chosen = [model for model in MODELS if language in (None, model.language)]
    if not chosen:
        raise BadOption(f"no model for {language!r}; see: assay contrasts models")
    width = max(len(model.name) for model in chosen)
    for model in chosen:
        facts = f"{model.language:4}{model.parser:9}{model.relations:10}{model.licence:17}{model.install}"
        click.echo(f"{model.name:{width}}  {facts}")


def _fetch(name: str, folder: Path) -> None:
    from assay.contrasts.models import MODELS, fetch

    size = next((model.size for model in MODELS if model.name == name.lower()), None)
    # An unknown model has no size in the list; UDPipe models are of about this one, and the bar need not be exact.
    with terminal.progress(name, size or 20_000_000) as progress:
        fetched = fetch(name, folder, progress=progress)
    known = "verified" if fetched.verified else "computed; nobody has stated one"
    click.echo(f"{fetched.path}: SHA-256 {fetched.sha256} ({known})")
