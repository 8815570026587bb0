"""`assay evaluate`: outputs of systems in, accuracies with statistics out."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    PATH,
    STDOUT,
    by_option,
    evaluation_options,
    executor_options,
    format_option,
    inputs_options,
    output_option,
)
from assay.cli.results import look
from assay.text import plural

if TYPE_CHECKING:
    from assay.outputs import Inputs


@click.command()
@inputs_options()
@by_option(
    "Rows to show.  [default: category; both in csv, json and the other data formats]", default=None, also=("labels",)
)
@evaluation_options
@executor_options()
@format_option("evaluation")
@output_option("FILE", "Write there instead of the terminal.")
@click.option(
    "--verdicts", metavar="FILE", type=PATH, help="Also write a line per item and system (.tsv, .jsonl or .parquet)."
)
@click.option(
    "--fail-under",
    metavar="PERCENT",
    multiple=True,
    help="Exit with 1 when a system has less right: 80, 80:category=70, 80:Idiom=60 (docs/howto/ci.md).",
)
@click.option("--junit", metavar="FILE", type=PATH, help="With --fail-under: also write its checks as JUnit XML.")
@click.option("-q", "--quiet", is_flag=True, help="Only the table, without the answer above it.")
@click.option("--notes", is_flag=True, help="Also what a careful reader must know, and the signature.")
def evaluate(
    inputs: "Inputs",
    scores: Path | None,
    output: Path | None,
    verdicts: Path | None,
    format: Any,
    by: Any,
    fail_under: tuple[str, ...],
    junit: Path | None,
    quiet: bool,
    notes: bool,
    **choices: Any,
) -> None:
    """Evaluate the outputs of MT systems with a test suite.

    SUITE is a bundled suite's name (assay suite list), a native suite folder, a DFKI items.json or an older DFKI
    TSV or CSV. OUTPUT is a file per system (NAME=FILE names it, - is standard input, .gz works), campaign files
    (YAML), or a folder as WMT publishes it, in which the right files are found. Plain text has a line per item in
    suite order (assay suite sources), or is parallel to --source. TSV and JSONL with item ids, WMT XML and WMT JSONL
    are known by their suffix.

    \b
    Examples:
      assay evaluate de-en assay-demo/*.tsv
      assay evaluate items.de-en.json --source newstest2021.de-en.src.de newstest2021.de-en.hyp.*.en
      assay evaluate suites/legal wmt26/
      assay evaluate de-en new=model.txt -o results.json --verdicts verdicts.tsv
    """
    from assay.cli import terminal
    from assay.errors import BadOption
    from assay.evaluation import evaluate_files
    from assay.outputs import check_output
    from assay.reports import render
    from assay.reports.answer import first_screen
    from assay.reports.files import check_evaluation_targets, report_format, write_report, write_results

    if fail_under:
        from assay.evaluation.gate import Threshold, threshold_gate

        thresholds = [threshold for text in fail_under for threshold in Threshold.parse(text)]
    elif junit:
        raise BadOption("--junit writes the checks of --fail-under; say what is enough")
    # Names and formats are checked before any work: an evaluation may take minutes.
    chosen = report_format(format, output, "evaluation")
    check_evaluation_targets(inputs, output, verdicts)
    check_output(inputs, junit)
    outside = None
    if scores:
        from assay.evaluation.outside_scores import read_scores

        outside = read_scores(scores)
    with terminal.progress("drawing", choices["draws"]) as progress:
        evaluation = evaluate_files(inputs, progress=progress, open_progress=terminal.progress, **choices)
        gate = threshold_gate(evaluation, thresholds) if fail_under else None
        width, ansi = look(output)
        if chosen == "table" and by != "labels":
            more = f"assay examples {inputs.command} --verdict fail"
            text: str | bytes = first_screen(
                evaluation, by or "category", outside, width=width, ansi=ansi, quiet=quiet, notes=notes, more=more
            )
        else:
            text = render(evaluation, chosen, by=by, scores=outside, width=width, ansi=ansi)
    # Both files are written together, or neither.
    write_results(evaluation, report=(text, output) if output else None, verdicts=verdicts)
    if output is None:
        click.echo(text, nl=False)
    elif output != STDOUT:
        click.echo(f"{output}: {plural(len(evaluation.systems), 'system')}, {evaluation.items_counted:,} items count")
    if gate is not None:
        if junit:
            from assay.reports.junit import render_junit

            write_report(render_junit(gate), junit)
        click.echo(gate.sentence, err=output == STDOUT)
        if not gate.passed:
            sys.exit(1)
