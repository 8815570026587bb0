"""The index page of a report folder: links to everything in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape


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


STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
ul { padding-left: 1.2rem; } a { color: #0b6e75; } figure { margin: 1.5rem 0; }
img { max-width: 100%; height: auto; background: #fff; } figcaption { font-size: .875rem; opacity: .8; }
@media (prefers-color-scheme: dark) { a { color: #5cc8cf; } }
"""


def render(title: str, lead: str, sections: Sequence[IndexSection]) -> str:
    """A plain page that works from a USB stick."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(lead)}</p>",
    ]
    for section in sections:
        parts += [f"<h2>{escape(section.title)}</h2>", *_entries(section.entries)]
        for file, caption in section.pictures:
            parts.append(f'<figure><img src="{escape(file)}" alt="{escape(caption)}">')
            parts.append(f"<figcaption>{escape(caption)}</figcaption></figure>")
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _entries(entries: Sequence[IndexEntry]) -> Iterable[str]:
    if entries:
        yield "<ul>"
        for entry in entries:
            links = ", ".join(f'<a href="{escape(file)}">{escape(_short(file))}</a>' for file in entry.files)
            yield f"<li>{escape(entry.title)}: {links}</li>"
        yield "</ul>"


def _short(file: str) -> str:
    """`md` for a table in several formats, the whole name for a single file."""
    name = file.rpartition("/")[2]
    return name.rpartition(".")[2] if "/" in file else name
