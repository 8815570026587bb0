"""Pages from templates. Everything that comes from outside is escaped."""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Annotated, Any
from urllib.parse import quote, quote_plus, unquote

from fastapi import Depends, Query, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from sqlalchemy import Connection

import assay
from assay.errors import BadOption
from assay.languages import direction, pair_name
from assay.suites import POLARITIES
from assay.suites.kinds import RuleKind, get_kind, kind_names
from assay.workbench.admission.security import second_token, visit_of
from assay.workbench.db.suites import suite_names
from assay.workbench.people.roles import ROLES, Role
from assay.workbench.queue.preferences import ACTIONS, FIXED_KEYS
from assay.workbench.state import State
from assay.workbench.text_view import WORDS, VerdictReason
from assay.workbench.visit import Visit

SUITE_COOKIE = "assay_suite"
COOKIE_SECONDS = 365 * 24 * 3600
"""The suite that somebody worked on last is the one that opens, also next week."""

_environment = Environment(
    loader=PackageLoader("assay.workbench"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,  # a page has ten templates, and would look at the file of each
)


def marked(text: str, spans: list[tuple[int, int, str]], gaps: Sequence[tuple[int, str]] = ()) -> Markup:
    """A text with some ranges [start, end) marked, each with a class; overlapping ranges are cut at each other.

    `gaps` are words that it lacks, and where.
    """
    if not spans and not gaps:
        return escape(text)
    missing = dict(gaps)
    edges = sorted({0, len(text), *missing, *(edge for start, end, _ in spans for edge in (start, end))})
    parts = [_gap(missing[0])] if 0 in missing else []
    for start, end in pairwise(edges):
        classes = [name for left, right, name in spans if left <= start and end <= right]
        piece = escape(text[start:end])
        parts.append(f'<mark class="{escape(" ".join(classes))}">{piece}</mark>' if classes else piece)
        if end in missing:
            parts.append(_gap(missing[end]))
    return Markup("".join(parts))


def _gap(words: str) -> str:
    """Where words are missing: struck through, so that one sees which."""
    return f'<del class="lacks">{escape(words)}</del> '


def link(path: str, **query: object) -> str:
    """An address with its query; empty values are left out."""
    pairs = [
        f"{_quoted(name)}={_quoted(str(one))}"
        for name, value in query.items()
        if value not in (None, "", False, ())
        for one in (value if isinstance(value, list | tuple) else (value,))
    ]
    return _path(path) + ("?" + "&".join(pairs) if pairs else "")


_path = lru_cache(1000)(quote)
_quoted = lru_cache(1000)(quote_plus)
"""A name or a value of a query; a page has dozens of addresses with the same ones."""


def decimal(value: float | None, digits: int = 2) -> str:
    """A number with so many digits, or a dash. A function, since tables have thousands and a macro takes longer."""
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


def verdict(name: str) -> Markup:
    """A verdict as shape and word."""
    return _verdict(str(name))


@lru_cache(10)
def _verdict(name: str) -> Markup:
    return Markup(
        '<span class="word {0}"><svg class="icon {0}" aria-hidden="true"><use href="#{0}"/></svg>{0}</span>'
    ).format(name)


def count(number: int, one: str, many: str = "") -> str:
    """A number of things."""
    return f"{number:,} {one if number == 1 else (many or one + 's')}"


def reasons(why: Iterable[VerdictReason]) -> Markup:
    """Why a text has its verdict."""
    return Markup("".join(_reason(part) for part in why))


def _reason(why: VerdictReason) -> str:
    words = escape(why.words)
    if why.rule is None or why.rule.kind == "exact":
        return f"<span>{words}</span>"
    rule = escape(why.rule.value)
    return f'<span>{words} <code class="rule" dir="ltr" title="{rule}">{rule}</code></span>'


@lru_cache(500)
def keyed(word: str, key: str) -> Markup:
    """A word with its key: [P]ass where it begins with the key, [J] pass otherwise."""
    if word[:1].lower() == key:
        return Markup("<kbd>{}</kbd>{}").format(key.upper(), word[1:])
    return Markup("<kbd>{}</kbd> {}").format(key.upper(), word)


def kept(template: str, keys: Mapping[str, str], **context: Hashable) -> Markup:
    """A part that is the same on every card of somebody with these keys, and has nothing of a text."""
    return _kept(template, tuple(keys.items()), tuple(context.items()))


@lru_cache(300)
def _kept(template: str, keys: tuple[tuple[str, str], ...], context: tuple[tuple[str, Hashable], ...]) -> Markup:
    return fragment(template, keys=dict(keys), **dict(context))


@cache
def _kinds() -> "list[RuleKind]":
    """The kinds of rules that an editor offers."""
    return [get_kind(name) for name in kind_names()]


_environment.filters["marked"] = marked
_environment.filters["direction"] = direction
_environment.filters["pair_name"] = pair_name
_environment.globals |= {
    "link": link,
    "decimal": decimal,
    "verdict": verdict,
    "count": count,
    "reasons": reasons,
    "keyed": keyed,
    "kept": kept,
    "version": assay.__version__,
    "asset": lambda name: f"/static/{name}?v={assay.__version__}",
    "polarities": POLARITIES,
    "kinds": _kinds,
    "roles": ROLES,
    "actions": ACTIONS,
    "fixed_keys": FIXED_KEYS,
    "reason_words": WORDS,
}


def render(request: Request, template: str, /, status: int = 200, **context: Any) -> HTMLResponse:
    """A page or a part of one. Every template knows who is asking, the suite, and the languages of its texts."""
    state: State = request.app.state.assay
    cookie = getattr(request.state, "cookie", None)
    suite, known = getattr(request.state, "suite", None), getattr(request.state, "suites", [])
    visit: Visit | None = getattr(request.state, "visit", None)
    source, target = visit.languages if visit else ("", "")
    shared = {
        "request": request,
        "user": getattr(request.state, "user", None),
        "local": state.local_user is not None,
        "token": second_token(cookie) if cookie else "",
        "suite_name": suite,
        "suite_list": known,
        "source": source,
        "target": target,
        "here": request.scope["path"],
    }
    response = HTMLResponse(_environment.get_template(template).render(shared | context), status)
    if suite is not None and suite in known and suite != unquote(request.cookies.get(SUITE_COOKIE, "")):
        response.set_cookie(SUITE_COOKIE, quote(suite), max_age=COOKIE_SECONDS, httponly=True, samesite="lax")
    return response


def fragment(template: str, /, **context: Any) -> Markup:
    """A piece of a page that is the same for everybody, to be put into one."""
    return Markup(_environment.get_template(template).render(context))


def compile_templates() -> None:
    """Compile all templates: after a restart everybody comes at once, and each thread would compile its own."""
    for name in _environment.list_templates():
        _environment.get_template(name)


def wants_part(request: Request) -> bool:
    """Whether htmx asks for a part of the page."""
    return "hx-request" in request.headers


SuiteQuery = Annotated[str | None, Query(description="Name of a suite")]


def suite_visitor(
    needed: Role | None = None, *, optional: bool = False
) -> Callable[[Request, str | None], Awaitable[Visit]]:
    """A dependency of pages about a suite: the one asked for, or the last one, or the first.

    Where the database has none yet, there is no such page, unless that is `optional`.
    """

    async def visit(request: Request, suite: SuiteQuery = None) -> Visit:
        def chosen(db: Connection) -> str:
            names = suite_names(db)
            if not names:
                if optional:
                    return ""
                raise BadOption("the database has no suite yet; import one with: assay import SUITE OUTPUT…")
            last = unquote(request.cookies.get(SUITE_COOKIE, ""))
            known = last if last in names else names[0]
            # The page that says that there is no such suite leads to one that is there.
            request.state.suites, request.state.suite = names, suite if suite in names else known
            return suite or known

        return visit_of(request, needed, chosen)

    return visit


SuiteVisit = Annotated[Visit, Depends(suite_visitor())]
AnySuiteVisit = Annotated[Visit, Depends(suite_visitor(optional=True))]


def report_css() -> str:
    """The style that reports and pages share."""
    return (files("assay.reports") / "assets" / "report.css").read_text(encoding="utf-8")
