"""The answer of an evaluation or a comparison as text for a terminal and as Markdown: alarms, sentences, examples.

print(answer_text(answer_of(evaluation), width=80))
"""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.ansi import ALARM, STRONG, VERDICT_STYLES, Marks, marks, styled
from assay.evaluation import By, Evaluation
from assay.evaluation.answer import ResultAnswer, answer_of
from assay.evaluation.examples import OutputExample
from assay.reports import terminal
from assay.reports.markdown import escaped
from assay.reports.table import CORRELATION_NOTE, Table, accuracy_table
from assay.result import Note, plain_notes
from assay.text import plural, visible

if TYPE_CHECKING:
    from assay.evaluation.groups import Scores

NARROWEST = 20
"""Columns that lines are given even where the terminal says that it has fewer."""


def first_screen(
    evaluation: Evaluation,
    by: By = "category",
    scores: "Scores | None" = None,
    *,
    width: int | None = None,
    ansi: bool = False,
    quiet: bool = False,
    notes: bool = False,
    more: str = "",
) -> str:
    """What a command shows of an evaluation: the answer, the table, and on request the notes."""
    table = accuracy_table(evaluation, by, scores, signed=notes)
    legend = table.notes if notes else tuple(_legend(table, by, len(evaluation.columns)))
    shown = terminal.render(replace(table, notes=() if quiet and not notes else legend), width=width, ansi=ansi)
    if evaluation.labels:
        from assay.reports.labels import labels_table

        labels = labels_table(evaluation)
        # The signature is the same as above.
        told = () if quiet and not notes else plain_notes(labels.notes)
        shown += "\n" + terminal.render(replace(labels, notes=told), width=width, ansi=ansi)
    return shown if quiet else f"{answer_text(answer_of(evaluation), width=width, ansi=ansi, more=more)}\n{shown}"


def _legend(table: Table, by: By, systems: int) -> Iterator[Note]:
    """The one line that a reader of the table needs, and where the rest is."""
    if systems > 1:
        yield table.notes[0]
    yield from (note for note in table.notes if note.text == CORRELATION_NOTE)
    other = "" if by == "both" else "--by phenomenon, " if by == "category" else "--by category, "
    yield Note(f"More: {other}--notes ({plural(len(table.notes) + 1, 'note')} and the signature).")


def answer_text(answer: ResultAnswer, *, width: int | None = None, ansi: bool = False, more: str = "") -> str:
    """The answer, as many columns wide; `more` is the command that shows all failures."""
    lines: list[str] = []
    for alarm in map(visible, answer.alarms):
        lines += [styled(line, ALARM, ansi) for line in _wrapped(f"! {alarm}", width, "  ")]
    for number, sentence in enumerate(map(visible, answer.sentences)):
        wrapped = _wrapped(sentence, width, "  ") if not number else _wrapped(f"  {sentence}", width, "    ")
        lines += [styled(line, STRONG, ansi) for line in wrapped] if not number else wrapped
    if answer.examples:
        lines += ["", *example_lines(answer.examples, ansi=ansi, width=width)]
        said = f"{len(answer.examples)} of {plural(answer.failures, 'failure')}"
        lines += _wrapped(f"({said}; all of them: {more})" if more else f"({said})", width, "  ")
    return "\n".join(lines) + "\n"


def example_lines(examples: Iterable[OutputExample], *, ansi: bool = False, width: int | None = None) -> Iterator[str]:
    """Verdict, phenomenon and source; below it the text with what decided marked, and what would have been right."""
    for example in examples:
        verdict = str(example.finding.verdict)
        said = _wrapped(visible(f"{example.item.phenomenon}: {example.item.source}"), width and width - 6, "")
        yield f"{styled(verdict.upper().ljust(4), VERDICT_STYLES[verdict], ansi)}  {said[0]}"
        right = [f"right: {visible(example.right)}"] if verdict == "fail" and example.right else []
        more = [*said[1:], *_wrapped(marked(example, marks(ansi)), width and width - 6, "")]
        more += _wrapped("   ".join([*right, f"({systems_line(example.systems)})"]), width and width - 6, "")
        yield from (f"      {line}" for line in more)


def marked(example: OutputExample, marks: Marks, shown: Callable[[str], str] = visible) -> str:
    """The text, as `shown`, with what the rule matched between two marks."""
    spans = [example.span] if example.span else []
    parts = [(shown(part), inside) for part, inside in pieces(example.text, spans)]
    return "".join(f"{marks[0]}{part}{marks[1]}" if inside else part for part, inside in parts) or "(no output)"


def pieces(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """The text cut at the ranges, each piece with whether it is one of them."""
    done = 0
    for start, end in spans:
        yield text[done:start], False
        yield text[start:end], True
        done = end
    yield text[done:], False


def systems_line(names: Sequence[str], most: int = 4) -> str:
    """The systems that wrote a text, the first few by name."""
    shown = ", ".join(map(visible, names[:most]))
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _wrapped(text: str, width: int | None, indent: str) -> list[str]:
    if width is None:
        return [text]
    width = max(width, NARROWEST)
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def answer_markdown(answer: ResultAnswer) -> str:
    """The same for a page: the first sentence bold, alarms before it, examples as a list."""
    lines = [f"> **{escaped(alarm)}**\n" for alarm in answer.alarms]
    if answer.sentences:
        lines += [f"**{escaped(answer.sentences[0])}**", "", *(f"- {escaped(line)}" for line in answer.sentences[1:])]
    for example in answer.examples:
        right = f" (right: {escaped(example.right)})" if example.right else ""
        lines.append(
            f"- {str(example.finding.verdict).upper()} *{escaped(example.item.phenomenon)}*: "
            f"{escaped(example.item.source)} → {marked(example, ('**', '**'), escaped)}{right} "
            f"({escaped(systems_line(example.systems))})"
        )
    return "\n".join(lines) + "\n"
