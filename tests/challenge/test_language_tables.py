"""Tables by language pair, and figures with a row for each metric."""

from typing import Any

import numpy as np

from assay.challenge.accuracy import evaluate_metrics
from assay.challenge.analysis import by_language
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, MetricScores
from assay.challenge.report import render
from assay.challenge.report.figures import challenge_figures
from assay.challenge.report.table import language_table
from tests.challenge.measured import drawn_at_random
from tests.challenge.test_metrics_by_language import labelled

ITEMS = tuple(
    labelled(ChallengeItem(str(number), f"q{number}", "r", "a", "b", 1), "en-de" if number < 6 else "en-zh")
    for number in range(8)
)
SCORES = MetricScores("m", np.array([(1.0, 0.0)] * 5 + [(0.0, 1.0)] * 3))
EVALUATION = evaluate_metrics(ChallengeSet("s", "mul-mul", ITEMS), [SCORES], draws=50)


def test_accuracy_by_language_pair() -> None:
    german, chinese = by_language(EVALUATION)
    assert (german.langpair, german.size, german.sources, german.cells[0].correct) == ("en-de", 6, 6, 5)
    assert german.cells[0].low is not None
    # Two sources are too few for an interval.
    assert (chinese.langpair, chinese.cells[0].accuracy, chinese.cells[0].low) == ("en-zh", 0, None)
    document: Any = EVALUATION.to_dict()
    assert [part["langpair"] for part in document["languages"]] == ["en-de", "en-zh"]


def test_the_table_stands_below_the_other_one() -> None:
    table = language_table(EVALUATION)
    assert table is not None
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["6", "6", "83.3", "83.3"],
        ["2", "2†", "0.0", "0.0"],
    ]
    assert "by language pair" in str(render(EVALUATION))
    assert "by language pair" in str(render(EVALUATION, "markdown"))
    assert language_table(drawn_at_random(metrics=3)) is None


def test_all_of_22_metrics_are_named_in_every_figure() -> None:
    evaluation = drawn_at_random(metrics=22, items=120, draws=50)
    for figure in challenge_figures(evaluation):
        drawn = str(figure.spec)
        assert all(f"'{name}'" in drawn for name in evaluation.columns), figure.name
