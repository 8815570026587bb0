"""`assay examples`: texts that show what systems get wrong."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.options import category_option, inputs_options, output_option, phenomenon_option, selection_options
from assay.cli.results import deliver, look

if TYPE_CHECKING:
    from assay.outputs import Inputs

FORMATS = {"table": ".txt", "markdown": ".md", "latex": ".tex", "jsonl": ".jsonl"}


@click.command()
@inputs_options()
@selection_options
@click.option(
    "--verdict",
    type=click.Choice(["fail", "pass", "warning", "any"]),
    default="fail",
    show_default=True,
    help="Which texts.",
)
@category_option
@phenomenon_option
@click.option("--only-system", metavar="NAME", help="Items on which this system alone has the verdict.")
@click.option("--limit", type=click.IntRange(min=0), default=20, show_default=True, help="How many; 0 shows all.")
@click.option("-f", "--format", type=click.Choice(list(FORMATS)), help="[default: by the suffix of -o, else table]")
@output_option("FILE", "Write there instead of the terminal (.txt, .md, .tex or .jsonl).")
def examples(
    inputs: "Inputs",
    systems: list[str],
    exclude: list[str],
    verdict: str,
    category: str | None,
    phenomenon: str | None,
    only_system: str | None,
    limit: int,
    format: str | None,
    output: Path | None,
) -> None:
    """Show texts that systems got wrong, or right, with the words that decided marked.

    Texts come in the order of the suite's taxonomy, each once with all systems that wrote it.

    \b
    Examples:
      assay examples de-en assay-demo/*.tsv --phenomenon Idiom
      assay examples de-en assay-demo/*.tsv --only-system average --limit 3
      assay examples de-en assay-demo/*.tsv --category 'False friends' -o examples.tex
    """
    from assay.errors import BadOption
    from assay.evaluation import evaluate_files
    from assay.evaluation.examples import find_examples
    from assay.outputs import check_output
    from assay.reports.examples import paper_name, render_examples
    from assay.text import plural

    by_suffix = {suffix: name for name, suffix in FORMATS.items()}
    if format is None and output is not None and output.suffix.lower() not in by_suffix:
        raise BadOption(f"{output}: the suffix names no format; choose one of {', '.join(by_suffix)}, or say -f")
    chosen = format or (by_suffix[output.suffix.lower()] if output else "table")
    check_output(inputs, output)
    evaluation = evaluate_files(inputs, systems=systems, exclude=exclude)
    found = list(
        find_examples(
            evaluation,
            verdict=None if verdict == "any" else verdict,
            category=category,
            phenomenon=phenomenon,
            only_system=only_system,
        )
    )
    shown = found[:limit] if limit else found
    if not shown:
        click.echo("no such texts", err=True)
    title, ansi = f"{evaluation.suite.name}: examples", look(output)[1]
    text = render_examples(shown, chosen, title=title, paper=paper_name(evaluation), ansi=ansi)
    deliver(text, output, f"{len(shown)} of {plural(len(found), 'text')}")
    if output is None and len(shown) < len(found):
        click.echo(f"\n({len(shown)} of {plural(len(found), 'text')}; --limit 0 shows all)", err=chosen != "table")
