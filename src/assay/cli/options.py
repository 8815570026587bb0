"""Arguments and options that several commands share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from math import inf, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from assay.errors import MissingExtra
from assay.reports.formats import ResultKind, names

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from assay.suites import Tier

F = TypeVar("F", bound=Callable[..., Any])

# Without exists=True: our own messages say what to do about a missing file.
PATH = click.Path(path_type=Path)
STDOUT = Path("-")


def completed_by(name: str) -> Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]:
    """What `assay.cli.completion` offers under this name; loaded only when a shell asks."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from assay.cli import completion

        found: list[CompletionItem] = getattr(completion, name)(context, incomplete)
        return found

    return complete


suite_argument = click.argument("suite", metavar="SUITE", shell_complete=completed_by("suites"))
outputs_argument = click.argument("outputs", metavar="OUTPUT...", nargs=-1, shell_complete=completed_by("files"))
category_option = click.option(
    "--category", metavar="NAME", help="Only of this category.", shell_complete=completed_by("categories")
)
phenomenon_option = click.option(
    "--phenomenon", metavar="NAME", help="Only of this phenomenon.", shell_complete=completed_by("phenomena")
)
tier_option = click.option(
    "--tier", type=click.Choice(["entry", "context"]), help="Only items of this tier, where the suite has several."
)
source_option = click.option(
    "-s",
    "--source",
    metavar="FILE",
    shell_complete=completed_by("files"),
    help="The campaign's source file: plain outputs are parallel to it and joined with the suite by sentence.",
)
map_option = click.option(
    "--map",
    "id_map",
    metavar="FILE",
    type=PATH,
    help="Which text of the outputs is which item: JSON, or TSV with the columns id and item.",
)
repair_option = click.option(
    "--repair",
    is_flag=True,
    help="Read files with bare carriage returns, empty source lines or quotes of CSV, and say what was done.",
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
    help="YAML with categories:, phenomena: and systems:, each old name: new name.",
)
database_option = click.option(
    "--db",
    metavar="DATABASE",
    envvar="ASSAY_DB",
    default="assay.db",
    show_default=True,
    show_envvar=True,
    help="The workbench's database: a file, or postgresql://USER@HOST/NAME.",
)


@contextmanager
def needs_workbench() -> Iterator[None]:
    """Turn a failed import of the workbench's packages into a message that says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        # One of our own modules is missing: a bug, not a missing extra.
        if (error.name or "").partition(".")[0] == "assay":
            raise
        raise MissingExtra("the workbench", "pip install 'assay-mt[workbench]'") from error


lossy_option = click.option("--lossy", is_flag=True, help="Leave out what the target format cannot hold.")
force_option = click.option("--force", is_flag=True, help="Replace a folder that is not empty.")
policy_option = click.option(
    "--policy",
    type=click.Choice(["fair", "own", "strict"]),
    default="fair",
    show_default=True,
    help="Which items count: no warning for any system, none for the system itself, all (warnings fail).",
)
estimate_policy_option = click.option(
    "--policy",
    type=click.Choice(["fair", "own", "strict", "estimate"]),
    default="fair",
    show_default=True,
    help="Which items count: no warning for any system, none for the system itself, all (warnings fail), all "
    "(undecided texts as a sample of judgements says; see assay sample).",
)


def draw_option(help: str) -> Callable[[F], F]:
    """`--draw`: the file of a draw."""
    return click.option(
        "--draw",
        metavar="FILE",
        type=PATH,
        shell_complete=completed_by("files"),
        help=f"{help}  [default: draw.json in the suite's folder, or SUITE.draw.json]",
    )


PREDICTORS = "assay.suggest.predicted"
"""Who makes a predictor of a suggester. It is named, not imported, as the commands of the features are."""


def predictor_option(help: str) -> Callable[[F], F]:
    """`--predictor`: the command gets a `Predictor`, or None."""

    def opened(ctx: click.Context, parameter: click.Parameter, value: str | None) -> Any:
        if value is None:
            return None
        from importlib import import_module

        from assay.cli import terminal

        def tell(line: str) -> None:
            click.echo(f"assay: {line}", err=True)

        return import_module(PREDICTORS).suggester_predictor(value, open_progress=terminal.progress, tell=tell)

    return click.option("--predictor", metavar="SPEC", callback=opened, help=help)


estimate_predictor_option = predictor_option(
    "With --policy estimate: a suggester that has a say in predictions, like nearest or openai:… (see assay suggest)."
)


def by_option(
    help: str = "Rows to show.", default: str | None = "category", *, also: tuple[str, ...] = ()
) -> Callable[[F], F]:
    """`--by`: categories, phenomena, both, and what a command shows `also`."""
    choice = click.Choice(["category", "phenomenon", "both", *also])
    return click.option("--by", type=choice, default=default, show_default=default is not None, help=help)


def format_option(
    kind: ResultKind, help: str = "[default: by the suffix of -o, else table]", *, also: ResultKind | None = None
) -> Callable[[F], F]:
    """`--format`: the formats for a kind of result; by default the suffix of `-o` decides.

    A command that shows another result on request has the formats of that one `also`.
    """
    known = tuple(dict.fromkeys((*names(kind), *(names(also) if also else ()))))
    return click.option("-f", "--format", type=click.Choice(known), help=help)


def output_option(metavar: str, help: str, *, required: bool = False) -> Callable[[F], F]:
    """`-o`: where the result goes."""
    return click.option("-o", "--output", metavar=metavar, type=PATH, required=required, help=help)


def _in_order(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator."""

    def decorate(function: F) -> F:
        # Decorators apply from the bottom up: reversed, so that the help lists them in this order.
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def statistics_options(default: str, *, correction: str | None = "none") -> Callable[[F], F]:
    """`--test`, `--correction`, `--alpha`, `--draws`, `--seed`."""
    return _in_order(
        click.option(
            "--test",
            type=click.Choice(["ztest", "mcnemar", "bootstrap", "randomization"]),
            default=default,
            show_default=True,
            help="As published (ztest), or paired: exact, or by resampling.",
        ),
        click.option(
            "--correction",
            type=click.Choice(["none", "holm", "bh"]),
            default=correction,
            show_default=correction is not None,
            help="Correction for many comparisons.",
        ),
        click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the test."),
        click.option("--draws", type=int, default=10_000, show_default=True, help="Draws of the resampling tests."),
        click.option("--seed", type=int, default=1, show_default=True, help="Seed of the resampling tests."),
    )


units_option = click.option(
    "--units",
    type=click.Choice(["item", "group"]),
    help="One observation in tests and intervals: an item, as published, or a group.  [default: group where the suite "
    "has groups]",
)


def split_names(values: tuple[str, ...]) -> list[str]:
    """`--systems A,B --systems C` -> A, B, C."""
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


def inputs_options(*, needs_outputs: bool = True, has_tier: bool = True) -> Callable[[F], F]:
    """SUITE, OUTPUT, and `--source`, `--map`, `--repair`, `--campaign`, `--aliases`, `--tier`: one `inputs`.

    Without `has_tier` a suite is taken as a whole.
    """

    def decorate(function: F) -> F:
        @suite_argument
        @outputs_argument
        @source_option
        @map_option
        @repair_option
        @campaign_option
        @aliases_option
        @(tier_option if has_tier else _unchanged)
        @wraps(function)
        def command(
            suite: str,
            outputs: tuple[str, ...],
            source: str | None,
            id_map: Path | None,
            repair: bool,
            campaign: str,
            aliases: Path | None,
            tier: "Tier | None" = None,
            **others: Any,
        ) -> Any:
            from assay.outputs import Inputs

            def tell(line: str) -> None:
                click.echo(f"assay: {line}", err=True)

            files, name = _outputs_of(outputs, campaign, needed=needs_outputs)
            inputs = Inputs(suite, files, source, name, aliases, id_map, repair, tell, tier)
            return function(inputs=inputs, **others)

        return cast(F, command)

    return decorate


def _unchanged(function: F) -> F:
    return function


def selection_options(function: F) -> F:
    """`--systems` and `--exclude`: the command gets both as lists of names."""

    @systems_option
    @click.option("--exclude", metavar="NAME,…", multiple=True, help="All systems but these.")
    @wraps(function)
    def command(systems: tuple[str, ...], exclude: tuple[str, ...], **others: Any) -> Any:
        return function(systems=split_names(systems), exclude=split_names(exclude), **others)

    return cast(F, command)


def evaluation_options(function: F) -> F:
    """Everything that an evaluation may be told: items, test, systems, outside scores."""
    return _in_order(
        estimate_policy_option,
        draw_option("With --policy estimate: the draw whose texts were judged."),
        estimate_predictor_option,
        statistics_options("ztest"),
        units_option,
        selection_options,
        keep_all_option,
        click.option("--merge-identical", is_flag=True, help="One column for systems with the very same outputs."),
        click.option(
            "--scores",
            metavar="FILE",
            type=PATH,
            help="Outside scores (TSV: system, name, value) to put under the systems and correlate with the rows.",
        ),
    )(function)


def executor_options(*, every_core: bool = False) -> Callable[[F], F]:
    """`--executor`, `--jobs`, `--resources`, `--wait`: the command gets them as one `workers`.

    The default of `--jobs` is one process, or one for each core with `every_core`.
    """

    def with_options(function: F) -> F:
        @click.option(
            "--executor",
            metavar="EXECUTOR",
            default="local",
            show_default=True,
            help="Who does the work: local, dask (by Dask's own configuration) or dask:tcp://HOST:8786.",
        )
        @click.option(
            "-j",
            "--jobs",
            type=click.IntRange(1),
            metavar="N",
            help=f"Processes of --executor local. [default: {'one per core' if every_core else '1'}]",
        )
        @click.option(
            "--resources",
            metavar="NAME=N,…",
            callback=_resources,
            help="What a worker of --executor dask must offer, like GPU=1.",
        )
        @click.option(
            "--wait",
            type=click.FloatRange(0, 1e6),
            callback=_a_number,
            metavar="SECONDS",
            help="How long to wait for workers of --executor dask. [default: 60]",
        )
        @click.option("--engine", hidden=True, help="The old name of --executor.")
        @wraps(function)
        def command(
            executor: str,
            engine: str | None,
            jobs: int | None,
            resources: dict[str, float],
            wait: float | None,
            **others: Any,
        ) -> Any:
            from assay.parallel import Workers

            # The hidden old name wins, since only an old script sets it.
            executor = engine or executor
            # None would mean one process for each core.
            if jobs is None and executor == "local" and not every_core:
                jobs = 1

            def tell(line: str) -> None:
                click.echo(f"assay: {line}", err=True)

            return function(workers=Workers(executor, jobs, wait, resources, tell), **others)

        return cast(F, command)

    return with_options


def _resources(ctx: click.Context, parameter: click.Parameter, value: str | None) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in value.split(",") if value is not None else ():
        name, _, amount = (cell.strip() for cell in part.partition("="))
        number = _positive(amount)
        if not name or number is None:
            raise click.BadParameter(f"{part!r} is not like GPU=1", ctx, parameter)
        if name in found:
            raise click.BadParameter(f"{name} stands twice", ctx, parameter)
        found[name] = number
    return found


def _a_number(ctx: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and isnan(value):  # which is in every range
        raise click.BadParameter("nan is not a number", ctx, parameter)
    return value


def _positive(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 < number < inf else None


def _outputs_of(outputs: tuple[str, ...], campaign: str, *, needed: bool) -> tuple[list[str], str]:
    """Outputs and campaign name; `--campaign FILE.yaml` stands for the outputs it lists."""
    if campaign.endswith((".yaml", ".yml")):
        if outputs:
            raise click.UsageError(f"{campaign} lists its outputs itself; give it without further files")
        return [campaign], ""
    if needed and not outputs:
        raise click.UsageError("no outputs given; name output files, or a campaign file with --campaign")
    return list(outputs), campaign
