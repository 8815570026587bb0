"""Two systems of the database beside each other, and campaigns."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.model import BadOption, UnknownName
from assay.workbench.beside import Pair, changed_items, compare_board, compare_systems, show_years, word_differences
from assay.workbench.results import Asked
from tests.workbench.starter import PAIR, World, small_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with small_world(tmp_path) as made:
        yield made


class TestPairs:
    def test_items_that_only_one_got_right(self, world: World) -> None:
        found = compare_systems(world.board, PAIR, Asked())
        lost, gained = found.sides
        assert (lost.name, gained.name) == ("literal", "careful")
        assert (lost.number, gained.number) == (len(found.comparison.lost), len(found.comparison.gained))
        assert (lost.number, gained.number) == (0, 43)
        for portion, verdicts in ((lost, ["pass", "fail"]), (gained, ["fail", "pass"])):
            for entry in portion.items:
                assert [half.verdict for half in entry.halves] == verdicts
                assert [half.name for half in entry.halves] == ["literal", "careful"]
                assert any(kind == "differs" for half in entry.halves for _, _, kind in half.marks)
        assert f"items lost: {lost.number}, gained: {gained.number}" in found.headline

    def test_they_come_in_portions_and_by_category(self, world: World) -> None:
        comparison = compare_board(world.board, PAIR, Asked())
        first = changed_items(comparison, "gained")
        second = changed_items(comparison, "gained", start=20)
        assert (len(first.items), first.left) == (20, first.number - 20)
        assert first.items[-1] not in second.items
        mwe = changed_items(comparison, "gained", category="MWE")
        assert {entry.item.category for entry in mwe.items} == {"MWE"}
        with pytest.raises(UnknownName, match="no category 'mwe'"):
            changed_items(comparison, "gained", category="mwe")
        with pytest.raises(UnknownName, match="no side"):
            changed_items(comparison, "both")

    def test_without_a_pair_it_is_the_best_two_of_the_newest_campaign(self, world: World) -> None:
        assert compare_systems(world.board, None, Asked()).pair == Pair("average (2026)", "literal (2026)")

    def test_a_settled_judgement_says_whose_it_is(self, world: World) -> None:
        # Of steuer, `literal` is a warning and `careful` right.
        world.judge(world.anna, world.text("lexical-ambiguity/steuer", "literal"), "fail")
        gained = changed_items(compare_board(world.board, PAIR, Asked()), "gained", category="Ambiguity")
        entry = next(entry for entry in gained.items if entry.item.id == "lexical-ambiguity/steuer")
        assert entry.halves[0].why[0].words.startswith("judged by anna, ")

    @pytest.mark.parametrize(
        ("pair", "says"),
        [(Pair("careful", "careful"), "compared with itself"), (Pair("careful", "nobody"), "no system 'nobody'")],
    )
    def test_bad_pairs_say_what_is_wrong(self, world: World, pair: Pair, says: str) -> None:
        with pytest.raises(BadOption, match=says):
            compare_systems(world.board, pair, Asked())


@pytest.mark.parametrize(
    ("first", "second", "marked"),
    [
        ("The key is in the lock.", "The key is in the latch.", (["lock"], ["latch"])),
        ("He left early today.", "He left.", (["early today"], [])),
        ("It's old.", "It isn't old!", (["It's", "."], ["It isn't", "!"])),
        ("same", "same", ([], [])),
        ("", "all new", ([], ["all new"])),
        ("Straße — „Haus“", "Straße – „Haus“", (["—"], ["–"])),
    ],
)
def test_words_that_differ(first: str, second: str, marked: tuple[list[str], list[str]]) -> None:
    ranges = word_differences(first, second)
    assert tuple([text[a:b] for a, b in found] for text, found in zip((first, second), ranges, strict=True)) == marked


class TestYears:
    def test_systems_that_return_and_the_change(self, world: World) -> None:
        found = show_years(world.board, Asked())
        assert found.campaigns == ["2025", "2026"]
        assert found.names == ["average", "literal"]
        assert [table.columns for table in found.tables] == [
            ("items", "average 2025", "average 2026", "literal 2025", "literal 2026", "best 2025", "best 2026"),
            ("items", "average", "literal", "mean"),
        ]

    def test_only_some_systems(self, world: World) -> None:
        found = show_years(world.board, Asked(systems=("literal",)))
        assert found.tables[1].columns == ("items", "literal", "mean")
        everybody = show_years(world.board, Asked(systems=("literal", "average")))
        assert everybody.years.best["2025"].name == "careful"
        with pytest.raises(UnknownName, match="no system 'nobody'"):
            show_years(world.board, Asked(systems=("nobody",)))

    def test_one_campaign_is_not_enough(self, world: World) -> None:
        with pytest.raises(BadOption, match="at least two campaigns"):
            show_years(world.board, Asked(("2025",)))
