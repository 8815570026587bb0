"""What rules still decide, in any format: the answer, rows by campaign, rows that are lost, items that cost most.

    print(render(ageing, "markdown", by="both"))

A paper gets the rows alone; the lists are for those who keep the suite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.errors import BadOption, MissingExtra
from assay.evaluation import By
from assay.evaluation.rule_age import Ageing, AgeingRow, ItemCost, LostRow, answer_of_ageing
from assay.reports import markdown, render_table, terminal
from assay.reports.answer import answer_markdown, answer_text
from assay.reports.comparison import points
from assay.reports.data import csv_text, result_json
from assay.reports.formats import Renderers, names, refusal
from assay.reports.table import DASH, PaperName, Table, TableCell, TableRow, row_kind, table_row
from assay.result import Note, plain_notes
from assay.text import normalise

SHOWN = 10
"""Lost rows, and items, in the tables; JSON has them all."""

CAMPAIGN_COLUMNS = ("items", "count", "rules")
"""What the table has of each campaign; short names, so that two campaigns fit a terminal of 80 columns."""

SOURCE_WIDTH = 60
"""Characters of a source in the table of items."""


def ageing_table(ageing: Ageing, by: By = "category") -> Table:
    """Rows with the change, which stands beside every campaign where they do not fit side by side."""
    several = len(ageing.columns) > 1
    suite, first = ageing.suite, ["change"] if several else []
    return Table(
        title=f"{suite.name} ({suite.langpair}): items that count, and outputs that the rules decide in per cent",
        corner="phenomenon" if by == "phenomenon" else "category",
        columns=(*first, *CAMPAIGN_COLUMNS * len(ageing.columns)),
        rows=tuple(_row(row, several=several, nested=by == "both") for row in ageing.rows(by)),
        notes=ageing.notes(by),
        groups=(*[""] * several, *(campaign for campaign in ageing.columns for _ in CAMPAIGN_COLUMNS)),
        paper=PaperName.of(
            "ageing", "Items that count, and outputs that rules decide in per cent", suite, ageing.columns
        ),
    )


def _row(row: AgeingRow, *, several: bool, nested: bool) -> TableRow:
    cells = [TableCell(points(row.change), row.change)] if several else []
    for cell in row.cells:
        # Of no item that was found it cannot be said how many count.
        counting = TableCell.count(cell.counting if cell.found else None)
        cells += [TableCell.count(cell.found), replace(counting, strong=cell.is_lost), TableCell.percent(cell.share)]
    made = table_row(row.key, tuple(cells), nested=nested)
    return made if row.category is not None else replace(made, label="all")


def lost_table(ageing: Ageing) -> Table:
    """Categories and phenomena without a counting item, with the item that brings each back with least work."""
    shown = ageing.lost[:SHOWN]
    return Table(
        title=f"Categories and phenomena without an item that counts: {len(ageing.lost):,}",
        corner="category, phenomenon",
        columns=("items", "at", "left", "item"),
        rows=tuple(map(_lost_row, shown)),
        notes=(
            *_cut(shown, ageing.lost),
            Note(
                "item: the one that brings the row back with the fewest judgements, which are left; – where none can."
            ),
        ),
        paper=PaperName.of("ageing-lost", "No item counts", ageing.suite, ageing.columns),
    )


def _lost_row(row: LostRow) -> TableRow:
    item = row.nearest.id if row.nearest else DASH
    cells = TableCell.count(row.found), TableCell(", ".join(row.campaigns)), TableCell.count(row.left), TableCell(item)
    kind = row_kind(row.category, row.phenomenon)
    return TableRow(kind, row.phenomenon or row.category or "", cells, int(row.level == "phenomenon"))


def costs_table(ageing: Ageing, *, sources: bool = False) -> Table:
    """The items with the most undecided outputs, with their `sources` where there is room."""
    shown = ageing.items[:SHOWN]
    return Table(
        title=f"Items with undecided outputs: {len(ageing.items):,}",
        corner="item",
        columns=(*ageing.columns, "left", "phenomenon", *(["source"] if sources else [])),
        rows=tuple(_cost_row(cost, sources=sources) for cost in shown),
        notes=(
            *_cut(shown, ageing.items),
            Note(
                f"left: texts of {ageing.columns[-1]} to judge before the item counts; – where an output is missing, 0 "
                "where it counts."
            ),
        ),
        paper=PaperName.of("ageing-items", "Items with undecided outputs", ageing.suite, ageing.columns),
    )


def _cost_row(cost: ItemCost, *, sources: bool) -> TableRow:
    cells = [
        TableCell(f"{undecided:,} of {outputs:,}", undecided) if outputs else TableCell(DASH)
        for outputs, undecided in zip(cost.outputs, cost.undecided, strict=True)
    ]
    cells += [TableCell.count(cost.left[-1]), TableCell(cost.item.phenomenon)]
    cells += [TableCell(_short(cost.item.source))] if sources else []
    return TableRow("phenomenon", cost.item.id, tuple(cells), 0)


def _short(text: str) -> str:
    folded = normalise(text)
    return folded if len(folded) <= SOURCE_WIDTH else folded[: SOURCE_WIDTH - 1] + "…"


def _cut(shown: Sequence[object], there: Sequence[object]) -> Iterator[Note]:
    if len(shown) < len(there):
        yield Note(f"The first {len(shown)} of {len(there):,}; JSON has them all.")


def _tables(ageing: Ageing, by: By, *, sources: bool) -> Iterator[Table]:
    """All tables; the notes of the result stand under the last one."""
    lists = [lost_table(ageing)] if ageing.lost else []
    lists += [costs_table(ageing, sources=sources)] if ageing.items else []
    *before, last = [replace(ageing_table(ageing, by), notes=()), *lists]
    yield from before
    yield replace(last, notes=(*last.notes, *ageing.notes(by)))


def render_text(
    ageing: Ageing, by: By = "category", *, mend: str = "assay warnings", width: int | None = None, ansi: bool = False
) -> str:
    """For the terminal."""
    answer = answer_text(answer_of_ageing(ageing, mend), width=width, ansi=ansi)
    return "\n".join(
        [answer, *(terminal.render(table, width=width, ansi=ansi) for table in _tables(ageing, by, sources=False))]
    )


def render_markdown(ageing: Ageing, by: By = "category", *, mend: str = "assay warnings") -> str:
    """The same as Markdown, with the sources of the items."""
    tables = (markdown.render(table) for table in _tables(ageing, by, sources=True))
    return "\n".join([answer_markdown(answer_of_ageing(ageing, mend)), *tables])


def render_html(ageing: Ageing, by: By = "category", *, mend: str = "assay warnings") -> str:
    """A page that needs no network and no script, with the figure where there is a trend to draw."""
    from assay.reports.figures.figure import render as draw
    from assay.reports.figures.rule_age import ageing_lines
    from assay.reports.html import inline_figures, page

    figures = {}
    try:
        figure = ageing_lines(ageing)
        said, figures = figure.caption, {figure.title: draw(figure, "svg").decode()}
    except (BadOption, MissingExtra) as error:
        said = f"Left out: {error}."
    main = ageing_table(ageing, by)
    return page(
        "reports/rule_age.html",
        main.title,
        suite=ageing.suite,
        answer=answer_of_ageing(ageing, mend),
        main=replace(main, title="What the rules decide", notes=plain_notes(main.notes)),
        figures=inline_figures(figures),
        said=said,
        lists=[lost_table(ageing)] * bool(ageing.lost) + [costs_table(ageing, sources=True)] * bool(ageing.items),
        signature=ageing.signature,
    )


def render_csv(ageing: Ageing, by: By = "both") -> str:
    """One line per row and campaign, every number as in the JSON."""
    head = ["level", "category", "phenomenon", "items", "campaign"]
    numbers = ["found", "counting", "single", "outputs", "missing", "decided", "share", "common_share"]
    lines = (
        [*row.key, row.items, cell.campaign, *(getattr(cell, name) for name in numbers)]
        for row in ageing.rows(by)
        for cell in row.cells
    )
    return csv_text([*head, *numbers], lines)


RENDERERS: Renderers[Ageing] = {"json": result_json, "csv": render_csv}


def render(
    ageing: Ageing,
    format: str = "table",
    *,
    by: By = "category",
    mend: str = "assay warnings",
    width: int | None = None,
    ansi: bool = False,
) -> str | bytes:
    """In one of the formats; `mend` is the command that lists what to judge."""
    if format not in names("ageing"):
        raise refusal("ageing", format, "ageing")
    if format in names("figure"):
        return _picture(ageing, format)
    if format in RENDERERS:
        return RENDERERS[format](ageing, by)
    if format == "table":
        return render_text(ageing, by, mend=mend, width=width, ansi=ansi)
    if format == "markdown":
        return render_markdown(ageing, by, mend=mend)
    if format == "html":
        return render_html(ageing, by, mend=mend)
    return render_table(ageing_table(ageing, by), format)


def _picture(ageing: Ageing, format: str) -> bytes:
    from assay.reports.figures.figure import render as draw
    from assay.reports.figures.rule_age import ageing_lines

    return draw(ageing_lines(ageing), format)
