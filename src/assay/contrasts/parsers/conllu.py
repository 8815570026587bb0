"""Trees from CoNLL-U files: one file, or a folder of them.

    conllu("trees/").parse(["Chce, abych přišel."])

A line gets the tree of the sentence, or of the sentences after each other, with the same letters; white space does not
count. The order of the lines does not matter, and one folder may hold the trees of all systems.
"""

import hashlib
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from assay.contrasts.files.conllu import read
from assay.contrasts.parsers.base import Parser
from assay.contrasts.trees import Tree, joined
from assay.errors import BadFile, BadOption
from assay.files import suffix


class CoNLLU:
    """A parser that looks trees up in files."""

    name = "conllu"
    language = ""
    computes = False

    def __init__(self, place: Path, files: Sequence[Path]) -> None:
        self.place = place
        self.files = files

    @cached_property
    def signature(self) -> str:
        """The name of the file or folder, and the beginning of the SHA-256 of what is in it."""
        digest = hashlib.sha256()
        for file in self.files:
            digest.update(file.read_bytes())
        return f"conllu|files:{self.place.name}[{digest.hexdigest()[:12]}]"

    def parse(self, lines: Sequence[str]) -> list[Tree]:
        """One tree per line."""
        return [self._tree(line) for line in lines]

    def _tree(self, line: str) -> Tree:
        letters = _letters(line)
        if not letters:
            return Tree((), line)
        # A line may hold several sentences: every one that the line can begin with is tried with those after it.
        for length in self._lengths:
            for first in self._places.get(letters[:length], ()) if length <= len(letters) else ():
                last = self._last(first, letters)
                if last is not None:
                    return joined(self._sentences[first : last + 1], line)
        raise BadFile(
            self.place, f"no tree for the line {line[:60]!r}", cure="parse the same text, with its `# text` comments"
        )

    def _last(self, first: int, letters: str) -> int | None:
        """The last of the sentences from `first` on that have exactly these letters; None where they differ."""
        done = 0
        for place in range(first, len(self._sentences)):
            found = self._spelled[place]
            if not letters.startswith(found, done):
                return None
            done += len(found)
            if done == len(letters):
                return place
        return None

    @cached_property
    def _sentences(self) -> list[Tree]:
        return [tree for file in self.files for _, tree in read(file) if len(tree)]

    @cached_property
    def _spelled(self) -> list[str]:
        return [_letters(tree.text) for tree in self._sentences]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """The letters of a sentence -> its places."""
        found: dict[str, list[int]] = {}
        for place, letters in enumerate(self._spelled):
            found.setdefault(letters, []).append(place)
        return found

    @cached_property
    def _lengths(self) -> list[int]:
        """The lengths of all sentences, the longest first: a line that is one sentence is found at once."""
        return sorted({len(letters) for letters in self._spelled}, reverse=True)


def conllu(option: str) -> Parser:
    """The trees of a file, or of all `.conllu` files of a folder."""
    if not option:
        raise BadOption("conllu names no file; write conllu:FILE or conllu:FOLDER")
    place = Path(option).expanduser()
    if not place.is_dir():
        if not place.is_file():
            raise BadFile(place, "there is no such file")
        return CoNLLU(place, [place])
    files = sorted(file for file in place.iterdir() if suffix(file) == ".conllu")
    if not files:
        raise BadFile(place, "no .conllu file in this folder", cure="name the folder that has them")
    return CoNLLU(place, files)


def _letters(text: str) -> str:
    return unicodedata.normalize("NFC", "".join(text.split()))
