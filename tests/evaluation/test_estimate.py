"""The estimate: right on average, exact where all is judged, the same from any order, with honest intervals."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import BadOption
from assay.evaluation import Evaluation, Policy, evaluate
from assay.evaluation.estimate import EstimatedItems, estimate_of
from assay.evaluation.tally import Grouping
from assay.prediction import Prediction, predict, text_pairs
from assay.stats.priorities import inclusion
from assay.verdicts import Verdict
from assay.verdicts.draw import Sampled, new_draw, sizes_of, skip
from assay.verdicts.written_texts import WrittenTexts, written_texts
from tests.evaluation.sampled_campaigns import SampledCampaign, sampled_campaign

# Three undecided texts: two systems wrote item-1's, item-3 is decided for all.
SMALL = {"item-1": "a:P a:P -", "item-2": "b:F + c:P", "item-3": "+ - +"}


def made_up(items: int, *, seed: int = 1, right: float = 0.7) -> dict[str, str]:
    """Items with an undecided text for about half of four systems' outputs."""
    chance = np.random.default_rng(seed)
    drawing = {}
    for number in range(items):
        worth = {letter: "P" if chance.random() < right else "F" for letter in "abc"}
        words = []
        for _ in range(4):
            letter = chance.choice([*"abc"])
            decided = "+" if chance.random() < 0.8 else "-"
            words.append(decided if chance.random() < 0.5 else f"{letter}:{worth[letter]}")
        drawing[f"item-{number:03}"] = " ".join(words)
    return drawing


def micro(estimate: EstimatedItems) -> Grouping:
    return Grouping(np.zeros(len(estimate.values), dtype=np.intp), [(None, None)])


def sample_of(texts: WrittenTexts, right: np.ndarray, random: np.ndarray, number: int) -> tuple[WrittenTexts, Sampled]:
    """The first `number` undecided texts by these random numbers, judged."""
    undecided = texts.undecided
    priorities = np.where(undecided, sizes_of(texts) / random, 0.0)
    order = np.argsort(-priorities, kind="stable")
    verdicts = texts.verdicts.copy()
    verdicts[order[:number]] = right[order[:number]]
    chances = np.where(undecided, inclusion(sizes_of(texts), float(priorities[order[number]])), 1.0)
    known = WrittenTexts(texts.table, texts.rows, texts.texts, verdicts, texts.judged, texts.numbers)
    return known, Sampled(order[:number], chances, 0, (), 0)


def worth_of(campaign: SampledCampaign, texts: WrittenTexts) -> np.ndarray:
    """0 or 1 for each text, also for the undecided ones."""
    return np.array(
        [
            int(campaign.truth.get(name, verdict == Verdict.PASS))
            for name, verdict in zip(texts.places(), texts.verdicts, strict=True)
        ],
        dtype=np.int8,
    )


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("predicted", [0.05, 0.5, 0.95])
def test_the_mean_over_all_samples_is_the_truth(predicted: float, number: int) -> None:
    """However bad the predictions are. Exact for each text: the others have any random numbers, and its own is below
    w / τ, where it is judged, or above, where it is not."""
    campaign = sampled_campaign(SMALL)
    texts = written_texts(campaign.table())
    right, sizes = worth_of(campaign, texts), sizes_of(texts)
    prediction = Prediction(np.full(len(right), predicted))
    outputs = [tuple(place) for place in np.argwhere(texts.undecided[texts.numbers]).tolist()]
    assert len(outputs) == 4
    for random in 1 - np.random.default_rng(1).random((25, len(right))):
        for output in outputs:
            text = int(texts.numbers[output])
            others = np.delete(np.where(texts.undecided, sizes / random, 0.0), text)
            chance = min(1.0, sizes[text] / np.sort(others)[-number])
            mean = 0.0
            for own, weight in ((1e-9, chance), (1.0, 1 - chance)):
                random[text] = own
                if weight:
                    mean += weight * estimate_of(*sample_of(texts, right, random, number), prediction).values[output]
            assert mean == pytest.approx(right[text])


def test_the_variance_is_the_mean_squared_error() -> None:
    """Judgements as likely as they were predicted: Σ (1 - π) / π · f (1 - f), for sums and for differences."""
    campaign = sampled_campaign(made_up(20))
    texts = written_texts(campaign.table())
    chance = np.random.default_rng(3)
    predicted = chance.uniform(0.3, 0.9, len(texts.texts))
    errors, told, apart, told_apart = [], [], [], []
    for _ in range(3000):
        right = np.where(texts.undecided, chance.random(len(predicted)) < predicted, texts.verdicts == Verdict.PASS)
        random = 1 - chance.random(len(predicted))
        known, sampled = sample_of(texts, right.astype(np.int8), random, 15)
        estimate = estimate_of(known, sampled, Prediction(predicted))
        error = (estimate.values - right[texts.numbers]).sum(axis=0)
        errors.append(error)
        told.append(estimate.variances.sum(axis=0))
        apart.append(error[0] - error)
        told_apart.append(estimate.gain(micro(estimate), 0).by_texts[0])
    squares = np.square(errors).mean(axis=0)
    assert (np.mean(told, axis=0) / squares).tolist() == pytest.approx([1.0] * 4, abs=0.12)
    ratio = np.mean(told_apart, axis=0)[1:] / np.square(apart).mean(axis=0)[1:]
    assert ratio.tolist() == pytest.approx([1.0] * 3, abs=0.12)


def test_what_is_predicted_of_a_text_does_not_depend_on_its_own_judgement() -> None:
    """Nor on whether it was judged: otherwise the difference between both would be another than that of the others."""
    campaign = sampled_campaign(made_up(30), categories=2)
    texts = written_texts(campaign.table())
    right, pairs = worth_of(campaign, texts), text_pairs(texts)
    judged = texts.undecided & (np.arange(len(right)) % 3 == 0)
    for text in np.flatnonzero(judged)[:10].tolist():
        found = []
        for own in (Verdict.PASS, Verdict.FAIL, Verdict.WARNING):
            verdicts = np.where(judged, right, texts.verdicts)
            verdicts[text] = own
            known = replace(texts, verdicts=verdicts.astype(np.int8))
            found.append(predict(known, pairs, judged & (verdicts != Verdict.WARNING)).shares[text])
        assert found[1:] == pytest.approx(found[:1] * 2)


def test_an_estimate_of_what_is_wholly_judged_is_the_truth() -> None:
    campaign = sampled_campaign(made_up(40), categories=2)
    draw = new_draw(written_texts(campaign.table()))
    suite = campaign.judged(campaign.truth)
    estimated = evaluate(suite, campaign.outputs, policy="estimate", draw=draw, keep_all=True)
    strict = evaluate(suite, campaign.outputs, policy="strict", keep_all=True)
    for estimate, known in zip(estimated.rows("both"), strict.rows("both"), strict=True):
        accuracies = {cell.system.name: cell.accuracy for cell in known.cells}
        for cell in estimate.cells:
            assert cell.accuracy == pytest.approx(accuracies[cell.system.name])


def evaluated(campaign: SampledCampaign, number: int, policy: Policy = "estimate") -> Evaluation:
    """After the first texts of a draw were judged."""
    draw = new_draw(written_texts(campaign.table()))
    suite = campaign.judged((text.item, text.text) for text in draw.texts[:number])
    return evaluate(suite, campaign.outputs, policy=policy, draw=draw, keep_all=True)


def numbers_of(evaluation: Evaluation) -> dict[tuple[str, str | None, str], tuple[float | None, ...]]:
    """Accuracy and both intervals by level, category and system."""
    return {
        (row.level, row.category, cell.system.name): (cell.accuracy, cell.low, cell.high)
        for row in evaluation.rows("category")
        for cell in row.cells
    }


@settings(max_examples=15, deadline=None)
@given(items=st.permutations(range(30)), systems=st.permutations(range(4)))
def test_the_order_of_items_and_systems_changes_nothing(items: list[int], systems: list[int]) -> None:
    drawing = made_up(30)
    names = list(drawing)
    other = sampled_campaign({names[place]: drawing[names[place]] for place in items}, systems=systems, categories=2)
    first, second = (numbers_of(evaluated(of, 25)) for of in (sampled_campaign(drawing, categories=2), other))
    assert first.keys() == second.keys()
    for key, numbers in first.items():
        assert second[key] == pytest.approx(numbers, abs=1e-9)


@pytest.mark.parametrize("policy", ["fair", "own", "strict"])
def test_a_draw_changes_nothing_for_other_policies(policy: Policy) -> None:
    campaign = sampled_campaign(made_up(30), categories=2)
    draw = new_draw(written_texts(campaign.table()))
    suite = campaign.judged((text.item, text.text) for text in draw.texts[:20])
    with_draw, without = (
        evaluate(suite, campaign.outputs, policy=policy, draw=of, keep_all=True).to_dict() for of in (draw, None)
    )
    assert with_draw == without
    assert "estimate" not in with_draw
    assert "draw" not in with_draw["signature"]


def test_intervals_lie_within_what_is_possible_and_in_each_other() -> None:
    evaluation = evaluated(sampled_campaign(made_up(40), categories=2), 20)
    bounds = {cell.system.name: (cell.lower_bound, cell.upper_bound) for cell in evaluation.averages()[0].cells}
    for cell in evaluation.averages()[0].cells:
        least, most = bounds[cell.system.name]
        assert cell.low is not None
        assert cell.high is not None
        assert cell.accuracy is not None
        assert least is not None
        assert most is not None
        assert least <= cell.accuracy <= most
        assert cell.low <= cell.accuracy <= cell.high


def test_without_enough_judgements_one_line_says_how_many_are_missing() -> None:
    campaign = sampled_campaign(made_up(40))
    with pytest.raises(BadOption, match=r"too little is judged for an estimate: 0 of \d+ undecided texts"):
        evaluated(campaign, 0)
    with pytest.raises(BadOption, match="policy estimate needs a draw"):
        evaluate(campaign.suite, campaign.outputs, policy="estimate", keep_all=True)


def test_those_who_were_skipped_are_like_those_who_were_judged() -> None:
    """Of the first texts every fourth could not be judged: the others stand for them too, and it is named."""
    campaign = sampled_campaign(made_up(40))
    draw = new_draw(written_texts(campaign.table()))
    begin = [(text.item, text.text) for text in draw.texts[:40]]
    skipped = begin[::4]
    suite = campaign.judged(name for name in begin if name not in skipped)
    evaluation = evaluate(suite, campaign.outputs, policy="estimate", draw=skip(draw, skipped), keep_all=True)
    assert evaluation.basis is not None
    assert (evaluation.basis.judged, evaluation.basis.skipped) == (30, 10)
    assert "judged:30 of" in evaluation.signature
    assert "10 skipped" in evaluation.signature


def test_what_both_systems_wrote_is_no_difference_between_them() -> None:
    drawing: Mapping[str, str] = {f"item-{n:02}": "a:P a:P b:F" if n % 3 else "a:F a:F b:P" for n in range(30)}
    evaluation = evaluated(sampled_campaign(drawing), 20)
    first, second = (cell.accuracy for cell in evaluation.averages()[0].cells if cell.system.name in ("S0", "S1"))
    assert first == second
