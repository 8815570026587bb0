"""What is wrong with a submission, as a page that can be sent to the participant: plain text, Markdown, HTML.

print(render(report, "markdown"))
"""

import re
from collections.abc import Iterator
from html import escape
from typing import Final, Literal, get_args

from assay.reports.index import STYLE
from assay.translate.submission_report import SubmissionLine, SubmissionProblem, SubmissionReport

ReportFormat = Literal["text", "markdown", "html"]
REPORT_FORMATS: Final[tuple[ReportFormat, ...]] = get_args(ReportFormat)
REPORT_SUFFIXES: Final[dict[str, ReportFormat]] = {".txt": "text", ".md": "markdown", ".html": "html"}

NUMBERS: Final = 20
"""SubmissionLine numbers that are named of each problem."""


def render(report: SubmissionReport, format: ReportFormat = "text") -> str:
    """The whole page."""
    return {"text": _text, "markdown": _markdown, "html": _html}[format](report)


def headline(report: SubmissionReport) -> str:
    """One line: how much is there, and whether something has to be repaired."""
    state = f"{report.found:,} of {report.expected:,} texts"
    if report.found > report.expected:
        state = f"{report.found:,} texts for {report.expected:,}"
    wrong = len(report.wrong)
    what = "nothing to repair" if not wrong else "1 problem" if wrong == 1 else f"{wrong} problems"
    odd = f", {len(report.odd)} to look at" if report.odd else ""
    return f"{report.name}: {state}, {what}{odd}"


def _sections(report: SubmissionReport) -> Iterator[tuple[str, list[SubmissionProblem]]]:
    if report.wrong:
        yield "To be repaired", report.wrong
    if report.odd:
        yield "To be looked at", report.odd


def _facts(report: SubmissionReport) -> str:
    return f"File {report.file}; sent: {report.suite}; found: {report.found:,}."


def _numbers(problem: SubmissionProblem) -> str:
    """Where it is; not repeated where all lines concerned are shown."""
    if len(problem.lines) <= len(problem.shown):
        return ""
    named = ", ".join(map(str, problem.lines[:NUMBERS]))
    return f"Lines {named}" + (" …" if len(problem.lines) > NUMBERS else "")


def _sample(line: SubmissionLine) -> tuple[str, str, str]:
    text = "–" if line.text is None else _short(line.text) or "(empty)"
    return str(line.number), _short(line.source), text


def _short(text: str) -> str:
    folded = "".join(character if character.isprintable() else " " for character in " ".join(text.split()))
    return folded if len(folded) <= 160 else folded[:159] + "…"


def _text(report: SubmissionReport) -> str:
    lines = [headline(report), _facts(report)]
    for title, problems in _sections(report):
        lines += ["", f"{title}:"]
        for problem in problems:
            lines.append(f"- {problem.message}")
            lines += [f"    {numbers}" for numbers in [_numbers(problem)] if numbers]
            for line in problem.shown:
                number, source, text = _sample(line)
                lines += [f"    {number}: {source}", f"    {' ' * len(number)}  {text}"]
    return "\n".join(lines) + "\n"


def _markdown(report: SubmissionReport) -> str:
    lines = [f"# {_plain(headline(report))}", "", _plain(_facts(report))]
    for title, problems in _sections(report):
        lines += ["", f"## {title}"]
        for problem in problems:
            lines += ["", f"**{_plain(problem.message)}**"]
            lines += [f"\n{numbers}" for numbers in [_numbers(problem)] if numbers]
            if problem.shown:
                lines += ["", "| line | source | text |", "| ---: | --- | --- |"]
                lines += ["| " + " | ".join(map(_plain, _sample(line))) + " |" for line in problem.shown]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return re.sub(r"([\\|*_`\[\]#])", r"\\\1", text).replace("<", "&lt;")


def _html(report: SubmissionReport) -> str:
    table = (
        "table { border-collapse: collapse; } td, th { padding: .2rem .6rem; text-align: left; vertical-align: top; }"
    )
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(report.name)}</title><style>{STYLE}{table}</style></head><body>",
        f"<h1>{escape(headline(report))}</h1>",
        f"<p>{escape(_facts(report))}</p>",
    ]
    for title, problems in _sections(report):
        parts.append(f"<h2>{title}</h2>")
        for problem in problems:
            parts.append(f"<p><strong>{escape(problem.message)}</strong></p>")
            parts += [f"<p>{numbers}</p>" for numbers in [_numbers(problem)] if numbers]
            if problem.shown:
                parts.append("<table><tr><th>line</th><th>source</th><th>text</th></tr>")
                for line in problem.shown:
                    parts.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _sample(line)) + "</tr>")
                parts.append("</table>")
    return "\n".join([*parts, "</body></html>"]) + "\n"
