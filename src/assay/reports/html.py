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
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from assay.evaluation import Cell, Evaluation, Row
from assay.evaluation.tally import counting
from assay.model import MISSING, Finding, Item, Rule, normalise
from assay.reports.table import Table, TableCell, TableRow, accuracy_table, percent

DIGITS = 6
"""Decimals of the numbers in the page's data; the table itself shows one."""

_BREAKS = re.compile(r"[^-_./ ]{1,14}[-_./ ]*|[-_./ ]+")
"""Parts of a system's name that stay on one line in the head of a column."""

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
<script type="application/json" id="data">{data}</script>
<script>{js}</script>
</body>
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
) -> str:
    """The whole page. `figures` maps titles to SVG texts, which are trusted; `extras` are shown as plain tables."""
    suite, table = evaluation.suite, accuracy_table(evaluation, by="both")
    js = _asset("report.js")
    body = [
        *_heading(evaluation),
        "<main>",
        *_results(evaluation, table),
        *_systems(evaluation),
        *_figures(figures),
        *(line for extra in extras for line in _plain_table(extra)),
        "</main>",
        *_footer(evaluation),
    ]
    page = _PAGE.format(
        policy=_security_policy(js),
        title=escape(" ".join(filter(None, (suite.name, suite.langpair, suite.version)))),
        css=_asset("report.css"),
        icons=_ICONS,
        body="\n".join(body),
        data=_embedded(report_data(evaluation)),
        js=js,
    )
    # JSON outputs may hold half a surrogate pair, which no file can.
    return page.encode("utf-8", "replace").decode("utf-8")


def _asset(name: str) -> str:
    return (files("assay.reports") / "assets" / name).read_text(encoding="utf-8")


def _security_policy(js: str) -> str:
    """Nothing is fetched, and no script runs but the page's own, whatever a translation contains."""
    digest = b64encode(sha256(js.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; script-src 'sha256-{digest}'"


def _embedded(data: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


# The data behind the cells


def report_data(evaluation: Evaluation) -> dict[str, Any]:
    """What the page's script needs; the module's docstring describes it."""
    rows = evaluation.rows("both")
    places = {(row.category, row.phenomenon): number for number, row in enumerate(rows)}
    return {
        "policy": evaluation.settings.policy,
        "languages": evaluation.suite.langpair.split("-", 1),
        "systems": evaluation.columns,
        "rows": [
            {
                "level": row.level,
                "category": row.category,
                "phenomenon": row.phenomenon,
                "cells": [[_rounded(value) for value in cell[1:]] for cell in row.cells],
            }
            for row in rows
        ],
        "items": list(_items(evaluation, places)),
    }


def _rounded(value: float | None) -> float | None:
    return round(value, DIGITS) if isinstance(value, float) else value


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
        return [[self._index(rule), start, end] for rule, start, end in finding.evidence]

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
    suite, settings = evaluation.suite, evaluation.settings
    facts = [
        suite.langpair,
        f"version {suite.version}" if suite.version else "",
        _number(len(evaluation.systems), "system"),
        f"{evaluation.items_counted:,} of {_number(len(suite), 'item')} count",
        f"policy {settings.policy}",
        f"{settings.test}, alpha {settings.alpha:g}",
    ]
    yield "<header>"
    yield f"<h1>{escape(suite.name)}</h1>"
    yield f'<p class="facts">{" · ".join(escape(fact) for fact in facts if fact)} · <a href="#notes">notes</a></p>'
    yield "</header>"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _notes(notes: Iterable[str], name: str = "") -> Iterator[str]:
    lines = [f"<li>{escape(note)}</li>" for note in notes]
    if lines:
        yield '<ul class="notes"' + (f' id="{name}">' if name else ">") + "".join(lines) + "</ul>"


def _results(evaluation: Evaluation, table: Table) -> Iterator[str]:
    yield '<section class="results" aria-labelledby="accuracy-title">'
    yield '<h2 id="accuracy-title">Accuracy in per cent</h2>'
    yield from _controls(evaluation)
    yield '<div class="split">'
    yield '<div class="scroll" id="heat" role="region" aria-labelledby="accuracy-title" tabindex="0">'
    yield from _accuracy(evaluation, table)
    yield "</div>"
    yield '<aside id="panel" aria-labelledby="panel-title" tabindex="-1" hidden></aside>'
    yield "</div>"
    yield (
        '<p class="legend">0 <span class="scale" role="img" aria-label="from orange to blue-green"></span> 100. '
        "Point at a row for its 95 % intervals; open a cell for its items "
        "(arrow keys move, Enter opens, Escape closes).</p>"
    )
    yield '<div id="tip" role="tooltip" hidden></div>'
    yield from _notes((note for note in table.notes if not note.startswith("Signature: ")), "notes")
    yield (
        f'<p class="signature">Signature <code id="signature">{escape(evaluation.signature)}</code> '
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


def _accuracy(evaluation: Evaluation, table: Table) -> Iterator[str]:
    rows, warnings = evaluation.rows("both"), table.rows[-1]
    yield '<table class="accuracy">'
    yield f'<caption class="unseen">{escape(table.title)}</caption>'
    yield "<thead><tr>"
    yield _sortable(table.corner, "label")
    yield _sortable(table.columns[0], "count")
    for column, (label, share) in enumerate(zip(evaluation.columns, warnings.cells[1:-1], strict=True)):
        note = (
            f' <span class="warned" title="outputs with a warning, per cent">{_icon("warning")}{share.text}'
            '<span class="unseen"> per cent warnings</span></span>'
        )
        yield _sortable(label, "system", column=column, note=note)
    yield _sortable(table.columns[-1], "mean")
    yield "</tr></thead>"
    opened = None
    for number, shown in enumerate(table.rows):
        row = rows[number] if number < len(rows) else None
        if row is None or row.level != "phenomenon":
            kind = "block" if row and row.level == "category" else shown.kind
            if kind == "block" or kind != opened:
                yield f'<tbody class="{kind}">'
                opened = kind
        yield _accuracy_row(evaluation.columns, number, shown, row)
    yield "</table>"


def _sortable(label: str, name: str, *, column: int | None = None, note: str = "") -> str:
    place = "" if column is None else f' data-column="{column}"'
    text = "<wbr>".join(escape(part) for part in _BREAKS.findall(label))
    return f'<th scope="col" class="{name}"{place}><button type="button">{text}</button>{note}</th>'


def _accuracy_row(columns: Sequence[str], number: int, shown: TableRow, row: Row | None) -> str:
    label = shown.label.strip()
    text = escape(label)
    if shown.kind == "category":
        text = f'<button type="button" class="toggle" aria-expanded="false">{text}</button>'
    scope = "rowgroup" if shown.kind == "category" else "row"
    first, *cells, last = shown.cells
    numbers: Sequence[Cell | None] = row.cells if row else [None] * len(cells)
    verdict = ' data-verdict="warning"' if label == "warnings" and row is None else ""
    made = [
        _accuracy_cell(cell, numbers[column], column, f"{columns[column]}, {label}", opens=bool(row or verdict))
        for column, cell in enumerate(cells)
    ]
    return (
        f'<tr class="{shown.kind}" data-row="{number}"{verdict}><th scope="{scope}">{text}</th>'
        f'<td class="count">{escape(first.text)}</td>{"".join(made)}<td class="mean">{escape(last.text)}</td></tr>'
    )


def _accuracy_cell(cell: TableCell, number: Cell | None, column: int, name: str, *, opens: bool) -> str:
    names, style = ["cell"], ""
    if cell.strong:
        names.append("strong")
    if number is not None and cell.value is not None:
        names.append("lower" if cell.value < 0.5 else "upper")
        bar = {"a": number.accuracy, "l": number.low, "h": number.high}
        style = ' style="' + ";".join(f"--{key}:{value:.3f}" for key, value in bar.items() if value is not None) + '"'
    text = escape(cell.text)
    if opens:
        spoken = "undefined" if cell.value is None else text
        cluster = ", first cluster" if cell.strong else ""
        text = f'<button type="button" aria-label="{escape(name)}: {spoken}{cluster}">{text}</button>'
    return f'<td class="{" ".join(names)}" data-column="{column}"{style}>{text}</td>'


def _icon(verdict: str) -> str:
    return f'<svg class="icon {verdict}" aria-hidden="true"><use href="#{verdict}"/></svg>'


SYSTEM_COLUMNS = ("outputs", "missing", "pass", "fail", "warning", "warnings, %", "costs alone")


def _systems(evaluation: Evaluation) -> Iterator[str]:
    yield '<section aria-labelledby="systems-title"><h2 id="systems-title">Systems</h2>'
    yield '<div class="scroll" role="region" aria-labelledby="systems-title" tabindex="0"><table class="plain">'
    heads = "".join(
        f'<th scope="col">{_icon(name) if name in ("pass", "fail", "warning") else ""}{name}</th>'
        for name in SYSTEM_COLUMNS
    )
    yield f'<thead><tr><th scope="col">system</th>{heads}</tr></thead><tbody>'
    for label, summary in zip(evaluation.columns, evaluation.summaries, strict=True):
        counts = (summary.outputs, summary.missing, summary.passed, summary.failed, summary.warnings)
        numbers = [*(f"{count:,}" for count in counts), percent(summary.warning_share), f"{summary.costs:,}"]
        cells = "".join(f"<td>{number}</td>" for number in numbers)
        yield f'<tr><th scope="row">{escape(label)}</th>{cells}</tr>'
    for left in evaluation.excluded:
        name = f"{left.system.name} ({left.system.campaign})" if left.system.campaign else left.system.name
        yield (
            f'<tr class="left-out"><th scope="row">{escape(name)}</th>'
            f'<td colspan="{len(SYSTEM_COLUMNS)}">left out: {escape(left.reason)}</td></tr>'
        )
    yield "</tbody></table></div>"
    yield from _notes(
        ["Costs alone: items that count for nobody under policy fair because of this system's warnings alone."]
    )
    yield "</section>"


def _figures(figures: Mapping[str, str]) -> Iterator[str]:
    if not figures:
        return
    yield '<section aria-labelledby="figures-title"><h2 id="figures-title">Figures</h2><div class="figures">'
    for number, (title, svg) in enumerate(figures.items()):
        yield f"<figure><figcaption>{escape(title)}</figcaption>{_inline(svg, number)}</figure>"
    yield "</div></section>"


def _inline(svg: str, number: int) -> str:
    """An SVG file as part of a page: no XML declaration or document type, and ids that no other figure has."""
    return re.sub(r'\b(id="|url\(#|href="#)', rf"\1figure-{number}-", svg[max(svg.find("<svg"), 0) :])


def _plain_table(table: Table) -> Iterator[str]:
    yield f"<section><h2>{escape(table.title)}</h2>"
    yield f'<div class="scroll" role="region" aria-label="{escape(table.title)}" tabindex="0"><table class="plain">'
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in (table.corner, *table.columns))
    yield f"<thead><tr>{heads}</tr></thead>"
    opened = None
    for row in table.rows:
        if row.group != opened:
            yield "<tbody>"
            opened = row.group
        cells = "".join(
            f'<td class="strong">{escape(cell.text)}</td>' if cell.strong else f"<td>{escape(cell.text)}</td>"
            for cell in row.cells
        )
        indent = ' class="indent"' if row.label.startswith(" ") else ""
        yield f'<tr{indent}><th scope="row">{escape(row.label.strip())}</th>{cells}</tr>'
    yield "</table></div>"
    yield from _notes(table.notes)
    yield "</section>"


def _footer(evaluation: Evaluation) -> Iterator[str]:
    suite = evaluation.suite
    facts = [
        "Texts are shown as the rules see them: white space folded, apostrophes straight.",
        f"Licence of the suite: {suite.licence}." if suite.licence else "",
        f"Canary: {suite.canary}" if suite.canary else "",
    ]
    yield f"<footer><p>{' '.join(escape(fact) for fact in facts if fact)}</p></footer>"
