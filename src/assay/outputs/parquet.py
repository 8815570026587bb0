"""Outputs in Parquet, a block of lines at a time, so that memory does not grow with the file.

Columns of outputs are those of TSV: `item`, `text` and, where a file holds several systems, `system`, `campaign`. So a
verdict table can be read back as outputs.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from assay.errors import BadFile, BadOption, MissingExtra
from assay.files import check_size
from assay.outputs.outputs import System
from assay.outputs.submission import NamedFile, Submission
from assay.outputs.tables import ITEM_NAMES, item_and_text

# Large enough that columns are read efficiently, small enough that a block of texts is a few megabytes.
LINES = 16384
"""Lines of a block."""


def read(file: NamedFile, campaign: str) -> Iterator[Submission]:
    """Submissions in parts, as the lines of the file come."""
    systems: dict[tuple[str, str], System] = {}
    parts: dict[System, int] = {}
    for lines in _blocks(file):
        for system, texts in _by_system(file, lines, campaign, systems).items():
            part = parts.get(system, 0)
            parts[system] = part + 1
            yield Submission(system, list(texts.values()), "item", list(texts), file.path, part)
    if not parts:
        raise BadFile(file.path, f"no outputs of campaign {campaign!r}" if campaign else "no outputs")


def _blocks(file: NamedFile) -> Iterator[Mapping[str, list[str]]]:
    """Column -> texts of some lines; null is an empty text."""
    pa, pq = pyarrow()
    try:
        # Without pre_buffer, which reads whole row groups ahead and would undo the point of blocks.
        with pq.ParquetFile(file.path, pre_buffer=False) as table:
            item, text = item_and_text(file.path, table.schema_arrow.names)
            others = [name for name in ("system", "campaign") if name in table.schema_arrow.names]
            _check_sizes(file, table.metadata)
        # As dictionaries: a text that stands in a thousand lines is in memory once, as it is in the file.
        with pq.ParquetFile(file.path, pre_buffer=False, read_dictionary=[text, *others]) as table:
            for batch in table.iter_batches(LINES, columns=[item, text, *others]):
                columns = {name: _texts(file, name, batch.column(name)) for name in (item, text, *others)}
                yield {"item": columns.pop(item), "text": columns.pop(text), **columns}
    except FileNotFoundError:
        raise BadFile(file.path, "there is no such file") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError, KeyError) as error:  # the last: a name stands twice
        reason = str(error).splitlines()[0]
        raise BadFile(file.path, f"cannot be read as Parquet ({reason})") from None


def _check_sizes(file: NamedFile, metadata: Any) -> None:
    """Count what the columns unpack to, as the file says, before any of it is unpacked."""
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        size = max((group.column(place).total_uncompressed_size for place in range(group.num_columns)), default=0)
        check_size(file.path, size)


def _texts(file: NamedFile, name: str, column: Any) -> list[str]:
    """A column as texts; ids may be numbers."""
    pa, _ = pyarrow()
    # Assay's own verdict tables and pandas' categories come dictionary-encoded.
    if pa.types.is_dictionary(column.type):
        words = [*_texts(file, name, column.dictionary), ""]
        return [words[place] for place in column.indices.fill_null(-1).to_pylist()]
    kind = column.type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind)
    if not is_text and not (name in ITEM_NAMES and pa.types.is_integer(kind)):
        raise BadFile(file.path, f"the column {name!r} is of type {kind}", cure="write it as strings")
    found: list[str] = column.cast(pa.string()).fill_null("").to_pylist()
    return found


def _by_system(
    file: NamedFile, lines: Mapping[str, list[str]], campaign: str, systems: dict[tuple[str, str], System]
) -> dict[System, dict[str, str]]:
    """System -> item -> text of one block; systems that are new are added to `systems`, by name and campaign."""
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
            if file.name and systems:
                raise BadOption(f"{file.path} holds several systems; give it without {file.name}=")
            systems[key] = System(file.name or name or file.system_name, home, file=str(file.path))
        texts = found.setdefault(systems[key], {})
        if item in texts:
            raise BadFile(file.path, f"item {item!r} stands twice for system {systems[key].name!r}")
        texts[item] = text
    return found


def check_installed() -> None:
    """Refuse Parquet, before any work is done, where it cannot be written."""
    pyarrow()


def pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("Parquet", "pip install 'assay-mt[parquet]'") from error
    return pa, parquet
