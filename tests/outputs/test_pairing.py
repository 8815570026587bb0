"""Which line belongs to which item: COUNTING.md, "Pairing outputs with items"."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadOption, UnpairedFile
from assay.outputs.load import load_outputs
from assay.outputs.outputs import Collector, System
from assay.outputs.pairing import Pairing
from assay.outputs.source_join import join
from assay.outputs.source_texts import Source
from assay.outputs.submission import Submission
from assay.suites import Suite
from tests.suites.building import a_suite, an_item

HERE = Path("src.de")


def by_ids(suite: Suite) -> Suite:
    """The suite as DFKI publishes it."""
    return replace(suite, equal_sources="ids")


def naive(suite: Suite, sources: Sequence[str]) -> dict[str, int]:
    """Item id -> line, straight from the contract: items with a source in id order, lines with it in file order."""
    paired: dict[str, int] = {}
    for source in {item.source.strip() for item in suite}:
        lines = [number for number, line in enumerate(sources) if line.strip() == source]
        ids = sorted(item.id for item in suite if item.source.strip() == source)
        for turn, item_id in enumerate(ids):
            if lines:
                paired[item_id] = lines[turn] if turn < len(lines) else lines[-1]
    return paired


def paired(suite: Suite, sources: Sequence[str]) -> dict[str, int]:
    joined = join(suite, Source(HERE, sources))
    assert not joined.several
    return {suite.items[position].id: line for position, line in zip(joined.positions, joined.lines, strict=True)}


@pytest.mark.parametrize(
    ("items", "sources", "expected"),
    [
        ({"a": "Eins.", "b": "Zwei."}, ["Zwei.", "x", "Eins."], {"a": 2, "b": 0}),
        ({"a": "Eins.", "b": "Zwei."}, ["Zwei."], {"b": 0}),
        ({"b": "Eins.", "a": "Eins."}, ["Eins.", "Eins."], {"a": 0, "b": 1}),
        ({"b": "Eins.", "a": "Eins.", "c": "Eins."}, ["x", "Eins.", "Eins."], {"a": 1, "b": 2, "c": 2}),
        ({"a": "Eins."}, ["Eins.", "Eins."], {"a": 0}),
        ({"10": "Eins.", "9": "Eins."}, ["Eins.", "Eins."], {"10": 0, "9": 1}),
        ({"a": " Eins. "}, ["Eins.\t"], {"a": 0}),
        ({"a": "Eins  zwei."}, ["Eins zwei."], {}),
        ({"a": "Eins."}, ["eins."], {}),
        ({"a": "Don’t"}, ["Don't"], {}),
        ({"a": "e\u0301"}, ["é"], {}),
        ({"a": "Eins."}, [], {}),
    ],
)
def test_where_ids_decide_the_kth_item_with_a_source_gets_the_kth_line_that_has_it(
    items: dict[str, str], sources: list[str], expected: dict[str, int]
) -> None:
    assert paired(by_ids(a_suite(*(an_item(name, text) for name, text in items.items()))), sources) == expected


sentences = st.sampled_from(["Eins.", "Zwei.", "Drei.", " Eins.", "Zwei. ", "\u00a0Drei.", "Ei\u2028ns."])


@given(st.dictionaries(st.text("ab01/", min_size=1, max_size=4), sentences, min_size=1), st.lists(sentences))
def test_the_join_by_ids_is_the_contract(items: dict[str, str], sources: list[str]) -> None:
    suite = by_ids(a_suite(*(an_item(name, text) for name, text in items.items())))
    assert paired(suite, sources) == naive(suite, sources)


def test_sources_that_were_paired_by_ids_are_counted(tmp_path: Path) -> None:
    (tmp_path / "src.de").write_text("Eins.\nZwei.\nEins.\n", encoding="utf-8")
    (tmp_path / "sys.en").write_text("one\ntwo\nuno\n", encoding="utf-8")
    outputs = load_outputs(by_ids(SUITE), tmp_path / "sys.en", source=tmp_path / "src.de")
    assert [outputs.text(place, 0) for place in range(3)] == ["uno", "one", "two"]
    assert outputs.by_order == 1


def texts_by_item(
    suite: Suite, sources: Sequence[str], texts: Sequence[str], **told: Sequence[str]
) -> dict[str, str] | str:
    """What each item was paired with, by its phenomenon (which nobody renames here), or that it is an error."""
    collector = Collector(suite)
    source = Source(HERE, sources, **told)  # type: ignore[arg-type]
    try:
        Pairing(suite, source).add(Submission(System("A"), texts, "order", (), Path("a.en")), collector)
    except UnpairedFile as error:
        return "none" if "none of the suite" in str(error) else "ambiguous"
    outputs = collector.outputs()
    return {suite.items[place].tests: outputs.text(place, 0).strip() for place in outputs.found.tolist()}


prompts = st.sampled_from(["", "Sei höflich.", "Sei knapp."])


@given(
    items=st.lists(st.tuples(sentences, prompts), min_size=1, max_size=6),
    lines=st.lists(st.tuples(sentences, prompts, st.sampled_from(["one", "two", " two"])), max_size=8),
    names=st.permutations("abcdef"),
    seed=st.integers(0, 999),
    has_prompts=st.booleans(),
)
def test_renaming_and_reordering_changes_no_text_of_any_item(
    items: list[tuple[str, str]],
    lines: list[tuple[str, str, str]],
    names: list[str],
    seed: int,
    has_prompts: bool,
) -> None:
    """`tests` stays with an item while it is renamed and moved; lines move together with their translations."""

    def pair(
        order: Sequence[int], ids: Sequence[str], lines: Sequence[tuple[str, str, str]]
    ) -> Mapping[str, str] | str:
        chosen = [
            replace(an_item(ids[place], items[place][0]), tests=str(place), prompt=items[place][1]) for place in order
        ]
        told = {"prompts": [prompt for _, prompt, _ in lines]} if has_prompts else {}
        return texts_by_item(a_suite(*chosen), [source for source, _, _ in lines], [text for *_, text in lines], **told)

    chance = Random(seed)
    order = chance.sample(range(len(items)), len(items))
    moved = chance.sample(lines, len(lines))
    assert pair(range(len(items)), "abcdef", lines) == pair(order, names, moved)


def test_one_line_serves_all_items_with_its_source() -> None:
    suite = a_suite(*(replace(an_item(name, "Eins."), tests=name) for name in "ab"))
    assert texts_by_item(suite, ["Eins."], ["one"]) == {"a": "one", "b": "one"}


def test_lines_that_say_the_same_are_no_question() -> None:
    suite = a_suite(*(replace(an_item(name, "Eins."), tests=name) for name in "ab"))
    assert texts_by_item(suite, ["Eins.", "Eins."], ["one", "one "]) == {"a": "one", "b": "one"}
    assert texts_by_item(suite, ["Eins.", "Eins."], ["one", "uno"]) == "ambiguous"


POLITE, SHORT = "Sei höflich.", "Sei knapp."


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([SHORT, POLITE], {"polite": "two", "short": "one"}),
        ([SHORT, "Sei  höflich.\n"], {"polite": "two", "short": "one"}),
        ([SHORT, SHORT], "ambiguous"),
        # The file knows the prompts of this source, and has nothing for the polite item.
        ([SHORT, "Sei wild."], {"short": "one"}),
        (["Sei wild.", "Sei lieb."], "ambiguous"),
        ((), "ambiguous"),
    ],
)
def test_prompts_tell_items_with_the_same_source_apart(told: list[str], expected: object) -> None:
    suite = a_suite(
        replace(an_item("1", "Eins."), tests="polite", prompt=POLITE),
        replace(an_item("2", "Eins."), tests="short", prompt=SHORT),
    )
    assert texts_by_item(suite, ["Eins.", "Eins."], ["one", "two"], prompts=told) == expected


def test_an_item_without_a_prompt_is_told_what_its_neighbours_are_not() -> None:
    suite = a_suite(
        replace(an_item("1", "Eins."), tests="polite", prompt=POLITE), replace(an_item("2", "Eins."), tests="plain")
    )
    told = ["Translate.", POLITE]
    assert texts_by_item(suite, ["Eins.", "Eins."], ["one", "two"], prompts=told) == {"polite": "two", "plain": "one"}
    told = ["Translate.", "Do."]
    assert texts_by_item(suite, ["Eins.", "Eins."], ["one", "two"], prompts=told) == "ambiguous"


def test_an_item_of_several_lines_is_found_where_they_stand_one_below_the_other() -> None:
    suite = a_suite(
        replace(an_item("1", "Eins.\n\n Zwei."), tests="both"), replace(an_item("2", "Drei."), tests="three")
    )
    sources, texts = ["Zwei.", "Eins.", "Zwei.", "Drei.", "Eins."], ["two", "one", "deux", "three", "uno"]
    assert texts_by_item(suite, sources, texts) == {"both": "one\ndeux", "three": "three"}
    # Half an answer is none.
    assert texts_by_item(suite, sources, ["two", "one", "FAILED", "three", "uno"]) == {"both": "", "three": "three"}
    assert texts_by_item(suite, [*sources, "Zwei."], [*texts, "dos"]) == "ambiguous"
    # The publishers of such a suite know nothing of paragraphs.
    assert texts_by_item(by_ids(suite), sources, texts) == {"three": "three"}


def test_places_of_a_prompt_may_hold_anything() -> None:
    suite = a_suite(
        replace(an_item("1", "Eins."), tests="polite", prompt="Translate {source} into polite {target_language}."),
        replace(an_item("2", "Eins."), tests="plain", prompt="Translate (x) into {target_language}."),
    )
    told = ["Translate (x) into English.", "Translate Eins. into polite English."]
    found = texts_by_item(suite, ["Eins.", "Eins."], ["one", "two"], prompts=told)
    assert found == {"polite": "two", "plain": "one"}


def test_a_source_that_is_unique_needs_no_prompt() -> None:
    suite = a_suite(replace(an_item("1", "Eins."), tests="polite", prompt=POLITE))
    assert texts_by_item(suite, ["Eins.", "Zwei."], ["one", "two"], prompts=["Sei wild.", POLITE]) == {"polite": "one"}


def test_contexts_tell_items_apart_too() -> None:
    suite = a_suite(
        replace(an_item("1", "Eins."), tests="first", context="Er zählt."),
        replace(an_item("2", "Eins."), tests="second", context="Die Note."),
    )
    told = ["Die Note.", "Er zählt."]
    assert texts_by_item(suite, ["Eins.", "Eins."], ["one", "two"], contexts=told) == {"first": "two", "second": "one"}


def test_a_text_under_the_id_of_an_item_is_its_text() -> None:
    suite = a_suite(*(replace(an_item(name, "Eins."), tests=name) for name in "ab"))
    assert texts_by_item(suite, ["Eins.", "Eins."], ["one", "two"], ids=["b", "a"]) == {"a": "two", "b": "one"}
    # Numbers of lines are ids by accident: the source must be the item's, too.
    other = a_suite(replace(an_item("1", "Zwei."), tests="two"))
    assert texts_by_item(other, ["Eins.", "Zwei."], ["one", "two"], ids=["1", "2"]) == {"two": "two"}


def test_an_ambiguous_source_is_an_error_that_lists_items_and_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = a_suite(*(an_item(name, "Eins.") for name in "dcba"), an_item("x", "Zwei."))
    monkeypatch.chdir(tmp_path)
    Path("src.de").write_text("Zwei.\n" + "Eins.\n" * 5 + "Zwei.\n", encoding="utf-8")
    Path("sys.en").write_text("two\na\nb\nc\nd\ne\n2\n", encoding="utf-8")
    with pytest.raises(UnpairedFile) as caught:
        load_outputs(suite, "sys.en", source="src.de")
    assert str(caught.value) == (
        "sys.en: 4 items (d, c, b and 1 more) have the source 'Eins.' of lines 2, 3, 4 and 2 more, whose translations "
        "differ (and 1 more source); tell them apart by prompt or context in suite and file, by a map (--map), or by "
        "item ids in the outputs"
    )


DOCUMENTS = ["news_1", "tsuite_en-cs_pia_tsuite_en-cs_pia_1", "tsuite_en-cs_pia_tsuite_en-cs_pia_2", "tsuite_en-cs_x_1"]


def test_documents_of_test_suites_lead_to_the_suites_lines(tmp_path: Path) -> None:
    suite = a_suite(an_item("a", "Eins."), an_item("b", "Zwei."), langpair="en-cs")
    for folder in ("sources", "metadata"):
        (tmp_path / folder).mkdir()
    (tmp_path / "sources" / "en-cs.txt").write_text("Eins.\nEins.\nZwei.\nEins.\n", encoding="utf-8")
    (tmp_path / "metadata" / "en-cs.jsonl").write_text(
        "".join(f'{{"docid": "{name}"}}\n' for name in DOCUMENTS), encoding="utf-8"
    )
    (tmp_path / "sys.txt").write_text("news\nsuite\ntwo\nother\n", encoding="utf-8")
    outputs = load_outputs(suite, tmp_path / "sys.txt", source=tmp_path / "sources" / "en-cs.txt")
    assert [outputs.text(place, 0) for place in range(2)] == ["suite", "two"]


SUITE = a_suite(an_item("b", "Eins."), an_item("a", "Eins."), an_item("c", "Zwei."), an_item("d", "Nirgends."))


def texts_of(tmp_path: Path, sources: str, outputs: str) -> dict[str, str]:
    (tmp_path / "src.de").write_text(sources, encoding="utf-8")
    (tmp_path / "sys.en").write_text(outputs, encoding="utf-8")
    found = load_outputs(SUITE, tmp_path / "sys.en", source=tmp_path / "src.de")
    return {SUITE.items[place].id: found.text(place, 0) for place in found.found.tolist()}


def test_outputs_are_joined_by_source_sentence(tmp_path: Path) -> None:
    found = texts_of(tmp_path, "Zwei.\nEins.\nFremd.\nEins.\n", "two\none\nother\none\n")
    assert found == {"a": "one", "b": "one", "c": "two"}


def test_empty_lines_shift_nothing(tmp_path: Path) -> None:
    found = texts_of(tmp_path, "\nEins.\n\nZwei.\n\n", "\none\n\n\n\n")
    assert found == {"a": "one", "b": "one", "c": ""}


def test_a_line_separator_inside_a_line_shifts_nothing(tmp_path: Path) -> None:
    found = texts_of(tmp_path, "Frem\u2028d.\nZwei.\nEins.\n", "a\x0bb\x85c\ntwo\u2028two\none\n")
    assert found == {"a": "one", "b": "one", "c": "two\u2028two"}


@pytest.mark.parametrize(
    ("sources", "outputs", "message"),
    [
        ("Eins.\nZwei.\n", "one\n", r"sys\.en:2: 1 lines, but .*src\.de has 2"),
        ("Eins.\n", "one\ntwo\nthree\n", r"sys\.en:2: 3 lines, but .*src\.de has 1"),
        ("Fremd.\n", "other\n", r"src\.de: none of the suite's 4 sources is in the file"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path: Path, sources: str, outputs: str, message: str) -> None:
    with pytest.raises(UnpairedFile, match=message):
        texts_of(tmp_path, sources, outputs)


@pytest.mark.parametrize("count", [3, 5])
def test_without_a_source_file_there_is_one_line_per_item(tmp_path: Path, count: int) -> None:
    (tmp_path / "sys.txt").write_text("line\n" * count, encoding="utf-8")
    with pytest.raises(UnpairedFile, match=rf"sys\.txt:{min(count, 4) + 1}: {count} lines for 4 items"):
        load_outputs(SUITE, tmp_path / "sys.txt")


def test_without_a_source_file_lines_are_in_suite_order(tmp_path: Path) -> None:
    (tmp_path / "sys.txt").write_text("1\n2\n3\n4\n", encoding="utf-8")
    outputs = load_outputs(SUITE, tmp_path / "sys.txt")
    assert [outputs.text(place, 0) for place in range(4)] == ["1", "2", "3", "4"]


def test_a_system_given_twice_is_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sys.txt").write_text("x\n" * 4, encoding="utf-8")
    files = [tmp_path / folder / "sys.txt" for folder in ("a", "b")]
    with pytest.raises(BadOption, match=r"b/sys\.txt: system 'sys' is given twice"):
        load_outputs(SUITE, files)
    assert [s.name for s in load_outputs(SUITE, [files[0], f"other={files[1]}"]).systems] == ["sys", "other"]


def test_no_files_at_all_are_refused() -> None:
    with pytest.raises(BadOption, match="no outputs given"):
        load_outputs(SUITE, [])


@pytest.mark.parametrize("source", ["-", Path("-")])
def test_standard_input_is_read_once_only(source: str | Path) -> None:
    with pytest.raises(BadOption, match="only once"):
        load_outputs(SUITE, ["-"], source=source)


@pytest.mark.parametrize("kind", ["xml", "jsonl"])
def test_plain_outputs_may_be_parallel_to_an_xml_or_jsonl_source(tmp_path: Path, kind: str) -> None:
    from assay.outputs.sources import write_sources

    write_sources(SUITE, tmp_path / f"src.{kind}")
    (tmp_path / "sys.txt").write_text("1\n2\n3\n4\n", encoding="utf-8")
    outputs = load_outputs(SUITE, tmp_path / "sys.txt", source=tmp_path / f"src.{kind}")
    assert outputs.found.tolist() == [0, 1, 2, 3]
    # The files have the items' ids, which say more than the order of lines.
    assert [outputs.text(place, 0) for place in range(4)] == ["1", "2", "3", "4"]


CANARY = "do not train on this: canary 1b9d"


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ([CANARY, "Ja.", "Nein."], ["Yes.", "No."]),
        (["Ja.", "Nein."], [CANARY, "Yes.", "No."]),
        ([CANARY, "Ja.", "Nein."], [CANARY, "Yes.", "No."]),
    ],
    ids=["in the source alone", "in the output alone", "in both"],
)
def test_a_canary_line_is_no_difference(tmp_path: Path, source: list[str], output: list[str]) -> None:
    suite = a_suite(an_item("1", "Nein."), an_item("2", "Ja."))
    for name, lines in (("src.de", source), ("sys.en", output)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    outputs = load_outputs(suite, tmp_path / "sys.en", source=tmp_path / "src.de")
    assert [outputs.text(position, 0) for position in range(2)] == ["No.", "Yes."]


def test_a_first_line_that_is_no_canary_is_a_difference(tmp_path: Path) -> None:
    (tmp_path / "src.de").write_text("Ja.\nNein.\n", encoding="utf-8")
    (tmp_path / "sys.en").write_text("Yes.\nNo.\nMaybe.\n", encoding="utf-8")
    with pytest.raises(UnpairedFile, match="3 lines, but"):
        load_outputs(a_suite(an_item("1", "Nein.")), tmp_path / "sys.en", source=tmp_path / "src.de")
