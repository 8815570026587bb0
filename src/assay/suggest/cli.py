"""`assay suggest`: suggestions for the texts that no rule decides, and what they are worth."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.ansi import VERDICT_STYLES
from assay.cli import terminal
from assay.cli.options import (
    PATH,
    STDOUT,
    format_option,
    inputs_options,
    keep_all_option,
    output_option,
    selection_options,
)
from assay.cli.results import deliver, look
from assay.errors import BadOption
from assay.text import plural

if TYPE_CHECKING:
    from assay.outputs import Inputs
    from assay.suggest.run import Answers, Run
    from assay.suggest.suggester import Question
    from assay.suggest.suggestion_file import Suggested

INCOMPLETE = 3
"""Exit code where a language model left texts without an answer."""


def _list(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if not value:
        return
    from assay.suggest.suggester import SUGGESTERS

    for name in SUGGESTERS.names:
        click.echo(f"{name:16}{(SUGGESTERS.get(name).__doc__ or '').strip().partition(chr(10))[0]}")
    ctx.exit()


@click.command()
@inputs_options()
@click.option(
    "--suggester", metavar="SPEC", default="nearest", show_default=True, help="nearest, or a language model: openai:…"
)
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the suggesters.")
@selection_options
@keep_all_option
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N texts of the queue.")
@click.option("--calibrate", is_flag=True, help="Suggest texts whose verdict is known, and count what is right.")
@click.option(
    "--on",
    type=click.Choice(["undecided", "new", "exact", "decided"]),
    help="With --calibrate: texts that are undecided without judgements and exact rules; those of them that a single "
    "system wrote, from what the others wrote; all that one of these decides; or all that are decided.  "
    "[default: undecided if there are any]",
)
@click.option(
    "--judgements",
    metavar="FILE",
    type=PATH,
    help="With --calibrate: judgements.jsonl of assay export; only what was judged blind is tested.",
)
@click.option("--sample", type=click.IntRange(1), metavar="N", help="With --calibrate: N texts, drawn by --seed.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the sample.")
@click.option(
    "--journal",
    metavar="FOLDER",
    type=PATH,
    default=Path("assay-suggestions"),
    show_default=True,
    help="Where the answers of a language model are kept.",
)
@click.option("--max-requests", type=click.IntRange(1), metavar="N", help="Stop after so many requests.")
@click.option("--max-cost", type=float, metavar="X", help="Stop before it costs more; the model must know its prices.")
@click.option("--dry-run", is_flag=True, help="Show what would be asked, and ask nothing.")
@click.option("--send-held-out", is_flag=True, help="Also send held-out items to a model outside of this machine.")
@format_option("calibration")
@output_option("FILE", "Suggestions: .tsv or .jsonl. With --calibrate a report: .txt, .md, .tex, .csv, .json.")
def suggest(
    inputs: "Inputs",
    suggester: str,
    calibrate: bool,
    journal: Path,
    max_requests: int | None,
    max_cost: float | None,
    dry_run: bool,
    send_held_out: bool,
    **choices: Any,
) -> None:
    """Suggest verdicts for the texts that no rule decides. Suggestions are never counted.

    The suggester nearest compares a text with judged ones, on this machine. A language model gets the phenomenon's
    description, the item and some judged texts; its answers are kept, and a second run asks for nothing twice. With
    --calibrate texts whose verdict is known are suggested, each without its own verdict. The exit code is 3 where a
    model left texts without an answer.

    \b
    Examples:
      assay suggest de-en assay-demo/*.tsv
      assay suggest de-en assay-demo/*.tsv --calibrate
      assay suggest de-en outputs/*.txt --suggester openai:model=qwen3,base_url=http://localhost:8000/v1 -o hints.tsv
    """
    from assay.outputs import check_output
    from assay.suggest.llm import load_suggester
    from assay.suggest.run import Run
    from assay.translate import Limits

    check_output(inputs, choices["output"])
    limits = Limits(max_requests=max_requests, max_cost=max_cost)
    run = Run(load_suggester(suggester, inputs.load_suite().langpair), journal, limits, send_held_out)
    if calibrate:
        _calibrate(inputs, run, dry_run=dry_run, **choices)
    else:
        _suggest(inputs, run, dry_run=dry_run, **choices)


def _suggest(inputs: "Inputs", run: "Run", *, dry_run: bool, output: Path | None, **choices: Any) -> None:
    from assay.suggest.run import waiting
    from assay.suggest.suggestion_file import Suggested, check_suggestions_path, write_suggestions

    for name in ("on", "judgements", "sample", "format"):
        if choices.pop(name):
            raise BadOption(f"--{name} is for --calibrate")
    choices.pop("seed")
    if output is not None:
        check_suggestions_path(output)
    texts = waiting(inputs, **choices)
    if dry_run:
        _show_plan(texts.questions, run)
        return
    answers = _answer(texts.questions, run)
    lines = [Suggested(task, suggestion) for task, suggestion in zip(texts.tasks, answers.suggestions, strict=True)]
    suggested = sum(line.suggestion is not None for line in lines)
    if output is None:
        _show(lines)
    else:
        write_suggestions(lines, output)
    if output != STDOUT:
        where = f"{output}: " if output else ""
        click.echo(f"{where}{suggested:,} of {plural(len(lines), 'text')} suggested by {run.suggester.name}")
    _finish(answers, run)


def _calibrate(
    inputs: "Inputs",
    run: "Run",
    *,
    dry_run: bool,
    output: Path | None,
    format: str | None,
    systems: Sequence[str],
    exclude: Sequence[str],
    **choices: Any,
) -> None:
    from assay.reports.files import report_format
    from assay.suggest.calibration_report import headline, render
    from assay.suggest.exam import ExamTexts, exam, measure

    if choices["limit"]:
        raise BadOption("--limit is for suggestions; use --sample with --calibrate")
    chosen = report_format(format, output, "calibration")
    sample = ExamTexts(choices["on"], choices["sample"], choices["seed"], choices["judgements"])
    texts = exam(inputs, sample, systems=systems, exclude=exclude)
    if dry_run:
        _show_plan(texts.questions, run)
        return
    answers = _answer(texts.questions, run)
    calibration = measure(texts, answers, run.suggester)
    if texts.new and run.suggester.is_local:
        new = measure(texts.new, _answer(texts.new.questions, run), run.suggester)
        calibration = replace(calibration, new=new)
    width, ansi = look(output)
    text = render(calibration, chosen, width=width, ansi=ansi)
    deliver(text, output, headline(calibration))
    _finish(answers, run)


def _answer(questions: Sequence["Question"], run: "Run") -> "Answers":
    from assay.suggest.run import answer

    with terminal.progress(run.suggester.name, len(questions)) as progress:
        return answer(questions, replace(run, progress=progress))


def _show(lines: Sequence["Suggested"]) -> None:
    """Text, suggestion and reason under the source of each item."""
    before = None
    for line in lines:
        task, found = line.task, line.suggestion
        if task.item.id != before:
            click.echo(f"{task.item.id}  {task.item.source}")
            before = task.item.id
        said = "–" if found is None else f"{found.verdict} {found.confidence:.2f}"
        styled = terminal.styled(said, VERDICT_STYLES[str(found.verdict)]) if found else said
        click.echo(f"  {styled}{' ' * (9 - len(said))}  {task.text}")
        if found and found.reason:
            click.echo(f"             {found.reason}")


def _show_plan(questions: Sequence["Question"], run: "Run") -> None:
    from assay.suggest.run import held_back, plan

    found = plan(questions, run)
    if found is None:
        click.echo(f"{run.suggester.name}: {plural(len(questions), 'text')}, nobody is asked")
        return
    estimate = found.estimate
    tokens, cost = estimate.tokens, estimate.cost
    parts = [plural(found.sentences, "text") + " to ask for", plural(estimate.characters, "character")]
    parts += ["tokens –" if tokens is None else f"about {plural(tokens, 'token')}"]
    parts += [plural(found.requests, "request"), "cost –" if cost is None else f"cost about {cost:.4g}"]
    click.echo(f"{run.suggester.name}: {', '.join(parts)}")
    click.echo("  the texts " + ("leave this machine" if found.leaves else "stay on this machine"))
    _show_held_back(held_back(questions, run))


def _finish(answers: "Answers", run: "Run") -> None:
    """What there is to say about asking, on standard error; exit code 3 where answers are missing."""
    _show_held_back(answers.held_back)
    collected = answers.collected
    if collected is None:
        return
    reused = f", {answers.reused:,} answers known from before" if answers.reused else ""
    cost = f", cost {collected.cost:.4g}" if collected.cost is not None else ""
    click.echo(f"{run.suggester.name}: {plural(collected.requests, 'request')}{cost}{reused}", err=True)
    if collected.reason:
        click.echo(f"assay: {run.suggester.name}: {collected.reason}", err=True)
    for reason in list(dict.fromkeys(collected.failures.values()))[:3]:
        click.echo(f"assay: {run.suggester.name}: no answer: {reason}", err=True)
    if collected.stop == "interrupted":
        raise KeyboardInterrupt
    if collected.answered < collected.asked:
        click.get_current_context().exit(INCOMPLETE)


def _show_held_back(number: int) -> None:
    if number:
        click.echo(f"  {plural(number, 'text')} of held-out items not sent; add --send-held-out to send them", err=True)
