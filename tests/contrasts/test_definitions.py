"""Contrasts in YAML: what is read, and what is refused with its place."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

import assay
from assay.contrasts import bundled
from assay.contrasts.files.definitions import read, read_construction
from assay.contrasts.records import ATTRIBUTES, OPERATORS, Condition, Node
from assay.errors import BadFile

GOOD = """\
name: small
langpair: en-cs
version: 1.10
source:
  gerund:
    description: An -ing form.
    any:
      - - {RIGHT_ID: kw, RIGHT_ATTRS: {TAG: VBG, LOWER: {NOT_IN: [on, no]}}}
        - {LEFT_ID: kw, REL_OP: "<", RIGHT_ID: gov, RIGHT_ATTRS: {}}
    none:
      - - {RIGHT_ID: kw}
        - LEFT_ID: kw
          REL_OP: ">"
          RIGHT_ID: be
          RIGHT_ATTRS:
            LEMMA: be
  noun:
    keyword: n
    any:
      - - {RIGHT_ID: n, RIGHT_ATTRS: {POS: NOUN}}
target:
  - name: fin
    any:
      - - {RIGHT_ID: a, RIGHT_ATTRS: {MORPH: {IS_SUPERSET: [VerbForm=Fin, "Gender=Fem,Neut"]}}}
  - name: modal
    as: fin
    bridge: true
    any:
      - - {RIGHT_ID: a, RIGHT_ATTRS: {MORPH: VerbForm=Inf|Voice=Act, LENGTH: {">=": 3}}}
  - name: noun
    any:
      - - {RIGHT_ID: a, RIGHT_ATTRS: {ORTH: {REGEX: "^.+í$"}}}
  - name: other
    any:
      - - {RIGHT_ID: a}
contrasts:
  gerund-finite:
    source: gerund
    good: [fin]
    tests: A clause.
    category: Gerund
    any:
      - - {RIGHT_ID: kw, RIGHT_ATTRS: {DEP: advcl}}
  noun-noun:
    source: noun
    good: [noun]
    bad: [fin]
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "some.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_becomes_records(tmp_path: Path) -> None:
    found = read(written(tmp_path, GOOD))
    assert (found.name, found.langpair, found.version) == ("small", "en-cs", "1.10")
    assert read(written(tmp_path, GOOD.replace("en-cs", "eng_Latn-cs_CZ"))).langpair == "eng_Latn-cs_CZ"
    gerund = found.constructions["gerund"]
    assert gerund.one_of == (
        (
            Node("kw", (Condition("TAG", "==", ("VBG",)), Condition("LOWER", "NOT_IN", ("on", "no")))),
            Node("gov", (), "kw", "<"),
        ),
    )
    assert gerund.none_of == ((Node("kw"), Node("be", (Condition("LEMMA", "==", ("be",)),), "kw", ">")),)
    assert (gerund.keyword, found.constructions["noun"].keyword) == ("kw", "n")
    assert gerund.description == "An -ing form."


def test_features_become_pairs_of_one_value(tmp_path: Path) -> None:
    fin, modal, noun, _ = read(written(tmp_path, GOOD)).classes
    assert fin.one_of[0][0].conditions == (
        Condition("MORPH", "IS_SUPERSET", ("VerbForm=Fin", "Gender=Fem", "Gender=Neut")),
    )
    assert modal.one_of[0][0].conditions == (
        Condition("MORPH", "==", ("VerbForm=Inf", "Voice=Act")),
        Condition("LENGTH", ">=", ("3",)),
    )
    assert modal.not_under == ()
    assert (modal.bridge, modal.label, fin.bridge, fin.label) == (True, "fin", False, "fin")
    assert noun.one_of[0][0].conditions == (Condition("TEXT", "REGEX", ("^.+í$",)),)


def test_all_other_classes_are_bad_unless_it_is_said(tmp_path: Path) -> None:
    contrasts = read(written(tmp_path, GOOD)).contrasts
    assert (contrasts["gerund-finite"].good, contrasts["gerund-finite"].bad) == (("fin",), ("noun", "other"))
    assert contrasts["noun-noun"].bad == ("fin",)
    assert (contrasts["gerund-finite"].category, contrasts["noun-noun"].category) == ("Gerund", "noun")


def test_the_hash_is_of_what_decides_only(tmp_path: Path) -> None:
    def hashed(old: str = "", new: str = "") -> str:
        return read(written(tmp_path, GOOD.replace(old, new))).hash

    assert hashed() == hashed("An -ing form.", "A form in -ing.") == hashed("A clause.", "A finite clause.")
    assert hashed() != hashed("VBG", "VBN")
    assert hashed() != hashed("bad: [fin]", "bad: [fin, other]")
    assert hashed() != hashed("bridge: true", "bridge: false")
    assert hashed() != hashed("bridge: true", "bridge: true\n    not_under: [able]")


def test_the_hash_does_not_tell_where_a_file_lies(tmp_path: Path) -> None:
    faults = "faults: {f: {source: gerund, renderings: [noun], most: [fin], share: 0.7, read: read.tsv}}\n"
    hashes = set()
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "read.tsv").write_text("fault\tverdict\n")
        hashes.add(read(written(folder, GOOD + faults)).hash)
    assert len(hashes) == 1


def refusals() -> list[tuple[str, str, int, str]]:
    """(what stands in the file, what is put there, line, what is said)."""
    kw = "{RIGHT_ID: kw, RIGHT_ATTRS: {TAG: VBG, LOWER: {NOT_IN: [on, no]}}}"
    gov = '{LEFT_ID: kw, REL_OP: "<", RIGHT_ID: gov, RIGHT_ATTRS: {}}'
    lemma = "            LEMMA: be"
    return [
        ("langpair: en-cs", "langpair: czech", 2, "'czech' is not a language pair"),
        ("langpair: en-cs", "langpair: en-cz", 2, "no language has the code 'cz'; did you mean cs (Czech)?"),
        ("name: small", "nmae: small", 1, "unknown key 'nmae'; did you mean 'name'?"),
        ("TAG: VBG", "TGA: VBG", 8, "unknown key 'TGA'; did you mean 'TAG'?"),
        (lemma, "            LEMA:\n              IN: [be]", 16, "unknown key 'LEMA'; did you mean 'LEMMA'?"),
        (lemma, "            LEMMA: {NOTIN: [be]}", 16, "unknown key 'NOTIN'; did you mean 'NOT_IN'?"),
        (lemma, "            LEMMA: {IN: be}", 16, "a list (- …) is expected here"),
        (lemma, "            LEMMA: [be]", 16, "a plain text is expected here"),
        (lemma, "            LEMMA: {INTERSECTS: [be]}", 16, "INTERSECTS is for MORPH, not for LEMMA; use IN"),
        (lemma, '            LEMMA: {">=": be}', 16, ">= is for LENGTH, not for LEMMA"),
        (lemma, "            LENGTH: {REGEX: 1}", 16, "LENGTH is a number and has no REGEX"),
        (lemma, "            LENGTH: long", 16, "LENGTH is a number, not 'long'"),
        (lemma, "            MORPH: {IS_SUPERSET: [Fin]}", 16, "'Fin' is not a feature; write it like this: Mood=Cnd"),
        (lemma, "            LEMMA: {REGEX: '(be'}", 16, "the regular expression '(be' does not compile"),
        (
            lemma,
            "            LEMMA: {REGEX: '((a?){999}){999}'}",
            16,
            "the regular expression '((a?){999}){999}' does not",
        ),
        ('REL_OP: "<"', 'REL_OP: "<>"', 9, "unknown operator '<>'"),
        ("LEFT_ID: kw, ", "LEFT_ID: kv, ", 9, "the node 'gov' is not connected: no earlier node is called 'kv'"),
        ('LEFT_ID: kw, REL_OP: "<", ', "", 9, "the node 'gov' is not connected; give it a LEFT_ID and a REL_OP"),
        ("RIGHT_ID: gov", "RIGHT_ID: kw", 9, "the node 'kw' stands twice"),
        (kw, gov, 8, "the first node of a pattern has no LEFT_ID or REL_OP"),
        ("RIGHT_ID: n,", "RIGHT_ID: m,", 20, "the pattern has no node 'n'; its nodes are: m"),
        ("    keyword: n\n", "", 19, "the pattern has no node 'kw'; its nodes are: n"),
        (
            "    keyword: n\n",
            "    subtypes: {some: {}}\n    keyword: n\n",
            18,
            "'any' has no pattern; write at least one",
        ),
        (
            "    keyword: n\n",
            "    subtypes: {other: {}}\n    keyword: n\n",
            18,
            "'other' is the name of what fits no subtype",
        ),
        ("{RIGHT_ID: a}", "{RIGHT_ID: b}", 35, "the pattern has no node 'a'; its nodes are: b"),
        ("good: [noun]", "good: [nuon]", 46, "unknown class 'nuon'; did you mean 'noun'?"),
        ("good: [noun]", "good: [modal]", 46, "unknown class 'modal'; there are: fin, noun, other"),
        ("good: [noun]", "tests: x", 45, "the contrast 'noun-noun' does not say which classes are good"),
        ("bad: [fin]", "bad: [noun]", 47, "the class 'noun' is good and bad"),
        ("source: noun", "source: nuon", 45, "unknown construction 'nuon'; did you mean 'noun'?"),
        ("  - name: other", "  - name: noun", 33, "the class 'noun' stands twice"),
        ("bridge: true", "bridge: perhaps", 27, "'bridge' is true or false, not 'perhaps'"),
        ("bridge: true", "not_under: [able]", 27, "`not_under` is for a class with `bridge: true`"),
    ]


def test_a_pattern_of_very_many_nodes_is_refused(tmp_path: Path) -> None:
    """Matching goes as deep as there are nodes: three thousand of them exhausted the stack, and fifty are many."""
    chain = "".join(
        f"\n        - {{LEFT_ID: n{place}, REL_OP: '>', RIGHT_ID: n{place + 1}, RIGHT_ATTRS: {{}}}}"
        for place in range(60)
    )
    text = GOOD.replace("- - {RIGHT_ID: n, RIGHT_ATTRS: {POS: NOUN}}", "- - {RIGHT_ID: n0, RIGHT_ATTRS: {}}" + chain)
    with pytest.raises(BadFile, match="a pattern of more than 50 nodes; divide it into several patterns"):
        read(written(tmp_path, text))


@pytest.mark.parametrize(("old", "new", "line", "message"), refusals())
def test_a_slip_is_named_by_line(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    assert old in GOOD
    file = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(BadFile) as caught:
        read(file)
    assert str(caught.value).startswith(f"{file}:{line}: {message}")


@pytest.mark.parametrize("section", ["source", "target"])
def test_a_part_that_is_missing_is_named(tmp_path: Path, section: str) -> None:
    parts = {"source": "source: {}\n", "target": "target: []\n", "contrasts": "contrasts: {}\n"}
    del parts[section]
    with pytest.raises(BadFile, match=f"'{section}' is missing"):
        read(written(tmp_path, "name: x\nlangpair: en-cs\n" + "".join(parts.values())))


def test_empty_lists_are_refused(tmp_path: Path) -> None:
    head = "name: x\nlangpair: en-cs\nsource: {}\n"
    with pytest.raises(BadFile, match="there are no classes"):
        read(written(tmp_path, head + "target: []\ncontrasts: {}\n"))
    with pytest.raises(BadFile, match="'any' has no pattern"):
        read(written(tmp_path, head + "target: [{name: a, any: []}]\ncontrasts: {}\n"))


def test_one_construction_can_be_read_alone(tmp_path: Path) -> None:
    found = read_construction(written(tmp_path, "any:\n  - - {RIGHT_ID: kw, RIGHT_ATTRS: {TAG: VBG}}\n"))
    assert (found.name, found.one_of) == ("some", ((Node("kw", (Condition("TAG", "==", ("VBG",)),)),),))


# The schema


SCHEMA = json.loads((Path(assay.__file__).parent / "schemas" / "contrasts.json").read_text(encoding="utf-8"))


def fits(text: str) -> bool:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(yaml.load(text, yaml.CBaseLoader)))


@pytest.mark.parametrize("name", sorted(bundled()))
def test_the_bundled_contrasts_are_read_and_fit_the_schema(name: str) -> None:
    found = read(bundled()[name])
    assert found.langpair == name
    assert found.licence
    assert all(contrast.tests and contrast.category for contrast in found.contrasts.values())
    assert all(known.description for known in found.classes)
    assert all(construction.description for construction in found.constructions.values())
    document = yaml.safe_load(bundled()[name].read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_the_schema_knows_every_attribute_and_operator() -> None:
    assert set(SCHEMA["$defs"]["attributes"]["properties"]) == {"ORTH", *ATTRIBUTES}
    assert tuple(SCHEMA["$defs"]["node"]["properties"]["REL_OP"]["enum"]) == OPERATORS


@pytest.mark.parametrize(
    ("old", "new"), [("TAG: VBG", "TGA: VBG"), ('REL_OP: "<"', 'REL_OP: "<>"'), ("good: [noun]", "tests: x")]
)
def test_what_the_reader_refuses_does_not_fit(old: str, new: str) -> None:
    assert fits(GOOD.replace("bridge: true", "description: x"))
    assert not fits(GOOD.replace("bridge: true", "description: x").replace(old, new, 1))


DESCRIBED = """\
name: x
langpair: en-cs
source:
  gerund: {any: [[{RIGHT_ID: kw, RIGHT_ATTRS: {TAG: VBG}}]]}
target:
  - {name: fin, shown_as: finite clause, any: [[{RIGHT_ID: a, RIGHT_ATTRS: {POS: VERB}}]]}
  - {name: noun, any: [[{RIGHT_ID: a, RIGHT_ATTRS: {POS: NOUN}}]]}
"""

FAULT = "faults:\n  bare: {source: gerund, renderings: [noun], most: [finite clause], share: 0.7}\n"


def test_constructions_and_classes_are_enough_for_a_profile(tmp_path: Path) -> None:
    found = read(written(tmp_path, DESCRIBED))
    assert not found.contrasts
    assert [known.rendering for known in found.classes] == ["finite clause", "noun"]


def test_a_contrast_may_only_describe(tmp_path: Path) -> None:
    found = read(written(tmp_path, DESCRIBED + "contrasts: {gerund: {source: gerund, good: []}}\n"))
    assert (found.contrasts["gerund"].good, found.contrasts["gerund"].bad) == ((), ())


def test_a_fault_is_relative_to_what_most_do(tmp_path: Path) -> None:
    (fault,) = read(written(tmp_path, DESCRIBED + FAULT)).faults
    assert (fault.renderings, fault.most, fault.share) == (("noun",), ("finite clause",), 0.7)
    narrow = FAULT.replace("share: 0.7", "share: 0.7, any: [[{RIGHT_ID: a, RIGHT_ATTRS: {POS: NOUN}}]]")
    (fault,) = read(written(tmp_path, DESCRIBED + narrow)).faults
    assert fault.one_of == ((Node("a", (Condition("POS", "==", ("NOUN",)),)),),)
    assert fits(DESCRIBED + narrow)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[noun]", "[nuon]", "unknown class 'nuon'"),
        ("most: [finite clause]", "most: [noun]", "the fault 'bare' has no renderings that differ from `most`"),
        ("share: 0.7", "share: 0.4", "the share of 'bare' is no number above 0.5"),
        ("share: 0.7", "share: much", "the share of 'bare' is no number above 0.5"),
        ("share: 0.7", "share: 0.7, read: gone.tsv", "there is no file 'gone.tsv' beside"),
    ],
)
def test_a_fault_that_cannot_be_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(BadFile, match=re.escape(message)):
        read(written(tmp_path, DESCRIBED + FAULT.replace(old, new)))
