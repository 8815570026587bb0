"""Google Cloud Translation, by its REST API, version 2 (Basic), which takes an API key.

    google({}, LanguagePair("en", "cs")).translate(["Have you seen the key?"])

Version 3 (Advanced: glossaries, own models, language models) wants a service account and its token instead of a key,
and is not offered.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.translate.engine import Engine, LanguagePair
from assay.translate.http import Secret, host_of
from assay.translate.json_answers import field, texts
from assay.translate.keys import chosen_key
from assay.translate.online import Api, connect, online_engine, read_codes, read_url
from assay.translate.options import Options

URL = "https://translation.googleapis.com/language/translate/v2"

API = Api(
    "GOOGLE_API_KEY",
    codes={"nb": "no", "fr-ca": "fr-CA", "pt-pt": "pt-PT", "zh": "zh-CN", "zh-hans": "zh-CN", "zh-hant": "zh-TW"},
    batch=100,
)


def google(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """Google Cloud Translation v2: model=nmt|base, endpoint=URL."""
    read = Options("google", options)
    url = read_url(read, "endpoint", URL)
    key = chosen_key(read, API.key, needed=host_of(url) == host_of(URL))
    # The key goes into a header: addresses are kept in logs on the way.
    connection = connect(read, API, url, secret=Secret(key, "x-goog-api-key") if key else None)
    codes = read_codes(read, pair, API)
    model = read.choice("model", ("nmt", "base"))
    fixed = {"source": codes.source, "target": codes.target, "format": "text", **({"model": model} if model else {})}

    def ask(sentences: Sequence[str]) -> Sequence[Any]:
        said = connection.http.post("", {"q": list(sentences), **fixed})
        return texts(field(said, "data", "translations"), "translatedText")

    return online_engine(read, API, connection, ask=ask, parameters=fixed)
