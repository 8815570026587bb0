"""A profile in every format: sentences first, then a table for each construction, then examples.

print(render(found, "markdown"))
"""

from collections.abc import Iterator
from dataclasses import replace

from assay.contrasts.profile import ConstructionProfile, ContrastProfile, RenderingShare, TranslationRow
from assay.contrasts.profile_examples import examples
from assay.contrasts.renderings import UNKNOWN, is_reference
from assay.errors import MissingExtra
from assay.languages import bcp47, split_pair
from assay.reports import render_table
from assay.reports.data import csv_text, result_json
from assay.reports.formats import Renderers, names, refusal
from assay.reports.table import DASH, Table, TableCell, TableRow, percent
from assay.text import plural

MORE, LESS = "▲", "▼"
_GROUPS = {"translator": 0, "system": 1, "group": 2}


def render(found: ContrastProfile, format: str = "table", *, width: int | None = None, ansi: bool = False) -> str:
    """A profile in one of the formats."""
    if format not in names("profile"):
        raise refusal("profile", format, "profile")
    if format in RENDERERS:
        made = RENDERERS[format](found, "phenomenon")
        assert isinstance(made, str)
        return made
    tables = all_tables(found)
    sentences = [] if format == "latex" else [construction.finding for construction in found.constructions]
    shown = [render_table(table, format, width=width, ansi=ansi) for table in tables]
    return "\n".join([*(f"{sentence}\n" for sentence in sentences), *shown])


def all_tables(found: ContrastProfile) -> list[Table]:
    """A table for each construction, one of the faults where some are declared; the notes stand under the last one."""
    tables = [*profile_tables(found), *([fault_table(found)] if found.faults else [])]
    return [*tables[:-1], replace(tables[-1], notes=found.notes())]


def fault_table(found: ContrastProfile) -> Table:
    """How often each translation has a rendering that is declared a fault; called unusual where few of them are."""
    columns = tuple(f"{counts.fault.name} ({counts.word})" for counts in found.faults)
    rows = [
        TableRow(
            "category" if is_reference(system) else "phenomenon",
            system.name,
            tuple(TableCell.percent(counts.counts[place].value) for counts in found.faults),
            0 if is_reference(system) else 1,
        )
        for place, system in enumerate(found.renderings.systems)
    ]
    return Table(
        f"{found.name}: of the known renderings, in per cent", "translation", columns, tuple(rows), (), star=""
    )


def profile_tables(found: ContrastProfile) -> Iterator[Table]:
    """A table for each construction."""
    for construction in found.constructions:
        yield construction_table(construction, f"{found.name}: what becomes of {construction.name}")


def construction_table(construction: ConstructionProfile, title: str) -> Table:
    """Shares of renderings, how much is known, and the distance from the translators."""
    return Table(
        title=f"{title}, in per cent of the known renderings",
        corner="translation",
        columns=(*construction.renderings, "known", "unknown", "distance", "95 %"),
        rows=tuple(_row(row) for row in construction.rows),
        notes=(),
        star="",
    )


def _row(row: TranslationRow) -> TableRow:
    unknown = 1 - row.known / row.total if row.total else None
    cells = (
        *map(_share, row.shares),
        TableCell.count(row.known),
        TableCell.percent(unknown, ""),
        *_distance(row),
    )
    return TableRow("category" if row.kind == "translator" else "phenomenon", row.label, cells, _GROUPS[row.kind])


def _share(share: RenderingShare) -> TableCell:
    value = share.share
    mark = {1: MORE, -1: LESS, 0: ""}[share.differs]
    hint = "" if value.low is None else f"{percent(value.low)}–{percent(value.high)}"
    if share.p is not None:
        hint += f"; p {share.p:.4f}"
    return TableCell(percent(value.value) + mark, value.value, hint=hint)


def _distance(row: TranslationRow) -> tuple[TableCell, TableCell]:
    distance = row.distance
    if distance.value is None or distance.low is None or distance.high is None:
        return TableCell(DASH), TableCell(DASH)
    mark = MORE if row.beyond else ""
    return (
        TableCell(f"{distance.value:.3f}{mark}", distance.value),
        TableCell(f"{distance.low:.3f}–{distance.high:.3f}"),
    )


def render_csv(found: ContrastProfile) -> str:
    """A line for each construction, translation and rendering."""
    columns = ["construction", "translation", "kind", "rendering", "count", "known", *UNKNOWN]
    columns += ["share", "low", "high", "difference", "p", "distance", "distance_low", "distance_high", "beyond"]
    return csv_text(columns, _csv_lines(found))


def _csv_lines(found: ContrastProfile) -> Iterator[list[object]]:
    for construction in found.constructions:
        for row in construction.rows:
            distance = row.distance
            for rendering, share in zip(construction.renderings, row.shares, strict=True):
                yield [
                    *(construction.name, row.label, row.kind, rendering, share.count, row.known),
                    *(row.reasons[reason] for reason in UNKNOWN),
                    *(share.share.value, share.share.low, share.share.high, share.difference, share.p),
                    *(distance.value, distance.low, distance.high, row.beyond),
                ]


def _page(found: ContrastProfile) -> str:
    """The page: sentences, the figure, the tables with their intervals, and examples for every cell."""
    from assay.contrasts.profile_figures import profile_figures
    from assay.reports.figures.figure import render as draw
    from assay.reports.html import inline_figures, page

    try:
        pictures = {figure.title: draw(figure, "svg").decode() for figure in profile_figures(found)}
    except MissingExtra:
        pictures = {}
    return page(
        "contrasts/profile.html",
        f"{found.name}: profile",
        found=found,
        sections=[
            (construction, table, _summary(construction), examples(found, place))
            for place, (construction, table) in enumerate(zip(found.constructions, profile_tables(found), strict=True))
        ],
        faults=fault_table(found) if found.faults else None,
        figures=inline_figures(pictures),
        notes=[note for note in found.notes() if not note.is_signature],
        signature=found.signature,
        languages=[bcp47(code) for code in split_pair(found.renderings.contrasts.langpair)],
    )


def _summary(construction: ConstructionProfile) -> str:
    return f"{plural(construction.keywords, 'keyword')} in {plural(construction.sentences, 'sentence')}"


RENDERERS: Renderers[ContrastProfile] = {
    "json": lambda found, by: result_json(found, "phenomenon"),
    "csv": lambda found, by: render_csv(found),
    "html": lambda found, by: _page(found),
}
