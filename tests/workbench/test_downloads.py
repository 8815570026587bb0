"""Tags and acceptability counted, and results as files in every format."""

import csv
import json
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pytest
from pyarrow import parquet

from assay.errors import BadOption, UnknownName
from assay.workbench.db.suites import find_suite, set_questions
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.results import downloads
from assay.workbench.results.downloads import (
    GROUPS,
    PAIR_FILES,
    YEAR_FILES,
    download,
    download_pair,
    download_years,
    offered,
)
from assay.workbench.results.results import ResultOptions, evaluate_snapshot
from assay.workbench.work.tags import acceptability, tag_counts, tags_table
from tests.workbench.starter import NAME, PAIR, World, small_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with small_world(tmp_path) as made:
        yield made


class TestTags:
    """`date/oktober`: careful in 2025 and average in 2026 wrote the same text."""

    def test_count_for_every_system_that_wrote_the_text(self, world: World) -> None:
        text = world.text("date/oktober", "careful")
        assert text == world.text("date/oktober", "average", "2026")
        world.judge(world.anna, text, "fail", tags=("critical", "added"))
        evaluation = evaluate_snapshot(world.snapshot, ResultOptions(("*",)))
        writers = {evaluation.columns.index("careful"), evaluation.columns.index("average (2026)")}
        category = "Named entity & terminology"
        expected = {(tag, category, place): 1 for tag in ("critical", "added") for place in writers}
        assert tag_counts(world.snapshot, evaluation) == expected

    def test_what_was_taken_back_does_not_count(self, world: World) -> None:
        text = world.text("date/oktober", "careful")
        world.judge(world.anna, text, "fail", tags=("critical",))
        world.visits.undo(world.anna)
        assert tags_table(world.snapshot, evaluate_snapshot(world.snapshot, ResultOptions(("2025",)))) is None
        world.judge(world.anna, text, "fail", tags=("critical",))
        world.judge(world.anna, text, "fail", tags=("repetition",))
        counts = tag_counts(world.snapshot, evaluate_snapshot(world.snapshot, ResultOptions(("2025",))))
        assert {tag for tag, _, _ in counts} == {"repetition"}

    def test_two_people_with_the_same_tag_count_once(self, world: World) -> None:
        text = world.text("date/oktober", "careful")
        for user in (world.anna, world.ben):
            world.judge(user, text, "fail", tags=("critical",))
        assert list(
            tag_counts(world.snapshot, evaluate_snapshot(world.snapshot, ResultOptions(("2025",)))).values()
        ) == [1]

    def test_acceptability_is_a_mean_over_outputs(self, world: World) -> None:
        with world.store.writing() as db:
            set_questions(db, find_suite(db, NAME).id, {"acceptability": 5, "tags": {"odd": "an odd tag"}})
        text = world.text("date/oktober", "careful")
        world.judge(world.anna, text, "fail", acceptability=2)
        world.judge(world.ben, text, "fail", acceptability=3)  # 2.5 together
        world.judge(world.anna, world.text("modal-particle/mal", "careful"), "pass", acceptability=5, tags=("odd",))
        evaluation = evaluate_snapshot(world.snapshot, ResultOptions(("2025",)))
        careful = evaluation.columns.index("careful")
        found = acceptability(world.snapshot, evaluation)
        assert (found[careful].mean, found[careful].outputs) == ((2.5 + 5) / 2, 2)
        assert [rated.system for rated in found] == list(evaluation.systems)
        assert [(rated.mean, rated.outputs) for rated in found if rated != found[careful]] == [(None, 0)] * 2
        world.visits.adjudicate(world.ada, NAME, AnnotatorAnswer(text, "fail", acceptability=1))
        found = acceptability(world.snapshot, evaluate_snapshot(world.snapshot, ResultOptions(("2025",))))
        assert (found[careful].mean, found[careful].outputs) == (3, 2)
        table = tags_table(world.snapshot, evaluate_snapshot(world.snapshot, ResultOptions(("2025",))))
        assert table is not None
        assert [row.indented_label for row in table.rows] == [
            "an odd tag",
            "  Function word",
            "mean acceptability, 1 to 5",
            "  outputs rated",
        ]
        assert [cell.text for cell in table.rows[2].cells] == ["3.00", "–", "–", "3.00"]


KEYS = [kind.key for group in GROUPS for kind in group.kinds]


def parse(key: str, content: bytes) -> object:
    """What a program finds in a file."""
    suffix = key.rpartition(".")[2]
    if suffix == "json":
        return json.loads(content)
    if suffix == "jsonl":
        return [json.loads(line) for line in content.decode().splitlines()]
    if suffix in ("csv", "tsv"):
        return list(csv.DictReader(StringIO(content.decode()), dialect="excel-tab" if suffix == "tsv" else "excel"))
    if suffix == "xlsx":
        return openpyxl.load_workbook(BytesIO(content)).sheetnames
    if suffix == "parquet":
        return parquet.read_table(BytesIO(content)).to_pylist()
    if suffix == "svg":
        return ElementTree.fromstring(content).tag
    if suffix in ("png", "pdf"):
        return content.startswith((b"\x89PNG", b"%PDF"))
    return content.decode()


class TestDownloads:
    @pytest.mark.parametrize("key", KEYS)
    def test_every_file_arrives_and_parses(self, world: World, key: str) -> None:
        text = world.text("date/oktober", "careful")
        world.judge(world.anna, text, "fail", tags=("critical", "added"), comment="wrong\tdate", seen=("systems",))
        file = world.read(download, ResultOptions(("2025",), policy="own"), key)
        assert file.name == f"assay-de-en-2025-own-{key}"
        assert parse(key, file.content)

    def test_verdicts_have_a_line_per_item_and_system(self, world: World) -> None:
        files = [
            world.read(download, ResultOptions(("2025",)), f"verdicts.{end}") for end in ("tsv", "jsonl", "parquet")
        ]
        tsv, jsonl, columns = (parse(file.name, file.content) for file in files)
        assert isinstance(tsv, list)
        assert isinstance(jsonl, list)
        assert len(tsv) == 94 * 3
        assert jsonl == columns
        assert [line["verdict"] for line in tsv] == [line["verdict"] for line in jsonl]

    def test_judgements_have_acceptability_and_tags(self, world: World) -> None:
        text = world.text("date/oktober", "careful")
        world.judge(world.anna, text, "fail", tags=("critical", "added"), comment="wrong\tdate", seen=("systems",))
        world.judge(world.ben, text, "fail")
        world.judge(world.ben, world.text("modal-particle/mal", "literal"), "pass")
        world.visits.undo(world.ben)
        lines = parse("judgements.tsv", world.read(download, ResultOptions(("2025",)), "judgements.tsv").content)
        assert isinstance(lines, list)
        anna, ben = lines
        assert anna["item"] == "date/oktober"
        assert anna["text"] == "The exhibition runs until 03/10/2025."
        assert (anna["verdict"], anna["by"], anna["kind"]) == ("fail", "anna", "judgement")
        assert (anna["tags"], anna["acceptability"], anna["comment"]) == ("critical, added", "", "wrong\tdate")
        assert (anna["blind"], anna["seen"]) == ("no", "systems")
        assert anna["systems"] == "careful (2025), average (2026)"
        assert (ben["by"], ben["blind"], ben["seen"]) == ("ben", "yes", "")

    def test_tags_without_any_say_so(self, world: World) -> None:
        with pytest.raises(BadOption, match="no judgement of these outputs has a tag"):
            world.read(download, ResultOptions(), "tags.csv")

    def test_the_report_has_the_tags(self, world: World) -> None:
        world.judge(world.anna, world.text("date/oktober", "careful"), "fail", tags=("critical",))
        page = world.read(download, ResultOptions(("2025",)), "report.html").content.decode()
        assert "critical error outside the phenomenon" in page

    @pytest.mark.parametrize("key", PAIR_FILES)
    def test_comparisons(self, world: World, key: str) -> None:
        file = world.read(download_pair, PAIR, ResultOptions(), key, by="category")
        assert file.name == f"assay-de-en-literal-2025-careful-{key}"
        assert parse(key, file.content)

    @pytest.mark.parametrize("key", YEAR_FILES)
    def test_years(self, world: World, key: str) -> None:
        file = world.read(download_years, ResultOptions(), key, by="both")
        assert file.name == f"assay-de-en-2025-2026-{key}"
        assert parse(key, file.content)

    def test_unknown_ones_are_not_found(self, world: World) -> None:
        with pytest.raises(UnknownName, match=r"no download 'results\.doc'"):
            world.read(download, ResultOptions(), "results.doc")
        with pytest.raises(UnknownName, match="no download"):
            world.read(download_pair, PAIR, ResultOptions(), "comparison.docx", by="category")
        with pytest.raises(UnknownName, match="no download"):
            world.read(download_years, ResultOptions(), "years.html", by="category")
        with pytest.raises(UnknownName, match="no level"):
            world.read(download_years, ResultOptions(), "years.md", by="item")

    def test_only_what_can_be_made_is_offered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert {kind.key for group in offered() for kind in group.kinds} == set(KEYS)
        monkeypatch.setattr(downloads, "find_spec", lambda name: None)
        offered.cache_clear()
        keys = [kind.key for group in offered() for kind in group.kinds]
        offered.cache_clear()
        assert "results.xlsx" in keys
        assert not [key for key in keys if key.endswith((".parquet", ".svg", ".png", ".pdf"))]
