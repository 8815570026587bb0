"""Rules in one line that can be read."""

import pytest

from assay.suites import Rule
from assay.workbench.queue.readable_rules import readable


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\block\b", ("lock",)),
        (r"\b(lock|padlock)s?\b", ("locks", "lock", "padlocks", "padlock")),
        (r"^He (is|was) (here|there|at home|gone)$", ("He (is|was) (here|there|at home|gone)",)),
        (r"were.*supposed to", ("were … supposed to",)),
        (r"[^„]*[\"“](?=x)", ()),
    ],
)
def test_what_a_rule_looks_for(pattern: str, words: tuple[str, ...]) -> None:
    assert readable([Rule("pass", "regex", pattern)]) == words


def test_texts_of_exact_rules_are_no_part_of_it_and_nothing_stands_twice() -> None:
    rules = (Rule("pass", "exact", "A lock."), Rule("pass", "contains", "lock"), Rule("pass", "regex", r"\block\b"))
    assert readable(rules) == ("lock",)
