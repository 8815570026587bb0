"""Examples for people: in the terminal, and as tables for a page or a paper with the matched words marked.

print(render_examples(examples, "markdown", title="assay-de-en: failures"))
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from assay.ansi import VERDICT_STYLES, Marks, marks, styled
from assay.errors import UnknownName
from assay.evaluation import Evaluation
from assay.evaluation.examples import OutputExample, examples_of_item
from assay.reports import latex, markdown
from assay.reports.answer import marked, systems_line
from assay.reports.latex_text import escape
from assay.reports.table import PaperName, Table, TableCell, TableRow, campaigns_of
from assay.suites import Item
from assay.suites.prompts import PROMPT_KEYS
from assay.text import one_line, visible
from assay.verdicts import Verdict

# Tables escape what they are given, so marks go through them as characters that no text has, and are replaced after.
_PLACEHOLDERS: Marks = ("\ue000", "\ue001")
_MARKS: dict[str, Marks] = {"markdown": ("<u>", "</u>"), "latex": (r"\underline{", "}")}

LONGEST_PROMPT = 100
"""Characters that are shown of a prompt; `assay explain` shows all."""

MANY = 6
"""Systems that are named with a text before the rest is counted."""


def render_examples(
    examples: Sequence[OutputExample],
    format: str = "table",
    *,
    title: str,
    paper: PaperName | None = None,
    ansi: bool = False,
) -> str:
    """As text, Markdown, LaTeX or JSONL."""
    if format == "jsonl":
        return "".join(json.dumps(example.to_dict(), ensure_ascii=False) + "\n" for example in examples)
    if format == "table":
        return "\n".join(_lines(examples, ansi)) + "\n"
    table = replace(_table(examples, title), paper=paper)
    text = (
        latex.render(table, label="" if paper else "tab:assay-examples")
        if format == "latex"
        else markdown.render(table)
    )
    for placeholder, mark in zip(_PLACEHOLDERS, _MARKS[format], strict=True):
        # LaTeX has no such character and spells it out.
        text = text.replace(escape(placeholder), mark).replace(placeholder, mark)
    return text


def _lines(examples: Sequence[OutputExample], ansi: bool) -> list[str]:
    lines: list[str] = []
    for (category, phenomenon), members in groupby(examples, key=_phenomenon):
        lines += [""] if lines else []
        lines.append(styled(visible(f"{category} › {phenomenon}"), "1", ansi))
        for item, texts in groupby(members, key=lambda example: example.item):
            lines += [
                "",
                f"  {visible(item.source)}",
                f"  {visible(item.id)}" + (f": {visible(item.tests)}" if item.tests else ""),
                *(f"  {name}: {told}" for name, told in _told(item)),
            ]
            for example in texts:
                verdict = str(example.finding.verdict)
                head = styled(verdict.upper().ljust(7), VERDICT_STYLES[verdict], ansi)
                lines.append(f"    {head} {marked(example, marks(ansi))}   ({systems_line(example.systems, MANY)})")
    return lines


def examples_table(evaluation: Evaluation, phenomena: Sequence[str], per_phenomenon: int = 2) -> Table:
    """Source, outputs and verdicts for chosen phenomena; items first on which systems differ most."""
    suite, table = evaluation.suite, evaluation.table
    known = {name for _, name in suite.phenomena}
    chosen: list[OutputExample] = []
    for name in phenomena:
        if name not in known:
            raise UnknownName("phenomenon", name, known)
        # Items come first that about half of the systems have right.
        members = [
            (abs(float((verdicts == Verdict.PASS).mean()) - 0.5), position)
            for position, verdicts in zip(table.items.tolist(), table.verdicts, strict=True)
            if suite.items[position].phenomenon == name
        ]
        for _, position in sorted(members)[:per_phenomenon]:
            chosen += examples_of_item(evaluation, position)
    return replace(_table(chosen, f"{suite.name}: examples", ("", "")), paper=paper_name(evaluation))


def paper_name(evaluation: Evaluation) -> PaperName:
    """What a paper calls a table of examples."""
    return PaperName.of("examples", "Translations and their verdicts", evaluation.suite, campaigns_of(evaluation))


def _table(examples: Sequence[OutputExample], title: str, marks: Marks = _PLACEHOLDERS) -> Table:
    rows = []
    for number, ((category, phenomenon), members) in enumerate(groupby(examples, key=_phenomenon)):
        rows.append(TableRow("category", phenomenon, (TableCell(""), TableCell(category)), number))
        for item, texts in groupby(members, key=lambda example: example.item):
            rows.append(TableRow("category", item.id, (TableCell("source"), TableCell(item.source)), number))
            for name, told in _told(item):
                rows.append(TableRow("category", item.id, (TableCell(name), TableCell(told)), number))
            for example in texts:
                verdict = TableCell(str(example.finding.verdict), strong=example.finding.verdict == Verdict.PASS)
                text = TableCell(marked(example, marks))
                rows.append(
                    TableRow("phenomenon", systems_line(example.systems, MANY), (verdict, text), number, indent=1)
                )
    return Table(title, "phenomenon, item, systems", ("verdict", "text"), tuple(rows), ())


def _told(item: Item) -> list[tuple[str, str]]:
    """What language models were told about an item, shortened to a line each."""
    texts = ((name, getattr(item, name).strip()) for name in PROMPT_KEYS)
    return [(name, one_line(text, LONGEST_PROMPT)) for name, text in texts if text]


def _phenomenon(example: OutputExample) -> tuple[str, str]:
    return example.item.category, example.item.phenomenon
