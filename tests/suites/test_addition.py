"""An item is added to the right file, and nothing else in it changes."""

import re
from pathlib import Path

import pytest

from assay.errors import BadFile, BadOption
from assay.suites import Examples, load_suite
from assay.suites.addition import Addition, ItemDraft, like, prepare
from assay.suites.native_text import FixedText
from tests.suites.building import KIEFER, MANIFEST, listing, suite_folder

COMMENTED = """\
# Words of the forest
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  # The tree is feminine, the jaw is not.
  - id: kiefer
    source: "Der Kiefer tut ihm beim Kauen weh."   # he chews
    pass: ['\\bjaw\\b']
    fail:
      - '\\bpine\\b'  # the tree

# Nothing below.
"""

NEW = """\

  - id: schloss
    source: 'Das Schloss klemmt: schon wieder.'
    tests: Schloss is the lock.
    pass:
      - '\\block\\b'
    fail:
      - '\\bcastle\\b'
    examples:
      pass:
        - The lock is stuck.
      fail:
        - The castle is stuck.
"""

DRAFT = ItemDraft(
    "Das Schloss klemmt: schon wieder.",
    "Lexical ambiguity",
    tests="Schloss is the lock.",
    passing=[r"\block\b"],
    failing=[r"\bcastle\b"],
    examples=Examples(("The lock is stuck.",), ("The castle is stuck.",)),
)


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    return suite_folder(tmp_path / "garden", {"trees/lexical-ambiguity.yaml": COMMENTED})


def added(folder: Path, draft: ItemDraft, description: str | None = None) -> Addition:
    addition = prepare(folder, draft, description=description)
    addition.write()
    return addition


def test_it_stands_behind_the_others_and_all_comments_stay(garden: Path) -> None:
    addition = added(garden, DRAFT)
    file = garden / "trees" / "lexical-ambiguity.yaml"
    assert file.read_text("utf-8") == COMMENTED.replace("  # the tree\n", "  # the tree\n" + NEW)
    assert load_suite(garden).item("lexical-ambiguity/schloss") == addition.item
    assert addition.item.place == f"{file}:12"
    assert addition.missing() == []


def test_windows_line_ends_and_a_byte_order_mark_stay(garden: Path) -> None:
    file = garden / "trees" / "lexical-ambiguity.yaml"
    file.write_bytes(("\ufeff" + COMMENTED.replace("\n", "\r\n")).encode())
    added(garden, DRAFT)
    wanted = COMMENTED.replace("  # the tree\n", "  # the tree\n" + NEW).replace("\n", "\r\n")
    assert file.read_bytes() == ("\ufeff" + wanted).encode()


def test_a_file_without_a_last_newline_gets_one(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {"lexical-ambiguity.yaml": KIEFER.rstrip("\n")})
    added(folder, ItemDraft("Die Bank ist neu.", "Lexical ambiguity", id="bank"))
    assert (folder / "lexical-ambiguity.yaml").read_text("utf-8") == (
        KIEFER + "\n  - id: bank\n    source: Die Bank ist neu.\n"
    )


def test_a_phenomenon_without_items_gets_a_file_beside_those_of_its_category(garden: Path) -> None:
    addition = added(garden, ItemDraft("Er sah den Mann mit dem Fernrohr.", "Structural ambiguity"))
    assert addition.item.id == "structural-ambiguity/fernrohr"
    assert (garden / "trees" / "structural-ambiguity.yaml").is_file()
    added(garden, ItemDraft("Nie.", "Negation"))
    assert (garden / "negation" / "negation.yaml").is_file()


def test_a_new_phenomenon_is_entered_in_the_manifest(garden: Path) -> None:
    (garden / "suite.yaml").write_text(MANIFEST.replace("categories:", "categories:  # in this order"), "utf-8")
    added(garden, ItemDraft("Das kann nicht nicht sein.", "Double: two", category="Negation"), "Two of them.")
    wanted = MANIFEST.replace("categories:", "categories:  # in this order") + "    'Double: two': Two of them.\n"
    assert (garden / "suite.yaml").read_text("utf-8") == wanted
    added(garden, ItemDraft("Sei sensibel!", "Adjectives", category="False friends"), "They look alike.")
    wanted += "  False friends:\n    Adjectives: They look alike.\n"
    assert (garden / "suite.yaml").read_text("utf-8") == wanted
    assert len(load_suite(garden)) == 3


def test_what_is_missing_is_listed(garden: Path) -> None:
    missing = added(garden, ItemDraft("Die Bank ist neu.", "Lexical ambiguity", passing=["bench"])).missing()
    assert missing == [
        "what it tests (--tests)",
        "a fail rule (--fail)",
        "a right translation (--pass-example)",
        "a wrong translation (--fail-example)",
    ]


@pytest.mark.parametrize(
    ("neighbours", "source", "taken", "wanted"),
    [
        (["birne", "strauss"], "Der Kiefer tut weh.", ["birne"], "kiefer"),
        (["kiefer"], "Der Kiefer tut weh.", ["kiefer"], "kiefer-2"),
        (["schloss-1", "bank-1"], "Der Kiefer tut weh.", [], "kiefer-1"),
        (["schloss-1", "bank-2"], "Der Kiefer tut weh.", ["kiefer-1"], "kiefer-2"),
        (["pos-001", "pos-009"], "Es regnet.", [], "pos-010"),
        (["00001001", "00001002"], "Es regnet.", ["00001003"], "00001004"),
        (["7"], "Es regnet.", [], "8"),
        ([], "她买了鸡蛋。", [], "item"),
        ([], "Größere Bäume", [], "grossere"),
    ],
)
def test_an_id_is_like_those_of_its_neighbours(
    neighbours: list[str], source: str, taken: list[str], wanted: str
) -> None:
    assert like(neighbours, source, taken) == wanted


@pytest.mark.parametrize(
    ("draft", "message"),
    [
        (ItemDraft(" ", "Lexical ambiguity"), "the source is blank; write the sentence to translate behind --source"),
        (ItemDraft("x", "Lexical"), "no phenomenon 'Lexical'; .*a new one needs its description: --new"),
        (ItemDraft("x", "Negation", category="Ambigity"), "no category 'Ambigity'; did you mean Ambiguity"),
        (ItemDraft("x", "Lexical ambiguity", id="a b"), "the id 'a b' has white space; write it like this: schloss-1"),
        (ItemDraft("x", "Lexical ambiguity", id="kiefer"), "yaml:6: the id 'kiefer' is taken; choose another"),
        (
            ItemDraft("Der Kiefer  tut ihm beim Kauen weh. ", "Lexical ambiguity"),
            "yaml:6: lexical-ambiguity/kiefer has this source already; change that item, or the source",
        ),
        (ItemDraft("a\x07b", "Lexical ambiguity"), "has a character that no file can hold; type it again"),
    ],
)
def test_what_is_not_right_is_refused_and_nothing_is_written(draft: ItemDraft, message: str, garden: Path) -> None:
    before = listing(garden)
    with pytest.raises(BadOption, match=message):
        prepare(garden, draft)
    assert listing(garden) == before


def test_a_phenomenon_that_is_there_is_not_new(garden: Path) -> None:
    with pytest.raises(BadOption, match="'Negation' is there already; leave out --new"):
        prepare(garden, ItemDraft("x", "Negation", category="Negation"), description="Again.")
    with pytest.raises(BadOption, match="a new phenomenon needs --category; there are: Ambiguity, Negation"):
        prepare(garden, ItemDraft("x", "Litotes"), description="Again.")


def test_a_list_in_brackets_is_left_alone(tmp_path: Path) -> None:
    flow = "category: Ambiguity\nphenomenon: Lexical ambiguity\nitems: [{id: a, source: b}]\n"
    folder = suite_folder(tmp_path / "garden", {"lexical-ambiguity.yaml": flow})
    with pytest.raises(FixedText, match=re.escape("yaml:3: the list cannot be changed in its place; write items one")):
        prepare(folder, DRAFT)


def test_a_folder_without_a_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"no suite\.yaml in this folder; name a suite's folder, or: assay suite new"):
        prepare(tmp_path, DRAFT)


def test_the_first_item_of_a_suite_without_any(tmp_path: Path) -> None:
    folder = suite_folder(tmp_path / "garden", {})
    assert added(folder, DRAFT).item.id == "lexical-ambiguity/schloss"
    assert len(load_suite(folder)) == 1
