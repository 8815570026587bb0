"""Parquet: what is written is read back, and equals the CSV."""

import csv
import sys
from io import BytesIO, StringIO
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from assay.errors import MissingExtra
from assay.reports import parquet
from assay.reports.data import render_csv
from tests.evaluation.tables import Drawing, drawn

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
            for row in evaluation.to_dict()["rows"]
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


def test_without_the_package_the_message_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'assay-mt\[parquet\]'"):
        parquet.rows(drawn(GAPS))
