"""A CTranslate2 model in a local folder, with SentencePiece models beside it: `ctranslate2:model=models/de-en`.

    ctranslate2({"model": "models/de-en"}, LanguagePair("de", "en")).translate(["Der Schlüssel steckt noch."])

The folder holds what ct2-transformers-converter or ct2-opus-mt-converter wrote, and `source.spm` and `target.spm` (or
one `spm=FILE` for both sides).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from assay.errors import BadOption, MissingExtra
from assay.translate.engine import Answer, Engine, Estimate, LanguagePair
from assay.translate.engines.model_folder import fingerprint, installed_version, model_folder
from assay.translate.options import Options

END = "</s>"
"""The converters leave it to the caller to write the end of a sentence, which the models were trained with."""


def ctranslate2(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """A CTranslate2 model in a local folder: model=FOLDER, spm=FILE, beams=4, device=cpu."""
    asked = Options("ctranslate2", options)
    folder = model_folder(asked)
    one = asked.path("spm")
    pieces = (one, one) if one else (folder / "source.spm", folder / "target.spm")
    prefixes = (asked.text("source_code"), asked.text("target_code"))
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
    try:
        source, target = (sentencepiece.SentencePieceProcessor(model_file=str(path)) for path in pieces)
    except (OSError, ValueError, RuntimeError) as error:
        raise _unloadable(folder, error) from error
    parameters = {
        "engine": "ctranslate2",
        "version": installed_version("ctranslate2"),
        "model": folder.name,
        "weights": fingerprint(folder),
        "spm": _pieces_hash(pieces),
        "beams": str(beams),
        **({"source_code": prefixes[0]} if prefixes[0] else {}),
        **({"target_code": prefixes[1]} if prefixes[1] else {}),
    }

    def load() -> Any:
        try:
            return library.Translator(str(folder), device=device)
        except (OSError, ValueError, RuntimeError) as error:
            raise _unloadable(folder, error) from error

    return CTranslate2(load, (source, target), prefixes, parameters, beams=beams, batch=batch)


class CTranslate2:
    """A model, loaded by the first call: who only hands out work needs neither it nor its device.

    One call at a time, since it uses all cores itself.
    """

    is_local = True
    can_spread = True
    fills_machine = True
    concurrency = 1
    per_minute = None
    timeout = 600.0

    def __init__(
        self,
        load: Callable[[], Any],
        pieces: tuple[Any, Any],
        prefixes: tuple[str | None, str | None],
        parameters: Mapping[str, str],
        *,
        beams: int,
        batch: int,
    ) -> None:
        self._load = load
        self._source, self._target = pieces
        self._prefixes = prefixes
        self._beams = beams
        self.parameters = parameters
        self.batch = batch
        self.name = parameters["model"]

    @cached_property
    def _translator(self) -> Any:
        return self._load()

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        return Estimate(sum(map(len, sentences)), sum(len(self._tokens(sentence)) for sentence in sentences))

    def _tokens(self, sentence: str) -> list[str]:
        code = self._prefixes[0]
        return [*([code] if code else []), *self._source.encode(sentence, out_type=str), END]

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        tokens = [self._tokens(sentence) for sentence in sentences]
        # Models for many languages are told the target language by a first token, which they repeat in the answer.
        code = self._prefixes[1]
        prefix = [[code] for _ in sentences] if code else None
        found = self._translator.translate_batch(tokens, target_prefix=prefix, beam_size=self._beams)
        return [Answer(self._target.decode(_without(result.hypotheses[0], code)).strip()) for result in found]

    def close(self) -> None:
        """The model goes with the process."""


def _unloadable(folder: Path, error: Exception) -> BadOption:
    return BadOption(f"ctranslate2: {folder} cannot be loaded: {str(error).partition(chr(10))[0][:200]}")


def _without(tokens: Sequence[str], code: str | None) -> list[str]:
    """The tokens that are text."""
    return [token for token in tokens if token not in (code, END)]


def _pieces_hash(paths: tuple[Path, Path]) -> str:
    from hashlib import sha256

    digest = sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
