"""LibreTranslate, on this machine or elsewhere.

libretranslate({"base_url": "http://localhost:5000"}, LanguagePair("en", "es")).translate(["The cat sleeps."])
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.translate.engine import Engine, LanguagePair
from assay.translate.http import Server
from assay.translate.json_answers import field
from assay.translate.online import Api, Connection
from assay.translate.options import Options

SERVER = Server("https://libretranslate.com", "LIBRETRANSLATE_API_KEY", option="base_url")

API = Api(
    codes={"no": "nb", "pt-br": "pb", "zh-hans": "zh", "zh-hant": "zt"},
    # Servers have limits of their own, many of 2,000 characters a request.
    batch=20,
    most=2_000,
)


def libretranslate(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """LibreTranslate: base_url=URL."""
    read = Options("libretranslate", options)
    server = Connection(read, pair, API, SERVER)
    fixed = {"source": server.codes.source, "target": server.codes.target, "format": "text"}

    def ask(sentences: Sequence[str]) -> Sequence[Any]:
        # This API takes its key in the body.
        own = {"api_key": server.http.key.reveal()} if server.http.key else {}
        said = field(server.http.post("/translate", {"q": list(sentences), **fixed, **own}), "translatedText")
        return said if isinstance(said, list) else []

    return server.engine(ask, fixed)
