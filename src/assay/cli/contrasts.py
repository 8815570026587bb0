"""`assay contrasts …`: structural tests: parse, align, look."""

import shlex
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli import screen
from assay.cli.options import (
    PATH,
    STDOUT,
    by_option,
    force_option,
    format_option,
    keep_all_option,
    output_option,
    plural,
    statistics_options,
)
from assay.model import BadOption

if TYPE_CHECKING:
    from assay.reports.contrasts import ContrastRun
    from assay.workbench.contrasting import ContrastInputs

FORMATS = ("table", "markdown", "latex", "csv", "json", "html", "xlsx")

contrasts_argument = click.argument("name", metavar="CONTRASTS")
cache_option = click.option(
    "--cache", metavar="FOLDER", type=PATH, help="Where trees and links are kept. [default: the user's cache folder]"
)
jobs_option = click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Processes. [default: one per core]")
tools_force_option = click.option(
    "--force", is_flag=True, help="Take a parser for another language; replace a folder that is not empty."
)


def tools_options(*, required: bool) -> Any:
    """`--source-parser`, `--target-parser`, `--aligner`, `--reference`, `--cache`, `--jobs`, `--force`."""
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
        jobs_option,
        tools_force_option,
    ]

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _step(label: str, length: int) -> AbstractContextManager[Any]:
    return screen.progress(label, length)


def _folder(cache: Path | None) -> Path:
    from assay.contrasts.cache import default_folder

    return cache or default_folder()


def _pairs(values: tuple[str, ...]) -> dict[str, Path]:
    """`--subset refined=ids.txt` -> {"refined": ids.txt}."""
    found: dict[str, Path] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or not name or not path:
            raise BadOption(f"--subset {value!r} is not NAME=FILE")
        if name in found or name == "all":
            raise BadOption(f"--subset {name!r} is there already; choose another name")
        found[name] = Path(path)
    return found


@click.group()
def contrasts() -> None:
    """Structural tests: find a construction in the source tree, follow the word links, look at the target tree."""


@contrasts.command()
@contrasts_argument
@click.argument("outputs", metavar="OUTPUT...", nargs=-1)
@click.option("-s", "--source", metavar="FILE", type=PATH, required=True, help="The source, a sentence in each line.")
@tools_options(required=True)
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
@format_option(*FORMATS)
@output_option("FILE", "Write there instead of the terminal.")
@click.option("--verdicts", metavar="FILE", type=PATH, help="Also write a line per keyword and system (.tsv or .jsonl).")
@click.option("--export", metavar="FOLDER", type=PATH, help="Also write a suite and outputs with these verdicts.")
@click.option("--figures", metavar="FOLDER", type=PATH, help="Draw the bars into this folder (SVG, PNG, PDF).")
def run(
    name: str,
    outputs: tuple[str, ...],
    source: Path,
    references: tuple[str, ...],
    source_parser: str,
    target_parser: str,
    aligner: str,
    cache: Path | None,
    jobs: int | None,
    force: bool,
    expect: str,
    subsets: tuple[str, ...],
    by: Any,
    format: str | None,
    output: Path | None,
    verdicts: Path | None,
    export: Path | None,
    figures: Path | None,
    **choices: Any,
) -> None:
    """Test translations with contrasts: good, bad and unknown per contrast and system.

    CONTRASTS is a bundled name (assay contrasts list) or a YAML file. OUTPUT is a text per system, parallel to the
    source (NAME=FILE names it). Trees and links are kept in the cache, so that a second run only matches.

    \b
    Examples:
      assay contrasts run en-cs --source src.en hyp.*.cs --reference ref.cs --aligner eflomal \\
          --source-parser udpipe:english.udpipe --target-parser udpipe:czech.udpipe
      assay contrasts run en-cs --source src.en A.cs B.cs --source-parser conllu:src.conllu \\
          --target-parser conllu:trees --aligner pharaoh:links -o report.html
    """
    from assay.contrasts.gathering import ToolNames
    from assay.workbench.contrast_files import check_export, check_run_targets
    from assay.workbench.contrasting import ContrastInputs, run_contrasts
    from assay.workbench.evaluating import report_format

    if not outputs and not references:
        raise click.UsageError("no outputs given; name output files")
    inputs = ContrastInputs(
        name,
        source,
        outputs,
        ToolNames(source_parser, target_parser, aligner),
        references=references,
        expect=expect,
        force=force,
        subsets=_pairs(subsets),
    )
    chosen = report_format(format, output, FORMATS)
    _check_format(chosen, output, verdicts)
    check_run_targets(inputs, [output, verdicts, export, figures])
    if export is not None:
        check_export(export, force=force)
    with screen.progress("drawing", choices["draws"]) as progress:
        found = run_contrasts(inputs, cache=_folder(cache), jobs=jobs, step=_step, progress=progress, **choices)
        _write(found, chosen, by=by, output=output, verdicts=verdicts)
    _write_more(found, export=export, figures=figures, force=force)


def _check_format(format: str, output: Path | None, verdicts: Path | None) -> None:
    from assay.formats.verdicts import check_verdicts_path

    if format == "xlsx" and output is None:
        raise BadOption("a workbook needs a file: -o report.xlsx")
    if verdicts is not None:
        check_verdicts_path(verdicts)


def _write(found: "ContrastRun", format: Any, *, by: Any, output: Path | None, verdicts: Path | None) -> None:
    from assay.reports.contrast_data import render
    from assay.workbench.evaluating import write_results

    width, ansi = (None, False) if output else (screen.width(), screen.has_style())
    content = render(found, format, by=by, width=width, ansi=ansi)
    write_results(found.evaluation, report=(content, output) if output else None, verdicts=verdicts)
    if output is None:
        click.echo(content, nl=False)
    elif output != STDOUT:
        click.echo(f"{output}: {plural(len(found.systems), 'system')}, {len(found.evaluation.suite):,} keywords")


def _write_more(found: "ContrastRun", *, export: Path | None, figures: Path | None, force: bool) -> None:
    from assay.workbench.contrast_files import draw_bars, export_run

    if figures is not None:
        for path in draw_bars(found, figures):
            click.echo(path)
    if export is not None:
        suite, campaign = export_run(found, export, force=force)
        click.echo(f"the same:  assay evaluate {shlex.quote(str(suite))} {shlex.quote(str(campaign))} --policy own")
