"""Use case: results as files, in every format.

download(reader, ResultOptions(policy="own"), "verdicts.tsv").content

Whoever gets a file has seen what it holds.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import find_spec
from io import BytesIO, StringIO
from pathlib import Path
from typing import Final

from assay.errors import BadOption, UnknownName
from assay.evaluation import By, Evaluation
from assay.evaluation.years import Years
from assay.reports import comparison, data, html, render, render_table
from assay.reports import figures as drawing
from assay.reports.formats import suffixes, taking
from assay.reports.methods import methods
from assay.reports.table import Table
from assay.text import slug
from assay.tsv import TsvWriter
from assay.verdicts import parquet
from assay.verdicts.files import write_verdicts
from assay.workbench.reader import Reader
from assay.workbench.results.compare import SystemPair, check_by, compare_snapshot, compare_years, years_tables
from assay.workbench.results.results import ALL, ResultOptions, evaluate_snapshot, named
from assay.workbench.snapshot import Snapshot
from assay.workbench.text_view import holding, system_names
from assay.workbench.work.tags import tags_table

Maker = Callable[[Snapshot, Evaluation], str | bytes]

MEDIA: Final = {
    kind.suffix: kind.media for kind in (*taking("evaluation"), *taking("figure")) if not kind.is_screen
} | {
    ".tsv": "text/tab-separated-values; charset=utf-8",
    ".jsonl": "application/jsonl; charset=utf-8",
}
"""Suffix -> media type; verdicts and judgements have two that reports have not."""

_WRITTEN: Final = [kind.suffix for kind in taking("years") if not kind.is_screen]
PAIR_FILES: Final = {f"comparison{suffix}": suffix[1:] for suffix in (*_WRITTEN, ".html")}
YEAR_FILES: Final = {f"years{suffix}": suffix[1:] for suffix in _WRITTEN}

_JUDGEMENT_FIELDS: Final = (
    *("item", "category", "phenomenon", "text", "verdict", "by", "on", "kind", "acceptability", "tags", "comment"),
    *("blind", "seen", "systems"),
)


@dataclass(frozen=True, slots=True)
class DownloadFile:
    """A file to send."""

    name: str
    media: str
    content: bytes


@dataclass(frozen=True, slots=True)
class DownloadKind:
    """What can be downloaded: the end of its address, what it is called, and the package that it needs."""

    key: str
    title: str
    make: Maker
    needs: str = ""


@dataclass(frozen=True, slots=True)
class DownloadGroup:
    title: str
    kinds: tuple[DownloadKind, ...]


@cache
def offered() -> tuple[DownloadGroup, ...]:
    """What can be had here: formats whose packages are missing are left out."""
    groups = (
        replace(group, kinds=tuple(kind for kind in group.kinds if not kind.needs or find_spec(kind.needs)))
        for group in GROUPS
    )
    return tuple(group for group in groups if group.kinds)


def download(reader: Reader, asked: ResultOptions, key: str) -> DownloadFile:
    """Results in a format; `assay evaluate` with the same choices on exported files has the same numbers.

    Many formats hold every text with who wrote it.
    """
    snapshot = reader.everything()
    kinds = {kind.key: kind for group in GROUPS for kind in group.kinds}
    if key not in kinds:
        raise UnknownName("download", key, kinds)
    asked = named(snapshot, asked)
    campaigns = ["all"] if ALL in asked.campaigns else asked.campaigns
    content = kinds[key].make(snapshot, evaluate_snapshot(snapshot, asked))
    return _file(reader, [snapshot.stored.suite.name, *campaigns, asked.policy], key, content)


def download_pair(reader: Reader, pair: SystemPair, asked: ResultOptions, key: str, *, by: str) -> DownloadFile:
    """Two systems compared, in a format."""
    snapshot = reader.everything()
    if key not in PAIR_FILES:
        raise UnknownName("download", key, PAIR_FILES)
    found, rows = compare_snapshot(snapshot, pair, asked), check_by(by)
    if key.endswith(".md"):
        content = comparison.render_markdown(found, rows, None)
    elif key.endswith(".html"):
        content = comparison.render_html(found, rows, None)
    elif key.endswith(".json"):
        content = data.result_json(found, rows)
    else:
        content = _table(comparison.comparison_table(found, rows), key)
    return _file(reader, [snapshot.stored.suite.name, *pair.names], key, content)


def download_years(reader: Reader, asked: ResultOptions, key: str, *, by: str) -> DownloadFile:
    """Campaigns beside each other, in a format; numbers alone."""
    if key not in YEAR_FILES:
        raise UnknownName("download", key, YEAR_FILES)
    found = compare_years(reader, asked)
    return _file(reader, [reader.snapshot.stored.suite.name, *found.campaigns], key, _years(found, key, check_by(by)))


def _years(found: Years, key: str, by: By) -> str:
    """Markdown and LaTeX have the changes from each campaign to the next too."""
    if key.endswith(".json"):
        return data.result_json(found, by)
    tables = years_tables(found, by)
    return "\n".join(_table(table, key) for table in (tables[:1] if key.endswith(".csv") else tables))


def _file(reader: Reader, parts: Sequence[str], key: str, content: str | bytes) -> DownloadFile:
    stem = "-".join(slug(part)[:60] for part in parts if part)
    reader.handed_out.append(f"{stem}-{key}")
    # Outputs read from JSON may hold half a surrogate pair, which no file can.
    made = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    return DownloadFile(f"{stem}-{key}", MEDIA[Path(key).suffix], made)


# How each file is made


def _table(table: Table, key: str) -> str:
    return render_table(table, suffixes("table")[Path(key).suffix])


def _rendered(format: str, by: By | None = None) -> Maker:
    return lambda snapshot, evaluation: render(evaluation, format, by=by)


def _verdicts(snapshot: Snapshot, evaluation: Evaluation, *, jsonl: bool) -> str:
    stream = StringIO(newline="")
    write_verdicts(evaluation.table, stream, jsonl=jsonl)
    return stream.getvalue()


def _parquet(snapshot: Snapshot, evaluation: Evaluation) -> bytes:
    stream = BytesIO()
    parquet.write_verdicts(evaluation.table, stream)
    return stream.getvalue()


def _report(snapshot: Snapshot, evaluation: Evaluation) -> str:
    tags = tags_table(snapshot, evaluation)
    return html.render_html(evaluation, extras=[tags] if tags else [])


def _tags(snapshot: Snapshot, evaluation: Evaluation) -> str:
    table = tags_table(snapshot, evaluation)
    if table is None:
        raise BadOption("no judgement of these outputs has a tag or a value of acceptability")
    return data.table_csv(table)


def _judgements(snapshot: Snapshot, evaluation: Evaluation) -> str:
    """All judgements of the suite that hold, whoever wrote the text."""
    stream = StringIO(newline="")
    writer = TsvWriter(stream)
    writer.writerow(_JUDGEMENT_FIELDS)
    for line in _judgement_lines(snapshot):
        writer.writerow(line)
    return stream.getvalue()


def _judgement_lines(snapshot: Snapshot) -> Iterator[list[str]]:
    for place, text_ids in enumerate(snapshot.by_item):
        item = snapshot.items[place]
        for text in (snapshot.texts[text_id] for text_id in text_ids):
            if not text.settlement:
                continue
            systems = ", ".join(system_names(snapshot, snapshot.writers(place, text.id)))
            for event in holding(text.settlement):
                value = "" if event.acceptability is None else str(event.acceptability)
                yield [
                    *(item.id, item.category, item.phenomenon, text.value, event.verdict or "", event.by, event.dated),
                    *(event.kind, value, ", ".join(event.tags), event.comment),
                    *("yes" if event.blind else "no", ", ".join(event.seen), systems),
                ]


def _sorted_phenomena(evaluation: Evaluation) -> drawing.Figure:
    series = drawing.phenomenon_series(evaluation)
    return drawing.sorted_phenomena(series, provenance=drawing.provenance(evaluation))


def _figures(name: str, title: str, draw: Callable[[Evaluation], drawing.Figure]) -> DownloadGroup:
    def maker(format: str) -> Maker:
        return lambda snapshot, evaluation: drawing.render(draw(evaluation), format)

    kinds = (
        DownloadKind(f"{name}{kind.suffix}", kind.title, maker(kind.name), kind.needs) for kind in taking("figure")
    )
    return DownloadGroup(f"Figure: {title}", tuple(kinds))


def _tables(name: str, by: By) -> DownloadGroup:
    """What is rendered from the table; the rest holds everything."""
    kinds = (
        DownloadKind(f"{name}{kind.suffix}", kind.title, _rendered(kind.name, by), kind.needs)
        for kind in taking("evaluation")
        if not kind.evaluation and not kind.is_screen
    )
    return DownloadGroup(name.capitalize(), tuple(kinds))


def _everything() -> Iterator[DownloadKind]:
    """What is to be read first, then data, then what needs a package."""
    whole = [kind for kind in taking("evaluation") if kind.evaluation]
    for kind in sorted(whole, key=lambda kind: (bool(kind.needs), not kind.is_whole)):
        name, make = ("report", _report) if kind.name == "html" else ("results", _rendered(kind.name))
        yield DownloadKind(f"{name}{kind.suffix}", kind.title, make, kind.needs)
    yield DownloadKind("methods.md", "paragraph for a paper", lambda snapshot, evaluation: methods(evaluation))


GROUPS: Final = (
    _tables("categories", "category"),
    _tables("phenomena", "both"),
    DownloadGroup("Everything", tuple(_everything())),
    DownloadGroup(
        "Verdicts",
        (
            DownloadKind("verdicts.tsv", "TSV", partial(_verdicts, jsonl=False)),
            DownloadKind("verdicts.jsonl", "JSONL", partial(_verdicts, jsonl=True)),
            DownloadKind("verdicts.parquet", "Parquet", _parquet, "pyarrow"),
        ),
    ),
    DownloadGroup(
        "Judgements",
        (
            DownloadKind("judgements.tsv", "TSV with acceptability and tags", _judgements),
            DownloadKind("tags.csv", "tags (CSV)", _tags),
        ),
    ),
    _figures("heat-map", "heat map", drawing.heat_map),
    _figures("dot-plot", "averages", drawing.dot_plot),
    _figures("sorted-phenomena", "phenomena, sorted", _sorted_phenomena),
)
