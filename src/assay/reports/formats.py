"""Every format that something can be written in, one entry each; commands, downloads and docs are read from here.

    names("years")                          ("table", "markdown", "latex", "csv", "json")
    FORMATS["markdown"].suffix              ".md"

A further format for tables is a module with a function that renders a `Table`, and an entry that names it; every result
that is shown as tables then has it. What is no table (data, a page, a workbook) is made by the module of the result,
which has `Renderers` for it; those of an evaluation are named here. Functions are named as `module:function` and
imported when they are called, since `--help` reads this module.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Literal, TypeVar

from assay.errors import BadOption

ResultKind = Literal[
    "table",
    "evaluation",
    "scores",
    "comparison",
    "years",
    "ageing",
    "challenge",
    "contrasts",
    "profile",
    "calibration",
    "replay",
    "submission",
    "figure",
]
"""What is written: a table on its own, an evaluation (also with outside scores), and the results of the features."""

R = TypeVar("R")
Renderers = Mapping[str, Callable[[R, Any], str | bytes]]
"""Name of a format -> what makes it from a result and the rows to show (`--by`), where it is not made from tables."""


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """A format. `is_whole` ones always hold everything and leave nothing to `--by`; `is_screen` is for the terminal."""

    name: str
    suffix: str
    media: str
    title: str
    takes: tuple[ResultKind, ...]
    table: str = ""
    """What renders a table, if anything does."""
    evaluation: str = ""
    """What renders an evaluation, if that is not done by rendering its table."""
    needs: str = ""
    """The package beyond those that are always installed."""
    is_binary: bool = False
    is_whole: bool = False
    is_screen: bool = False


_DATA: Final[tuple[ResultKind, ...]] = (
    "evaluation",
    "years",
    "ageing",
    "challenge",
    "contrasts",
    "profile",
    "calibration",
    "replay",
)
_TABLES: Final[tuple[ResultKind, ...]] = ("table", "scores", *_DATA)
_TEXTS: Final[tuple[ResultKind, ...]] = (*_TABLES, "comparison")
_WHOLE: Final[tuple[ResultKind, ...]] = ("evaluation", "challenge", "contrasts")

_PICTURES: Final[tuple[ResultKind, ...]] = ("figure", "ageing", "replay")

_PLAIN: Final = "text/plain; charset=utf-8"
_EXCEL: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_ENTRIES: Final = (
    ReportFormat("table", ".txt", _PLAIN, "text", _TEXTS, table=".terminal:render", is_screen=True),
    ReportFormat("text", ".txt", _PLAIN, "text", ("submission",)),
    ReportFormat(
        "markdown", ".md", "text/markdown; charset=utf-8", "Markdown", (*_TEXTS, "submission"), table=".markdown:render"
    ),
    ReportFormat("latex", ".tex", "application/x-tex; charset=utf-8", "LaTeX", _TABLES, table=".latex:render"),
    ReportFormat(
        "csv",
        ".csv",
        "text/csv; charset=utf-8",
        "CSV",
        ("table", *_DATA),
        table=".data:table_csv",
        evaluation=".data:render_csv",
    ),
    ReportFormat(
        "json",
        ".json",
        "application/json",
        "JSON",
        (*_DATA, "scores", "comparison"),
        evaluation=".data:render_json",
    ),
    ReportFormat(
        "html",
        ".html",
        "text/html; charset=utf-8",
        "report (HTML)",
        (*_WHOLE, "profile", "ageing", "comparison", "submission"),
        evaluation=".html:render_html",
        is_whole=True,
    ),
    ReportFormat(
        "xlsx",
        ".xlsx",
        _EXCEL,
        "spreadsheet (XLSX)",
        _WHOLE,
        evaluation=".xlsx:render",
        is_binary=True,
        is_whole=True,
    ),
    ReportFormat(
        "parquet",
        ".parquet",
        "application/vnd.apache.parquet",
        "Parquet",
        ("evaluation",),
        evaluation=".parquet:rows",
        needs="pyarrow",
        is_binary=True,
        is_whole=True,
    ),
    ReportFormat("svg", ".svg", "image/svg+xml", "SVG", _PICTURES, needs="vl_convert"),
    ReportFormat("png", ".png", "image/png", "PNG", _PICTURES, needs="vl_convert", is_binary=True),
    ReportFormat("pdf", ".pdf", "application/pdf", "PDF", _PICTURES, needs="vl_convert", is_binary=True),
)

FORMATS: Final = {entry.name: entry for entry in _ENTRIES}
"""Name -> format, in the order in which they are offered."""


def taking(kind: ResultKind) -> list[ReportFormat]:
    """The formats for a kind of result."""
    return [entry for entry in FORMATS.values() if kind in entry.takes]


def names(kind: ResultKind) -> tuple[str, ...]:
    """The names of the formats for a kind of result."""
    return tuple(entry.name for entry in taking(kind))


def suffixes(kind: ResultKind) -> dict[str, str]:
    """The suffixes of files for a kind of result, and the formats that they name."""
    return {entry.suffix: entry.name for entry in taking(kind)}


def is_whole(name: str) -> bool:
    """Whether a format always holds everything."""
    return name in FORMATS and FORMATS[name].is_whole


def refusal(what: str, name: str, kind: ResultKind) -> BadOption:
    """The error that says which formats there are instead."""
    return BadOption(f"{what} cannot be written as {name}; choose one of {', '.join(names(kind))}")


def renderer(home: str) -> Callable[..., Any]:
    """The function that `module:function` names; a module with a dot before it is one of this folder."""
    module, _, name = home.partition(":")
    function: Callable[..., Any] = getattr(import_module(module, __package__), name)
    return function
