"""`assay translate`: collect outputs from engines."""

import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli import terminal
from assay.cli.options import executor_options, output_option, suite_argument, tier_option
from assay.text import plural

if TYPE_CHECKING:
    from assay.outputs.output_folder import OutputFolder
    from assay.parallel import Workers
    from assay.suites import Tier
    from assay.translate.job import Job, Translated
    from assay.translate.retry import Limits

INCOMPLETE = 3
"""Exit code where sentences stay without an answer."""


def _list(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if not value:
        return
    from assay.translate.engine import ENGINES

    for name in ENGINES.names:
        click.echo(f"{name:16}{(ENGINES.get(name).__doc__ or '').strip().partition(chr(10))[0]}")
    ctx.exit()


@click.command()
@suite_argument
@click.option(
    "--system",
    "specs",
    metavar="[NAME=]ENGINE[:OPTIONS]",
    multiple=True,
    required=True,
    help="An engine with its options (key=value,…). May be repeated.",
)
@output_option("FOLDER", "The folder for outputs, journals and the campaign file.", required=True)
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the engines.")
@click.option("--campaign", metavar="NAME", default="", help="Name of the campaign. [default: the suite's name]")
@click.option("--concurrency", type=click.IntRange(1), metavar="N", help="Requests at once. [default: the engine's]")
@click.option(
    "--batch", type=click.IntRange(1), metavar="N", help="Fewer sentences in a request than the engine takes."
)
@click.option("--per-minute", type=float, metavar="R", help="Requests a minute at most. [default: the engine's]")
@click.option("--timeout", type=float, metavar="S", help="Seconds for a request. [default: the engine's, else 60]")
@click.option(
    "--retries", type=click.IntRange(0), metavar="N", default=5, show_default=True, help="Repetitions after a fault."
)
@click.option("--max-requests", type=click.IntRange(1), metavar="N", help="Stop after so many requests to an engine.")
@click.option("--max-cost", type=float, metavar="X", help="Stop before an engine costs more; it must know its prices.")
@tier_option
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N items.")
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and send nothing.")
@click.option("--send-held-out", is_flag=True, help="Also send held-out items to engines outside of this machine.")
@click.option("--force", is_flag=True, help="Replace outputs and a campaign file that were not collected here.")
@executor_options()
def translate(
    suite: str,
    specs: tuple[str, ...],
    output: Path,
    campaign: str,
    tier: "Tier | None",
    limit: int | None,
    dry_run: bool,
    send_held_out: bool,
    force: bool,
    workers: "Workers",
    **limits: Any,
) -> None:
    """Have engines translate a suite's sources.

    Answers are written to a journal as they arrive; a second run goes on where the first was interrupted and asks for
    nothing twice. FOLDER/campaign.yaml then stands for all outputs: assay evaluate SUITE FOLDER/campaign.yaml. The exit
    code is 3 where sentences stay without an answer.

    \b
    Examples:
      assay translate my-suite --system apertium -o outputs/
      assay translate de-en --system openai:model=qwen3,base_url=http://localhost:8000/v1 -o outputs/
      assay translate de-en --system mine=cmd:./translate.sh --system deepl -o outputs/ --dry-run
      assay translate de-en --system "mine=cmd:python mt.py" -o outputs/ --jobs 4
    """
    from assay.suites import load_suite
    from assay.translate.collected_folder import CollectedFolder
    from assay.translate.job import check_limits, prepare
    from assay.translate.retry import Limits

    _end_when_told()
    chosen = Limits(**limits)
    loaded = load_suite(suite)
    jobs = prepare(loaded, specs, tier=tier, limit=limit, workers=workers)
    check_limits(jobs, chosen)
    folder = CollectedFolder.open(output, loaded, campaign=campaign, force=force)
    folder.check([job.system for job in jobs], force=force)
    jobs = [_permitted(job, folder, send_held_out=send_held_out, ask=not dry_run) for job in jobs]
    if dry_run:
        for job in jobs:
            _show_plan(job, folder, chosen)
        return
    incomplete = [job for job in jobs if not _run(job, folder, chosen)]
    if folder.systems:
        click.echo(f"evaluate with: assay evaluate {suite} {folder.path / 'campaign.yaml'}")
    if incomplete:
        click.get_current_context().exit(INCOMPLETE)


def _end_when_told() -> None:
    """Whoever ends this command also ends the commands that it runs, and what came is written, as at Ctrl-C."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, signal.default_int_handler)


def _permitted(job: "Job", folder: "OutputFolder", *, send_held_out: bool, ask: bool) -> "Job":
    """The job, with held-out items where the user lets them go."""
    from assay.translate.job import held_out_to_send

    number = held_out_to_send(job, folder)
    may = send_held_out or not number
    if not may and ask and sys.stdin.isatty() and sys.stderr.isatty():
        question = f"{job.system}: send {plural(number, 'held-out sentence')} to an engine outside of this machine?"
        may = click.confirm(question, err=True)
    return replace(job, sends_held_out=may)


def _show_plan(job: "Job", folder: "OutputFolder", limits: "Limits") -> None:
    from assay.translate.job import held_out_to_send, plan

    found = plan(job, folder, limits)
    estimate = found.estimate
    tokens, cost = estimate.tokens, estimate.cost
    parts = [plural(found.sentences, "sentence"), plural(estimate.characters, "character")]
    parts += ["tokens –" if tokens is None else f"about {plural(tokens, 'token')}"]
    parts += [plural(found.requests, "request"), "cost –" if cost is None else f"cost about {cost:.4g}"]
    click.echo(f"{job.system}: {', '.join(parts)}")
    click.echo("  the sentences " + ("leave this machine" if found.leaves else "stay on this machine"))
    _show_untold(job)
    _show_held_back(held_out_to_send(job, folder))


def _run(job: "Job", folder: "OutputFolder", limits: "Limits") -> bool:
    """Translate with one system and say what came of it; whether it is complete."""
    from assay.translate.job import plan, translate

    with terminal.progress(job.system, plan(job, folder, limits).sentences) as progress:
        done = translate(job, folder, limits, progress)
    for line in _lines(done):
        click.echo(line)
    _show_untold(job)
    _show_held_back(done.held_back)
    collected = done.collected
    if collected.reason:
        click.echo(f"assay: {job.system}: {collected.reason}", err=True)
    for reason, number in done.failures[:3]:
        click.echo(f"assay: {job.system}: {plural(number, 'sentence')} without an answer: {reason}", err=True)
    if collected.stop == "interrupted":
        raise KeyboardInterrupt
    return done.is_complete


def _lines(done: "Translated") -> Iterator[str]:
    from assay.outputs.text_language import can_detect_languages

    collected, items = done.collected, len(done.job.items)
    where = str(done.file) if done.file else f"{done.job.system}: no answers"
    repeated = f", {plural(collected.repeated, 'repetition')}" if collected.repeated else ""
    cost = f", cost {collected.cost:.4g}" if collected.cost is not None else ""
    reused = f", {plural(done.reused, 'sentence')} known from an earlier run, {_minute(done.reused_at)}"
    requests = plural(collected.requests, "request")
    yield f"{where}: {done.outputs:,} of {items:,} items, {requests}{repeated}{cost}{reused if done.reused else ''}"
    for path in done.others:
        yield f"  {path} has answers of other parameters, which were not used"
    if done.report is not None and done.report.counts:
        for flag, number in done.report.counts.items():
            yield f"  {flag}: {number:,} ({_some(done.report.items(flag))})"
    if not can_detect_languages():
        yield "  languages were not checked; run: pip install 'assay-mt[translate]'"


def _minute(time: str) -> str:
    """2026-11-15T15:02:11+00:00 -> 2026-11-15 15:02 UTC, as journals write it."""
    return f"{time[:16].replace('T', ' ')} UTC"


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")


def _show_untold(job: "Job") -> None:
    if job.untold:
        click.echo(f"  prompts or contexts of {plural(job.untold, 'item')} are left out: this engine cannot take them")


def _show_held_back(number: int) -> None:
    if number:
        click.echo(f"  {plural(number, 'held-out sentence')} not sent; add --send-held-out to send them")
