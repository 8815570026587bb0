"""Links from files in Pharaoh's format: a line of `source-target` numbers from 0 for each sentence pair.

    pharaoh("links/").align([TextPair(english, czech, "Online-B", 0)])  # line 1 of links/Online-B.align

Links count the surface tokens of the trees, so the trees have to be of the same tokenisation: read those from CoNLL-U
files too.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from assay.contrasts.aligners.base import Aligner, Scope, TextPair, Words
from assay.contrasts.files.pharaoh import parse
from assay.contrasts.trees import Links
from assay.errors import BadFile, BadOption, UnpairedFile
from assay.files import bare_name, read_lines


class Pharaoh:
    """A file of links, or a folder with one for each system: SYSTEM, SYSTEM.align, SYSTEM.align.gz …"""

    name = "pharaoh"
    scope: Scope = "file"

    def __init__(self, place: Path) -> None:
        self.place = place
        self._read: dict[str, tuple[Path, list[str]]] = {}

    @property
    def signature(self) -> str:
        return f"pharaoh|files:{self.place.name}"

    def seen(self, pair: TextPair) -> tuple[Words, Words]:
        """The surface tokens."""
        return pair.source.surface_forms, pair.target.surface_forms

    def align(self, pairs: Sequence[TextPair]) -> list[Links]:
        """The links of each pair; they must be between tokens that are there."""
        return [self._links(pair) for pair in pairs]

    def check(self, system: str, lines: int) -> None:
        """Refuse links of a system that are for a file with another number of lines."""
        path, found = self._lines(system)
        if len(found) != lines:
            raise UnpairedFile(
                path, f"{len(found):,} lines of links for {lines:,} sentence pairs", cure="align the whole file again"
            )

    def _links(self, pair: TextPair) -> Links:
        path, lines = self._lines(pair.system)
        if pair.line >= len(lines):
            raise UnpairedFile(path, f"{len(lines):,} lines, but line {pair.line + 1:,} is needed")
        source, target = self.seen(pair)
        return parse(path, pair.line, lines[pair.line], (len(source), len(target)))

    def _lines(self, system: str) -> tuple[Path, list[str]]:
        if system not in self._read:
            path = self._path(system)
            self._read[system] = path, read_lines(path)
        return self._read[system]

    def _path(self, system: str) -> Path:
        if not self._folder:
            if self._read:
                raise BadOption(
                    f"{self.place} has the links of one system, and there are more "
                    f"({next(iter(self._read))}, {system}); give a folder with a file for each, {system}.align"
                )
            return self.place
        for path in self._folder:
            # With or without a suffix, as a system's own name may contain a dot.
            if system in (bare_name(path), bare_name(path).rpartition(".")[0]):
                return path
        raise BadFile(self.place, f"no links for the system {system}", cure=f"add a file {system}.align")

    @cached_property
    def _folder(self) -> list[Path]:
        """The files of a folder; empty for a single file."""
        return sorted(path for path in self.place.iterdir() if path.is_file()) if self.place.is_dir() else []


def pharaoh(option: str) -> Aligner:
    """The links of a file or folder."""
    if not option:
        raise BadOption("pharaoh names no file; write pharaoh:FILE or pharaoh:FOLDER")
    place = Path(option).expanduser()
    if not place.exists():
        raise BadFile(place, "there is no such file or folder")
    if place.is_dir() and not any(path.is_file() for path in place.iterdir()):
        raise BadFile(place, "no file in this folder", cure="name the folder that has the links")
    return Pharaoh(place)
