"""`assay challenge profile`: what one metric is blind to, over challenge sets."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.challenge.cli_pairs import group_pairs
from assay.cli import terminal
from assay.cli.options import PATH, STDOUT, output_option, split_names
from assay.cli.results import deliver, look
from assay.errors import BadOption
from assay.text import plural

if TYPE_CHECKING:
    from assay.challenge.accuracy import MetricEvaluation
    from assay.challenge.profile import Makers, MetricProfile

ALL = "all"
"""In the place of a metric: a card for each."""


@click.command()
@click.argument("metric", metavar="METRIC")
@click.argument("pairs", metavar="SET SCORES...", nargs=-1, required=True)
@click.option(
    "--systems",
    metavar="CAMPAIGN.yaml",
    type=PATH,
    multiple=True,
    help="Campaign files that say of systems which group they belong to (systems: {NAME: {group: …}}).",
)
@click.option("--lower-is-better", metavar="NAME,…", multiple=True, help="Metrics whose lower score is the better one.")
@click.option("--group", metavar="NAME=GROUP", multiple=True, help="The group of a metric.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the tests.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of all draws.")
@click.option("-f", "--format", type=click.Choice(["table", "markdown", "json", "html"]), help="[default: by -o]")
@output_option("FILE", "Write there instead of the terminal; a folder for the cards of all.")
@click.option("--force", is_flag=True, help="Replace a folder that is not empty.")
def profile(
    metric: str,
    pairs: tuple[str, ...],
    systems: tuple[Path, ...],
    lower_is_better: tuple[str, ...],
    group: tuple[str, ...],
    alpha: float,
    seed: int,
    format: str | None,
    output: Path | None,
    force: bool,
) -> None:
    """Show what METRIC is blind to: its accuracy by phenomenon against its group, and what its answers depend on.

    After METRIC come challenge sets, each with its scores, a file or a folder. Sets that hold the same pairs with other
    references show how far the metric depends on the reference. METRIC `all` writes a card for every metric and an
    index into the folder of -o.

    \b
    Examples:
      assay challenge profile chrF set.tsv scores/
      assay challenge profile chrF de-en.tsv de-en/ en-de.tsv en-de/ -o chrF.html
      assay challenge profile all set.tsv scores/ --systems wmt22.yaml -o cards/
    """
    from assay.challenge.jobs import evaluate_scores
    from assay.challenge.report.profile_card import render_profile, write_cards

    if len(pairs) % 2:
        raise BadOption(f"{pairs[-1]!r} has no scores; give each set with its folder or file of scores: SET SCORES")
    if metric == ALL and output is None:
        raise BadOption("the cards of all metrics need a folder: -o cards/")
    evaluations = [
        evaluate_scores(
            Path(path),
            [scores],
            lower_is_better=split_names(lower_is_better),
            groups=group_pairs(group),
            alpha=alpha,
            seed=seed,
        )
        for path, scores in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    makers = makers_in(systems)
    names = list(dict.fromkeys(name for evaluation in evaluations for name in evaluation.columns))
    chosen = names if metric == ALL else [metric]
    found: dict[str, list[MetricProfile]] = {}
    with terminal.progress("profiles", len(chosen)) as progress:
        for name in chosen:
            found[name] = _profiles(evaluations, name, makers)
            if progress is not None:
                progress(1)
    if metric == ALL:
        assert output is not None
        files = write_cards(found, output, force=force)
        click.echo(f"{files[0]}: {plural(len(found), 'card')}, {plural(len(evaluations), 'set')}")
        return
    width, ansi = look(output)
    content = render_profile(found[metric], format or _format_of(output), width=width, ansi=ansi)
    deliver(content, output, f"{metric} on {plural(len(found[metric]), 'set')}")


def _profiles(evaluations: "list[MetricEvaluation]", name: str, makers: "Makers") -> "list[MetricProfile]":
    from assay.challenge.profile import profile_of

    having = [evaluation for evaluation in evaluations if name in evaluation.columns]
    if not having:
        profile_of(evaluations[0], name)  # says which metrics there are
    return [
        profile_of(evaluation, name, makers=makers, same_pairs=[other for other in having if other is not evaluation])
        for evaluation in having
    ]


def makers_in(files: tuple[Path, ...]) -> dict[str, str]:
    """System as challenge sets name it -> its group, from campaign files."""
    from assay.outputs import campaign

    found: dict[str, str] = {}
    for file in files:
        read = campaign.read(file)
        for name, about in read.metadata.items():
            if "group" in about:
                found[f"{name} ({read.name})" if read.name else name] = about["group"]
    if files and not found:
        raise BadOption(
            f"{files[0]} says of no system which group it belongs to; write systems: {{NAME: {{group: …}}}}"
        )
    return found


def _format_of(output: Path | None) -> str:
    by_suffix = {".md": "markdown", ".json": "json", ".html": "html", ".txt": "table"}
    if output is None or output == STDOUT:
        return "table"
    if output.suffix not in by_suffix:
        raise BadOption(f"{output}: a profile is written as {', '.join(by_suffix)}; or choose with --format")
    return by_suffix[output.suffix]
