"""DeepL, by its REST API, version 2.

    deepl({"formality": "more"}, LanguagePair("en", "de")).translate(["Have you seen the key?"])

A key that ends in `:fx` is one for the free API, which has another host.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.translate.engine import Engine, LanguagePair
from assay.translate.http import Secret, host_of
from assay.translate.json_answers import field, texts
from assay.translate.keys import chosen_key
from assay.translate.online import Api, connect, online_engine, read_codes, read_url
from assay.translate.options import Options

PRO = "https://api.deepl.com/v2"
FREE = "https://api-free.deepl.com/v2"

FORMALITY = ("default", "more", "less", "prefer_more", "prefer_less")
MODELS = ("latency_optimized", "quality_optimized", "prefer_quality_optimized")

API = Api(
    "DEEPL_API_KEY",
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
    chosen = read_url(read, "endpoint", PRO)
    key = chosen_key(read, API.key, needed=host_of(chosen) in (host_of(PRO), host_of(FREE)))
    # Unless the user names an address, the key decides between the two.
    url = FREE if key and key.reveal().endswith(":fx") and not read.has("endpoint") else chosen
    secret = Secret(key, "Authorization", "DeepL-Auth-Key ") if key else None
    connection = connect(read, API, url, secret=secret)
    codes = read_codes(read, pair, API)
    chosen_words = {"formality": read.choice("formality", FORMALITY), "model_type": read.choice("model", MODELS)}
    fixed = {
        "source_lang": codes.source.upper(),
        "target_lang": codes.target.upper(),
        **{name: word for name, word in chosen_words.items() if word},
    }

    def ask(sentences: Sequence[str]) -> Sequence[Any]:
        said = connection.http.post("/translate", {"text": list(sentences), **fixed})
        return texts(field(said, "translations"), "text")

    return online_engine(read, API, connection, ask=ask, parameters=fixed)
