"""Agreement with people: against scipy, by hand, and what the command says."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from assay.challenge.case import Case, CaseSet, Hypothesis, Ladder
from assay.challenge.challenge_set import MetricScores
from assay.challenge.files.sets import write_cases
from assay.challenge.meta import MetricAgreement, meta_evaluate
from assay.errors import BadOption, UnknownName
from tests.conftest import Run

SYSTEMS = ("A", "B", "C")


def judged(human: np.ndarray, langpair: str = "de-en", start: int = 0) -> tuple[Case, ...]:
    return tuple(
        Case(
            str(start + number),
            f"Satz {number}",
            tuple(
                Hypothesis(name, f"{name} {number}", (), () if np.isnan(score) else (("mqm", float(score)),))
                for name, score in zip(SYSTEMS, row, strict=True)
            ),
            langpair=langpair,
        )
        for number, row in enumerate(human)
    )


def one(cases: CaseSet, values: np.ndarray, **options: object) -> MetricAgreement:
    metric = MetricScores("m", values.reshape(-1), **options)  # type: ignore[arg-type]
    (found,) = meta_evaluate(cases, [metric])
    return found.metrics[0]


@pytest.fixture
def numbers() -> tuple[np.ndarray, np.ndarray]:
    """Human scores with ties, of 30 challenge items and three systems, and those of a metric that knows something."""
    chance = np.random.default_rng(3)
    human = chance.integers(0, 5, size=(30, 3)).astype(float)
    return human, human + chance.normal(size=human.shape) * 2


def test_numbers_are_those_of_scipy(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    human, metric = numbers
    found = one(CaseSet("set", judged(human)), metric)
    x, y = human.reshape(-1), metric.reshape(-1)
    assert (found.segments, found.pairs) == (90, 90)
    assert found.kendall == pytest.approx(kendalltau(x, y).statistic)
    assert found.spearman == pytest.approx(spearmanr(x, y).statistic)
    assert found.pearson == pytest.approx(pearsonr(x, y).statistic)
    taus = [kendalltau(a, b).statistic for a, b in zip(human, metric, strict=True) if len({*a}) > 1]
    assert found.item_kendall == pytest.approx(np.mean(taus))
    means = human.mean(axis=0), metric.mean(axis=0)
    assert found.system_pearson == pytest.approx(pearsonr(*means).statistic)
    assert found.system_kendall == pytest.approx(kendalltau(*means).statistic)
    assert found.means == pytest.approx(dict(zip(SYSTEMS, means[1].tolist(), strict=True)))


def test_a_metric_whose_lower_score_is_better_is_turned_round(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    human, metric = numbers
    cases = CaseSet("set", judged(human))
    assert replace(one(cases, -metric, higher_is_better=False), means={}) == replace(one(cases, metric), means={})


def test_accuracy_with_ties_by_hand() -> None:
    """Item 1: people tie A and B, the metric has them 0.1 apart; item 2 is all right; item 3 is all wrong.

    Without ties 2 of 3, 3 of 3 and 0 of 3 pairs are right: 5/9. With ties up to 0.1 the first item has 3 of 3: 6/9.
    """
    human = np.array([[1.0, 1.0, 0.0], [3.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    metric = np.array([[0.5, 0.6, 0.0], [9.0, 5.0, 1.0], [1.0, 5.0, 9.0]])
    found = one(CaseSet("set", judged(human)), metric)
    assert found.accuracy == pytest.approx(6 / 9)
    assert found.accuracy_without == pytest.approx(5 / 9)
    assert found.threshold == pytest.approx(0.1)
    # Mean human scores 7/3, 5/3, 2/3 and of the metric 3.5, 3.53, 3.33: B before A is wrong, C last is right.
    assert found.system_accuracy == pytest.approx(2 / 3)


def test_what_nobody_scored_is_left_out() -> None:
    human = np.array([[1.0, np.nan, 0.0], [3.0, 2.0, 1.0]])
    metric = np.array([[1.0, 9.0, 0.0], [np.nan, 2.0, 1.0]])
    found = one(CaseSet("set", judged(human)), metric)
    assert (found.segments, found.pairs, found.accuracy) == (4, 2, 1.0)


def test_sets_with_one_hypothesis_each_are_compared_by_source() -> None:
    human = [("x", 1.0), ("x", 2.0), ("y", 5.0)]
    cases = CaseSet(
        "set",
        tuple(
            Case(str(number), source, (Hypothesis("hyp-1", "t", (), (("da", score),)),), langpair="en-ha")
            for number, (source, score) in enumerate(human)
        ),
    )
    found = one(cases, np.array([1.0, 2.0, 0.0]))
    assert (found.pairs, found.accuracy, found.system_accuracy) == (1, 1.0, None)


def test_relations_stand_for_people_and_equals_must_tie() -> None:
    case = replace(judged(np.full((1, 3), np.nan))[0], relations=(Ladder.parse("A = B > C"),))
    found = one(CaseSet("set", (case,)), np.array([5.0, 5.5, 1.0]))
    assert (found.pairs, found.accuracy) == (3, 1.0)
    assert found.accuracy_without == pytest.approx(2 / 3)
    assert (found.segments, found.kendall) == (0, None)


def test_language_pairs_are_apart_and_kinds_are_chosen(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    human, metric = numbers
    cases = CaseSet("set", (*judged(human[:15]), *judged(human[15:], "fr-en", 15)))
    found = meta_evaluate(cases, [MetricScores("m", metric.reshape(-1))])
    assert [(part.langpair, part.items) for part in found] == [("de-en", 15), ("fr-en", 15)]
    assert found[1].metrics[0] == one(CaseSet("set", judged(human[15:])), metric[15:])
    both = [
        replace(case, hypotheses=(replace(case.hypotheses[0], human=(("da", 1.0), ("mqm", 2.0))),))
        for case in cases.cases
    ]
    with pytest.raises(BadOption, match="several human scores; choose one with --human: da, mqm"):
        meta_evaluate(CaseSet("set", tuple(both)), [MetricScores("m", metric[:, 0])])
    with pytest.raises(UnknownName, match="no human score 'esa'"):
        meta_evaluate(cases, [MetricScores("m", metric.reshape(-1))], kind="esa")
    with pytest.raises(BadOption, match="the metric 'm' is given twice; rename one with NAME=FILE"):
        meta_evaluate(cases, [MetricScores("m", metric.reshape(-1))] * 2)


def test_the_command_shows_tables_and_writes_json(assay: Run, tmp_path: Path) -> None:
    human = np.array([[1.0, 1.0, 0.0], [3.0, 2.0, 1.0]])
    write_cases(CaseSet("set", judged(human)), tmp_path / "set.jsonl")
    (tmp_path / "mine.txt").write_text("0.5 0.6 0\n9 5 1\n")
    printed = assay("challenge", "meta", "set.jsonl", "mine.txt").stdout
    assert "set (de-en): agreement of metrics with the human score mqm" in printed
    assert "human score mqm  2.00  1.50  0.50" in printed
    (document,) = json.loads(assay("challenge", "meta", "set.jsonl", "mine.txt", "--json").stdout)
    assert (document["human"], document["metrics"][0]["accuracy"]) == ("mqm", 1.0)
    (tmp_path / "inf.txt").write_text("0.5 0.6 0\n9 5 inf\n")
    failed = assay("challenge", "meta", "set.jsonl", "inf.txt", code=2).stderr
    assert "inf.txt:2: 'inf' is not a number; write NaN where a metric has no score" in failed
    assert "no metric 'x'" in assay("challenge", "meta", "set.jsonl", "mine.txt", "--group", "x=qe", code=2).stderr
