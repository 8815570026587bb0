"""A Hugging Face sequence-to-sequence model in a local folder: `transformers:model=models/opus-mt-de-en`.

    transformers({"model": "models/opus-mt-de-en"}, LanguagePair("de", "en")).translate(["Der Schlüssel steckt noch."])

Nothing is fetched. Models for many languages want the codes that they were trained with (`source_code=deu_Latn`,
`target_code=eng_Latn` for NLLB).
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

BATCH = 16
"""Sentences that go through the model together."""


def transformers(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """A Hugging Face model in a local folder: model=FOLDER, beams=4, device=cpu."""
    asked = Options("transformers", options)
    folder = model_folder(asked)
    codes = (asked.text("source_code"), asked.text("target_code"))
    settings = {
        "num_beams": asked.whole("beams", 4),
        "max_new_tokens": asked.whole("max_tokens", 256),
    }
    batch, device = asked.whole("batch", BATCH), asked.text("device", "cpu")
    asked.finish()
    try:
        torch, library = import_module("torch"), import_module("transformers")
    except ImportError as error:
        raise MissingExtra("the engine transformers", "pip install 'assay-mt[transformers]'") from error
    try:
        tokenizer = library.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise _unloadable(folder, error) from error
    source, target = codes
    if source:
        tokenizer.src_lang = source
    if target:
        # Models for many languages are told the target language by the first token of the answer.
        settings["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(target)
    parameters = {
        "engine": "transformers",
        "version": installed_version("transformers"),
        "model": folder.name,
        "weights": fingerprint(folder),
        **{name: str(value) for name, value in sorted(settings.items())},
        **({"source_code": source} if source else {}),
        **({"target_code": target} if target else {}),
    }

    def load() -> Any:
        try:
            return library.AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True).to(device).eval()
        except (OSError, ValueError, RuntimeError) as error:
            raise _unloadable(folder, error) from error

    return Transformers(tokenizer, load, torch, parameters, settings, batch, folder.name)


class Transformers:
    """A model, loaded by the first call: who only hands out work needs neither it nor its device.

    One call at a time, since it fills the machine.
    """

    is_local = True
    can_spread = True
    fills_machine = True
    concurrency = 1
    per_minute = None
    timeout = 600.0

    def __init__(
        self,
        tokenizer: Any,
        load: Callable[[], Any],
        torch: Any,
        parameters: Mapping[str, str],
        settings: Mapping[str, int],
        batch: int,
        name: str,
    ) -> None:
        self._tokenizer, self._load, self._torch = tokenizer, load, torch
        self._settings = settings
        self.parameters = parameters
        self.batch = batch
        self.name = name

    @cached_property
    def _model(self) -> Any:
        return self._load()

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        return Estimate(sum(map(len, sentences)), sum(map(len, self._tokenizer(list(sentences))["input_ids"])))

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        inputs = self._tokenizer(list(sentences), return_tensors="pt", padding=True).to(self._model.device)
        with self._torch.inference_mode():
            found = self._model.generate(**inputs, **self._settings)
        return [Answer(text.strip()) for text in self._tokenizer.batch_decode(found, skip_special_tokens=True)]

    def close(self) -> None:
        """The model goes with the process."""


def _unloadable(folder: Path, error: Exception) -> BadOption:
    said = str(error).strip().partition("\n")[0][:200] or type(error).__name__
    return BadOption(f"transformers: {folder} cannot be loaded: {said}")
