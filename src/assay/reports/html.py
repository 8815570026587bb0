"""An evaluation as one HTML file that needs no network: the table, and behind each cell its items.

    Path("report.html").write_text(render_html(evaluation), encoding="utf-8")

The page shows the table model; the items wait as JSON in the page and are drawn when a cell is opened:

    {"policy": "fair", "languages": ["de", "en"], "systems": ["Online-W", …],
     "rows": [{"level", "category", "phenomenon", "cells": [[correct, total, accuracy, low, high, lower_bound,
               upper_bound, first_cluster, p], …]}, …],
     "items": [{"id", "row", "source", "tests", "counts", "rules": [[polarity, kind, flags, value], …],
                "texts": [[text, verdict, reason, [[rule, start, end], …]], …], "systems": [0, 0, 1, …]}, …]}

An item's `row` is that of its phenomenon, `counts` is true, false or a list by system, and `systems[s]` is the index
in `texts` of what system s wrote. Texts are normalised, as the rules see them; spans are code points [start, end).
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from assay.evaluation import Evaluation
from assay.evaluation.tally import counting
from assay.reports.html_table import facts, heat_table, note_list, row_data, systems_section, table_section
from assay.reports.table import Table, accuracy_table
from assay.suites import Item, Rule
from assay.text import normalise
from assay.verdicts import MISSING, Finding

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{css}</style>
<noscript><style>tr.phenomenon {{ display: table-row }} .controls, #copy {{ display: none }}</style></noscript>
</head>
<body>
{icons}
{body}
{scripts}</body>
</html>
"""

# Shapes as well as colours: a disc, a square, a triangle.
_ICONS = """\
<svg hidden><defs>
<symbol id="pass" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7.5"/><path d="M4.5 8.3l2.4 2.4 4.6-5.2"/></symbol>
<symbol id="fail" viewBox="0 0 16 16"><rect x="1" y="1" width="14" height="14" rx="1.5"/>\
<path d="M5 5l6 6M11 5l-6 6"/></symbol>
<symbol id="warning" viewBox="0 0 16 16"><path class="shape" d="M8 1.2l7.2 13.3H.8z"/>\
<path d="M8 6v4M8 11.6v1.2"/></symbol>
</defs></svg>"""


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
    js = asset("heatmap.js") + asset("report.js")
    body = [
        *_heading(evaluation),
        "<main>",
        *_results(evaluation, replace(table, notes=(*remarks, *table.notes)), signature or evaluation.signature),
        *systems_section(evaluation),
        *figure_section(figures),
        *(line for extra in extras for line in table_section(extra)),
        "</main>",
        *_footer(evaluation),
    ]
    title = " ".join(filter(None, (suite.name, suite.langpair, suite.version)))
    return page(title, body, data=_embedded(report_data(evaluation)), js=js)


def page(title: str, body: Iterable[str], *, data: str = "", js: str = "") -> str:
    """A whole page of these lines, with its style, its icons and, where it has one, its script."""
    scripts = f'<script type="application/json" id="data">{data}</script>\n<script>{js}</script>\n' if js else ""
    text = _PAGE.format(
        policy=_security_policy(js),
        title=escape(title),
        css=asset("report.css"),
        icons=_ICONS,
        body="\n".join(body),
        scripts=scripts,
    )
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
        "languages": evaluation.suite.langpair.split("-", 1),
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


# The page from top to bottom


def _heading(evaluation: Evaluation) -> Iterator[str]:
    yield "<header>"
    yield f"<h1>{escape(evaluation.suite.name)}</h1>"
    shown = " · ".join(escape(fact) for fact in facts(evaluation))
    yield f'<p class="facts">{shown} · <a href="#notes">notes</a></p>'
    yield "</header>"


def _results(evaluation: Evaluation, table: Table, signature: str) -> Iterator[str]:
    yield '<section class="results" aria-labelledby="accuracy-title">'
    yield '<h2 id="accuracy-title">Accuracy in per cent</h2>'
    yield from _controls(evaluation)
    yield '<div class="split">'
    yield '<div class="scroll" id="heat" role="region" aria-labelledby="accuracy-title" tabindex="0">'
    yield from heat_table(evaluation, table)
    yield "</div>"
    yield '<aside id="panel" aria-labelledby="panel-title" tabindex="-1" hidden></aside>'
    yield "</div>"
    yield (
        '<p class="legend">0 <span class="scale" role="img" aria-label="from orange to blue-green"></span> 100. '
        "Point at a row for its 95 % intervals; open a cell for its items "
        "(arrow keys move, Enter opens, Escape closes).</p>"
    )
    yield '<div id="tip" role="tooltip" hidden></div>'
    yield from note_list((note for note in table.notes if not note.startswith("Signature: ")), "notes")
    yield (
        f'<p class="signature">Signature <code id="signature">{escape(signature)}</code> '
        '<button type="button" id="copy">Copy</button> <span role="status" id="copied"></span></p>'
    )
    yield "</section>"


def _controls(evaluation: Evaluation) -> Iterator[str]:
    boxes = "".join(
        f'<li><label><input type="checkbox" value="{column}" checked> {escape(label)}</label></li>'
        for column, label in enumerate(evaluation.columns)
    )
    yield (
        '<form class="controls" role="search" aria-label="Filter the table">'
        '<label class="field">Category or phenomenon <input type="search" id="filter" autocomplete="off"></label>'
        '<details id="systems-filter"><summary>Systems <span id="systems-shown"></span></summary><div class="sheet">'
        '<p><button type="button" data-all="true">All</button> <button type="button" data-all="">None</button> '
        f"hiding a system changes no number</p><ul>{boxes}</ul></div></details>"
        '<button type="button" id="open-all" aria-pressed="false">Open all categories</button>'
        '<output id="shown"></output></form>'
    )


def figure_section(figures: Mapping[str, str]) -> Iterator[str]:
    """Titles and the SVG texts under them, where there are any."""
    if not figures:
        return
    yield '<section aria-labelledby="figures-title"><h2 id="figures-title">Figures</h2><div class="figures">'
    for number, (title, svg) in enumerate(figures.items()):
        yield f"<figure><figcaption>{escape(title)}</figcaption>{_inline(svg, number)}</figure>"
    yield "</div></section>"


def _inline(svg: str, number: int) -> str:
    """An SVG file as part of a page: no XML declaration or document type, and ids that no other figure has."""
    return re.sub(r'\b(id="|url\(#|href="#)', rf"\1figure-{number}-", svg[max(svg.find("<svg"), 0) :])


def _footer(evaluation: Evaluation) -> Iterator[str]:
    suite = evaluation.suite
    facts = [
        "Texts are shown as the rules see them: white space folded, apostrophes straight.",
        f"Licence of the suite: {suite.licence}." if suite.licence else "",
        f"Canary: {suite.canary}" if suite.canary else "",
    ]
    yield f"<footer><p>{' '.join(escape(fact) for fact in facts if fact)}</p></footer>"
