"""Figures for papers and reports, as Vega-Lite: drawn without a browser, data inside, readable in grey.

figure = heat_map(evaluation)
Path("heat-map.pdf").write_bytes(render(figure, "pdf"))

Every figure is made for a text width of 16 cm and says in its caption what it shows.
"""

from assay.reports.figures.curves import phenomenon_series, sorted_phenomena
from assay.reports.figures.dots import dot_plot
from assay.reports.figures.figure import Figure, provenance, render, write_figures
from assay.reports.figures.heat import heat_map
from assay.reports.figures.rule_age import ageing_lines
from assay.reports.figures.scatter import ItemPoint, difficulty
from assay.reports.figures.shares import label_bars
from assay.reports.figures.years import SlopePoint, slopes

__all__ = [
    "Figure",
    "ItemPoint",
    "SlopePoint",
    "ageing_lines",
    "difficulty",
    "dot_plot",
    "heat_map",
    "label_bars",
    "phenomenon_series",
    "provenance",
    "render",
    "slopes",
    "sorted_phenomena",
    "write_figures",
]
