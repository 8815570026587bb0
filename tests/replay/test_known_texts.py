"""What can be hidden, which of it is, and items drawn anew."""

import numpy as np
import pytest

from assay.errors import BadOption
from assay.evaluation.evaluation import judge_outputs
from assay.replay.known_texts import HIDINGS, Hiding, KnownTexts, known_texts
from assay.suites import Rule
from assay.verdicts import Verdict
from tests.evaluation.tables import SMALL, suite_and_outputs
from tests.replay.campaigns import made_table, with_rules


def hidden_texts(known: KnownTexts) -> list[str]:
    return [text for text, chance in zip(known.texts.texts, known.chances, strict=True) if chance]


def test_only_what_exact_rules_alone_decide_can_be_hidden() -> None:
    table = made_table()
    known = known_texts(table)
    assert {text.rpartition(" ")[2] for text in hidden_texts(known)} == {"a.", "b.", "c."}
    # A pattern that passes every text `a`: now it would never have been undecided, whatever its exact rule says.
    wider = known_texts(with_rules(table, Rule("pass", "contains", " a.")))
    assert {text.rpartition(" ")[2] for text in hidden_texts(wider)} == {"b.", "c."}
    assert wider.texts.verdicts.tolist() == known.texts.verdicts.tolist()


def test_items_that_are_undecided_even_now_are_left_out() -> None:
    table = made_table()
    # From here on both polarities match the last text of item 7.
    contradicted = known_texts(with_rules(table, Rule("fail", "regex", r" 7 d"))).texts
    everything = known_texts(table).texts
    assert 7 in everything.table.items
    assert set(everything.table.items.tolist()) - set(contradicted.table.items.tolist()) == {7}


def test_without_exact_rules_there_is_nothing_to_hide() -> None:
    table, _ = judge_outputs(*suite_and_outputs(SMALL), keep_all=True)
    with pytest.raises(BadOption, match="there is nothing to hide: no text is decided by exact rules"):
        known_texts(table)


@pytest.mark.parametrize("hiding", HIDINGS)
def test_as_many_are_hidden_every_time(hiding: Hiding) -> None:
    known = known_texts(made_table()).prepared(0.4, hiding)
    chance = np.random.default_rng(1)
    first, second = known.hide(chance), known.hide(chance)
    assert first.sum() == second.sum() == known.hidden
    assert (first != second).any()
    assert not (first & (known.chances == 0)).any()


def test_hidden_texts_can_fail_three_times_as_often() -> None:
    known = known_texts(made_table(right=0.8)).prepared(0.2, "failing")
    hidden = known.hide(np.random.default_rng(1))
    failing = known.texts.verdicts == Verdict.FAIL
    assert failing[hidden].mean() == pytest.approx(3 * failing[~hidden].mean(), rel=0.1)
    with pytest.raises(BadOption, match=r"cannot be wrong 3 times as often .* try a smaller --share"):
        known_texts(made_table(right=0.8)).prepared(1, "failing")


def test_one_system_can_have_five_times_the_undecided_outputs() -> None:
    known = known_texts(made_table(400)).prepared(0.8, "one-system")
    hidden = known.hide(np.random.default_rng(1))
    of_each = np.sort(hidden[known.texts.numbers].sum(axis=0))
    assert of_each[-1] == pytest.approx(5 * of_each[:-1].mean(), rel=0.15)


def test_items_drawn_anew_are_whole_items() -> None:
    known = known_texts(made_table(40))
    drawn = known.redrawn(np.random.default_rng(1))
    texts, suite = drawn.texts, drawn.texts.table.suite
    assert len(texts.table.items) == len(known.texts.table.items)
    assert len(set(texts.table.items.tolist())) < len(texts.table.items)
    for row, position in enumerate(texts.table.items.tolist()):
        # Every text of a made campaign names its item's number.
        assert all(f" {position} " in texts.texts[number] for number in texts.numbers[row])
        assert suite.items[position].category == drawn.categories.names[drawn.categories.members[row]][0]
    assert (texts.rows[drawn.pairs.first] == texts.rows[drawn.pairs.second]).all()
    alike = {(texts.texts[a], texts.texts[b]): s for a, b, s in zip(*_pairs(drawn), strict=True)}
    known_alike = {(known.texts.texts[a], known.texts.texts[b]): s for a, b, s in zip(*_pairs(known), strict=True)}
    assert alike.items() <= known_alike.items()


def _pairs(known: KnownTexts) -> tuple[list[int], list[int], list[float]]:
    return known.pairs.first.tolist(), known.pairs.second.tolist(), known.pairs.alike.tolist()
