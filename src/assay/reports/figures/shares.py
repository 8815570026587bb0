"""Which renderings systems choose: stacked bars of the shares of labels, a panel for each phenomenon.

label_bars(evaluation)
"""

from assay.evaluation import Evaluation
from assay.evaluation.label_shares import LabelRow
from assay.reports.figures.figure import Figure, Spec, provenance
from assay.reports.figures.labels import distinct
from assay.reports.figures.letters import text_width
from assay.reports.figures.look import PALETTE, TEXT, WIDTH, document
from assay.text import plural

ROW_HEIGHT = 16

_MARGIN = 34  # px around the bars


def label_bars(evaluation: Evaluation) -> Figure:
    """Systems down, shares across, of the texts that have a label; phenomena one below the other."""
    found, suite, systems = evaluation.labels, evaluation.suite, distinct(evaluation.columns)
    rows = found.rows if found else ()
    names = list(dict.fromkeys(row.label for row in rows if row.label is not None))
    phenomena = list(dict.fromkeys((row.category, row.phenomenon) for row in rows))
    caption = (
        f"Shares of {plural(len(names), 'label')} in what {plural(len(systems), 'system')} wrote for "
        f"{suite.name} ({suite.langpair}), of the texts that have a label, by phenomenon; {provenance(evaluation)}."
    )
    panels = [
        _panel(f"{category} / {phenomenon}", [row for row in rows if (row.category, row.phenomenon) == pair], systems)
        for pair in phenomena
        for category, phenomenon in [pair]
    ]
    for panel in panels:
        panel["encoding"]["color"]["scale"] = {"domain": names, "range": [PALETTE[n % 8] for n in range(len(names))]}
    spec = document({"vconcat": panels, "spacing": 12}, caption)
    return Figure("labels", f"{suite.name}: labels", caption, spec)


def _panel(title: str, rows: list[LabelRow], systems: list[str]) -> Spec:
    values = [
        {"system": system, "label": row.label, "share": cell.share, "order": order}
        for order, row in enumerate(rows)
        if row.label is not None
        for system, cell in zip(systems, row.cells, strict=True)
        if cell.share is not None
    ]
    return {
        "title": {"text": title, "anchor": "start", "fontSize": TEXT},
        "width": WIDTH - max(text_width(system, TEXT) for system in systems) - _MARGIN,
        "height": {"step": ROW_HEIGHT},
        "data": {"values": values},
        "mark": {"type": "bar", "stroke": "white", "strokeWidth": 0.6},
        "encoding": {
            "y": {
                "field": "system",
                "type": "nominal",
                "scale": {"domain": systems},
                "axis": {"title": None, "ticks": False, "domain": False, "labelPadding": 6},
            },
            "x": {
                "field": "share",
                "type": "quantitative",
                "stack": "zero",
                "scale": {"domain": [0, 1]},
                "axis": {"title": None, "format": ".0%", "tickCount": 5},
            },
            "order": {"field": "order", "type": "quantitative"},
            "color": {"field": "label", "type": "nominal", "legend": {"title": None, "orient": "bottom"}},
        },
    }
