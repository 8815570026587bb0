"""DeepL, by its REST API, version 2.

    deepl({"formality": "more"}, LanguagePair("en", "de")).translate(["Have you seen the key?"])

A key that ends in `:fx` is one for the free API, which has another host.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.translate.engine import Engine, LanguagePair
from assay.translate.http import Server
from assay.translate.json_answers import field, texts
from assay.translate.online import Api, Connection
from assay.translate.options import Options, chosen

SERVER = Server(
    "https://api.deepl.com/v2",
    "DEEPL_API_KEY",
    "Authorization",
    "DeepL-Auth-Key ",
    by_key={":fx": "https://api-free.deepl.com/v2"},
)

FORMALITY = ("default", "more", "less", "prefer_more", "prefer_less")
MODELS = ("latency_optimized", "quality_optimized", "prefer_quality_optimized")

API = Api(
    # As a source a language is enough; as a target English, Portuguese and Chinese want their variant.
    codes={"no": "nb"},
    target_codes={
        "en": "en-US", "en-gb": "en-GB", "en-us": "en-US", "es-419": "es-419", "pt": "pt-PT", "pt-br": "pt-BR",
        "pt-pt": "pt-PT", "zh": "zh-Hans", "zh-hans": "zh-Hans", "zh-hant": "zh-Hant",
    },
)  # fmt: skip


def deepl(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """DeepL: formality=more|less|…, endpoint=URL."""
    read = Options("deepl", options)
    server = Connection(read, pair, API, SERVER)
    fixed = chosen(
        {
            "source_lang": server.codes.source.upper(),
            "target_lang": server.codes.target.upper(),
            "formality": read.choice("formality", FORMALITY),
            "model_type": read.choice("model", MODELS),
        }
    )

    def ask(sentences: Sequence[str]) -> Sequence[Any]:
        said = server.http.post("/translate", {"text": list(sentences), **fixed})
        return texts(field(said, "translations"), "text")

    return server.engine(ask, fixed)
