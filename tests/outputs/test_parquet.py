"""Parquet: verdicts out and outputs in, block by block."""

import csv
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet as pq

from assay.errors import BadFile, BadOption, MissingExtra, UnpairedFile
from assay.outputs import parquet
from assay.outputs.load import load_outputs
from assay.outputs.outputs import Outputs
from assay.verdicts import VERDICT_FIELDS, Judged
from assay.verdicts import parquet as verdicts_parquet
from assay.verdicts.files import check_verdicts_path, write_verdicts, writing_verdicts
from tests.evaluation.tables import Drawing, drawn, suite_and_outputs
from tests.suites.building import a_suite, an_item

# C contradicts itself once and leaves an output out.
GAPS: Drawing = {
    "Ambiguity/Word": {"A@2021": "PPFF", "B@2021": "PP??", "C": "P!-F"},
    "MWE/Idiom": {"A@2021": "PP", "B@2021": "??", "C": "PF"},
}

SUITE = a_suite(*(an_item(f"i{number}", f"Satz {number}.") for number in range(6)))


def written(lines: Iterable[Judged]) -> Any:
    stream = BytesIO()
    verdicts_parquet.write_verdicts(lines, stream)
    return pq.read_table(stream)


class TestVerdicts:
    @pytest.mark.parametrize("lines", [4, 1000])
    def test_lines_are_those_of_the_verdict_table(self, monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
        monkeypatch.setattr(parquet, "LINES", lines)
        table, stream = drawn(GAPS).table, StringIO(newline="")
        write_verdicts(table, stream, jsonl=False)
        stream.seek(0)
        found = [
            {name: "" if value is None else str(value) for name, value in line.items()}
            for line in written(table).to_pylist()
        ]
        assert found == list(csv.DictReader(stream, dialect="excel-tab"))
        assert len(found) == 6 * 3

    def test_columns_and_types(self) -> None:
        schema = written(drawn(GAPS).table).schema
        assert tuple(schema.names) == VERDICT_FIELDS
        for name in VERDICT_FIELDS:
            text = pa.dictionary(pa.int32(), pa.string())
            assert schema.field(name).type == (pa.int32() if name in ("start", "end") else text)

    def test_what_is_nowhere_is_null(self) -> None:
        missing = next(line for line in written(drawn(GAPS).table).to_pylist() if line["reason"] == "missing")
        assert (missing["item"], missing["system"], missing["verdict"]) == ("word-3", "C", "warning")
        assert (missing["rule"], missing["start"], missing["end"]) == ("", None, None)

    def test_half_a_surrogate_pair_does_not_break_the_file(self) -> None:
        judged = replace(next(iter(drawn(GAPS).table)), text="a\ud800b")
        assert written([judged])["text"].to_pylist() == ["a?b"]

    def test_nothing_has_its_columns(self) -> None:
        assert tuple(written([]).column_names) == VERDICT_FIELDS

    def test_a_file_by_its_suffix(self, tmp_path: Path) -> None:
        check_verdicts_path(tmp_path / "verdicts.parquet")
        with writing_verdicts(drawn(GAPS).table, tmp_path / "verdicts.parquet"):
            assert not (tmp_path / "verdicts.parquet").exists()
        assert pq.read_table(tmp_path / "verdicts.parquet").num_rows == 18

    def test_without_the_package_the_message_names_the_cure(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtra, match=r"pip install 'assay-mt\[parquet\]'"):
            check_verdicts_path(Path("verdicts.parquet"))


def save(path: Path, **columns: list[Any]) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def texts(outputs: Outputs) -> dict[tuple[str, str], list[str]]:
    return {
        (system.name, system.campaign): [outputs.text(item, column) for item in range(len(outputs.codes))]
        for column, system in enumerate(outputs.systems)
    }


class TestOutputs:
    @pytest.mark.parametrize("lines", [1, 4, 1000])
    def test_a_verdict_table_is_read_back(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: int) -> None:
        monkeypatch.setattr(parquet, "LINES", lines)
        suite, outputs = suite_and_outputs(GAPS)
        with writing_verdicts(drawn(GAPS).table, tmp_path / "verdicts.parquet"):
            pass
        assert texts(load_outputs(suite, tmp_path / "verdicts.parquet")) == texts(outputs)

    def test_one_system_is_named_after_its_file(self, tmp_path: Path) -> None:
        file = save(tmp_path / "mine.parquet", item=["i1", "i0"], text=["one", None])
        assert texts(load_outputs(SUITE, file, campaign="W1")) == {("mine", "W1"): ["", "one", "", "", "", ""]}
        assert [name for name, _ in texts(load_outputs(SUITE, f"new={file}"))] == ["new"]

    def test_another_campaign_is_left_out(self, tmp_path: Path) -> None:
        columns = {"item": ["i0", "i0"], "text": ["a", "b"], "system": ["A", "A"], "campaign": ["W1", "W2"]}
        file = save(tmp_path / "both.parquet", **columns)
        assert list(texts(load_outputs(SUITE, file))) == [("A", "W1"), ("A", "W2")]
        assert list(texts(load_outputs(SUITE, file, campaign="W2"))) == [("A", "W2")]
        with pytest.raises(BadFile, match=r"both\.parquet: no outputs of campaign 'W3'"):
            load_outputs(SUITE, file, campaign="W3")

    def test_numbers_are_item_ids_too(self, tmp_path: Path) -> None:
        suite = a_suite(an_item("7", "Satz."))
        assert texts(load_outputs(suite, save(tmp_path / "s.parquet", item=[7], text=["x"]))) == {("s", ""): ["x"]}

    @given(
        st.dictionaries(
            st.tuples(st.sampled_from("ABC"), st.integers(0, 5)),
            st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
            min_size=1,
        )
    )
    def test_lines_in_any_order(self, lines: dict[tuple[str, int], str]) -> None:
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setattr(parquet, "LINES", 3)
            columns = {"system": [s for s, _ in lines], "item": [f"i{i}" for _, i in lines], "text": [*lines.values()]}
            outputs = load_outputs(SUITE, save(Path(folder) / "all.parquet", **columns))
        found = {
            (system.name, item): outputs.text(item, column)
            for column, system in enumerate(outputs.systems)
            for item in range(6)
            if outputs.codes[item, column] >= 0
        }
        assert found == lines


class TestMistakes:
    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"item": ["i0"]}, "no column with the item's id and the text; name them 'item' and 'text'"),
            ({"item": ["i0", "i0"], "text": ["x", "y"]}, "item 'i0' stands twice for system 'all'"),
            ({"item": [], "text": []}, "no outputs"),
            ({"item": ["i9"], "text": ["x"]}, "no item 'i9' in suite"),
            ({"item": [["i0"]], "text": ["x"]}, "the column 'item' is of type list<.*; write it as strings"),
            ({"item": ["i0"], "text": [5]}, "the column 'text' is of type int64; write it as strings"),
        ],
    )
    def test_columns(self, tmp_path: Path, columns: dict[str, list[Any]], message: str) -> None:
        with pytest.raises((BadFile, UnpairedFile), match=r"all\.parquet: " + message):
            load_outputs(SUITE, save(tmp_path / "all.parquet", **columns))

    def test_an_item_twice_in_two_blocks(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(parquet, "LINES", 1)
        file = save(tmp_path / "all.parquet", item=["i0", "i0"], text=["x", "y"])
        with pytest.raises(BadOption, match=r"all\.parquet: item 'i0' stands twice for system 'all'"):
            load_outputs(SUITE, file)

    def test_a_name_for_several_systems(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        file = save(tmp_path / "all.parquet", item=["i0", "i0"], text=["x", "y"], system=["A", "B"])
        for lines in (1, 2):
            monkeypatch.setattr(parquet, "LINES", lines)
            with pytest.raises(BadOption, match=r"holds several systems; give it without new="):
                load_outputs(SUITE, f"new={file}")

    def test_files_that_are_none(self, tmp_path: Path) -> None:
        (tmp_path / "text.parquet").write_text("Hello.\n")
        with pytest.raises(BadFile, match=r"text\.parquet: cannot be read as Parquet"):
            load_outputs(SUITE, tmp_path / "text.parquet")
        with pytest.raises(BadFile, match=r"none\.parquet: there is no such file"):
            load_outputs(SUITE, tmp_path / "none.parquet")

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        broken = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers())
        pq.write_table(pa.table({"item": ["i0"], "text": broken}), tmp_path / "bytes.parquet")
        with pytest.raises(BadFile, match=r"bytes\.parquet: cannot be read as Parquet"):
            load_outputs(SUITE, tmp_path / "bytes.parquet")

    def test_a_column_twice(self, tmp_path: Path) -> None:
        table = pa.Table.from_arrays([pa.array(["i0"]), pa.array(["x"]), pa.array(["y"])], ["item", "text", "text"])
        pq.write_table(table, tmp_path / "two.parquet")
        with pytest.raises(BadFile, match=r"two\.parquet: cannot be read as Parquet"):
            load_outputs(SUITE, tmp_path / "two.parquet")

    def test_what_unpacks_to_more_than_the_limit_is_not_unpacked(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("ASSAY_MAX_FILE", "1")
        file = save(tmp_path / "large.parquet", item=["i0"], text=["x" * 2 * 1024**2])
        assert file.stat().st_size < 200_000
        with pytest.raises(BadFile, match=r"large\.parquet: more than 1 MB, unpacked"):
            load_outputs(SUITE, file)

    def test_a_text_that_is_too_long(self, tmp_path: Path) -> None:
        file = save(tmp_path / "long.parquet", item=["i0"], text=["x" * 100_001])
        with pytest.raises(BadOption, match="has 100,001 characters, at most 100,000 are read"):
            load_outputs(SUITE, file)

    def test_a_few_bytes_that_stand_for_a_million_lines(self, tmp_path: Path) -> None:
        words = pa.DictionaryArray.from_arrays(pa.array([0] * 1_000_000, pa.int8()), pa.array(["i0"]))
        file = tmp_path / "same.parquet"
        pq.write_table(pa.table({"item": words, "text": words}), file)
        assert file.stat().st_size < 10_000
        with pytest.raises(BadFile, match=r"same\.parquet: item 'i0' stands twice"):
            load_outputs(SUITE, file)

    def test_parquet_is_compressed_already(self) -> None:
        with pytest.raises(BadOption, match=r"verdicts\.parquet\.gz: verdicts are written as"):
            check_verdicts_path(Path("verdicts.parquet.gz"))

    def test_the_same_file_twice(self, tmp_path: Path) -> None:
        file = save(tmp_path / "all.parquet", item=["i0"], text=["x"])
        with pytest.raises(BadOption, match="system 'all' is given twice"):
            load_outputs(SUITE, [file, file])
