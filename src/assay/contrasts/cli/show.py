"""`assay contrasts show`: one sentence and its translation."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.ansi import marks
from assay.cli import terminal
from assay.cli.options import (
    PATH,
    STDOUT,
    output_option,
)
from assay.contrasts.cli.options import contrasts_argument, tools_options
from assay.errors import BadOption

if TYPE_CHECKING:
    from assay.contrasts.tree_view import SentencePair
    from assay.parallel import Workers


@click.command()
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
