"""Verdicts of contrasts: the same model as all others."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.contrasts import bundled
from assay.contrasts.expectations import AnyChosenClass, ChosenClass, SourceRule, Translation, lines_needed
from assay.contrasts.files.definitions import read
from assay.contrasts.judge import find, judge_contrasts
from assay.contrasts.records import Condition, Construction, Contrast, Contrasts, Node, TargetClass
from assay.contrasts.trees import Links, Tree
from assay.errors import BadOption, UnknownName
from assay.evaluation import Evaluation, evaluate
from assay.outputs import System
from assay.suites import Rule, load_suite, save_suite
from assay.verdicts import MISSING, Evidence, Finding, Reason, Verdict
from tests.contrasts.building import links, tree

SAT = tree(
    """
    She      she   PRON  PRP  2  nsubj
    sat      sit   VERB  VBD  0  root
    reading  read  VERB  VBG  2  advcl
    .        .     PUNCT .    2  punct
    """,
    "She sat reading.",
)
SLEPT = tree(
    """
    She    she    PRON  PRP  2  nsubj
    slept  sleep  VERB  VBD  0  root
    """
)
BEGAN = tree(
    """
    She    she    PRON  PRP  2  nsubj
    began  begin  VERB  VBD  0  root
    to     to     PART  TO   4  mark
    read   read   VERB  VB   2  xcomp
    """
)
SOURCES = {0: SAT, 1: SLEPT, 2: BEGAN}

A_CETLA = tree(
    """
    Seděla  sedět  VERB  _  0  root  Tense=Past|VerbForm=Part
    a       a      CCONJ _  3  cc
    četla   číst   VERB  _  1  conj  Tense=Past|VerbForm=Part
    .       .      PUNCT _  1  punct
    """,
    "Seděla  a četla.",  # two spaces
)
NAD_CTENIM = tree("""
    Seděla  sedět  VERB  _  0  root  Tense=Past|VerbForm=Part
    nad     nad    ADP   _  3  case
    čtením  čtení  NOUN  _  1  obl
    rychle  rychle ADV   _  1  advmod
""")
ZACALA = tree("""
    Začala  začít  VERB  _  0  root   Tense=Past|VerbForm=Part
    číst    číst   VERB  _  1  xcomp  VerbForm=Inf
""")

CONTRASTS = read(bundled()["en-cs"])


def translation(
    name: str, first: Tree, first_links: str, last: Tree = ZACALA, last_links: str = "1-0 3-1"
) -> Translation:
    """What a system wrote for the three lines; the second has no keyword and no tree."""
    return Translation(
        System(name),
        [first.text, "Spala.", last.text],
        {0: first, 2: last},
        {0: links(first_links), 2: links(last_links)},
    )


FINITE = translation("finite", A_CETLA, "1-0 2-2")
NOMINAL = translation("nominal", NAD_CTENIM, "1-0 2-2")


def first_finding(given: Translation) -> Finding:
    found = judge_contrasts(CONTRASTS, SOURCES, [given]).findings[0]
    assert found is not None
    return found


def test_an_item_is_one_occurrence_of_a_keyword() -> None:
    suite = judge_contrasts(CONTRASTS, SOURCES, [FINITE]).suite
    assert [item.id for item in suite] == ["1:3", "3:4"]
    item = suite.items[0]
    assert (item.category, item.phenomenon) == ("Gerund clause", "gerund-finite")
    assert item.source == "She sat reading."
    assert item.tests == "word 3, “reading”: The gerund becomes a finite clause."
    assert item.rules == ()
    assert list(suite.taxonomy) == ["Gerund clause", "Controlled infinitive"]
    assert [phenomenon for _, phenomenon in suite.phenomena] == list(CONTRASTS.contrasts)


def test_a_good_class_is_a_pass_at_the_place_of_its_word() -> None:
    rule = Rule("pass", "class", "finite")
    # "Seděla a četla.", normalised: one space
    assert first_finding(FINITE) == Finding(Verdict.PASS, "", (Evidence(rule, 9, 14),))
    assert str(rule) == "pass:class:finite"


def test_a_bad_class_is_a_fail() -> None:
    evidence = Evidence(Rule("fail", "class", "nominal"), 11, 17)
    assert first_finding(NOMINAL) == Finding(Verdict.FAIL, "", (evidence,))


@pytest.mark.parametrize(("pairs", "reason"), [("1-0", "no_link"), ("2-1", "function_word"), ("2-3", "no_class")])
def test_what_is_unknown_is_a_warning_with_its_reason(pairs: str, reason: Reason) -> None:
    assert first_finding(translation("x", NAD_CTENIM, pairs)) == Finding(Verdict.WARNING, reason)


def test_a_class_that_is_neither_good_nor_bad_is_unknown() -> None:
    gerund = replace(CONTRASTS.contrasts["gerund-finite"], bad=("infinitive",))
    lenient = replace(CONTRASTS, contrasts={"gerund-finite": gerund})
    judged = judge_contrasts(lenient, SOURCES, [NOMINAL])
    assert judged.findings == [Finding(Verdict.WARNING, "no_class")]


def test_a_missing_output_needs_no_tree() -> None:
    given = Translation(System("lazy"), ["", "", "NO TRANSLATION AVAILABLE"], {}, {})
    assert judge_contrasts(CONTRASTS, SOURCES, [given]).findings == [MISSING, MISSING]


def test_a_tree_that_is_not_there_is_named() -> None:
    given = Translation(System("some"), ["Seděla.", "Spala.", "Četla."], {}, {})
    with pytest.raises(BadOption, match="some: there is no tree for line 1"):
        judge_contrasts(CONTRASTS, SOURCES, [given])


def test_a_word_that_is_not_in_the_text_has_an_empty_span() -> None:
    found = first_finding(replace(FINITE, texts=["Neco jineho.", "Spala.", "Začala číst"]))
    assert (found.evidence[0].start, found.evidence[0].end) == (0, 0)


def test_a_text_is_judged_once_by_the_first_who_wrote_it() -> None:
    again = translation("again", A_CETLA, "1-0")  # other links, no link for the keyword
    judged = judge_contrasts(CONTRASTS, SOURCES, [FINITE, again])
    assert len(judged.outputs.texts) == len(judged.findings) == 2
    assert judged.outputs.codes[0, 0] == judged.outputs.codes[0, 1]
    assert [finding.verdict for finding in judged.findings if finding] == [Verdict.PASS, Verdict.PASS]


def test_evaluate_takes_the_verdicts_as_they_are() -> None:
    unknown = translation("unknown", NAD_CTENIM, "1-0")
    unknown = replace(unknown, texts=["Seděla nad  čtením", *unknown.texts[1:]])
    judged = judge_contrasts(CONTRASTS, SOURCES, [FINITE, NOMINAL, unknown])
    own = evaluate(judged.suite, judged.outputs, findings=judged.findings, policy="own", keep_all=True)
    strict = evaluate(judged.suite, judged.outputs, findings=judged.findings, policy="strict", keep_all=True)

    def counts(evaluation: Evaluation, phenomenon: str) -> dict[str, tuple[int | None, int | None]]:
        row = evaluation.row("Gerund clause", phenomenon)
        return {cell.system.name: (cell.correct, cell.total) for cell in row.cells}

    assert counts(own, "gerund-finite") == {"finite": (1, 1), "nominal": (0, 1), "unknown": (0, 0)}
    assert counts(strict, "gerund-finite") == {"finite": (1, 1), "nominal": (0, 1), "unknown": (0, 1)}
    assert counts(own, "gerund-nonfinite") == {"finite": (0, 0), "nominal": (0, 0), "unknown": (0, 0)}


def test_the_signature_names_the_expectation_and_the_contrasts() -> None:
    def signature(expectation: SourceRule | ChosenClass | None, contrasts: Contrasts = CONTRASTS) -> str:
        judged = judge_contrasts(contrasts, SOURCES, [FINITE], expectation=expectation)
        return evaluate(judged.suite, judged.outputs, findings=judged.findings, keep_all=True).signature

    by_source = signature(None)
    assert f"|suite:contrasts-en-cs@2/source/{CONTRASTS.hash}#" in by_source
    assert f"@2/reference:finite/{CONTRASTS.hash}#" in signature(ChosenClass(CONTRASTS, FINITE))
    assert f"@2/gold:finite/{CONTRASTS.hash}#" in signature(ChosenClass(CONTRASTS, FINITE, kind="gold"))
    fewer = replace(CONTRASTS, classes=CONTRASTS.classes[:-1])
    assert signature(None, fewer) != by_source


# Expectations


def test_the_class_that_a_reference_chose_decides_the_contrast() -> None:
    def names(reference: Translation) -> list[str]:
        found = ChosenClass(CONTRASTS, reference).occurrences(SOURCES)
        return [occurrence.contrast.name for occurrence in found]

    assert names(FINITE) == ["gerund-finite", "control-nonfinite"]
    assert names(NOMINAL) == ["gerund-nonfinite", "control-nonfinite"]
    assert names(translation("silent", A_CETLA, "1-0")) == ["control-nonfinite"]
    assert names(replace(NOMINAL, trees={2: ZACALA})) == ["control-nonfinite"]  # no output for line 1


def test_the_reference_that_decides_has_no_fail() -> None:
    expectation = ChosenClass(CONTRASTS, NOMINAL)
    judged = judge_contrasts(CONTRASTS, SOURCES, [NOMINAL, FINITE], expectation=expectation)
    verdicts = [judged.findings[code] for code in judged.outputs.codes[:, 0]]
    assert [found.verdict for found in verdicts if found] == [Verdict.PASS, Verdict.PASS]


def test_any_class_that_a_reference_chose_is_good() -> None:
    expectation = AnyChosenClass(CONTRASTS, [FINITE, NOMINAL])
    first, _ = expectation.occurrences(SOURCES)
    assert (first.contrast.name, first.contrast.good) == ("gerund-finite", ("finite", "nominal"))
    assert first.contrast.bad == ("subjunctive", "infinitive")
    infinitive = translation("infinitive", ZACALA, "1-0 2-1")
    judged = judge_contrasts(CONTRASTS, SOURCES, [FINITE, NOMINAL, infinitive], expectation=expectation)
    verdicts = [found.verdict for code in judged.outputs.codes[0] if (found := judged.findings[code])]
    assert verdicts == [Verdict.PASS, Verdict.PASS, Verdict.FAIL]


def test_a_line_that_one_reference_lacks_is_expected_of_nobody() -> None:
    expectation = AnyChosenClass(CONTRASTS, [FINITE, replace(NOMINAL, trees={2: ZACALA})])
    assert [occurrence.line for occurrence in expectation.occurrences(SOURCES)] == [2]


def test_of_contrasts_that_share_a_class_the_more_exacting_one_gets_it() -> None:
    said = tree("""
        Začala  začít  VERB  _  0  root   Tense=Past|VerbForm=Part
        = aby 2
        aby     aby    SCONJ _  4  mark
        by      být    AUX   _  4  aux    Mood=Cnd|VerbForm=Fin
        četla   číst   VERB  _  1  advcl  Tense=Past|VerbForm=Part
    """)
    reference = translation("aby", A_CETLA, "1-0", said, "1-0 3-2")
    # control-finite takes finite and subjunctive, control-subjunctive only the second
    assert [occurrence.contrast.name for occurrence in ChosenClass(CONTRASTS, reference).occurrences(SOURCES)] == [
        "control-subjunctive"
    ]


def small(*contrasts: Contrast) -> Contrasts:
    """Every verb is an instance, every word is of the class `any`."""
    verb = (Node("kw", (Condition("POS", "==", ("VERB",)),)),)
    return Contrasts(
        "small",
        "en-cs",
        {"verb": Construction("verb", (verb,))},
        (TargetClass("any", ((Node("a"),),)),),
        {contrast.name: contrast for contrast in contrasts},
    )


def test_by_source_rule_the_first_contrast_gets_an_instance() -> None:
    past = (Node("kw", (Condition("TAG", "==", ("VBD",)),)),)
    contrasts = small(
        Contrast("past", "verb", ("any",), (), one_of=(past,)),
        Contrast("rest", "verb", ("any",), ()),
        Contrast("never", "verb", ("any",), ()),
    )
    found = SourceRule(contrasts).occurrences(SOURCES)
    assert [(occurrence.id, occurrence.contrast.name) for occurrence in found] == [
        ("1:2", "past"),
        ("1:3", "rest"),
        ("2:2", "past"),
        ("3:2", "past"),
        ("3:4", "rest"),
    ]


def test_only_lines_with_an_instance_are_needed() -> None:
    assert lines_needed(CONTRASTS, SOURCES) == [0, 2]


def test_no_instance_at_all_is_an_error() -> None:
    with pytest.raises(BadOption, match="no sentence has an instance of a contrast"):
        judge_contrasts(CONTRASTS, {1: SLEPT}, [FINITE])


# Finding


def test_what_is_found_is_a_suite_that_can_be_kept(tmp_path: Path) -> None:
    found = find(CONTRASTS, SOURCES, "control")
    assert [(item.id, item.phenomenon) for item in found] == [("3:4", "control")]
    assert found.items[0].tests == ("word 4, “read”: A to-infinitive that depends on a verb, an adjective or a noun.")
    save_suite(found, tmp_path / "found")
    kept = load_suite(tmp_path / "found")
    assert [(item.id, item.source) for item in kept] == [("3:4", "She began to read")]


def test_an_unknown_name_is_answered_with_near_ones() -> None:
    with pytest.raises(UnknownName, match="did you mean gerund"):
        find(CONTRASTS, SOURCES, "gerunds")


def test_links_may_be_a_list_of_all_lines() -> None:
    everything: list[Links] = [links("1-0 2-2"), frozenset(), links("1-0 3-1")]
    judged = judge_contrasts(CONTRASTS, SOURCES, [replace(FINITE, links=everything)])
    assert [found.verdict for found in judged.findings if found] == [Verdict.PASS, Verdict.PASS]
