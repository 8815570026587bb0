"""eflomal (Östling and Tiedemann 2016), run as a program of its own: it is under the GPL, and is never imported.

    eflomal("").align(pairs)  # all pairs of all systems together
    eflomal("").learn(pairs, Path("en-cs.priors"))
    eflomal("priors=en-cs.priors").align(pairs_of_one_system)

Links are those that both directions have. eflomal draws at random and has no seed: two runs differ. Equal pairs are
aligned once, and so have equal links.
"""

import hashlib
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.contrasts.aligners.base import VIEW_OPTIONS, Aligner, Scope, TextPair, Words, WordView, options, view
from assay.contrasts.trees import Links
from assay.errors import AssayError, BadFile, MissingExtra
from assay.files import write_bytes

FURTHER = "0.025"
"""Share of the usual iterations for pairs that come after a pool. eflomal makes the more iterations the fewer pairs it
has to learn from; what the pool taught need not be learnt again, and the links agree with those of the whole pool as
well as after all iterations (docs/reference/contrasts.md has the figures)."""

LONGEST = 1000
"""Words; eflomal leaves out sentences of 1,024 words and more."""

CURE = "pip install 'assay-mt[eflomal]' (it is built from source and needs a C compiler, for example gcc)"


@dataclass(frozen=True)
class Eflomal:
    """The aligner; `priors` is what `learn` wrote, None to start from nothing."""

    view: WordView
    priors: Path | None
    signature: str
    name: str = "eflomal"
    scope: Scope = "pool"

    def seen(self, pair: TextPair) -> tuple[Words, Words]:
        """The words of a pair, cut to their beginnings unless the options say otherwise."""
        return self.view.seen(pair)

    def align(self, pairs: Sequence[TextPair]) -> list[Links]:
        """The links of each pair, learnt from all of them."""
        with TemporaryDirectory(prefix="assay-") as folder:
            return self._linked(pairs, Path(folder), self.priors)

    def align_from(self, priors: bytes, pairs: Sequence[TextPair]) -> list[Links]:
        """The links of each pair, from priors that `train` has made."""
        with TemporaryDirectory(prefix="assay-") as folder:
            learnt = Path(folder) / "learnt"
            learnt.write_bytes(priors)
            return self._linked(pairs, Path(folder), learnt, length=FURTHER)

    def train(self, pairs: Sequence[TextPair]) -> tuple[list[Links], bytes]:
        """The links of each pair, and priors: which words and movements were linked how often."""
        with TemporaryDirectory(prefix="assay-") as name:
            folder = Path(name)
            links = self._linked(pairs, folder, self.priors)
            if not (folder / "forward").exists():
                return links, b""
            arguments = ["-s", "source", "-t", "target", "-f", "forward", "-r", "reverse", "-p", "priors"]
            _program("eflomal-makepriors", arguments, folder)
            return links, (folder / "priors").read_bytes()

    def learn(self, pairs: Sequence[TextPair], path: Path) -> None:
        """Write priors to a file."""
        _, priors = self.train(pairs)
        if not priors:
            raise AssayError("there are no sentence pairs with words on both sides to learn priors from")
        write_bytes(priors, path)

    def _linked(self, pairs: Sequence[TextPair], folder: Path, priors: Path | None, length: str = "") -> list[Links]:
        seen = [self.seen(pair) for pair in pairs]
        distinct = _alignable(seen)
        forward, reverse = self._run(distinct, folder, priors, length)
        # The intersection: fewer links, but of higher precision, and a wrong link makes a wrong verdict.
        links = {words: frozenset(one & other) for words, one, other in zip(distinct, forward, reverse, strict=True)}
        return [links.get(words, frozenset()) for words in seen]

    def _run(
        self, distinct: Sequence[tuple[Words, Words]], folder: Path, priors: Path | None, length: str
    ) -> tuple[list[set[tuple[int, int]]], ...]:
        """The links of both directions; leaves the files in the folder."""
        if not distinct:
            return [], []
        for side, file in enumerate(("source", "target")):
            text = "".join(" ".join(words[side]) + "\n" for words in distinct)
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
        arguments = ["-s", "source", "-t", "target", "-f", "forward", "-r", "reverse"]
        if priors:
            arguments += ["-p", str(priors.resolve())]
        if length:
            arguments += ["--length", length]
        _program("eflomal-align", arguments, folder)
        return tuple(_links(folder / file, len(distinct)) for file in ("forward", "reverse"))


def eflomal(option: str) -> Aligner:
    """The aligner with options: `priors=FILE`, `words=lemmas`, `source=6` and `target=5` letters (0: all)."""
    settings = options("eflomal", option, ("priors", *VIEW_OPTIONS))
    chosen = view("eflomal", settings)
    priors, learnt = None, "none"
    if "priors" in settings:
        priors = Path(settings["priors"]).expanduser()
        if not priors.is_file():
            raise BadFile(priors, "there are no such priors", cure="make them from a pool of systems first")
        learnt = f"{priors.stem}[{hashlib.sha256(priors.read_bytes()).hexdigest()[:12]}]"
    # For its error, before anything is parsed.
    _find("eflomal-align")
    try:
        release = version("eflomal")
    except PackageNotFoundError:
        release = "unknown"
    signature = f"eflomal|eflomal:{release}|{chosen.signature}|priors:{learnt}|links:intersection"
    return Eflomal(chosen, priors, signature)


def _alignable(seen: Sequence[tuple[Words, Words]]) -> list[tuple[Words, Words]]:
    """The distinct pairs that have words on both sides, and not too many."""
    return [
        words for words in dict.fromkeys(seen) if all(words) and len(words[0]) <= LONGEST and len(words[1]) <= LONGEST
    ]


def _find(program: str) -> str:
    """A program, in the folder of the running Python or on the PATH."""
    own = Path(sys.executable).parent / program
    found = str(own) if own.is_file() else shutil.which(program)
    if found is None:
        raise MissingExtra(f"the aligner eflomal (its program {program})", CURE)
    return found


def _program(program: str, arguments: Sequence[str], folder: Path) -> None:
    done = subprocess.run(
        [_find(program), *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode:
        code = done.returncode
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"failed with exit code {code}"
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise AssayError(f"{program} {how}" + (f": {last}" if last else ""))


def _links(path: Path, expected: int) -> list[set[tuple[int, int]]]:
    try:
        # Not splitlines: every line ends in a newline, and an empty one is a pair without links.
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    except FileNotFoundError:
        raise AssayError(f"eflomal-align wrote no {path.name} links") from None
    if len(lines) != expected:
        raise AssayError(
            f"eflomal-align wrote {len(lines):,} lines of {path.name} links for {expected:,} sentence pairs"
        )
    return [{(int(one), int(other)) for one, other in (link.split("-") for link in line.split())} for line in lines]
