"""The index page of a report folder: links to everything in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.reports.html_templates import fill


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A line of the index: what it is and the files that hold it."""

    title: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IndexSection:
    """A heading with its entries; `pictures` are shown."""

    title: str
    entries: tuple[IndexEntry, ...] = ()
    pictures: tuple[tuple[str, str], ...] = ()
    """(file, caption)"""


def render(title: str, lead: str, sections: Sequence[IndexSection]) -> str:
    """A plain page that works from a USB stick."""
    return fill("reports/index.html", title=title, lead=lead, sections=sections, short=_short)


def _short(file: str) -> str:
    """`md` for a table in several formats, the whole name for a single file."""
    name = file.rpartition("/")[2]
    return name.rpartition(".")[2] if "/" in file else name
