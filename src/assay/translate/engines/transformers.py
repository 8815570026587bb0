"""A Hugging Face sequence-to-sequence model in a local folder: `transformers:model=models/opus-mt-de-en`.

    transformers({"model": "models/opus-mt-de-en"}, LanguagePair("de", "en")).translate(["Der Schlüssel steckt noch."])

Nothing is fetched. Models for many languages want the codes that they were trained with (`source_code=deu_Latn`,
`target_code=eng_Latn` for NLLB).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from assay.errors import MissingExtra
from assay.translate.engine import Answer, Engine, Estimate, LanguagePair
from assay.translate.engines.model_folder import FolderModel, loading, model_folder
from assay.translate.options import Options

BATCH = 16
"""Sentences that go through the model together."""


def transformers(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """A Hugging Face model in a local folder: model=FOLDER, beams=4, device=cpu."""
    asked = Options("transformers", options)
    folder = model_folder(asked)
    source, target = asked.text("source_code"), asked.text("target_code")
    search = {"num_beams": asked.whole("beams", 4), "max_new_tokens": asked.whole("max_tokens", 256)}
    batch, device = asked.whole("batch", BATCH), asked.text("device", "cpu")
    asked.finish()
    try:
        torch, library = import_module("torch"), import_module("transformers")
    except ImportError as error:
        raise MissingExtra("the engine transformers", "pip install 'assay-mt[transformers]'") from error
    with loading("transformers", folder):
        tokenizer = library.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    if source:
        tokenizer.src_lang = source
    if target:
        # Models for many languages are told the target language by the first token of the answer.
        search["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(target)
    written = {name: str(value) for name, value in sorted(search.items())}
    return Transformers(
        "transformers",
        folder,
        lambda: library.AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True).to(device).eval(),
        batch,
        {**written, "source_code": source, "target_code": target},
        tokenizer,
        search,
        torch,
    )


@dataclass(eq=False)
class Transformers(FolderModel):
    """A sequence-to-sequence model, with its tokenizer and how it searches."""

    tokenizer: Any
    search: Mapping[str, int]
    torch: Any

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        return Estimate(sum(map(len, sentences)), sum(map(len, self.tokenizer(list(sentences))["input_ids"])))

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        inputs = self.tokenizer(list(sentences), return_tensors="pt", padding=True).to(self.model.device)
        with self.torch.inference_mode():
            found = self.model.generate(**inputs, **self.search)
        return [Answer(text.strip()) for text in self.tokenizer.batch_decode(found, skip_special_tokens=True)]
