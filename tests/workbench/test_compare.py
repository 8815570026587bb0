"""Two systems of the database beside each other, and campaigns."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.errors import BadOption, UnknownName
from assay.text import plural
from assay.workbench.results.compare import (
    SystemPair,
    compare_systems,
    more_items,
    show_years,
    years_of_snapshot,
)
from assay.workbench.results.results import ResultOptions
from tests.workbench.starter import PAIR, World, small_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with small_world(tmp_path) as made:
        yield made


class TestPairs:
    def test_items_that_only_one_got_right(self, world: World) -> None:
        found = world.read(compare_systems, PAIR, ResultOptions())
        lost, gained = found.sides
        assert (lost.name, gained.name) == ("literal", "careful")
        assert (lost.number, gained.number) == (0, 43)
        for portion, verdicts in ((lost, ["pass", "fail"]), (gained, ["fail", "pass"])):
            for entry in portion.items:
                assert [half.verdict for half in entry.halves] == verdicts
                assert [half.name for half in entry.halves] == ["literal", "careful"]
                assert any(kind == "differs" for half in entry.halves for _, _, kind in half.marks)
        assert found.answer
        assert f"{plural(lost.number, 'item')} lost, {gained.number} gained" in found.answer.sentences[0]

    def test_words_that_differ_are_marked(self, world: World) -> None:
        gained = world.read(more_items, PAIR, ResultOptions(), "gained", category="Ambiguity")
        halves = next(entry.halves for entry in gained.items if entry.item.id == "lexical-ambiguity/strauss")
        literal, careful = (
            [half.text[start:end] for start, end, kind in half.marks if kind == "differs"] for half in halves
        )
        # For farewell her colleagues gave her a big ostrich.
        # Her colleagues presented her with a large bouquet as a farewell gift.
        assert literal == ["For", "her colleagues gave her a big ostrich"]
        assert careful == ["Her colleagues presented her with a large bouquet as a", "gift"]

    def test_they_come_in_portions_and_by_category(self, world: World) -> None:
        first = world.read(more_items, PAIR, ResultOptions(), "gained")
        second = world.read(more_items, PAIR, ResultOptions(), "gained", start=20)
        assert (len(first.items), first.left) == (20, first.number - 20)
        assert first.items[-1] not in second.items
        mwe = world.read(more_items, PAIR, ResultOptions(), "gained", category="MWE")
        assert {entry.item.category for entry in mwe.items} == {"MWE"}
        with pytest.raises(UnknownName, match="no category 'mwe'"):
            world.read(more_items, PAIR, ResultOptions(), "gained", category="mwe")
        with pytest.raises(UnknownName, match="no side"):
            world.read(more_items, PAIR, ResultOptions(), "both")

    def test_without_a_pair_it_is_the_best_two_of_the_newest_campaign(self, world: World) -> None:
        assert world.read(compare_systems, None, ResultOptions()).pair == SystemPair("average (2026)", "literal (2026)")

    def test_a_settled_judgement_says_whose_it_is(self, world: World) -> None:
        # Of steuer, `literal` is a warning and `careful` right.
        world.judge(world.anna, world.text("lexical-ambiguity/steuer", "literal"), "fail")
        gained = world.read(more_items, PAIR, ResultOptions(), "gained", category="Ambiguity")
        entry = next(entry for entry in gained.items if entry.item.id == "lexical-ambiguity/steuer")
        assert entry.halves[0].why[0].words.startswith("judged by anna, ")

    def test_an_unknown_system_is_not_found(self, world: World) -> None:
        with pytest.raises(UnknownName, match="no system 'nobody'"):
            world.read(compare_systems, SystemPair("careful", "nobody"), ResultOptions())

    def test_a_pair_that_cannot_be_compared_says_why(self, world: World) -> None:
        found = world.read(compare_systems, SystemPair("careful", "careful"), ResultOptions())
        assert found.problem == "careful would be compared with itself; choose two systems"
        assert (found.table, found.sides) == (None, ())
        assert found.names == ["average (2025)", "careful", "literal (2025)", "average (2026)", "literal (2026)"]


class TestYears:
    def test_systems_that_return_and_the_change(self, world: World) -> None:
        found = world.read(show_years, ResultOptions())
        assert found.campaigns == ["2025", "2026"]
        assert found.names == ["average", "literal"]
        assert [table.columns for table in found.tables] == [
            ("items", "average 2025", "average 2026", "literal 2025", "literal 2026", "best 2025", "best 2026"),
            ("items", "average", "literal", "mean"),
        ]

    def test_only_some_systems(self, world: World) -> None:
        found = world.read(show_years, ResultOptions(systems=("literal",)))
        assert found.tables[1].columns == ("items", "literal", "mean")
        everybody = world.read(show_years, ResultOptions(systems=("literal", "average")))
        assert everybody.tables == world.read(show_years, ResultOptions()).tables
        with pytest.raises(UnknownName, match="no system 'nobody'"):
            world.read(show_years, ResultOptions(systems=("nobody",)))

    def test_one_campaign_is_not_enough(self, world: World) -> None:
        found = world.read(show_years, ResultOptions(("2025",)))
        assert found.problem == "years needs at least two campaigns; there is only 2025"
        assert found.tables == ()
        with pytest.raises(BadOption, match="at least two campaigns"):
            years_of_snapshot(world.snapshot, ResultOptions(("2025",)))
