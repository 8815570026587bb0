"""Blind sets, and the same pairs with other references."""

import pytest

from assay.challenge import build, redraw
from assay.challenge.blind import blind
from assay.challenge.build import Drawing
from assay.challenge.challenge_set import ChallengeItem
from assay.errors import BadOption
from tests.challenge.judged import judged, many

TABLE = judged({"Word": [many(4, 2) for _ in range(30)], "Name": [many(2, 1)]})
OPEN = build(TABLE, Drawing(per_item=2, apart=True)).challenge


class TestBlind:
    def test_nothing_tells_which_is_right(self) -> None:
        hidden, _ = blind(OPEN, "a")
        known = ("id", "source", "reference", "first", "second")
        for item in hidden.items:
            assert item == ChallengeItem(*(getattr(item, name) for name in known))
        assert hidden.signature == ""
        assert all(item.id.isdigit() for item in hidden.items)

    def test_the_key_has_the_same_items_in_the_same_order(self) -> None:
        hidden, key = blind(OPEN, "a")
        assert hidden.hash == key.hash
        pairs = [(item.item, item.right, item.wrong, item.reference) for item in key.items]
        assert sorted(pairs) == sorted((item.item, item.right, item.wrong, item.reference) for item in OPEN.items)
        systems = {(item.item, item.wrong): item.second_systems for item in OPEN.items}
        for item in key.items:
            wrote = item.first_systems if item.correct == 2 else item.second_systems
            assert wrote == systems[item.item, item.wrong]

    def test_either_comes_first_about_half_the_time(self) -> None:
        _, key = blind(OPEN, "a")
        first = sum(item.correct == 1 for item in key.items)
        assert len(key) == 61
        assert 15 <= first <= 46  # binomial(61, 0.5): almost four standard deviations

    def test_without_a_seed_the_order_is_a_secret_that_the_key_tells(self) -> None:
        hidden, key = blind(OPEN)
        assert blind(OPEN)[0].items != hidden.items
        assert blind(OPEN, key.signature.rpartition("|blind:")[2])[0] == hidden

    def test_the_order_depends_on_the_seed(self) -> None:
        assert blind(OPEN, "a") == blind(OPEN, "a")
        assert blind(OPEN, "a")[0].items != blind(OPEN, "b")[0].items

    def test_a_translation_that_is_a_reference_elsewhere_would_tell(self) -> None:
        mixed = build(TABLE, Drawing(per_item=4)).challenge
        with pytest.raises(BadOption, match="tells that it is right"):
            blind(mixed)

    def test_sets_for_blinding_keep_references_and_translations_apart(self) -> None:
        drawn = build(TABLE, Drawing(per_item=9, apart=True)).challenge
        by_item: dict[str, tuple[set[str], set[str]]] = {}
        for item in drawn.items:
            references, translations = by_item.setdefault(item.item, (set(), set()))
            references.add(item.reference)
            translations |= {item.first, item.second}
        assert not any(references & translations for references, translations in by_item.values())
        # Of four correct texts two are references: 2 · 2 · 2 incorrect ones
        assert len(drawn) == 30 * 8 + 1
        assert drawn.signature.endswith("references:apart")


class TestRedraw:
    def test_the_pairs_stay_and_the_references_change_where_there_are_others(self) -> None:
        redrawn = redraw(TABLE, OPEN, seed=5)
        assert redrawn.changed == 60  # of 61: the item with two correct texts has no other reference
        for new, old in zip(redrawn.challenge.items, OPEN.items, strict=True):
            assert (new.id, new.right, new.wrong) == (old.id, old.right, old.wrong)
            assert new.reference != new.right
            assert new.reference.startswith("good")
            assert (new.reference == old.reference) == (old.phenomenon == "Name")
        assert redrawn.challenge.signature.endswith("|references:5")

    def test_a_blind_set_cannot_be_redrawn(self) -> None:
        with pytest.raises(BadOption, match="blind"):
            redraw(TABLE, blind(OPEN, "a")[0], seed=1)

    def test_where_nothing_changes(self) -> None:
        table = judged({"Name": [many(2, 1)]})
        with pytest.raises(BadOption, match="no item of the set has another"):
            redraw(table, build(table, Drawing(per_item=1)).challenge, seed=2)

    def test_outputs_that_do_not_have_the_pair(self) -> None:
        others = judged(
            {"Word": [{"A": "good x", "B": "good y", "C": "bad z"} for _ in range(30)], "Name": [many(2, 1)]}
        )
        with pytest.raises(BadOption, match="is no correct output here"):
            redraw(others, OPEN, seed=1)

    def test_outputs_of_another_suite(self) -> None:
        with pytest.raises(BadOption, match="Word-1"):
            redraw(judged({"Verb": [many(3, 1)]}), OPEN, seed=1)
