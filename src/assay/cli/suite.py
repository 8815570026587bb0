"""`assay suite …`: list suites, start them, add items, convert them, count their items, write their sources."""

from importlib import import_module
from pathlib import Path

import click

from assay.cli.options import PATH, aliases_option, force_option, lossy_option, output_option, suite_argument

HOMES = {"export": "assay.bridges.cli"}
"""Commands of the group that features have. They are named, not imported: the command line knows no feature."""


class SuiteGroup(click.Group):
    """The commands of the core, and those of features."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted((*super().list_commands(ctx), *HOMES))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in HOMES:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(HOMES[cmd_name]), cmd_name)
        return command


@click.group(cls=SuiteGroup)
def suite() -> None:
    """Start suites, add items, convert them, write their sources."""


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
@click.argument("langpair", metavar="LANGPAIR")
@click.argument("folder", metavar="FOLDER", type=PATH)
def new(langpair: str, folder: Path) -> None:
    """Start a suite: a folder with two worked items, comments that explain them, and a workflow for GitHub.

    LANGPAIR is source and target: en-fr, it-de_CH, eng_Latn-zho_Hans. Nothing is asked, and no folder that has
    something in it is touched.

    \b
    Example:
      assay suite new en-fr my-suite/
    """
    from assay.suites.skeleton import write_skeleton

    made = write_skeleton(langpair, folder)
    click.echo(f"{folder}: {len(made)} worked items to be replaced; check them: assay lint {folder}")


@suite.command()
@click.argument("folder", metavar="[FOLDER]", type=PATH, default=".")
@click.option("--source", metavar="TEXT", required=True, help="The sentence to translate.")
@click.option("--phenomenon", metavar="NAME", required=True, help="What it is an example of.")
@click.option("--category", metavar="NAME", default="", help="[default: the one that has the phenomenon]")
@click.option("--new", "description", metavar="TEXT", help="Enter the phenomenon in suite.yaml, with this description.")
@click.option("--id", "item_id", metavar="ID", default="", help="[default: one like those of its neighbours]")
@click.option("--prompt", metavar="TEXT", help="What language models are told. [default: the file's or suite's]")
@click.option("--context", metavar="TEXT", help="What stands around the sentence. [default: the file's or suite's]")
@click.option("--tests", metavar="TEXT", default="", help="What the item tests, in a sentence.")
@click.option(
    "--pass", "passing", metavar="REGEX", multiple=True, help="A rule for right translations. May be repeated."
)
@click.option("--fail", "failing", metavar="REGEX", multiple=True, help="A rule for wrong ones. May be repeated.")
@click.option("--pass-example", metavar="TEXT", multiple=True, help="A right translation, to test the rules with.")
@click.option("--fail-example", metavar="TEXT", multiple=True, help="A wrong one. Both may be repeated.")
def add(
    folder: Path,
    source: str,
    phenomenon: str,
    category: str,
    description: str | None,
    item_id: str,
    prompt: str | None,
    context: str | None,
    tests: str,
    passing: tuple[str, ...],
    failing: tuple[str, ...],
    pass_example: tuple[str, ...],
    fail_example: tuple[str, ...],
) -> None:
    """Add an item to a native suite: to the file of its phenomenon, behind the others, with all comments kept.

    FOLDER is the suite's, by default the one you are in. An item with a rule that does not compile or that misjudges
    an example is refused; what it still lacks is listed.

    \b
    Examples:
      assay suite add --phenomenon Idiom --source 'Das ist mir Wurst.' --pass "don't care" --fail sausage
      assay suite add my-suite/ --category Negation --phenomenon 'Double negation' \\
        --new 'Two negations that stand for one.' --source 'Er hat nie nichts gesagt.'
    """
    from assay.errors import BadOption
    from assay.suites import Examples
    from assay.suites.addition import ItemDraft, prepare
    from assay.verdicts.lint import lint

    draft = ItemDraft(
        source,
        phenomenon,
        category,
        item_id,
        tests,
        passing,
        failing,
        Examples(pass_example, fail_example),
        prompt,
        context,
    )
    added = prepare(folder, draft, description=description)
    problems = [problem for problem in lint(added.suite) if problem.item == added.item.id]
    for problem in problems:
        if problem.level == "error":
            raise BadOption(f"not added: {problem.message} [{problem.code}]")
    added.write()
    click.echo(f"{added.item.place}: {added.item.id} added")
    for problem in problems:
        click.echo(f"  {problem.level}: {problem.message} [{problem.code}]")
    if missing := added.missing():
        click.echo(f"  still missing: {'; '.join(missing)}")


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
