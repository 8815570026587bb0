"""Lines become trees: with a real UDPipe model of six sentences, from files, and by plugins."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.contrasts.parsers.base import PARSERS, Parser, load_model, load_parser
from assay.contrasts.parsers.natasha import mend
from assay.contrasts.parsers.udpipe import cut
from assay.contrasts.trees import Token, Tree, joined
from assay.errors import BadFile, BadOption, MissingExtra, UnknownName
from assay.languages import MODEL_NAMES, fits, language_of
from assay.plugins import Plugins
from tests.contrasts.building import tree
from tests.contrasts.tiny_model import conllu, train


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(tmp_path_factory.mktemp("models") / "czech-tiny.udpipe")


@pytest.fixture(scope="module")
def czech(model: Path) -> Parser:
    return load_parser(f"udpipe:{model}", language="cs")


# UDPipe


def test_a_multiword_token_is_one_surface_token(czech: Parser) -> None:
    (found,) = czech.parse(["Chce, abych přišel domů."])
    assert [token.form for token in found.tokens] == ["Chce", ",", "a", "bych", "přišel", "domů", "."]
    assert found.surface_forms == ("Chce", ",", "abych", "přišel", "domů", ".")
    assert found.surface == (0, 1, 2, 2, 3, 4, 5)
    assert found.text == "Chce, abych přišel domů."


def test_words_have_the_columns_of_conllu(czech: Parser) -> None:
    (found,) = czech.parse(["Chce jít domů."])
    assert found.tokens[:2] == (
        Token("Chce", "chce", "VERB", "V", {"VerbForm": "Fin"}, -1, "root"),
        Token("jít", "jít", "VERB", "V", {"VerbForm": "Inf"}, 0, "xcomp"),
    )


def test_a_line_of_two_sentences_has_two_roots(czech: Parser) -> None:
    (found,) = czech.parse(["Přišla domů. Chce jít domů."])
    assert [token.head for token in found.tokens] == [-1, 0, 0, -1, 3, 4, 3]
    assert found.surface == tuple(range(7))


def test_letters_beyond_16_bits_do_not_shift_sentences(czech: Parser) -> None:
    (found,) = czech.parse(["🙂🙂 Přišla domů. 🙂 chce jít domů."])
    assert "".join(found.surface_forms) == "🙂🙂Přišladomů.🙂chcejítdomů."
    assert sum(token.head < 0 for token in found.tokens) == 1


@pytest.mark.parametrize(
    ("sentences", "kept"),
    [
        (["Přišla. ", "Odešla."], 2),
        (["„Přišla.“ ", "(Odešla.)"], 2),
        (["彼は来た。", "彼女は去った。"], 2),
        (["od 21. ", "října. ", "Pak ne."], 2),  # the first bound is none
        (["Ms ", "Hopley added:  ", "“No.”"], 1),
        (["č. ", "1"], 1),
        (["snad to stálo. ", "“"], 1),
        (["..."], 1),
        ([], 0),
    ],
)
def test_sentences_end_with_a_mark_and_begin_with_a_capital(sentences: list[str], kept: int) -> None:
    line = "".join(sentences)
    starts = [sum(map(len, sentences[:number])) for number in range(len(sentences))]
    assert len(cut(line, starts)) == kept
    assert "".join(cut(line, starts)) == line


def test_lines_without_words_have_empty_trees(czech: Parser) -> None:
    assert czech.parse(["", " \u00a0"]) == [Tree((), ""), Tree((), " \u00a0")]


def test_there_are_as_many_trees_as_lines_whatever_is_in_them(czech: Parser) -> None:
    lines = ["Chce jít.", "", "?!?", "\u2028x\u2028", "a\tb", "🙂 " * 50, "x" * 5000]
    assert [found.text for found in czech.parse(lines)] == lines


def test_the_signature_has_versions_and_the_content_of_the_model(czech: Parser, model: Path, tmp_path: Path) -> None:
    assert czech.signature.startswith("udpipe|ufal.udpipe:")
    assert "|model:czech-tiny[" in czech.signature
    same = tmp_path / "czech-tiny.udpipe"
    same.write_bytes(model.read_bytes())
    assert load_parser(f"udpipe:{same}").signature == czech.signature


def test_a_model_for_another_language_is_refused_unless_forced(model: Path) -> None:
    with pytest.raises(BadOption, match=r"is for the language cs, but the text is in en; .*--any-language"):
        load_parser(f"udpipe:{model}", language="en")
    assert load_parser(f"udpipe:{model}", language="en", any_language=True).language == "cs"


def test_a_model_without_a_language_in_its_name_is_believed(model: Path, tmp_path: Path) -> None:
    nameless = tmp_path / "mine.udpipe"
    nameless.write_bytes(model.read_bytes())
    assert load_parser(f"udpipe:{nameless}", language="en").language == ""


def test_a_model_that_is_not_there() -> None:
    with pytest.raises(BadFile, match=r"^nowhere.udpipe: there is no such UDPipe model; `assay contrasts models`"):
        load_parser("udpipe:nowhere.udpipe")


@pytest.mark.parametrize("kept", [0, 10, 0.5, 0.99])
def test_a_file_that_is_not_a_model_or_cut_short(model: Path, tmp_path: Path, kept: float) -> None:
    whole = model.read_bytes()
    cut = tmp_path / "cut.udpipe"
    cut.write_bytes(whole[: int(kept * len(whole)) if kept < 1 else int(kept)])
    with pytest.raises(BadFile, match=r"cut.udpipe: not a UDPipe 1 model, or cut short"):
        load_model(load_parser(f"udpipe:{cut}"))


def test_a_model_that_only_tags(tmp_path: Path) -> None:
    tagger = train(tmp_path / "tagger.udpipe", tokenizer=False, parser=False)
    with pytest.raises(BadFile, match="has no tokenizer"):
        load_parser(f"udpipe:{tagger}").parse(["Chce."])


@pytest.mark.parametrize("name", ["udpipe", "spacy", "natasha"])
def test_a_missing_package_names_its_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"assay.contrasts.parsers.{name}.find_spec", lambda module: None)
    option = "" if name == "natasha" else ":model"
    with pytest.raises(MissingExtra, match=rf"the parser {name} needs .*; run: pip install 'assay-mt\[{name}\]'"):
        load_parser(name + option)


# CoNLL-U files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.conllu").write_text(conllu(), encoding="utf-8")
    (tmp_path / "README").write_text("not a tree")
    return tmp_path


def test_trees_of_a_file_are_found_by_their_letters(folder: Path) -> None:
    parser = load_parser(f"conllu:{folder / 'a.conllu'}")
    lines = ["Přišla  domů.", "Chce, abych přišel domů.", ""]
    found = parser.parse(lines)
    assert [part.text for part in found] == lines
    assert [len(part) for part in found] == [3, 7, 0]
    assert found[1].surface_forms[2] == "abych"


def test_a_line_may_be_several_sentences_of_a_file(folder: Path) -> None:
    (found,) = load_parser(f"conllu:{folder}").parse(["Přišla domů. Chce jít domů."])
    assert [token.head for token in found.tokens] == [-1, 0, 0, -1, 3, 4, 3]


def test_a_sentence_that_begins_another_line_too(tmp_path: Path) -> None:
    rows = "\n\n".join(f"1\t{word}\t_\t_\t_\t_\t0\troot\t_\t_" for word in ["Ne", "Ne", "Ano", "Ano"]) + "\n\n"
    (tmp_path / "x.conllu").write_text(rows)
    found = load_parser(f"conllu:{tmp_path}").parse(["Ne", "Ne Ne Ano", "Ne Ano Ano"])
    assert [part.surface_forms for part in found] == [("Ne",), ("Ne", "Ne", "Ano"), ("Ne", "Ano", "Ano")]


def test_a_line_that_is_in_no_file(folder: Path) -> None:
    with pytest.raises(BadFile, match="no tree for the line 'Přišla'; parse the same text"):
        load_parser(f"conllu:{folder}").parse(["Přišla"])


def test_a_folder_without_trees(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"no \.conllu file in this folder"):
        load_parser(f"conllu:{tmp_path}")


def test_a_conllu_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such file"):
        load_parser(f"conllu:{tmp_path / 'x.conllu'}")


def test_nothing_is_computed_for_trees_that_stand_in_a_file(folder: Path) -> None:
    parser = load_parser(f"conllu:{folder}")
    assert not parser.computes
    before = parser.signature
    (folder / "a.conllu").write_text(conllu().replace("ccomp", "advcl"), encoding="utf-8")
    assert load_parser(f"conllu:{folder}").signature != before


def test_trees_of_pud_are_found_again(data: Path) -> None:
    place = data / "pud" / "cs_pud-ud-test.conllu"
    texts = [line[9:] for line in place.read_text(encoding="utf-8").split("\n") if line.startswith("# text = ")]
    found = load_parser(f"conllu:{place}").parse([*texts[::-1], " ".join(texts[10:13])])
    assert [part.text for part in found[:1000]] == texts[::-1]
    assert sum(token.head < 0 for token in found[-1].tokens) == 3


# Names


def test_a_parser_that_nobody_has() -> None:
    with pytest.raises(UnknownName, match="no parser 'udpip'; did you mean udpipe"):
        load_parser("udpip:x")


@pytest.mark.parametrize("spec", ["", ":model", "udpipe", "spacy:", "conllu", "natasha:large"])
def test_a_name_without_what_it_needs(spec: str) -> None:
    with pytest.raises(BadOption):
        load_parser(spec)


def test_every_registered_parser_has_a_factory() -> None:
    assert {"conllu", "natasha", "spacy", "udpipe"} <= set(PARSERS.names)
    assert all(callable(PARSERS.get(name)) for name in PARSERS.names)


STRANGER = """
from assay.contrasts.trees import Token, Tree

class Flat:
    name, signature, language, computes = "flat", "flat|1", "", True

    def parse(self, lines):
        return [Tree(tuple(Token(w, w, "X", "", {}, -1, "root") for w in line.split()), line) for line in lines]

def factory(option):
    return Flat()
"""


def test_a_parser_of_a_strangers_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strange_parser.py").write_text(STRANGER)
    information = tmp_path / "strange_parser-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-parser\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[assay.parsers]\nflat = strange_parser:factory\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("assay.contrasts.parsers.base.PARSERS", Plugins("parser", "assay.parsers"))
    assert load_parser("flat").parse(["a b"])[0].surface_forms == ("a", "b")


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("czech-pdt-ud-2.5-191206.udpipe", "cs"),
        ("czech.udpipe", "cs"),
        ("English_EWT.udpipe", "en"),
        ("old_french-srcmf.udpipe", "fro"),
        ("classical_chinese-kyoto.udpipe", "lzh"),
        ("germanic.udpipe", ""),
        ("model.udpipe", ""),
    ],
)
def test_the_language_that_a_file_name_begins_with(file: str, code: str) -> None:
    assert language_of(file) == code


def test_every_language_is_found_by_its_own_name() -> None:
    assert all(language_of(f"{name}-x.udpipe") == code for name, code in MODEL_NAMES.items())


def test_regions_do_not_make_a_language() -> None:
    assert fits("en", "en-GB")
    assert fits("pt_BR", "PT")
    assert not fits("cs", "csb")


# Sentences after each other


def test_joining_shifts_heads_and_surface_tokens() -> None:
    first = tree("= aby 2\n a aby SCONJ _ 3 mark\n by být AUX _ 3 aux\n šel jít VERB _ 0 root")
    second = tree("Jde jít VERB _ 0 root\n ven ven ADV _ 1 advmod")
    both = joined([first, second, first], "aby šel Jde ven aby šel")
    assert [token.head for token in both.tokens] == [2, 2, -1, -1, 3, 7, 7, -1]
    assert both.surface == (0, 0, 1, 2, 3, 4, 4, 5)
    assert both.surface_forms == ("aby", "šel", "Jde", "ven", "aby", "šel")
    assert joined([], "") == Tree((), "")


# natasha chooses the head of every word alone


def words(*heads: int, verbs: tuple[int, ...] = ()) -> list[Token]:
    return [
        Token("x", "x", "VERB" if place in verbs else "NOUN", "", {}, head, "nmod") for place, head in enumerate(heads)
    ]


def test_a_tree_is_left_as_it_is() -> None:
    assert mend(words(1, -1, 1)) == words(1, -1, 1)


def test_a_cycle_is_hung_on_the_root() -> None:
    mended = mend(words(-1, 2, 1, 2))
    assert [(token.head, token.deprel) for token in mended] == [(-1, "nmod"), (0, "dep"), (1, "nmod"), (2, "nmod")]


def test_a_sentence_without_a_root_gets_the_first_verb_of_a_cycle() -> None:
    mended = mend(words(1, 2, 1, verbs=(2,)))
    assert [(token.head, token.deprel) for token in mended] == [(1, "nmod"), (2, "nmod"), (-1, "root")]


@given(st.integers(1, 8).flatmap(lambda n: st.lists(st.integers(-1, n - 1), min_size=n, max_size=n)))
def test_every_mended_word_hangs_on_a_root(heads: list[int]) -> None:
    mended = mend(words(*heads))
    for place in range(len(mended)):
        for _ in mended:
            place = mended[place].head if place >= 0 else place
        assert place == -1
