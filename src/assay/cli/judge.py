"""`assay judge`: a filled-in to-do file becomes rules."""

import getpass
from collections.abc import Sequence
from pathlib import Path

import click

from assay.cli.options import PATH, draw_option, force_option, lossy_option, output_option, suite_argument
from assay.text import one_line, plural


@click.command()
@suite_argument
@click.argument("todo", metavar="TODO", type=PATH)
@output_option("SUITE", "The suite to write; its name tells the format.", required=True)
@click.option("--by", metavar="NAME", help="Who judged.  [default: who is named in the file, else the user's name]")
@draw_option("The draw that a file of assay sample is of.")
@lossy_option
@force_option
def judge(suite: str, todo: Path, output: Path, by: str | None, draw: Path | None, lossy: bool, force: bool) -> None:
    """Take a filled-in to-do file back: each verdict becomes an exact rule of the suite written to -o.

    The file may be a workbook (.xlsx), TSV or CSV, as Excel or LibreOffice save it; columns may be moved and added. Or
    it is what Pearmut's dashboard downloads: the annotations of a campaign (.json). Texts on which annotators disagree
    stay open.

    In a native suite they stand in judgements.yaml, and all other files stay as they are; with the suite's own folder
    as -o only that file is written. A DFKI suite (.json) gets them as tokens, without who judged and when.

    In a file of assay sample a text that cannot be judged gets the verdict skip. Its draw goes along to -o.

    \b
    Examples:
      assay judge de-en todo.xlsx -o de-en-judged --by Anna
      assay judge my-suite todo.csv -o my-suite
      assay judge my-suite annotations.json -o my-suite
    """
    from assay.verdicts.todo import judge_todo

    judged = judge_todo(suite, todo, output, by=by or "", user=_user(), lossy=lossy, force=force, draw=draw)
    contrary = f", {judged.replaced:,} in place of a contrary rule" if judged.replaced else ""
    skipped = f", {plural(judged.skipped, 'text')} skipped" if judged.skipped else ""
    click.echo(f"{output}: {plural(judged.added, 'judgement')} added{contrary}{skipped}")
    if judged.waiting and judged.weighty is not None and judged.weighty < judged.added:
        click.echo(
            f"  {judged.weighty:,} of {plural(judged.added, 'judgement')} carry weight in an estimate so far; before "
            f"the others comes {judged.waiting.item}: {one_line(judged.waiting.text, 100)}"
        )
    if judged.disputed:
        item, text = judged.disputed[0]
        number = plural(len(judged.disputed), "text")
        click.echo(f"  people disagree on {number}, left open: {item}: {one_line(text, 100)}" + _more(judged.disputed))


def _more(disputed: Sequence[object]) -> str:
    return " …" if len(disputed) > 1 else ""


def _user() -> str:
    try:
        return getpass.getuser()
    # No entry in the password database, as in many containers.
    except (KeyError, OSError):
        return "unknown"
