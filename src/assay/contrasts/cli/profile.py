"""`assay contrasts profile`: translations beside people's."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from assay.cli import terminal
from assay.cli.options import (
    STDOUT,
    format_option,
    output_option,
)
from assay.cli.results import check_output_file, look
from assay.contrasts.cli.options import INPUTS, TARGETS, InputArguments, contrast_inputs, system_groups, together
from assay.text import plural

if TYPE_CHECKING:
    from assay.contrasts.run import ContrastInputs
    from assay.parallel import Workers


@click.command()
@together(INPUTS)
@click.option("--subtypes", is_flag=True, help="Also describe each subtype that the contrasts name, as by governor.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of intervals and tests.")
@format_option("profile")
@output_option("FILE", "Write there instead of the terminal.")
@together(TARGETS)
def profile(
    cache: Path,
    workers: "Workers",
    groups: tuple[str, ...],
    subtypes: bool,
    seed: int,
    format: str | None,
    output: Path | None,
    figures: Path | None,
    renderings: Path | None,
    **given: Unpack[InputArguments],
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
    write_profile(
        contrast_inputs(**given),
        cache=cache,
        workers=workers,
        groups=system_groups(groups),
        subtypes=subtypes,
        seed=seed,
        format=format,
        output=output,
        figures=figures,
        renderings=renderings,
    )


def write_profile(
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
    subtypes: bool = False,
) -> None:
    """Make a profile, and write all that was asked for."""
    from assay.contrasts.files.renderings import write
    from assay.contrasts.profile_figures import profile_figures
    from assay.contrasts.profile_report import render
    from assay.contrasts.run import profile_contrasts
    from assay.contrasts.run_files import RunTargets
    from assay.reports.figures import write_figures
    from assay.reports.files import report_format, write_report

    chosen = report_format(format, output, "profile")
    check_output_file(chosen, output)
    RunTargets(output, renderings, learn=inputs.learn, figures=figures).check(inputs, force=False)
    found = profile_contrasts(
        inputs,
        cache=cache,
        workers=workers,
        open_progress=terminal.progress,
        groups=groups,
        subtypes=subtypes,
        seed=seed,
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
