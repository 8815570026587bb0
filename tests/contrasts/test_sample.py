"""The bundled English–Czech sample: trees and links made by hand, and verdicts written down from reading them."""

import pytest

from assay.contrasts import bundled
from assay.contrasts.expectations import ChosenClass, Translation, lines_needed
from assay.contrasts.files import conllu, pharaoh
from assay.contrasts.files.definitions import read
from assay.contrasts.judge import JudgedContrasts, judge_contrasts
from assay.files import read_lines
from assay.outputs import System
from assay.verdicts import Verdict

FILE = bundled()["en-cs"]
SAMPLE = FILE.parent / "sample"
CONTRASTS = read(FILE)
SYSTEMS = ("reference", "free", "average", "literal")
SOURCES = dict(conllu.read(SAMPLE / "source.conllu"))


def translation(name: str) -> Translation:
    texts = read_lines(SAMPLE / f"{name}.txt")
    trees = dict(conllu.read(SAMPLE / f"{name}.conllu"))
    sizes = {line: (len(SOURCES[line].surface_forms), len(tree.surface_forms)) for line, tree in trees.items()}
    links = pharaoh.read(SAMPLE / f"{name}.links", lines=len(texts), sizes=sizes)
    return Translation(System(name), texts, trees, links)


TRANSLATIONS = [translation(name) for name in SYSTEMS]


def outcomes(judged: JudgedContrasts) -> dict[tuple[str, str], tuple[str, str, str]]:
    """(item, system) -> contrast, verdict, and the class or the reason why it is unknown."""
    found = {}
    for item, codes in zip(judged.suite, judged.outputs.codes, strict=True):
        for name, code in zip(SYSTEMS, codes, strict=True):
            finding = judged.findings[code]
            assert finding is not None
            seen = finding.evidence[0].rule.value if finding.evidence else finding.reason
            found[item.id, name] = (item.phenomenon, finding.verdict.name.lower(), seen)
    return found


def test_the_judge_gives_the_verdicts_that_were_written_down() -> None:
    rows = [line.split("\t") for line in read_lines(SAMPLE / "verdicts.tsv")[1:]]
    expected = {(item, system): (contrast, verdict, seen) for item, _, contrast, system, verdict, seen in rows}
    for item, keyword, *_ in rows:
        line, word = (int(number) - 1 for number in item.split(":"))
        assert SOURCES[line].tokens[word].form == keyword
    assert outcomes(judge_contrasts(CONTRASTS, SOURCES, TRANSLATIONS)) == expected


def test_by_the_reference_an_instance_without_a_source_rule_is_judged_too() -> None:
    by_reference = ChosenClass(CONTRASTS, TRANSLATIONS[0])
    found = outcomes(judge_contrasts(CONTRASTS, SOURCES, TRANSLATIONS, expectation=by_reference))
    # "He went out without closing the door." "Odešel, aniž zavřel dveře.", "Šel ven bez zavírání dveří."
    assert found["26:5", "reference"] == ("gerund-finite", "pass", "finite")
    assert found["26:5", "literal"] == ("gerund-finite", "fail", "nominal")
    # "Thank you for coming." "Děkuji, že jste přišli.": the source rule has a noun or an infinitive
    assert found["8:4", "reference"] == ("gerund-finite", "pass", "finite")
    # "They are expected to arrive." "Čekáme je.": a reference that leaves it out decides nothing
    assert ("22:5", "free") not in found
    assert {verdict for (_, name), (_, verdict, _) in found.items() if name == "reference"} == {"pass"}


def test_all_contrasts_verdicts_and_reasons_occur_and_some_sentences_have_no_instance() -> None:
    judged = judge_contrasts(CONTRASTS, SOURCES, TRANSLATIONS)
    found = outcomes(judged).values()
    assert {contrast for contrast, _, _ in found} == set(CONTRASTS.contrasts)
    assert {verdict for _, verdict, _ in found} == {
        verdict.name.lower() for verdict in (Verdict.PASS, Verdict.FAIL, Verdict.WARNING)
    }
    assert {seen for _, verdict, seen in found if verdict == "warning"} == {"no_link", "function_word", "no_class"}
    assert sorted(set(SOURCES) - set(lines_needed(CONTRASTS, SOURCES))) == [23, 24, 29]


@pytest.mark.parametrize("name", ["source", *SYSTEMS])
def test_the_trees_are_those_of_the_texts(name: str) -> None:
    texts = read_lines(SAMPLE / f"{name}.txt")
    trees = dict(conllu.read(SAMPLE / f"{name}.conllu"))
    assert [tree.text for tree in trees.values()] == texts
    for tree in trees.values():
        assert "".join(tree.surface_forms) == "".join(tree.text.split())


RELATIONS = frozenset(
    {"acl", "advcl", "advmod", "amod", "aux", "case", "cc", "ccomp", "compound", "conj", "cop", "csubj", "dep", "det"}
    | {"expl", "mark", "nmod", "nsubj", "obj", "obl", "punct", "root", "xcomp"}
)
LEAVES = frozenset({"aux", "case", "cc", "cop", "mark", "punct"})


@pytest.mark.parametrize("name", ["source", *SYSTEMS])
def test_the_trees_keep_to_universal_dependencies(name: str) -> None:
    for tree in dict(conllu.read(SAMPLE / f"{name}.conllu")).values():
        assert [token.deprel for token in tree.tokens].count("root") == 1
        for place, token in enumerate(tree.tokens):
            relation = token.deprel.partition(":")[0]
            assert relation in RELATIONS
            assert (token.upos == "PUNCT") == (relation == "punct")
            assert relation not in ("aux", "cop") or token.upos == "AUX"
            assert relation != "case" or token.upos == "ADP"
            assert relation not in LEAVES or not tree.children[place]


def test_multiword_tokens_are_one_place_for_links() -> None:
    asked = dict(conllu.read(SAMPLE / "reference.conllu"))[14]
    assert [token.form for token in asked.tokens][3:6] == ["aby", "by", "počkal"]
    assert asked.surface_forms == ("Požádala", "ho", ",", "aby", "počkal", ".")


def test_the_licence_is_said() -> None:
    assert "CC-BY-4.0" in "".join(read_lines(SAMPLE / "README.md"))
