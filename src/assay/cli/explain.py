"""`assay explain`: why an output was judged as it was."""

from pathlib import Path

import click

from assay.cli.options import (
    aliases_option,
    campaign_option,
    outputs_argument,
    outputs_of,
    source_option,
    suite_argument,
)


@click.command()
@suite_argument
@outputs_argument
@click.option("-i", "--item", metavar="ID", required=True, help="The item to explain.")
@source_option
@campaign_option
@aliases_option
def explain(
    suite: str,
    outputs: tuple[str, ...],
    item: str,
    source: str | None,
    campaign: str,
    aliases: Path | None,
) -> None:
    """Show why one item's outputs pass, fail or stay warnings, with the matched words marked.

    \b
    Example:
      assay explain de-en careful.tsv literal.tsv --item lexical-ambiguity/schloss-1
    """
    from assay.cli import screen
    from assay.model import normalise
    from assay.rules.matching import matches
    from assay.workbench.evaluating import Inputs
    from assay.workbench.judging import explain as explained

    files, name = outputs_of(outputs, campaign)
    lines = explained(Inputs(suite, files, source, name, aliases), item)
    about = lines[0].item
    click.echo(screen.styled(about.source, "1"))
    click.echo(f"{about.category} › {about.phenomenon}" + (f": {about.tests}" if about.tests else ""))
    for line in lines:
        verdict, reason = str(line.finding.verdict), line.finding.reason
        text = normalise(line.text)
        head = screen.styled(verdict.upper(), screen.VERDICT_STYLES[verdict])
        click.echo(f"\n{head}  {line.system.name}" + (f"  ({reason})" if reason else ""))
        found, slow = matches(about.rules, text)
        if not found:
            click.echo(f"  {text or '(no output)'}")
        for evidence in found:
            click.echo(f"  {screen.mark(text, evidence.start, evidence.end)}")
            note = f"  ({evidence.rule.note})" if evidence.rule.note else ""
            click.echo(f"    {evidence.rule}{note}")
        for rule in slow:
            click.echo(f"    {rule}  ran past its time limit")
