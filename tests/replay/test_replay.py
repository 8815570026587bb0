"""Replays of made campaigns: errors that shrink, intervals that hold, numbers that stay."""

import pytest

from assay.errors import BadOption
from assay.replay import Replay, replay
from assay.replay.replay import ReplayedItems
from tests.replay.campaigns import made_table

TABLE = made_table()


@pytest.fixture(scope="module")
def result() -> Replay:
    return replay(TABLE, numbers=(60, 120), draws=30)


def test_the_estimate_is_closer_than_fair_and_than_counted_suggestions(result: Replay) -> None:
    for judged in (60, 120):
        estimate, fair, counted = (result.line(policy, judged) for policy in ("estimate", "fair", "suggestions"))
        assert estimate.level is not None
        assert fair.level is not None
        assert counted.level is not None
        assert estimate.level < fair.level
        # Nothing tells right from wrong here, so that nearly all is suggested as right.
        assert estimate.level < counted.level / 2


def test_more_judgements_are_less_error(result: Replay) -> None:
    few, many = (result.line("estimate", judged) for judged in (60, 120))
    assert (few.level or 0) > (many.level or 0)
    assert (few.between or 0) > (many.between or 0)


@pytest.mark.parametrize("items", ["these", "drawn"])
def test_intervals_hold_the_truth(items: ReplayedItems) -> None:
    [line, _] = replay(TABLE, numbers=(80,), draws=40, items=items, order="sample").lines
    for covered in (line.micro, line.pairs, line.categories):
        assert covered is not None
        assert 0.9 <= covered <= 0.99


def test_with_everything_judged_there_is_no_error(result: Replay) -> None:
    for line in replay(TABLE, share=0.2, numbers=(round(0.2 * result.hidden),), draws=3).lines:
        assert (line.level, line.between) == pytest.approx((0, 0), abs=1e-9)


def test_the_same_seed_gives_the_same_lines(result: Replay) -> None:
    again = replay(TABLE, numbers=(60, 120), draws=30)
    assert again.lines == result.lines
    assert replay(TABLE, numbers=(60, 120), draws=30, seed=2).lines != result.lines


def test_a_policy_alone_sees_what_it_sees_beside_the_others(result: Replay) -> None:
    fair, sample = (replay(TABLE, numbers=(60, 120), draws=30, order=order) for order in ("fair", "sample"))
    assert [line.policy for line in fair.lines] == ["fair", "fair"]
    assert {line.policy for line in sample.lines} == {"estimate", "suggestions"}
    assert set(fair.lines) | set(sample.lines) == set(result.lines)


def test_where_too_little_is_judged_there_is_no_number() -> None:
    result = replay(TABLE, numbers=(2,), draws=3)
    line = result.line("estimate", 2)
    assert (line.draws, line.level, line.between, line.micro) == (0, None, None, None)
    assert any(str(note) == "estimate after 2: too few judgements in 3 draws." for note in result.notes())


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"share": 0}, "the share to hide must be above 0 and at most 1, not 0"),
        ({"share": 1.5}, "the share to hide must be above 0 and at most 1, not 1.5"),
        ({"share": float("nan")}, "the share to hide must be above 0 and at most 1, not nan"),
        ({"numbers": (10, 5000)}, r"5,000 texts cannot be judged: \d+ are hidden; choose from 1 to \d+"),
        ({"numbers": (0,)}, "0 texts cannot be judged"),
        ({"share": 0.05}, r"only \d+ texts would be hidden; say how many of them to judge \(--judged\)"),
        ({"draws": 0}, "there must be at least one draw, not 0"),
    ],
)
def test_mistakes_are_named(choices: dict[str, object], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        replay(TABLE, **choices)  # type: ignore[arg-type]


def test_the_signature_says_what_was_hidden(result: Replay) -> None:
    assert f"|hidden:exact 100 %, {result.hidden}|hiding:evenly|items:these|draws:30|seed:1|" in result.signature
    assert result.to_dict()["lines"][0]["policy"] == "estimate"
