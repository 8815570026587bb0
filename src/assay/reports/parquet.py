"""An evaluation as Parquet, tidy: one line per row and system.

Path("rows.parquet").write_bytes(rows(evaluation))
"""

from typing import Any

from assay import __version__
from assay.errors import MissingExtra
from assay.evaluation import Evaluation

# Column -> type by its name in pyarrow; "text" is a string that is kept once, since labels and texts repeat.
_TYPES = {
    **dict.fromkeys(("level", "category", "phenomenon"), "text"),
    "count": "int32",
    **dict.fromkeys(("system", "campaign"), "text"),
    **dict.fromkeys(("correct", "total"), "int32"),
    **dict.fromkeys(("accuracy", "low", "high", "lower_bound", "upper_bound"), "float64"),
    "first_cluster": "bool_",
    "p": "float64",
}


def rows(evaluation: Evaluation) -> bytes:
    """Every row and system with the columns of the CSV; undefined is null. The signature is in the metadata."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("Parquet", "pip install 'assay-mt[parquet]'") from error
    lines: list[dict[str, Any]] = [
        {**row.key_document(), "count": row.items, **cell.to_dict()} for row in evaluation.rows() for cell in row.cells
    ]
    arrays = [
        pa.array([_whole(line[name]) for line in lines], pa.string()).dictionary_encode()
        if kind == "text"
        else pa.array([line[name] for line in lines], getattr(pa, kind)())
        for name, kind in _TYPES.items()
    ]
    metadata = {"assay": __version__, "signature": evaluation.signature}
    schema = pa.schema(zip(_TYPES, (array.type for array in arrays), strict=True), metadata=metadata)
    stream = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), stream, compression="zstd")
    data: bytes = stream.getvalue().to_pybytes()
    return data


def _whole(text: str | None) -> str | None:
    """The text without halves of surrogate pairs, which UTF-8 cannot hold."""
    return text if text is None else text.encode("utf-8", "replace").decode()
