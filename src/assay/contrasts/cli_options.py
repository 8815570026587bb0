"""Arguments and options that the commands of `assay contrasts` share."""

from collections.abc import Callable
from pathlib import Path

import click

from assay.cli.options import PATH, F, executor_options

contrasts_argument = click.argument("name", metavar="CONTRASTS")
cache_option = click.option(
    "--cache", metavar="FOLDER", type=PATH, help="Where trees and links are kept. [default: the user's cache folder]"
)
any_language_option = click.option("--any-language", is_flag=True, help="Take a parser for another language.")
replace_option = click.option("--force", is_flag=True, help="Replace a folder that this command wrote before.")


def tools_options(*, required: bool) -> Callable[[F], F]:
    """`--source-parser`, `--target-parser`, `--aligner`, `--reference`, `--cache`, `--any-language`, executor."""
    options = [
        click.option(
            "--reference", "references", metavar="[NAME=]FILE", multiple=True, help="A reference: one more system."
        ),
        click.option(
            "--source-parser",
            metavar="PARSER",
            required=required,
            help="udpipe:FILE, spacy:MODEL, natasha, or conllu:FILE with trees made elsewhere.",
        ),
        click.option(
            "--target-parser",
            metavar="PARSER",
            required=required,
            help="The same for translations; {system} in it stands for the system's name.",
        ),
        click.option(
            "--aligner",
            metavar="ALIGNER",
            required=required,
            help="eflomal, systran, or pharaoh:FILE with links made elsewhere; {system} as above.",
        ),
        cache_option,
        executor_options(every_core=True),
        any_language_option,
    ]

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def folder_of(cache: Path | None) -> Path:
    """The folder of the cache, the user's own where none is named."""
    from assay.contrasts.cache import default_folder

    return cache or default_folder()
