"""The source side of a campaign (`--source`): plain lines, WMT XML or a WMT25 JSONL test set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.files import read_texts, split_lines, suffix, writing
from assay.outputs import tables, wmt_jsonl, wmt_xml
from assay.suites import Suite


@dataclass(frozen=True, slots=True)
class Source:
    """Source texts in order, and by the segment ids of XML (`doc/seg`) or JSONL (`doc_id`) files."""

    path: Path
    lines: Sequence[str]
    by_id: Mapping[str, str] = field(default_factory=dict)


def read_source(path: Path) -> Source:
    """Read a source file by its suffix."""
    if suffix(path) == ".xml":
        by_id = wmt_xml.read_sources(path)
    elif suffix(path) == ".jsonl":
        by_id = wmt_jsonl.read_sources(path)
    else:
        return Source(path, read_texts(path))
    # Line-parallel text can be paired with these formats too, hence `lines` beside the ids.
    return Source(path, list(by_id.values()), by_id)


def write_sources(suite: Suite, path: Path) -> None:
    """The sources to translate, in suite order: text, TSV with ids, WMT XML or WMT25 JSONL by suffix."""
    writers: dict[str, Callable[[Suite, Path], None]] = {
        ".tsv": tables.write_sources,
        ".xml": wmt_xml.write_sources,
        ".jsonl": wmt_jsonl.write_sources,
    }
    writers.get(suffix(path), _write_lines)(suite, path)


def _write_lines(suite: Suite, path: Path) -> None:
    with writing(path) as stream:
        stream.writelines(source_line(item.source) + "\n" for item in suite.items)


def source_line(source: str) -> str:
    """A source as one line: newlines become spaces."""
    return " ".join(split_lines(source)).strip()
