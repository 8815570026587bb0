"""Tiers: rows beside the averages, and results for one tier alone."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.errors import AssayError, BadOption
from assay.evaluation import Evaluation, evaluate
from assay.evaluation.comparison import compare
from assay.evaluation.settings import Policy
from assay.outputs import Inputs, Outputs
from assay.reports.suite_stats import suite_table
from assay.reports.table import accuracy_table
from assay.suites import Suite, save_suite
from tests.evaluation.tables import shares, suite_and_outputs

# The last three items of Word and all of Idiom are of the context tier.
DRAWING: Mapping[str, Mapping[str, str]] = {
    "Ambiguity/Word": {"A": "PPPFPPF", "B": "PPFFFP?"},
    "MWE/Idiom": {"A": "PP", "B": "FP"},
}
CONTEXT = (4, 5, 6, 7, 8)


def tiered(drawing: Mapping[str, Mapping[str, str]] = DRAWING) -> tuple[Suite, Outputs]:
    suite, outputs = suite_and_outputs(drawing)
    items = suite.with_items({place: replace(suite.items[place], tier="context") for place in CONTEXT})
    return items, outputs


@pytest.mark.parametrize(
    ("policy", "entry", "context"),
    [
        # Entry: A 3 of 4, B 2 of 4. Context: word-7 has a warning of B, which leaves A 4 of 4, B 2 of 4.
        ("fair", {"A": (3, 4), "B": (2, 4)}, {"A": (4, 4), "B": (2, 4)}),
        ("own", {"A": (3, 4), "B": (2, 4)}, {"A": (4, 5), "B": (2, 4)}),
        ("strict", {"A": (3, 4), "B": (2, 4)}, {"A": (4, 5), "B": (2, 5)}),
    ],
)
def test_each_tier_has_a_row(
    policy: Policy, entry: dict[str, tuple[int, int]], context: dict[str, tuple[int, int]]
) -> None:
    rows = evaluate(*tiered(), policy=policy).over_tiers()
    assert [row.level for row in rows] == ["entry_tier", "context_tier"]
    for row, counted in zip(rows, (entry, context), strict=True):
        assert {cell.system.name: (cell.correct, cell.total) for cell in row.cells} == counted


def test_tiers_stand_behind_the_averages_in_tables_and_json() -> None:
    evaluation = evaluate(*tiered())
    labels = [row.label for row in accuracy_table(evaluation, "category").rows]
    assert labels[labels.index("phenomenon macro-average") + 1 :][:2] == ["entry tier", "context tier"]
    assert [row["level"] for row in evaluation.to_dict()["rows"]][-2:] == ["entry_tier", "context_tier"]
    assert any("Entry tier" in note.text for note in evaluation.notes())


def test_without_tiers_nothing_is_said_of_them() -> None:
    evaluation = evaluate(*suite_and_outputs(DRAWING))
    assert evaluation.over_tiers() == []
    assert "tier" not in evaluation.signature
    assert not any("tier" in note.text for note in evaluation.notes())


def test_a_tier_of_which_nothing_was_found_has_no_row() -> None:
    suite, outputs = tiered()
    codes = outputs.codes.copy()
    codes[list(CONTEXT)] = -1
    assert evaluate(suite, replace(outputs, codes=codes)).over_tiers() == []


def test_a_row_of_a_tier_is_tested_like_an_evaluation_of_its_items() -> None:
    drawing = {"Ambiguity/Word": {"A": "P" * 40, "B": "P" * 20 + "F" * 20}}
    suite, outputs = suite_and_outputs(drawing)
    suite = suite.with_items({place: replace(suite.items[place], tier="context") for place in range(20, 40)})
    entry, context = evaluate(suite, outputs).over_tiers()
    alone = evaluate(suite.of_tier("context"), outputs.of_items(suite.places_of("context")))
    assert [cell.first_cluster for cell in entry.cells] == [True, True]
    assert [(cell.p, cell.low, cell.high) for cell in context.cells] == [
        (cell.p, cell.low, cell.high) for cell in alone.levels["micro"][0].cells
    ]
    assert context.cells[1].p is not None
    assert context.cells[1].p < 0.001


def test_a_comparison_has_them_too() -> None:
    rows = {row.level: row for row in compare(*tiered()).rows("category")}
    assert (rows["entry_tier"].only_first, rows["entry_tier"].only_second) == (1, 0)
    assert (rows["context_tier"].only_first, rows["context_tier"].only_second) == (2, 0)


class TestOneTier:
    def test_its_items_and_phenomena_alone(self) -> None:
        suite, outputs = tiered()
        part = suite.of_tier("entry")
        assert [item.id for item in part] == ["word-1", "word-2", "word-3", "word-4"]
        assert part.phenomena == [("Ambiguity", "Word")]
        evaluation = evaluate(part, outputs.of_items(suite.places_of("entry")))
        assert shares(evaluation.levels["micro"][0]) == {"A": 3 / 4, "B": 2 / 4}
        assert f"suite:drawn#{part.hash}|tier:entry" in evaluation.signature.replace("@", "")
        assert "Only items of the entry tier of the suite." in [note.text for note in evaluation.notes()]

    def test_outputs_keep_their_texts(self) -> None:
        suite, outputs = tiered()
        places = suite.places_of("context")
        part = outputs.of_items(places)
        for place, was in enumerate(places):
            for system in range(len(outputs.systems)):
                assert part.text(place, system) == outputs.text(was, system)
        assert len(part.texts) == len(np.unique(outputs.codes[places]))
        for place in range(len(places)):
            assert set(part.owners[part.codes[place]].tolist()) == {place}

    def test_a_suite_of_one_tier_is_itself(self) -> None:
        suite, _ = suite_and_outputs(DRAWING)
        assert suite.of_tier("entry") is suite
        with pytest.raises(BadOption, match="drawn has no items of the tier context; all are of the tier entry"):
            suite.of_tier("context")

    def test_a_source_shared_with_the_other_tier_is_asked_for(self) -> None:
        suite, _ = tiered()
        shared = [replace(suite.items[place], source_of="word-1", source="Satz word-1.") for place in (4, 5)]
        part = suite.with_items(dict(zip((4, 5), shared, strict=True))).of_tier("context")
        assert [item.source_of for item in part.items[:2]] == ["", "word-5"]
        assert "word-5" in part.asked.positions

    def test_stats_count_tiers(self) -> None:
        suite, _ = tiered()
        rows = {row.label: row.cells[0].text for row in suite_table(suite).rows}
        assert (rows["all"], rows["entry tier"], rows["context tier"]) == ("9", "4", "5")
        assert "entry tier" not in {row.label for row in suite_table(suite.of_tier("entry")).rows}


class TestFiles:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        suite, outputs = tiered()
        save_suite(suite, tmp_path / "drawn")
        for column, system in enumerate(outputs.systems):
            lines = [outputs.text(place, column) or "-" for place in range(len(suite))]
            (tmp_path / f"{system.name}.txt").write_text("\n".join(lines) + "\n")
            chosen = [lines[place] for place in CONTEXT]
            (tmp_path / f"{system.name}-context.txt").write_text("\n".join(chosen) + "\n")
        return tmp_path

    def evaluated(self, folder: Path, *names: str) -> Evaluation:
        files = [f"{name[0]}={folder / name}" for name in names]
        return evaluate(*Inputs(str(folder / "drawn"), files, tier="context").load())

    def test_files_for_the_whole_suite_and_for_the_tier(self, folder: Path) -> None:
        whole, part = (
            self.evaluated(folder, *names) for names in (("A.txt", "B.txt"), ("A-context.txt", "B-context.txt"))
        )
        assert whole.to_dict() == part.to_dict()
        assert shares(whole.levels["micro"][0]) == {"A": 1.0, "B": 0.5}

    def test_another_number_of_lines_is_refused(self, folder: Path) -> None:
        (folder / "C.txt").write_text("one\ntwo\n")
        with pytest.raises(AssayError, match="2 lines for 5 sources"):
            self.evaluated(folder, "C.txt")

    def test_without_the_tier_a_file_of_it_is_refused(self, folder: Path) -> None:
        with pytest.raises(AssayError, match="5 lines for 9 items"):
            Inputs(str(folder / "drawn"), [str(folder / "A-context.txt")]).load()
