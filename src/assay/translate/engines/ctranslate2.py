"""A CTranslate2 model in a local folder, with SentencePiece models beside it: `ctranslate2:model=models/de-en`.

    ctranslate2({"model": "models/de-en"}, LanguagePair("de", "en")).translate(["Der Schlüssel steckt noch."])

The folder holds what ct2-transformers-converter or ct2-opus-mt-converter wrote, and `source.spm` and `target.spm` (or
one `spm=FILE` for both sides).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from assay.errors import BadOption, MissingExtra
from assay.translate.engine import Answer, Engine, Estimate, LanguagePair
from assay.translate.engines.model_folder import FolderModel, loading, model_folder
from assay.translate.options import Options

END = "</s>"
"""The converters leave it to the caller to write the end of a sentence, which the models were trained with."""


def ctranslate2(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """A CTranslate2 model in a local folder: model=FOLDER, spm=FILE, beams=4, device=cpu."""
    asked = Options("ctranslate2", options)
    folder = model_folder(asked)
    one = asked.path("spm")
    pieces = (one, one) if one else (folder / "source.spm", folder / "target.spm")
    codes = (asked.text("source_code"), asked.text("target_code"))
    beams, batch = asked.whole("beams", 4), asked.whole("batch", 32)
    device = asked.text("device", "cpu")
    asked.finish()
    for path in pieces:
        if not path.is_file():
            raise BadOption(f"ctranslate2: there is no {path}; name the SentencePiece model with spm=FILE")
    try:
        library, sentencepiece = import_module("ctranslate2"), import_module("sentencepiece")
    except ImportError as error:
        raise MissingExtra("the engine ctranslate2", "pip install 'assay-mt[ctranslate2]'") from error
    with loading("ctranslate2", folder):
        source, target = (sentencepiece.SentencePieceProcessor(model_file=str(path)) for path in pieces)
    return CTranslate2(
        "ctranslate2",
        folder,
        partial(library.Translator, str(folder), device=device),
        batch,
        {"spm": _pieces_hash(pieces), "beams": str(beams), "source_code": codes[0], "target_code": codes[1]},
        source,
        target,
        codes,
        beams,
    )


@dataclass(eq=False)
class CTranslate2(FolderModel):
    """A translator of token sequences; `source` and `target` make them from text, and text from them."""

    source: Any
    target: Any
    codes: tuple[str | None, str | None]
    beams: int

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        return Estimate(sum(map(len, sentences)), sum(len(self._tokens(sentence)) for sentence in sentences))

    def _tokens(self, sentence: str) -> list[str]:
        code = self.codes[0]
        return [*([code] if code else []), *self.source.encode(sentence, out_type=str), END]

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        tokens = [self._tokens(sentence) for sentence in sentences]
        # Models for many languages are told the target language by a first token, which they repeat in the answer.
        code = self.codes[1]
        prefix = [[code] for _ in sentences] if code else None
        found = self.model.translate_batch(tokens, target_prefix=prefix, beam_size=self.beams)
        return [Answer(self.target.decode(_without(result.hypotheses[0], code)).strip()) for result in found]


def _without(tokens: Sequence[str], code: str | None) -> list[str]:
    """The tokens that are text."""
    return [token for token in tokens if token not in (code, END)]


def _pieces_hash(paths: tuple[Path, Path]) -> str:
    return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:12]
