"""Microsoft Translator (Azure), by its REST API, version 3.

    microsoft({"region": "westeurope"}, LanguagePair("en", "ru")).translate(["Have you seen the key?"])

Beside the key most resources want their region, from the option or from AZURE_TRANSLATOR_REGION.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import BadOption
from assay.translate.engine import Engine, LanguagePair
from assay.translate.http import Server
from assay.translate.json_answers import field
from assay.translate.online import Api, Connection
from assay.translate.options import Options, chosen

SERVER = Server(
    "https://api.cognitive.microsofttranslator.com", "AZURE_TRANSLATOR_KEY", header="Ocp-Apim-Subscription-Key"
)

REGION = "AZURE_TRANSLATOR_REGION"

API = Api(
    codes={
        "no": "nb", "fr-ca": "fr-ca", "pt-pt": "pt-pt", "sr": "sr-Cyrl", "sr-cyrl": "sr-Cyrl", "sr-latn": "sr-Latn",
        "zh": "zh-Hans", "zh-hans": "zh-Hans", "zh-hant": "zh-Hant",
    },
    batch=100,
)  # fmt: skip


def microsoft(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """Microsoft Translator: region=NAME, category=ID, endpoint=URL."""
    read = Options("microsoft", options)
    region = read.text("region") or os.environ.get(REGION, "").strip()
    # It goes into a header, and a key that was put here by mistake must not be shown in the message.
    if region and not re.fullmatch(r"[A-Za-z0-9-]{1,40}", region):
        raise BadOption(f"microsoft: the region is the name of a place, as westeurope; check region= and {REGION}")
    server = Connection(read, pair, API, replace(SERVER, headers=chosen({"Ocp-Apim-Subscription-Region": region})))
    codes = server.codes
    query = chosen({"api-version": "3.0", "from": codes.source, "to": codes.target, "category": read.text("category")})

    def ask(sentences: Sequence[str]) -> Sequence[Any]:
        said = server.http.post("/translate", [{"Text": sentence} for sentence in sentences], query=query)
        parts = said if isinstance(said, list) else []
        return [field(part, "translations", 0, "text") for part in parts]

    return server.engine(ask, query)
