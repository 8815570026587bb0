"""How far judgements lie from predictions: the truth where predictions are right, and where they are not."""

import numpy as np
import pytest

from assay.prediction import Prediction, spread
from assay.verdicts import Verdict
from assay.verdicts.written_texts import WrittenTexts, written_texts
from tests.evaluation.sampled_campaigns import sampled_campaign

NUMBER = 400


def judged_texts(chance_of_many: float, chance_of_one: float, seed: int = 1) -> WrittenTexts:
    """Items whose text all four systems wrote, right so often, and items that one system has a text of its own on."""
    chance = np.random.default_rng(seed)
    drawing = {}
    for item in range(NUMBER):
        many = item % 2
        worth = "P" if chance.random() < (chance_of_many if many else chance_of_one) else "F"
        drawing[f"item-{item:03}"] = " ".join([f"a:{worth}"] * 4) if many else f"a:{worth} + + +"
    campaign = sampled_campaign(drawing)
    return written_texts(campaign.table(campaign.judged(campaign.truth)))


@pytest.mark.parametrize("number", [20, 100, 400])
def test_where_predictions_are_right_it_is_what_they_promise(number: int) -> None:
    found = []
    for seed in range(30):
        texts = judged_texts(0.8, 0.8, seed)
        judged = np.zeros(len(texts.texts), bool)
        judged[np.flatnonzero(texts.judged)[:number]] = True
        found.append(spread(texts, Prediction(np.full(len(judged), 0.8)), judged)[texts.judged].mean())
    assert np.mean(found) == pytest.approx(0.8 * 0.2, rel=0.2)


def test_what_many_wrote_varies_as_it_does_and_not_as_what_one_wrote() -> None:
    """0.85 is predicted of all: (0.02 · 0.85² + 0.98 · 0.15²) = 0.036 and (0.35 · 0.85² + 0.65 · 0.15²) = 0.27."""
    texts = judged_texts(0.98, 0.65)
    judged = texts.judged & (np.arange(len(texts.texts)) % 3 == 0)
    found = spread(texts, Prediction(np.full(len(judged), 0.85)), judged)
    outputs = texts.outputs_of()
    assert found[texts.judged & (outputs == 4)].mean() == pytest.approx(0.036, abs=0.02)
    assert found[texts.judged & (outputs == 1)].mean() == pytest.approx(0.27, abs=0.04)


def test_where_little_is_judged_it_is_nearly_what_predictions_promise() -> None:
    """One text, right as predicted, moves hardly anything, and a surprise moves it up."""
    texts = judged_texts(0.9, 0.9)
    places = np.flatnonzero(texts.judged)
    told = Prediction(np.full(len(texts.texts), 0.9))
    found = {}
    for verdict in (Verdict.PASS, Verdict.FAIL):
        judged = np.zeros(len(texts.texts), bool)
        judged[places[texts.verdicts[places] == verdict][0]] = True
        found[verdict] = spread(texts, told, judged)[places].mean()
    assert found[Verdict.PASS] == pytest.approx(0.09, rel=0.25)
    assert found[Verdict.FAIL] > found[Verdict.PASS]
