"""Parquet: what is written is read back, and equals the CSV and the verdict table."""

import csv
import sys
from io import BytesIO, StringIO
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow import parquet as pq

from assay.formats.verdicts import write_verdicts
from assay.model import VERDICT_FIELDS as FIELDS
from assay.model import MissingExtra
from assay.reports import parquet
from assay.reports.data import as_dict, render_csv
from tests.evaluation.tables import Drawing, drawn, suite_and_outputs

# Under own, B has nothing in MWE; C contradicts itself once and leaves an output out.
GAPS: Drawing = {
    "Ambiguity/Word": {"A@2021": "PPFF", "B@2021": "PP??", "C": "P!-F"},
    "MWE/Idiom": {"A@2021": "PP", "B@2021": "??", "C": "PF"},
}


def read(data: bytes) -> Any:
    return pq.read_table(BytesIO(data))


class TestRows:
    def test_columns_are_those_of_the_csv(self) -> None:
        evaluation = drawn(GAPS, policy="own")
        assert read(parquet.rows(evaluation)).column_names == next(csv.reader(StringIO(render_csv(evaluation))))

    def test_values_are_those_of_the_json(self) -> None:
        evaluation = drawn(GAPS, policy="own")
        expected = [
            {**{name: row[name] for name in ("level", "category", "phenomenon", "count")}, **cell}
            for row in as_dict(evaluation)["rows"]
            for cell in row["cells"]
        ]
        assert read(parquet.rows(evaluation)).to_pylist() == expected

    def test_undefined_is_null(self) -> None:
        rows = read(parquet.rows(drawn(GAPS, policy="own"))).to_pylist()
        b = next(row for row in rows if (row["level"], row["category"], row["system"]) == ("category", "MWE", "B"))
        assert (b["correct"], b["total"], b["accuracy"], b["low"], b["high"]) == (0, 0, None, None, None)

    def test_types(self) -> None:
        schema = read(parquet.rows(drawn(GAPS))).schema
        assert schema.field("category").type == pa.dictionary(pa.int32(), pa.string())
        assert schema.field("count").type == pa.int32()
        assert schema.field("accuracy").type == pa.float64()
        assert schema.field("first_cluster").type == pa.bool_()

    def test_the_signature_is_in_the_metadata(self) -> None:
        evaluation = drawn(GAPS)
        assert read(parquet.rows(evaluation)).schema.metadata[b"signature"].decode() == evaluation.signature


class TestVerdicts:
    def test_lines_are_those_of_the_verdict_table(self) -> None:
        evaluation = drawn(GAPS)
        stream = StringIO(newline="")
        write_verdicts(evaluation.table, stream, jsonl=False)
        stream.seek(0)
        expected = list(csv.DictReader(stream, dialect="excel-tab"))
        found = [
            {name: "" if value is None else str(value) for name, value in line.items()}
            for line in read(parquet.verdicts(evaluation.table)).to_pylist()
        ]
        assert found == expected
        assert len(found) == 6 * 3

    def test_columns_and_types(self) -> None:
        schema = read(parquet.verdicts(drawn(GAPS).table)).schema
        assert tuple(schema.names) == FIELDS
        for name in FIELDS:
            text = pa.dictionary(pa.int32(), pa.string())
            assert schema.field(name).type == (pa.int32() if name in ("start", "end") else text)

    def test_what_is_nowhere_is_null(self) -> None:
        lines = read(parquet.verdicts(drawn(GAPS).table)).to_pylist()
        missing = next(line for line in lines if line["reason"] == "missing")
        assert (missing["item"], missing["system"], missing["verdict"]) == ("word-3", "C", "warning")
        assert (missing["rule"], missing["start"], missing["end"]) == ("", None, None)

    def test_half_a_surrogate_pair_does_not_break_the_file(self) -> None:
        judged = next(iter(drawn(GAPS).table))._replace(text="a\ud800b")
        assert read(parquet._parquet({"text": "text"}, [judged.record()], {}))["text"].to_pylist() == ["a?b"]


def test_empty_tables_have_their_columns() -> None:
    evaluation = drawn(GAPS)
    nothing = evaluation.table.__class__(
        *suite_and_outputs(GAPS), evaluation.table.items[:0], evaluation.table.verdicts[:0], []
    )
    assert read(parquet.verdicts(nothing)).num_rows == 0


def test_without_the_package_the_message_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'assay-mt\[parquet\]'"):
        parquet.rows(drawn(GAPS))
