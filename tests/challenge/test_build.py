"""Drawing challenge items from judged outputs."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.challenge import build
from assay.challenge.build import Drawing, is_reserved
from assay.challenge.closeness import Range, difficulty
from assay.errors import BadOption
from assay.suites import Item
from assay.text import normalise
from tests.challenge.judged import judged, many

ONE = {"A": "good one", "B": "good two", "C": "bad one", "D": "good  one ", "E": "what"}


def test_the_only_two_ways_to_draw_from_two_correct_and_one_incorrect() -> None:
    built = build(judged({"Word": [ONE]}, campaign="2021"), Drawing(per_item=9))
    first, second = built.challenge.items
    assert {first.reference, second.reference} == {"good one", "good two"}
    for item in (first, second):
        assert (item.item, item.category, item.phenomenon) == ("Word-1", "Grammar", "Word")
        assert item.source == "Quelle Word 1."
        assert {item.reference, item.right} == {"good one", "good two"}
        assert item.wrong == "bad one"
        assert item.second_systems == ("C (2021)",)
    assert [item.id for item in built.challenge.items] == ["Word-1#1", "Word-1#2"]


def test_a_text_that_differs_in_white_space_alone_is_the_same_and_keeps_all_its_systems() -> None:
    items = build(judged({"Word": [ONE]}), Drawing(per_item=9)).challenge.items
    systems = {item.right: item.first_systems for item in items}
    assert systems == {"good one": ("A", "D"), "good two": ("B",)}


def test_items_that_give_nothing_are_counted_by_reason() -> None:
    table = judged(
        {
            "Word": [
                {"A": "good one", "B": "good two", "C": "bad"},
                {"A": "good one", "B": "good  one", "C": "bad"},
                {"A": "good one", "B": "good two"},
                {"A": "what", "B": "bad"},
                {"A": "good one", "B": "good two", "C": "bad"},
            ]
        },
        held_out={"Word-5"},
    )
    built = build(table, Drawing())
    assert built.used == 1
    assert built.left_out == {"one_correct": 1, "none_incorrect": 1, "none_correct": 1, "held_out": 1}


def test_an_item_without_outputs_is_counted() -> None:
    assert build(judged({"Word": [ONE, {}]}), Drawing()).left_out == {"not_in_source": 1}


class TestHowMany:
    def test_at_most_so_many_per_item(self) -> None:
        # 3 correct: 3 · 2 references and correct ones, 2 incorrect: 12 ways; 2 and 1: 2 ways
        table = judged({"Word": [many(3, 2), many(2, 1)]})
        sizes = Counter(item.item for item in build(table, Drawing(per_item=5)).challenge.items)
        assert sizes == {"Word-1": 5, "Word-2": 2}
        sizes = Counter(item.item for item in build(table, Drawing(per_item=50)).challenge.items)
        assert sizes == {"Word-1": 12, "Word-2": 2}

    def test_a_total_is_shared_evenly_between_phenomena_and_then_between_items(self) -> None:
        table = judged({"Word": [many(4, 4)], "Name": [many(4, 4), many(4, 4)]})
        sizes = Counter(item.item for item in build(table, Drawing(total=40)).challenge.items)
        assert sizes == {"Word-1": 20, "Name-1": 10, "Name-2": 10}

    def test_what_a_small_phenomenon_cannot_give_others_give(self) -> None:
        table = judged({"Word": [many(2, 1)], "Name": [many(4, 4), many(4, 4)]})
        sizes = Counter(item.phenomenon for item in build(table, Drawing(total=40)).challenge.items)
        assert sizes == {"Word": 2, "Name": 38}

    def test_by_default_small_phenomena_draw_as_many_as_the_median_one(self) -> None:
        table = judged({"Word": [many(4, 4)], "Name": [many(4, 4)] * 3, "Verb": [many(4, 4)] * 5})
        sizes = Counter(item.phenomenon for item in build(table, Drawing()).challenge.items)
        assert sizes == {"Word": 3, "Name": 3, "Verb": 5}

    def test_but_at_most_ten_of_an_item(self) -> None:
        table = judged({"Word": [many(4, 4)], "Name": [many(4, 4)] * 20, "Verb": [many(4, 4)] * 20})
        assert Counter(item.phenomenon for item in build(table, Drawing()).challenge.items)["Word"] == 10


class TestSeed:
    TABLE = judged({"Word": [many(5, 5) for _ in range(8)]})

    def test_the_same_seed_the_same_set(self) -> None:
        assert build(self.TABLE, Drawing(seed=3)).challenge == build(self.TABLE, Drawing(seed=3)).challenge

    def test_another_seed_another_set(self) -> None:
        assert build(self.TABLE, Drawing(seed=3)).challenge.items != build(self.TABLE, Drawing(seed=4)).challenge.items

    def test_the_order_of_the_systems_does_not_matter(self) -> None:
        texts = many(5, 5)
        forth, back = (judged({"Word": [order]}) for order in (texts, dict(reversed(texts.items()))))
        assert build(forth, Drawing(per_item=3)).challenge == build(back, Drawing(per_item=3)).challenge

    def test_an_items_draw_does_not_depend_on_the_others(self) -> None:
        fewer = judged({"Word": [many(5, 5) for _ in range(3)]})
        drawn = build(self.TABLE, Drawing(per_item=2)).challenge.items
        assert build(fewer, Drawing(per_item=2)).challenge.items == drawn[:6]


class TestReserve:
    def test_a_share_of_the_items_is_never_written(self) -> None:
        table = judged({"Word": [many(2, 1) for _ in range(400)]})
        built = build(table, Drawing(per_item=1, reserve=0.25))
        assert built.used + built.left_out["reserved"] == 400
        assert 70 <= built.left_out["reserved"] <= 130  # binomial(400, 0.25): three standard deviations are 26

    def test_it_depends_on_the_source_alone_and_a_larger_share_contains_a_smaller(self) -> None:
        items = [Item(str(number), "C", "P", f"Satz {number}") for number in range(200)]
        small, large = ({item.id for item in items if is_reserved(item, share)} for share in (0.1, 0.3))
        assert small < large
        renamed = Item("other", "X", "Y", " Satz  7 ")
        assert is_reserved(renamed, 0.5) == is_reserved(items[7], 0.5)


class TestCloseness:
    TABLE = judged({"Word": [{"A": "good abcdefgh", "B": "good abcdefgi", "C": "bad zzzzzzzzz", "D": "bad_ abcdefgh"}]})

    def test_only_pairs_that_are_close(self) -> None:
        built = build(self.TABLE, Drawing(per_item=9, closeness=Range(0.6, 1)))
        assert {item.wrong for item in built.challenge.items} == {"bad_ abcdefgh"}

    def test_only_pairs_that_letters_cannot_tell_apart(self) -> None:
        # From reference "good abcdefgh" the correct text has 1 edit of 13 letters, "bad_ abcdefgh" 4, "bad zzzzzzzzz"
        # more; from "good abcdefgi" they have 1 and 5. Advantages: 3/13, 4/13, more.
        built = build(self.TABLE, Drawing(per_item=9, advantage=Range(0.2, 0.3)))
        assert [(item.reference, item.wrong) for item in built.challenge.items] == [("good abcdefgh", "bad_ abcdefgh")]

    def test_an_item_without_such_pairs_is_counted(self) -> None:
        assert build(self.TABLE, Drawing(closeness=Range(0.99, 1))).left_out == {"closeness": 1}

    def test_how_hard_a_set_is(self) -> None:
        table = judged({"Word": [{"A": "good aa", "B": "good ab", "C": "bad"}]})
        found = difficulty(build(table, Drawing(per_item=1)).challenge.items)
        assert found is not None
        # "good aa" and "good ab": 1 edit of 7 letters; "bad" shares one letter in order with them: 6 edits of 7
        assert found.correct.mean == pytest.approx(6 / 7)
        assert found.incorrect.mean == pytest.approx(1 / 7)
        assert found.closer == 1

    def test_of_nothing(self) -> None:
        assert difficulty([]) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"per_item": 0}, "at least 1"),
        ({"total": -1}, "at least 1"),
        ({"reserve": 1.0}, "like 0.2"),
        ({"seed": -1}, "negative"),
    ],
)
def test_wrong_options(options: dict[str, float], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        Drawing(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "0.5", "0.9:0.5", "-1:0.5", "0:2", "a:b"])
def test_wrong_ranges(text: str) -> None:
    with pytest.raises(BadOption, match="LOW:HIGH"):
        Range.parse(text, least=0, most=1)


def test_an_end_may_be_left_out() -> None:
    assert Range.parse("0.5:", least=0, most=1) == Range(0.5, 1)
    assert Range.parse(":0.5", least=-1, most=1) == Range(-1, 0.5)


@given(
    st.lists(
        st.dictionaries(st.sampled_from("ABCDEF"), st.sampled_from(["good 1", "good 2", "good  2", "bad 1", "?"]))
    ),
    st.integers(1, 4),
)
def test_whatever_was_written(outputs: list[dict[str, str]], per_item: int) -> None:
    outputs = [*outputs, {"A": "good 1"}]
    table = judged({"Word": outputs})
    built = build(table, Drawing(per_item=per_item))
    for item in built.challenge.items:
        written = outputs[int(item.item.removeprefix("Word-")) - 1]
        texts = [normalise(text) for text in (item.reference, item.right, item.wrong)]
        assert len(set(texts)) == 3
        assert texts[0].startswith("good")
        assert texts[1].startswith("good")
        assert texts[2].startswith("bad")
        for text, systems in ((item.reference, item.reference_systems), (item.wrong, item.second_systems)):
            assert set(systems) == {name for name, mine in written.items() if normalise(mine) == text}
    assert built.used + sum(built.left_out.values()) == len(outputs)
