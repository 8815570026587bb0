"""DFKI items.json: what is read is written back as it was."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadSuite
from assay.suites import dfki
from assay.suites.load import load_suite, save_suite
from assay.suites.suite import Item, Rule
from assay.text import normalise
from assay.verdicts import RuleJudge
from tests.suites.building import a_suite, an_item


def entry(**changes: Any) -> dict[str, Any]:
    return {
        "id": "00001001",
        "langpair": "deen",
        "category": "Ambiguity",
        "phenomenon": "Lexical ambiguity",
        "source_sentence": "Der Kiefer tut ihm weh. ",
        "positive_regex": r"\bjaw\b",
        "negative_regex": "",
        "positive_tokens": ["His jaw aches."],
        "negative_tokens": ["", "The pine hurts him.", "The pine hurts him.", " "],
        **changes,
    }


def written(tmp_path: Path, *entries: Any) -> Path:
    file = tmp_path / "items.de-en.json"
    file.write_text(json.dumps({"items": entries}), encoding="utf-8")
    return file


def test_regexes_and_tokens_become_rules_and_nothing_is_tidied(tmp_path: Path) -> None:
    suite = dfki.read(written(tmp_path, entry()))
    assert (suite.name, suite.langpair) == ("items.de-en", "de-en")
    assert suite.items[0].source == "Der Kiefer tut ihm weh. "
    assert suite.items[0].rules == (
        Rule("pass", "regex", r"\bjaw\b"),
        Rule("pass", "exact", "His jaw aches."),
        Rule("fail", "exact", ""),
        Rule("fail", "exact", "The pine hurts him."),
        Rule("fail", "exact", "The pine hurts him."),
        Rule("fail", "exact", " "),
    )


def test_blank_tokens_never_match(tmp_path: Path) -> None:
    suite = dfki.read(written(tmp_path, entry(positive_tokens=["", " "], positive_regex="  ")))
    assert RuleJudge(suite).judge(suite.items[0], "Something else.").reason == "no_match"


@pytest.mark.parametrize("absent", [{"positive_regex": None}, {"positive_tokens": None}])
def test_null_is_no_rule(tmp_path: Path, absent: dict[str, None]) -> None:
    kept = len(dfki.read(written(tmp_path, entry())).items[0].rules)
    assert len(dfki.read(written(tmp_path, entry(**absent))).items[0].rules) == kept - 1


@pytest.mark.parametrize(
    ("name", "pair"), [("deen", "de-en"), ("de-en", "de-en"), ("ende", "en-de"), ("nds-en", "nds-en"), ("x", "x")]
)
def test_a_language_pair_gets_its_hyphen(name: str, pair: str) -> None:
    assert dfki.langpair(name) == pair


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
filled = texts.filter(str.strip)
entries = st.lists(
    st.fixed_dictionaries(
        {
            "id": filled,
            "langpair": st.just("deen"),
            "category": filled,
            "phenomenon": filled,
            "source_sentence": filled,
            "positive_regex": texts,
            "negative_regex": texts,
            "positive_tokens": st.lists(texts, max_size=3),
            "negative_tokens": st.lists(texts, max_size=3),
        }
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda item: str(item["id"]),
)


@given(entries)
def test_a_file_read_and_written_is_the_same(items: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.json", Path(folder) / "out.json"
        source.write_text(json.dumps({"items": items}), encoding="utf-8")
        save_suite(load_suite(source), target)
        again = json.loads(target.read_text(encoding="utf-8"))
    assert again == {"items": items}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"items": [\n  {"id": "1",}\n]}', ":2: broken JSON"),
        ('{"items": [', ":1: broken JSON"),
        ('{"items": "none"}', ": no list of items"),
        ("[]", ": no list of items"),
        ("{}", ": no list of items"),
        ('{"items": []}', ": the suite has no items"),
        ('{"items": ["x"]}', ": item 1 is not an object"),
        ('{"items": [{}]}', ": item 1: 'id' is missing"),
        ('{"items": [' + "9" * 5000 + "]}", ": broken JSON"),
        ("[" * 100_000, ": broken JSON"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "items.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSuite) as caught:
        dfki.read(file)
    assert str(caught.value).startswith(f"{file}{message}")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"source_sentence": None}, "item '00001001': 'source_sentence' is missing"),
        ({"source_sentence": "  "}, "item '00001001': 'source_sentence' is not a text"),
        ({"category": 7}, "item '00001001': 'category' is not a text"),
        ({"phenomenon": None}, "item '00001001': 'phenomenon' is missing"),
        ({"langpair": None}, "item '00001001': 'langpair' is missing"),
        ({"id": 1001}, "item 1: 'id' is not a text"),
        ({"positive_regex": ["x"]}, "item '00001001': positive_regex is not a text"),
        ({"negative_tokens": [1]}, "item '00001001': negative_tokens holds something that is not a text"),
        ({"positive_tokens": "His jaw aches."}, "item '00001001': positive_tokens"),
        ({"positive_tokens": {"a": "b"}}, "item '00001001': positive_tokens"),
        ({"positive_tokens": 5}, "item '00001001': positive_tokens"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    file = written(tmp_path, entry(**changes))
    with pytest.raises(BadSuite) as caught:
        dfki.read(file)
    assert str(caught.value).startswith(f"{file}: {problem}")


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSuite, match=r"the id '00001001' stands twice \(item 2\)"):
        dfki.read(written(tmp_path, entry(), entry(source_sentence="Noch einer.")))


def test_several_language_pairs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSuite, match="several language pairs: deen, ende"):
        dfki.read(written(tmp_path, entry(), entry(id="2", langpair="ende")))


# What a poorer format does with richer rules: the verdicts stay.


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ((Rule("pass", "regex", "jaw"), Rule("pass", "contains", "a (b) [c].")), "x a (b) [c]. y"),
        ((Rule("pass", "regex", "JAW", "i"), Rule("pass", "regex", "chin")), "the jaw"),
        ((Rule("pass", "regex", "JAW", "i"), Rule("pass", "regex", "chin")), "the CHIN"),
        ((Rule("pass", "contains", "don’t"),), "They don't."),
        ((Rule("pass", "contains", "a  b"),), "a b"),
        ((Rule("fail", "regex", "pine|jaw tree"), Rule("pass", "regex", "jaw")), "the jaw"),
        ((Rule("pass", "regex", ""), Rule("pass", "regex", "jaw")), "nothing of it"),
        ((Rule("pass", "contains", ""),), "nothing of it"),
        ((Rule("pass", "regex", "", "i"),), "nothing of it"),
        ((Rule("pass", "regex", "(?i)jaw"), Rule("pass", "regex", "chin")), "the CHIN"),
        ((Rule("pass", "regex", "jaw  # here"), Rule("pass", "regex", "chin")), "a chin"),
    ],
)
def test_rules_joined_into_one_regex_judge_alike(tmp_path: Path, rules: tuple[Rule, ...], text: str) -> None:
    suite = a_suite(an_item("1", "Ein Satz.", *rules))
    save_suite(suite, tmp_path / "items.json", lossy=True)
    again = load_suite(tmp_path / "items.json")
    before, after = (RuleJudge(each).judge(each.items[0], text) for each in (suite, again))
    assert after.verdict == before.verdict


def test_a_rule_that_refers_to_a_group_cannot_be_joined(tmp_path: Path) -> None:
    rules = (Rule("pass", "regex", "(a) b"), Rule("pass", "regex", r"\b(\w+) \1\b"))
    with pytest.raises(BadSuite, match="refers to a group and cannot be joined"):
        save_suite(a_suite(an_item("1", "Ein Satz.", *rules)), tmp_path / "items.json", lossy=True)
    assert not (tmp_path / "items.json").exists()


def test_losses_are_counted() -> None:
    item = Item(
        "1",
        "Ambiguity",
        "Lexical ambiguity",
        "Ein Satz.",
        (Rule("pass", "regex", "a", "i"), Rule("pass", "contains", "b", note="n")),
        tests="t",
        tags=("x", "y"),
        held_out=True,
    )
    assert dfki.losses(a_suite(item)) == [
        "1 × what items test",
        "2 × tags",
        "1 × held-out marks",
        "1 × further regex or contains rules (joined into one regex)",
        "1 × flags (written into the regex)",
        "1 × contains rules (written as regex)",
        "1 × notes, authors and dates of rules",
    ]


def test_a_plain_suite_loses_nothing(tmp_path: Path) -> None:
    assert dfki.losses(dfki.read(written(tmp_path, entry()))) == []


# The published files


@pytest.mark.parametrize("pair", ["de-en", "en-de"])
def test_a_published_file_is_written_back_as_it_is(data: Path, tmp_path: Path, pair: str) -> None:
    source = data / "dfki" / f"items.{pair}.json"
    save_suite(load_suite(source), tmp_path / "items.json")
    assert json.loads((tmp_path / "items.json").read_text(encoding="utf-8")) == json.loads(
        source.read_text(encoding="utf-8")
    )


@pytest.mark.parametrize("pair", ["de-en", "en-de"])
def test_a_published_file_keeps_everything_as_a_native_suite(data: Path, tmp_path: Path, pair: str) -> None:
    suite = load_suite(data / "dfki" / f"items.{pair}.json")
    save_suite(suite, tmp_path / "native")
    again = load_suite(tmp_path / "native")

    def facts(item: Item) -> tuple[str, str, str, str, tuple[Rule, ...]]:
        return item.id.rpartition("/")[2], item.category, item.phenomenon, item.source, item.rules

    assert sorted(map(facts, again)) == sorted(map(facts, suite))
    assert again.taxonomy == suite.taxonomy
    assert again.langpair == suite.langpair
    assert {normalise(item.source) for item in again} == {normalise(item.source) for item in suite}
