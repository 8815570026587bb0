"""`assay replay`: what policies would have said had a linguist judged less."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli import terminal
from assay.cli.options import (
    executor_options,
    format_option,
    inputs_options,
    keep_all_option,
    output_option,
    predictor_option,
    selection_options,
)
from assay.cli.results import deliver, look
from assay.errors import BadOption
from assay.reports.formats import FORMATS

if TYPE_CHECKING:
    from assay.outputs import Inputs


def _numbers(ctx: click.Context, parameter: click.Parameter, value: str | None) -> list[int] | None:
    if value is None:
        return None
    try:
        return [int(part) for part in value.split(",")]
    except ValueError:
        raise click.BadParameter(f"{value!r} is not like 100,200,400", ctx, parameter) from None


def _shares(ctx: click.Context, parameter: click.Parameter, value: str | None) -> list[float]:
    try:
        return [float(part) for part in value.split(",")] if value else [1.0]
    except ValueError:
        raise click.BadParameter(f"{value!r} is not like 1,0.5,0", ctx, parameter) from None


@click.command()
@inputs_options()
@selection_options
@keep_all_option
@click.option(
    "--hide",
    type=click.Choice(["exact"]),
    default="exact",
    show_default=True,
    help="What is hidden: texts that exact rules (judgements are such) alone decide.",
)
@click.option("--share", type=float, default=1.0, show_default=True, help="How much of that: 0.3 is 30 %.")
@click.option(
    "--hiding",
    type=click.Choice(["evenly", "failing", "one-system"]),
    default="evenly",
    show_default=True,
    help="Which of them: any; such that hidden texts fail three times as often as others; one system's five times as "
    "often as those of others.",
)
@click.option(
    "--judged",
    metavar="N,…",
    callback=_numbers,
    help="How many of them are judged again. [default: 100,200,400, as far as so many are hidden]",
)
@click.option(
    "--order",
    type=click.Choice(["fair", "sample", "both"]),
    default="both",
    show_default=True,
    help="In the order of the queue (fair), of a draw (estimate), or each.",
)
@click.option(
    "--items",
    type=click.Choice(["these", "drawn"]),
    default="these",
    show_default=True,
    help="The items as they are; or drawn from them with replacement, to check intervals for items of this kind.",
)
@click.option(
    "--own",
    "owns",
    metavar="X,…",
    callback=_shares,
    help="Also estimates in which only such a share of each system's correction is its own (0 to 1), and the rest that "
    "of all systems: less error, dishonest intervals.",
)
@predictor_option("A suggester that has a say in predictions, like nearest or openai:… (see assay suggest).")
@click.option("--draws", type=click.IntRange(1), default=200, show_default=True, help="How often all that is repeated.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of everything that is drawn.")
@executor_options()
@format_option("replay")
@output_option("FILE", "Write there instead of the terminal: a table, data, or a figure.")
def replay(
    inputs: "Inputs",
    systems: list[str],
    exclude: list[str],
    keep_all: bool,
    hide: str,
    judged: list[int] | None,
    draws: int,
    workers: Any,
    predictor: Any,
    format: str | None,
    output: Path | None,
    **choices: Any,
) -> None:
    """Hide verdicts that are known, judge some of them again, and compare each policy with the truth.

    It answers how many judgements a campaign like this one needs, and whether the intervals of estimates are honest:
    how far estimate and fair are off after so many judgements, the error that all systems have in common (level) and
    the one between systems, and how often 95 % intervals held the truth.

    \b
    Examples:
      assay replay items.de-en.json wmt21.yaml --share 0.3
      assay replay items.de-en.json wmt21.yaml --judged 50,100,200,400,800 -o replay.svg
      assay replay items.de-en.json wmt21.yaml --items drawn --order sample -f json
      assay replay items.de-en.json wmt21.yaml --order sample --own 0.75,0.5,0.25,0 -o trade-off.svg
    """
    from assay.evaluation import judge_files
    from assay.outputs import check_output
    from assay.replay.replay import replay as replayed
    from assay.replay.report import render
    from assay.reports.files import report_format

    chosen = report_format(format, output, "replay")
    if output is None and FORMATS[chosen].is_binary:
        raise BadOption(f"a picture needs a file: -o replay{FORMATS[chosen].suffix}")
    check_output(inputs, output)
    table = judge_files(inputs, systems=systems, exclude=exclude, keep_all=keep_all, workers=workers)
    adviser = predictor.adviser if predictor else None
    with terminal.progress("replaying", draws) as progress:
        result = replayed(table, numbers=judged, draws=draws, progress=progress, adviser=adviser, **choices)
    width, ansi = look(output)
    content = render(result, chosen, width=width, ansi=ansi)
    deliver(content, output, f"{result.hidden:,} texts hidden and judged again, {draws:,} times")
