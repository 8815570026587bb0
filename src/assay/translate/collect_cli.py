"""`assay collect …`: sources for participants, and what they hand in."""

from pathlib import Path
from typing import Any

import click

from assay.cli.options import PATH, format_option, output_option, suite_argument
from assay.text import plural

submissions_argument = click.argument("submissions", metavar="SUBMISSION...", nargs=-1, required=True)
map_option = click.option(
    "--map",
    "map_file",
    metavar="FILE",
    type=PATH,
    help="The map of assay collect sources. [default: the suite's own order and ids]",
)


@click.group()
def collect() -> None:
    """Send sources to participants, check what comes back, and take it as outputs."""


@collect.command()
@suite_argument
@output_option("FILE", "The file for participants: .txt, .xml (WMT) or .jsonl (WMT25).", required=True)
@click.option("--decoys", metavar="FILE", type=PATH, help="Other sentences to mix in, a line each.")
@click.option("--decoy-share", type=float, metavar="S", help="The share of decoys in the file. [default: all of them]")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the order and of the decoys drawn.")
@click.option("--map", "map_file", metavar="FILE", type=PATH, help="Where the map goes. [default: FILE.map.tsv]")
def sources(
    suite: str, output: Path, decoys: Path | None, decoy_share: float | None, seed: int, map_file: Path | None
) -> None:
    """Write the sources for participants, in random order and mixed with decoys.

    Every sentence stands once. The map says which line belongs to which item: keep it, and keep it to yourself.

    \b
    Examples:
      assay collect sources de-en -o sources.txt --decoys news.txt --decoy-share 0.5 --seed 26
      assay collect sources de-en -o sources.xml
    """
    from assay.suites import load_suite
    from assay.translate.participants import send, usual_map

    where = map_file or usual_map(output)
    sending = send(load_suite(suite), output, map_file=where, decoys=decoys, share=decoy_share, seed=seed)
    mixed = f", {sending.decoys:,} of them decoys" if sending.decoys else ""
    click.echo(f"{output}: {plural(len(sending.lines), 'source')}{mixed}")
    click.echo(f"{where}: the map; do not send it")


@collect.command()
@suite_argument
@submissions_argument
@map_option
@format_option("submission", help="[default: by the suffix of -o]")
@output_option("REPORT", "A file (.md, .html, .txt), or a folder for a report per participant.")
@click.pass_context
def check(
    ctx: click.Context,
    suite: str,
    submissions: tuple[str, ...],
    map_file: Path | None,
    format: Any,
    output: Path | None,
) -> None:
    """Check what participants handed in: number and order of lines, encoding, language, untranslated lines.

    SUBMISSION is a file as it came (NAME=FILE names the system): text parallel to the file that was sent, or the XML or
    JSONL that was sent with translations. Reports speak of lines only and can be sent to participants. The exit code is
    1 where something has to be repaired.

    \b
    Examples:
      assay collect check de-en Online-A.txt --map sources.map.tsv
      assay collect check de-en submissions/*.txt --map sources.map.tsv -o reports/
    """
    from assay.suites import load_suite
    from assay.translate.participants import check, write_reports
    from assay.translate.submission_page import headline, render

    reports = check(load_suite(suite), submissions, map_file=map_file)
    if output is None:
        click.echo("\n".join(render(report, format or "text") for report in reports), nl=False)
    else:
        files = write_reports(reports, output, format)
        for file, report in zip(files, reports, strict=True):
            click.echo(f"{file}: {headline(report)}")
    if any(report.wrong for report in reports):
        ctx.exit(1)


@collect.command()
@suite_argument
@submissions_argument
@map_option
@output_option("FOLDER", "The folder for outputs and campaign.yaml.", required=True)
@click.option("--campaign", metavar="NAME", default="", help="Name of the campaign. [default: the suite's name]")
@click.option("--force", is_flag=True, help="Replace outputs and a campaign file that were not collected here.")
def take(
    suite: str, submissions: tuple[str, ...], map_file: Path | None, output: Path, campaign: str, force: bool
) -> None:
    """Take submissions as outputs: decoys removed, in the order of the suite.

    FOLDER/campaign.yaml then stands for all of them: assay evaluate SUITE FOLDER/campaign.yaml. A submission with a
    wrong number of lines or a wrong encoding is refused, and nothing is written.

    \b
    Example:
      assay collect take de-en submissions/*.txt --map sources.map.tsv -o outputs/
    """
    from assay.suites import load_suite
    from assay.translate.participants import take

    loaded = load_suite(suite)
    written = take(loaded, submissions, output, map_file=map_file, campaign=campaign, force=force)
    for file, number in written.items():
        click.echo(f"{file}: {number:,} of {len(loaded):,} items")
    click.echo(f"evaluate with: assay evaluate {suite} {output / 'campaign.yaml'}")
