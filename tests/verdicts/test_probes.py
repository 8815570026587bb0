"""Texts that must not pass, made of right examples: drawn the same every time, exempt where the suite says so."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from assay.errors import BadSuite
from assay.suites import Examples, Item, Rule, Suite, taxonomy_of
from assay.suites.load import save_suite
from assay.verdicts.lint import probe_problems
from assay.verdicts.probes import LIMITS, OTHERS, probe, shuffle
from assay.verdicts.probes_file import planted_texts, read_probes
from tests.conftest import Run

ROW = ("Verbs", "Tense")


def an_item(name: str, rule: str, *passing: str, source: str = "Sie kaufte ein Auto.") -> Item:
    return Item(f"tense/{name}", *ROW, f"{source} {name}", (Rule("pass", "regex", rule),), examples=Examples(passing))


def a_suite(*items: Item, langpair: str = "de-en") -> Suite:
    return Suite("little", langpair, items, taxonomy_of(items))


# A key word, and a rule that looks at subject, verb and object.
WORD = an_item("word", r"\bbought\b", "She bought a red car.")
CLAUSE = an_item("clause", r"^She bought a red car\.$", "She bought a red car.")


def passed(suite: Suite) -> dict[str, list[str]]:
    found = probe(suite)
    return {kind: [text.item.id for text in found.count(kind).passed] for kind in ("shuffled", "negated", "others")}


def test_a_key_word_lets_everything_pass_and_a_clause_nothing() -> None:
    found = passed(a_suite(WORD, replace(CLAUSE, source="Sie sang.", examples=Examples(("She bought a red car.",)))))
    assert found == {"shuffled": ["tense/word"], "negated": ["tense/word"], "others": []}


def test_right_examples_of_other_items() -> None:
    other = an_item("other", r"\bnew house\b", "They bought a new house.", source="Sie kauften ein Haus.")
    found = probe(a_suite(WORD, other)).count("others")
    assert (found.tried, [(one.item.id, one.text) for one in found.passed]) == (
        2,
        [("tense/word", "They bought a new house.")],
    )


def test_what_is_right_here_too_is_no_probe() -> None:
    assert probe(a_suite(WORD, replace(CLAUSE, source="Anderes."))).count("others").tried == 0


def test_items_of_a_group_or_with_the_same_source_are_no_strangers() -> None:
    other = replace(an_item("other", "house", "They bought a house."), group="tense/pair")
    assert probe(a_suite(replace(WORD, group="tense/pair"), other)).count("others").tried == 0


def test_only_so_many_others_are_tried() -> None:
    items = [an_item(f"n{n}", f"number {n}$", f"This is number {n}", source=f"Das ist {n}.") for n in range(70)]
    assert probe(a_suite(*items)).count("others").tried == 70 * OTHERS


def test_probes_are_the_same_every_time_and_whatever_other_items_there_are() -> None:
    one, two = (probe(suite).count("shuffled").passed for suite in (a_suite(WORD), a_suite(CLAUSE, WORD)))
    assert [text.text for text in one] == [text.text for text in two]


def test_phenomena_may_be_exempt() -> None:
    lexical, negation = replace(a_suite(WORD), lexical={ROW: True}), replace(a_suite(WORD), negation={ROW: True})
    assert passed(lexical) == {"shuffled": [], "negated": ["tense/word"], "others": []}
    assert passed(negation) == {"shuffled": ["tense/word"], "negated": [], "others": []}


@pytest.mark.parametrize(
    "item",
    [
        replace(WORD, source="Sie kaufte kein Auto."),
        replace(WORD, examples=Examples(("She bought nothing at all.",))),
        replace(WORD, examples=Examples(("Who bought a red car?",))),
    ],
    ids=["source", "text", "question"],
)
def test_no_negation_where_there_is_one_or_a_question(item: Item) -> None:
    assert probe(a_suite(item)).count("negated").tried == 0


def test_the_negation_stands_in_the_sentence_that_was_matched() -> None:
    item = replace(WORD, examples=Examples(("It was late. She was happy and bought a car.",)))
    [text] = probe(a_suite(item)).count("negated").passed
    assert text.text == "It was late. She was not happy and bought a car."


def test_other_target_languages_have_no_negations() -> None:
    found = probe(a_suite(WORD, langpair="de-fr"))
    assert found.count("negated").tried == 0
    assert found.missing == {"negated": "not available for fr; there are en, de, ru, cs"}


def test_words_are_shuffled_within_their_sentence() -> None:
    text = "She bought a red car yesterday. He sold his old bicycle today!"
    made = shuffle(text, Random(1))
    assert made is not None
    first, second = made[: made.index(".") + 1], made[made.index(".") + 2 :]
    assert sorted(first[:-1].split()) == sorted(["She", "bought", "a", "red", "car", "yesterday"])
    assert second.endswith("!")
    assert sorted(second[:-1].split()) == sorted(["He", "sold", "his", "old", "bicycle", "today"])
    assert shuffle("Too short!", Random(1)) is None


class TestFile:
    def test_planted_texts(self, tmp_path: Path) -> None:
        suite = a_suite(WORD, CLAUSE)
        save_suite(suite, tmp_path / "little")
        (tmp_path / "little" / "probes.yaml").write_text("tense/word: [A red car bought her., She sold it.]\n")
        planted = read_probes(tmp_path / "little", suite)
        assert planted_texts(str(tmp_path / "little" / "suite.yaml"), suite) == planted
        found = probe(suite, planted=planted)
        assert (found.count("planted").tried, [one.text for one in found.count("planted").passed]) == (
            2,
            ["A red car bought her."],
        )
        problems = [problem for problem in probe_problems(suite, found, LIMITS) if problem.code == "planted-pass"]
        assert [(problem.item, problem.level) for problem in problems] == [("tense/word", "warning")]

    def test_an_unknown_item(self, tmp_path: Path) -> None:
        (tmp_path / "probes.yaml").write_text("tense/wrod: [A car bought her.]\n")
        with pytest.raises(BadSuite, match=r"probes\.yaml:1: no item 'tense/wrod'; did you mean tense/word"):
            read_probes(tmp_path, a_suite(WORD))

    def test_none(self, tmp_path: Path) -> None:
        assert read_probes(tmp_path, a_suite(WORD)) == {}


class TestCommand:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> str:
        save_suite(a_suite(WORD, replace(CLAUSE, source="Sie sang.")), tmp_path / "little")
        return str(tmp_path / "little")

    def test_shares_and_texts(self, assay: Run, folder: str) -> None:
        printed = assay("lint", folder, "--probe").stdout
        assert "shuffled                           2       1   50.0 %      5 %" in printed
        assert "    tense/word: " in printed
        assert "warning: right examples with their words shuffled pass [shuffled-pass]" in printed
        assert "1 of 2 (50.0 %) pass, at most 5 % may" in printed

    def test_limits(self, assay: Run, folder: str) -> None:
        assay("lint", folder, "--probe", "--strict", code=1)
        assay("lint", folder, "--probe", "--strict", "--most", "shuffled=50,negated=50")
        assay("lint", folder, "--strict")

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--most", "shuffled=5"], "--most is about probes; add --probe"),
            (["--probe", "--most", "shufled=5"], "no kind of probe 'shufled'; did you mean shuffled"),
            (["--probe", "--most", "shuffled=five"], "write a number from 0 to 100, like shuffled=5"),
        ],
    )
    def test_mistakes(self, assay: Run, folder: str, arguments: list[str], said: str) -> None:
        assert said in assay("lint", folder, *arguments, code=2).stderr
