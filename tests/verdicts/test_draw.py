"""Draws: an order in which every beginning is a sample, whatever becomes of its texts later."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadFile, BadOption
from assay.evaluation.evaluation import judge_outputs
from assay.outputs import Collector, System
from assay.stats.priorities import HEAVIEST
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.verdicts.draw import (
    Draw,
    DrawnText,
    draw_file,
    draw_place,
    first_waiting,
    new_draw,
    read_draw,
    skip,
    write_draw,
)
from assay.verdicts.written_texts import WrittenTexts, written_texts

Keys = Sequence[tuple[str, str]]

# Items i-0 … i-5; A and B agree on the last two, of which one is right by its rule.
OUTPUTS = {
    "A": ["a bolt", "a latch", "a bar", "a hook", "a pin", "right pin"],
    "B": ["the bolt", "the latch", "the bar", "the hook", "a pin", "right pin"],
}


def suite_of(number: int, judged: Keys = (), right: Sequence[str] = ()) -> Suite:
    """Words in `right` make a text right; texts in `judged` were judged to be wrong."""
    rules = tuple(Rule("pass", "contains", word) for word in ("right", *right))
    items = tuple(
        Item(
            f"i-{row}",
            "C",
            "P",
            f"Satz {row}.",
            (*rules, *(Rule("fail", "exact", t) for i, t in judged if i == f"i-{row}")),
        )
        for row in range(number)
    )
    return Suite("locks", "de-en", items, taxonomy_of(items))


def texts_of(
    outputs: Mapping[str, Sequence[str]] = OUTPUTS, judged: Keys = (), right: Sequence[str] = ()
) -> WrittenTexts:
    number = len(next(iter(outputs.values())))
    suite = suite_of(number, judged, right)
    collector = Collector(suite)
    for name, texts in outputs.items():
        collector.add(System(name), positions=range(number), texts=texts)
    return written_texts(judge_outputs(suite, collector.outputs(), keep_all=True)[0])


def keys(texts: Sequence[DrawnText]) -> list[tuple[str, str]]:
    return [(text.item, text.text) for text in texts]


def judged_of(draw: Draw, texts: WrittenTexts) -> list[tuple[str, str]]:
    """What carries weight."""
    places = {place: key for key, place in texts.places().items()}
    return [places[place] for place in draw.sampled(texts).judged.tolist()]


@pytest.fixture
def draw() -> Draw:
    return new_draw(texts_of())


@pytest.fixture
def order(draw: Draw) -> list[tuple[str, str]]:
    return keys(draw.texts)


def test_a_draw_has_every_undecided_text_once_those_of_high_priority_first(draw: Draw) -> None:
    assert len(draw.texts) == 9
    assert ("i-4", "a pin") in keys(draw.texts)
    assert ("i-5", "right pin") not in keys(draw.texts)
    priorities = [text.priority for text in draw.texts]
    assert priorities == sorted(priorities, reverse=True)


def test_another_seed_is_another_order_and_another_name(draw: Draw) -> None:
    other = new_draw(texts_of(), seed=2)
    assert sorted(keys(other.texts)) == sorted(keys(draw.texts))
    assert keys(other.texts) != keys(draw.texts)
    assert other.name != draw.name


def test_where_nothing_is_undecided_there_is_nothing_to_draw() -> None:
    with pytest.raises(BadOption, match="no text is undecided"):
        new_draw(texts_of(right=["a", "the"]))


@pytest.mark.parametrize("number", [0, 1, 4, 8, 9])
def test_every_beginning_is_a_sample(draw: Draw, order: list[tuple[str, str]], number: int) -> None:
    texts = texts_of(judged=order[:number])
    sampled = draw.sampled(texts)
    assert judged_of(draw, texts) == order[:number]
    assert keys(sampled.next) == order[number:]
    threshold = draw.texts[number].priority if number < 9 else 0.0
    for text in draw.texts:
        chance = min(1.0, text.size / threshold) if threshold else 1.0
        assert sampled.chances[texts.places()[text.item, text.text]] == pytest.approx(chance)
    assert sampled.population == 9


def test_a_text_that_a_rule_decides_leaves_judged_or_not(draw: Draw, order: list[tuple[str, str]]) -> None:
    # A rule for "bolt" comes after the first three were judged: it decides texts on either side of that line.
    bolts = [key for key in order if "bolt" in key[1]]
    texts = texts_of(judged=[key for key in order[:3] if key not in bolts], right=["bolt"])
    assert judged_of(draw, texts) == [key for key in order[:3] if key not in bolts]
    assert keys(draw.sampled(texts).next) == [key for key in order[3:] if key not in bolts]
    assert draw.sampled(texts).population == 7


def test_a_text_judged_out_of_order_stands_for_itself_until_all_before_it_is_judged(
    draw: Draw, order: list[tuple[str, str]]
) -> None:
    texts = texts_of(judged=[order[0], order[2]])
    sampled = draw.sampled(texts)
    assert judged_of(draw, texts) == [order[0]]
    assert sampled.chances[texts.places()[order[2]]] == 1
    assert keys(sampled.next) == [order[1], *order[3:]]
    assert judged_of(draw, texts_of(judged=order[:3])) == order[:3]


def test_those_judged_stand_for_those_skipped(draw: Draw, order: list[tuple[str, str]]) -> None:
    texts = texts_of(judged=[order[0], order[2], order[3]])
    sampled = skip(draw, [order[1]]).sampled(texts)
    assert (len(sampled.judged), sampled.skipped) == (3, 1)
    threshold = draw.texts[4].priority
    expected = min(1.0, draw.texts[0].size / threshold) * 3 / 4
    assert sampled.chances[texts.places()[order[0]]] == pytest.approx(expected)


def test_a_skipped_text_that_is_judged_after_all_is_judged(draw: Draw, order: list[tuple[str, str]]) -> None:
    sampled = skip(draw, [order[0]]).sampled(texts_of(judged=order[:2]))
    assert (len(sampled.judged), sampled.skipped) == (2, 0)


def test_new_outputs_need_a_new_draw(draw: Draw) -> None:
    more = {**OUTPUTS, "C": ["one bolt", *OUTPUTS["A"][1:]]}
    with pytest.raises(BadOption, match=r"1 undecided text not in the draw \(i-0: 'one bolt'\).*assay sample … --new"):
        draw.sampled(texts_of(more))


def test_a_new_system_that_wrote_nothing_new_needs_none(draw: Draw, order: list[tuple[str, str]]) -> None:
    assert judged_of(draw, texts_of({**OUTPUTS, "C": OUTPUTS["A"]}, judged=order[:2])) == order[:2]


def test_texts_go_with_their_system(draw: Draw, order: list[tuple[str, str]]) -> None:
    only = {"A": OUTPUTS["A"]}
    mine = [key for key in order if key[1].startswith("a ")]
    texts = texts_of(only, judged=order[:4])
    assert judged_of(draw, texts) == [key for key in order[:4] if key in mine]
    assert keys(draw.sampled(texts).next) == [key for key in order[4:] if key in mine]


def test_a_judged_text_that_nobody_wrote_any_more_is_an_error(draw: Draw, order: list[tuple[str, str]]) -> None:
    row = int(order[0][0].removeprefix("i-"))
    changed = {name: ["right" if n == row else text for n, text in enumerate(OUTPUTS[name])] for name in OUTPUTS}
    with pytest.raises(BadOption, match=f"a judged text of the draw is no longer there \\({order[0][0]}: "):
        draw.sampled(texts_of(changed, judged=order[:1]))


def test_how_many_are_missing_goes_by_the_smallest_text_even_if_that_is_judged() -> None:
    # The small text comes first by chance; as long as the next has a priority of 30, it would stand for 30 texts.
    draw = Draw("locks", 1, (), (DrawnText("i-0", "a", 1.0, 90.0), *(DrawnText("i-1", t, 3.0, 30.0) for t in "bc")))
    outputs = {"A": ["a", "b"], "B": ["a", "c"]}
    assert draw.sampled(texts_of(outputs, judged=[("i-0", "a")])).missing == 2
    assert HEAVIEST < 30


def test_where_a_draw_goes_on_is_known_without_outputs(draw: Draw, order: list[tuple[str, str]]) -> None:
    assert first_waiting(draw, suite_of(6)) == draw.texts[0]
    skipped = skip(draw, [order[1]])
    assert first_waiting(skipped, suite_of(6, [order[0], order[2], order[4]])) == draw.texts[3]
    assert first_waiting(draw, suite_of(6, order)) is None


# Files


def test_places_of_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    assert draw_file(tmp_path / "mine") == tmp_path / "mine" / "draw.json"
    assert draw_file(Path("mine/suite.yaml")) == Path("mine/draw.json")
    assert draw_file(Path("items.json")) == Path("items.json.draw.json")
    assert draw_place("mine") == Path("mine/draw.json")
    assert draw_place("de-en") == Path("de-en.draw.json")
    (tmp_path / "de-en").mkdir()
    assert draw_place("de-en") == Path("de-en/draw.json")


OUTPUT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(
    st.lists(st.tuples(OUTPUT, OUTPUT, OUTPUT), min_size=1, max_size=6),
    st.integers(min_value=0, max_value=2**63),
    st.data(),
)
def test_what_is_written_is_read_and_every_beginning_of_it_is_a_sample(
    rows: list[tuple[str, ...]], seed: int, data: st.DataObject
) -> None:
    outputs = {name: [row[column] for row in rows] for column, name in enumerate("ABC")}
    texts = texts_of(outputs)
    if not texts.undecided.any():
        return
    made = new_draw(texts, seed=seed)
    order = keys(made.texts)
    made = skip(made, data.draw(st.sets(st.sampled_from(order), max_size=2)))
    with tempfile.TemporaryDirectory() as folder:
        write_draw(made, Path(folder, "draw.json"))
        read = read_draw(Path(folder, "draw.json"))
    assert read == made
    assert read.name == made.name
    number = data.draw(st.integers(0, len(order)))
    judged = texts_of(outputs, judged=order[:number])
    sampled = read.sampled(judged)
    # By definition: those above the threshold, which is the highest priority among the others.
    above = {(text.item, text.text) for text in made.texts[:number]}
    waits = [text for text in made.texts if (text.item, text.text) not in above | made.skipped]
    before = [key for key in order[:number] if not waits or order.index(key) < order.index(keys(waits)[0])]
    assert judged_of(read, judged) == before
    assert np.all((sampled.chances >= 0) & (sampled.chances <= 1))


ENTRY = {"item": "i-0", "text": "a bolt", "size": 1.0}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "draw.json:1: broken JSON: "),
        ("[" * 100_000, "draw.json: broken JSON: RecursionError"),
        ("[]", "this is not a draw"),
        ('{"seed": true, "texts": [], "systems": []}', "this is not a draw"),
        ({"seed": 1, "texts": {}}, "this is not a draw"),
        ({"seed": 1, "texts": ["a"]}, "'texts' is not a list of texts"),
        ({"seed": 1, "texts": [{**ENTRY, "item": 3}]}, "not a text of a draw: "),
        ({"seed": 1, "texts": [{**ENTRY, "size": -1}]}, "item 'i-0': -1 is no size of a text"),
        ({"seed": 1, "texts": [{**ENTRY, "size": float("nan")}]}, "item 'i-0': nan is no size of a text"),
        ({"seed": 1, "texts": [{**ENTRY, "size": 10**400}]}, "is no size of a text"),
        ({"seed": 1, "texts": [ENTRY, ENTRY], "systems": []}, "a text stands in it twice"),
        ({"seed": 1, "texts": [ENTRY], "systems": 3}, "'systems' is not a list of names"),
        ({"seed": 1, "texts": [ENTRY], "systems": [], "skipped": [{"item": 3}]}, "not a text of a draw: "),
    ],
)
def test_a_file_that_is_no_draw(tmp_path: Path, content: object, problem: str) -> None:
    file = tmp_path / "draw.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    with pytest.raises(BadFile) as refused:
        read_draw(file)
    assert problem in str(refused.value)
    assert str(refused.value).endswith("; draw anew: assay sample … --new")


@pytest.mark.parametrize("change", [{"seed": 7}, {"texts": "reversed"}])
def test_a_seed_or_an_order_that_was_changed_is_noticed(tmp_path: Path, draw: Draw, change: dict[str, object]) -> None:
    file = tmp_path / "draw.json"
    write_draw(draw, file)
    content = json.loads(file.read_text(encoding="utf-8"))
    content |= {"texts": content["texts"][::-1]} if "texts" in change else change
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(BadFile, match=r"its texts are not in the order of seed \d: seed or sizes were changed"):
        read_draw(file)
