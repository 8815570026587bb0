"""Parts of a text that a rule looks at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument
from assay.text import normalise
from assay.verdicts import RuleJudge
from assay.verdicts.scope import read_scope, sentences

TEXT = 'On 3. May Dr. Meyer left. "Why?" she asked! He said: it is 5.30 p.m. now.'


@pytest.mark.parametrize(
    ("scope", "part"),
    [
        ("sentence 1", "On 3. May Dr. Meyer left."),
        ("sentence -1", "He said: it is 5.30 p.m. now."),
        ("sentences 1 to 2", 'On 3. May Dr. Meyer left. "Why?" she asked!'),
        ("sentence 9", None),
        ('after "Dr."', 'Meyer left. "Why?" she asked! He said: it is 5.30 p.m. now.'),
        ("before 'left'", "On 3. May Dr. Meyer"),
        ("before Dr.", "On 3. May"),
        ('after "Prof."', None),
    ],
)
def test_parts(scope: str, part: str | None) -> None:
    found = read_scope(scope).part(TEXT)
    assert (TEXT[found[0] : found[1]] if found else None) == part


def test_sentences_of_a_script_without_spaces() -> None:
    text = "彼は去った。彼女は残った！"
    assert [text[start:end] for start, end in sentences(text)] == ["彼は去った。", "彼女は残った！"]


@given(st.text("ab .!?\"'A。0", max_size=60).map(normalise))
def test_sentences_are_all_of_a_text_but_the_spaces_between(text: str) -> None:
    parts = sentences(text)
    assert "".join(text[start:end] for start, end in parts).replace(" ", "") == text.replace(" ", "")
    assert all(start < end for start, end in parts)


@pytest.mark.parametrize("scope", ["", "sentence", "sentence 0", "sentences 3 to 2", "after", 'after ""', "line 2"])
def test_what_is_no_part(scope: str) -> None:
    with pytest.raises(BadArgument) as error:
        read_scope(scope)
    assert "write sentence 2" in error.value.cure


def test_a_rule_with_a_scope_matches_there_and_nowhere_else() -> None:
    rules = Rule("pass", "regex", "^She", scope="sentence 2"), Rule("fail", "contains", "She", scope='before "He"')
    item = Item("one", "A", "p", "Er ging. Sie blieb.", rules)
    judge = RuleJudge([item])
    finding = judge.judge(item, "He left. She stayed.")
    assert (str(finding.verdict), finding.evidence[0].start, finding.evidence[0].end) == ("pass", 9, 12)
    assert str(judge.judge(item, "She left. He stayed.").verdict) == "fail"
    # A part that is not there is no match.
    assert judge.judge(item, "She left").reason == "no_match"
