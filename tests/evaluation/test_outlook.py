"""What more judgements would bring, against the estimate itself and against judging them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from assay.evaluation.estimate import EstimatedItems, estimate_of, outlook_of
from assay.evaluation.evaluation import judge_outputs
from assay.evaluation.outlook import ASSUMED, Outlook
from assay.evaluation.tally import Grouping, Level, groupings
from assay.outputs import Collector, System
from assay.prediction import Predictor
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.verdicts import Verdict
from assay.verdicts.draw import Draw, new_draw, skip
from assay.verdicts.written_texts import WrittenTexts, written_texts

ITEMS, SYSTEMS = 120, 4


def texts_of(judged: Draw | None = None, number: int = 0) -> WrittenTexts:
    """Two categories; system s is undecided wherever (item + s) % 3 is 0 and right elsewhere, but system 3 is worse.

    The first `number` texts of a draw are judged: those of systems 0 and 1 right, others wrong.
    """
    known = {(text.item, text.text) for text in judged.texts[:number]} if judged else set()
    texts = [
        [
            f"open {item} {system % 3}"
            if (item + system) % 3 == 0
            else "wrong"
            if system == 3 and item % 2
            else "right"
            for item in range(ITEMS)
        ]
        for system in range(SYSTEMS)
    ]
    rules = (Rule("pass", "contains", "right"), Rule("fail", "contains", "wrong"))

    def exact(item: int) -> list[Rule]:
        mine = [text for place, text in known if place == f"i-{item}"]
        return [Rule("pass" if text[-1] in "01" else "fail", "exact", text) for text in mine]

    items = tuple(
        Item(f"i-{item}", "AB"[item % 2], "P", f"Satz {item}.", (*rules, *exact(item))) for item in range(ITEMS)
    )
    suite = Suite("outlook", "de-en", items, taxonomy_of(items))
    collector = Collector(suite)
    for system in range(SYSTEMS):
        collector.add(System(f"S{system}"), positions=range(ITEMS), texts=texts[system])
    return written_texts(judge_outputs(suite, collector.outputs(), keep_all=True)[0])


DRAW = new_draw(texts_of())


def outlook_with(number: int, draw: Draw = DRAW) -> tuple[Outlook, EstimatedItems, dict[Level, Grouping]]:
    texts = texts_of(draw, number)
    sampled = draw.sampled(texts)
    prediction = Predictor()(texts, sampled.is_judged)
    outlook = outlook_of(texts, draw, sampled, prediction)
    return outlook, estimate_of(texts, sampled, prediction), groupings(texts.table.suite, texts.table.items)


@pytest.mark.parametrize("skipped", [0, 3])
def test_at_what_is_judged_it_has_the_chances_and_variances_of_the_estimate(skipped: int) -> None:
    draw = skip(DRAW, [(text.item, text.text) for text in DRAW.texts[40 : 40 + skipped]])
    outlook, estimate, grouping = outlook_with(40, draw)
    sampled = outlook.sampled
    assert (outlook.judged, sampled.skipped) == (40, skipped)
    assert outlook.chances(40) == pytest.approx(sampled.chances)
    rows = estimate.rows(grouping["micro"])
    half = 1.96 * np.sqrt(rows.text_variance.max())
    assert outlook.widest(40)[0] == pytest.approx(half, rel=1e-3)


def test_more_judgements_make_intervals_narrower_until_nothing_is_left() -> None:
    outlook, _, _ = outlook_with(40)
    halves = [outlook.widest(number) for number in range(40, outlook.most + 1)]
    assert outlook.most == len(DRAW.texts)
    assert all(later <= sooner for sooner, later in pairwise(halves))
    assert halves[-1] == (0, 0)


def test_before_anything_is_judged_a_variance_is_assumed() -> None:
    texts = texts_of()
    outlook = Outlook.of(texts, DRAW, DRAW.sampled(texts))
    assert outlook.spread[texts.undecided] == pytest.approx(ASSUMED)
    assert set(outlook.spread[~texts.undecided]) == {0}
    # By hand: every system has 40 undecided texts; those of S0 and S3 are the same.
    chances = outlook.chances(60)
    mine = texts.numbers[texts.undecided[texts.numbers[:, 1]], 1]
    assert len(mine) == 40
    variance = sum((1 - chance) / chance * ASSUMED for chance in chances[mine])
    assert outlook.widest(60)[0] >= 1.96 * np.sqrt(variance) / ITEMS - 1e-5


def test_what_was_judged_before_the_draw_tells_how_much_judgements_vary() -> None:
    texts = texts_of()
    # 90 texts of which every tenth was judged wrong, and ten that are assumed, two of them wrong: 11 of 100.
    judged = np.flatnonzero(~texts.undecided)[:90]
    known = replace(texts, judged=np.isin(np.arange(len(texts.texts)), judged), verdicts=texts.verdicts.copy())
    known.verdicts[judged] = Verdict.PASS
    known.verdicts[judged[::10]] = Verdict.FAIL
    outlook = Outlook.of(known, DRAW, DRAW.sampled(texts))
    assert outlook.spread[texts.undecided] == pytest.approx(0.11 * 0.89)


def test_what_is_enough_is_the_least_that_is_enough() -> None:
    outlook, _, _ = outlook_with(40)
    number = outlook.number_for(0.02)
    assert number is not None
    assert outlook.widest(number)[0] <= 0.02 < outlook.widest(number - 1)[0]
    assert outlook.number_for(0.5) == 40
    assert outlook.number_for(0) == outlook.most


def test_skipped_texts_can_make_a_goal_impossible() -> None:
    outlook, _, _ = outlook_with(40, skip(DRAW, [(text.item, text.text) for text in DRAW.texts[40:60]]))
    assert outlook.number_for(0) is None


@pytest.mark.parametrize("level", ["micro", "category"])
def test_two_systems_are_told_apart_when_their_test_says_so(level: Level) -> None:
    outlook, estimate, grouping = outlook_with(40)
    p = estimate.worse_in_mean(grouping[level], 0)[0]
    for other in range(1, SYSTEMS):
        more = estimate.needs(outlook, 0, other, grouping=grouping[level])
        assert (more == 0) == (p[other] < 0.05)
        strict = estimate.needs(outlook, 0, other, grouping=grouping[level], alpha=1e-12)
        assert strict is None or more is not None


def test_systems_that_items_alone_cannot_tell_apart_need_no_judgements() -> None:
    outlook, estimate, grouping = outlook_with(40)
    # S0 and S1 have the same share right of what is decided, and all of their texts are judged right.
    assert estimate.needs(outlook, 0, 1, grouping=grouping["micro"], alpha=0.001) is None
    assert estimate.needs(outlook, 0, 0, grouping=grouping["micro"]) is None
    assert estimate.needs(outlook, 0, 3, grouping=grouping["micro"]) == 0


def test_what_is_said_to_be_needed_is_needed_at_the_same_difference() -> None:
    outlook, estimate, grouping = outlook_with(40)
    # An alpha between what the test says now and what it says when all is judged.
    p = float(estimate.worse_in_mean(grouping["micro"], 0)[0, 2])
    alpha = p * 0.5
    more = estimate.needs(outlook, 0, 2, grouping=grouping["micro"], alpha=alpha)
    assert more is not None
    assert 0 < more <= len(outlook.sampled.next)
