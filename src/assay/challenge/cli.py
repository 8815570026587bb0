"""`assay challenge …`: build challenge sets, score them, and see what metrics get right."""

import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from assay.ansi import marks
from assay.challenge.cli_pairs import group_pairs
from assay.challenge.profile_cli import profile
from assay.cli import terminal
from assay.cli.options import (
    PATH,
    STDOUT,
    by_option,
    executor_options,
    force_option,
    format_option,
    inputs_options,
    keep_all_option,
    output_option,
    selection_options,
    split_names,
    statistics_options,
)
from assay.cli.results import check_output_file, deliver, look
from assay.errors import BadOption
from assay.text import plural

SETS = click.Choice(["tsv", "jsonl", "aces", "wmt25", "mt-metrics-eval", "demetr"])
set_argument = click.argument("set", metavar="SET", type=PATH)
set_format_option = click.option("-f", "--format", type=SETS, help="[default: by the suffix of -o]")
lower_option = click.option(
    "--lower-is-better", metavar="NAME,…", multiple=True, help="Metrics whose lower score is the better one."
)
group_option = click.option(
    "--group",
    metavar="NAME=GROUP",
    multiple=True,
    help="The group of a metric: baseline, reference-based, qe or control; clusters are also made within groups.",
)


@click.group()
def challenge() -> None:
    """Test metrics with judged outputs: which of two translations is right?"""


@challenge.command()
@inputs_options()
@output_option("SET", "The set to write: .tsv, .jsonl, or a file or folder with --format.", required=True)
@set_format_option
@click.option(
    "--per-item", type=int, metavar="K", help="At most so many challenge items of an item, also with --total."
)
@click.option("--total", type=int, metavar="N", help="So many in all, shared evenly between phenomena, then items.")
@click.option("--reserve", type=float, default=0.0, metavar="SHARE", help="Share of items that is never written.")
@click.option("--closeness", metavar="LOW:HIGH", help="Only pairs whose translations are that close to each other.")
@click.option(
    "--advantage",
    metavar="LOW:HIGH",
    help="Only pairs whose correct translation is that much closer to the reference than the incorrect one.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of everything that is drawn.")
@click.option("--blind", is_flag=True, help="Random order, no labels, no systems; needs --key.")
@click.option("--key", metavar="FILE", type=PATH, help="Where the key of a blind set goes (TSV); see --force.")
@click.option("--blind-seed", metavar="TEXT", default="", help="Seed of the blind order. [default: a secret one]")
@click.option("--pairs-of", metavar="SET", type=PATH, help="The pairs of this set, with references drawn again.")
@selection_options
@keep_all_option
@executor_options()
@click.option("--force", is_flag=True, help="Replace a folder that is not empty, and a key.")
def build(
    inputs: Any,
    output: Path,
    format: Any,
    per_item: int | None,
    total: int | None,
    reserve: float,
    closeness: str | None,
    advantage: str | None,
    seed: int,
    blind: bool,
    key: Path | None,
    blind_seed: str,
    pairs_of: Path | None,
    force: bool,
    **judging: Any,
) -> None:
    """Draw challenge items from judged outputs: a reference, another correct and an incorrect translation.

    Several output files and campaign files may be given at once. By default every item with two distinct correct
    outputs and an incorrect one gives one challenge item, and small phenomena give more.

    \b
    Examples:
      assay challenge build de-en outputs/*.txt -o set.tsv
      assay challenge build items.de-en.json wmt21.yaml wmt22.yaml --total 10000 -o set.jsonl
      assay challenge build de-en outputs/*.txt --reserve 0.2 --blind --key key.tsv -o for-participants.tsv
      assay challenge build de-en outputs/*.txt --pairs-of set.tsv --seed 2 -o other-references.tsv
    """
    from assay.challenge.build import Drawing
    from assay.challenge.closeness import Range, difficulty
    from assay.challenge.jobs import build_files, check_set_targets, described, write_set

    if blind != (key is not None):
        raise BadOption("a blind set needs --key FILE" if blind else "--key is for --blind sets")
    if blind_seed and not blind:
        raise BadOption("--blind-seed is for --blind sets")
    if pairs_of is not None and (per_item or total or reserve or closeness or advantage):
        raise BadOption("--pairs-of keeps the pairs of that set; only --seed changes its references")
    drawing = Drawing(
        per_item,
        total,
        reserve,
        seed,
        closeness=Range.parse(closeness, least=0, most=1) if closeness else None,
        advantage=Range.parse(advantage, least=-1, most=1) if advantage else None,
        apart=blind,
    )
    read = [*inputs.files(), *([pairs_of] if pairs_of is not None else [])]
    check_set_targets(output, read, format=format, key=key, force=force)
    built = build_files(inputs, drawing, pairs_of=pairs_of, **judging)
    files = write_set(built.challenge, output, format=format, key=key, blind_seed=blind_seed, force=force)
    say = partial(click.echo, err=output == STDOUT)
    say(f"{output}: {plural(len(built.challenge), 'challenge item')} of {plural(built.used, 'item')}")
    if total is not None and len(built.challenge) < total:
        say(f"  fewer than the {total:,} asked for: these outputs give no more")
    if built.changed is not None:
        say(f"  another reference for {built.changed:,}; the others have no other correct output")
    if built.left_out:
        say(f"  not used: items {described(built)}")
    hard = difficulty(built.challenge.items)
    if hard is not None:
        say(
            f"  closeness: {hard.pair.mean:.2f} correct and incorrect, {hard.correct.mean:.2f} reference and correct, "
            f"{hard.incorrect.mean:.2f} reference and incorrect; the correct one is closer in {hard.closer:.1%}"
        )
    if key is not None:
        say(f"  key: {files[-1]}; keep it to yourself")


@challenge.command()
@set_argument
@click.option(
    "-m", "--metric", "metrics", metavar="METRIC", multiple=True, required=True, help="See assay challenge metrics."
)
@output_option("FOLDER", "The folder for the scores, a file per metric.", required=True)
@executor_options(every_core=True)
@lower_option
@group_option
@click.option("--again", is_flag=True, help="Score anew what an earlier run has scored.")
@click.option("--cache", metavar="FOLDER", type=PATH, help="Keep scores there by content, for other sets too.")
def score(
    set: Path,
    metrics: tuple[str, ...],
    output: Path,
    workers: Any,
    lower_is_better: tuple[str, ...],
    group: tuple[str, ...],
    again: bool,
    cache: Path | None,
) -> None:
    """Score a challenge set, open or blind, with metrics. A second run goes on where the first was interrupted.

    Scores that are there from an earlier run of the same metric are kept; the files that a command names count as part
    of it. A command reads lines of source, translation and reference, separated by tabs, and writes one score a line.

    \b
    Examples:
      assay challenge score set.tsv -m BLEU -m chrF -m TER -o scores/
      assay challenge score set.tsv -m BLEU:tokenize=zh -m chrF:word_order=1 -o scores/
      assay challenge score set.tsv -m COMET:model.ckpt -o scores/
      assay challenge score set.tsv -m COMET:/shared/model.ckpt --executor dask:tcp://10.0.0.7:8786 -o scores/
      assay challenge score set.tsv -m "mine=cmd:./my_metric.py --fast" --group mine=qe -o scores/
    """
    from assay.challenge.jobs import load_metrics, score_files

    _end_when_told()
    chosen = load_metrics(metrics, lower_is_better=split_names(lower_is_better), groups=group_pairs(group))
    for scored in score_files(
        set, chosen, output, open_progress=terminal.progress, workers=workers, again=again, cache=cache
    ):
        click.echo(f"{scored.file}: {scored.metric.signature}")
        if scored.note:
            click.echo(f"  {scored.note}")
        if scored.kept:
            kept = "all" if scored.kept == scored.items else f"{scored.kept:,} of {scored.items:,}"
            click.echo(f"  {kept} scores kept from an earlier run; --again scores anew")
        if scored.unused:
            click.echo(
                f"  {plural(scored.unused, 'source')} with further references: scored with the first "
                "(another: assay challenge convert --reference)"
            )
        if scored.gaps:
            click.echo(
                f"  no score for {scored.gaps:,} of {scored.items:,} hypotheses, which lack a reference or source"
            )


@challenge.command()
@set_argument
@click.argument("scores", metavar="SCORES...", nargs=-1, required=True)
@click.option("--key", metavar="FILE", type=PATH, help="The key of a blind set.")
@by_option("Rows to show. [default: categories; all in json, html and xlsx]", default=None)
@lower_option
@group_option
@statistics_options("randomization")
@executor_options()
@click.option("--lost", type=click.IntRange(0), metavar="N", help="List so many that every metric gets wrong; 0: all.")
@click.option("--figures", metavar="FOLDER", type=PATH, help="Draw the figures into this folder (SVG, PNG, PDF).")
@click.option(
    "--beside",
    metavar="REPORT.json",
    type=PATH,
    multiple=True,
    help="Reports of other directions, for one line each in the figure of sorted phenomena.",
)
@format_option("challenge")
@output_option("FILE", "Write there instead of the terminal.")
def report(
    set: Path,
    scores: tuple[str, ...],
    key: Path | None,
    by: Any,
    lower_is_better: tuple[str, ...],
    group: tuple[str, ...],
    lost: int | None,
    figures: Path | None,
    beside: tuple[Path, ...],
    format: str | None,
    output: Path | None,
    **choices: Any,
) -> None:
    """Show what metrics get right: accuracy per category and phenomenon, ties, clusters.

    SCORES are [NAME=]FILE, or a folder of them: what assay challenge score wrote, .seg.score files, scored ACES or
    WMT25 tables, or plain columns (two numbers a line, or all first and then all second translations).

    \b
    Examples:
      assay challenge report set.tsv scores/
      assay challenge report blind.tsv theirs=scores.txt --key key.tsv --group theirs=qe
      assay challenge report set.tsv scores/ --test ztest -o as-published.html
    """
    from assay.challenge.files.reports import read_report
    from assay.challenge.jobs import check_report_targets, draw_figures, evaluate_scores
    from assay.challenge.pairs import left_aside
    from assay.challenge.report import render
    from assay.challenge.report.items import item_lines
    from assay.reports.files import report_format

    chosen = report_format(format, output, "challenge")
    check_output_file(chosen, output)
    check_report_targets(output, set, scores, others=[key, *beside])
    if beside and figures is None:
        raise BadOption("--beside is for --figures")
    others = {path: read_report(path) for path in beside}
    with terminal.progress("drawing", choices["draws"]) as progress:
        evaluation = evaluate_scores(
            set,
            scores,
            key=key,
            lower_is_better=split_names(lower_is_better),
            groups=group_pairs(group),
            progress=progress,
            **choices,
        )
        width, ansi = look(output)
        content = render(evaluation, chosen, by=by, width=width, ansi=ansi)
    drawn = draw_figures(evaluation, figures, others) if figures is not None else []
    said = f"{plural(len(evaluation.metrics), 'metric')}, {len(evaluation.challenge):,} challenge items"
    deliver(content, output, said)
    for line in left_aside(evaluation.challenge):
        click.echo(f"not counted: {line}", err=True)
    # What another program reads on standard output must hold nothing else.
    aside = chosen != "table" and output in (None, STDOUT)
    if lost is not None:
        for line in item_lines(evaluation, lost or None, marks(terminal.has_style() and not aside)):
            click.echo(line, err=aside)
    for path in drawn:
        click.echo(path, err=aside)


@challenge.command()
@click.argument("reports", metavar="REPORT.json...", nargs=-1, required=True, type=PATH)
@format_option("table")
@output_option("FILE", "Write there instead of the terminal.")
def spread(reports: tuple[Path, ...], format: str | None, output: Path | None) -> None:
    """Show how much accuracies move from draw to draw: mean, lowest and highest over several reports.

    \b
    Example:
      assay challenge spread seed-1.json seed-2.json seed-3.json
    """
    from assay.challenge.files.reports import read_report
    from assay.challenge.report.spread import render_spread
    from assay.files import check_targets
    from assay.reports.files import report_format

    chosen = report_format(format, output, "table")
    if output is not None:
        check_targets([output], [*reports])
    width, ansi = look(output)
    read = [read_report(path) for path in reports]
    text = render_spread(read, chosen, names=[str(path) for path in reports], width=width, ansi=ansi)
    deliver(text, output)


@challenge.command()
@set_argument
@output_option("SET", "The set to write: .tsv, .jsonl, or a file or folder with --format.", required=True)
@set_format_option
@click.option("--name", default="", metavar="NAME", help="Another name for the set; files of WMT are named after it.")
@click.option("--langpair", default="", metavar="S-T", help="The language pair of all challenge items.")
@click.option("--ladder", default="", metavar="'A > B = C'", help="How good the hypotheses are, best first.")
@click.option("--human", multiple=True, metavar="[NAME=]FILE", help="Scores by people, for every hypothesis.")
@click.option("--rank-by", default="", metavar="NAME", help="Hypotheses with a higher human score are better.")
@click.option("--margin", type=float, default=0.0, metavar="X", help="…by more than X.")
@click.option("--reference", default="", metavar="NAME|N", help="The reference that metrics get, of several.")
@click.option("--scores", multiple=True, metavar="SCORES", help="Scores of metrics, for an mt-metrics-eval tree.")
@click.option("--lossy", is_flag=True, help="Leave out what the format cannot hold, and list it.")
@force_option
def convert(
    set: Path, output: Path, format: Any, scores: tuple[str, ...], lossy: bool, force: bool, **additions: Any
) -> None:
    """Write a challenge set in another format, with what is known about it.

    A set of any format is read; what the new format cannot hold is an error that lists it, unless --lossy.

    \b
    Examples:
      assay challenge convert set.tsv -f aces -o aces.tsv
      assay challenge convert set.tsv -f wmt25 --name garden -o garden/
      assay challenge convert mslc-a/ --ladder "hyp-3 > hyp-2 > hyp-1" -o mslc-a.jsonl
      assay challenge convert SSA-MTE/ --human da=da.txt -o SSA-MTE.jsonl
      assay challenge convert wmt24/sources/en-de.txt --rank-by mqm --margin 1 -o wmt24.jsonl
      assay challenge convert set.jsonl --reference refB -o with-refB.jsonl
    """
    from assay.challenge.convert import Additions, convert_file

    done = convert_file(set, output, Additions(**additions), format=format, force=force, lossy=lossy, scores=scores)
    say = partial(click.echo, err=output == STDOUT)
    say(f"{output}: {plural(len(done.cases), 'challenge item')}")
    for remark in done.remarks:
        say(f"  {remark}")


@challenge.command()
@click.argument("sets", metavar="SET...", nargs=-1, required=True, type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Write the findings as JSON.")
def check(sets: tuple[Path, ...], as_json: bool) -> None:
    """Look for what is wrong with challenge sets: identical translations, missing references, giveaways.

    The exit code is 1 if there are errors. Of several sets, sources that stand in more than one are named too.

    \b
    Examples:
      assay challenge check set.tsv
      assay challenge check train.jsonl test.jsonl --json
    """
    from assay.challenge.check_cli import run_check

    run_check(sets, as_json=as_json)


@challenge.command()
@set_argument
@click.argument("scores", metavar="SCORES...", nargs=-1, required=True)
@click.option("--human", default="", metavar="NAME", help="The human score to compare with, where there are several.")
@lower_option
@group_option
@click.option("--json", "as_json", is_flag=True, help="Write everything as JSON.")
@format_option("table")
@output_option("FILE", "Write there instead of the terminal.")
def meta(
    set: Path,
    scores: tuple[str, ...],
    human: str,
    lower_is_better: tuple[str, ...],
    group: tuple[str, ...],
    as_json: bool,
    format: str | None,
    output: Path | None,
) -> None:
    """Show how far metrics agree with people: pairwise accuracy with ties, correlations, mean scores.

    For sets whose hypotheses have human scores; without these accuracy goes by what the set says about its hypotheses,
    and mean scores are all that is shown of a set that says nothing. SCORES are those of assay challenge report.

    \b
    Examples:
      assay challenge meta wmt24/sources/en-de.txt wmt24/metric-scores/en-de/ --human mqm
      assay challenge meta SSA-MTE.jsonl scores/ --json -o agreement.json
    """
    from assay.challenge.meta_cli import run_meta

    lower, groups = split_names(lower_is_better), group_pairs(group)
    run_meta(
        set,
        scores,
        human=human,
        lower_is_better=lower,
        groups=groups,
        as_json=as_json,
        format=format,
        output=output,
    )


@challenge.command()
def metrics() -> None:
    """List the metrics that are installed.

    \b
    Example:
      assay challenge metrics
    """
    from assay.challenge.metric import METRICS

    for name in METRICS.names:
        # A stranger's factory may have no docstring.
        said = next(iter((METRICS.get(name).__doc__ or "").strip().splitlines()), "")
        click.echo(f"{name:12}{said}".rstrip())


def _end_when_told() -> None:
    """Whoever ends this command also ends the commands that it runs, and what they scored is kept."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, lambda number, _: sys.exit(128 + number))


challenge.add_command(profile)
