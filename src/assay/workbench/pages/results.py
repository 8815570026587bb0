"""Pages about results: the heat map with the items behind its cells, two systems, campaigns, downloads.

What was chosen is the query of the address, which can be shared.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import PlainTextResponse
from markupsafe import Markup

from assay.reports.html import asset
from assay.reports.html_table import facts, heat_table, row_data, systems_section, table_section
from assay.reports.table import Table
from assay.result import plain_notes
from assay.workbench.pages.render import ChosenSuite, render, wants_part
from assay.workbench.people.roles import User
from assay.workbench.results.compare import SystemPair, changed_items, compare_board, compare_systems, show_years
from assay.workbench.results.downloads import (
    PAIR_FILES,
    YEAR_FILES,
    DownloadFile,
    download,
    download_pair,
    download_years,
    offered,
)
from assay.workbench.results.results import (
    ALL,
    DRAWS,
    PORTION,
    CellItems,
    CellPlace,
    ResultOptions,
    Results,
    named,
    open_cell,
    show_results,
)
from assay.workbench.security import Me
from assay.workbench.snapshot import Snapshot
from assay.workbench.state import State
from assay.workbench.text_view import languages

router = APIRouter()

ALPHAS = (0.1, 0.05, 0.01, 0.001)

OPTIONS = {
    "policy": (
        ("fair", "fair: same items for all"),
        ("own", "own: each system's items"),
        ("strict", "strict: warnings fail"),
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


def asked_for(
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
) -> ResultOptions:
    """The choices in an address."""
    return ResultOptions(
        tuple(campaign or ()),
        tuple(system or ()),
        policy,
        test,
        alpha,
        correction,
        draws,
        seed,
        keep_all,
        merge_identical,
    )


Choices = Annotated[ResultOptions, Depends(asked_for)]


def place_of(
    column: str, category: str | None = None, phenomenon: str | None = None, average: str | None = None
) -> CellPlace:
    """The cell in an address."""
    return CellPlace(column, category or None, phenomenon or None, average or None)


Cell = Annotated[CellPlace, Depends(place_of)]
Verdicts = Annotated[list[str] | None, Query()]


def _reveal(request: Request, user: User, board: Snapshot, items: Iterable[str]) -> None:
    """Remember that this user saw who wrote the texts of these items, and what became of them."""
    state: State = request.app.state.assay
    texts = (text_id for item in items for text_id in board.by_item[board.place(item)])
    state.desk.reveal(user, texts, "systems", "judgements")


def board_of(request: Request, suite: str) -> Snapshot:
    state: State = request.app.state.assay
    return state.boards.get(suite)


@router.get("/static/heatmap.js")
def heat_map_script() -> Response:
    """The script that reports and this page share."""
    return PlainTextResponse(asset("heatmap.js"), media_type="text/javascript")


@router.get("/results")
def results_page(request: Request, user: Me, suite: ChosenSuite, asked: Choices) -> Response:
    """The heat map; a part of the page where a choice was changed."""
    results = show_results(board_of(request, suite), asked)
    template = "part/results_table.html" if wants_part(request) else "results.html"
    return render(request, template, **_results(suite, results), cell=None)


@router.get("/results/cell")
def cell_part(
    request: Request,
    user: Me,
    suite: ChosenSuite,
    asked: Choices,
    place: Cell,
    verdict: Verdicts = None,
    start: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """The items of a cell: for the panel beside the table, or the whole page with the panel open."""
    board = board_of(request, suite)
    asked = named(board, asked)
    cell = open_cell(board, asked, place, verdicts=verdict or (), start=start)
    _reveal(request, user, board, (entry.item.id for group in cell.groups for entry in group.items))
    context = _cell(suite, board, asked, cell)
    if wants_part(request):
        return render(request, "part/results_items.html" if start else "part/results_cell.html", **context)
    return render(request, "results.html", **_results(suite, show_results(board, asked)) | context)


@router.get("/results/download/{key}")
def results_file(request: Request, user: Me, suite: ChosenSuite, asked: Choices, key: str) -> Response:
    """Results as a file."""
    board = board_of(request, suite)
    _reveal(request, user, board, (item.id for item in board.items))
    return _send(download(board, asked, key))


@router.get("/compare")
def compare_page(
    request: Request,
    user: Me,
    suite: ChosenSuite,
    asked: Choices,
    first: str = "",
    second: str = "",
    by: str = "category",
    category: str = "",
) -> Response:
    """Two systems: what only one got right, and whether that means anything."""
    pair = SystemPair(first, second) if first or second else None
    board = board_of(request, suite)
    found = compare_systems(board, pair, asked, by=by, category=category or None)
    _reveal(request, user, board, (change.item.id for side in found.sides for change in side.items))
    query = {"suite": suite, "first": found.pair.first, "second": found.pair.second, "by": by, **asked.query()}
    return render(
        request,
        "compare.html",
        400 if found.problem else 200,
        found=found,
        names=[(name, name) for name in found.names],
        categories=[("", "all categories"), *((name, name) for name in found.categories)],
        table=_section(found.table) if found.table else None,
        asked=replace(asked, test=asked.test or "mcnemar"),
        by=by,
        category=category,
        options=_options(asked),
        query=query,
        downloads=[(key, suffix.upper()) for key, suffix in PAIR_FILES.items()],
        languages=languages(board),
        suite=suite,
        campaigns=board.campaigns,
    )


@router.get("/compare/items")
def compare_items(
    request: Request,
    user: Me,
    suite: ChosenSuite,
    asked: Choices,
    first: str,
    second: str,
    side: str,
    category: str = "",
    start: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """More items that only one of two systems got right."""
    board = board_of(request, suite)
    comparison = compare_board(board, SystemPair(first, second), asked)
    portion = changed_items(comparison, side, category=category or None, start=start)
    _reveal(request, user, board, (change.item.id for change in portion.items))
    query = {"suite": suite, "first": first, "second": second, **asked.query()}
    return render(
        request,
        "part/results_changes.html",
        portion=portion,
        query=query,
        category=category,
        languages=languages(board),
        suite=suite,
    )


@router.get("/compare/download/{key}")
def compare_file(
    request: Request,
    user: Me,
    suite: ChosenSuite,
    asked: Choices,
    key: str,
    first: str,
    second: str,
    by: str = "category",
) -> Response:
    """A comparison as a file."""
    board = board_of(request, suite)
    _reveal(request, user, board, (item.id for item in board.items))
    return _send(download_pair(board, SystemPair(first, second), asked, key, by=by))


@router.get("/years")
def years_page(request: Request, user: Me, suite: ChosenSuite, asked: Choices, by: str = "category") -> Response:
    """Campaigns with the systems that return."""
    found = show_years(board_of(request, suite), asked, by=by)
    return render(
        request,
        "years.html",
        400 if found.problem else 200,
        found=found,
        tables=[_section(table) for table in found.tables],
        asked=replace(found.asked, test=asked.test or "ztest"),
        by=by,
        options=_options(asked),
        query={"suite": suite, "by": by, **found.asked.query()},
        downloads=[(key, suffix.upper()) for key, suffix in YEAR_FILES.items()],
        suite=suite,
    )


@router.get("/years/download/{key}")
def years_file(
    request: Request, user: Me, suite: ChosenSuite, asked: Choices, key: str, by: str = "category"
) -> Response:
    """Campaigns as a file."""
    return _send(download_years(board_of(request, suite), asked, key, by=by))


# What templates need


def _results(suite: str, results: Results) -> dict[str, Any]:
    evaluation, asked = results.evaluation, results.asked
    query = {"suite": suite, **asked.query()}
    return {
        "results": results,
        "asked": replace(asked, test=asked.test or "ztest"),
        "facts": facts(evaluation),
        "heat": heat_table(evaluation, results.table, styled=False),
        "data": json.dumps({"systems": evaluation.columns, "rows": row_data(evaluation)}, separators=(",", ":")),
        "notes": _without_signature(results.table).notes,
        "signature": evaluation.signature,
        "systems": systems_section(evaluation),
        "tags": _section(results.tags) if results.tags else None,
        "downloads": offered(),
        "options": _options(asked),
        "campaigns": [*((name, name or "no campaign") for name in reversed(results.campaigns)), (ALL, "all campaigns")],
        "query": query,
        "suite": suite,
    }


def _cell(suite: str, board: Snapshot, asked: ResultOptions, cell: CellItems) -> dict[str, Any]:
    query = {"suite": suite, **asked.query(), **asdict(cell.place)}
    return {"cell": cell, "cell_query": query, "portion": PORTION, "languages": languages(board), "suite": suite}


def _options(asked: ResultOptions) -> dict[str, Any]:
    alphas = sorted({*ALPHAS, asked.alpha}, reverse=True)
    return OPTIONS | {"alpha": [(f"{alpha:g}", f"{alpha:g}") for alpha in alphas]}


def _without_signature(table: Table) -> Table:
    return replace(table, notes=plain_notes(table.notes))


def _section(table: Table) -> Markup:
    return table_section(_without_signature(table))


def _send(file: DownloadFile) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.content, media_type=file.media, headers=headers)
