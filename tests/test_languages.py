"""Codes are kept as they were written and compared by what they mean, from the suite to the page."""

import json
import re
from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.languages import (
    NAMES,
    VARIANTS,
    BadLanguage,
    LanguageCode,
    base_language,
    bcp47,
    check_code,
    direction,
    engine_code,
    fits,
    is_language,
    language_name,
    pair_in,
    pair_name,
    pairs_fit,
    prompt_name,
    read_pair,
    split_pair,
)
from tests.conftest import Refused, Run

# Codes

LANGUAGES = ("de", "deu", "ger", "en", "eng", "zh", "zho", "cmn", "sr", "srp", "ar", "arz", "nb", "no", "hsb", "mas")
SCRIPTS = ("", "Latn", "Cyrl", "Hans", "Hant", "Arab")
REGIONS = ("", "DE", "AT", "CH", "TW", "CN", "RS", "419")


@st.composite
def codes(draw: st.DrawFn) -> str:
    parts = [draw(st.sampled_from(known)) for known in (LANGUAGES, SCRIPTS, REGIONS)]
    return draw(st.sampled_from("-_")).join(filter(None, parts))


@given(codes(), codes())
def test_a_pair_is_read_as_it_was_written(source: str, target: str) -> None:
    assert read_pair(f"{source}-{target}") == split_pair(f"{source}-{target}") == (source, target)


@given(codes())
def test_a_code_fits_itself_however_it_is_written(code: str) -> None:
    assert fits(code, code)
    assert fits(code, code.replace("_", "-").lower())
    assert fits(code, bcp47(code))
    assert LanguageCode.of(bcp47(code)).language == LanguageCode.of(code).language


@given(codes(), codes())
def test_fitting_works_both_ways(one: str, other: str) -> None:
    assert fits(one, other) == fits(other, one)
    assert pairs_fit(f"en-{one}", f"eng_Latn-{other}") == fits(one, other)


@given(st.text(max_size=20), st.text(max_size=20))
def test_whatever_stands_in_a_file_can_be_compared_and_named(one: str, other: str) -> None:
    assert fits(one, one)
    assert fits(one, other) == fits(other, one)
    assert isinstance(language_name(one) + prompt_name(one) + bcp47(one) + direction(one) + pair_in(one), str)
    source, target = split_pair(one)
    assert f"{source}-{target}" == one or (source, target) == (one, "")


@pytest.mark.parametrize(
    "group",
    [
        ("de", "deu", "ger", "deu_Latn", "de_DE", "de-DE", "DE"),
        ("zh", "zho_Hans", "zh-CN", "zh_Hans", "cmn_Hans"),
        ("zh", "zho_Hant", "zh-Hant"),
        ("zho_Hant", "zh_TW"),
        ("zho_Hant", "zh_HK"),
        ("sr", "sr_Latn_RS", "srp_Latn", "sr_RS"),
        ("ko", "kor_Hang", "ko_KR", "ko-Kore"),
        ("cs", "ces", "cze", "cs_CZ"),
        ("no", "nb", "nob_Latn"),
        ("he", "iw", "heb_Hebr"),
        ("fa", "pes_Arab", "per"),
        ("arz", "arz_Arab", "arz_EG"),
    ],
)
def test_codes_that_mean_the_same(group: tuple[str, ...]) -> None:
    assert [pair for pair in combinations(group, 2) if not fits(*pair)] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("de_AT", "de_CH"),
        ("zho_Hans", "zho_Hant"),
        ("zho_Hans", "zh_TW"),
        ("zh-CN", "zh-HK"),
        ("sr_Latn", "sr_Cyrl_RS"),
        ("de", "nds"),
        ("cs", "csb"),
        ("ar", "arz"),
        ("zh", "yue"),
        ("nb", "nn"),
        ("pt_BR", "pt_PT"),
        ("", "de"),
    ],
)
def test_codes_that_contradict(one: str, other: str) -> None:
    assert not fits(one, other)


@pytest.mark.parametrize(
    ("code", "name", "tag", "way"),
    [
        ("de", "German", "de", "ltr"),
        ("de_CH", "German (Switzerland)", "de-CH", "ltr"),
        ("deu_Latn", "German", "de", "ltr"),
        ("sr_Latn_RS", "Serbian (Latin, Serbia)", "sr-Latn-RS", "ltr"),
        ("zho_Hans", "Simplified Chinese", "zh-Hans", "ltr"),
        ("pt_BR", "Brazilian Portuguese", "pt-BR", "ltr"),
        ("es_419", "Spanish (Latin America)", "es-419", "ltr"),
        ("ko_KR", "Korean (South Korea)", "ko-KR", "ltr"),
        ("arz", "Egyptian Arabic", "arz", "rtl"),
        ("ary_Arab", "Moroccan Arabic", "ary", "rtl"),
        ("ar_EG", "Arabic (Egypt)", "ar-EG", "rtl"),
        ("az_Arab", "Azerbaijani (Arabic)", "az-Arab", "rtl"),
        ("pa", "Punjabi", "pa", "ltr"),
        ("pa_PK", "Punjabi (Pakistan)", "pa-PK", "rtl"),
        ("sd", "Sindhi", "sd", "rtl"),
        ("sd_Deva", "Sindhi (Devanagari)", "sd-Deva", "ltr"),
        ("he", "Hebrew", "he", "rtl"),
        ("gd", "Scottish Gaelic", "gd", "ltr"),
        ("qaa", "qaa", "qaa", "ltr"),
        ("nonesuch", "nonesuch", "nonesuch", "ltr"),
        ("", "", "", "ltr"),
    ],
)
def test_names_for_people_tags_for_pages_and_directions(code: str, name: str, tag: str, way: str) -> None:
    assert (language_name(code), bcp47(code), direction(code)) == (name, tag, way)


def test_a_language_without_its_region_and_script() -> None:
    assert [base_language(code) for code in ("de_CH", "deu_Latn", "cmn_Hans", "zh-TW", "arz")] == [
        *("de", "de", "zh", "zh", "arz")
    ]


@pytest.mark.parametrize("code", ["ar", "fa", "he", "ur", "ps", "sd", "yi", "ug", "dv", "ckb"])
def test_languages_that_are_written_from_the_right(code: str) -> None:
    assert direction(code) == "rtl"


@pytest.mark.parametrize(
    ("code", "name"),
    [(code, name) for known in (NAMES, VARIANTS) for code, name in known.items()]
    # These have names for people, but had none when the first prompts were written.
    + [("gd", "gd"), ("tlh", "tlh"), ("arz", "arz"), ("deu", "deu"), ("de-CH", "German (CH)"), ("tlh-XX", "tlh-XX")],
)
def test_prompts_are_those_that_journals_have_answers_to(code: str, name: str) -> None:
    assert prompt_name(code) == name


@pytest.mark.parametrize(
    ("code", "name"),
    [("de_CH", "German (Switzerland)"), ("zho_Hans", "Simplified Chinese"), ("arz_Arab", "Egyptian Arabic")],
)
def test_prompts_of_codes_that_are_new_have_the_names_for_people(code: str, name: str) -> None:
    assert prompt_name(code) == name


@pytest.mark.parametrize(
    ("code", "sent"),
    [
        *(("deu_Latn", "de"), ("de_CH", "de"), ("pt_BR", "PB"), ("por_Latn", "pt"), ("sr_Latn_RS", "SL")),
        *(("sr_RS", "SC"), ("zho_Hans", "Z1"), ("cmn_Hant", "Z2"), ("zh_TW", "Z2"), ("zh_HK", "Z2"), ("zh", "Z1")),
        *(("es_419", "E4"), ("nb", "nb"), ("fil", "fil"), ("arb_Arab", "ar"), ("kmr", "kmr"), ("hsb", "hsb")),
    ],
)
def test_engines_get_their_own_codes(code: str, sent: str) -> None:
    codes = {"pt-br": "PB", "sr": "SC", "sr-latn": "SL", "zh": "Z1", "zh-hans": "Z1", "zh-hant": "Z2", "es-419": "E4"}
    assert engine_code(code, codes) == sent


# Pairs


@pytest.mark.parametrize(
    ("pair", "name"),
    [
        ("it-de_CH", "Italian to German (Switzerland)"),
        ("eng_Latn-zho_Hans", "English to Simplified Chinese"),
        ("en-sr_Latn_RS", "English to Serbian (Latin, Serbia)"),
        ("de-CH-en", "German (Switzerland) to English"),
        ("en-pt-BR", "English to Brazilian Portuguese"),
        ("en-pt_br", "English to Brazilian Portuguese"),
        ("en-arz", "English to Egyptian Arabic"),
        ("qaa-en", "qaa to English"),
    ],
)
def test_pairs_as_the_field_writes_them(pair: str, name: str) -> None:
    assert "-".join(read_pair(pair)) == pair
    assert pair_name(pair) == name


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("en-pt-br", "'en-pt-br' can be read in several ways; within a code write _, like this: en-pt_BR"),
        ("de-CH", "'de-CH' is one language, German (Switzerland); a pair has two, like this: de_CH-en"),
        ("EN-FR", "'EN-FR' is not a language pair; write it like this: en-fr"),
        ("de_en", "'de_en' is not a language pair; write it like this: de-en"),
        ("en>fr", "'en>fr' is not a language pair; write it like this: en-fr"),
        ("enfr", "'enfr' is not a language pair; write it like this: en-fr"),
        ("english-french", "'english-french' is not a language pair; write it like this: en-fr"),
        ("deutsch", "'deutsch' is not a language pair; write it like this: de-en"),
        ("", "'' is not a language pair; write it like this: de-en"),
        ("cz-en", "no language has the code 'cz'; did you mean cs (Czech)?"),
        ("en-jap", "no language has the code 'jap'; did you mean ja (Japanese), jv (Javanese)?"),
        ("en-en_UK", "'en_UK': no region has the code 'UK'; did you mean GB (United Kingdom)?"),
        ("en-sr_Latm", "'sr_Latm': no script has the code 'Latm'; did you mean "),
        ("eng-deu_Latin", "'deu_Latin' is not a language code; write Latn for Latin"),
        ("it-de_Switzerland", "'de_Switzerland' is not a language code; write CH for Switzerland"),
        ("it-de_Bavaria", "'de_Bavaria' is not a language code; write it like this: de, de_CH, zho_Hans, sr_Latn_RS"),
    ],
)
def test_what_is_no_pair_is_told_with_the_cure(pair: str, message: str) -> None:
    with pytest.raises(BadLanguage, match=re.escape(message)) as told:
        read_pair(pair)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("code", ["xx", "de_XX", "de_Xxxx", "", "-", "de_", "deutsch", "de_CH_AT"])
def test_codes_that_nobody_knows(code: str) -> None:
    assert not is_language(code)
    with pytest.raises(BadLanguage):
        check_code(code)


@pytest.mark.parametrize(
    ("file", "pair"),
    [
        ("sample.de-en.tsv", "de-en"),
        ("suite_en-de_CH.csv", "en-de_CH"),
        ("wmt-eng_Latn-zho_Hans.tsv", "eng_Latn-zho_Hans"),
        ("en-pt-BR.csv", "en-pt-BR"),
        ("de-en-DFKI.tsv", "de-en"),
        ("garden.en-arz.v2.tsv", "en-arz"),
        ("en-de_v2.csv", "en-de"),
        ("dev-set.csv", ""),
        ("made-up.csv", ""),
        ("plain.csv", ""),
    ],
)
def test_the_pair_in_the_name_of_a_file(file: str, pair: str) -> None:
    assert pair_in(file) == pair


def test_the_usual_codes_need_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every command opens a suite; only few need the names of eight thousand languages.
    monkeypatch.setattr("assay.languages._table", partial(pytest.fail, "the table was read"))
    assert read_pair("de-en") == ("de", "en")
    assert pair_name("en-ru") == "English to Russian"
    assert [bcp47(code) for code in ("en", "cs")] == ["en", "cs"]


# From the suite to the page


def suite_in(folder: Path, langpair: str) -> Path:
    """A suite of one item, and the output of one system for it."""
    suite = folder / "strada"
    (suite / "words").mkdir(parents=True)
    (suite / "suite.yaml").write_text(
        f"name: strada\nlangpair: {langpair}\nlicence: CC0\ncategories:\n  Words:\n    Street: a street\n", "utf-8"
    )
    (suite / "words" / "street.yaml").write_text(
        "category: Words\nphenomenon: Street\nitems:\n"
        "  - id: strada\n    source: La strada è lunga.\n    pass: ['Strasse']\n    fail: ['Straße']\n",
        "utf-8",
    )
    (folder / "mine.txt").write_text("Die Strasse ist lang.\n", "utf-8")
    return suite


@pytest.mark.parametrize(
    ("langpair", "names", "tags"),
    [
        ("it-de_CH", "Italian–German (Switzerland)", ["it", "de-CH"]),
        ("eng_Latn-zho_Hans", "English–Simplified Chinese", ["en", "zh-Hans"]),
        ("en-sr_Latn_RS", "English–Serbian (Latin, Serbia)", ["en", "sr-Latn-RS"]),
        ("de-CH-en", "German (Switzerland)–English", ["de-CH", "en"]),
    ],
)
def test_a_suite_is_read_evaluated_written_and_converted(
    langpair: str, names: str, tags: list[str], assay: Run, tmp_path: Path
) -> None:
    suite_in(tmp_path, langpair)
    assay("lint", "strada")
    found = json.loads(assay("evaluate", "strada", "mine.txt", "--format", "json").stdout)
    assert (found["suite"]["langpair"], found["systems"][0]["pass"]) == (langpair, 1)
    assert names.replace("–", r"\textendash{}") in assay("evaluate", "strada", "mine.txt", "--format", "latex").stdout
    page = assay("evaluate", "strada", "mine.txt", "--format", "html").stdout
    assert f'"languages":{json.dumps(tags, separators=(",", ":"))}' in page
    # Organisers get the codes as they stand in the suite.
    source, target = split_pair(langpair)
    assay("suite", "sources", "strada", "-o", "sources.jsonl")
    sent = json.loads((tmp_path / "sources.jsonl").read_text("utf-8"))
    assert (sent["src_lang"], sent["tgt_lang"]) == (source, target)
    for file in ("strada.json", "strada.tsv"):
        assay("suite", "convert", "strada", "-o", file, "--lossy")
        assay("suite", "convert", file, "-o", "again", "--force")
        assert f"langpair: {langpair}\n" in (tmp_path / "again" / "suite.yaml").read_text("utf-8")


def test_a_new_suite_has_the_pair_as_it_was_written(assay: Run, tmp_path: Path) -> None:
    assay("suite", "new", "it-de_CH", "swiss")
    assert "langpair: it-de_CH  # Italian to German (Switzerland)" in (tmp_path / "swiss/suite.yaml").read_text("utf-8")
    assert "dreissig" in (tmp_path / "swiss/names-numbers/number-word.yaml").read_text("utf-8")
    assay("lint", "swiss")
    assay("suite", "new", "deu_Latn-eng_Latn", "known")
    assert "From the bundled suite assay-de-en" in "".join(
        file.read_text("utf-8") for file in (tmp_path / "known").rglob("*.yaml")
    )


@pytest.mark.parametrize("langpair", ["it-de_CH", "eng_Latn-zho_Hans"])
def test_the_workbench_takes_it_in_and_gives_it_back(langpair: str, assay: Run, tmp_path: Path) -> None:
    suite = suite_in(tmp_path, langpair)
    assay("init", "--db", "assay.db")
    assay("import", "--db", "assay.db", "strada", "mine.txt")
    assay("export", "--db", "assay.db", "-o", "out")
    assert (tmp_path / "out/suite/suite.yaml").read_bytes() == (suite / "suite.yaml").read_bytes()


def test_an_unknown_code_names_file_line_and_cure(refused: Refused, tmp_path: Path) -> None:
    suite = suite_in(tmp_path, "it-gr")
    problem = "no language has the code 'gr'; did you mean el (Greek)?"
    assert refused("lint", "strada") == f"{suite.relative_to(tmp_path)}/suite.yaml:2: {problem}"
    assert refused("suite", "new", "it-gr", "new") == problem
    assert refused("suite", "new", "de-deu", "new").startswith("de-deu: both languages are the same")
