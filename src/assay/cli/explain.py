"""`assay explain`: why an output was judged as it was."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import click

from assay.ansi import VERDICT_STYLES
from assay.cli.options import inputs_options, phenomenon_option, split_names, systems_option
from assay.text import visible

if TYPE_CHECKING:
    from assay.outputs import Inputs
    from assay.suites import Rule
    from assay.verdicts import Judged


@click.command()
@inputs_options()
@click.option("-i", "--item", "items", metavar="ID", multiple=True, help="An item to explain; may stand several times.")
@phenomenon_option
@click.option(
    "--verdict", type=click.Choice(["fail", "pass", "warning"]), help="Only outputs with this verdict, of any item."
)
@systems_option
@click.option("--limit", type=click.IntRange(min=0), default=0, metavar="N", help="Stop after so many items.")
def explain(
    inputs: "Inputs",
    items: tuple[str, ...],
    phenomenon: str | None,
    verdict: str | None,
    systems: tuple[str, ...],
    limit: int,
) -> None:
    """Show why outputs pass, fail or stay warnings, with the matched words marked.

    The rule that decided stands first; other rules that match are listed below it.

    \b
    Examples:
      assay explain de-en assay-demo/*.tsv --item lexical-ambiguity/strauss
      assay explain de-en assay-demo/*.tsv --phenomenon Idiom
      assay explain de-en assay-demo/*.tsv --verdict warning --systems careful --limit 5
    """
    from assay.verdicts.explain import explain_items

    found = explain_items(inputs, items, phenomenon, verdict=verdict, systems=split_names(systems))
    number = 0
    for number, lines in enumerate(islice(found, limit or None), start=1):
        if number > 1:
            click.echo("\n" + "─" * 60)
        click.echo("\n".join(_explained(lines)))
    if not number:
        click.echo("no such outputs", err=True)


def _explained(lines: list["Judged"]) -> Iterator[str]:
    from assay.cli import terminal
    from assay.suites.prompts import PROMPT_KEYS

    about = lines[0].item
    yield terminal.styled(visible(about.source), "1")
    yield visible(f"{about.category} › {about.phenomenon}, {about.id}" + (f": {about.tests}" if about.tests else ""))
    for name in (*PROMPT_KEYS, "rubric"):
        for place, told in enumerate(getattr(about, name).strip().splitlines()):
            yield f"{'' if place else name + ':':8} {visible(told)}".rstrip()
    if about.group:
        together = "right only together" if about.independent else "one observation"
        yield f"group:   {visible(about.group)} ({together})"
    for line in lines:
        verdict, reason = str(line.finding.verdict), line.finding.reason
        head = terminal.styled(verdict.upper(), VERDICT_STYLES[verdict])
        yield f"\n{head}  {visible(line.system.name)}" + (f"  ({reason})" if reason else "")
        yield from _evidence(line)
        yield from _label(line)


def _label(line: "Judged") -> Iterator[str]:
    """Which rendering the text has, where the item asks that."""
    if line.item.labels:
        from assay.verdicts.label_judge import LabelJudge

        found = LabelJudge([line.item]).judge(line.item, line.text)
        yield visible(f"    label: {found.name or f'none ({found.reason})'}")


def _evidence(line: "Judged") -> Iterator[str]:
    from assay.cli import terminal
    from assay.text import normalise
    from assay.verdicts import matches

    text = normalise(line.text)
    if not line.finding.evidence:
        yield f"  {visible(text) or '(no output)'}"
    for evidence in line.finding.evidence:
        # A rule that ran out of time has no span.
        yield f"  {terminal.mark(text, evidence.start, evidence.end) if evidence.end else visible(text)}"
        slow = "  ran past its time limit" if line.finding.reason == "timeout" else ""
        yield f"    {described(evidence.rule)}{slow}"
    # Judging stops at the first match of a polarity; whoever edits the rules wants to see the others too.
    decided = [evidence.rule for evidence in line.finding.evidence]
    others, _ = matches(line.item.rules, text)
    for evidence in others:
        if evidence.rule not in decided:
            yield f"    also matches, without effect: {described(evidence.rule)}"


def described(rule: "Rule") -> str:
    """A rule with its note and, for a judgement, who made it and when."""
    judged = f"  judged by {rule.by}" + (f", {rule.on}" if rule.on else "") if rule.by else ""
    return visible(f"{rule}{judged}" + (f"  ({rule.note})" if rule.note else ""))
