"""What is proposed matches what it claims, nothing of the other side, and reads as a linguist would write it."""

import time
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.suggest.proposals import MANY_PROPOSALS, Proposal, propose
from assay.suites import Item, Polarity
from assay.text import is_missing, normalise
from assay.verdicts import match, pattern


def values(passing: Sequence[str], failing: Sequence[str], polarity: Polarity = "pass") -> list[str]:
    return [proposal.rule.value for proposal in propose(passing, failing, polarity)]


@pytest.mark.parametrize(
    ("passing", "failing", "best"),
    [
        (["The lock is stuck."], ["The castle is stuck."], r"\block\b"),
        (["The lock is stuck.", "The padlock is stuck."], ["The castle is stuck."], r"\b(?:lock|padlock)\b"),
        (["He locks it.", "He will lock it."], ["He will close it."], r"\blocks?\b"),
        (
            ["He locks it.", "He locked it.", "He will lock it."],
            ["He will close it.", "He closes it."],
            r"\block(?:s|ed)?\b",
        ),
        (["I greet him.", "I'm greeting him.", "I welcome him."], ["I see him."], r"\b(?:greet(?:ing)?|welcome)\b"),
        (["We had wanted to say."], ["We wanted to say.", "We had to say."], r"\bhad wanted\b"),
        (["He took the big coat off.", "He took it off."], ["He took it.", "He fell off it."], r"\btook\b.*\boff\b"),
        (["I wasn't there."], ["I was there.", "I isn't there."], r"\bwasn't\b"),
        (["I'm there."], ["I am there.", "I was there."], r"'m\b"),
        (["Send an e-mail."], ["Send a mail.", "Send an e to him."], r"\be-mail\b"),
        (["Is it (really) so?"], ["Is it really so?"], r"\("),
        (["It costs $5.00 (net)"], ["It costs $5,00 (net)"], r"\."),
        (["You landed"], ["You landed."], r"\blanded$"),
        (["You did"], ["Did you"], r"\bdid\b"),
    ],
)
def test_the_best(passing: list[str], failing: list[str], best: str) -> None:
    first = propose(passing, failing)[0]
    assert first.rule.value == best
    assert (first.covers, first.of, first.wrongly, first.others) == (len(passing), len(passing), 0, 0)


@pytest.mark.parametrize(
    ("passing", "failing", "best"),
    [
        (["Du würdest gehen.", "Sie würden gehen."], ["Du wirst gehen.", "Sie werden gehen."], r"\bwürde(?:n|st)\b"),
        (["Das Schloss klemmt.", "Die Schlösser klemmen."], ["Die Burg klemmt."], r"\b(?:Schloss|Schlösser)\b"),
        (["Zámek je starý.", "Starý zámek zde."], ["Hrad je starý."], r"\b[Zz]ámek\b"),
        (["Замок заело.", "Это замок."], ["Дворец заело.", "Это дворец."], r"\b[Зз]амок\b"),
        (["В замке ключ.", "Ключ от замка."], ["В двери ключ."], r"\bзамк(?:а|е)\b"),
    ],
)
def test_other_languages(passing: list[str], failing: list[str], best: str) -> None:
    assert values(passing, failing)[0] == best


class TestCase:
    def test_a_word_that_opens_a_sentence_may_be_large(self) -> None:
        assert values(["Lock it.", "He will lock it."], ["Close it.", "He will close it."])[0] == r"\b[Ll]ock\b"
        assert values(["Go! Lock it.", "He will lock it."], ["Close it.", "He will go."])[0] == r"\b[Ll]ock\b"

    def test_elsewhere_case_counts(self) -> None:
        best = values(["Wir mögen Essen.", "Wir müssen essen."], ["Wir mögen Geld.", "Wir müssen lesen."])[0]
        assert best == r"\b(?:Essen|essen)\b"

    def test_where_it_is_not_needed_the_word_is_left_as_it_is(self) -> None:
        assert values(["Lock it.", "Lock the door."], ["Close it."])[0] == r"\bLock\b"

    def test_a_stem_that_opens_a_sentence(self) -> None:
        best = values(["Lock it.", "He will lock it.", "He locked it."], ["Close it.", "He will go."])[0]
        assert best == r"\b[Ll]ock(?:ed)?\b"

    def test_a_large_letter_alone_is_a_poor_reason(self) -> None:
        assert values(["You should know."], ["I want you to know."])[0] == r"\bshould\b"


def test_polarity_turns_the_sides_round() -> None:
    [proposal] = propose(["The lock is stuck."], ["The castle is stuck."], "fail")
    assert (proposal.rule.polarity, proposal.rule.kind, proposal.rule.value) == ("fail", "regex", r"\bcastle\b")


def test_texts_without_a_verdict_are_counted() -> None:
    others = ["A lock.", "A  lock.", "Another lock.", "A bolt.", "####"]
    [proposal] = propose(["The lock is stuck."], ["The castle is stuck."], others=others)
    assert proposal.others == 2


def test_all_comes_before_some_and_simple_before_complicated() -> None:
    found = propose(["a red lock", "a blue bolt", "a green bolt"], ["a red car", "a blue car", "a green car"])
    assert [(one.rule.value, one.covers) for one in found] == [(r"\b(?:bolt|lock)\b", 3), (r"\bbolt\b", 2)]


@pytest.mark.parametrize(
    ("passing", "failing"),
    [
        ([], []),
        ([], ["The castle."]),
        (["####", ""], ["The castle."]),
        (["The lock."], [" The  lock. "]),
        (["It\u2019s a lock.", "A lock."], ["It's a lock."]),
    ],
)
def test_what_cannot_be_told_apart_gets_nothing(passing: list[str], failing: list[str]) -> None:
    assert propose(passing, failing) == []


def test_texts_given_twice_count_once() -> None:
    [proposal] = propose(["The lock.", "The  lock."], ["The castle.", "The castle."])
    assert (proposal.covers, proposal.of) == (1, 1)


WORDS = ["lock", "locks", "Lock", "locked", "castle", "wasn't", "was", "is", "замок", "замка", "Schloss", "zámek", "."]
TEXTS = st.one_of(
    st.lists(st.sampled_from([*WORDS, "e-mail", "(a|b)", "c++", "^", "$5", "[x]", "\\", "…"]), max_size=8).map(
        " ".join
    ),
    st.text(max_size=20),
    st.text(alphabet="ab ./'-_ÀЖßİǅ\u0301\u093f\u200b", max_size=12),
)
SIDE = st.lists(TEXTS, max_size=5)


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
@example(["I'm"], ["I"], "pass", ["'m"])
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


@given(
    st.sets(st.sampled_from(WORDS[:-1]), min_size=1, max_size=4), st.sampled_from(["The {} is here.", "{}", "a {}?"])
)
def test_texts_that_differ_in_one_word_are_told_apart(words: set[str], frame: str) -> None:
    proposals = propose([frame.format(word) for word in words], [frame.format("house")])
    assert proposals[0].covers == len(words)


def test_it_is_quick() -> None:
    """About 15 ms where nothing else runs; the limit leaves room for slow machines."""
    texts = [" ".join(f"word{number * seed % 97}" for number in range(1, 26)) for seed in range(1, 41)]
    seconds = []
    for _ in range(5):
        start = time.process_time()
        propose(texts[:20], texts[20:])
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.1
