"""`assay suite …`: list suites, start them, add items, convert them, count their items, write and hand in sources."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.options import (
    PATH,
    aliases_option,
    force_option,
    lossy_option,
    output_option,
    suite_argument,
    tier_option,
)

if TYPE_CHECKING:
    from assay.outputs.wmt_suite import Year
    from assay.outputs.wmt_suite_check import HandInProblem
    from assay.suites import Tier

year_option = click.option(
    "--for",
    "year",
    type=click.Choice(["wmt24", "wmt25", "wmt26"]),
    required=True,
    help="The campaign whose format it is: text (2024, 2025), or JSONL with prompts (2026).",
)

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
    """Start suites, add items, convert them, write their sources, hand them in."""


@suite.command("list")
def list_suites() -> None:
    """List the bundled suites; every command takes their names."""
    from assay.suites import bundled, bundled_outputs, load_suite

    for name in bundled():
        loaded = load_suite(name)
        outputs = len(bundled_outputs(name))
        more = f", outputs of {outputs} demo systems" if outputs else ""
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
@tier_option
@output_option("FILE", "Text (a line per item), .tsv with ids, .xml (WMT) or .jsonl (WMT25).")
def sources(suite: str, tier: "Tier | None", output: Path | None) -> None:
    """Write the source sentences to be translated, in suite order; without -o to the terminal.

    \b
    Example:
      assay suite sources de-en -o sources.txt
    """
    from assay.outputs.sources import source_line, write_sources
    from assay.suites import load_suite

    whole = load_suite(suite)
    loaded = (whole.of_tier(tier) if tier else whole).asked
    if output is None:
        for item in loaded:
            click.echo(source_line(item.source))
    else:
        write_sources(loaded, output)
        click.echo(f"{output}: {len(loaded):,} sources")


@suite.command()
@suite_argument
@year_option
@output_option("FILE", "The file to hand in: .txt (2024, 2025) or .jsonl (2026).", required=True)
@click.option("--decoys", metavar="FILE", type=PATH, help="Other sentences to mix in, a line each.")
@click.option("--decoy-share", type=float, metavar="S", help="The share of decoys in the file. [default: all of them]")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the order and of the decoys drawn.")
def submit(suite: str, year: "Year", output: Path, decoys: Path | None, decoy_share: float | None, seed: int) -> None:
    """Write what WMT's organisers take, and FILE.map.json, which leads back from the outputs to the items.

    Equal sources (in 2026: with equal prompts) stand once. Text has a paragraph a line: items of several lines are
    split, and put together again by the map. Without --decoys the order is that of the suite. The file is checked as
    by suite check. Keep the map, and keep it to yourself.

    \b
    Examples:
      assay suite submit legal-it-de_CH/ --for wmt26 -o legal.jsonl
      assay suite submit de-en --for wmt25 -o sources.txt --decoys news.txt --decoy-share 0.3
    """
    from assay.outputs.wmt_suite import hand_in
    from assay.outputs.wmt_suite_check import check_hand_in
    from assay.suites import load_suite
    from assay.text import plural

    loaded = load_suite(suite)
    handed_in = hand_in(loaded, output, year, decoys=decoys, share=decoy_share, seed=seed)
    sent = handed_in.sent
    mixed = f", {sent.decoys:,} of them decoys" if sent.decoys else ""
    click.echo(f"{output}: {plural(len(sent.lines), 'text')} for {plural(len(loaded), 'item')}{mixed}")
    for note in handed_in.notes:
        click.echo(f"  {note}")
    click.echo(f"{handed_in.map_file}: the map; do not send it")
    if problems := check_hand_in(output, year).problems:
        kinds = ", ".join(dict.fromkeys(problem.kind for problem in problems))
        click.echo(f"look at these before you send it: {kinds} (assay suite check {output} --for {year})")


@suite.command()
@click.argument("file", metavar="FILE", type=PATH)
@year_option
@click.option("--longest", type=click.IntRange(min=1), metavar="N", help="Characters of a source. [default: 4000]")
@click.option("--all", "show_all", is_flag=True, help="Show all places.")
@click.pass_context
def check(ctx: click.Context, file: Path, year: "Year", longest: int | None, show_all: bool) -> None:
    """Say what would go wrong with a file that is handed in to WMT, before anybody translates it.

    It looks for byte order marks, bare carriage returns, quotes and broken cells of CSV, empty, duplicate and long
    sources, lines that will be split, control and zero-width characters; in JSONL also for missing prompts, ids and
    target languages. The exit code is 1 where something was found.

    \b
    Examples:
      assay suite check sources.txt --for wmt25
      assay suite check legal.jsonl --for wmt26 --all
    """
    from assay.outputs.wmt_suite_check import LONGEST, check_hand_in
    from assay.text import plural

    report = check_hand_in(file, year, longest=LONGEST if longest is None else longest)
    what = f"{file}: {plural(report.sources, 'source')} for {year}"
    if not report.problems:
        click.echo(f"{what}, nothing found")
        return
    click.echo(f"{what}, {plural(len(report.problems), 'kind')} of problem")
    for problem in report.problems:
        click.echo(f"\n{_paragraph(problem, show_all)}")
    ctx.exit(1)


_PLACES = 8
"""Places of a kind that are shown without --all; lines that follow each other are one."""


def _paragraph(problem: "HandInProblem", show_all: bool) -> str:
    from assay.cli import terminal

    runs: list[list[int]] = []
    for line in problem.lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1][1:] = [line]
        else:
            runs.append([line])
    shown = runs if show_all else runs[:_PLACES]
    places = ", ".join("–".join(f"{line:,}" for line in run) for run in shown)
    if len(shown) < len(runs):
        left = sum(run[-1] - run[0] + 1 for run in runs[_PLACES:])
        places += f" and {left:,} more (--all)"
    noun = "line" if len(problem.lines) == 1 else "lines"
    text = f"{problem.kind} ({noun} {places}): {problem.message}."
    width = terminal.width()
    return click.wrap_text(text, width) if width else text


@suite.command()
@suite_argument
@output_option("SUITE", "A folder (native), .json (DFKI items), .tsv or .csv (older DFKI samples).", required=True)
@aliases_option
@lossy_option
@force_option
@click.option("--langpair", metavar="PAIR", help="Of a blind set (.jsonl) or text: the texts of its target language.")
@click.option("--prompts", metavar="TEXT", default="", help="Of a blind set: texts that have this in their prompts.")
@click.option("--repair", is_flag=True, help="Of text: take it apart at carriage returns, without quotes of CSV.")
def convert(
    suite: str,
    output: Path,
    aliases: Path | None,
    lossy: bool,
    force: bool,
    langpair: str | None,
    prompts: str,
    repair: bool,
) -> None:
    """Convert a suite to another format; the target's name tells which.

    A poorer format lists what it cannot hold and needs --lossy. A blind set of WMT (.jsonl), or text with a source a
    line, becomes a suite without rules, all of whose items are of one phenomenon, to go on with.

    \b
    Examples:
      assay suite convert items.de-en.json -o de-en-dfki/
      assay suite convert de-en -o items.json --lossy
      assay suite convert blind.jsonl.gz --langpair it-de_CH -o legal/
    """
    from assay.errors import BadOption
    from assay.files import suffix
    from assay.outputs import Inputs

    # The command has the name of the use case.
    from assay.outputs import convert as converted
    from assay.outputs.raw_suite import SUFFIXES

    if suffix(Path(suite)) in SUFFIXES:
        if langpair is None:
            raise BadOption(f"{suite} does not say its languages; name them: --langpair it-de_CH")
        if aliases is not None:
            raise BadOption(f"{suite} has no categories that could be renamed; leave --aliases out")
        _convert_sources(Path(suite), langpair, prompts, repair, output, lossy=lossy, force=force)
        return
    if langpair is not None or prompts or repair:
        raise BadOption(f"{suite}: --langpair, --prompts and --repair are for blind sets (.jsonl) and text (.txt)")
    written, missing = converted(Inputs(suite, [], aliases=aliases), output, lossy=lossy, force=force)
    click.echo(f"{output}: {len(written):,} items")
    for loss in missing:
        click.echo(f"  left out or changed: {loss}")


def _convert_sources(
    path: Path, langpair: str, prompts: str, repair: bool, output: Path, *, lossy: bool, force: bool
) -> None:
    from assay.outputs.raw_suite import read_raw_suite
    from assay.outputs.repairs import Repairs
    from assay.suites import save_suite
    from assay.text import plural

    repairs = Repairs() if repair else None
    made = read_raw_suite(path, langpair, prompts=prompts, repairs=repairs)
    save_suite(made, output, lossy=lossy, force=force)
    click.echo(f"{output}: {plural(len(made), 'item')} without rules")
    for line in repairs.done if repairs else ():
        click.echo(f"assay: repaired {line}", err=True)


@suite.command()
@suite_argument
@aliases_option
@tier_option
def stats(suite: str, aliases: Path | None, tier: "Tier | None") -> None:
    """Count items and rules per category and phenomenon.

    \b
    Example:
      assay suite stats de-en
    """
    from assay.cli import terminal
    from assay.outputs import Inputs
    from assay.reports import render_table
    from assay.reports.suite_stats import suite_table

    table = suite_table(Inputs(suite, [], aliases=aliases, tier=tier).load_suite())
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
