"""pdflatex takes tables with groups of columns and shaded cells, and nothing runs off the page. For `make test-all`."""

from pathlib import Path

import pytest

from assay.challenge.report.spread import spread_table
from assay.challenge.report.table import challenge_table, curve_table, redundancy_table
from assay.evaluation import By
from assay.reports.latex import render, render_many
from tests.challenge.measured import drawn_at_random
from tests.latex.test_compile import compiled, fits


@pytest.mark.parametrize("by", ["category", "both"])
@pytest.mark.parametrize("metrics", [3, 12, 40])
def test_tables_of_metrics(by: By, metrics: int, tmp_path: Path) -> None:
    assert fits(compiled(render(challenge_table(drawn_at_random(metrics=metrics), by), document=True), tmp_path))


def test_an_appendix(tmp_path: Path) -> None:
    evaluation = drawn_at_random(metrics=12)
    spread = spread_table([drawn_at_random(metrics=12, seed=seed).to_dict() for seed in range(3)])
    tables = [curve_table(evaluation), redundancy_table(evaluation, 10), spread]
    log = compiled(render_many(tables, "Challenge"), tmp_path)
    assert fits(log)
    assert "[U+" not in log
