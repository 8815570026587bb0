"""What `lint` finds in a suite, and what it must leave in peace."""

from collections.abc import Sequence

import pytest

from assay.outputs import Collector, Outputs, System
from assay.suites import Examples, Item, Rule, Suite, taxonomy_of
from assay.verdicts.lint import CODES, LintProblem, lint
from assay.verdicts.patterns import pattern

RUNAWAY = "(c|cc)+$"
SLOW_TEXT = "c" * 80 + "!"
LOCK, CASTLE = Rule("pass", "regex", "lock"), Rule("fail", "regex", "castle")
GOOD = Examples(("The lock jams.",), ("The castle jams.",))


def suite(*items: Item) -> Suite:
    return Suite("small", "de-en", items, taxonomy_of(items))


def one(*rules: Rule, examples: Examples = GOOD) -> Item:
    return Item(
        "one", "Ambiguity", "Lexical ambiguity", "Das Schloss klemmt.", rules, examples=examples, place="l.yaml:3"
    )


def outputs(of: Suite, texts: Sequence[str]) -> Outputs:
    """One system per text, all for the first item."""
    collector = Collector(of)
    for number, text in enumerate(texts):
        collector.add(System(f"S{number}"), positions=[0], texts=[text])
    return collector.outputs()


def codes(problems: Sequence[LintProblem]) -> list[str]:
    return [problem.code for problem in problems]


def exact(text: str) -> Rule:
    return Rule("pass", "exact", text)


@pytest.mark.parametrize(
    ("code", "item"),
    [
        ("no-compile", one(LOCK, CASTLE, Rule("fail", "regex", "(palace"))),
        ("no-compile", one(LOCK, CASTLE, Rule("fail", "regex", "(?:ab?ab?ab?ab?){1000000}"))),  # gigabytes
        ("both-polarities", one(LOCK, CASTLE, exact("The bolt."), Rule("fail", "exact", "The  bolt."))),
        ("pass-matches-fail-example", one(Rule("pass", "regex", "lock|castle"))),
        ("fail-matches-pass-example", one(Rule("fail", "regex", "lock|castle"))),
        ("example-undecided", one(LOCK)),
        ("exact-is-example", one(LOCK, CASTLE, exact("The lock  jams."))),
        ("no-rules", one(examples=Examples())),
        ("short-string", one(LOCK, CASTLE, Rule("fail", "contains", "so."))),
        ("blank-rule", one(LOCK, CASTLE, exact(" "))),
    ],
)
def test_each_problem_is_found_once_and_alone(code: str, item: Item) -> None:
    [problem] = lint(suite(item))
    assert (problem.code, problem.item, problem.place) == (code, "one", "l.yaml:3")


def test_a_good_suite_has_no_problems() -> None:
    good = suite(one(LOCK, CASTLE, exact("The bolt jams."), Rule("fail", "contains", "Schloss")))
    assert lint(good) == []
    assert lint(good, outputs(good, ["The bolt jams.", "The lock.", "A castle.", "Schloss"])) == []


def test_duplicate_sources_are_found_whatever_the_spaces() -> None:
    items = [Item(name, "C", "P", source, (LOCK,)) for name, source in [("a", "Das  Schloss."), ("b", "Das Schloss. ")]]
    [problem] = lint(suite(*items, Item("c", "C", "P", "Das Schloß.", (LOCK,))))
    assert (problem.code, problem.item) == ("duplicate-source", "b")
    assert "'a'" in problem.message


def test_rules_that_match_no_output_never_fire() -> None:
    checked = suite(one(LOCK, CASTLE, exact("The bolt jams.")))
    problems = lint(checked, outputs(checked, ["The lock jams.", "The door jams."]))
    assert codes(problems) == ["never-fires", "never-fires"]
    assert "castle" in problems[0].message
    assert "The bolt jams." in problems[1].message
    assert "2 outputs" in problems[0].message


def test_blank_rules_are_not_said_to_never_fire() -> None:
    checked = suite(one(LOCK, CASTLE, Rule("fail", "regex", " ")))
    assert codes(lint(checked, outputs(checked, ["lock", "castle"]))) == ["blank-rule"]


def test_contradictions_on_outputs_are_found() -> None:
    checked = suite(one(LOCK, CASTLE))
    [problem] = lint(checked, outputs(checked, ["The lock of the castle jams."]))
    assert problem.code == "contradiction"
    assert "pass:regex:lock and fail:regex:castle" in problem.message


def test_a_contradiction_is_found_once_for_texts_that_are_normalised_alike() -> None:
    checked = suite(one(LOCK, CASTLE))
    assert codes(lint(checked, outputs(checked, ["The lock of the castle.", "The  lock of the castle."]))) == [
        "contradiction"
    ]


def test_runaway_rules_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern(RUNAWAY, ""), "limit", 0.02)
    checked = suite(one(Rule("pass", "regex", RUNAWAY), examples=Examples()))
    problems = lint(checked, outputs(checked, [SLOW_TEXT]))
    assert codes(problems) == ["timeout"]


def test_an_example_on_which_a_rule_runs_away_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern(RUNAWAY, ""), "limit", 0.02)
    assert codes(lint(suite(one(Rule("pass", "regex", RUNAWAY), examples=Examples((SLOW_TEXT,)))))) == [
        "example-undecided"
    ]


def test_a_settled_judgement_may_be_contrary_to_a_rule_of_the_suite() -> None:
    """It outranks that rule, so the two are no contradiction."""
    settled = Rule("fail", "exact", "The bolt jams.", by="eva")
    assert lint(suite(one(LOCK, CASTLE, exact("The bolt jams."), settled))) == []


def test_items_with_a_broken_rule_are_not_judged() -> None:
    checked = suite(one(Rule("pass", "regex", "(lock")))
    assert codes(lint(checked, outputs(checked, ["The lock jams."]))) == ["no-compile"]


def test_problems_come_in_the_order_of_the_items() -> None:
    items = [Item(name, "C", "P", f"Satz {name}.", ()) for name in "cab"]
    assert [problem.item for problem in lint(suite(*items))] == ["c", "a", "b"]


def test_errors_are_what_makes_verdicts_wrong() -> None:
    levels = {code: LintProblem(code, "", "", "").level for code in CODES}
    assert [code for code, level in levels.items() if level == "error"] == [
        "no-compile",
        "both-polarities",
        "pass-matches-fail-example",
        "fail-matches-pass-example",
    ]


def test_short_strings_are_measured_in_letters_and_digits() -> None:
    def found(value: str) -> list[str]:
        return codes(lint(suite(one(LOCK, CASTLE, Rule("fail", "contains", value)))))

    assert found("a-b.c!") == ["short-string"]  # three letters
    assert found("ab 12") == []
    assert found("да да") == []
