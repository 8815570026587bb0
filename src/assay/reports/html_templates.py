"""Pages from templates: what comes from outside is escaped, whatever it is.

    fill("reports/index.html", title="…", lead="…", sections=[])

A template is named by the folder that has it: `challenge/report.html` is the file `challenge/templates/report.html`.
Jinja2 is imported when the first page is made, since most commands make none.
"""

from collections.abc import Callable
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def fill(name: str, **values: Any) -> str:
    """A template with these values; only `Markup` is taken as it is."""
    return _environment().get_template(name).render(values)


def part(name: str, macro: str) -> "Callable[..., Markup]":
    """A macro of a template, to be called like a function."""
    found: Callable[..., Markup] = getattr(_environment().get_template(name).module, macro)
    return found


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    def quoted(value: Any) -> Any:
        """Quotes as `&quot;` and `&#x27;`, which reports have always had; Jinja2, which escapes the rest, would write
        `&#34;` and `&#39;`."""
        has_quotes = type(value) is str and ('"' in value or "'" in value)
        return Markup(escape(value)) if has_quotes else value

    return Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        finalize=quoted,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _source(name: str) -> str:
    folder, file = name.split("/")
    return (files("assay") / folder / "templates" / file).read_text(encoding="utf-8")
