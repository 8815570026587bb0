"""`assay suite …`: list suites, convert them, count their items, write their sources."""

from pathlib import Path

import click

from assay.cli.options import aliases_option, force_option, lossy_option, output_option, suite_argument


@click.group()
def suite() -> None:
    """Look at suites, convert them, write their sources."""


@suite.command("list")
def list_suites() -> None:
    """List the bundled suites; every command takes their names."""
    from assay.suites import bundled, bundled_outputs, load_suite

    for name in bundled():
        loaded = load_suite(name)
        outputs = len(bundled_outputs(name))
        more = f", outputs of {outputs} made-up systems" if outputs else ""
        size = f"{len(loaded):,} items, {len(loaded.phenomena)} phenomena"
        click.echo(f"{name}  {loaded.version}  {size}, {loaded.licence}{more}")


@suite.command()
@suite_argument
@output_option("FILE", "Text (a line per item), .tsv with ids, .xml (WMT) or .jsonl (WMT25).")
def sources(suite: str, output: Path | None) -> None:
    """Write the source sentences to be translated, in suite order; without -o to the terminal.

    \b
    Example:
      assay suite sources de-en -o sources.txt
    """
    from assay.outputs.sources import source_line, write_sources
    from assay.suites import load_suite

    loaded = load_suite(suite)
    if output is None:
        for item in loaded:
            click.echo(source_line(item.source))
    else:
        write_sources(loaded, output)
        click.echo(f"{output}: {len(loaded):,} sources")


@suite.command()
@suite_argument
@output_option("SUITE", "A folder (native), .json (DFKI items), .tsv or .csv (older DFKI samples).", required=True)
@aliases_option
@lossy_option
@force_option
def convert(suite: str, output: Path, aliases: Path | None, lossy: bool, force: bool) -> None:
    """Convert a suite to another format; the target's name tells which.

    A poorer format lists what it cannot hold and needs --lossy.

    \b
    Examples:
      assay suite convert items.de-en.json -o de-en-dfki/
      assay suite convert de-en -o items.json --lossy
    """
    from assay.outputs import Inputs

    # The command has the name of the use case.
    from assay.outputs import convert as converted

    written, missing = converted(Inputs(suite, [], aliases=aliases), output, lossy=lossy, force=force)
    click.echo(f"{output}: {len(written):,} items")
    for loss in missing:
        click.echo(f"  left out or changed: {loss}")


@suite.command()
@suite_argument
@aliases_option
def stats(suite: str, aliases: Path | None) -> None:
    """Count items and rules per category and phenomenon.

    \b
    Example:
      assay suite stats de-en
    """
    from assay.cli import terminal
    from assay.outputs import Inputs
    from assay.reports import render_table
    from assay.reports.suite_stats import suite_table

    table = suite_table(Inputs(suite, [], aliases=aliases).load_suite())
    click.echo(render_table(table, width=terminal.width(), ansi=terminal.has_style()), nl=False)


@suite.command()
@click.argument("name", type=click.Choice(["suite", "items", "campaign", "evaluation"]))
def schema(name: str) -> None:
    """Print the JSON Schema of suite.yaml, of items, of campaign files or of evaluate's JSON.

    \b
    Example:
      assay suite schema items
    """
    from assay.suites import SCHEMAS

    click.echo((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"), nl=False)
