"""`assay contrasts train-parser`: a model from treebanks."""

from pathlib import Path

import click

from assay.cli.options import (
    PATH,
    output_option,
)
from assay.errors import BadOption


@click.command("train-parser")
@click.argument("treebanks", metavar="CONLLU...", type=PATH, nargs=-1, required=True)
@click.option("--held-out", "heldout", metavar="CONLLU", type=PATH, multiple=True, help="Trees to stop by.")
@click.option("--test", "tests", metavar="CONLLU", type=PATH, multiple=True, help="Trees to measure the parser on.")
@click.option(
    "--tags",
    metavar="CONLLU",
    type=PATH,
    multiple=True,
    help="Take tags and features from these only, where those of other treebanks differ. [default: all]",
)
@click.option("--classes", metavar="CONTRASTS", help="With --test: measure the classes of these contrasts too.")
@click.option("--iterations", type=click.IntRange(1), default=10, show_default=True, help="More take longer.")
@output_option("MODEL", "The model to write (.udpipe).", required=True)
def train_parser(
    treebanks: tuple[Path, ...],
    heldout: tuple[Path, ...],
    tests: tuple[Path, ...],
    tags: tuple[Path, ...],
    classes: str | None,
    iterations: int,
    output: Path,
) -> None:
    """Make a UDPipe model from treebanks, for a language without one at hand.

    CONLLU are files of Universal Dependencies, .gz or not. The name of MODEL should begin with the language
    (german-gsd.udpipe): parsers are checked by it. The licence of a treebank holds for the model too.

    \b
    Example:
      assay contrasts train-parser de_gsd-ud-train.conllu --held-out de_gsd-ud-dev.conllu \\
          --test de_pud-ud-test.conllu -o german-gsd.udpipe
    """
    from assay.contrasts.run import load_contrasts
    from assay.contrasts.treebank_parser import class_scores, score, train
    from assay.files import check_targets, write_bytes

    if classes and not tests:
        raise BadOption("--classes are measured on trees: name some with --test")
    check_targets([output], [*treebanks, *heldout, *tests, *tags])
    known = load_contrasts(classes).classes if classes else ()
    model = train(treebanks, heldout=heldout, tags=tags, iterations=iterations)
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
    for found_class in class_scores(model, tests, known) if known else ():
        click.echo(
            f"  {found_class.name}: {found_class.gold:,} by the gold trees, {found_class.found:,} by the parser's, "
            f"{found_class.same:,} the same words"
        )
