"""`assay contrasts find`: sentences with a construction, as a suite."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli import terminal
from assay.cli.options import (
    PATH,
    executor_options,
    output_option,
)
from assay.contrasts.cli.options import any_language_option, cache_option, contrasts_argument, replace_option
from assay.text import plural

if TYPE_CHECKING:
    from assay.parallel import Workers


@click.command()
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
