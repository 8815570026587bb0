"""Subtypes of constructions: which kind of governor a keyword has, and profiles of each kind."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.contrasts import bundled
from assay.contrasts.expectations import keyword_places
from assay.contrasts.files import conllu
from assay.contrasts.files import renderings as renderings_file
from assay.contrasts.files.definitions import read
from assay.contrasts.patterns import SubtypeFinder
from assay.contrasts.profile_numbers import profile
from assay.contrasts.profile_report import render
from assay.contrasts.records import OTHER, Condition, Construction, Node, Subtype
from assay.contrasts.renderings import ENOUGH, Renderings, with_subtypes
from assay.contrasts.run import profile_contrasts
from assay.contrasts.run_files import copy_sample
from assay.contrasts.show import show_sentence
from assay.contrasts.tree_view import terminal
from assay.contrasts.trees import Tree
from assay.errors import BadOption
from tests.contrasts.building import tree
from tests.contrasts.test_profile import EFFORT, FINITE, INFINITIVE, made

CONTRASTS = read(bundled()["en-cs"])

SAMPLE = {
    "Anna sat by the window reading a letter.": "free adjunct",
    "Walking home, Peter met an old friend.": "free adjunct",
    "They stopped talking.": "aspect verb",
    "She enjoys cooking for her friends.": "attitude verb",
    "Learning Czech takes years.": "subject",
    "He improved his accent by listening to the radio.": "means or manner",
    "He went out without closing the door.": "means or manner",
    "Thank you for coming.": "other preposition",
    "She is afraid of losing her job.": "adjective",
    "The habit of writing letters is dying.": "noun",
    "He refused to answer the question.": "intention verb",
    "The boy tried to open the window.": "attempt verb",
    "She asked him to wait.": "request verb",
    "They want us to pay today.": "intention verb",
    "He opened the window to let in fresh air.": "purpose",
    "He claims to know the author.": "opinion verb",
    "Nobody expected him to win.": "opinion verb",
}


def subtypes(tree: Tree) -> list[str]:
    """Those of all keywords of a sentence."""
    places = keyword_places(CONTRASTS, {0: tree})
    return [
        SubtypeFinder(CONTRASTS.constructions[name]).find(tree, word)
        for name, found in places.items()
        for _, word in found
    ]


@pytest.mark.parametrize(("sentence", "subtype"), SAMPLE.items())
def test_kinds_of_governors_in_the_sample(sentence: str, subtype: str) -> None:
    trees = dict(conllu.read(bundled()["en-cs"].parent / "sample" / "source.conllu"))
    (found,) = [tree for tree in trees.values() if tree.text == sentence]
    assert subtypes(found) == [subtype]


def test_a_participle_after_its_noun_is_a_relative() -> None:
    people = tree("""
        People   people   NOUN  NNS  4  nsubj
        living   live     VERB  VBG  1  acl
        here     here     ADV   RB   2  advmod
        left     leave    VERB  VBD  0  root
    """)
    assert subtypes(people) == ["relative"]


def test_what_is_seen_or_done_in_the_meantime() -> None:
    seen = tree("""
        They     they     PRON  PRP  2  nsubj
        saw      see      VERB  VBD  0  root
        him      he       PRON  PRP  2  obj
        leaving  leave    VERB  VBG  2  xcomp
    """)
    passive = tree("""
        He       he       PRON  PRP  3  nsubj:pass
        was      be       AUX   VBD  3  aux:pass
        seen     see      VERB  VBN  0  root
        leaving  leave    VERB  VBG  3  advcl
    """)
    waiting = tree("""
        Waiting  wait     VERB  VBG  4  advcl
        ,        ,        PUNCT ,    1  punct
        they     they     PRON  PRP  4  nsubj
        saw      see      VERB  VBD  0  root
        him      he       PRON  PRP  4  obj
    """)
    assert [subtypes(one) for one in (seen, passive, waiting)] == [
        ["perception verb"],
        ["perception verb"],
        ["free adjunct"],
    ]


def test_a_connective_of_time_comes_before_the_governor() -> None:
    """“He was happy when reading” is no complement of the adjective."""
    happy = tree("""
        He       he       PRON  PRP  3  nsubj
        was      be       AUX   VBD  3  cop
        happy    happy    ADJ   JJ   0  root
        when     when     ADV   WRB  5  advmod
        reading  read     VERB  VBG  3  advcl
    """)
    assert subtypes(happy) == ["time connective"]


@pytest.mark.parametrize(
    ("governor", "relation", "subtype"),
    [
        ("chance NOUN NN", "acl", "noun"),
        ("able ADJ JJ", "xcomp", "adjective"),
        ("need VERB VBP", "xcomp", "necessity verb"),
        ("begin VERB VBP", "xcomp", "aspect verb"),
        ("manage VERB VBP", "xcomp", "attempt verb"),
        ("consent VERB VBP", "xcomp", OTHER),
    ],
)
def test_governors_of_infinitives(governor: str, relation: str, subtype: str) -> None:
    lemma, upos, xpos = governor.split()
    sentence = tree(f"""
        x     {lemma}  {upos} {xpos} 0  root
        to    to       PART   TO     3  mark
        go    go       VERB   VB     1  {relation}
    """)
    assert subtypes(sentence) == [subtype]


@pytest.mark.parametrize(("lemma", "subtype"), [("need", OTHER), ("get", "causation verb"), ("have", OTHER)])
def test_with_an_object_the_verb_means_something_else(lemma: str, subtype: str) -> None:
    """“Get to win” begins, “get him to win” causes; “have the right to win” is no “have to”."""
    sentence = tree(f"""
        x     {lemma}  VERB   VBP    0  root
        him   he       PRON   PRP    1  obj
        to    to       PART   TO     4  mark
        win   win      VERB   VB     1  xcomp
    """)
    assert subtypes(sentence) == [subtype]


# Files


def written(folder: Path, subtypes: str) -> Path:
    path = folder / "some.yaml"
    path.write_text(
        "name: x\nlangpair: en-cs\nsource:\n  gerund:\n    any: [[{RIGHT_ID: kw, RIGHT_ATTRS: {TAG: VBG}}]]\n"
        f"{subtypes}target:\n  - {{name: all, any: [[{{RIGHT_ID: a}}]]}}\n",
        encoding="utf-8",
    )
    return path


START = """\
    subtypes:
      start:
        description: After start.
        any:
          - - {RIGHT_ID: kw}
            - {LEFT_ID: kw, REL_OP: "<", RIGHT_ID: gov, RIGHT_ATTRS: {LEMMA: start}}
"""


def test_the_hash_of_verdicts_stays_and_that_of_subtypes_changes(tmp_path: Path) -> None:
    plain, some, other = (
        read(written(tmp_path, text)) for text in ("", START, START.replace("LEMMA: start", "LEMMA: stop"))
    )
    assert [one.name for one in some.constructions["gerund"].subtypes] == ["start"]
    assert plain.hash == some.hash == other.hash
    assert len({plain.subtypes_hash, some.subtypes_hash, other.subtypes_hash}) == 3


def test_a_file_without_subtypes_has_none() -> None:
    finder = SubtypeFinder(Construction("gerund", ()))
    assert finder.find(tree("Reading read VERB VBG 0 root"), 0) == ""


# Profiles


def many(started: int, others: int) -> Renderings:
    """Keywords after start, which people render by an infinitive, and others, by a clause; the system has clauses."""
    found = made({
        "refA": [INFINITIVE] * started + [FINITE] * others,
        "A": [FINITE] * (started + others),
    })  # fmt: skip
    start = tree("started start VERB VBD 0 root\n reading read VERB VBG 1 xcomp")
    enjoy = tree("enjoyed enjoy VERB VBD 0 root\n reading read VERB VBG 1 xcomp")
    gov = Node("gov", (Condition("LEMMA", "==", ("start",)),), "kw", "<")
    kinds = (Subtype("start", ((Node("kw"), gov),), description="After start."),)
    (table,) = found.tables
    table = replace(
        table, construction=Construction("gerund", (), subtypes=kinds), words=np.ones(started + others, np.int64)
    )
    sources = {line: start if line < started else enjoy for line in range(started + others)}
    return with_subtypes(replace(found, tables=(table,), sources=sources))


def test_a_subtype_shows_what_the_whole_hides() -> None:
    found = profile(many(ENOUGH, 2 * ENOUGH), tools={}, effort=EFFORT)
    whole, start, other = found.constructions
    assert [part.name for part in found.constructions] == ["gerund", "gerund: start", "gerund: other"]
    assert [part.keywords for part in found.constructions] == [90, 30, 60]
    # After start they never agree, elsewhere always.
    assert [part.rows[1].distance.value for part in (whole, start, other)] == [pytest.approx(1 / 3), 1.0, 0.0]
    assert start.description == "After start."


def test_a_subtype_with_few_keywords_is_counted_only() -> None:
    found = profile(many(ENOUGH - 1, ENOUGH), tools={}, effort=EFFORT)
    assert [part.name for part in found.constructions] == ["gerund", "gerund: other"]
    assert any("Too few for a table: start (29)." in str(note) for note in found.notes())
    assert found.to_dict()["subtypes"] == {"gerund": {"start": 29, "other": 30}}
    assert "|subtypes:" in found.signature


def test_contrasts_without_subtypes_say_so() -> None:
    with pytest.raises(BadOption, match="x names no subtypes; leave --subtypes out"):
        with_subtypes(made({"refA": [FINITE]}))


class TestOnTheSample:
    def test_without_the_option_nothing_is_said_of_them(self, tmp_path: Path) -> None:
        found = profile_contrasts(copy_sample(tmp_path / "sample"), cache=None)
        assert "subtypes" not in found.signature
        assert "subtypes" not in found.to_dict()

    @pytest.mark.parametrize("format", ["table", "markdown", "csv", "json", "html"])
    def test_every_format_has_each_of_them(self, tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("assay.contrasts.renderings.ENOUGH", 2)
        found = profile_contrasts(copy_sample(tmp_path / "sample"), cache=None, subtypes=True)
        text = render(found, format)
        assert "gerund: free adjunct" in text
        assert "control: opinion verb" in text

    def test_the_file_of_renderings_has_every_keyword_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("assay.contrasts.renderings.ENOUGH", 2)
        inputs = copy_sample(tmp_path / "sample")
        plain, divided = (profile_contrasts(inputs, cache=None, subtypes=chosen) for chosen in (False, True))
        assert len(divided.renderings.tables) > len(plain.renderings.tables)
        assert [*renderings_file.rendered_keywords(divided.renderings)] == [
            *renderings_file.rendered_keywords(plain.renderings)
        ]

    def test_show_names_the_subtype(self, tmp_path: Path) -> None:
        inputs = copy_sample(tmp_path / "sample")
        (pair,) = show_sentence(inputs, "They stopped talking.", cache=None)
        assert "“talking”, gerund (aspect verb): gerund-nonfinite" in terminal(pair)
