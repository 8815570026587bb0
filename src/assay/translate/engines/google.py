"""Google Cloud Translation, by its REST API, version 2 (Basic), which takes an API key.

    google({}, LanguagePair("en", "cs")).translate(["Have you seen the key?"])

Version 3 (Advanced: glossaries, own models, language models) wants a service account and its token instead of a key,
and is not offered.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.translate.engine import Engine, LanguagePair
from assay.translate.http import Server
from assay.translate.json_answers import field, texts
from assay.translate.online import Api, Connection
from assay.translate.options import Options, chosen

# The key goes into a header: addresses are kept in logs on the way.
SERVER = Server("https://translation.googleapis.com/language/translate/v2", "GOOGLE_API_KEY", "x-goog-api-key")

API = Api(
    codes={"nb": "no", "fr-ca": "fr-CA", "pt-pt": "pt-PT", "zh": "zh-CN", "zh-hans": "zh-CN", "zh-hant": "zh-TW"},
    batch=100,
)


def google(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """Google Cloud Translation v2: model=nmt|base, endpoint=URL."""
    read = Options("google", options)
    server = Connection(read, pair, API, SERVER)
    model = read.choice("model", ("nmt", "base"))
    fixed = chosen({"source": server.codes.source, "target": server.codes.target, "format": "text", "model": model})

    def ask(sentences: Sequence[str]) -> Sequence[Any]:
        said = server.http.post("", {"q": list(sentences), **fixed})
        return texts(field(said, "data", "translations"), "translatedText")

    return server.engine(ask, fixed)
