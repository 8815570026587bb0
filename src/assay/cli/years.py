"""`assay years`: several campaigns compared."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from assay.cli.options import (
    aliases_option,
    by_option,
    draw_option,
    estimate_policy_option,
    estimate_predictor_option,
    executor_options,
    format_option,
    output_option,
    split_names,
    statistics_options,
    suite_argument,
    systems_option,
    tier_option,
    units_option,
)
from assay.cli.results import deliver, look
from assay.errors import BadOption
from assay.reports.formats import FORMATS, ResultKind, names, refusal

if TYPE_CHECKING:
    from assay.evaluation.rule_age import Ageing
    from assay.outputs import Inputs
    from assay.parallel import Workers
    from assay.suites import Tier


@click.command()
@suite_argument
@click.argument("campaigns", metavar="CAMPAIGN.yaml...", nargs=-1, required=True)
@by_option()
@estimate_policy_option
@draw_option("With --policy estimate: the draw whose texts were judged.")
@estimate_predictor_option
@statistics_options("ztest")
@units_option
@systems_option
@aliases_option
@tier_option
@click.option("--diff", nargs=2, metavar="FIRST SECOND", help="Differences in points between two campaigns instead.")
@click.option("--ageing", is_flag=True, help="How much the rules still decide instead, and which items cost most.")
@executor_options()
@format_option("years", "[default: by the suffix of -o, else table; html and pictures with --ageing]", also="ageing")
@output_option("FILE", "Write there instead of the terminal.")
def years(
    suite: str,
    campaigns: tuple[str, ...],
    by: Any,
    systems: tuple[str, ...],
    aliases: Path | None,
    tier: "Tier | None",
    diff: tuple[str, str] | None,
    ageing: bool,
    format: str | None,
    output: Path | None,
    **choices: Any,
) -> None:
    """Compare campaigns: systems that return under the same name, and the best system of each.

    Each campaign is a YAML file that names its source file and outputs. A system that changed its name is joined by
    aliases, in the campaign file or with --aliases. The items are those found in all campaigns on which none of the
    systems shown has a warning.

    With --ageing it shows how much the suite's rules decide in each campaign, of one or more: the share of outputs that
    pass or fail, the items that count, and where to judge first.

    \b
    Examples:
      assay years items.de-en.json wmt21.yaml wmt22.yaml
      assay years items.de-en.json wmt21.yaml wmt22.yaml --diff WMT21 WMT22 -o difference.tex
      assay years items.de-en.json wmt21.yaml wmt22.yaml --ageing -o ageing.html
    """
    from assay.cli import terminal
    from assay.evaluation import years_of_files
    from assay.outputs import Inputs, check_output
    from assay.reports import render_table
    from assay.reports.data import json_text
    from assay.reports.files import report_format
    from assay.reports.years import difference_table, years_table

    kind: ResultKind = "ageing" if ageing else "years"
    if format is not None and format not in names(kind):
        raise refusal("years without --ageing", format, kind)
    chosen = report_format(format, output, kind)
    inputs = Inputs(suite, campaigns, aliases=aliases, tier=tier)
    check_output(inputs, output)
    if ageing:
        _refuse_others(click.get_current_context())
        _show_ageing(inputs, chosen, output, by=by, systems=split_names(systems), workers=choices["workers"])
        return
    found = years_of_files(
        inputs,
        systems=split_names(systems),
        # A table of differences needs no tests between consecutive campaigns.
        rows=chosen == "json" or not diff,
        diff=diff,
        open_progress=terminal.progress,
        **choices,
    )
    if chosen == "json":
        text = json_text(found.to_dict_with_differences(*diff, by) if diff else found.to_dict(by))
    else:
        table = difference_table(found, *diff, by) if diff else years_table(found, by)
        width, ansi = look(output)
        text = render_table(table, chosen, width=width, ansi=ansi)
    said = f"{len(found.returning)} returning systems, {found.evaluation.items_counted:,} items count"
    deliver(text, output, said)


def _refuse_others(context: click.Context) -> None:
    """Options that would be ignored: ageing is counted in one way, and nothing is tested."""
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name in ("diff", "policy", "draw", "predictor", "test", "correction", "alpha", "draws", "seed")
        and context.get_parameter_source(option.name) == ParameterSource.COMMANDLINE
    ]
    if given:
        raise BadOption(f"--ageing counts under the policy fair and tests nothing; leave {', '.join(given)} out")


def _show_ageing(
    inputs: "Inputs", chosen: str, output: Path | None, *, by: Any, systems: list[str], workers: "Workers"
) -> None:
    from assay.evaluation import ageing_of_files
    from assay.evaluation.rule_age import answer_of_ageing
    from assay.reports.rule_age import render

    if output is None and FORMATS[chosen].is_binary:
        raise BadOption(f"a picture needs a file: -o ageing{FORMATS[chosen].suffix}")
    found = ageing_of_files(inputs, systems=systems, workers=workers)
    mend = _mend(inputs, found)
    width, ansi = look(output)
    content = render(found, chosen, by=by, mend=mend, width=width, ansi=ansi)
    deliver(content, output, answer_of_ageing(found, mend).sentences[0])


def _mend(inputs: "Inputs", ageing: "Ageing") -> str:
    """The command that lists what to judge of the last campaign."""
    # Where several files make one campaign it is not known which of them are the last one's.
    files = inputs.outputs[-1:] if len(inputs.outputs) == len(ageing.columns) else inputs.outputs
    more = ["--aliases", str(inputs.aliases)] if inputs.aliases else []
    more += ["--tier", inputs.tier] if inputs.tier else []
    return shlex.join(["assay", "warnings", inputs.suite, *files, *more, "-o", "todo.xlsx"])
