"""The source side of a campaign (`--source`): plain lines, WMT XML, or a test set in JSONL (WMT25 and later)."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assay.files import Lines, read_texts, split_lines, suffix, writing
from assay.outputs.source_texts import Source
from assay.suites import Suite

if TYPE_CHECKING:
    from assay.outputs.repairs import Repairs


def read_source(path: Path, langpair: str = "", repairs: "Repairs | None" = None) -> Source:
    """Read a source file by its suffix; of a test set with several directions, the texts of this one are marked."""
    # Each format is imported when it is needed: start-up is measured.
    if suffix(path) == ".xml":
        from assay.outputs import wmt_xml

        segments = wmt_xml.read_sources(path)
        # Line-parallel text can be paired with these formats too, hence lines beside the ids.
        return Source(path, list(segments.values()), list(segments))
    if suffix(path) == ".jsonl":
        from assay.outputs import wmt_jsonl

        test_set = wmt_jsonl.read_test_set(path, langpair)
        return Source(
            path, test_set.sources, test_set.ids, test_set.prompts, test_set.contexts, fitting=test_set.fitting
        )
    if repairs is not None:
        return Source(path, list(repairs.lines(path, Lines(path))))
    lines = read_texts(path)
    returns = lines[0].count("\r") if len(lines) == 1 else 0
    return Source(path, lines, bare_returns=returns)


def write_sources(suite: Suite, path: Path) -> None:
    """The sources to translate, in suite order, each once: text, TSV with ids, WMT XML or WMT25 JSONL by suffix."""
    from assay.outputs import tables, wmt_jsonl, wmt_xml

    writers: dict[str, Callable[[Suite, Path], None]] = {
        ".tsv": tables.write_sources,
        ".xml": wmt_xml.write_sources,
        ".jsonl": wmt_jsonl.write_sources,
    }
    writers.get(suffix(path), _write_lines)(suite.asked, path)


def _write_lines(suite: Suite, path: Path) -> None:
    with writing(path) as stream:
        stream.writelines(source_line(item.source) + "\n" for item in suite.items)


def source_line(source: str) -> str:
    """A source as one line: newlines become spaces."""
    return " ".join(split_lines(source)).strip()
