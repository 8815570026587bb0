"""Pages about results: the heat map with the items behind its cells, two systems, campaigns, downloads.

What was chosen is the query of the address, which can be shared.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import PlainTextResponse
from markupsafe import Markup

from assay.reports.html import asset
from assay.reports.html_table import facts, heat_table, row_data, systems_section, table_section
from assay.reports.html_templates import part
from assay.reports.labels import labels_table
from assay.reports.table import Table
from assay.result import plain_notes
from assay.workbench.api.request import send
from assay.workbench.pages.render import SuiteVisit, link, render, wants_part
from assay.workbench.reader import Reader
from assay.workbench.results import downloads
from assay.workbench.results.compare import Campaigns, SystemPair, compare_systems, more_items, show_years
from assay.workbench.results.results import (
    ALL,
    DRAWS,
    ESTIMATE,
    PORTION,
    CellItems,
    CellPlace,
    NoResults,
    ResultForm,
    ResultOptions,
    Results,
    open_cell,
    other_texts,
    show_results,
)
from assay.workbench.visit import Visit

router = APIRouter()

ALPHAS = (0.1, 0.05, 0.01, 0.001)

OPTIONS = {
    "policy": (
        ("fair", "fair: same items for all"),
        ("own", "own: each system's items"),
        ("strict", "strict: warnings fail"),
        ("estimate", "estimate: from a sample"),
    ),
    "test": (
        ("ztest", "z-test, as published"),
        ("mcnemar", "McNemar, paired"),
        ("bootstrap", "bootstrap, paired"),
        ("randomization", "randomization, paired"),
    ),
    "correction": (("none", "none"), ("holm", "Holm"), ("bh", "Benjamini–Hochberg")),
    "by": (("category", "categories"), ("phenomenon", "phenomena"), ("both", "both")),
}


async def asked_for(
    campaign: Annotated[list[str] | None, Query()] = None,
    system: Annotated[list[str] | None, Query()] = None,
    policy: str = "fair",
    test: str = "",
    alpha: float = 0.05,
    correction: str = "none",
    draws: int = DRAWS,
    seed: int = 1,
    keep_all: bool = False,
    merge_identical: bool = False,
    units: str | None = None,
) -> ResultOptions:
    """The choices in an address."""
    chosen = tuple(campaign or ()), tuple(system or ())
    return ResultOptions(
        *chosen, policy, test, alpha, correction, draws, seed, keep_all, merge_identical, units or None
    )


Choices = Annotated[ResultOptions, Depends(asked_for)]


async def place_of(
    column: str, category: str | None = None, phenomenon: str | None = None, average: str | None = None
) -> CellPlace:
    """The cell in an address."""
    return CellPlace(column, category or None, phenomenon or None, average or None)


Cell = Annotated[CellPlace, Depends(place_of)]
Verdicts = Annotated[list[str] | None, Query()]


@router.get("/static/heatmap.js")
def heat_map_script() -> Response:
    """The script that reports and this page share."""
    return PlainTextResponse(asset("heatmap.js"), media_type="text/javascript")


@router.get("/results")
def results_page(request: Request, visit: SuiteVisit, asked: Choices) -> Response:
    """The heat map; a part of the page where a choice was changed."""
    with visit.reading() as reader:
        shown = _shown_results(visit, reader, asked)
    template = "part/results_table.html" if wants_part(request) else "results.html"
    return render(request, template, **shown, cell=None)


@router.get("/results/cell")
def cell_part(
    request: Request,
    visit: SuiteVisit,
    asked: Choices,
    place: Cell,
    verdict: Verdicts = None,
    start: Annotated[int, Query(ge=0)] = 0,
    shown: bool = False,
) -> Response:
    """The items of a cell: for the panel beside the table, or the whole page with the panel open."""
    with visit.reading() as reader:
        cell = open_cell(reader, asked, place, verdicts=verdict or (), start=start)
        reader.ask_first(shown=shown)
        table = None if wants_part(request) else _shown_results(visit, reader, cell.asked)
    context = _cell(visit, cell)
    if table is None:
        return render(request, "part/results_items.html" if start else "part/results_cell.html", **context)
    return render(request, "results.html", **table | context)


@router.get("/results/others")
def others_part(
    request: Request, visit: SuiteVisit, asked: Choices, item: str, column: str = "", shown: bool = False
) -> Response:
    """What the other systems of the campaign wrote for an item of a cell."""
    with visit.reading() as reader:
        texts = other_texts(reader, asked, item, column)
        reader.ask_first(shown=shown)
    return render(request, "part/results_others.html", texts=texts)


@router.get("/results/download/{key}")
def download_results(request: Request, visit: SuiteVisit, asked: Choices, key: str, shown: bool = False) -> Response:
    """Results as a file."""
    with visit.reading() as reader:
        file = downloads.download(reader, asked, key)
        reader.ask_first(shown=shown)
        return send(file)


@router.get("/compare")
def compare_page(
    request: Request,
    visit: SuiteVisit,
    asked: Choices,
    first: str = "",
    second: str = "",
    by: str = "category",
    category: str = "",
    shown: bool = False,
) -> Response:
    """Two systems: what only one got right, and whether that means anything."""
    pair = SystemPair(first, second) if first or second else None
    with visit.reading() as reader:
        found = compare_systems(reader, pair, asked, by=by, category=category or None)
        reader.ask_first(shown=shown)
    query = {"suite": visit.suite(), "first": found.pair.first, "second": found.pair.second, "by": by, **asked.query()}
    return render(
        request,
        "compare.html",
        400 if found.problem else 200,
        found=found,
        answer=part("reports/parts.html", "answer_sentences")(found.answer) if found.answer else "",
        names=[(name, name) for name in found.names],
        categories=[("", "all categories"), *((name, name) for name in found.categories)],
        table=_section(found.table) if found.table else None,
        asked=replace(asked, test=asked.test or "mcnemar"),
        by=by,
        category=category,
        options=_options(asked),
        query=query,
        downloads=[(key, suffix.upper()) for key, suffix in downloads.PAIR_FILES.items()],
        campaigns=found.campaigns,
    )


@router.get("/compare/items")
def compare_items(
    request: Request,
    visit: SuiteVisit,
    asked: Choices,
    first: str,
    second: str,
    side: str,
    category: str = "",
    start: Annotated[int, Query(ge=0)] = 0,
    shown: bool = False,
) -> Response:
    """More items that only one of two systems got right."""
    with visit.reading() as reader:
        pair = SystemPair(first, second)
        portion = more_items(reader, pair, asked, side, category=category or None, start=start)
        reader.ask_first(shown=shown)
    query = {"suite": visit.suite(), "first": first, "second": second, **asked.query()}
    return render(request, "part/results_changes.html", portion=portion, query=query, category=category)


@router.get("/compare/download/{key}")
def download_comparison(
    request: Request,
    visit: SuiteVisit,
    asked: Choices,
    key: str,
    first: str,
    second: str,
    by: str = "category",
    shown: bool = False,
) -> Response:
    """A comparison as a file."""
    with visit.reading() as reader:
        file = downloads.download_pair(reader, SystemPair(first, second), asked, key, by=by)
        reader.ask_first(shown=shown)
        return send(file)


@router.get("/years")
def years_page(request: Request, visit: SuiteVisit, asked: Choices, by: str = "category") -> Response:
    """Campaigns with the systems that return."""
    with visit.reading() as reader:
        found = show_years(reader, asked, by=by)
    return render(
        request,
        "years.html",
        400 if found.problem else 200,
        found=found,
        tables=[_section(table) for table in _linked(visit.suite(), found)],
        asked=replace(found.asked, test=asked.test or "ztest"),
        by=by,
        options=_options(asked),
        query={"suite": visit.suite(), "by": by, **found.asked.query()},
        downloads=[(key, suffix.upper()) for key, suffix in downloads.YEAR_FILES.items()],
    )


@router.get("/years/download/{key}")
def download_years(request: Request, visit: SuiteVisit, asked: Choices, key: str, by: str = "category") -> Response:
    """Campaigns as a file."""
    with visit.reading() as reader:
        return send(downloads.download_years(reader, asked, key, by=by))


# What templates need


def _shown_results(visit: Visit, reader: Reader, asked: ResultOptions) -> dict[str, Any]:
    """What the page shows is the same for everybody: it has numbers and names, and no texts."""
    return reader.figure(("results", asked), lambda: _results(visit, show_results(reader, asked)))


def _results(visit: Visit, results: Results | NoResults) -> dict[str, Any]:
    form = _form(visit, results)
    return form | ({"problem": results.problem} if isinstance(results, NoResults) else _numbers(results))


def _form(visit: Visit, form: ResultForm) -> dict[str, Any]:
    asked = form.asked
    return {
        "results": form,
        "asked": replace(asked, test=asked.test or "ztest"),
        "options": _options(asked),
        "campaigns": [*((name, name or "no campaign") for name in reversed(form.campaigns)), (ALL, "all campaigns")],
        "query": {"suite": visit.suite(), **asked.query()},
        "grouped": False,
    }


def _numbers(results: Results) -> dict[str, Any]:
    evaluation = results.evaluation
    return {
        "problem": "",
        "grouped": evaluation.settings.units is not None,
        "basis": evaluation.basis,
        "facts": facts(evaluation),
        "answer": part("reports/parts.html", "answer_sentences")(results.answer),
        "heat": heat_table(evaluation, results.table, styled=False),
        "data": json.dumps({"systems": evaluation.columns, "rows": row_data(evaluation)}, separators=(",", ":")),
        "notes": _without_signature(results.table).notes,
        "signature": evaluation.signature,
        "systems": systems_section(evaluation),
        "tags": _section(results.tags) if results.tags else None,
        "labels": _section(labels_table(evaluation)) if evaluation.labels else None,
        "downloads": downloads.offered(),
    }


def _cell(visit: Visit, cell: CellItems) -> dict[str, Any]:
    query = {"suite": visit.suite(), **cell.asked.query(), **asdict(cell.place)}
    return {"cell": cell, "cell_query": query, "portion": PORTION}


def _options(asked: ResultOptions) -> dict[str, Any]:
    alphas = sorted({*ALPHAS, asked.alpha}, reverse=True)
    # What has no effect is not offered: the others count items that are right, and an estimate has shares of them.
    tests = {"test": (("ztest", "paired z, of estimates"),)} if asked.policy == ESTIMATE else {}
    return OPTIONS | tests | {"alpha": [(f"{alpha:g}", f"{alpha:g}") for alpha in alphas]}


def _linked(suite: str, found: Campaigns) -> Sequence[Table]:
    """The tables of campaigns; the numbers of the first lead to their items."""
    if not found.tables:
        return ()
    chosen = {name: value for name, value in found.asked.query().items() if name not in ("campaign", "system")}
    first, *others = found.tables
    rows = []
    for row, places in zip(first.rows, found.places, strict=True):
        links = [
            link("/results/cell", suite=suite, campaign=campaign, **chosen, **asdict(place))
            for campaign, place in places
        ]
        # The first column is how many items there are.
        cells = [
            replace(cell, link=address) if cell.value is not None else cell
            for cell, address in zip(row.cells[1:], links, strict=True)
        ]
        rows.append(replace(row, cells=(row.cells[0], *cells)))
    return [replace(first, rows=tuple(rows)), *others]


def _without_signature(table: Table) -> Table:
    return replace(table, notes=plain_notes(table.notes))


def _section(table: Table) -> Markup:
    return table_section(_without_signature(table))
