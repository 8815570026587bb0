"""What metrics get right as one HTML file that needs no network and no script.

    Path("report.html").write_text(render_html(evaluation), encoding="utf-8")

Point at a cell for its interval, its ties and its clusters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape

from assay.challenge.accuracy import MetricEvaluation
from assay.challenge.analysis import never_right
from assay.challenge.challenge_set import ChallengeItem
from assay.challenge.report.figures import challenge_provenance, closeness_curve
from assay.challenge.report.items import Piece, by_phenomenon, differing, systems_of
from assay.challenge.report.table import challenge_table, whole_tables
from assay.errors import MissingExtra
from assay.reports import Table
from assay.reports.figures.curves import phenomenon_series, sorted_phenomena
from assay.reports.figures.figure import Figure, render
from assay.reports.figures.labels import counted
from assay.reports.html import figure_section, page
from assay.reports.html_table import icon, note_list, table_section
from assay.reports.table import split_signature


def challenge_figures(evaluation: MetricEvaluation) -> list[Figure]:
    """The figures of one set."""
    series = phenomenon_series(evaluation)
    return [
        closeness_curve(evaluation),
        closeness_curve(evaluation, "advantage"),
        sorted_phenomena(series, provenance=challenge_provenance(evaluation)),
    ]


def render_html(evaluation: MetricEvaluation) -> str:
    """The whole page."""
    challenge = evaluation.challenge
    categories, both = (challenge_table(evaluation, by) for by in ("category", "both"))
    plain = [note for note in categories.notes if not split_signature(note)]
    body = [
        *_heading(evaluation),
        "<main>",
        *table_section(replace(categories, title="Accuracy of metrics in per cent", notes=())),
        *_legend(),
        *note_list(plain, "notes"),
        *_signatures(categories.notes),
        *table_section(replace(both, title="Phenomena", notes=())),
        *_drawn(evaluation),
        *(line for table in whole_tables(evaluation) for line in table_section(_short(table))),
        *_never_right(never_right(evaluation), len(evaluation.columns)),
        "</main>",
    ]
    return page(" ".join(filter(None, (challenge.name, challenge.langpair))), body)


def _heading(evaluation: MetricEvaluation) -> Iterator[str]:
    challenge, settings, micro = evaluation.challenge, evaluation.settings, evaluation.averages()[0]
    facts = [
        challenge.langpair,
        f"{counted(micro.size, 'challenge item')} from {counted(micro.items, 'item')}",
        counted(len(evaluation.columns), "metric"),
        f"{settings.test}, alpha {settings.alpha:g}",
    ]
    yield f"<header><h1>{escape(challenge.name)}</h1>"
    shown = " · ".join(escape(fact) for fact in facts if fact)
    yield f'<p class="facts">{shown} · <a href="#notes">notes</a></p></header>'


def _legend() -> Iterator[str]:
    yield (
        '<p class="legend"><span class="sample shade">Grey</span> first cluster of all metrics, '
        '<span class="sample strong">bold</span> first cluster of the group. Point at a cell for its 95 % interval.</p>'
    )


def _signatures(notes: Sequence[str]) -> Iterator[str]:
    for head, signature in filter(None, map(split_signature, notes)):
        yield f'<p class="signature">{escape(head)} <code>{escape(signature)}</code></p>'


def _short(table: Table) -> Table:
    """Without the name of the set and the signature, which the page has."""
    title = table.title.rpartition(": ")[2]
    notes = tuple(note for note in table.notes if not split_signature(note))
    return replace(table, title=title[:1].upper() + title[1:], notes=notes)


def _drawn(evaluation: MetricEvaluation) -> Iterator[str]:
    """The figures, or what is missing to draw them."""
    try:
        yield from figure_section(
            {figure.title: render(figure, "svg").decode() for figure in challenge_figures(evaluation)}
        )
    except MissingExtra as error:
        yield f'<section><h2>Figures</h2><p class="none">Left out: {escape(str(error))}</p></section>'


# The challenge items that every metric gets wrong


def _never_right(items: Sequence[ChallengeItem], metrics: int) -> Iterator[str]:
    yield '<section class="wrong"><h2>Wrong for every metric</h2>'
    if not items:
        yield '<p class="none">None.</p>'
    else:
        yield (
            f'<p class="why">{counted(len(items), "challenge item")} that none of {counted(metrics, "metric")} gets '
            "right. Marked are the words in which the two translations differ.</p>"
        )
    for (category, phenomenon), members in by_phenomenon(items).items():
        yield f'<h3>{escape(category)} › {escape(phenomenon)}</h3><ul class="items">'
        yield from map(_item, members)
        yield "</ul>"
    yield "</section>"


def _item(item: ChallengeItem) -> str:
    right, wrong = differing(item.right, item.wrong)
    systems = systems_of(item)
    return (
        f'<li class="item"><p class="why"><span>{escape(item.id)}</span><span>{escape(item.source)}</span></p>'
        f'<p class="why"><span>reference</span><span>{escape(item.reference)}</span>{_who(systems[0])}</p>'
        f"{_judged('pass', right, systems[1])}{_judged('fail', wrong, systems[2])}</li>"
    )


def _judged(verdict: str, pieces: Sequence[Piece], systems: str) -> str:
    text = "".join(
        f'<mark class="{verdict}">{escape(piece.text)}</mark>' if piece.differs else escape(piece.text)
        for piece in pieces
    )
    name = "correct" if verdict == "pass" else "incorrect"
    return (
        f'<div class="judged">{icon(verdict)}<div><p class="sentence"><span class="unseen">{name}: </span>{text}</p>'
        + (f'<p class="why">{_who(systems)}</p>' if systems else "")
        + "</div></div>"
    )


def _who(systems: str) -> str:
    return f'<span class="who">{escape(systems)}</span>' if systems else ""
