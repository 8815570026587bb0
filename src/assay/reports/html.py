"""An evaluation as one HTML file that needs no network: the table, and behind each cell its items.

    Path("report.html").write_text(render_html(evaluation), encoding="utf-8")

The page shows the table model; the items wait as JSON in the page and are drawn when a cell is opened:

    {"policy": "fair", "languages": ["de", "en"], "systems": ["Online-W", …],
     "rows": [{"level", "category", "phenomenon", "cells": [[correct, total, accuracy, low, high, lower_bound,
               upper_bound, first_cluster, p], …]}, …],     (of an estimate also low_here, high_here)
     "items": [{"id", "row", "source", "tests", "counts", "rules": [[polarity, kind, flags, value], …],
                "texts": [[text, verdict, reason, [[rule, start, end], …]], …], "systems": [0, 0, 1, …]}, …]}

An item's `row` is that of its phenomenon, `counts` is true, false or a list by system, and `systems[s]` is the index
in `texts` of what system s wrote. Texts are normalised, as the rules see them; spans are code points [start, end).
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from assay.evaluation import Evaluation
from assay.evaluation.answer import answer_of
from assay.evaluation.tally import counting
from assay.languages import bcp47, split_pair
from assay.reports.html_table import facts, heat_table, row_data, systems_section
from assay.reports.html_templates import fill
from assay.reports.table import Table, accuracy_table
from assay.result import plain_notes
from assay.suites import Item, Rule
from assay.text import normalise
from assay.verdicts import MISSING, Finding


def render_html(
    evaluation: Evaluation,
    *,
    figures: Mapping[str, str] = {},
    extras: Sequence[Table] = (),
    signature: str = "",
    remarks: Sequence[str] = (),
) -> str:
    """The whole page. `figures` maps titles to SVG texts, which are trusted; `extras` are shown as plain tables.

    `signature` stands in the place of the evaluation's own, and `remarks` before its notes.
    """
    suite, table = evaluation.suite, accuracy_table(evaluation, by="both")
    if evaluation.labels and not any(extra.corner == "label" for extra in extras):
        from assay.reports.labels import labels_table

        extras = (*extras, labels_table(evaluation))
    notes = (*remarks, *plain_notes(table.notes))
    return page(
        "reports/report.html",
        " ".join(filter(None, (suite.name, suite.langpair, suite.version))),
        data=_embedded(report_data(evaluation)),
        js=asset("heatmap.js") + asset("report.js"),
        suite=suite,
        facts=facts(evaluation),
        answer=answer_of(evaluation),
        columns=evaluation.columns,
        heat=heat_table(evaluation, table),
        notes=notes,
        signature=signature or evaluation.signature,
        systems=systems_section(evaluation),
        figures=inline_figures(figures),
        extras=extras,
    )


def page(template: str, title: str, *, data: str = "", js: str = "", **values: Any) -> str:
    """A whole page from a template that extends `page.html`, with its style, its icons and, where it has one, its
    script."""
    policy, css = _security_policy(js), asset("report.css")
    trusted = {name: Markup(text) for name, text in {"policy": policy, "css": css, "js": js, "data": data}.items()}
    text = fill(template, title=title, **trusted, **values)
    # JSON outputs may hold half a surrogate pair, which no file can.
    return text.encode("utf-8", "replace").decode("utf-8")


def asset(name: str) -> str:
    """A file that the page has in it."""
    return (files("assay.reports") / "assets" / name).read_text(encoding="utf-8")


def _security_policy(js: str) -> str:
    """Nothing is fetched, and no script runs but the page's own, whatever a translation contains."""
    digest = b64encode(sha256(js.encode()).digest()).decode()
    script = f"'sha256-{digest}'" if js else "'none'"
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; script-src {script}"


def _embedded(data: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


# The data behind the cells


def report_data(evaluation: Evaluation) -> dict[str, Any]:
    """What the page's script needs; the module's docstring describes it."""
    rows = row_data(evaluation)
    places = {(row["category"], row["phenomenon"]): number for number, row in enumerate(rows)}
    return {
        "policy": evaluation.settings.policy,
        "languages": [bcp47(code) for code in split_pair(evaluation.suite.langpair)],
        "systems": evaluation.columns,
        "rows": rows,
        "items": list(_items(evaluation, places)),
    }


def _items(evaluation: Evaluation, places: Mapping[tuple[str | None, str | None], int]) -> Iterator[dict[str, Any]]:
    table = evaluation.table
    mask = counting(table, evaluation.settings.policy)[:, evaluation.order]
    codes = table.outputs.codes[table.items][:, evaluation.order].tolist()
    for position, written, counts in zip(table.items.tolist(), codes, mask.tolist(), strict=True):
        item = evaluation.suite.items[position]
        rules = _Rules(item)
        texts: dict[str, tuple[int, Finding]] = {}
        systems = []
        for code in written:
            found = table.findings[code] if code >= 0 else None
            text = normalise(table.outputs.texts[code]) if code >= 0 else ""
            systems.append(texts.setdefault(text, (len(texts), found or MISSING))[0])
        shown = [
            [text, str(finding.verdict), finding.reason, rules.evidence(finding)]
            for text, (_, finding) in texts.items()
        ]
        yield {
            "id": item.id,
            "row": places[item.category, item.phenomenon],
            "source": item.source,
            "tests": item.tests,
            "counts": counts[0] if len(set(counts)) == 1 else counts,
            "rules": [[rule.polarity, rule.kind, rule.flags, _value(rule)] for rule in rules.shown],
            "texts": shown,
            "systems": systems,
        }


class _Rules:
    """An item's rules that are worth a reader's while: all that are searched for, and the exact ones that matched."""

    def __init__(self, item: Item) -> None:
        self.shown = [rule for rule in item.rules if rule.kind != "exact" and not rule.is_blank]

    def evidence(self, finding: Finding) -> list[list[int]]:
        return [[self._index(found.rule), found.start, found.end] for found in finding.evidence]

    def _index(self, rule: Rule) -> int:
        if rule not in self.shown:
            self.shown.append(rule)
        return self.shown.index(rule)


def _value(rule: Rule) -> str:
    """An exact rule is the text it matched and needs no saying twice; who settled a judgement is left out."""
    if rule.kind == "exact":
        return "judgement" if rule.by else ""
    return rule.value


# The figures


def inline_figures(figures: Mapping[str, str]) -> list[tuple[str, Markup]]:
    """Titles and SVG files as parts of a page: no XML declaration or document type, and ids no other figure has."""
    return [
        (title, Markup(re.sub(r'\b(id="|url\(#|href="#)', rf"\1figure-{number}-", svg[max(svg.find("<svg"), 0) :])))
        for number, (title, svg) in enumerate(figures.items())
    ]
