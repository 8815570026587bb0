"""`assay compare`: two systems, or one before and after."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from assay.cli.options import (
    PATH,
    by_option,
    draw_option,
    estimate_policy_option,
    estimate_predictor_option,
    executor_options,
    format_option,
    inputs_options,
    output_option,
    split_names,
    statistics_options,
    units_option,
)
from assay.cli.results import deliver, look

if TYPE_CHECKING:
    from assay.outputs import Inputs


@click.command()
@inputs_options()
@by_option()
@estimate_policy_option
@draw_option("With --policy estimate: the draw whose texts were judged.")
@estimate_predictor_option
@statistics_options("mcnemar", correction=None)
@units_option
@click.option("--systems", metavar="A,B", multiple=True, help="The two to compare, where OUTPUT has more.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Items to list on each side; 0 lists all.",
)
@click.option(
    "--fail-on-regression",
    is_flag=True,
    help="Exit with 1 when the second is worse or broken, and say why (docs/howto/ci.md).",
)
@click.option(
    "--max-undecided",
    metavar="PERCENT",
    type=click.FloatRange(0, 100),
    default=2.0,
    show_default=True,
    help="With --fail-on-regression: items that may go from right to undecided.",
)
@click.option("--must-pass", metavar="ID,…", multiple=True, help="With --fail-on-regression: items that must be right.")
@click.option("--junit", metavar="FILE", type=PATH, help="Also write the gate's checks as JUnit XML.")
@click.option("-q", "--quiet", is_flag=True, help="Only the table.")
@click.option("--notes", is_flag=True, help="Also what a careful reader must know, and the signature.")
@executor_options()
@format_option("comparison")
@output_option("FILE", "Write there instead of the terminal (.txt, .md, .html or .json).")
def compare(
    inputs: "Inputs",
    systems: tuple[str, ...],
    by: Any,
    limit: int,
    fail_on_regression: bool,
    max_undecided: float,
    must_pass: tuple[str, ...],
    junit: Path | None,
    quiet: bool,
    notes: bool,
    format: str | None,
    output: Path | None,
    **choices: Any,
) -> None:
    """Compare two systems, or the same system before and after a change.

    Shows what changed in every row with its test, and the items that only one of the two got right. The test is paired
    and one-tailed in the direction of the change; the correction is over all rows shown.

    \b
    Examples:
      assay compare de-en assay-demo/average.tsv assay-demo/careful.tsv
      assay compare de-en old/model.txt new/model.txt --fail-on-regression -o regression.md
    """
    from assay.cli import terminal
    from assay.errors import BadOption
    from assay.evaluation import compare_files
    from assay.evaluation.answer import answer_of_comparison
    from assay.evaluation.gate import regression_gate
    from assay.outputs import check_output
    from assay.reports.comparison import render_html, render_markdown, render_text
    from assay.reports.data import result_json
    from assay.reports.files import report_format, write_report

    chosen = report_format(format, output, "comparison")
    wanted = split_names(must_pass)
    if (wanted or junit) and not fail_on_regression:
        raise BadOption("--must-pass and --junit belong to the gate; add --fail-on-regression")
    # A regression test looks at many rows at once; uncorrected it would often fail by chance.
    choices["correction"] = choices["correction"] or ("holm" if fail_on_regression else "none")
    if choices["policy"] == "estimate":
        if fail_on_regression:
            raise BadOption("--fail-on-regression counts verdicts; it takes the policies fair, own and strict")
        if click.get_current_context().get_parameter_source("test") == ParameterSource.DEFAULT:
            del choices["test"]  # that of the other policies
    if fail_on_regression:
        # A system that wrote the same everywhere is a regression, not a mistake in the command.
        choices["keep_all"] = True
    most = limit or None
    check_output(inputs, output)
    check_output(inputs, junit)
    with terminal.progress("drawing", choices["draws"]) as progress:
        comparison = compare_files(inputs, systems=split_names(systems), progress=progress, **choices)
        gate = None
        if fail_on_regression:
            gate = regression_gate(comparison, by, max_undecided=max_undecided / 100, must_pass=wanted)
        if chosen == "json":
            text = result_json(comparison, by)
        elif chosen == "markdown":
            text = render_markdown(comparison, by, most, gate=gate)
        elif chosen == "html":
            text = render_html(comparison, by, most, gate=gate)
        else:
            width, ansi = look(output)
            text = render_text(comparison, by, most, gate=gate, width=width, ansi=ansi, quiet=quiet, notes=notes)
    if gate is not None and junit is not None:
        from assay.reports.junit import render_junit

        write_report(render_junit(gate), junit)
    said = gate.sentence if gate else answer_of_comparison(comparison, by).sentences[0]
    deliver(text, output, said)
    if gate is not None and not gate.passed:
        sys.exit(1)
