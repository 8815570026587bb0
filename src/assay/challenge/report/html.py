"""What metrics get right as one HTML file that needs no network and no script.

    Path("report.html").write_text(render_html(evaluation), encoding="utf-8")

Point at a cell for its interval, its ties and its clusters.
"""

from collections.abc import Iterator
from dataclasses import replace

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.analysis import never_right
from assay.challenge.report.figures import challenge_figures
from assay.challenge.report.items import by_phenomenon, differing, systems_of
from assay.challenge.report.table import challenge_table, whole_tables
from assay.errors import MissingExtra
from assay.reports.figures.figure import render
from assay.reports.html import inline_figures, page
from assay.reports.table import Table
from assay.result import plain_notes
from assay.text import plural


def render_html(evaluation: MetricEvaluation) -> str:
    """The whole page."""
    challenge, lost = evaluation.challenge, never_right(evaluation)
    categories, both = (challenge_table(evaluation, by) for by in ("category", "both"))
    svgs, undrawn = _drawn(evaluation)
    return page(
        "challenge/report.html",
        " ".join(filter(None, (challenge.name, challenge.langpair))),
        challenge=challenge,
        facts=list(_facts(evaluation)),
        categories=replace(categories, title="Accuracy of metrics in per cent", notes=()),
        notes=plain_notes(categories.notes),
        signatures=[note for note in categories.notes if note.is_signature],
        phenomena=replace(both, title="Phenomena", notes=()),
        figures=inline_figures(svgs),
        undrawn=undrawn,
        tables=map(_short, whole_tables(evaluation)),
        lost=by_phenomenon(lost),
        lost_count=plural(len(lost), "challenge item"),
        metrics=plural(len(evaluation.columns), "metric"),
        differing=differing,
        systems_of=systems_of,
    )


def _facts(evaluation: MetricEvaluation) -> Iterator[str]:
    settings, micro = evaluation.settings, evaluation.averages()[0]
    if evaluation.challenge.langpair:
        yield evaluation.challenge.langpair
    yield f"{plural(micro.size, 'challenge item')} from {plural(micro.sources, 'source')}"
    yield plural(len(evaluation.columns), "metric")
    yield f"{settings.test}, alpha {settings.alpha:g}"


def _short(table: Table) -> Table:
    """Without the name of the set and the signature, which the page has."""
    title = table.title.rpartition(": ")[2]
    return replace(table, title=title[:1].upper() + title[1:], notes=plain_notes(table.notes))


def _drawn(evaluation: MetricEvaluation) -> tuple[dict[str, str], str]:
    """The figures as SVG by their titles, or what is missing to draw them."""
    try:
        return {figure.title: render(figure, "svg").decode() for figure in challenge_figures(evaluation)}, ""
    except MissingExtra as error:
        return {}, str(error)
