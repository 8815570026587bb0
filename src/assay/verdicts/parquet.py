"""The verdict table as Parquet, a block of lines at a time, so that memory does not grow with the table."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, BinaryIO

from assay.outputs.parquet import LINES, pyarrow
from assay.verdicts.verdict import Judged

# Column -> type by its name in pyarrow; "text" is a string that is kept once, since labels and texts repeat.
_VERDICTS = {
    **dict.fromkeys(("item", "system", "campaign", "verdict", "reason", "rule", "match"), "text"),
    **dict.fromkeys(("start", "end"), "int32"),
    **dict.fromkeys(("category", "phenomenon", "source", "text"), "text"),
}


def write_verdicts(lines: Iterable[Judged], stream: BinaryIO) -> None:
    """Every item and system with the columns of the verdict table."""
    pa, pq = pyarrow()
    text = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema([(name, text if kind == "text" else getattr(pa, kind)()) for name, kind in _VERDICTS.items()])
    records = (judged.record() for judged in lines)
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        while block := list(islice(records, LINES)):
            arrays = [
                pa.array([_whole(record[field.name]) for record in block], field.type)
                if field.type == text
                else pa.array([record[field.name] for record in block], field.type)
                for field in schema
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _whole(text: Any) -> Any:
    """The text without halves of surrogate pairs, which UTF-8 cannot hold."""
    return text if text is None else str(text).encode("utf-8", "replace").decode()
