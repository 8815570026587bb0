"""A metric's profile in any format: text, Markdown, JSON, and a card in HTML that needs no network and no script.

render_profile([profile_of(evaluation, "chrF")], "html")
write_cards({"chrF": [...], "BLEU": [...]}, Path("cards"))
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from assay.challenge.profile import MetricProfile, ProfileRow
from assay.challenge.report.items import differing, item_text, systems_of
from assay.challenge.report.profile_tables import (
    agreement_table,
    balance_table,
    makers_table,
    profile_tables,
    rows_table,
    set_label,
    sets_table,
)
from assay.errors import BadOption
from assay.files import writing_folder
from assay.reports import render_table
from assay.reports.comparison import p_text
from assay.reports.html import page
from assay.reports.table import Table, TableCell, TableRow, percent
from assay.result import Note, plain_notes
from assay.text import plural

FORMATS = ("table", "markdown", "json", "html")


def render_profile(
    profiles: Sequence[MetricProfile], format: str = "table", *, width: int | None = None, ansi: bool = False
) -> str:
    """The profile of one metric on one set or several."""
    if format == "json":
        return json.dumps([profile_document(profile) for profile in profiles], ensure_ascii=False, indent=2) + "\n"
    if format == "html":
        return render_card(profiles)
    if format not in FORMATS:
        raise BadOption(f"a profile cannot be written as {format}; choose one of {', '.join(FORMATS)}")
    parts = [render_table(sets_table(profiles), format, width=width, ansi=ansi)]
    for profile in profiles:
        parts.append("\n".join(spot_lines(profile, markdown=format == "markdown")) + "\n")
        parts += [render_table(table, format, width=width, ansi=ansi) for table in profile_tables(profile)]
    return "\n".join(part if part.endswith("\n") else part + "\n" for part in parts)


def profile_document(profile: MetricProfile) -> dict[str, Any]:
    """The JSON of a profile: its fields as they are called in Python."""
    document = asdict(profile)
    document["averages"] = [
        {"level": level, "group_mean": mean, **asdict(cell)} for level, cell, mean in profile.averages
    ]
    document["agreement"] = [asdict(pair) | {"shared": pair.shared} for pair in profile.agreement]
    document["blind_spots"] = [
        {"row": asdict(spot.row), "examples": [item.id for item in spot.examples]} for spot in profile.blind_spots
    ]
    return document


def claim(row: ProfileRow) -> str:
    """A difference with its number, sources and test, in words."""
    side = "below" if (row.difference or 0) < 0 else "above"
    return (
        f"{percent(row.accuracy)} %, {percent(abs(row.difference or 0))} points {side} its group "
        f"({percent(row.group_mean)} %); {plural(row.size, 'challenge item')} from {plural(row.sources, 'source')}, "
        f"p {p_text(row.p or 0)}"
    )


def spot_lines(profile: MetricProfile, *, markdown: bool = False) -> Iterator[str]:
    """Blind spots with examples, then strengths, as lines of text."""
    bullet = "- " if markdown else "  "
    spots = profile.blind_spots
    yield f"{'## ' if markdown else ''}Blind spots on {set_label(profile)}: {len(spots)}"
    for spot in spots:
        yield f"{bullet}{spot.row.label}: {claim(spot.row)}"
        for item in spot.examples:
            yield from (f"  {line}" if markdown else line for line in item_text(item))
    yield f"{'## ' if markdown else ''}Strengths: {len(profile.strengths)}"
    for row in profile.strengths:
        yield f"{bullet}{row.label}: {claim(row)}"


# Cards


def render_card(profiles: Sequence[MetricProfile], *, index: str = "") -> str:
    """The HTML card of a metric; `index` is the address of the page with all of them."""
    first = profiles[0]
    return page(
        "challenge/profile.html",
        f"{first.metric}: profile",
        metric=first.metric,
        group=first.group,
        index=index,
        facts=[first.group, plural(len(profiles), "set"), f"alpha {first.alpha:g}"],
        sets=_bare(sets_table(profiles)),
        set_notes=plain_notes(sets_table(profiles).notes),
        signatures=[note for note in sets_table(profiles).notes if note.is_signature],
        sections=list(map(_section, profiles)),
        claim=claim,
        differing=differing,
        systems_of=systems_of,
    )


def _section(profile: MetricProfile) -> dict[str, Any]:
    tables = [rows_table(profile), balance_table(profile)]
    tables += [makers_table(profile)] if profile.by_maker else []
    tables += [agreement_table(profile)] if profile.agreement else []
    return {
        "label": set_label(profile),
        "profile": profile,
        "bars": [
            _bar(row, profile.alpha) for row in profile.rows if row.phenomenon is None and row.group_mean is not None
        ],
        "tables": [replace(table, title=_title(table)) for table in tables],
    }


def _title(table: Table) -> str:
    """Without the metric and the set, which the section names."""
    title = table.title.partition(": ")[2]
    return title[:1].upper() + title[1:]


def _bare(table: Table) -> Table:
    return replace(table, title="Sets side by side", notes=())


def _bar(row: ProfileRow, alpha: float) -> dict[str, Any]:
    """A category as a line of the picture: places in per cent of its width."""
    group = row.group_mean or 0.0
    return {
        "label": row.category,
        "at": 100 * row.accuracy,
        "low": None if row.low is None else 100 * row.low,
        "high": None if row.high is None else 100 * row.high,
        "group": 100 * group,
        "text": f"{percent(row.accuracy)} (group {percent(group)})",
        "told": row.p is not None and row.p < alpha,
        "below": (row.difference or 0) < 0,
        "sources": row.sources,
    }


def card_file(metric: str, taken: Sequence[str] = ()) -> str:
    """What the card of a metric is called; no two are the same."""
    name = re.sub(r"[^\w.+-]", "_", metric)
    number = 2
    file = f"{name}.html"
    # Some file systems take chrF and CHRF for one.
    while file.lower() in {name.lower() for name in (*taken, "index.html")}:
        file, number = f"{name}-{number}.html", number + 1
    return file


def card_pages(profiles: Mapping[str, Sequence[MetricProfile]]) -> dict[str, str]:
    """File -> page: a card for each metric, and the index."""
    files: dict[str, str] = {}
    for metric in profiles:
        files[metric] = card_file(metric, [*files.values()])
    pages = {files[metric]: render_card(found, index="index.html") for metric, found in profiles.items()}
    return {"index.html": _index(profiles, files), **pages}


def write_cards(profiles: Mapping[str, Sequence[MetricProfile]], folder: Path, *, force: bool = False) -> list[Path]:
    """The cards and their index, into a folder."""
    pages = card_pages(profiles)
    with writing_folder(folder, force=force) as inside:
        for name, text in pages.items():
            (inside / name).write_text(text, encoding="utf-8")
    return [folder / name for name in pages]


def _index(profiles: Mapping[str, Sequence[MetricProfile]], files: Mapping[str, str]) -> str:
    sets = list(dict.fromkeys(set_label(profile) for found in profiles.values() for profile in found))
    rows = [
        TableRow(
            "category",
            metric,
            (TableCell(found[0].group), *_index_cells(found, sets)),
            0,
        )
        for metric, found in profiles.items()
    ]
    columns = [column for name in sets for column in (f"{name}", "95 %", "blind spots", "ties")]
    table = Table("All metrics", "metric", ("group", *columns), tuple(rows), (), star="")
    notes = (
        "accuracy over all challenge items of a set, in per cent, with its 95 % interval from drawing sources; blind "
        "spots: phenomena in which a metric is significantly below the mean of its group.",
    )
    return page(
        "challenge/profiles.html", "Profiles of metrics", table=table, files=files, notes=tuple(map(Note, notes))
    )


def _index_cells(found: Sequence[MetricProfile], sets: Sequence[str]) -> Iterator[TableCell]:
    by_set = {set_label(profile): profile for profile in found}
    for name in sets:
        profile = by_set.get(name)
        if profile is None:
            yield from (TableCell("–"),) * 4
            continue
        row = profile.overall
        interval = "–" if row.low is None or row.high is None else f"{percent(row.low)} to {percent(row.high)}"
        yield TableCell.percent(row.accuracy)
        yield TableCell(interval)
        yield TableCell.count(len(profile.blind_spots))
        yield TableCell(percent(profile.ties / profile.size), profile.ties / profile.size)
