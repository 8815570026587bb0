"""The texts that systems were given, and what the files around them say about each.

source = read_source(Path("sources/en-cs.txt"))        # assay.outputs.sources
source.documents[0]                                    # "canary", from metadata/en-cs.jsonl
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import overload

from assay.errors import BadFile
from assay.files import bare_name, exists, read_lines, suffix
from assay.json_lines import parse_record


# No slots: `cached_property` needs the instance's dictionary.
@dataclass(frozen=True)
class Source:
    """Source texts in order, and what a file says about them: as many ids, prompts and contexts, or none.

    Ids are the segments of XML (`doc/seg`) or the `doc_id` of JSONL. `fitting` are the places of the texts that are of
    the suite's direction, where a file has several. `bare_returns` counts the carriage returns of a file that has no
    other line ends.
    """

    path: Path
    lines: Sequence[str]
    ids: Sequence[str] = ()
    prompts: Sequence[str] = ()
    contexts: Sequence[str] = ()
    fitting: Sequence[int] | None = None
    bare_returns: int = 0

    @cached_property
    def places(self) -> dict[str, int]:
        """Id -> place, of texts in the suite's direction: a `doc_id` may stand once for each target language."""
        chosen = range(len(self.ids)) if self.fitting is None else self.fitting
        return {self.ids[place]: place for place in chosen} if self.ids else {}

    @cached_property
    def by_id(self) -> dict[str, str]:
        """Id -> text."""
        return {name: self.lines[place] for name, place in self.places.items()}

    @cached_property
    def documents(self) -> Sequence[str]:
        """The document of each line, where a file beside says so (WMT22 and later); read when it is needed."""
        for file in _document_files(self.path):
            if exists(file):
                found = Documents(file)
                # Of another version of the test set: it says nothing about these lines.
                return found if len(found) == len(self.lines) else ()
        return ()


def paragraphs(source: str) -> list[str]:
    """The lines of a source that are not blank, as text has them that holds a paragraph a line.

    It is split wherever some program would split it: also at a bare carriage return, and at U+2028.
    """
    return [line.strip() for line in source.splitlines() if line.strip()]


def _document_files(path: Path) -> Iterator[Path]:
    """`sources/en-cs.txt` -> `metadata/en-cs.jsonl`, `documents/en-cs.docs`, packed or not."""
    # newstest2021.de-en.src.de has its documents in newstest2021.de-en.docs
    name = bare_name(path).partition(".src.")[0].removesuffix(".txt")
    for place in ("metadata/{}.jsonl", "documents/{}.docs"):
        for packed in ("", ".gz"):
            yield path.parent.parent / (place.format(name) + packed)


class Documents(Sequence[str]):
    """The document of each line; a line is parsed when it is asked for, and most never are."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = read_lines(path)
        self._is_json = suffix(path) == ".jsonl"

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[number] for number in range(len(self))[index]]
        line = self._lines[index]
        if not self._is_json:
            return line.rpartition("\t")[2].strip()  # domain, document
        record = parse_record(self._path, index + 1, line)
        name = record.get("docid", record.get("doc_id"))
        if not isinstance(name, str):
            cure = "each line names the document of a source line"
            raise BadFile(self._path, "no 'docid'", line=index + 1, cure=cure)
        return name
