"""What `lint` finds in a suite, and what it must leave in peace."""

from collections.abc import Sequence
from dataclasses import replace

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


def of_items(problems: Sequence[LintProblem]) -> list[LintProblem]:
    """Without those of the suite as a whole."""
    return [problem for problem in problems if problem.item]


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
        ("control-character", one(LOCK, CASTLE, Rule("fail", "regex", "\bpalace\b"))),
        ("control-character", one(LOCK, CASTLE, Rule("fail", "contains", "palace\0"))),
        ("never-matches", one(LOCK, CASTLE, Rule("pass", "regex", "don’t jam"))),
        ("never-matches", one(LOCK, CASTLE, Rule("pass", "regex", "bolt[.]  It"))),
        ("never-matches", one(LOCK, CASTLE, Rule("pass", "regex", "bolt$ jams"))),
        ("dead-branch", one(LOCK, CASTLE, Rule("pass", "regex", "bolt(’s| is)"))),
        ("idle-branch", one(LOCK, CASTLE, Rule("pass", "regex", "bolt|latch|bolts"))),
        ("idle-branch", one(LOCK, CASTLE, Rule("pass", "regex", r"\b(bolt|latch|bolt)\b"))),
        ("fail-by-absence", one(LOCK, Rule("fail", "regex", r"^(?!.*\b(lock|bolt|latch)\b).*\bjams"))),
        ("pass-matches-source", one(LOCK, CASTLE, Rule("pass", "regex", "klemmt"))),
        ("kind-name", one(LOCK, CASTLE, Rule("fail", "regex", "copy"))),
    ],
)
def test_each_problem_is_found_once_and_alone(code: str, item: Item) -> None:
    [problem] = of_items(lint(suite(item)))
    assert (problem.code, problem.item, problem.place) == (code, "one", "l.yaml:3")


def test_a_good_suite_has_no_problems() -> None:
    good = suite(one(LOCK, CASTLE, exact("The bolt jams."), Rule("fail", "contains", "Schloss")))
    assert lint(good) == []
    assert lint(good, outputs(good, ["The bolt jams.", "The lock.", "A castle.", "Schloss"])) == []


def test_duplicate_sources_are_found_whatever_the_spaces() -> None:
    items = [Item(name, "C", "P", source, (LOCK,)) for name, source in [("a", "Das  Schloss."), ("b", "Das Schloss. ")]]
    [problem] = of_items(lint(suite(*items, Item("c", "C", "P", "Das Schloß.", (LOCK,)))))
    assert (problem.code, problem.item) == ("duplicate-source", "b")
    assert "'a'" in problem.message


def test_the_same_source_with_another_prompt_or_context_is_another_item() -> None:
    item = one(LOCK, CASTLE)
    others = replace(item, id="two", prompt="In a film."), replace(item, id="three", context="He turned the key.")
    assert of_items(lint(suite(item, *others))) == []
    [problem] = of_items(lint(suite(item, *others, replace(others[0], id="four"))))
    assert (problem.code, problem.item, problem.message) == ("duplicate-source", "four", "the same source as 'two'")


def test_places_that_nothing_fills() -> None:
    item = replace(one(LOCK, CASTLE), prompt="Put {source} into {target_langauge}: {2,3}, {Name}, {context}.")
    [problem] = of_items(lint(suite(item)))
    assert (problem.code, problem.level) == ("unknown-place", "warning")
    assert problem.message.startswith("nothing is filled in for {target_langauge} in the prompt; there are {source}, ")
    assert of_items(lint(suite(replace(item, source="Das {target_langauge}.")))) == [], "it is a word of the source"


def test_a_prompt_that_is_the_source() -> None:
    item = one(LOCK, CASTLE)
    [problem] = of_items(lint(suite(replace(item, prompt=f" {item.source}\n"))))
    assert (problem.code, problem.level) == ("prompt-is-source", "warning")
    assert of_items(lint(suite(replace(item, context=item.source)))) == [], "a context may hold it"


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
    assert codes(of_items(problems)) == ["timeout"]


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
    assert [problem.item for problem in lint(suite(*items))] == ["c", "a", "b", ""]


def test_errors_are_what_makes_verdicts_wrong() -> None:
    levels = {code: LintProblem(code, "", "", "").level for code in CODES}
    assert [code for code, level in levels.items() if level == "error"] == [
        "no-compile",
        "bad-argument",
        "both-polarities",
        "contradicting-rules",
        "pass-matches-fail-example",
        "fail-matches-pass-example",
        "control-character",
    ]
    assert [code for code, level in levels.items() if level == "note"] == [
        "pass-matches-source",
        "idle-branch",
        "no-examples",
    ]


def test_short_strings_are_measured_in_letters_and_digits() -> None:
    def found(value: str) -> list[str]:
        return codes(lint(suite(one(LOCK, CASTLE, Rule("fail", "contains", value)))))

    assert found("a-b.c!") == ["short-string"]  # three letters
    assert found("ab 12") == []
    assert found("да да") == []


def message(*rules: Rule, examples: Examples = GOOD) -> str:
    """What is said of the one problem of an item."""
    [problem] = of_items(lint(suite(one(*rules, examples=examples))))
    return problem.message


def test_a_rule_that_does_not_compile_is_named_once_and_as_it_is_written() -> None:
    said = message(LOCK, Rule("fail", "regex", r"\b(castle"))
    assert said == r"fail:regex:\b(castle does not compile: missing ) at position 9"


def test_a_backspace_is_named_with_its_cure() -> None:
    said = message(LOCK, CASTLE, Rule("fail", "regex", "\bpalace\b"))
    assert said.startswith(r"fail:regex:\x08palace\x08 holds a backspace, ")
    assert said.endswith(r'what "\b" means in double quotes; put the rule in single quotes, or write \\b')


@pytest.mark.parametrize(
    ("written", "cure"),
    [
        ("it’s", "write '"),
        ("stop`s", "write '"),
        ("two  spaces", "write one space"),
        ("no\xa0break", "write one space"),
        (r"tab\tor", "write one space"),
        (r"\bend\. $", "write one space"),
        ("cafe\u0301", "write it so"),
        (r"end\.$.", "take that out"),
        (r"a\bb", "take that out"),
        ("end.^Begin", "take that out"),
    ],
)
def test_a_rule_that_can_never_match_is_named_with_its_cure(written: str, cure: str) -> None:
    said = message(LOCK, CASTLE, Rule("pass", "regex", written))
    assert "can match no text" in said
    assert said.endswith(cure)


def test_fixed_strings_are_normalised_like_texts_and_can_match() -> None:
    rules = [Rule("pass", kind, "It’s  the cafe\u0301.") for kind in ("exact", "contains")]
    assert lint(suite(one(LOCK, CASTLE, *rules))) == []


def test_a_dead_branch_is_named() -> None:
    assert message(LOCK, CASTLE, Rule("pass", "regex", r"bolt \b(and|–) I")).endswith(
        "'–' can match no text where it stands"
    )


def test_an_idle_branch_is_named_with_the_one_that_matches_more() -> None:
    said = message(LOCK, CASTLE, Rule("fail", "regex", "elected|selected"))
    assert said.endswith("'selected' is idle, since 'elected' matches wherever it does, and more")


def test_failing_by_absence_is_measured_on_right_translations() -> None:
    """Where the rest of the rule shows the error itself, the list is only an exception from it."""
    listed = r"^(?!.*\b(lock|bolt|latch)\b).*"
    right = Examples(("The lock jams.", "The lock is stuck."), ("The castle jams.",))
    said = message(LOCK, CASTLE, Rule("fail", "regex", listed + "jams"), examples=right)
    assert said.endswith("only the words it lists keep 1 of 2 pass examples from failing")
    assert lint(suite(one(LOCK, CASTLE, Rule("fail", "regex", listed + "palace"), examples=right))) == []


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (r"^(?!.*\block\b)", True),
        (r"^(?!.*\b([Ll]ock|bolt)\b).*$", True),
        (r"(?!.*\block\b)", True),
        (r'^(?!.*["“”]).*$', False),  # signs are a closed set
        (r"^(?!.*\block\b).*\bdoor\b", False),  # one word may be all there is
        (r"^(?!The lock)", False),
        (r"^(?=.*\bcastle\b)", False),
    ],
)
def test_a_fail_rule_that_asks_for_nothing_but_words_is_found_without_examples(written: str, found: bool) -> None:
    problems = of_items(lint(suite(one(LOCK, Rule("fail", "regex", written), examples=Examples()))))
    assert codes(problems) == ["fail-by-absence"] * found


def test_a_closed_list_of_words_may_be_all_there_is() -> None:
    absent = Rule("fail", "regex", r"^(?!.*\b(lock|bolt|latch)\b).*\bjams")
    assert "fail-by-absence" in codes(lint(suite(one(LOCK, absent))))
    assert "fail-by-absence" not in codes(lint(suite(one(LOCK, replace(absent, closed=True)))))


def test_a_pass_rule_may_list_what_must_not_be_there() -> None:
    assert "fail-by-absence" not in codes(lint(suite(one(Rule("pass", "regex", r"^(?!.*\bcastle\b)"), CASTLE))))


def many(rule: Rule) -> Suite:
    """An item with this rule among others of another phenomenon, with a dozen examples."""
    others = [
        Item(f"other{number}", "C", "Q", f"Satz {number}.", (LOCK,), examples=Examples((f"The lock {number} jams.",)))
        for number in range(12)
    ]
    return suite(Item("broad", "C", "P", "Das Tor.", (rule,), examples=Examples(("The lock of the gate.",))), *others)


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        (Rule("pass", "regex", r"\b[Tt]he\b"), True),
        (Rule("pass", "contains", "lock"), True),
        (Rule("pass", "regex", "gate"), False),
        (Rule("pass", "regex", "^[^“]*$"), False),  # what must not be there is not there in most texts
        (Rule("pass", "exact", "The lock of the gate, and more."), False),
    ],
)
def test_a_rule_that_matches_the_examples_of_other_phenomena_is_too_broad(rule: Rule, found: bool) -> None:
    problems = [problem for problem in lint(many(rule)) if problem.item == "broad" and problem.code == "broad-rule"]
    assert bool(problems) == found
    assert all("matches 12 of 12 examples of other phenomena" in problem.message for problem in problems)


def test_a_fail_rule_may_match_the_source() -> None:
    """It finds what was not translated."""
    assert lint(suite(one(LOCK, CASTLE, Rule("fail", "regex", "Schloss")))) == []


def test_items_without_examples_are_one_problem_of_the_suite() -> None:
    items = [Item(name, "C", "P", f"Satz {name}.", (LOCK,)) for name in "abcde"]
    [problem] = lint(suite(*items, one(LOCK, CASTLE)))
    assert (problem.code, problem.item, problem.place) == ("no-examples", "", "small")
    assert problem.message == "no examples test the rules of 5 of 6 items: a, b, c and 2 more"
