"""Prompts and contexts: for the suite, for a file, for an item; the nearest counts."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadFile, BadOption, BadSuite
from assay.suites import Suite, load_suite, native, save_suite
from assay.suites.addition import ItemDraft, prepare
from assay.suites.native import read_files
from assay.suites.native_layout import write_over
from assay.suites.prompts import PLACES, fill, is_filled, unknown_places
from tests.suites.building import MANIFEST, a_suite, an_item, listing, suite_folder
from tests.suites.test_templates import HEAD, SLOTS

TOLD = MANIFEST.replace("categories:", "prompt: Translate this book.\ncontext: A book on gardens.\ncategories:")

TREES = """\
category: Ambiguity
phenomenon: Lexical ambiguity
prompt: Translate this page.  # of trees
items:
  - id: kiefer
    source: Der Kiefer tut ihm weh.
  - id: bank
    source: Sie saß auf der Bank.
    # Said in the park
    prompt: |
      Translate this line into {target_language}.
      Bank is a {bench}.
    context: ''
  - id: ton
    source: Der Ton macht die Musik.
    prompt:
"""

NO = """\
category: Negation
phenomenon: Negation
items:
  - id: nein
    source: Nein.
"""

FILES = {"trees.yaml": TREES, "no.yaml": NO}
LINES = "Translate this line into {target_language}.\nBank is a {bench}.\n"


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    return suite_folder(tmp_path / "garden", FILES, TOLD)


def told(suite: Suite) -> dict[str, tuple[str, str]]:
    return {item.id: (item.prompt, item.context) for item in suite}


def test_the_nearest_counts_and_an_empty_one_is_none(garden: Path) -> None:
    assert told(load_suite(garden)) == {
        "trees/kiefer": ("Translate this page.", "A book on gardens."),
        "trees/bank": (LINES, ""),
        "trees/ton": ("", "A book on gardens."),
        "no/nein": ("Translate this book.", "A book on gardens."),
    }


def test_templates_fill_their_slots_and_leave_the_places_of_prompts(tmp_path: Path) -> None:
    written = f"""\
{HEAD}context: For {{who}} and {{day}}.
templates:
  - id: kauf
    source: '{{Who.de}} {{who.haben}} Brot.'
    prompt: 'Into {{target_language}}; {{who.de}} is {{who.en}}: {{source}}'
{SLOTS}"""
    suite = native.read(suite_folder(tmp_path / "garden", {"verbs.yaml": written}, TOLD))
    assert told(suite) == {
        # What stands above a template is no part of it.
        "verbs/kauf/ich": ("Into {target_language}; ich is I: {source}", "For {who} and {day}."),
        "verbs/kauf/wir": ("Into {target_language}; wir is we|both of us: {source}", "For {who} and {day}."),
    }
    unknown = written.replace("{target_language}", "{target}")
    with pytest.raises(BadSuite, match=re.escape("verbs.yaml:7: no slot 'target'; there are: who, what, day")):
        native.read(suite_folder(tmp_path / "garden", {"verbs.yaml": unknown}, TOLD))


@pytest.mark.parametrize(
    ("manifest", "trees", "message"),
    [
        (TOLD, TREES.replace("Translate this page.", "[a, b]"), "trees.yaml:3: 'prompt' is no text"),
        (TOLD, TREES.replace("context: ''", "context: {a: b}"), "trees.yaml:13: 'context' is no text"),
        (TOLD.replace("A book on gardens.", "[a]"), TREES, "suite.yaml:9: 'context' is no text"),
        (TOLD, TREES.partition("items:")[0], "trees.yaml:3: a prompt without items"),
        (TOLD, TREES.replace("prompt:\n", "promt:\n"), "trees.yaml:16: unknown key 'promt'; did you mean 'prompt'?"),
        (TOLD, TREES.replace("this page", "x" * 100_001), "trees.yaml:3: a text of 100,012 characters"),
    ],
)
def test_what_is_refused(tmp_path: Path, manifest: str, trees: str, message: str) -> None:
    with pytest.raises(BadFile, match=re.escape(message)) as caught:
        load_suite(suite_folder(tmp_path / "garden", {"trees.yaml": trees}, manifest))
    assert "; " in str(caught.value), "and what to do about it"


def test_a_prompt_that_a_template_makes_too_long_is_refused(tmp_path: Path) -> None:
    long = SLOTS.replace("haben: habe,", f"haben: {'x' * 60_000},")
    written = f"{HEAD}templates:\n  - {{id: a, source: '{{who.de}}', prompt: '{{who.haben}} {{who.haben}}'}}\n{long}"
    with pytest.raises(BadSuite, match=r"item 'verbs/a/ich': a text of 120,001 characters"):
        load_suite(suite_folder(tmp_path / "garden", {"verbs.yaml": written}))


class TestWritten:
    """What items have in common is written once."""

    def test_what_all_have_stands_in_the_manifest(self, tmp_path: Path) -> None:
        items = (replace(an_item(f"f/{name}"), prompt="Line one\nand two") for name in "ab")
        save_suite(a_suite(*items), tmp_path / "copy")
        assert "\nprompt: |-\n  Line one\n  and two\ncategories:" in (tmp_path / "copy" / "suite.yaml").read_text()
        assert "prompt" not in (tmp_path / "copy" / "ambiguity" / "f.yaml").read_text()

    def test_what_a_file_has_stands_at_its_top_and_the_rest_in_items(self, tmp_path: Path) -> None:
        items = [replace(an_item(f"f/{name}"), prompt="P", context=name) for name in "ab"]
        save_suite(a_suite(*items, an_item("g/c")), tmp_path / "copy")
        assert "prompt" not in (tmp_path / "copy" / "suite.yaml").read_text()
        text = (tmp_path / "copy" / "ambiguity" / "f.yaml").read_text()
        assert text.startswith("category: Ambiguity\nphenomenon: Lexical ambiguity\nprompt: P\nitems:\n")
        assert text.count("prompt") == 1
        assert "source: Es regnet.\n  context: b\n" in text

    def test_other_formats_say_that_they_cannot_hold_them(self, garden: Path, tmp_path: Path) -> None:
        with pytest.raises(BadOption, match=r"3 × prompts; 3 × contexts\. Add --lossy"):
            save_suite(load_suite(garden), tmp_path / "items.json")


class TestOverTheFilesItCameFrom:
    """Defaults stay defaults."""

    def over(self, suite: Suite, folder: Path, out: Path, *, anew: bool = False) -> dict[str, str]:
        out.mkdir()
        write_over(suite, read_files(folder), out, anew=anew)
        assert told(load_suite(out)) == told(suite)
        return {name: content.decode() for name, content in listing(out).items() if content is not None}

    def changed(self, garden: Path, name: str, *, prompt: str) -> Suite:
        suite = load_suite(garden)
        return suite.with_items({suite.positions[name]: replace(suite.item(name), prompt=prompt)})

    def test_what_has_not_changed_is_the_same_bytes(self, garden: Path, tmp_path: Path) -> None:
        assert self.over(load_suite(garden), garden, tmp_path / "out") == read_files(garden)

    def test_an_item_without_its_files_prompt(self, garden: Path, tmp_path: Path) -> None:
        files = self.over(self.changed(garden, "trees/kiefer", prompt=""), garden, tmp_path / "out")
        assert files["trees.yaml"] == TREES.replace("tut ihm weh.\n", "tut ihm weh.\n    prompt: ''\n")

    def test_an_item_that_has_it_again(self, garden: Path, tmp_path: Path) -> None:
        files = self.over(self.changed(garden, "trees/ton", prompt="Translate this page."), garden, tmp_path / "out")
        assert files["trees.yaml"] == TREES.replace("    prompt:\n", "")

    def test_several_lines(self, garden: Path, tmp_path: Path) -> None:
        files = self.over(self.changed(garden, "no/nein", prompt="One.\n\nTwo."), garden, tmp_path / "out")
        assert files["no.yaml"] == f"{NO}    prompt: |-\n      One.\n\n      Two.\n"

    def test_another_manifest_keeps_them(self, garden: Path, tmp_path: Path) -> None:
        suite = replace(load_suite(garden), version="2")
        files = self.over(suite, garden, tmp_path / "out")
        assert files["suite.yaml"].endswith(TOLD.partition("garden-canary-7\n")[2])
        assert files["trees.yaml"] == TREES

    def test_anew(self, garden: Path, tmp_path: Path) -> None:
        files = self.over(load_suite(garden), garden, tmp_path / "out", anew=True)
        assert "# Said" not in files["trees.yaml"]
        assert "prompt" not in files["suite.yaml"], "not all have it"


class TestAdded:
    """`assay suite add`."""

    def entry(self, garden: Path, draft: ItemDraft) -> tuple[str, str, str]:
        """Prompt and context of the new item, and what was written."""
        addition = prepare(garden, draft)
        addition.write()
        assert load_suite(garden).item(addition.item.id) == addition.item
        return addition.item.prompt, addition.item.context, (garden / "trees.yaml").read_text()[len(TREES) :]

    def test_it_has_its_files_prompt(self, garden: Path) -> None:
        prompt, context, written = self.entry(garden, ItemDraft("Es grünt.", "Lexical ambiguity"))
        assert (prompt, context) == ("Translate this page.", "A book on gardens.")
        assert written == "  - id: grunt\n    source: Es grünt.\n"

    def test_or_its_own_or_none(self, garden: Path) -> None:
        draft = ItemDraft("Es grünt.", "Lexical ambiguity", prompt="Say it.", context="")
        prompt, context, written = self.entry(garden, draft)
        assert (prompt, context) == ("Say it.", "")
        assert written.endswith("source: Es grünt.\n    prompt: Say it.\n    context: ''\n")

    def test_a_source_may_stand_again_with_another_prompt(self, garden: Path) -> None:
        source = "Der Kiefer tut ihm weh."
        with pytest.raises(BadOption, match=r"trees\.yaml:5: trees/kiefer has this source already"):
            prepare(garden, ItemDraft(source, "Lexical ambiguity"))
        assert prepare(garden, ItemDraft(source, "Lexical ambiguity", prompt="Say it."))


def test_places_are_filled_once_and_other_braces_stay() -> None:
    filled = fill(
        "{source} in {target_language}: {source} {x} {2}", {"source": "{target_language}", "target_language": "L"}
    )
    assert filled == "{target_language} in L: {target_language} {x} {2}"
    assert unknown_places("{source} {x} {X} {2,3} {y_z} {x} {context}") == ["{x}", "{y_z}"]


PIECES = st.text("ab{} ", max_size=6)


@given(
    st.lists(st.tuples(PIECES, st.sampled_from(PLACES)), max_size=5), PIECES, st.lists(PIECES, min_size=4, max_size=4)
)
def test_a_prompt_is_known_again_whatever_was_filled_in(
    begun: list[tuple[str, str]], end: str, values: list[str]
) -> None:
    prompt = "".join(f"{text}{{{place}}}" for text, place in begun) + end
    assert is_filled(fill(prompt, dict(zip(PLACES, values, strict=True))), prompt)


@pytest.mark.parametrize(
    "text", ["Say it in .", "In German, say it.", "Say it in German", "Say it in German. Now.", "Say it German.", ""]
)
def test_another_text_is_no_filled_prompt(text: str) -> None:
    assert not is_filled(text, "Say it in {target_language} or {source_language}.")
    assert is_filled("Say it in German or Czech.", "Say it in {target_language} or {source_language}.")
