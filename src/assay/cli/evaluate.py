"""`assay evaluate`: the main job."""

from pathlib import Path
from typing import Any

import click

from assay.cli.options import (
    PATH,
    aliases_option,
    campaign_option,
    keep_all_option,
    output_option,
    outputs_argument,
    outputs_of,
    source_option,
    split_names,
    suite_argument,
    systems_option,
)


@click.command()
@suite_argument
@outputs_argument
@source_option
@click.option(
    "--by",
    type=click.Choice(["category", "phenomenon", "both"]),
    help="Rows to show.  [default: category; both in csv and json]",
)
@click.option(
    "--policy",
    type=click.Choice(["fair", "own", "strict"]),
    default="fair",
    show_default=True,
    help="Which items count: no warning for any system, none for the system itself, all (warnings fail).",
)
@click.option(
    "--test",
    type=click.Choice(["ztest", "mcnemar", "bootstrap", "randomization"]),
    default="ztest",
    show_default=True,
    help="Test against the row's best: as published, or paired (exact, resampling).",
)
@click.option(
    "--correction",
    type=click.Choice(["none", "holm", "bh"]),
    default="none",
    show_default=True,
    help="Correction for a row's many comparisons.",
)
@click.option("--draws", type=int, default=10_000, show_default=True, help="Draws of the resampling tests.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the resampling tests.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the significance test.")
@systems_option
@campaign_option
@keep_all_option
@click.option("--merge-identical", is_flag=True, help="One column for systems with the very same outputs.")
@aliases_option
@click.option(
    "-f",
    "--format",
    type=click.Choice(["table", "markdown", "csv", "json"]),
    help="[default: by the suffix of -o, else table]",
)
@output_option("FILE", "Write there instead of the terminal.")
@click.option("--verdicts", metavar="FILE", type=PATH, help="Also write a line per item and system (.tsv or .jsonl).")
def evaluate(
    suite: str,
    outputs: tuple[str, ...],
    source: str | None,
    campaign: str,
    aliases: Path | None,
    systems: tuple[str, ...],
    output: Path | None,
    verdicts: Path | None,
    format: Any,
    by: Any,
    **settings: Any,
) -> None:
    """Evaluate the outputs of MT systems with a test suite.

    SUITE is a bundled suite's name (assay suite list), a native suite folder, a DFKI items.json or an older DFKI
    TSV or CSV. OUTPUT is a file per system (NAME=FILE names it, - is standard input, .gz works) or one campaign
    file (YAML). Plain text has a line per item in suite order (assay suite sources), or is parallel to --source.
    TSV and JSONL with item ids, WMT XML and WMT25 JSONL are known by their suffix.

    \b
    Examples:
      assay evaluate de-en careful.tsv literal.tsv
      assay evaluate items.de-en.json --source newstest2021.de-en.src.de newstest2021.de-en.hyp.*.en
      assay evaluate de-en new=model.txt -o results.json --verdicts verdicts.tsv
    """
    from assay.cli import screen
    from assay.reports import render
    from assay.workbench.evaluating import Inputs, evaluate_files, report_format, write_text

    chosen = report_format(format, output)
    files, name = outputs_of(outputs, campaign)
    with screen.progress("drawing", settings["draws"]) as progress:
        evaluation = evaluate_files(
            Inputs(suite, files, source, name, aliases),
            systems=split_names(systems),
            verdicts=verdicts,
            progress=progress,
            **settings,
        )
        to_screen = output is None
        text = render(
            evaluation,
            chosen,
            by=by,
            width=screen.width() if to_screen else None,
            ansi=to_screen and screen.has_style(),
        )
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(text, output)
