"""A suite written over the files it came from: what has not changed is the same bytes."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.suites import Item, Rule, Suite, bundled, load_suite
from assay.suites.native import read_files
from assay.suites.native_layout import write_over
from assay.suites.native_writer import write_into
from tests.suites.building import MANIFEST, listing, suite_folder
from tests.suites.test_native_writer import rules, suites

TREES = """\
# Trees, and what else grows
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  # The jaw
  - id: kiefer
    source: "Der Kiefer tut ihm weh."   # he chews
    pass:
      # the bone
      - '\\bjaw\\b'   # always
      - chin
    fail: ['\\bpine\\b']
    tags: [noun]
  - {id: bank, source: Sie saß auf der Bank., pass: [bench]}
  # Nobody knows.
  - id: ton
    source: Der Ton macht die Musik.
# End of the trees
"""

NEGATION = """\
category: Negation
phenomenon: Negation
templates:
  - id: nie
    source: '{Who.de} war nie da.'
    pass: ['{Who.en} .*never']
slots:
  who:
    er: {de: er, en: he}
    sie: {de: sie, en: she}
"""

FILES = {"a b/trees.yaml": TREES, "deep/down/No.yaml": NEGATION}


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    return suite_folder(tmp_path / "garden", FILES)


def over(suite: Suite, files: dict[str, str], folder: Path, *, anew: bool = False) -> dict[str, str]:
    """The files that are written."""
    folder.mkdir()
    write_over(suite, files, folder, anew=anew)
    return {name: content.decode() for name, content in listing(folder).items() if content is not None}


def with_item(suite: Suite, item: Item) -> Suite:
    return replace(suite, items=tuple(item if other.id == item.id else other for other in suite.items))


@pytest.mark.parametrize("name", bundled())
def test_the_bundled_suites_stay_as_they_are(name: str, tmp_path: Path) -> None:
    files = read_files(bundled()[name])
    assert over(load_suite(name), files, tmp_path / "out") == files


def test_comments_line_ends_and_odd_names_stay(tmp_path: Path) -> None:
    windows = "\ufeff" + TREES.replace("\n", "\r\n")
    folder = suite_folder(tmp_path / "garden", {"x/Trees & co.yaml": windows})
    (folder / "x" / "Trees & co.yaml").write_bytes(windows.encode())
    assert over(load_suite(folder), read_files(folder), tmp_path / "out")["x/Trees & co.yaml"] == windows


def test_only_the_rule_that_changed_is_written_anew(garden: Path, tmp_path: Path) -> None:
    suite = load_suite(garden)
    kiefer = suite.item("trees/kiefer")
    bone, _, pine = kiefer.rules
    changed = replace(kiefer, rules=(bone, Rule("pass", "contains", "jaws"), pine))
    files = over(with_item(suite, changed), read_files(garden), tmp_path / "out")
    assert files["a b/trees.yaml"] == TREES.replace("      - chin\n", "      - contains: jaws\n")
    assert files["deep/down/No.yaml"] == NEGATION


def test_fields_that_come_and_go(garden: Path, tmp_path: Path) -> None:
    suite = load_suite(garden)
    kiefer = suite.item("trees/kiefer")
    changed = replace(kiefer, rules=kiefer.rules[:2], tests="It is the bone.", tags=(), source="Der Kiefer schmerzt.")
    wanted = TREES.replace(
        '"Der Kiefer tut ihm weh."   # he chews\n', "Der Kiefer schmerzt.\n    tests: It is the bone.\n"
    )
    wanted = wanted.replace("    fail: ['\\bpine\\b']\n    tags: [noun]\n", "")
    assert over(with_item(suite, changed), read_files(garden), tmp_path / "out")["a b/trees.yaml"] == wanted


def test_an_item_in_braces_is_written_anew_and_its_neighbours_stay(garden: Path, tmp_path: Path) -> None:
    suite = load_suite(garden)
    changed = replace(suite.item("trees/bank"), rules=(Rule("pass", "regex", "bench"), Rule("fail", "regex", "bank")))
    files = over(with_item(suite, changed), read_files(garden), tmp_path / "out")
    assert files["a b/trees.yaml"] == TREES.replace(
        "  - {id: bank, source: Sie saß auf der Bank., pass: [bench]}\n",
        "  - id: bank\n    source: Sie saß auf der Bank.\n    pass:\n      - 'bench'\n    fail:\n      - 'bank'\n",
    )


def test_items_that_are_gone_and_new_ones(garden: Path, tmp_path: Path) -> None:
    suite = load_suite(garden)
    new = Item("trees/krone", "Ambiguity", "Structural ambiguity", "Die Krone ist hoch.")
    elsewhere = Item("fog/nebel", "Ambiguity", "Lexical ambiguity", "Nebel!")
    items = (*(item for item in suite.items if item.id != "trees/ton"), new, elsewhere)
    files = over(replace(suite, items=items), read_files(garden), tmp_path / "out")
    gone = "  - id: ton\n    source: Der Ton macht die Musik.\n"
    added = "  - id: krone\n    phenomenon: Structural ambiguity\n    source: Die Krone ist hoch.\n"
    assert added in files["a b/trees.yaml"]
    assert gone not in files["a b/trees.yaml"]
    assert "# End of the trees\n" in files["a b/trees.yaml"]
    assert "a b/fog.yaml" in files  # beside the others of its category


def test_a_file_without_items_is_gone(garden: Path, tmp_path: Path) -> None:
    suite = load_suite(garden)
    items = tuple(item for item in suite.items if item.category == "Ambiguity")
    assert set(over(replace(suite, items=items), read_files(garden), tmp_path / "out")) == {
        "suite.yaml",
        "a b/trees.yaml",
    }


def test_a_changed_item_of_a_template_has_its_file_written_out(garden: Path, tmp_path: Path) -> None:
    suite = load_suite(garden)
    changed = with_item(suite, replace(suite.item("No/nie/er"), notes="seen"))
    files = over(changed, read_files(garden), tmp_path / "out")
    assert "templates" not in files["deep/down/No.yaml"]
    assert files["a b/trees.yaml"] == TREES
    assert load_suite(tmp_path / "out") == changed


def test_another_heading_is_written_into_the_manifest_alone(garden: Path, tmp_path: Path) -> None:
    files = over(replace(load_suite(garden), version="2.0"), read_files(garden), tmp_path / "out")
    assert "version: '2.0'\n" in files["suite.yaml"]
    assert {name: text for name, text in files.items() if name != "suite.yaml"} == FILES


def test_judgements_in_an_item_s_own_file_are_left_to_judgements_yaml(tmp_path: Path) -> None:
    judged = TREES.replace(
        "      - chin\n", "      - {exact: A jaw., by: Anna, on: 2026-11-15}\n      - {regex: chin, by: Ben}\n"
    )
    folder = suite_folder(tmp_path / "garden", {"trees.yaml": judged})
    suite = load_suite(folder)
    kiefer = suite.item("trees/kiefer")
    kept = tuple(replace(rule, by="", on="") for rule in kiefer.rules if not (rule.by and rule.kind == "exact"))
    text = over(with_item(suite, replace(kiefer, rules=kept)), read_files(folder), tmp_path / "out")["trees.yaml"]
    assert text == TREES.replace("      - chin\n", "      - {regex: chin, by: Ben}\n")


def test_anew_keeps_names_and_no_comments(garden: Path, tmp_path: Path) -> None:
    files = over(load_suite(garden), read_files(garden), tmp_path / "out", anew=True)
    assert set(files) == {"suite.yaml", *FILES}
    assert "#" not in "".join(files.values())
    assert load_suite(tmp_path / "out") == load_suite(garden)


def test_ids_that_do_not_name_their_file(tmp_path: Path) -> None:
    folder = suite_folder(
        tmp_path / "garden", {"a b/trees.yaml": TREES}, MANIFEST.replace("categories", "ids: plain\ncategories")
    )
    suite = load_suite(folder)
    assert over(suite, read_files(folder), tmp_path / "out") == read_files(folder)
    changed = with_item(suite, replace(suite.item("ton"), tests="Not clay."))
    wanted = TREES.replace("Musik.\n", "Musik.\n    tests: Not clay.\n")
    assert over(changed, read_files(folder), tmp_path / "again")["a b/trees.yaml"] == wanted


@pytest.mark.parametrize("files", [{}, {"suite.yaml": "name: ["}, {"../suite.yaml": "name: x"}])
def test_files_that_say_nothing_are_not_needed(files: dict[str, str], garden: Path, tmp_path: Path) -> None:
    suite = load_suite(garden)
    (tmp_path / "plain").mkdir()
    write_into(suite, tmp_path / "plain")
    over(suite, files, tmp_path / "out")
    assert listing(tmp_path / "out") == listing(tmp_path / "plain")
    assert not (tmp_path / "suite.yaml").exists()


def nameless(item: Item) -> Item:
    return replace(item, rules=tuple(replace(rule, by="", on="") for rule in item.rules))


@given(suites(), st.data())
def test_whatever_changes_the_suite_is_read_back_and_other_files_stay(suite: Suite, data: st.DataObject) -> None:
    with TemporaryDirectory() as name:
        folder, out = Path(name) / "in", Path(name) / "out"
        folder.mkdir()
        write_into(suite, folder)
        files = read_files(folder)
        chosen = data.draw(st.sampled_from(suite.items))
        new = (*data.draw(rules("pass")), *data.draw(rules("fail")))
        tests = data.draw(st.sampled_from(["", "a # b", "- c"]))
        changed = with_item(load_suite(folder), nameless(replace(chosen, rules=new, tests=tests)))
        written = over(changed, files, out)
        assert [nameless(item) for item in load_suite(out)] == [nameless(item) for item in changed]
        home = next(file for file in files if file.endswith(f"/{chosen.id.partition('/')[0]}.yaml"))
        assert {**written, home: ""} == {**files, home: ""}
