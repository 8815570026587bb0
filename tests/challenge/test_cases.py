"""Cases: their relations, the pairs that these say, and there and back in every format."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.challenge.case import Case, CaseSet, Hypothesis, Ladder
from assay.challenge.challenge_set import ChallengeSet
from assay.challenge.files.sets import SetFormat, losses, read_cases, read_challenge, read_scorable, write_cases
from assay.challenge.pairs import cases_of, pairs_of, scorable
from assay.errors import BadFile, BadOption
from tests.challenge.challenges import GARDEN, blinded, case_sets, challenge_sets

LADDER = Case(
    "7",
    "Eins.",
    tuple(Hypothesis(f"hyp-{number}", text) for number, text in enumerate(("One.", "Two.", "Ein.", "Uno."), 1)),
    relations=(Ladder.parse("hyp-1 > hyp-3 = hyp-4"), Ladder.parse("hyp-1 > hyp-2")),
    langpair="de-en",
    labels=("numbers",),
)


def back(cases: CaseSet, folder: Path, format: SetFormat) -> CaseSet:
    place = folder / {"tsv": "set.tsv", "jsonl": "set.jsonl", "aces": "aces.tsv"}.get(format, format)
    write_cases(cases, place, format)
    return read_cases(place)


# --- relations


def test_a_ladder_says_pairs_and_equalities() -> None:
    ladder = Ladder.parse("a > b = c > d")
    assert ladder.better_pairs() == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "d"), ("c", "d")]
    assert ladder.equal_pairs() == [("b", "c")]
    assert str(ladder) == "a > b = c > d"
    for written in ("a", "", "a >", " > b"):
        with pytest.raises(BadOption, match="says nothing about two hypotheses; write hyp-1 > hyp-2"):
            Ladder.parse(written)


@pytest.mark.parametrize(
    ("relations", "problem"),
    [
        (["hyp-1 > hyp-2", "hyp-2 > hyp-1"], "'hyp-1' is better than 'hyp-2', and the other way round"),
        (["hyp-1 > hyp-2 > hyp-3", "hyp-3 > hyp-1"], "and the other way round"),
        (["hyp-1 > hyp-2", "hyp-2 = hyp-3", "hyp-3 = hyp-1"], "'hyp-1' is better than 'hyp-2' and as good as it"),
        (["hyp-1 > hyp-2", "hyp-2 = hyp-3", "hyp-3 > hyp-1"], "and the other way round"),
        (["hyp-1 > hyp-9"], "a relation names 'hyp-9', which is no hypothesis of the challenge item"),
    ],
)
def test_relations_that_contradict_are_named_with_their_line(
    tmp_path: Path, relations: list[str], problem: str
) -> None:
    row = {"id": "1", "source": "a", "hyp-1": "b", "hyp-2": "c", "hyp-3": "d"}
    file = tmp_path / "set.jsonl"
    lines = [json.dumps({**row, "id": "0"}), json.dumps({**row, "relations": relations})]
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(BadFile, match=rf"set\.jsonl:2: .*{problem}; correct the relations"):
        read_cases(file)


def test_relations_that_agree_are_no_contradiction() -> None:
    relations = ("hyp-1 > hyp-2", "hyp-1 > hyp-2 > hyp-3", "hyp-1 > hyp-3", "hyp-3 = hyp-4")
    assert replace(LADDER, relations=tuple(map(Ladder.parse, relations))).problem == ""


# --- pairs


def test_a_case_gives_a_pair_for_each_thing_it_says() -> None:
    challenge = pairs_of(CaseSet("set", (LADDER, replace(LADDER, id="8", relations=()))))
    assert [(item.id, item.right, item.wrong, item.item) for item in challenge.items] == [
        ("7:hyp-1>hyp-3", "One.", "Ein.", "7"),
        ("7:hyp-1>hyp-4", "One.", "Uno.", "7"),
        ("7:hyp-1>hyp-2", "One.", "Two.", "7"),
    ]
    assert (challenge.items[0].category, challenge.items[0].phenomenon) == ("numbers", "numbers")
    assert challenge.origin is not None
    assert challenge.origin.places == ((0, 2), (0, 3), (0, 1))
    assert len(scorable(challenge.origin.cases).segments()) == 4


@settings(max_examples=60)
@given(challenge=st.one_of(challenge_sets(), challenge_sets().map(blinded)))
def test_a_set_of_pairs_is_the_same_set_as_cases(challenge: ChallengeSet) -> None:
    assert pairs_of(cases_of(challenge)) == challenge
    assert pairs_of(cases_of(challenge)).hash == challenge.hash
    assert scorable(cases_of(challenge)) == challenge


# --- there and back


@pytest.mark.parametrize("format", ["tsv", "jsonl"])
@settings(max_examples=60)
@given(cases=case_sets())
def test_cases_come_back(format: SetFormat, cases: CaseSet) -> None:
    with TemporaryDirectory() as folder:
        assert back(cases, Path(folder), format) == cases


@pytest.mark.parametrize("format", ["wmt25", "mt-metrics-eval"])
@settings(max_examples=60)
@given(cases=case_sets(parallel=True))
def test_cases_come_back_from_parallel_files(format: SetFormat, cases: CaseSet) -> None:
    with TemporaryDirectory() as folder:
        assert back(cases, Path(folder), format) == cases


@pytest.mark.parametrize("format", ["tsv", "jsonl", "wmt25", "mt-metrics-eval"])
def test_pairs_without_a_relation_keep_their_systems(tmp_path: Path, format: SetFormat) -> None:
    hypotheses = (Hypothesis("hyp-1", "One.", ("A",)), Hypothesis("hyp-2", "Two."))
    cases = CaseSet(tmp_path.name, (Case("1", "Eins.", hypotheses, langpair="de-en"),))
    assert back(cases, tmp_path, format) == cases


@pytest.mark.parametrize("name", ["aces.tsv", "aces.jsonl"])
@settings(max_examples=60)
@given(cases=case_sets(pairs=True))
def test_pairs_with_all_that_is_known_come_back_from_aces(name: str, cases: CaseSet) -> None:
    with TemporaryDirectory() as folder:
        write_cases(cases, Path(folder) / name, "aces")
        assert read_cases(Path(folder) / name) == cases


def test_further_columns_of_a_set_of_pairs_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "mine.de-en.tsv"
    file.write_text("id\tsource\treference\thyp-1\thyp-2\tcorrect\tpage\n1\ta\tb\tc\td\t2\t17\n", encoding="utf-8")
    assert read_cases(file).cases[0].further == (("page", "17"),)
    assert read_challenge(file).items[0].right == "d"
    assert back(read_cases(file), tmp_path, "jsonl") == read_cases(file)


def test_language_pairs_are_those_of_rows(tmp_path: Path) -> None:
    both = CaseSet("set", (LADDER, replace(LADDER, id="8", langpair="fr-en")))
    assert both.langpair == "mul-mul"
    challenge = pairs_of(both)
    assert [item.langpair for item in challenge.items] == ["de-en"] * 3 + ["fr-en"] * 3
    rows = "1\ta\tb\tc\td\t1\tde-en\n2\ta\tb\tc\td\t1\tfr-en\n"
    file = tmp_path / "two.tsv"
    file.write_text("id\tsource\treference\thyp-1\thyp-2\tcorrect\tlangpair\n" + rows, encoding="utf-8")
    found = read_challenge(file)
    assert (found.langpair, [item.langpair for item in found.items]) == ("mul-mul", ["de-en", "fr-en"])
    assert back(read_cases(file), tmp_path, "tsv") == read_cases(file)
    with pytest.raises(
        BadOption, match=r"the files are of one direction, and the set has 2, de-en and fr-en for example"
    ):
        write_cases(both, tmp_path / "out", "wmt25")


def test_a_set_that_says_nothing_can_be_scored_and_not_evaluated(tmp_path: Path) -> None:
    write_cases(CaseSet("set", (replace(LADDER, relations=()),)), tmp_path / "set.jsonl")
    assert len(read_scorable(tmp_path / "set.jsonl")[0]) == 4
    with pytest.raises(BadFile, match=r"set\.jsonl: nothing says which hypothesis is better than another; say it with"):
        read_challenge(tmp_path / "set.jsonl")


def test_what_a_format_cannot_hold_is_listed(tmp_path: Path) -> None:
    cases = CaseSet("set", (LADDER,))
    assert losses(cases, "jsonl") == []
    with pytest.raises(
        BadOption, match=r"would be lost: 1 of 1 challenge items are not one pair .* convert with --lossy"
    ):
        write_cases(cases, tmp_path / "aces.tsv", "aces")
    assert not (tmp_path / "aces.tsv").exists()
    write_cases(cases, tmp_path / "aces.tsv", "aces", lossy=True)
    found = read_challenge(tmp_path / "aces.tsv")
    assert [item.wrong for item in found.items] == ["Ein.", "Uno.", "Two."]
    ragged = CaseSet("set", (LADDER, replace(LADDER, id="8", hypotheses=LADDER.hypotheses[:1], relations=())))
    with pytest.raises(BadOption, match="challenge items have from 1 to 4 hypotheses; write the set as tsv or jsonl"):
        write_cases(ragged, tmp_path / "out", "mt-metrics-eval")
    odd = replace(LADDER, further=(("hyp-1-human", "x"),))
    with pytest.raises(BadOption, match="the further column 'hyp-1-human', whose name means something else here"):
        write_cases(CaseSet("set", (odd,)), tmp_path / "set.jsonl")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"hyp-4": "x"}, ":1: 'hyp-3' is missing; name the hypotheses hyp-1, hyp-2 and so on"),
        ({"hyp-1-human": {"mqm": "high"}}, ":1: the human score 'mqm' in 'hyp-1-human' is 'high'; write a number"),
        ({"hyp-1-human": {"mqm": float("inf")}}, ":1: the human score 'mqm' in 'hyp-1-human' is inf"),
        ({"hyp-1-spans": [{"start": 0, "end": 9}]}, ":1: an error span of 'hyp-1' reaches from 0 to 9 of 1 characters"),
        ({"relations": ["hyp-1"]}, ":1: 'hyp-1' says nothing about two hypotheses"),
        ({"relations": ["hyp-1 > hyp-2"], "correct": 1}, ":1: both 'correct' and 'relations' are there"),
        ({"hyp-2-name": "hyp-1", "relations": []}, ":1: two hypotheses are called 'hyp-1'"),
        ({"hypotheses": 3}, ":1: 'hyp-3' is missing"),
        ({"level-4": "x"}, ":1: the levels are level-4; count them from level-3"),
    ],
)
def test_a_bad_case_is_named(tmp_path: Path, change: dict[str, object], problem: str) -> None:
    row = {"id": "1", "source": "a", "hyp-1": "b", "hyp-2": "c"}
    (tmp_path / "set.jsonl").write_text(json.dumps(row | change), encoding="utf-8")
    with pytest.raises(BadFile, match=problem):
        read_cases(tmp_path / "set.jsonl")


def test_a_set_of_pairs_is_written_as_ever(tmp_path: Path) -> None:
    """Through cases or not, byte for byte."""
    from assay.challenge.files.sets import write_challenge

    formats: list[SetFormat] = ["tsv", "jsonl", "mt-metrics-eval", "wmt25", "aces"]
    for kind in formats:
        written = write_challenge(GARDEN, tmp_path / f"a-{kind}.tsv", kind)
        again = write_cases(cases_of(GARDEN), tmp_path / f"b-{kind}.tsv", kind)
        assert [file.read_bytes() for file in written] == [file.read_bytes() for file in again]
