"""What metrics get right, counted by hand and with scipy and statsmodels."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.proportion import proportions_ztest

from assay.challenge.accuracy import MetricEvaluation, evaluate_metrics
from assay.challenge.analysis import curve, never_right, redundancies
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, MetricGroup, MetricScores
from assay.challenge.rows import MetricRow
from assay.errors import BadOption

NAN = float("nan")


def challenge(*items: tuple[str, str, int], correct: Sequence[int] = ()) -> ChallengeSet:
    """Items by (category/phenomenon, item, how many challenge items)."""
    made: list[ChallengeItem] = []
    for kind, item, number in items:
        category, phenomenon = kind.split("/")
        for count in range(number):
            right = correct[len(made)] if correct else 1
            made.append(
                ChallengeItem(
                    f"{item}#{count}",
                    f"Quelle {item}",
                    f"ref {item}",
                    "good",
                    "bad",
                    1 if right == 1 else 2,
                    item,
                    category,
                    phenomenon,
                )
            )
    return ChallengeSet("test", "de-en", tuple(made))


def scores(name: str, outcomes: str, group: MetricGroup = "baseline", *, higher: bool = True) -> MetricScores:
    """`+` the first is higher, `-` lower, `=` the same, `?` no score."""
    values = {"+": (1.0, 0.0), "-": (0.0, 1.0), "=": (0.5, 0.5), "?": (NAN, 0.5)}
    return MetricScores(name, np.array([values[mark] for mark in outcomes]), group, higher)


SET = challenge(("A/x", "a1", 2), ("A/y", "a2", 2), ("B/z", "b1", 4))


def row(evaluation: MetricEvaluation, level: str, category: str | None = None) -> MetricRow:
    return next(row for row in evaluation.rows() if (row.level, row.category) == (level, category))


class TestCounts:
    EVALUATION = evaluate_metrics(SET, [scores("m", "++=- +?--".replace(" ", ""))])

    def test_ties_and_missing_scores_are_not_right_and_are_counted(self) -> None:
        (cell,) = row(self.EVALUATION, "micro").cells
        assert (cell.correct, cell.total, cell.ties, cell.undefined) == (3, 8, 1, 1)
        assert cell.accuracy == 3 / 8

    def test_rows_and_their_sizes(self) -> None:
        found = [(row.level, row.category, row.phenomenon, row.size, row.items) for row in self.EVALUATION.rows()]
        assert found == [
            ("category", "A", None, 4, 2),
            ("phenomenon", "A", "x", 2, 1),
            ("phenomenon", "A", "y", 2, 1),
            ("category", "B", None, 4, 1),
            ("phenomenon", "B", "z", 4, 1),
            ("micro", None, None, 8, 3),
            ("category_macro", None, None, 8, 3),
            ("phenomenon_macro", None, None, 8, 3),
        ]

    def test_averages(self) -> None:
        # Categories: 2 of 4 and 1 of 4; phenomena: 2 of 2, 0 of 2, 1 of 4
        assert row(self.EVALUATION, "category_macro").cells[0].accuracy == pytest.approx((2 / 4 + 1 / 4) / 2)
        assert row(self.EVALUATION, "phenomenon_macro").cells[0].accuracy == pytest.approx((1 + 0 + 1 / 4) / 3)
        assert row(self.EVALUATION, "category_macro").cells[0].correct is None

    def test_the_mean_of_a_row_is_over_its_metrics(self) -> None:
        two = evaluate_metrics(SET, [scores("m", "++++++++"), scores("n", "----++++")])
        assert row(two, "micro").average == pytest.approx(0.75)

    def test_the_second_may_be_the_right_one_and_lower_may_be_better(self) -> None:
        swapped = challenge(("A/x", "a", 4), correct=[1, 2, 2, 1])
        (cell,) = row(evaluate_metrics(swapped, [scores("m", "+-+-")]), "micro").cells
        assert cell.correct == 2
        (cell,) = row(evaluate_metrics(swapped, [scores("m", "-+-=", higher=False)]), "micro").cells
        assert (cell.correct, cell.ties) == (2, 1)

    def test_infinite_scores_can_tie_too(self) -> None:
        values = np.array([[np.inf, np.inf]] * 8)
        values[0] = (1, 0)
        (cell,) = row(evaluate_metrics(SET, [MetricScores("m", values)]), "micro").cells
        assert (cell.correct, cell.ties, cell.undefined) == (1, 7, 0)


class TestClusters:
    BIG = challenge(*((f"A/p{number}", f"i{number}", 1) for number in range(200)))
    METRICS = (
        scores("best", "+" * 150 + "-" * 50, "qe"),
        scores("near", "+" * 145 + "-" * 55, "baseline"),
        scores("far", "-" * 80 + "+" * 120, "baseline"),
        scores("last", "-" * 100 + "+" * 100, "baseline"),
    )

    def test_all_metrics_and_each_group(self) -> None:
        evaluation = evaluate_metrics(self.BIG, self.METRICS)
        cells = {cell.metric: cell for cell in row(evaluation, "micro").cells}
        assert [name for name in cells if cells[name].first_cluster] == ["near", "best"]
        # The best of its group is in its first cluster whatever others do.
        assert [name for name in cells if cells[name].first_cluster_in_group] == ["near", "best"]
        alone = evaluate_metrics(self.BIG, self.METRICS[2:])
        assert [cell.first_cluster for cell in row(alone, "micro").cells] == [True, False]

    def test_p_is_that_of_statsmodels(self) -> None:
        cells = {
            cell.metric: cell for cell in row(evaluate_metrics(self.BIG, self.METRICS, test="ztest"), "micro").cells
        }
        assert cells["far"].p == pytest.approx(proportions_ztest([150, 120], [200, 200], alternative="larger")[1])
        assert cells["best"].p is None

    def test_columns_are_in_groups_and_within_them_by_accuracy(self) -> None:
        assert evaluate_metrics(self.BIG, self.METRICS).columns == ["near", "far", "last", "best"]


class TestItemsAreDrawnNotChallengeItems:
    """Fifty challenge items of one item are worth no more than one."""

    REPEATED = challenge(*(("A/p", f"i{number}", 50) for number in range(10)))
    ONCE = challenge(*(("A/p", f"i{number}", 1) for number in range(10)))

    def test_intervals_do_not_shrink_with_repetition(self) -> None:
        outcomes = "+++++++---"
        often = evaluate_metrics(self.REPEATED, [scores("m", "".join(mark * 50 for mark in outcomes))])
        once = evaluate_metrics(self.ONCE, [scores("m", outcomes)])
        (often_cell,), (once_cell,) = row(often, "micro").cells, row(once, "micro").cells
        low, high = once_cell.low, once_cell.high
        assert (often_cell.low, often_cell.high) == pytest.approx((low, high))
        assert low is not None
        assert high is not None
        # Binomial(10, 0.7): 2.5 % and 97.5 % points are 4 and 10
        assert (low, high) == pytest.approx(binom.ppf([0.025, 0.975], 10, 0.7) / 10)

    def test_few_items_have_no_interval(self) -> None:
        (cell,) = row(evaluate_metrics(SET, [scores("m", "++++++++")]), "micro").cells
        assert (cell.low, cell.high) == (None, None)

    @pytest.mark.parametrize("test", ["bootstrap", "randomization"])
    def test_tests_by_resampling_take_all_of_an_item_together(self, test: str) -> None:
        first, second = "++++++++++", "++++++++--"
        p = [
            row(
                evaluate_metrics(
                    set_,
                    [scores("m", "".join(x * size for x in first)), scores("n", "".join(x * size for x in second))],
                    test=test,  # type: ignore[arg-type]
                    draws=2000,
                ),
                "micro",
            )
            .cells[1]
            .p
            for set_, size in ((self.ONCE, 1), (self.REPEATED, 50))
        ]
        assert p[0] == p[1]
        # Two-tailed: no draw has one of the two that differ, or both coins fall the same way.
        expected = 2 * 0.8**10 if test == "bootstrap" else 2 * 0.25
        assert p[0] == pytest.approx(expected, abs=0.04)


class TestSmallPhenomena:
    """Where every phenomenon has one item, drawing within phenomena would never vary."""

    SET = challenge(*((f"A/p{number}", f"i{number}", 1) for number in range(40)))

    def test_the_interval_is_that_of_as_many_items(self) -> None:
        (cell,) = row(evaluate_metrics(self.SET, [scores("m", "+" * 28 + "-" * 12)]), "category", "A").cells
        # Binomial(40, 0.7): 2.5 % and 97.5 % points are 22 and 34; draws may be off by one
        assert (cell.low, cell.high) == pytest.approx(binom.ppf([0.025, 0.975], 40, 0.7) / 40, abs=0.026)

    def test_equal_metrics_are_seldom_told_apart(self) -> None:
        chance = np.random.default_rng(7)
        apart = 0
        for _ in range(60):
            both = [scores(name, "".join(chance.choice(["+", "-"], 40, p=[0.7, 0.3]))) for name in "mn"]
            evaluation = evaluate_metrics(self.SET, both, test="bootstrap", draws=200)
            apart += not all(cell.first_cluster for cell in row(evaluation, "micro").cells)
        # Two-tailed at 0.05: about 3 of 60; binomial(60, 0.05) < 9
        assert apart < 9


class TestAnalysis:
    EVALUATION = evaluate_metrics(
        SET, [scores("a", "++--++--"), scores("b", "+++-++--"), scores("c", "--++--+-", "qe")]
    )

    def test_who_makes_the_same_mistakes(self) -> None:
        pairs = {frozenset((pair.first, pair.second)): pair for pair in redundancies(self.EVALUATION)}
        close = pairs[frozenset("ab")]
        assert (close.both_wrong, close.either_wrong) == (3, 4)
        assert close.shared == 3 / 4
        # Right and wrong: 7 of 8 the same; a is wrong on 4 of 8, b on 3 of 8: chance 4/8·3/8 + 4/8·5/8 = 0.5
        assert close.kappa == pytest.approx((7 / 8 - 0.5) / 0.5)
        assert redundancies(self.EVALUATION)[0] == close

    def test_what_nobody_gets_right(self) -> None:
        assert [item.id for item in never_right(self.EVALUATION)] == ["b1#3"]

    def test_accuracy_by_closeness(self) -> None:
        def pair(name: str, first: str, second: str) -> ChallengeItem:
            return ChallengeItem(name, "q", "0123456789", first, second, 1, name, "A", "x")

        made = ChallengeSet(
            "test",
            "de-en",
            (
                pair("same but one", "0123456789", "012345678x"),  # closeness 0.9, advantage 0.1
                pair("half", "0123456789", "01234xxxxx"),  # 0.5 and 0.5
                pair("apart", "xxxxx56789", "0123456789"),  # 0.5 and -0.5
            ),
        )
        evaluation = evaluate_metrics(made, [scores("m", "++-")])
        bands = [(band.low, band.high, band.size, band.cells[0].accuracy) for band in curve(evaluation) if band.size]
        assert bands == [(0.0, 0.5, 2, 0.5), (0.8, 0.9, 1, 1.0)]
        correct = [(band.low, band.high, band.cells[0].correct) for band in curve(evaluation, "advantage") if band.size]
        assert correct == [(-1.0, -0.2, 0), (0.05, 0.1, 1), (0.2, 1.0, 1)]
        assert [band.cells[0].accuracy for band in curve(evaluation) if not band.size] == [None] * 4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "no metrics"),
        ([scores("m", "+" * 8), scores("m", "+" * 8)], "given twice"),
        ([scores("m", "+++")], "3 of 8"),
        ([MetricScores("m", np.full((8, 2), NAN))], "no score"),
    ],
)
def test_wrong_scores(given: list[MetricScores], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        evaluate_metrics(SET, given)


def test_a_blind_set_needs_its_key() -> None:
    blind = ChallengeSet("test", "de-en", (ChallengeItem("1", "q", "r", "a", "b"),))
    with pytest.raises(BadOption, match="key"):
        evaluate_metrics(blind, [scores("m", "+")])
