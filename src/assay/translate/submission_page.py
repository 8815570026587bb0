"""What is wrong with a submission, as a page that can be sent to the participant: plain text, Markdown, HTML.

print(render(report, "markdown"))
"""

import re
from collections.abc import Iterator
from typing import Final

from assay.reports.html_templates import fill
from assay.text import plural
from assay.translate.submission_report import SubmissionLine, SubmissionProblem, SubmissionReport

NUMBERS: Final = 20
"""SubmissionLine numbers that are named of each problem."""


def render(report: SubmissionReport, format: str = "text") -> str:
    """The whole page."""
    return {"text": _text, "markdown": _markdown, "html": _html}[format](report)


def headline(report: SubmissionReport) -> str:
    """One line: how much is there, and whether something has to be repaired."""
    state = f"{report.found:,} of {report.expected:,} texts"
    if report.found > report.expected:
        state = f"{report.found:,} texts for {report.expected:,}"
    what = plural(len(report.wrong), "problem") if report.wrong else "nothing to repair"
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
    return fill(
        "translate/submission.html",
        title=report.name,
        headline=headline(report),
        facts=_facts(report),
        sections=list(_sections(report)),
        numbers=_numbers,
        sample=_sample,
    )
