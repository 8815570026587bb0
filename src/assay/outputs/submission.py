"""What one system handed in, before it is paired with a suite."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.errors import BadOption
from assay.files import STDIN, bare_name, exists
from assay.outputs.outputs import System

Key = Literal["order", "source", "item"]


@dataclass(frozen=True, slots=True)
class Submission:
    """A system's texts and what pairs them with items.

    `keys[k]` belongs to `texts[k]`: source texts (`by` is `source`) or item ids (`item`). With `order` there
    are no keys: the texts are parallel to the source file, or to the suite where no source file is given. The texts of
    a large file come in several parts, numbered from 0.

    Source texts may have ids, prompts and contexts of their own, as many as keys. `document_lines` are source,
    text and document, for items that are one line of a document. `note` is what is worth saying about the file.
    """

    system: System
    texts: Sequence[str]
    by: Key
    keys: Sequence[str]
    path: Path
    part: int = 0
    ids: Sequence[str] = ()
    prompts: Sequence[str] = ()
    contexts: Sequence[str] = ()
    document_lines: Sequence[tuple[str, str, str]] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """An output file as named by the user: `NAME=path` or `path`."""

    path: Path
    name: str | None = None

    @classmethod
    def parse(cls, argument: str) -> "NamedFile":
        name, equals, path = argument.partition("=")
        # `=` may also be part of a path; a folder before it, or a file of that whole name, says so.
        if equals and "/" not in name and not exists(Path(argument)):
            if not name or not path:
                raise BadOption(f"{argument!r} is not NAME=FILE")
            return cls(Path(path), name)
        return cls(Path(argument))

    @property
    def system_name(self) -> str:
        """The given name, or the one in the file's name: `*.hyp.NAME.xx`, `NAME.txt`."""
        if self.name:
            return self.name
        if self.path == STDIN:
            return "stdin"
        # A file name need not be UTF-8; what cannot be decoded becomes a replacement character.
        name = bare_name(self.path).encode("utf-8", "replace").decode()
        # The naming of WMT's system outputs: newstest2021.de-en.hyp.Online-A.en.
        match = re.search(r"\.hyp\.(.+)\.[^.]+$", name)
        if match:
            return match[1]
        return Path(name).stem
