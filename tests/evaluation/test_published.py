"""How close the public half of the DFKI suite comes to the paper's tables (WMT 2021, Tables 4 and 5).

The paper counts on the full suite (3,806 and 3,106 fair items), the public files hold about half of it, and rules were
refined afterwards, so the numbers must agree closely but not exactly.
"""

import csv
from collections.abc import Mapping
from pathlib import Path
from statistics import correlation, fmean
from typing import NamedTuple

import numpy as np
import pytest

from assay.evaluation.evaluation import Evaluation, evaluate
from assay.outputs import load_outputs
from assay.stats.proportions import macro_ztest, ztest
from assay.suites import load_suite

# The paper's short names, and the category names of the public files in the paper's spelling.
SYSTEMS = {
    **{f"Onl-{letter}": f"Online-{letter}" for letter in "ABGWY"},
    "Faceb": "Facebook-AI",
    "VolcT": "VolcTrans-AT",  # on de-en both VolcTrans have the same output
    "VolcA": "VolcTrans-AT",
    "VolcG": "VolcTrans-GLAT",
    "Huawe": "HuaweiTSC",
    "borde": "Borderline",
    "Nemo": "NVIDIA-NeMo",
    "uedin": "UEdin",
    "Water": "Watermelon",
    "Manif": "Manifold",
    "happy": "happypoet",
    "eTran": "eTranslation",
    "nucle": "nuclear_trans",
    "BUPT": "BUPT_rush",
    "SMU": "SMU",
    "P3AI": "P3AI",
    "ICL": "ICL",
}


class Published(NamedTuple):
    """The paper's numbers in per cent: row -> system -> accuracy, and row -> number of items."""

    values: Mapping[str, Mapping[str, float]]
    counts: Mapping[str, int]

    @property
    def categories(self) -> list[str]:
        return [row for row in self.values if row not in ("micro", "macro")]

    def correct(self, row: str) -> dict[str, int]:
        """The number of right items that the printed accuracy stands for."""
        return {system: round(value * self.counts[row] / 100) for system, value in self.values[row].items()}


@pytest.fixture(scope="module")
def published(data: Path) -> dict[str, Published]:
    values: dict[str, dict[str, dict[str, float]]] = {"de-en": {}, "en-de": {}}
    counts: dict[str, dict[str, int]] = {"de-en": {}, "en-de": {}}
    with (data / "published" / "wmt21-categories.tsv").open(encoding="utf-8") as stream:
        for line in csv.DictReader(stream, delimiter="\t"):
            if line["system"] != "avg":
                row = values[line["lp"]].setdefault(line["category"], {})
                row[SYSTEMS[line["system"]]] = float(line["value"])
                counts[line["lp"]][line["category"]] = int(line["count"])
    return {langpair: Published(values[langpair], counts[langpair]) for langpair in values}


@pytest.fixture(scope="module")
def evaluations(data: Path) -> dict[str, Evaluation]:
    found = {}
    for langpair in ("de-en", "en-de"):
        from_language, to_language = langpair.split("-")
        stem = f"newstest2021.{langpair}"
        suite = load_suite(data / "dfki" / f"items.{langpair}.json")
        paths = sorted((data / "wmt21" / "system-outputs").glob(f"{stem}.hyp.*.{to_language}"))
        source = data / "wmt21" / "sources" / f"{stem}.src.{from_language}"
        found[langpair] = evaluate(suite, load_outputs(suite, paths, source=source))
    return found


def per_cent(evaluation: Evaluation, level: str) -> dict[str, float]:
    [row] = [row for row in evaluation.averages() if row.level == level]
    return {cell.system.name: 100 * cell.accuracy for cell in row.cells if cell.accuracy is not None}


@pytest.mark.parametrize(
    ("langpair", "level", "row", "least_r", "most_difference"),
    [
        # Measured when this was written: r 0.978, 0.976, 0.973, 0.975; differences 0.76, 0.37, 0.79, 0.68 points.
        ("de-en", "micro", "micro", 0.97, 0.9),
        ("en-de", "micro", "micro", 0.97, 0.5),
        ("de-en", "category_macro", "macro", 0.96, 0.9),
        ("en-de", "category_macro", "macro", 0.96, 0.8),
    ],
)
def test_averages_agree_with_the_paper(
    evaluations: dict[str, Evaluation],
    published: dict[str, Published],
    langpair: str,
    level: str,
    row: str,
    least_r: float,
    most_difference: float,
) -> None:
    theirs, ours = published[langpair].values[row], per_cent(evaluations[langpair], level)
    both = sorted(theirs)
    assert correlation([ours[name] for name in both], [theirs[name] for name in both]) > least_r
    assert fmean(abs(ours[name] - theirs[name]) for name in both) < most_difference


@pytest.mark.parametrize(
    ("langpair", "warnings", "fair", "left_out"),
    # The paper: 3.04 % and 4.87 % warnings, 68.4 % and 69.7 % fair items on the full suite.
    [("de-en", 0.033, 0.68, ["UF"]), ("en-de", 0.048, 0.70, ["UF", "WeChat-AI"])],
)
def test_warnings_and_fair_items_are_as_many_as_in_the_paper(
    evaluations: dict[str, Evaluation], langpair: str, warnings: float, fair: float, left_out: list[str]
) -> None:
    evaluation = evaluations[langpair]
    assert [left.system.name for left in evaluation.excluded] == left_out
    assert fmean(summary.warning_share for summary in evaluation.summaries) == pytest.approx(warnings, abs=0.001)
    assert evaluation.items_counted / len(evaluation.table.items) == pytest.approx(fair, abs=0.005)


def first_by_proportion(published: Published, row: str) -> set[str]:
    """The first cluster by the z-test of two proportions, the printed value taken as a share of all items."""
    total = published.counts[row]
    correct = published.correct(row)
    best = max(correct.values())
    return {name for name, right in correct.items() if ztest(best, total, right, total) >= 0.05}


def first_by_macro_test(published: Published) -> set[str]:
    """The first cluster of the category macro by the test of means over cells."""
    names = sorted(published.values["macro"])
    correct = np.array([[published.correct(row)[name] for name in names] for row in published.categories])
    total = np.array([[published.counts[row]] * len(names) for row in published.categories])
    best = int(np.argmax((correct / total).mean(axis=0)))
    p = macro_ztest(correct, total, best)
    return {name for name, value in zip(names, p, strict=True) if value >= 0.05}


@pytest.mark.parametrize(
    ("langpair", "row", "first"),
    [
        ("de-en", "micro", {"Online-W", "Facebook-AI", "UEdin", "Online-A", "Borderline"}),
        ("en-de", "micro", {"Facebook-AI", "Online-B", "VolcTrans-GLAT"}),
        ("de-en", "macro", {"Online-W", "Facebook-AI"}),
        ("en-de", "macro", {"Facebook-AI", "VolcTrans-AT"}),
    ],
)
def test_the_test_of_two_proportions_gives_the_clusters_of_the_paper(
    published: dict[str, Published], langpair: str, row: str, first: set[str]
) -> None:
    assert first_by_proportion(published[langpair], row) == first


@pytest.mark.parametrize(
    ("langpair", "more"),
    # The table of en-de lacks two categories (68 items) of the paper.
    [("de-en", {"Online-B", "VolcTrans-AT", "Online-A"}), ("en-de", {"Online-W"})],
)
def test_the_macro_test_finds_fewer_differences_than_the_paper(
    published: dict[str, Published], langpair: str, more: set[str]
) -> None:
    """The paper took a macro-average as a share of all items: an error of 0.6 points between the two best of de-en.
    But small categories weigh as much in it as large ones; the error of the mean over cells is 1.2 points."""
    assert first_by_macro_test(published[langpair]) == first_by_proportion(published[langpair], "macro") | more
