"""A figure is a Vega-Lite document with a name, a title and a caption; vl-convert draws it.

render(Figure("heat-map", "Accuracy by category", "…", spec), "png")
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import MissingExtra, UnknownName
from assay.evaluation import Evaluation
from assay.files import make_folder, write_bytes
from assay.reports.figures.letters import outlined
from assay.reports.formats import names, taking

Spec = dict[str, Any]
"""A Vega-Lite document or a part of one."""

PNG_SCALE = 2


@dataclass(frozen=True, slots=True)
class Figure:
    """`name` serves as a file name; `title` and `caption` stand beside the picture, which has neither.

    The caption is one plain sentence: what is shown, on how many items, and the signature where there is one.
    """

    name: str
    title: str
    caption: str
    spec: Spec


def render(figure: Figure, format: str = "svg") -> bytes:
    """The picture. It is drawn from the document alone: nothing is fetched, no font is needed to see it."""
    if format not in names("figure"):
        raise UnknownName("format", format, names("figure"))
    return _converted(_svg(figure), format)


def _svg(figure: Figure) -> str:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtra("drawing figures", "pip install 'assay-mt[reports]'") from error
    return outlined(vl_convert.vegalite_to_svg(figure.spec, allowed_base_urls=[]))


def _converted(svg: str, format: str) -> bytes:
    """All formats are made of the SVG, so that they show the same."""
    import vl_convert

    if format == "png":
        return vl_convert.svg_to_png(svg, scale=PNG_SCALE)
    if format == "pdf":
        return _RESOURCES.sub(_in_order, vl_convert.svg_to_pdf(svg))
    return svg.encode()


_RESOURCES = re.compile(rb"(?:^ +/[a-z]+\d+ \d+ 0 R\n)+", re.MULTILINE)


def _in_order(resources: re.Match[bytes]) -> bytes:
    """The same figure is the same PDF: vl-convert lists what a page uses in an order that differs from run to run."""
    return b"".join(sorted(resources[0].splitlines(keepends=True)))


def write_figures(
    figures: Iterable[Figure], folder: Path, *, step: Callable[[str], None] = lambda name: None
) -> list[Path]:
    """Draw figures in every format into a folder, which is made where there is a figure; the files, in their order."""
    written = []
    for figure in figures:
        make_folder(folder)
        step(figure.name)
        svg = _svg(figure)
        for kind in taking("figure"):
            written.append(folder / f"{figure.name}{kind.suffix}")
            write_bytes(_converted(svg, kind.name), written[-1])
    return written


def provenance(evaluation: Evaluation) -> str:
    """How many items count, and the signature: the end of a caption."""
    counted, total = evaluation.items_counted, len(evaluation.suite)
    return f"{counted:,} of {total:,} items count; signature {evaluation.signature}"
