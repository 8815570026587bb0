"""`assay contrasts …`: structural tests on parsed and aligned sentences."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from assay.ansi import marks
from assay.cli import terminal
from assay.cli.options import (
    PATH,
    STDOUT,
    F,
    by_option,
    executor_options,
    format_option,
    keep_all_option,
    output_option,
    statistics_options,
)
from assay.cli.results import check_output_file, look
from assay.errors import BadOption
from assay.text import plural

if TYPE_CHECKING:
    from assay.contrasts.contrast_run import ContrastRun
    from assay.contrasts.run import ContrastInputs
    from assay.contrasts.tree_view import SentencePair
    from assay.parallel import Workers


def _cache_folder(ctx: click.Context, parameter: click.Parameter, value: Path | None) -> Path:
    """The folder of the cache; by default the user's own."""
    from assay.contrasts.cache import default_folder

    return value or default_folder()


contrasts_argument = click.argument("name", metavar="CONTRASTS")
cache_option = click.option(
    "--cache",
    metavar="FOLDER",
    type=PATH,
    callback=_cache_folder,
    help="Where trees and links are kept. [default: the user's cache folder]",
)
any_language_option = click.option("--any-language", is_flag=True, help="Take a parser for another language.")
replace_option = click.option("--force", is_flag=True, help="Replace a folder that this command wrote before.")


def tools_options(*, required: bool) -> Callable[[F], F]:
    """`--source-parser`, `--target-parser`, `--aligner`, `--reference`, `--cache`, `--any-language`, executor."""
    options = [
        click.option(
            "--reference", "references", metavar="[NAME=]FILE", multiple=True, help="A reference: one more system."
        ),
        click.option(
            "--source-parser",
            metavar="PARSER",
            required=required,
            help="udpipe:FILE, spacy:MODEL, natasha, or conllu:FILE with trees made elsewhere.",
        ),
        click.option(
            "--target-parser",
            metavar="PARSER",
            required=required,
            help="The same for translations; {system} in it stands for the system's name.",
        ),
        click.option(
            "--aligner",
            metavar="ALIGNER",
            required=required,
            help="eflomal, systran, or pharaoh:FILE with links made elsewhere; {system} as above.",
        ),
        cache_option,
        executor_options(every_core=True),
        any_language_option,
    ]

    def decorate(function: F) -> F:
        # Decorators apply from the bottom up: reversed, so that the help lists them as above.
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _pairs(values: tuple[str, ...]) -> dict[str, Path]:
    """`--subset refined=ids.txt` -> {"refined": ids.txt}."""
    found: dict[str, Path] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or not name or not path:
            raise BadOption(f"--subset {value!r} is not NAME=FILE")
        # `all` is the name under which reports have the whole set of keywords.
        if name in found or name == "all":
            raise BadOption(f"--subset {name!r} is there already; choose another name")
        found[name] = Path(path)
    return found


@click.group()
def contrasts() -> None:
    """Structural tests: find a construction in the source tree, follow the word links, look at the target tree."""


source_option = click.option(
    "-s", "--source", metavar="FILE", type=PATH, required=True, help="The source, a sentence in each line."
)
figures_option = click.option(
    "--figures", metavar="FOLDER", type=PATH, help="Draw the bars into this folder (SVG, PNG, PDF)."
)
learn_option = click.option(
    "--learn",
    metavar="FILE",
    type=PATH,
    help="Also write what the aligner learns from all systems: eflomal:priors=FILE and systran:model=FILE take it.",
)
realign_option = click.option(
    "--realign", is_flag=True, help="Align pairs again whose links are in the cache; eflomal's differ from run to run."
)
renderings_option = click.option(
    "--renderings", metavar="FILE", type=PATH, help="Also write a line per keyword and translation (TSV), for review."
)
groups_option = click.option(
    "--group", "groups", metavar="NAME=SYSTEM,…", multiple=True, help="Systems that also have a row together."
)


def _groups(values: tuple[str, ...]) -> dict[str, list[str]]:
    """`--group LLM=GPT-4,Claude` -> {"LLM": ["GPT-4", "Claude"]}."""
    found: dict[str, list[str]] = {}
    for value in values:
        name, equals, systems = value.partition("=")
        members = [system.strip() for system in systems.split(",") if system.strip()]
        if not equals or not name or not members:
            raise BadOption(f"--group {value!r} is not NAME=SYSTEM,SYSTEM")
        if name in found:
            raise BadOption(f"--group {name!r} is there already; choose another name")
        found[name] = members
    return found


@contrasts.command()
@contrasts_argument
@click.argument("outputs", metavar="OUTPUT...", nargs=-1)
@source_option
@tools_options(required=True)
@groups_option
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of intervals and tests.")
@format_option("profile")
@output_option("FILE", "Write there instead of the terminal.")
@figures_option
@learn_option
@realign_option
@renderings_option
def profile(
    name: str,
    outputs: tuple[str, ...],
    source: Path,
    references: tuple[str, ...],
    source_parser: str,
    target_parser: str,
    aligner: str,
    cache: Path,
    workers: "Workers",
    any_language: bool,
    groups: tuple[str, ...],
    seed: int,
    format: str | None,
    output: Path | None,
    figures: Path | None,
    learn: Path | None,
    realign: bool,
    renderings: Path | None,
) -> None:
    """Describe translations beside people's: what becomes of a construction, how often, and who does otherwise.

    CONTRASTS is a bundled name (assay contrasts list) or a YAML file. OUTPUT is a text per system, parallel to the
    source (NAME=FILE names it). Give human translations with --reference, better two than one: how far they are from
    each other is the yardstick.

    \b
    Examples:
      assay contrasts profile en-cs --source src.en hyp.*.cs --reference ref.B.cs --reference ref.C.cs \\
          --source-parser udpipe:english.udpipe --target-parser udpipe:czech.udpipe --aligner eflomal -o profile.html
      assay contrasts profile en-cs --source src.en A.cs B.cs --reference ref.cs --group LLM=A,B \\
          --source-parser conllu:src.conllu --target-parser conllu:trees --aligner pharaoh:links
    """
    from assay.contrasts.annotations import ToolNames
    from assay.contrasts.run import ContrastInputs

    inputs = ContrastInputs(
        name,
        source,
        outputs,
        ToolNames(source_parser, target_parser, aligner),
        references=references,
        any_language=any_language,
        learn=learn,
        realign=realign,
    )
    _profile(
        inputs,
        cache=cache,
        workers=workers,
        groups=_groups(groups),
        seed=seed,
        format=format,
        output=output,
        figures=figures,
        renderings=renderings,
    )


def _profile(
    inputs: "ContrastInputs",
    *,
    cache: Path,
    workers: "Workers",
    groups: dict[str, list[str]],
    seed: int,
    format: str | None,
    output: Path | None,
    figures: Path | None,
    renderings: Path | None,
) -> None:
    from assay.contrasts.files.renderings import write
    from assay.contrasts.profile_figures import profile_figures
    from assay.contrasts.profile_report import render
    from assay.contrasts.run import profile_contrasts
    from assay.contrasts.run_files import RunTargets
    from assay.reports.figures import write_figures
    from assay.reports.files import report_format, write_report

    if not inputs.outputs and not inputs.references:
        raise click.UsageError("no outputs given; name output files")
    chosen = report_format(format, output, "profile")
    check_output_file(chosen, output)
    RunTargets(output, renderings, learn=inputs.learn, figures=figures).check(inputs, force=False)
    found = profile_contrasts(
        inputs, cache=cache, workers=workers, open_progress=terminal.progress, groups=groups, seed=seed
    )
    width, ansi = look(output)
    content = render(found, chosen, width=width, ansi=ansi)
    if output is None:
        click.echo(content, nl=False)
    else:
        write_report(content, output)
        if output != STDOUT:
            click.echo(f"{output}: {plural(len(found.renderings.systems), 'translation')}")
    if renderings is not None:
        write(found.renderings, renderings)
        click.echo(
            f"{renderings}: read some of them: assay contrasts review {shlex.quote(str(renderings))} -n 50 -o sheet.tsv"
        )
    for path in write_figures(profile_figures(found), figures) if figures is not None else ():
        click.echo(path)


PUBLISHED_ONLY = (
    "expect",
    "subsets",
    "policy",
    "by",
    "test",
    "alpha",
    "correction",
    "draws",
    "verdicts",
    "export",
    "force",
)
"""Options of `run` that are about good and bad."""


@contrasts.command()
@contrasts_argument
@click.argument("outputs", metavar="OUTPUT...", nargs=-1)
@source_option
@tools_options(required=True)
@groups_option
@click.option(
    "--as-published",
    is_flag=True,
    help="Good, bad and unknown as in the WMT 2018 paper, instead of the profile. Bad is seldom a fault.",
)
@click.option(
    "--expect",
    metavar="WHO",
    default="source",
    show_default=True,
    help="Who says what is good: source (the contrasts' own rules), reference:NAME, or gold:TREES,LINKS.",
)
@click.option(
    "--subset",
    "subsets",
    metavar="NAME=FILE",
    multiple=True,
    help="Keywords to count apart: a list of ids (sentence:word) or sentences, or a refined suite folder.",
)
@click.option(
    "--policy",
    type=click.Choice(["own", "strict", "fair"]),
    default="own",
    show_default=True,
    help="What sorts and clusters: Good/(Good+Bad), Good/all, or what all systems have decided.",
)
@by_option("Rows to show: contrasts are phenomena. [default: phenomenon; both in csv]", default=None)
@statistics_options("ztest")
@keep_all_option
@format_option("contrasts")
@output_option("FILE", "Write there instead of the terminal.")
@click.option(
    "--verdicts", metavar="FILE", type=PATH, help="Also write a line per keyword and system (.tsv, .jsonl, .parquet)."
)
@click.option("--export", metavar="FOLDER", type=PATH, help="Also write a suite and outputs with these verdicts.")
@replace_option
@figures_option
@learn_option
@realign_option
@renderings_option
def run(
    name: str,
    outputs: tuple[str, ...],
    source: Path,
    references: tuple[str, ...],
    source_parser: str,
    target_parser: str,
    aligner: str,
    cache: Path,
    workers: "Workers",
    any_language: bool,
    groups: tuple[str, ...],
    as_published: bool,
    force: bool,
    expect: str,
    subsets: tuple[str, ...],
    by: Any,
    format: str | None,
    output: Path | None,
    verdicts: Path | None,
    export: Path | None,
    figures: Path | None,
    learn: Path | None,
    realign: bool,
    renderings: Path | None,
    **choices: Any,
) -> None:
    """Test translations with contrasts: their profile beside people's, or good, bad and unknown as published.

    CONTRASTS is a bundled name (assay contrasts list) or a YAML file. OUTPUT is a text per system, parallel to the
    source (NAME=FILE names it). Trees and links are kept in the cache, so that a second run only matches.

    \b
    Examples:
      assay contrasts run en-cs --source src.en hyp.*.cs --reference ref.cs --aligner eflomal \\
          --source-parser udpipe:english.udpipe --target-parser udpipe:czech.udpipe
      assay contrasts run en-cs --source src.en A.cs B.cs --source-parser conllu:src.conllu \\
          --target-parser conllu:trees --aligner pharaoh:links -o report.html
    """
    from assay.contrasts.annotations import ToolNames
    from assay.contrasts.run import ContrastInputs, run_contrasts
    from assay.contrasts.run_files import RunTargets
    from assay.reports.files import report_format
    from assay.verdicts.files import check_verdicts_path

    # A reference is one more system, and may be the only one.
    if not outputs and not references:
        raise click.UsageError("no outputs given; name output files")
    inputs = ContrastInputs(
        name,
        source,
        outputs,
        ToolNames(source_parser, target_parser, aligner),
        references=references,
        expect=expect,
        any_language=any_language,
        subsets=_pairs(subsets),
        learn=learn,
        realign=realign,
    )
    if not as_published:
        _check_profile_options(click.get_current_context())
        _profile(
            inputs,
            cache=cache,
            workers=workers,
            groups=_groups(groups),
            seed=choices["seed"],
            format=format,
            output=output,
            figures=figures,
            renderings=renderings,
        )
        return
    if groups or renderings:
        raise BadOption("--group and --renderings are for profiles; leave --as-published out")
    chosen = report_format(format, output, "contrasts")
    check_output_file(chosen, output)
    if verdicts is not None:
        check_verdicts_path(verdicts)
    # Before anything is parsed, which may take hours.
    RunTargets(output, verdicts, learn, export, figures).check(inputs, force=force)
    with terminal.progress("drawing", choices["draws"]) as progress:
        found = run_contrasts(
            inputs,
            cache=cache,
            workers=workers,
            open_progress=terminal.progress,
            progress=progress,
            **choices,
        )
        _write(found, chosen, by=by, output=output, verdicts=verdicts)
    _write_more(found, export=export, figures=figures, force=force)


def _check_profile_options(ctx: click.Context) -> None:
    """Refuse what has no effect on a profile, rather than ignore it."""
    for parameter in ctx.command.params:
        if parameter.name in PUBLISHED_ONLY and ctx.get_parameter_source(parameter.name) == ParameterSource.COMMANDLINE:
            raise BadOption(f"{parameter.opts[0]} is about good and bad: add --as-published")


def _write(found: "ContrastRun", format: Any, *, by: Any, output: Path | None, verdicts: Path | None) -> None:
    from assay.contrasts.report import render
    from assay.reports.files import write_results

    width, ansi = look(output)
    content = render(found, format, by=by, width=width, ansi=ansi)
    write_results(found.evaluation, report=(content, output) if output else None, verdicts=verdicts)
    if output is None:
        click.echo(content, nl=False)
    elif output != STDOUT:
        click.echo(f"{output}: {plural(len(found.systems), 'system')}, {len(found.evaluation.suite):,} keywords")


def _write_more(found: "ContrastRun", *, export: Path | None, figures: Path | None, force: bool) -> None:
    from assay.contrasts.run_files import export_run

    if figures is not None:
        from assay.contrasts.figures import contrast_figures
        from assay.reports.figures import write_figures

        for path in write_figures(contrast_figures(found), figures):
            click.echo(path)
    if export is not None:
        suite, campaign = export_run(found, export, force=force)
        click.echo(f"the same:  assay evaluate {shlex.quote(str(suite))} {shlex.quote(str(campaign))} --policy own")


@contrasts.command()
@contrasts_argument
@click.argument("sentence", metavar="SENTENCE")
@click.argument("outputs", metavar="[OUTPUT...]", nargs=-1)
@click.option("-s", "--source", metavar="FILE", type=PATH, help="The source that SENTENCE is a line of.")
@click.option("--translation", metavar="TEXT", default="", help="The translation of a SENTENCE that is typed in.")
@click.option("--system", "systems", metavar="NAME", multiple=True, help="Whose translation. [default: the first]")
@tools_options(required=False)
@click.option("--expect", metavar="WHO", default="source", show_default=True, help="As in run.")
@click.option("--pattern", metavar="YAML", help="Try a pattern: a file, -, or the YAML of a construction itself.")
@click.option("--features", is_flag=True, help="Also list the morphological features.")
@output_option("FILE", "Draw it there (.svg or .html) instead of the terminal.")
def show(
    name: str,
    sentence: str,
    outputs: tuple[str, ...],
    source: Path | None,
    translation: str,
    systems: tuple[str, ...],
    references: tuple[str, ...],
    source_parser: str | None,
    target_parser: str | None,
    aligner: str | None,
    cache: Path,
    workers: "Workers",
    any_language: bool,
    expect: str,
    pattern: str | None,
    features: bool,
    output: Path | None,
) -> None:
    """Show one sentence and its translation: both trees, the links, the keyword, and why the verdict is what it is.

    SENTENCE is a number, the id of a keyword (12:5) or a line of --source; without --source it is typed in. Give the
    same outputs, parsers and cache as to run, and its trees and links are looked up.

    \b
    Examples:
      assay contrasts show en-cs 12 --source src.en A.cs B.cs --system B --aligner eflomal \\
          --source-parser udpipe:english.udpipe --target-parser udpipe:czech.udpipe -o pair.svg
      assay contrasts show en-cs "She left, closing the door." --source-parser udpipe:english.udpipe \\
          --pattern "{any: [[{RIGHT_ID: kw, RIGHT_ATTRS: {TAG: VBG}}]]}"
    """
    from assay.contrasts.annotations import ToolNames
    from assay.contrasts.run import ContrastInputs
    from assay.contrasts.show import show_sentence, show_text
    from assay.files import check_targets

    if output is not None and output.suffix.lower() not in (".svg", ".html"):
        raise BadOption(f"{output}: a picture is written as .svg or .html")
    if source is None and (outputs or references):
        raise BadOption("outputs are parallel to a source; name it with --source")
    if source is not None and translation:
        raise BadOption("--translation is for a sentence that is typed in; leave --source out")
    tools = ToolNames(*_tools(source_parser, target_parser, aligner, both=bool(outputs or references or translation)))
    if source is None:
        pairs = show_text(
            name,
            sentence,
            tools,
            translation=translation,
            pattern=pattern,
            cache=cache,
            any_language=any_language,
        )
    else:
        inputs = ContrastInputs(
            name, source, outputs, tools, references=references, expect=expect, any_language=any_language
        )
        if output is not None:
            check_targets([output], inputs.files())
        pairs = show_sentence(
            inputs,
            sentence,
            systems=systems,
            pattern=pattern,
            cache=cache,
            workers=workers,
            open_progress=terminal.progress,
        )
    _draw(pairs, output, features=features)


def _tools(source: str | None, target: str | None, aligner: str | None, *, both: bool) -> tuple[str, str, str]:
    """The names of the tools, those that are not needed empty; a needed one that is missing is an error."""
    if source is None:
        raise BadOption("name a parser for the sentence with --source-parser")
    if both and (target is None or aligner is None):
        raise BadOption("translations need --target-parser and --aligner")
    return source, target or "", aligner or ""


def _draw(pairs: "Sequence[SentencePair]", output: Path | None, *, features: bool) -> None:
    from assay.contrasts.tree_view import html, svg
    from assay.contrasts.tree_view import terminal as pair_text
    from assay.reports.files import write_report

    if output is None:
        # Bold, where the terminal can show it.
        strong = marks(True) if terminal.has_style() else ("", "")
        click.echo("\n".join(pair_text(pair, features=features, strong=strong) for pair in pairs), nl=False)
    elif output.suffix.lower() == ".html":
        write_report(html(pairs), output)
    else:
        # An SVG is one drawing; a page can hold several.
        if len(pairs) > 1:
            places = ", ".join(sorted({f"{pair.keyword + 1}" for pair in pairs if pair.keyword is not None}))
            click.echo(f"the first of {len(pairs)} is drawn (keywords {places}); name one, or write .html", err=True)
        write_report(svg(pairs[0]), output)
    if output is not None and output != STDOUT:
        click.echo(output)


@contrasts.command()
@contrasts_argument
@click.argument("construction", metavar="NAME")
@click.argument("corpus", metavar="CORPUS", type=PATH)
@output_option("SUITE", "The folder to write.", required=True)
@click.option("--parser", metavar="PARSER", help="For a text: udpipe:FILE, spacy:MODEL, natasha.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Stop after so many.")
@cache_option
@executor_options(every_core=True)
@any_language_option
@replace_option
def find(
    name: str,
    construction: str,
    corpus: Path,
    output: Path,
    parser: str | None,
    limit: int | None,
    cache: Path,
    workers: "Workers",
    any_language: bool,
    force: bool,
) -> None:
    """Select sentences with a construction from a corpus and write them as a suite with the keyword marked.

    NAME is a construction, or a contrast (its instances by source rule). CORPUS is a text with a sentence in each line,
    or a CoNLL-U file. Refine the selection in the workbench, and give the suite to run as a --subset.

    \b
    Examples:
      assay contrasts find en-cs gerund newstest.en --parser udpipe:english.udpipe -o gerunds
      assay contrasts find en-cs control-subjunctive en_pud-ud-test.conllu --limit 100 -o aby
    """
    from assay.contrasts.run import find_sentences
    from assay.contrasts.run_files import SUITE, check_replaced
    from assay.suites import save_suite

    check_replaced(output, SUITE, force=force)
    suite = find_sentences(
        name,
        construction,
        corpus,
        parser=parser,
        limit=limit,
        cache=cache,
        workers=workers,
        open_progress=terminal.progress,
        any_language=any_language,
    )
    save_suite(suite, output, force=force)
    # Ids are sentence:word.
    sentences = len({item.id.partition(":")[0] for item in suite.items})
    click.echo(f"{output}: {plural(len(suite), 'keyword')} in {plural(sentences, 'sentence')}")


@contrasts.command()
@click.argument("renderings", metavar="RENDERINGS", type=PATH)
@click.option("-n", "--number", type=click.IntRange(1), metavar="N", help="Draw so many for a sheet.")
@click.option("--construction", metavar="NAME", default="", help="Only of this construction.")
@click.option("--rendering", metavar="NAME", default="", help="Only this rendering.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the draw.")
@output_option("SHEET", "The sheet to write (TSV).")
@click.option(
    "--read", "sheets", metavar="SHEET", type=PATH, multiple=True, help="A sheet that was filled in; one per reader."
)
def review(
    renderings: Path,
    number: int | None,
    construction: str,
    rendering: str,
    seed: int,
    output: Path | None,
    sheets: tuple[Path, ...],
) -> None:
    """Read some of what a profile found, blind, and see how far it can be trusted.

    RENDERINGS is what --renderings has written. With -n a random sample goes into a sheet that does not say whose
    translation it is; answer its three questions with y or n. With --read the shares of yes are printed with their
    intervals, and for two readers their agreement.

    \b
    Examples:
      assay contrasts review renderings.tsv -n 50 -o sheet.tsv
      assay contrasts review renderings.tsv --read sheet.tsv --read second-reader.tsv
    """
    from assay.contrasts.files.renderings import read
    from assay.contrasts.review import draw, write_sheet
    from assay.contrasts.review_report import review_text
    from assay.files import check_targets

    if bool(sheets) == (number is not None):
        raise BadOption("give -n and -o to draw a sheet, or --read to read one back")
    lines = read(renderings)
    if number is None:
        click.echo(review_text(lines, sheets), nl=False)
        return
    if output is None:
        raise BadOption("name the sheet to write with -o")
    check_targets([output], [renderings])
    write_sheet(lines, draw(lines, number=number, seed=seed, construction=construction, rendering=rendering), output)
    click.echo(f"{output}: {plural(number, 'rendering')} to read; back with: --read {shlex.quote(str(output))}")


@contrasts.command("list")
def list_() -> None:
    """List the bundled contrasts and what they test.

    \b
    Example:
      assay contrasts list
    """
    from assay.contrasts import bundled
    from assay.contrasts.files.definitions import read

    for name, path in bundled().items():
        found = read(path)
        click.echo(f"{name}: {found.name} {found.version} ({found.licence})")
        if found.description:
            click.echo(f"  {found.description}")
        width = max(map(len, found.contrasts))
        for contrast in found.contrasts.values():
            click.echo(f"  {contrast.name:{width}}  {contrast.tests}")


@contrasts.command()
@click.option("--fetch", metavar="NAME", help="Fetch an official UDPipe model.")
@click.option("--language", metavar="CODE", help="Only models for this language, such as cs.")
@output_option("FOLDER", "Where a fetched model goes. [default: this folder]")
def models(fetch: str | None, language: str | None, output: Path | None) -> None:
    """List models for parsers, with their licences, or fetch one.

    \b
    Examples:
      assay contrasts models --language cs
      assay contrasts models --fetch czech-pdt -o models
    """
    from assay.contrasts.models import MODELS

    if fetch is not None:
        _fetch(fetch, output or Path())
        return
    chosen = [model for model in MODELS if language in (None, model.language)]
    if not chosen:
        raise BadOption(f"no model for {language!r}; see: assay contrasts models")
    width = max(len(model.name) for model in chosen)
    for model in chosen:
        facts = f"{model.language:4}{model.parser:9}{model.relations:10}{model.licence:17}{model.install}"
        click.echo(f"{model.name:{width}}  {facts}")


@contrasts.command("train-parser")
@click.argument("treebanks", metavar="CONLLU...", type=PATH, nargs=-1, required=True)
@click.option("--held-out", "heldout", metavar="CONLLU", type=PATH, multiple=True, help="Trees to stop by.")
@click.option("--test", "tests", metavar="CONLLU", type=PATH, multiple=True, help="Trees to measure the parser on.")
@click.option("--iterations", type=click.IntRange(1), default=10, show_default=True, help="More take longer.")
@output_option("MODEL", "The model to write (.udpipe).", required=True)
def train_parser(
    treebanks: tuple[Path, ...], heldout: tuple[Path, ...], tests: tuple[Path, ...], iterations: int, output: Path
) -> None:
    """Make a UDPipe model from treebanks, for a language without one at hand.

    CONLLU are files of Universal Dependencies, .gz or not. The name of MODEL should begin with the language
    (german-gsd.udpipe): parsers are checked by it. The licence of a treebank holds for the model too.

    \b
    Example:
      assay contrasts train-parser de_gsd-ud-train.conllu --held-out de_gsd-ud-dev.conllu \\
          --test de_pud-ud-test.conllu -o german-gsd.udpipe
    """
    from assay.contrasts.treebank_parser import score, train
    from assay.files import check_targets, write_bytes

    check_targets([output], [*treebanks, *heldout, *tests])
    model = train(treebanks, heldout=heldout, iterations=iterations)
    write_bytes(model, output)
    click.echo(f"{output}: {len(model):,} bytes; use it as udpipe:{output}")
    if tests:
        found = score(model, tests)
        shares = ", ".join(
            f"{name} {100 * value:.1f} %"
            for name, value in (("UPOS", found.upos), ("UAS", found.uas), ("LAS", found.las))
            if value is not None
        )
        click.echo(
            f"on {found.words:,} words of {', '.join(path.name for path in tests)}, as tokenised there: {shares}"
        )


def _fetch(name: str, folder: Path) -> None:
    from assay.contrasts.models import MODELS, fetch

    size = next((model.size for model in MODELS if model.name == name.lower()), None)
    # An unknown model has no size in the list; UDPipe models are of about this one, and the bar need not be exact.
    with terminal.progress(name, size or 20_000_000) as progress:
        fetched = fetch(name, folder, progress=progress)
    known = "verified" if fetched.verified else "computed; nobody has stated one"
    click.echo(f"{fetched.path}: SHA-256 {fetched.sha256} ({known})")


@contrasts.command()
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=PATH,
    default="assay-contrasts-demo",
    show_default=True,
    help="Where to put the sample and the report.",
)
@click.option("--force", is_flag=True, help="Write over files of the same names that are not the demo's.")
def demo(output: Path, force: bool) -> None:
    """Run the English–Czech contrasts on the bundled sample: made-up systems, trees and links written by hand.

    \b
    Example:
      assay contrasts demo
    """
    from assay.contrasts.profile_report import render
    from assay.contrasts.run import profile_contrasts
    from assay.contrasts.run_files import REPORT, copy_sample
    from assay.reports.files import write_report

    # The sample has trees and links of its own, so the demo needs neither a parser nor a cache.
    inputs = copy_sample(output, force=force)
    found = profile_contrasts(inputs, cache=None)
    write_report(render(found, "html"), output / REPORT)
    click.echo(render(found, width=terminal.width(), ansi=terminal.has_style()))
    click.echo("The systems are made up for this demonstration.")
    click.echo(f"report:    {output / REPORT}  (open it in a browser)")
    click.echo(f"the same:  assay contrasts run {_arguments(inputs)}")
    click.echo(f"one pair:  assay contrasts show {_arguments(inputs, '1')}")


def _arguments(inputs: "ContrastInputs", *more: str) -> str:
    """The inputs of a run as arguments of the command line."""
    words = [inputs.contrasts, *more, "--source", str(inputs.source), *inputs.outputs]
    for reference in inputs.references:
        words += ["--reference", reference]
    tools = inputs.tools
    words += ["--source-parser", tools.source_parser, "--target-parser", tools.target_parser]
    words += ["--aligner", tools.aligner]
    return " ".join(map(shlex.quote, words))
