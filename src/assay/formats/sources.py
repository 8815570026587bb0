"""The source side of a campaign (`--source`): plain lines, WMT XML or a WMT25 JSONL test set."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from assay.formats.files import read_lines, suffix


class Source(NamedTuple):
    """Source texts in order, and by the segment ids of XML (`doc/seg`) or JSONL (`doc_id`) files."""

    path: Path
    lines: Sequence[str]
    by_id: Mapping[str, str] = MappingProxyType({})


def read_source(path: Path) -> Source:
    """Read a source file by its suffix."""
    if suffix(path) == ".xml":
        from assay.formats import wmt_xml

        by_id = wmt_xml.read_sources(path)
    elif suffix(path) == ".jsonl":
        from assay.formats import wmt_jsonl

        by_id = wmt_jsonl.read_sources(path)
    else:
        return Source(path, read_lines(path))
    return Source(path, list(by_id.values()), by_id)
