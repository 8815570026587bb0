"""Arguments and options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)

suite_argument = click.argument("suite", metavar="SUITE")
outputs_argument = click.argument("outputs", metavar="OUTPUT...", nargs=-1)
source_option = click.option(
    "-s",
    "--source",
    metavar="FILE",
    help="The campaign's source file: plain outputs are parallel to it and joined with the suite by sentence.",
)
campaign_option = click.option(
    "--campaign",
    metavar="NAME",
    default="",
    help="The campaign (year or event) of the outputs; or a campaign file (YAML) in place of OUTPUT.",
)
systems_option = click.option(
    "--systems", metavar="NAME,…", multiple=True, help="Only these systems; * and ? stand for any characters."
)
keep_all_option = click.option("--keep-all", is_flag=True, help="Keep systems that did not translate the suite.")
aliases_option = click.option(
    "--aliases",
    metavar="FILE",
    type=PATH,
    help="YAML with categories: and phenomena:, each old name: new name.",
)
lossy_option = click.option("--lossy", is_flag=True, help="Leave out what the target format cannot hold.")
force_option = click.option("--force", is_flag=True, help="Replace a folder that is not empty.")


def output_option(metavar: str, help: str, *, required: bool = False) -> Callable[[F], F]:
    """`-o`: where the result goes."""
    return click.option("-o", "--output", metavar=metavar, type=PATH, required=required, help=help)


def split_names(values: tuple[str, ...]) -> list[str]:
    """`--systems A,B --systems C` -> A, B, C."""
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


def outputs_of(outputs: tuple[str, ...], campaign: str) -> tuple[list[str], str]:
    """Outputs and campaign name; `--campaign FILE.yaml` stands for the outputs it lists."""
    if campaign.endswith((".yaml", ".yml")):
        if outputs:
            raise click.UsageError(f"{campaign} lists its outputs itself; give it without further files")
        return [campaign], ""
    if not outputs:
        raise click.UsageError("no outputs given; name output files, or a campaign file with --campaign")
    return list(outputs), campaign
