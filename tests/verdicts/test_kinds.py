"""What each kind of rule finds, and what it refuses."""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from assay.errors import BadSuite, MissingExtra, UnknownName
from assay.plugins import Plugins
from assay.suites import KINDS, Item, Polarity, Rule, load_suite
from assay.suites.kinds import BadArgument, RuleKind, get_kind, is_kind, kind_names
from assay.text import normalise
from assay.verdicts import RuleJudge, matcher, reason
from assay.verdicts.kinds import keeps, term
from tests.suites.building import suite_folder

ROOT = Path(__file__).parents[2]

UI = Item("ui", "A", "p", "Hello %s, you have <b>1,880</b> coins.", langpair="en-de")
LAW = Item("law", "A", "p", "Si ha deposito o custodia.", langpair="it-de_CH")


def found(kind: str, value: str, text: str, item: Item = LAW, polarity: Polarity = "fail") -> str | None:
    """What a rule matches in a text; empty where it matches without a place, None where it does not."""
    text = normalise(text)
    span = matcher(Rule(polarity, kind, value), item).search(text)
    return text[span[0] : span[1]] if span else None


def test_the_kinds_of_assay_are_plugins_like_any_other() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = project["project"]["entry-points"]["assay.rules"]
    assert set(listed) == set(KINDS)
    for name, place in listed.items():
        module, _, attribute = place.partition(":")
        assert get_kind(name) is getattr(sys.modules[module], attribute)
        assert get_kind(name).name == name


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("Obhut", "Sie steht unter der Obhut des Gerichts.", "Obhut"),
        ("Verfügung", "Gegen diese Verfügungen wurde geklagt.", "Verfügungen"),
        ("unerlaubte Handlung", "Er haftet aus unerlaubten Handlungen.", "unerlaubten Handlungen"),
        ("stiller Gesellschafter", "Der stille Gesellschafter haftet nicht.", "stille Gesellschafter"),
        ("Aufbewahrung", "Ein Aufbewahrungsvertrag liegt vor.", "Aufbewahrungsvertrag"),
        ("Verfahrenshandlung", "Alle Verfahrenshandlungen sind nichtig.", "Verfahrenshandlungen"),
        ("Massnahme", "Die Massnahmen sind zulässig.", "Massnahmen"),  # as they write it in Switzerland
        ("Maßnahme", "Die Massnahmen sind zulässig.", "Massnahmen"),
        ("Gabe", "Die Übergabe ist erfolgt.", None),  # a prefix makes no compound
        ("Bürger", "Der Bürge haftet.", None),
        ("Haft", "Er haftet nicht.", None),
        ("Verwahrung | Obhut", "Sie steht unter Obhut.", "Obhut"),
        ("2 of: Kläger | Beklagter | Gericht", "Der Kläger ging.", None),
        ("2 of: Kläger | Beklagter | Gericht", "Das Gericht hörte den Kläger.", "Gericht"),
        ("Haus (Haus, Hauses)", "Die Häuser brannten.", None),
        ("Haus (Haus, Hauses)", "Des Hauses Dach.", "Hauses"),
    ],
)
def test_a_term_in_any_form(value: str, text: str, expected: str | None) -> None:
    assert found("term", value, text, polarity="pass") == expected


def test_a_term_is_found_in_texts_that_were_read_before_it_was_known() -> None:
    item = replace(LAW, langpair="it-nl")
    assert found("term", "fiets", "Een auto en twee (fietsen), morgen.", item) == "fietsen"
    assert found("term", "auto", "Een auto en twee (fietsen), morgen.", item) == "auto"
    assert found("term", "auto", "Rode_auto's!", item) is not None


def test_a_full_table_of_words_finds_terms_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    item = replace(LAW, langpair="it-sv")
    assert found("term", "bil", "Två bilar.", item) == "bilar"
    monkeypatch.setattr(term, "MOST_PIECES", 2)
    words = len(term.lemma_table("sv"))
    assert found("term", "bil", "Fem nya bilars hjul stod där.", item) == "bilars"
    assert found("term", "bil", "Fem nya hus stod där.", item) is None
    assert found("term", "bil", "Två bilar.", item) == "bilar"
    assert len(term.lemma_table("sv")) <= max(words, 2)


def test_a_longer_term_of_the_item_counts_for_itself_only() -> None:
    rules = Rule("pass", "term", "Heeresführerschein"), Rule("fail", "term", "Führerschein")
    item = replace(LAW, rules=rules)
    judge = RuleJudge([item])
    assert str(judge.judge(item, "Er hat einen Heeresführerschein.").verdict) == "pass"
    assert str(judge.judge(item, "Er hat einen Führerschein.").verdict) == "fail"
    # "Emission" and "Emissionen" are the same in another form, and neither hides the other.
    same = replace(LAW, rules=(Rule("pass", "term", "Emission"), Rule("pass", "term", "Emissionen")))
    assert str(RuleJudge([same]).judge(same, "Die Emissionen sanken.").verdict) == "pass"


@pytest.fixture
def without_simplemma(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in [name for name in sys.modules if name.partition(".")[0] == "simplemma"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "simplemma", None)
    caches = (term.lemma_languages, term.lemma_table, term.term_list)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("without_simplemma")
def test_without_lemmas_listed_forms_still_work_and_nothing_is_judged_half() -> None:
    assert found("term", "Haus (Haus, Hauses)", "Des Hauses Dach.") == "Hauses"
    half = replace(LAW, rules=(Rule("pass", "contains", "Obhut"), Rule("fail", "term", "Verwahrung")))
    with pytest.raises(MissingExtra, match=r"the term 'Verwahrung' without listed forms .*pip install 'assay-mt\[term"):
        RuleJudge([half])


@pytest.mark.parametrize(
    ("value", "text", "why"),
    [
        ("all", "Hallo %s, Sie haben <b>1.880</b> Münzen.", None),
        ("numbers", "Hallo, Sie haben 1 880 Münzen.", None),  # the marks between digits are the language's
        ("numbers", "Hallo, Sie haben 1.800 Münzen.", "missing 1880; added 1800"),
        ("placeholders", "Hallo, Sie haben <b>1.880</b> Münzen.", "missing %s"),
        ("placeholders", "Hallo %s und %d, 5%ige Zinsen, 100% sicher.", "added %d"),
        ("tags | numbers", "Hallo %s, Sie haben 1.880 Münzen.", "missing <b>, </b>"),
        ("quotes", "„Hallo %s“", "added 2 × quotation mark"),
        ("urls | emails", "Siehe https://a.de/x und a@b.de.", "added https://a.de/x, a@b.de"),
    ],
)
def test_what_is_kept(value: str, text: str, why: str | None) -> None:
    rule, text = Rule("fail", "keeps", value), normalise(text)
    assert (matcher(rule, UI).search(text) is None) == (why is None)
    assert reason(rule, text, UI) == (why or "")


def test_placeholders_stand_beside_letters_of_scripts_without_spaces() -> None:
    korean = replace(UI, source="%s을(를) 획득했습니다!", langpair="ko-en")
    assert found("keeps", "placeholders", "You got %s!", korean) is None
    assert found("keeps", "placeholders", "You got it!", korean) == ""
    named = replace(UI, source="Hi {name}, {0} of {{count}} – ${price} in %(days)d days at %1$s")
    assert found("keeps", "placeholders", "{0} {name} {{count}} ${price} %(days)d %1$s", named) is None
    assert found("keeps", "placeholders", "{0} {Name} {{count}} ${price} %(days)d %1$s", named) == "{Name}"


def test_numbers_begin_with_any_decimal_digit() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert re.findall(rf"[{keeps.DIGITS}](?<=\d)", every) == re.findall(r"\d", every)


FRAGMENTS = (
    *("%s", "%1$d", "%name%", "5%", "{}", "{{a b}}", "${x}", "<b>", "<h1>", '<a href="%s">', "[b]", "[x 1](", "12"),
    *("1,880", "1 880", "1234 567", "٣٤", "𝟏", "😀", "Wort", "%", "{", "<", ",", ".", " ", " "),
)


def test_what_is_looked_for_together_is_what_is_looked_for_one_by_one() -> None:
    chance = Random(1)
    different = 0
    for _ in range(3000):
        value = chance.choice(["placeholders | numbers", "numbers | tags | placeholders | emails", "tags"])
        parts = [keeps.PARTS[name] for name in value.split(" | ")]
        source, other = ("x" + "".join(chance.choices(FRAGMENTS, k=6)) for _ in range(2))
        text = normalise(chance.choice([source, other, source.replace(chance.choice(FRAGMENTS), " ")]))
        there, found = (
            [Counter(part.names(part.written(each))) for part in parts] for each in (normalise(source), text)
        )
        kept = matcher(Rule("fail", "keeps", value), replace(UI, source=source))
        assert (kept.search(text) is None) == (there == found), (source, text)
        different += there != found
    assert 500 < different < 2500


def test_keys_of_json_stay() -> None:
    source = replace(UI, source='{"title": "Hello", "items": [{"name": "Key"}]}')
    assert found("keeps", "json keys", '{"title": "Hallo", "items": [{"name": "Schlüssel"}]}', source) is None
    assert found("keeps", "json keys", '{"Titel": "Hallo", "items": [{"name": "Schlüssel"}]}', source) == '"Titel"'


@pytest.mark.parametrize(
    ("kind", "value", "text", "why"),
    [
        ("longer", "10 characters", "0123456789", None),
        ("longer", "10 characters", "01234567890", "11 characters, more than 10"),
        ("longer", "2 words", "one two three", "3 words, more than 2"),
        ("longer", "0.5 × source", "Si ha deposit", None),  # 13 of 26 characters
        ("longer", "0.5 x source", "Si ha deposito", "14 characters, more than 13"),
        ("shorter", "3 words", "one two", "2 words, fewer than 3"),
        ("shorter", "3 words", "one two three", None),
    ],
)
def test_lengths(kind: str, value: str, text: str, why: str | None) -> None:
    assert (found(kind, value, text) is None) == (why is None)
    if why:
        assert reason(Rule("fail", kind, value), text, LAW) == why


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("other", "Die Übergabe der Sache an den Verwahrer ist heute Morgen erfolgt.", False),
        ("other", "La cosa è stata consegnata al depositario questa mattina in città.", True),
        ("other", "Вещь сегодня утром передана на хранение.", True),  # by its script
        ("en", "The thing was handed over to the keeper this morning.", True),
        ("en | fr", "Die Übergabe der Sache an den Verwahrer ist heute Morgen erfolgt.", False),
        ("other", "Ok.", False),  # too short to tell
    ],
)
def test_languages(value: str, text: str, expected: bool) -> None:
    assert (found("language", value, text) is not None) == expected


def test_copies_and_answers_in_place_of_a_translation() -> None:
    source = replace(
        LAW, source="Der Schlüssel steckt noch im Schloss.", prompt="Translate this sentence of a contract."
    )
    assert found("copy", "source", "der Schlüssel steckt noch im Schloss", source)
    assert found("copy", "source", "The key is still in the lock.", source) is None
    for text, why in {
        "I'm sorry, but I can't help with that.": "an answer that declines",
        "Here is the translation: The key is still in the lock.": "an introduction before the translation",
        "Translate this sentence of a contract. The key": "the prompt, repeated",
        "The key is still in the lock.": "",
    }.items():
        assert reason(Rule("fail", "refusal", "any"), text, source) == why


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Rule("pass", "keeps", "numbers"), "a keeps rule says what is wrong with a text; write it under fail:"),
        (
            Rule("fail", "keeps", "nubers"),
            "'nubers' is nothing that can be kept at position 0; did you mean 'numbers'?",
        ),
        (Rule("fail", "longer", "42"), "'42' is no length; write 42 characters, 12 words, or 1.6 × source"),
        (Rule("fail", "longer", "0 words"), "a length of 0 cannot be"),
        (Rule("fail", "term", "Haus | "), "'' is no term"),
        (Rule("fail", "term", "3 of: Haus | Hof"), "3 of 2 terms cannot be; write 1 to 2"),
        (Rule("fail", "language", "xq"), "xq"),
        (Rule("pass", "language", "other"), "another language than the target's is never right; name the language"),
        (Rule("fail", "copy", "target"), "copy has no argument 'target'; write copy: source"),
        (Rule("fail", "exact", "Haus", scope="sentence 1"), "an exact rule is about the whole text"),
        (Rule("fail", "contains", "Haus", scope="line 3"), "in: 'line 3' is no part of a text; write sentence 2"),
    ],
)
def test_what_cannot_be_used_is_said_with_item_and_cure(rule: Rule, message: str) -> None:
    item = replace(LAW, rules=(rule,), place="legal.yaml:7")
    with pytest.raises(BadSuite) as error:
        RuleJudge([item])
    assert str(error.value).startswith(f"legal.yaml:7: item 'law': the {rule.polarity} rule ")
    assert message in str(error.value)


def test_a_language_without_lemmas() -> None:
    with pytest.raises(BadArgument, match="there are no lemmas of Japanese") as error:
        found("term", "保管", "保管する", replace(LAW, langpair="en-ja"))
    assert error.value.cure == "list the forms: 保管 (保管, …)"
    assert found("term", "保管 (保管)", "それを保管する。", replace(LAW, langpair="en-ja")) == "保管"


STRANGER = """
from assay.suites.kinds import BadArgument, RuleKind

class Shouted:
    is_quick = True

    def __init__(self, value):
        self.value = value

    def search(self, text, limit=None):
        start = text.find(self.value.upper())
        return (start, start + len(self.value)) if start >= 0 else None

    def reason(self, text):
        return "in capitals"

class Shout(RuleKind):
    name = "shout"
    hint = "a word"

    def compile(self, rule, item):
        if " " in rule.value:
            raise BadArgument("one word only", cure="write two rules")
        return Shouted(rule.value)

    def describe(self, value):
        return f"{value}, shouted"

SHOUT = Shout()
"""


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that brings a kind of rule, as pip would install it."""
    (tmp_path / "shouted_rules.py").write_text(STRANGER)
    information = tmp_path / "shouted_rules-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: shouted-rules\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[assay.rules]\nshout = shouted_rules:SHOUT\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = Plugins[RuleKind]("kind of rule", "assay.rules")
    monkeypatch.setattr("assay.suites.kinds._plugins", lambda: found)
    monkeypatch.setattr("assay.suites.kinds._known", {})


SHOUTS = """\
category: Negation
phenomenon: Negation
items:
  - id: halt
    source: Halt!
    pass: [{shout: stop}]
"""


@pytest.mark.usefixtures("stranger")
def test_a_kind_of_a_strangers_package(tmp_path: Path) -> None:
    assert kind_names() == [*KINDS, "shout"]
    suite = load_suite(suite_folder(tmp_path / "suite", {"negation.yaml": SHOUTS}))
    finding = RuleJudge(suite).judge(suite.items[0], "Oh, STOP it!")
    assert (str(finding.verdict), finding.evidence[0].start) == ("pass", 4)
    assert reason(finding.evidence[0].rule, "STOP", suite.items[0]) == "in capitals"
    wrong = suite_folder(tmp_path / "wrong", {"negation.yaml": SHOUTS.replace("stop}", "stop it}")})
    with pytest.raises(BadSuite, match="one word only; write two rules"):
        RuleJudge(load_suite(wrong))


def test_a_kind_that_nobody_has_with_a_near_one(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "suite", {"negation.yaml": SHOUTS.replace("shout:", "shuter:")})
    with pytest.raises(BadSuite, match=r"negation.yaml:6: unknown key 'shuter'; did you mean 'shorter'\?"):
        load_suite(folder)
    assert not is_kind("shout")
    with pytest.raises(UnknownName, match="no kind of rule 'keep'; did you mean keeps"):
        get_kind("keep")
