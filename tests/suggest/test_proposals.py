"""What is proposed matches what it claims, nothing of the other side, and follows from what was judged."""

import time
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.suggest.proposals import MANY_PROPOSALS, Proposal, SiblingTexts, common_words, propose
from assay.suites import Item, Polarity
from assay.text import is_missing, normalise
from assay.verdicts import match, pattern


def values(
    passing: Sequence[str], failing: Sequence[str], polarity: Polarity = "pass", contrast: SiblingTexts | None = None
) -> list[str]:
    return [found.rule.value for found in propose(passing, failing, polarity, contrast=contrast or SiblingTexts())]


class TestFrames:
    """A whole text with two places that vary, of which three corners were judged."""

    CORNERS = ("You have painted the house.", "They have painted the house.", "They have coated the house.")

    def test_the_fourth_corner_follows(self) -> None:
        found = propose(self.CORNERS, [], others=["You have coated the house.", "You have coated a house."])
        assert [(one.rule.value, one.covers, one.others) for one in found] == [
            (r"^(?:They|You) have (?:coated|painted) the house\.$", 3, 1)
        ]

    def test_two_corners_are_too_few(self) -> None:
        assert values(self.CORNERS[::2], []) == []

    def test_not_where_the_fourth_was_judged_otherwise(self) -> None:
        assert values(self.CORNERS, ["You have coated the house."]) == []

    def test_more_words_in_a_place(self) -> None:
        texts = [
            f"{who} have {did} the door." for who in ("We", "You all") for did in ("shut", "been closing", "locked")
        ]
        assert values(texts[:-1], [])[0] == r"^(?:We|You all) have (?:been closing|locked|shut) the door\.$"

    def test_what_is_left_out_may_be_made_up_for_elsewhere(self) -> None:
        """Without both, the text lacks something: `I baked a cake.`"""
        assert values(["I baked Tim a cake.", "I baked a cake for Tim.", "I made Tim a cake."], []) == []

    def test_other_scripts_and_signs(self) -> None:
        texts = ["Он открыл замок?", "Она открыла замок?", "Он закрыл замок?"]
        assert values(texts, []) == []  # the verb agrees: no corner is shared
        assert values(["Ключ (мой) здесь.", "Ключ (мой) там.", "Замок (мой) здесь."], []) == [
            r"^(?:Замок|Ключ) \(мой\) (?:здесь|там)\.$"
        ]


class TestWrongWords:
    RIGHT = ("The key is in the lock.",)
    WRONG = ("The key is in the castle.", "The castle has the key.", "A key for the castle.")

    def test_the_only_difference_to_a_right_text_is_what_is_wrong(self) -> None:
        assert values(self.RIGHT, self.WRONG, "fail") == [r"\bcastle\b"]

    def test_it_stands_in_three_wrong_texts(self) -> None:
        assert values(self.RIGHT, self.WRONG[:2], "fail") == []

    def test_no_right_text_of_the_item_or_its_siblings_has_it(self) -> None:
        assert values((*self.RIGHT, "A castle lock."), self.WRONG, "fail") == []
        assert values(self.RIGHT, self.WRONG, "fail", SiblingTexts(right=("The castle is old.",))) == []

    def test_words_that_stand_everywhere_tell_nothing(self) -> None:
        assert values(self.RIGHT, self.WRONG, "fail", SiblingTexts(common=frozenset({"castle"}))) == []
        assert values(["I am it."], ["I was it.", "He was it.", "It was he."], "fail") == []

    def test_large_and_small(self) -> None:
        wrong = (*self.WRONG[:2], "Castle keys.")
        assert values(self.RIGHT, wrong, "fail") == [r"\b[Cc]astle\b"]

    def test_right_texts_never_give_a_word(self) -> None:
        """A right word says nothing about the rest of a text."""
        assert values(self.WRONG, self.RIGHT, "pass") == []

    def test_several_words_are_put_together(self) -> None:
        wrong = [*self.WRONG, "The key is in the palace.", "A palace key.", "The palace has a key."]
        assert values(self.RIGHT, wrong, "fail") == [r"\b(?:castle|palace)\b", r"\bcastle\b", r"\bpalace\b"]


def test_common_words_are_those_of_many_items() -> None:
    texts = [[f"The key {number} is here."] for number in range(10)] + [["A lock."]]
    assert common_words(texts) == {"the", "key", "is", "here"}


@pytest.mark.parametrize(
    ("passing", "failing"),
    [
        ([], []),
        ([], ["The castle."]),
        (["####", ""], ["The castle."]),
        (["The lock."], [" The  lock. "]),
        (["It\u2019s a lock.", "A lock."], ["It's a lock."]),
        (["I'm such a klutz."], ["I may be clumsy.", "I might be clumsy.", "Maybe I'm a bit clumsy."]),
    ],
)
def test_where_there_is_nothing_good_nothing_is_said(passing: list[str], failing: list[str]) -> None:
    assert propose(passing, failing) == propose(passing, failing, "fail") == []


WORDS = ["lock", "locks", "Lock", "locked", "castle", "wasn't", "was", "is", "замок", "замка", "Schloss", "zámek", "."]
TEXTS = st.one_of(
    st.lists(st.sampled_from([*WORDS, "e-mail", "(a|b)", "c++", "^", "$5", "[x]", "\\", "…"]), max_size=8).map(
        " ".join
    ),
    st.lists(st.sampled_from(("castle", "lock", "the")), min_size=3, max_size=4).map(" ".join),
    st.text(max_size=20),
    st.text(alphabet="ab ./'-_ÀЖßİǅ\u0301\u093f\u200b", max_size=12),
)
SIDE = st.lists(TEXTS, max_size=8)


ITEM = Item("one", "A", "p", "Schloss")


def check(proposal: Proposal, wanted: set[str], unwanted: set[str], others: set[str]) -> None:
    compiled = pattern(proposal.rule.value, proposal.rule.flags)
    assert not proposal.rule.is_blank
    assert proposal.covers == sum(compiled.search(text) is not None for text in wanted) > 0
    assert proposal.of == len(wanted)
    assert proposal.wrongly == 0
    assert not any(match(proposal.rule, text, ITEM) for text in unwanted)
    assert proposal.others == sum(match(proposal.rule, text, ITEM) is not None for text in others)


@settings(max_examples=400)
@given(SIDE, SIDE, st.sampled_from(["pass", "fail"]), SIDE)
@example(["a\u0301b"], ["a"], "pass", [])
@example(["a b c", "d b c", "a b e", "(b c"], ["I"], "pass", ["d b e"])
def test_every_proposal_keeps_its_word(
    passing: list[str], failing: list[str], polarity: Polarity, others: list[str]
) -> None:
    proposals = propose(passing, failing, polarity, others)
    sides = [{normalise(text) for text in side if not is_missing(normalise(text))} for side in (passing, failing)]
    wanted, unwanted = sides if polarity == "pass" else sides[::-1]
    rest = {normalise(text) for text in others if not is_missing(normalise(text))}
    assert len(proposals) <= MANY_PROPOSALS
    assert len({proposal.rule for proposal in proposals}) == len(proposals)
    assert [one.covers for one in proposals] == sorted((one.covers for one in proposals), reverse=True)
    for proposal in proposals:
        assert proposal.rule.polarity == polarity
        check(proposal, wanted, unwanted, rest)
    if wanted & unwanted:
        assert proposals == []


def test_it_is_quick() -> None:
    """About 15 ms where nothing else runs; the limit leaves room for slow machines."""
    texts = [" ".join(f"word{number * seed % 97}" for number in range(1, 26)) for seed in range(1, 41)]
    seconds = []
    for _ in range(5):
        start = time.process_time()
        propose(texts[:20], texts[20:], "fail")
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.1
