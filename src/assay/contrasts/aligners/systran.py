"""systran-align (fast_align as a library): learns a model that can be used again and links each pair on its own.

    systran("").learn(pairs, Path("en-cs.model"))
    systran("model=en-cs.model").align(pairs)

Without a model one is learnt from the pairs that are aligned. Links are symmetrised by systran-align itself: there are
more of them than both directions have in common.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.contrasts.aligners.base import VIEW_OPTIONS, Aligner, Scope, TextPair, Words, WordView, options, view
from assay.contrasts.trees import Links
from assay.contrasts.worker_check import check_here
from assay.errors import AssayError, BadFile, MissingExtra
from assay.files import writing_folder

FILES = ("forward.probs", "backward.probs")


@dataclass(frozen=True)
class Systran:
    """The aligner; `model` is the folder that `learn` wrote, None to learn from the pairs at hand."""

    view: WordView
    model: Path | None
    signature: str
    option: str = ""
    name: str = "systran"

    @property
    def scope(self) -> Scope:
        return "pair" if self.model else "pool"

    def seen(self, pair: TextPair) -> tuple[Words, Words]:
        """The words of a pair, cut to their beginnings unless the options say otherwise."""
        return self.view.seen(pair)

    def align(self, pairs: Sequence[TextPair]) -> list[Links]:
        """The links of each pair."""
        return self.link([self.seen(pair) for pair in pairs])

    def link(self, seen: Sequence[tuple[Words, Words]]) -> list[Links]:
        """The links of each pair of words."""
        distinct = [words for words in dict.fromkeys(seen) if all(words)]
        if not distinct:
            return [frozenset()] * len(seen)
        # With a model each pair is linked alone, and may be in another process.
        if self.model:
            check_here(systran, self.option, self.signature)
            found = _align(_load_once(self.model, self.signature), distinct)
        else:
            with TemporaryDirectory(prefix="assay-") as folder:
                _learn(distinct, Path(folder))
                found = _align(_load(Path(folder)), distinct)
        links = dict(zip(distinct, found, strict=True))
        return [links.get(words, frozenset()) for words in seen]

    def learn(self, pairs: Sequence[TextPair], path: Path) -> None:
        """Write a folder with the probabilities of both directions."""
        distinct = [words for words in dict.fromkeys(map(self.seen, pairs)) if all(words)]
        if not distinct:
            raise AssayError("there are no sentence pairs with words on both sides to learn from")
        with writing_folder(path) as folder:
            _learn(distinct, folder)


def systran(option: str) -> Aligner:
    """The aligner with options: `model=FOLDER`, `words=lemmas`, `source=6` and `target=5` letters (0: all)."""
    settings = options("systran", option, ("model", *VIEW_OPTIONS))
    if find_spec("systran_align") is None:
        raise MissingExtra("the aligner systran", "pip install 'assay-mt[systran]'")
    chosen = view("systran", settings)
    model, learnt = None, "none"
    if "model" in settings:
        model = Path(settings["model"]).expanduser().absolute()
        # The absolute path goes into `option`, from which a worker in another folder makes the aligner again.
        settings["model"] = str(model)
        digest = hashlib.sha256()
        for file in FILES:
            if not (model / file).is_file():
                raise BadFile(model, f"not a model: there is no {file}", cure="learn one from a pool of systems first")
            digest.update((model / file).read_bytes())
        learnt = f"{model.name}[{digest.hexdigest()[:12]}]"
    signature = f"systran|systran-align:{version('systran-align')}|{chosen.signature}|model:{learnt}"
    return Systran(chosen, model, signature, ",".join(f"{name}={value}" for name, value in settings.items()))


def _learn(distinct: Sequence[tuple[Words, Words]], folder: Path) -> None:
    from systran_align import generate_alignment_probabilities

    with TemporaryDirectory(prefix="assay-") as name:
        joined = Path(name) / "pairs"
        text = "".join(f"{' '.join(source)} ||| {' '.join(target)}\n" for source, target in distinct)
        joined.write_text(text, encoding="utf-8", newline="\n")
        generate_alignment_probabilities(str(joined), *(str(folder / file) for file in FILES))


def _load(folder: Path) -> Any:
    from systran_align import Aligner

    try:
        return Aligner(*(str(folder / file) for file in FILES))
    except RuntimeError as error:
        raise BadFile(folder, f"the model cannot be read ({error})", cure="learn it again") from error


@cache
def _load_once(folder: Path, signature: str) -> Any:
    """The model with this signature, loaded once per process."""
    return _load(folder)


def _align(aligner: Any, distinct: Sequence[tuple[Words, Words]]) -> list[Links]:
    found = aligner.align_batch([list(source) for source, _ in distinct], [list(target) for _, target in distinct])
    return [frozenset(result["alignments"]) for result in found]
