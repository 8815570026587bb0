"""Results on the database: the same numbers as of exported files, choices, and the items behind a cell."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.errors import BadOption, UnknownName
from assay.evaluation import compare_files, evaluate_files
from assay.evaluation.years import over_years
from assay.outputs import Collector, Inputs, System
from assay.reports import render
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.workbench.db.database import Store
from assay.workbench.files.export import export
from assay.workbench.files.importer import Import, read
from assay.workbench.people.credentials import local_user
from assay.workbench.results.compare import compare_systems, show_years, years_of_snapshot
from assay.workbench.results.downloads import download, download_pair
from assay.workbench.results.results import (
    CellPlace,
    ResultOptions,
    Results,
    evaluate_snapshot,
    open_cell,
    show_results,
)
from assay.workbench.snapshot import Snapshots
from tests.starter import CAREFUL, LITERAL, STARTER
from tests.workbench.starter import NAME, PAIR, World, small_world
from tests.workbench.visits import NOBODY, Visits


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with small_world(tmp_path) as made:
        yield made


class TestNumbers:
    @pytest.mark.parametrize(
        "asked",
        [
            ResultOptions(("2025",)),
            ResultOptions(("2026",), policy="own", correction="holm"),
            ResultOptions(("2025",), policy="strict", test="mcnemar", alpha=0.01, seed=7),
            ResultOptions(("2025",), systems=("careful", "literal"), test="randomization", draws=50),
        ],
    )
    def test_are_those_of_evaluate_on_exported_files(self, world: World, tmp_path: Path, asked: ResultOptions) -> None:
        world.judge(world.anna, world.text("lexical-ambiguity/steuer", "average"), "pass")
        world.judge(world.anna, world.text("modal-particle/mal", "careful"), "pass")
        world.judge(world.ben, world.text("modal-particle/mal", "careful"), "fail")
        world.judge(world.anna, world.text("date/oktober", "careful"), "fail")
        world.visits.undo(world.anna)
        mine = json.loads(world.read(download, asked, "results.json").content)
        folder = tmp_path / "export"
        export(world.store, NAME, folder)
        inputs = Inputs(str(folder / "suite"), [str(folder / "outputs" / f"{asked.campaigns[0]}.yaml")])
        evaluation = evaluate_files(inputs, systems=asked.systems, **asked.choices())
        assert mine == json.loads(render(evaluation, "json"))

    def test_of_two_systems_are_those_of_compare(self, world: World) -> None:
        mine = json.loads(world.read(download_pair, PAIR, ResultOptions(), "comparison.json", by="both").content)
        files = compare_files(
            Inputs(STARTER, [str(LITERAL), str(CAREFUL)], campaign="2025"), draws=ResultOptions().draws
        )
        assert mine == json.loads(json.dumps(files.to_dict("both")))

    def test_over_years_are_those_of_years(self, world: World) -> None:
        mine = years_of_snapshot(world.snapshot, ResultOptions())
        files = over_years(world.snapshot.suite, world.snapshot.outputs, draws=ResultOptions().draws)
        assert mine.rows("both") == files.rows("both")
        assert mine.signature == files.signature

    def test_change_with_a_judgement(self, world: World) -> None:
        asked = ResultOptions(("2025",), policy="own")
        before = evaluate_snapshot(world.snapshot, asked)
        assert evaluate_snapshot(world.snapshot, asked) is before
        world.judge(world.anna, world.text("date/oktober", "careful"), "pass")
        after = evaluate_snapshot(world.snapshot, asked)
        assert [row.averages()[0].items for row in (before, after)] == [94, 94]
        careful = after.columns.index("careful")
        old, new = (found.averages()[0].cells[careful] for found in (before, after))
        assert (new.correct, new.total) == ((old.correct or 0) + 1, (old.total or 0) + 1)


class TestChoices:
    def test_without_a_campaign_it_is_the_newest(self, world: World) -> None:
        results = world.read(show_results, ResultOptions())
        assert isinstance(results, Results)
        assert results.asked.campaigns == ("2026",)
        assert results.evaluation.columns == ["average", "literal"]

    def test_all_campaigns(self, world: World) -> None:
        results = world.read(show_results, ResultOptions(("*",)))
        assert isinstance(results, Results)
        assert sorted(results.evaluation.columns) == [
            "average (2025)",
            "average (2026)",
            "careful",
            "literal (2025)",
            "literal (2026)",
        ]
        assert results.names == ["average", "careful", "literal"]

    def test_all_systems_are_as_good_as_none(self, world: World) -> None:
        results = world.read(show_results, ResultOptions(("2025",), systems=("literal", "careful", "average")))
        assert results.asked.systems == ()
        assert list(results.chosen) == ["average", "careful", "literal"]

    def test_a_name_is_no_pattern(self, tmp_path: Path) -> None:
        items = (Item("one", "C", "P", "Eins.", (Rule("pass", "contains", "one"),)),)
        suite = Suite("names", "de-en", items, taxonomy_of(items))
        collector = Collector(suite)
        for name in ("GPT[5]", "GPT5", "*"):
            collector.add(System(name), positions=[0], texts=["one"])
        store = Store.create(str(tmp_path / "names.db"))
        Import(suite, collector.outputs(), "test").run(store, local_user(store))
        snapshot = Snapshots(store).get("names")
        for name in ("GPT[5]", "GPT5", "*"):
            assert evaluate_snapshot(snapshot, ResultOptions(systems=(name,))).columns == [name]
        store.close()

    @pytest.mark.parametrize(
        ("asked", "says"),
        [
            (ResultOptions(systems=("nobody",)), "no system 'nobody'"),
            (ResultOptions(("1999",)), "no campaign '1999'"),
            (ResultOptions(policy="lenient"), "no policy 'lenient'; there are: estimate, fair, own, strict"),
            (ResultOptions(test="t"), "no test 't'"),
            (ResultOptions(correction="x"), "no correction 'x'"),
            (ResultOptions(alpha=2), "alpha is 2; it must lie between 0 and 1"),
            (ResultOptions(alpha=float("nan")), "alpha is nan"),
            (ResultOptions(draws=0), "draws is 0"),
            (ResultOptions(draws=10**9), "draws is 1,000,000,000; here at most 100,000"),
            (ResultOptions(seed=-1), "seed is -1"),
        ],
    )
    def test_bad_ones_say_what_is_wrong(self, world: World, asked: ResultOptions, says: str) -> None:
        with pytest.raises(BadOption, match=says):
            world.read(show_results, asked)

    def test_the_query_leaves_out_what_is_as_ever(self) -> None:
        assert ResultOptions().query() == {}
        asked = ResultOptions(("2025",), ("careful",), policy="own", draws=500)
        assert asked.query() == {"campaign": ("2025",), "system": ("careful",), "policy": "own", "draws": 500}

    def test_without_outputs_there_is_nothing_to_count(self, tmp_path: Path) -> None:
        store = Store.create(str(tmp_path / "empty.db"))
        read(STARTER, [], source=None, campaign="").run(store, local_user(store))
        visits = Visits(store)
        with pytest.raises(BadOption, match="there are no outputs yet; import some"):
            visits.read(NOBODY, NAME, show_results, ResultOptions())
        with pytest.raises(BadOption, match="there are no outputs yet; import some"):
            visits.read(NOBODY, NAME, compare_systems, None, ResultOptions())
        years = visits.read(NOBODY, NAME, show_years, ResultOptions())
        assert years.problem.startswith("years needs at least two campaigns")
        store.close()


class TestCells:
    def test_what_needs_a_look_comes_first(self, world: World) -> None:
        cell = world.read(open_cell, ResultOptions(("2025",)), CellPlace("literal", category="MWE"))
        evaluation = evaluate_snapshot(world.snapshot, ResultOptions(("2025",)))
        mine = list(evaluation.verdicts(category="MWE", system="literal"))
        for group in cell.groups:
            expected = [judged.item.id for judged in mine if str(judged.finding.verdict) == group.verdict]
            assert [entry.item.id for entry in group.items] == expected
            assert group.number == len(expected) == cell.numbers[group.verdict]
        assert [group.verdict for group in cell.groups] == ["fail", "warning", "pass"]
        assert cell.where == "MWE"

    def test_items_that_do_not_count_say_so(self, world: World) -> None:
        # `literal` has a warning at steuer, and so has `average`: the item counts for nobody.
        cell = world.read(open_cell, ResultOptions(("2025",)), CellPlace("careful", "Ambiguity", "Lexical ambiguity"))
        uncounted = [entry.item.id for group in cell.groups for entry in group.items if not entry.counts]
        assert uncounted == ["lexical-ambiguity/steuer"]
        assert cell.where == "Ambiguity › Lexical ambiguity"
        own = world.read(
            open_cell, ResultOptions(("2025",), policy="own"), CellPlace("careful", "Ambiguity", "Lexical ambiguity")
        )
        assert all(entry.counts for group in own.groups for entry in group.items)

    def test_marks_show_what_the_rule_matched(self, world: World) -> None:
        cell = world.read(open_cell, ResultOptions(("2025",)), CellPlace("careful", average="micro"), verdicts=["pass"])
        entry = next(entry for entry in cell.groups[0].items if entry.shown and entry.shown.marks)
        assert entry.shown is not None
        start, end, kind = entry.shown.marks[0]
        assert kind == "pass"
        assert entry.shown.value[start:end]

    def test_a_missing_output_has_no_text(self, world: World) -> None:
        cell = world.read(
            open_cell, ResultOptions(("2025",)), CellPlace("literal", average="warnings"), verdicts=["warning"]
        )
        assert cell.where == "warnings"
        missing = [entry for entry in cell.groups[0].items if not (entry.shown and entry.shown.value)]
        assert [entry.item.id for entry in missing] == ["resultative-predicates/wach-geschrien"]

    def test_items_come_in_portions(self, world: World) -> None:
        place, asked = CellPlace("average", average="micro"), ResultOptions(("2025",))
        parts = [world.read(open_cell, asked, place, start=start) for start in (0, 40, 80)]
        assert [part.left for part in parts] == [54, 14, 0]
        found = [entry.item.id for part in parts for group in part.groups for entry in group.items]
        assert len(found) == len(set(found)) == 94
        heads = [group.verdict for part in parts for group in part.groups if group.first]
        assert heads == ["fail", "warning", "pass"]
        assert world.read(open_cell, asked, place, start=1000).groups == []

    @pytest.mark.parametrize(
        "place",
        [
            CellPlace("nobody"),
            CellPlace("careful", "Nothing"),
            CellPlace("careful", "MWE", "Lexical ambiguity"),
            CellPlace("careful", None, "Lexical ambiguity"),
            CellPlace("careful", average="mean"),
        ],
    )
    def test_unknown_cells_are_not_found(self, world: World, place: CellPlace) -> None:
        with pytest.raises(UnknownName):
            world.read(open_cell, ResultOptions(("2025",)), place)

    def test_an_unknown_verdict_is_not_found(self, world: World) -> None:
        with pytest.raises(UnknownName, match="no verdict 'good'"):
            world.read(open_cell, ResultOptions(("2025",)), CellPlace("careful"), verdicts=["good"])
