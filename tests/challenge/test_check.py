"""The check of a set: what is wrong with it, and what gives its answers away."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from assay.challenge.case import Case, CaseSet, Hypothesis, Ladder, Reference
from assay.challenge.check import SetFinding, check_set, check_together
from assay.challenge.files.sets import write_cases
from assay.challenge.script import doubts
from tests.conftest import Run


def pair(number: int, good: str, bad: str, **changes: object) -> Case:
    case = Case(
        str(number),
        f"Das ist der Satz Nummer {number}.",
        (Hypothesis("hyp-1", good), Hypothesis("hyp-2", bad)),
        (Reference("reference", f"This is the sentence with the number {number}."),),
        (Ladder.parse("hyp-1 > hyp-2"),),
        "de-en",
        ("numbers",),
    )
    return replace(case, **changes)  # type: ignore[arg-type]


LOWER = (Hypothesis("hyp-1", "a", human=(("da", 1.0),)), Hypothesis("hyp-2", "b", human=(("da", 2.0),)))
GOOD = [pair(number, f"This is sentence {number}.", f"This is sentence {-number}.") for number in range(4)]


def found(*cases: Case) -> dict[str, SetFinding]:
    return {finding.code: finding for finding in check_set(CaseSet("set", cases))}


def test_a_good_set_has_no_findings() -> None:
    assert found(*GOOD[1:]) == {}


@pytest.mark.parametrize(
    ("case", "code", "level"),
    [
        (pair(9, "The same.", "The same."), "identical", "error"),
        (pair(9, "The same.", "The same.", relations=(Ladder.parse("hyp-1 = hyp-2"),)), "same", "warning"),
        (pair(9, "a", "b", references=()), "reference", "error"),
        (pair(9, "a", "b", source=""), "source", "warning"),
        (pair(9, "a", ""), "hypothesis", "warning"),
        (pair(9, "a", "This is the sentence with the number 9."), "worse-reference", "error"),
        (pair(9, "This is the sentence with the number 9.", "b"), "is-reference", "warning"),
        (replace(GOOD[1], id="9"), "doubled", "error"),
        (pair(9, "This is sentence -1.", "b", source=GOOD[1].source), "both-ways", "error"),
        (pair(9, "a", "b", relations=()), "nothing-said", "warning"),
        (pair(9, "Das ist der Satz und nicht mehr.", "b"), "language", "warning"),
        (pair(9, "a", "b", further=(("incorrect-translation-annotated", "<v>c</v>"),)), "spans", "warning"),
        (
            pair(9, "", "", hypotheses=LOWER),
            "human",
            "warning",
        ),
    ],
)
def test_what_is_wrong_with_a_case_is_found(case: Case, code: str, level: str) -> None:
    finding = found(*GOOD[1:], case)[code]
    assert (finding.level, finding.count) == (level, 1)
    assert finding.examples[0] == "9"


def test_a_set_without_references_is_one_for_metrics_without() -> None:
    finding = found(*(replace(case, references=()) for case in GOOD))["reference"]
    assert (finding.level, finding.count, finding.total) == ("warning", 4, 4)


def test_a_set_of_the_other_direction_is_an_error() -> None:
    turned = [replace(case, langpair="en-de") for case in GOOD]
    levels = [(finding.level, finding.message) for finding in check_set(CaseSet("set", tuple(turned)))]
    assert ("error", "whose source is not in the language of the set, which has the wrong direction") in levels
    assert ("error", "whose reference is not in the language of the set, which has the wrong direction") in levels


def test_sources_in_several_splits_and_sets() -> None:
    train, test = (replace(GOOD[1], id=name, further=(("split", name),)) for name in ("train", "test"))
    assert found(train, test)["splits"].count == 1
    assert "splits" not in found(train, replace(test, further=(("split", "train"),)))
    sets = {"a.tsv": CaseSet("a", tuple(GOOD)), "b.tsv": CaseSet("b", (GOOD[2], pair(7, "x", "y")))}
    (finding,) = check_together(sets)
    assert (finding.count, finding.total, finding.message) == (1, 5, "sources that are in a.tsv and b.tsv")
    assert check_together({"a.tsv": sets["a.tsv"]}) == []


@pytest.mark.parametrize(("longer", "code"), [(8, "length"), (7, None), (2, "length"), (3, None)])
def test_length_gives_away_what_is_right_in_four_of_five(longer: int, code: str | None) -> None:
    """The better one is longer in so many of ten, and shorter in the others."""
    cases = [
        pair(number, f"Longer than {number}" if number < longer else "short", f"Middle {number}")
        for number in range(10)
    ]
    findings = [finding for finding in check_set(CaseSet("set", tuple(cases))) if finding.code == "length"]
    assert [finding.count for finding in findings] == ([8, 8] if code else [])
    if longer == 8:
        assert findings[0].message == "the longer hypothesis is better in 80% of the pairs"
        assert findings[1].message == "the longer hypothesis is better in 80% of the pairs of numbers"


def test_a_copy_of_the_source_gives_itself_away() -> None:
    cases = [pair(number, "Nothing like it at all", f"Das ist der Satz Nummer {number}.") for number in range(10)]
    messages = [finding.message for finding in check_set(CaseSet("set", tuple(cases))) if finding.code == "copy"]
    assert messages[0] == "the hypothesis that is less like the source is better in 100% of the pairs"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Das ist ein Haus, und es ist nicht klein.", "en", True),
        ("This is the house, and it is not small.", "en", False),
        ("This is the house, and it is not small.", "zh_CN", True),
        ("这是一个房子", "zh", False),
        ("これは家です。", "zh", True),
        ("家", "en", False),
        ("Это большой дом.", "de", True),
        ("Berlin 2024", "ru", False),
        ("This is the house, and it is not small.", "hau", False),
        ("anything that is here", "", False),
    ],
)
def test_a_text_is_doubted_where_it_is_plain(text: str, language: str, *, expected: bool) -> None:
    assert doubts(text, language) is expected


def test_the_command_says_what_it_found_and_fails_on_errors(assay: Run, tmp_path: Path) -> None:
    write_cases(CaseSet("set", (*GOOD[1:], pair(9, "The same.", "The same."))), tmp_path / "bad.jsonl")
    done = assay("challenge", "check", tmp_path / "bad.jsonl", code=1).stdout
    assert "4 challenge items, 8 hypotheses, 4 pairs, 4 sources, 1 language pair" in done
    assert "error    identical" in done
    assert "1 error, 0 warnings" in done
    document = json.loads(assay("challenge", "check", tmp_path / "bad.jsonl", "--json", code=1).stdout)
    assert document["sets"][0]["findings"][0]["code"] == "identical"
    write_cases(CaseSet("set", tuple(GOOD[1:])), tmp_path / "good.jsonl")
    assert "0 errors, 0 warnings" in assay("challenge", "check", tmp_path / "good.jsonl").stdout
