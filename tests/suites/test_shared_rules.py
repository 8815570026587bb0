"""Default rules, items that share a source, and rules of all kinds in native suites: read, written, hashed."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import BadSuite, UnpairedFile
from assay.outputs import load_outputs
from assay.outputs.sources import write_sources
from assay.suites import Item, Polarity, Rule, Suite, bundled, load_suite, losses, save_suite
from assay.suites.native import read_files
from assay.suites.native_layout import write_over
from assay.translate.job import prepare
from assay.verdicts import RuleJudge
from assay.verdicts.lint import lint
from tests.suites.building import MANIFEST, a_suite, suite_folder

COPY, REFUSAL = Rule("fail", "copy", "source"), Rule("fail", "refusal", "any")
DEFAULTS = MANIFEST.replace("categories:", "defaults:\n  fail: [copy, refusal]\ncategories:")

GARDEN = """\
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  - id: kiefer
    source: Der Kiefer tut ihm beim Kauen weh.
    pass: ['\\bjaw\\b']
    fail: [pine]
  - id: name
    source: Anna Maria Schmidt Berlin
    pass: [{contains: Anna}]
    defaults: none
  - id: short
    source: Die Bank gehört der Bank.
    pass: [{contains: bench}]
    defaults: {fail: [copy]}
"""

FILE_WIDE = """\
category: Negation
phenomenon: Negation
defaults:
  fail: [{longer: 3 × source}]
items:
  - id: nie
    source: Er kommt nie zu spät nach Hause.
    pass: [never]
"""


def rules(folder: Path) -> dict[str, tuple[Rule, ...]]:
    return {item.id: item.rules for item in load_suite(folder)}


def test_the_nearest_defaults_count_and_none_switches_them_off(tmp_path: Path) -> None:
    found = rules(suite_folder(tmp_path / "a", {"lex.yaml": GARDEN, "neg.yaml": FILE_WIDE}, DEFAULTS))
    assert found["lex/kiefer"] == (
        Rule("pass", "regex", r"\bjaw\b"),
        Rule("fail", "regex", "pine"),
        COPY,
        REFUSAL,
    )
    assert found["lex/name"] == (Rule("pass", "contains", "Anna"),)
    assert found["lex/short"] == (Rule("pass", "contains", "bench"), COPY)
    assert found["neg/nie"] == (Rule("pass", "regex", "never"), Rule("fail", "longer", "3 × source"))


def test_defaults_decide_verdicts_and_are_part_of_the_hash(tmp_path: Path) -> None:
    files = {"lex.yaml": GARDEN.replace("    defaults: none\n", "").replace("    defaults: {fail: [copy]}\n", "")}
    plain = load_suite(suite_folder(tmp_path / "plain", files))
    suite = load_suite(suite_folder(tmp_path / "defaults", files, DEFAULTS))
    assert plain.hash != suite.hash
    copied = suite.items[0].source
    assert RuleJudge(plain).judge(plain.items[0], copied).reason == "no_match"
    assert str(RuleJudge(suite).judge(suite.items[0], copied).verdict) == "fail"
    refused = RuleJudge(suite).judge(suite.items[0], "I'm sorry, but I can't help with that.")
    assert [found.rule for found in refused.evidence] == [REFUSAL]


@pytest.mark.parametrize("name", sorted(bundled()))
def test_an_untranslated_file_fails_the_bundled_suites(name: str) -> None:
    suite = load_suite(name)
    judge = RuleJudge(suite)
    failed = sum(str(judge.judge(item, item.source).verdict) == "fail" for item in suite)
    assert failed >= 0.98 * len(suite)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("defaults: copy", r"suite.yaml:\d+: defaults are 'copy'; write none, or rules under pass: and fail:"),
        ("defaults: {wrong: [copy]}", r"suite.yaml:\d+: unknown key 'wrong'"),
        ("defaults: {fail: [{kopy: source}]}", r"suite.yaml:\d+: unknown key 'kopy'; did you mean 'copy'\?"),
        ("defaults: {fail: [{keeps: []}]}", r"suite.yaml:\d+: a keeps rule needs an argument"),
        ("defaults: {fail: [{longer: [a, b]}]}", r"suite.yaml:\d+: a longer rule has one argument; write 42 char"),
        ("defaults: {fail: [{term: ''}]}", r"suite.yaml:\d+: a term rule needs an argument"),
        ("defaults: {fail: [{term: [a, 'b | c']}]}", r"suite.yaml:\d+: 'b \| c' cannot be a part of a list"),
    ],
)
def test_bad_defaults(tmp_path: Path, written: str, message: str) -> None:
    manifest = MANIFEST.replace("categories:", f"{written}\ncategories:")
    with pytest.raises(BadSuite, match=message):
        load_suite(suite_folder(tmp_path / "bad", {"lex.yaml": GARDEN}, manifest))


SHARED = """\
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  - id: text
    source: Die Bank war leer. Sie setzte sich.
    prompt: Translate this story.
    pass: [{contains: bench, in: sentence 1}]
  - id: pronoun
    source_of: text
    pass: [{contains: She, in: sentence 2}]
    fail: [{contains: It, in: sentence 2}]
  - id: other
    source: Es regnet.
    pass: [rain]
"""


def test_items_that_share_a_source_are_asked_for_once_and_judged_each(tmp_path: Path) -> None:
    suite = load_suite(suite_folder(tmp_path / "suite", {"lex.yaml": SHARED}))
    text, pronoun = suite.item("lex/text"), suite.item("lex/pronoun")
    assert (pronoun.source, pronoun.prompt, pronoun.source_of) == (text.source, text.prompt, "lex/text")
    for name in ("sources.txt", "sources.tsv"):
        write_sources(suite, tmp_path / name)
        assert (tmp_path / name).read_text("utf-8").count("Die Bank war leer.") == 1
    (tmp_path / "system.txt").write_text("The bench was empty. She sat down.\nIt rains.\n", encoding="utf-8")
    (tmp_path / "by-id.tsv").write_text("item\toutput\nlex/text\tThe bench. It sat.\nlex/other\tRain.\n", "utf-8")
    outputs = load_outputs(suite, [tmp_path / "system.txt", tmp_path / "by-id.tsv"])
    judge = RuleJudge(suite)
    verdicts = {
        (item.id, column): str(judge.judge(item, outputs.text(place, column)).verdict)
        for place, item in enumerate(suite)
        for column in range(2)
    }
    assert verdicts["lex/text", 0] == verdicts["lex/pronoun", 0] == verdicts["lex/text", 1] == "pass"
    assert verdicts["lex/pronoun", 1] == "fail"
    (job,) = prepare(suite, ["cmd:cat"])
    assert list(map(str, job.open_sentences(()))) == [text.source, "Es regnet."]
    assert "duplicate-source" not in {problem.code for problem in lint(suite)}
    (tmp_path / "long.txt").write_text("a\nb\nc\n", encoding="utf-8")
    with pytest.raises(UnpairedFile, match="3 lines for 2 sources"):
        load_outputs(suite, [tmp_path / "long.txt"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("source_of: text", "source_of: txt"), r"lex.yaml:8: item 'lex/pronoun': no item 'txt'; did you mean"),
        (
            ("source: Die Bank war leer. Sie setzte sich.\n    prompt: Translate this story.", "source_of: pronoun"),
            r"lex.yaml:\d+: item '.*': source_of goes round: lex/text → lex/pronoun → lex/text; give one of them",
        ),
        (("source_of: text", "source_of: text\n    source: Nein."), "has source_of, and a source of its own"),
        (("source_of: text", "source_of: text\n    prompt: Nein."), "has source_of, and a prompt of its own"),
        (("source_of: text", "source_of: pronoun"), "source_of goes round: lex/pronoun → lex/pronoun"),
    ],
)
def test_bad_sources(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    with pytest.raises(BadSuite, match=message):
        load_suite(suite_folder(tmp_path / "bad", {"lex.yaml": SHARED.replace(*change)}))


CONTRADICTING = """\
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  - id: bank
    source: Die Bank ist leer.
    pass: [{term: [bench, seat]}, {contains: bench, in: sentence 4}]
    fail: [{term: bench}, {longer: 5 words}, {shorter: 9 words}, {keeps: nubers}]
    examples: {pass: [The bench is empty.]}
"""


def test_lint_names_what_contradicts_by_construction(tmp_path: Path) -> None:
    suite = load_suite(suite_folder(tmp_path / "bad", {"lex.yaml": CONTRADICTING}))
    found = {(problem.code, problem.message): problem for problem in lint(suite)}
    assert list(found) == [
        ("contradicting-rules", "fail:longer:5 words and fail:shorter:9 words fail every text"),
        ("empty-scope", "pass:contains:bench in sentence 4: none of the examples has this part"),
        ("contradicting-rules", "the term 'bench' is in pass and in fail"),
        (
            "bad-argument",
            "fail:keeps:nubers: 'nubers' is nothing that can be kept at position 0; did you mean 'numbers'?",
        ),
    ]
    assert {problem.place for problem in found.values() if problem.item} == {f"{tmp_path}/bad/lex.yaml:4"}


arguments = {
    "term": st.sampled_from(["Haus", "Haus | Hof", "2 of: Haus | Hof | Tor", "Haus (Haus, Häuser)", "a|b"]),
    "keeps": st.sampled_from(["all", "numbers", "tags | urls", "json keys"]),
    "longer": st.sampled_from(["42 characters", "1.6 × source"]),
    "language": st.sampled_from(["other", "en | fr"]),
    "copy": st.just("source"),
    "regex": st.sampled_from(["lock", r"\bx\b"]),
    "contains": st.sampled_from(["lock", " a"]),
}
scopes = st.sampled_from(["", "", "sentence 2", 'after "Dr."'])


@st.composite
def some_rules(draw: st.DrawFn) -> tuple[Rule, ...]:
    found = []
    polarities: tuple[Polarity, ...] = ("pass", "fail")
    for polarity in polarities:
        for kind in draw(st.lists(st.sampled_from(sorted(arguments)), max_size=3)):
            note = draw(st.sampled_from(["", "why"]))
            found.append(Rule(polarity, kind, draw(arguments[kind]), note=note, scope=draw(scopes)))
    return tuple(found)


@st.composite
def shared_suites(draw: st.DrawFn) -> Suite:
    """Suites in which all items may end with the same rules, and some share a source."""
    common = draw(
        st.lists(st.sampled_from([COPY, REFUSAL, Rule("fail", "longer", "9 words")]), unique=True, max_size=2)
    )
    items: list[Item] = []
    for number in range(draw(st.integers(1, 4))):
        own = draw(some_rules())
        every = [*own, *(rule for rule in common if rule not in own)]
        item = Item(f"lex/i{number}", "Ambiguity", "Lexical ambiguity", f"Satz {number}.", langpair="de-en")
        if draw(st.booleans()) and items:
            item = replace(item, source=items[0].source, source_of=items[0].id)
        items.append(replace(item, rules=tuple(sorted(every, key=lambda rule: rule.polarity == "fail"))))
    return a_suite(*items)


@given(shared_suites())
@settings(max_examples=60, deadline=None)
def test_a_suite_with_all_of_this_written_and_read_is_the_same(suite: Suite) -> None:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "copy"
        save_suite(suite, target)
        again = load_suite(target)
        assert again == suite
        assert again.hash == suite.hash
        # Over files that have defaults, with rules of an item changed.
        first = suite.items[0]
        changed = suite.with_items({0: replace(first, rules=first.rules[:-1])})
        write_over(changed, read_files(target), Path(folder) / "over")
        assert load_suite(Path(folder) / "over") == changed


def test_the_files_of_a_suite_with_defaults_stay_as_they_are(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "a", {"lex.yaml": GARDEN, "neg.yaml": FILE_WIDE}, DEFAULTS)
    files = read_files(folder)
    suite = load_suite(folder)
    write_over(suite, files, tmp_path / "same")
    assert read_files(tmp_path / "same") == files
    kiefer = suite.positions["lex/kiefer"]
    without = suite.with_items({kiefer: replace(suite.items[kiefer], rules=suite.items[kiefer].rules[:2])})
    write_over(without, files, tmp_path / "changed")
    text = (tmp_path / "changed" / "lex.yaml").read_text("utf-8")
    assert text == GARDEN.replace("    fail: [pine]\n", "    fail: [pine]\n    defaults: none\n", 1)


def test_what_dfkis_format_cannot_hold(tmp_path: Path) -> None:
    suite = load_suite(suite_folder(tmp_path / "a", {"lex.yaml": SHARED}, DEFAULTS))
    save_suite(suite, tmp_path / "items.json", lossy=True)
    told = losses(suite, tmp_path / "items.json")
    assert {"3 × copy rules (left out)", "3 × refusal rules (left out)"} < set(told)
    assert {"1 × sources of other items", "3 × rules for a part of the text (left out)"} < set(told)
