"""Options that several commands of `assay contrasts` have."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from assay.cli.options import (
    PATH,
    F,
    executor_options,
)
from assay.errors import BadOption

if TYPE_CHECKING:
    from assay.contrasts.run import ContrastInputs


def _cache_folder(ctx: click.Context, parameter: click.Parameter, value: Path | None) -> Path:
    """The folder of the cache; by default the user's own."""
    from assay.contrasts.cache import default_folder

    return value or default_folder()


contrasts_argument = click.argument("name", metavar="CONTRASTS")
cache_option = click.option(
    "--cache",
    metavar="FOLDER",
    type=PATH,
    callback=_cache_folder,
    help="Where trees and links are kept. [default: the user's cache folder]",
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

    return together(options)


def together(options: Sequence[Callable[[F], F]]) -> Callable[[F], F]:
    """Several options as one."""

    def decorate(function: F) -> F:
        # Decorators apply from the bottom up: reversed, so that the help lists them as they stand.
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def named_files(values: tuple[str, ...]) -> dict[str, Path]:
    """`--subset refined=ids.txt` -> {"refined": ids.txt}."""
    found: dict[str, Path] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or not name or not path:
            raise BadOption(f"--subset {value!r} is not NAME=FILE")
        # `all` is the name under which reports have the whole set of keywords.
        if name in found or name == "all":
            raise BadOption(f"--subset {name!r} is there already; choose another name")
        found[name] = Path(path)
    return found


learn_option = click.option(
    "--learn",
    metavar="FILE",
    type=PATH,
    help="Also write what the aligner learns from all systems: eflomal:priors=FILE and systran:model=FILE take it.",
)

INPUTS: tuple[Callable[[F], F], ...] = (
    contrasts_argument,
    click.argument("outputs", metavar="OUTPUT...", nargs=-1),
    click.option(
        "-s", "--source", metavar="FILE", type=PATH, required=True, help="The source, a sentence in each line."
    ),
    tools_options(required=True),
    click.option(
        "--group", "groups", metavar="NAME=SYSTEM,…", multiple=True, help="Systems that also have a row together."
    ),
)
TARGETS: tuple[Callable[[F], F], ...] = (
    click.option("--figures", metavar="FOLDER", type=PATH, help="Draw the bars into this folder (SVG, PNG, PDF)."),
    learn_option,
    click.option(
        "--realign",
        is_flag=True,
        help="Align pairs again whose links are in the cache; eflomal's differ from run to run.",
    ),
    click.option(
        "--renderings",
        metavar="FILE",
        type=PATH,
        help="Also write a line per keyword and translation (TSV), for review.",
    ),
)


class InputArguments(TypedDict):
    """What `profile` and `run` are given to look at."""

    name: str
    outputs: tuple[str, ...]
    source: Path
    references: tuple[str, ...]
    source_parser: str
    target_parser: str
    aligner: str
    any_language: bool
    learn: Path | None
    realign: bool


def contrast_inputs(
    *, expect: str = "source", subsets: Mapping[str, Path] | None = None, **given: Unpack[InputArguments]
) -> "ContrastInputs":
    """The inputs of a run, from its arguments."""
    from assay.contrasts.annotations import ToolNames
    from assay.contrasts.run import ContrastInputs

    # A reference is one more system, and may be the only one.
    if not given["outputs"] and not given["references"]:
        raise click.UsageError("no outputs given; name output files")
    return ContrastInputs(
        given["name"],
        given["source"],
        given["outputs"],
        ToolNames(given["source_parser"], given["target_parser"], given["aligner"]),
        references=given["references"],
        expect=expect,
        any_language=given["any_language"],
        subsets=subsets or {},
        learn=given["learn"],
        realign=given["realign"],
    )


def system_groups(values: tuple[str, ...]) -> dict[str, list[str]]:
    """`--group LLM=GPT-4,Claude` -> {"LLM": ["GPT-4", "Claude"]}."""
    found: dict[str, list[str]] = {}
    for value in values:
        name, equals, systems = value.partition("=")
        members = [system.strip() for system in systems.split(",") if system.strip()]
        if not equals or not name or not members:
            raise BadOption(f"--group {value!r} is not NAME=SYSTEM,SYSTEM")
        if name in found:
            raise BadOption(f"--group {name!r} is there already; choose another name")
        found[name] = members
    return found
