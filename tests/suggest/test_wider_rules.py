"""A widened rule matches all that it matched, and the text that it was widened for; what is decided stays decided."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.suggest.wider_rules import (
    LOOSE,
    How,
    OpenItem,
    WiderRule,
    apply_all,
    keeps,
    loosen,
    same_changes,
    spread,
    widen,
)
from assay.suites import Examples, Item, Polarity, Rule
from assay.text import is_missing, normalise
from assay.verdicts import RuleJudge, plain_match


def item(*rules: Rule, examples: Examples | None = None) -> Item:
    return Item("a/1", "Verbs", "Modal", "Quelle.", rules, examples=examples or Examples())


def passes(value: str, flags: str = "") -> Rule:
    return Rule("pass", "regex", value, flags)


@pytest.mark.parametrize(
    ("rule", "text", "wider", "how"),
    [
        (passes(r"\block\b"), "LOCK it.", r"\block\b", "case"),
        (passes(r"^You run\.$"), "You run", r"^You run\.?$", "stop"),
        (passes(r"You run\."), "Then You run", r"You run(?:\.|$)", "stop"),
        (passes("You run."), "Then You run", "You run(?:.|$)", "stop"),
        (Rule("pass", "contains", "You run."), "you run. ", r"You run\.", "case"),
        (passes(r"^You run$"), "You run.", r"^You run\.?$", "stop"),
        (passes(r"\bI would have seen it\b"), "I'd have seen it.", r"\b(?:I would|I'd) have seen it\b", "contraction"),
        (passes(r"\bI'd have seen it\b"), "I would have seen it.", r"\b(?:I'd|I would) have seen it\b", "contraction"),
        (
            passes(r"\bhe realised it then\b"),
            "he realized it then",
            r"\bhe (?:realised|realized) it then\b",
            "spelling",
        ),
        (passes(r"\bwere supposed to\b"), "He was supposed to.", r"\b(?:were|was) supposed to\b", "alternative"),
        (
            passes(r"\b(?:was|were) supposed to\b"),
            "I am supposed to",
            r"\b(?:was|were|am) supposed to\b",
            "alternative",
        ),
        (
            passes(r"the (TV|television) to Lena"),
            "the telly to Lena",
            r"the (TV|television|telly) to Lena",
            "alternative",
        ),
    ],
)
def test_the_smallest_change(rule: Rule, text: str, wider: str, how: How) -> None:
    found = widen(item(rule), text, "pass", ())
    assert found
    assert (found.new.value, found.how) == (wider, (how,))
    assert plain_match(found.new, normalise(text))


def test_both_case_and_stop_where_one_alone_does_not_do() -> None:
    found = widen(item(Rule("pass", "exact", "You run.")), "you run", "pass", ())
    assert found
    assert (found.new, found.how) == (passes(r"^You run\.?$", "i"), ("case", "stop"))


def test_a_word_in_the_place_of_another_in_a_text_that_is_else_the_same() -> None:
    rule = passes(r"\b(lock|padlock)\b")
    known: list[tuple[str, Polarity]] = [("The key is in the lock.", "pass")]
    found = widen(item(rule), "The key is in the latch.", "pass", known)
    assert found
    assert found.new.value == r"\b(lock|padlock|latch)\b"
    assert widen(item(rule), "The latch holds the key.", "pass", known) is None


@pytest.mark.parametrize(
    ("rules", "text", "known", "examples"),
    [
        # A judged text, an example, an exact rule and a pattern of the other side say otherwise.
        ([passes("were supposed to")], "I was supposed to", [("He was supposed to", "fail")], Examples()),
        ([passes("were supposed to")], "I was supposed to", [], Examples((), ("He was supposed to",))),
        ([passes(r"\block\b"), Rule("fail", "regex", "LOCK it")], "LOCK it", [], Examples()),
        # Nothing of the rule is left beside the place, or nothing tells which words stand in it.
        ([passes(r"\block\b")], "The latch.", [], Examples()),
        ([passes(r"he .* to go home")], "I have to go home", [], Examples()),
        # What is only added may be what is wrong.
        ([passes(r"You (laughed|were laughing)\.?")], "You have laughed.", [], Examples()),
        ([], "Any text.", [], Examples()),
    ],
)
def test_where_nothing_is_to_be_trusted_nothing_is_said(
    rules: list[Rule], text: str, known: list[tuple[str, Polarity]], examples: Examples
) -> None:
    assert widen(item(*rules, examples=examples), text, "pass", known) is None


def test_capitals_and_stops_stay_where_they_may_be_the_point() -> None:
    assert widen(item(passes(r"^You run\.$")), "You run", "pass", (), loose=False) is None
    one = OpenItem(item(passes(r"^You run\.$")), ("You run",), (), loose=False)
    assert same_changes(one, WiderRule(passes(""), passes(""), LOOSE)) == []


def test_without_case_a_pattern_would_forbid_more() -> None:
    assert loosen(passes(r"(?!The)\w+ lock"), ("case",)) is None
    assert loosen(passes(r"[^A-Z]ock"), ("case",)) is None
    assert loosen(passes("lock", "i"), ("case",)) is None


def test_the_same_change_elsewhere_leaves_out_what_it_would_contradict() -> None:
    rule, wider = passes("were supposed to"), passes("(?:were|was) supposed to")
    fine = Item("a/fine", "Verbs", "Modal", "Q.", (rule,))
    doubtful = Item("a/doubtful", "Verbs", "Modal", "Q.", (rule,))
    other = Item("a/other", "Verbs", "Modal", "Q.", (passes("had to"),))
    found = spread(
        [
            OpenItem(fine, ("He was supposed to", "He had to"), ()),
            OpenItem(doubtful, ("He was supposed to",), (("I was supposed to", "fail"),)),
            OpenItem(other, ("He was supposed to",), ()),
        ],
        WiderRule(rule, wider, ("alternative",)),
        seconds=60,
    )
    assert [(one.item, one.decides) for one in found.items] == [("a/fine", ("He was supposed to",))]
    assert (found.refused, found.stopped) == (("a/doubtful",), False)


@pytest.mark.parametrize(
    ("waiting", "decided", "decides"),
    [
        ("you bake Tim a cake.", "You bake Tim a cake.", True),
        ("You Bake Tim a cake.", "You bake Tim a cake.", False),
        ("You Bake Tim a cake.", "You Bake it.", True),
        ("you bake tim a cake.", "You bake Tim a cake.", True),
    ],
)
def test_a_rule_keeps_its_case_where_capitals_may_be_the_fault(waiting: str, decided: str, decides: bool) -> None:
    one = OpenItem(item(passes("You bake Tim a cake")), (waiting,), ((decided, "pass"),))
    blank = passes("")
    assert bool(spread([one], WiderRule(blank, blank, LOOSE), seconds=60).items) == decides


def test_case_and_stop_are_offered_for_what_is_right_only() -> None:
    """A text may be wrong for its small letters."""
    wrong = item(Rule("fail", "exact", "You goes home."))
    right = item(Rule("pass", "exact", "You goes home."))
    assert widen(wrong, "you goes home.", "fail", []) is None
    assert widen(right, "you goes home.", "pass", []) is not None


WORDS = (
    "lock",
    "Lock",
    "latch",
    "was",
    "were",
    "supposed",
    "to",
    "I",
    "I'd",
    "would",
    "realised",
    "realized",
    ".",
    "?",
)
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join).map(lambda text: text.replace(" .", "."))
ATOMS = st.sampled_from(
    (r"\b", "lock", "(?:was|were)", "(lock|latch) ", "supposed ", "to", r"\.", "$", "^", "I would ", "[Ll]ock", "s?")
)
RULES = st.tuples(
    st.sampled_from(("pass", "fail")),
    st.one_of(
        st.lists(ATOMS, min_size=1, max_size=5).map("".join).map(lambda value: ("regex", value)),
        TEXTS.map(lambda text: ("exact", text)),
        TEXTS.map(lambda text: ("contains", text)),
    ),
).map(lambda parts: Rule(parts[0], *parts[1]))  # type: ignore[arg-type]


@settings(max_examples=300, deadline=None)
@given(st.lists(RULES, min_size=1, max_size=4), TEXTS, st.sampled_from(("pass", "fail")), st.lists(TEXTS, max_size=6))
def test_all_that_is_decided_stays_and_the_text_is_covered(
    rules: Sequence[Rule], text: str, polarity: Polarity, others: list[str]
) -> None:
    try:
        judge, mine = RuleJudge([item(*rules)]), item(*rules)
    except Exception:  # an odd pattern, such as `^*`
        assume(False)
        raise
    # What its own rules decide is decided, whatever that is.
    known: list[tuple[str, Polarity]] = [
        (other, "pass" if str(found.verdict) == "pass" else "fail")
        for other in others
        if str((found := judge.judge(mine, other)).verdict) != "warning" and normalise(other) != normalise(text)
    ]
    assume(not is_missing(normalise(text)) and str(judge.judge(mine, text).verdict) == "warning")
    wider = widen(mine, text, polarity, known)
    if wider is None:
        return
    assert wider.old in rules
    assert wider.new.polarity == polarity
    assert plain_match(wider.new, normalise(text))
    for other in (*others, text):
        if plain_match(wider.old, normalise(other)):
            assert plain_match(wider.new, normalise(other))
    assert keeps(mine, [wider], [*known, (text, polarity)])
    changed = apply_all(mine, [wider])
    after = RuleJudge([changed])
    assert [str(after.judge(changed, other).verdict) for other, _ in known] == [said for _, said in known]


@settings(max_examples=300, deadline=None)
@given(RULES, st.sampled_from((("case",), ("stop",), ("case", "stop"))), st.lists(TEXTS, max_size=8))
def test_a_loosened_rule_matches_all_that_it_matched(rule: Rule, how: tuple[How, ...], texts: list[str]) -> None:
    wider = loosen(rule, how)
    if wider:
        for text in map(normalise, texts):
            assert not plain_match(rule, text) or plain_match(wider, text)
