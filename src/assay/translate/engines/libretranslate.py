"""LibreTranslate, on this machine or elsewhere.

libretranslate({"base_url": "http://localhost:5000"}, LanguagePair("en", "es")).translate(["The cat sleeps."])
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.translate.engine import Engine, LanguagePair
from assay.translate.http import Secret, host_of
from assay.translate.json_answers import field
from assay.translate.keys import chosen_key
from assay.translate.online import Api, connect, online_engine, read_codes, read_url
from assay.translate.options import Options

URL = "https://libretranslate.com"

API = Api(
    "LIBRETRANSLATE_API_KEY",
    codes={"no": "nb", "pt-br": "pb", "zh-hans": "zh", "zh-hant": "zt"},
    # Servers have limits of their own, many of 2,000 characters a request.
    batch=20,
    most=2_000,
)


def libretranslate(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """LibreTranslate: base_url=URL."""
    read = Options("libretranslate", options)
    url = read_url(read, "base_url", URL)
    key = chosen_key(read, API.key, needed=host_of(url) == host_of(URL))
    connection = connect(read, API, url, secret=Secret(key) if key else None)
    codes = read_codes(read, pair, API)
    fixed = {"source": codes.source, "target": codes.target, "format": "text"}

    def ask(sentences: Sequence[str]) -> Sequence[Any]:
        # This API takes its key in the body.
        own = {"api_key": key.reveal()} if key else {}
        said = field(connection.http.post("/translate", {"q": list(sentences), **fixed, **own}), "translatedText")
        return said if isinstance(said, list) else []

    return online_engine(read, API, connection, ask=ask, parameters=fixed)
