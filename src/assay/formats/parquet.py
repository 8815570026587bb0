"""Parquet: outputs in, verdicts out, a block of lines at a time, so that memory does not grow with the file.

Columns of outputs are those of TSV: `item`, `text` and, where a file holds several systems, `system`, `campaign`. So a
verdict table can be read back as outputs.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO

from assay.formats.submissions import Given, Submission
from assay.formats.tables import ITEM_NAMES, item_and_text
from assay.model import BadFile, BadOption, Judged, MissingExtra, System

LINES = 16384
"""Lines of a block."""

# Column -> type by its name in pyarrow; "text" is a string that is kept once, since labels and texts repeat.
_VERDICTS = {
    **dict.fromkeys(("item", "system", "campaign", "verdict", "reason", "rule", "match"), "text"),
    **dict.fromkeys(("start", "end"), "int32"),
    **dict.fromkeys(("category", "phenomenon", "source", "text"), "text"),
}


def read(given: Given, campaign: str) -> Iterator[Submission]:
    """Submissions in parts, as the lines of the file come."""
    systems: dict[tuple[str, str], System] = {}
    parts: dict[System, int] = {}
    for lines in _blocks(given):
        for system, texts in _by_system(given, lines, campaign, systems).items():
            part = parts.get(system, 0)
            parts[system] = part + 1
            yield Submission(system, list(texts.values()), "item", list(texts), given.path, part)
    if not parts:
        raise BadFile(given.path, f"no outputs of campaign {campaign!r}" if campaign else "no outputs")


def _blocks(given: Given) -> Iterator[Mapping[str, list[str]]]:
    """Column -> texts of some lines; null is an empty text."""
    pa, pq = _pyarrow()
    try:
        with pq.ParquetFile(given.path, pre_buffer=False) as file:
            item, text = item_and_text(given.path, file.schema_arrow.names)
            others = [name for name in ("system", "campaign") if name in file.schema_arrow.names]
            for batch in file.iter_batches(LINES, columns=[item, text, *others]):
                columns = {name: _texts(given, name, batch.column(name)) for name in (item, text, *others)}
                yield {"item": columns.pop(item), "text": columns.pop(text), **columns}
    except FileNotFoundError:
        raise BadFile(given.path, "there is no such file") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError, KeyError) as error:  # the last: a name stands twice
        reason = str(error).splitlines()[0]
        raise BadFile(given.path, f"cannot be read as Parquet ({reason})") from None


def _texts(given: Given, name: str, column: Any) -> list[str]:
    """A column as texts; ids may be numbers."""
    pa, _ = _pyarrow()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind)
    if not is_text and not (name in ITEM_NAMES and pa.types.is_integer(kind)):
        raise BadFile(given.path, f"the column {name!r} is of type {kind}", cure="write it as strings")
    found: list[str] = column.cast(pa.string()).fill_null("").to_pylist()
    return found


def _by_system(
    given: Given, lines: Mapping[str, list[str]], campaign: str, systems: dict[tuple[str, str], System]
) -> dict[System, dict[str, str]]:
    """System -> item -> text, of one block; `systems` gets those that are new, by name and campaign."""
    number = len(lines["item"])
    names = lines.get("system", [""] * number)
    homes = lines.get("campaign", [""] * number)
    found: dict[System, dict[str, str]] = {}
    for item, text, name, home in zip(lines["item"], lines["text"], names, homes, strict=True):
        home = home or campaign
        if campaign and home != campaign:
            continue
        key = (name, home)
        if key not in systems:
            if given.name and systems:
                raise BadOption(f"{given.path} holds several systems; give it without {given.name}=")
            systems[key] = System(given.name or name or given.system_name, home, file=str(given.path))
        texts = found.setdefault(systems[key], {})
        if item in texts:
            raise BadFile(given.path, f"item {item!r} stands twice for system {systems[key].name!r}")
        texts[item] = text
    return found


def write_verdicts(lines: Iterable[Judged], stream: BinaryIO) -> None:
    """Every item and system with the columns of the verdict table."""
    pa, pq = _pyarrow()
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


def check_installed() -> None:
    """Refuse Parquet, before any work is done, where it cannot be written."""
    _pyarrow()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("Parquet", "pip install 'assay-mt[parquet]'") from error
    return pa, parquet


def _whole(text: Any) -> Any:
    """The text without halves of surrogate pairs, which UTF-8 cannot hold."""
    return text if text is None else str(text).encode("utf-8", "replace").decode()
