"""`assay contrasts run`: a profile, or good, bad and unknown as published."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from click.core import ParameterSource

from assay.cli import terminal
from assay.cli.options import (
    PATH,
    STDOUT,
    by_option,
    format_option,
    keep_all_option,
    output_option,
    statistics_options,
)
from assay.cli.results import check_output_file, look
from assay.contrasts.cli.options import (
    INPUTS,
    TARGETS,
    InputArguments,
    contrast_inputs,
    named_files,
    replace_option,
    system_groups,
    together,
)
from assay.contrasts.cli.profile import write_profile
from assay.errors import BadOption
from assay.text import plural

if TYPE_CHECKING:
    from assay.contrasts.contrast_run import ContrastRun
    from assay.parallel import Workers


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


@click.command()
@together(INPUTS)
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
    help="Who says what is good: source (the contrasts' own rules), reference:NAME, references (any of them), or "
    "gold:TREES,LINKS.",
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
@together(TARGETS)
def run(
    cache: Path,
    workers: "Workers",
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
    renderings: Path | None,
    **given: Any,
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
    from assay.contrasts.run import run_contrasts
    from assay.contrasts.run_files import RunTargets
    from assay.reports.files import report_format
    from assay.verdicts.files import check_verdicts_path

    # What is left are the choices of the evaluation.
    arguments = cast(InputArguments, {key: given.pop(key) for key in InputArguments.__annotations__})
    inputs = contrast_inputs(expect=expect, subsets=named_files(subsets), **arguments)
    if not as_published:
        _check_profile_options(click.get_current_context())
        write_profile(
            inputs,
            cache=cache,
            workers=workers,
            groups=system_groups(groups),
            seed=given["seed"],
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
    RunTargets(output, verdicts, inputs.learn, export, figures).check(inputs, force=force)
    with terminal.progress("drawing", given["draws"]) as progress:
        found = run_contrasts(
            inputs,
            cache=cache,
            workers=workers,
            open_progress=terminal.progress,
            progress=progress,
            **given,
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
