"""DeepL, Google, Microsoft, LibreTranslate and Amazon, spoken with a server of this machine."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from assay.errors import BadOption, MissingExtra
from assay.translate.engine import BadAnswer, EngineError, LanguagePair, Refused, TryAgain, load_engine
from assay.translate.options import Options
from tests.conftest import ROOT
from tests.translate.protocols import KEY, Fault
from tests.translate.server import MtServer, translated

PAIR = LanguagePair("de", "en")
SOURCES = ["Der Schlüssel steckt noch.", "Sie hat ihn gesehen."]

REST = ("deepl", "google", "microsoft", "libretranslate")

KEYS = {
    "deepl": "DEEPL_API_KEY",
    "google": "GOOGLE_API_KEY",
    "microsoft": "AZURE_TRANSLATOR_KEY",
    "libretranslate": "LIBRETRANSLATE_API_KEY",
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MtServer]:
    monkeypatch.delenv("AZURE_TRANSLATOR_REGION", raising=False)
    for name in KEYS.values():
        monkeypatch.setenv(name, KEY)
    with MtServer() as server:
        yield server


@pytest.mark.parametrize("name", REST)
def test_sentences_go_out_together_and_come_back_in_order(server: MtServer, name: str) -> None:
    engine = server.load(name, PAIR)
    assert [answer.text for answer in engine.translate(SOURCES)] == [translated(source) for source in SOURCES]
    assert len(server.requests) == 1
    assert engine.name == name
    assert engine.is_local
    assert engine.batch >= 20


@pytest.mark.parametrize(
    ("name", "pair", "sent"),
    [
        ("deepl", ("en", "de"), {"source_lang": "EN", "target_lang": "DE"}),
        ("deepl", ("de", "en"), {"source_lang": "DE", "target_lang": "EN-US"}),
        ("deepl", ("pt-BR", "en-GB"), {"source_lang": "PT", "target_lang": "EN-GB"}),
        ("deepl", ("en", "zh-TW"), {"source_lang": "EN", "target_lang": "ZH-HANT"}),
        ("google", ("en", "zh"), {"source": "en", "target": "zh-CN"}),
        ("google", ("en-GB", "pt-BR"), {"source": "en", "target": "pt"}),
        ("microsoft", ("zh-CN", "pt-PT"), {"from": "zh-Hans", "to": "pt-pt"}),
        ("microsoft", ("en", "cs"), {"from": "en", "to": "cs"}),
        ("libretranslate", ("en", "zh-Hant"), {"source": "en", "target": "zt"}),
    ],
)
def test_languages_have_the_codes_of_the_engine(
    server: MtServer, name: str, pair: tuple[str, str], sent: dict[str, str]
) -> None:
    engine = server.load(name, LanguagePair(*pair))
    engine.translate(SOURCES)
    [request] = server.requests
    found = request.query if name == "microsoft" else request.body
    assert {field: found[field] for field in sent} == sent
    assert sent.items() <= engine.parameters.items()


def test_codes_can_be_chosen(server: MtServer) -> None:
    server.load("google", PAIR, source_code="gsw", target_code="en-x").translate(SOURCES)
    assert server.requests[0].body["source"] == "gsw"
    assert server.requests[0].body["target"] == "en-x"


@pytest.mark.parametrize("name", REST)
def test_a_key_is_sent_where_the_api_wants_it_and_nowhere_else(server: MtServer, name: str) -> None:
    server.wants_key = True
    engine = server.load(name, PAIR, key_env=KEYS[name])
    engine.translate(SOURCES)
    [request] = server.requests
    places = [header for header, value in request.headers.items() if KEY in value]
    assert (
        places
        == {
            "deepl": ["authorization"],
            "google": ["x-goog-api-key"],
            "microsoft": ["ocp-apim-subscription-key"],
            "libretranslate": [],
        }[name]
    )
    assert (KEY in request.text()) is (name == "libretranslate")
    assert KEY not in request.path + str(request.query)
    assert KEY not in str(engine.parameters) + repr(engine)


@pytest.mark.parametrize("name", REST)
def test_a_wrong_key_names_the_variable(server: MtServer, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEYS[name], "wrong")
    server.wants_key = True
    with pytest.raises(Refused, match=f"refused the key in {KEYS[name]}"):
        server.load(name, PAIR, key_env=KEYS[name]).translate(SOURCES)


@pytest.mark.parametrize("name", REST)
def test_no_key_is_sent_to_an_address_that_the_user_chose(server: MtServer, name: str) -> None:
    server.load(name, PAIR).translate(SOURCES)
    assert KEY not in str(server.requests)


@pytest.mark.parametrize("name", REST)
def test_the_usual_host_wants_a_key(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEYS[name], raising=False)
    monkeypatch.setattr("keyring.get_password", lambda service, name: None)
    with pytest.raises(Refused, match=f"{name} needs a key: set {KEYS[name]}, or run: keyring set assay {KEYS[name]}"):
        load_engine(name, PAIR)


@pytest.mark.parametrize(("key", "host"), [("abc:fx", "api-free.deepl.com"), ("abc", "api.deepl.com")])
def test_a_free_key_of_deepl_has_its_own_host(key: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPL_API_KEY", key)
    engine = load_engine("deepl", PAIR)
    assert engine.parameters["endpoint"] == f"https://{host}/v2"
    assert not engine.is_local
    engine.close()


@pytest.mark.parametrize("name", REST)
@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (Fault.RATE, TryAgain, "asks to slow down"),
        (Fault.QUOTA, Refused, "quota is exhausted"),
        (Fault.BROKEN, TryAgain, "passing fault"),
        (Fault.CUT, TryAgain, "cut the connection"),
        (Fault.HALF_JSON, TryAgain, "broken off"),
        (Fault.HTML, TryAgain, "not JSON"),
        (Fault.NOTHING, BadAnswer, "no translation"),
        # One translation for two sentences: which of them it belongs to nobody knows.
        (Fault.EMPTY, BadAnswer, "not one for each sentence"),
        (Fault.REDIRECT, Refused, "not followed"),
    ],
    ids=lambda value: value.name if isinstance(value, Fault) else "",
)
def test_faults(server: MtServer, name: str, fault: Fault, kind: type[Exception], words: str) -> None:
    server.next(fault)
    with pytest.raises(kind, match=words):
        server.load(name, PAIR).translate(SOURCES)


def test_google_slows_down_with_a_status_that_usually_means_a_refused_key(server: MtServer) -> None:
    server.next(Fault.RATE_BARE)
    with pytest.raises(TryAgain, match=r"asks to slow down \(403\)"):
        server.load("google", PAIR).translate(SOURCES)


def test_an_empty_translation_is_passed_on_as_it_is(server: MtServer) -> None:
    server.next(Fault.EMPTY)
    [answer] = server.load("deepl", PAIR).translate(SOURCES[:1])
    assert answer.text == ""  # collecting counts it as missing


def test_long_sentences_go_out_in_several_requests(server: MtServer) -> None:
    long = ["ein Wort " * 100] * 5  # 900 characters each; LibreTranslate gets at most 2,000 at once
    answers = server.load("libretranslate", PAIR).translate(long)
    assert [len(request.body["q"]) for request in server.requests] == [2, 2, 1]
    assert len(answers) == 5


def test_options_of_single_engines(server: MtServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.load("deepl", PAIR, formality="more", model="quality_optimized").translate(SOURCES)
    assert server.requests[-1].body["formality"] == "more"
    assert server.requests[-1].body["model_type"] == "quality_optimized"
    with pytest.raises(BadOption, match="formality=polite is not one of default, more, less"):
        server.load("deepl", PAIR, formality="polite")

    monkeypatch.setenv("AZURE_TRANSLATOR_REGION", "westeurope")
    server.load("microsoft", PAIR, category="own").translate(SOURCES)
    assert server.requests[-1].headers["ocp-apim-subscription-region"] == "westeurope"
    assert server.requests[-1].query["category"] == "own"
    server.load("microsoft", PAIR, region="eastus").translate(SOURCES)
    assert server.requests[-1].headers["ocp-apim-subscription-region"] == "eastus"
    with pytest.raises(BadOption, match="region is the name of a place"):
        server.load("microsoft", PAIR, region="west europe")

    server.load("google", PAIR, model="base").translate(SOURCES)
    assert server.requests[-1].body["model"] == "base"


def test_costs_are_by_character_if_the_user_gives_a_price(server: MtServer) -> None:
    engine = server.load("deepl", PAIR, price="20")
    # 26 and 20 characters at 20 a million
    assert [answer.cost for answer in engine.translate(SOURCES)] == [pytest.approx(520e-6), pytest.approx(400e-6)]
    found = engine.estimate(SOURCES)
    assert (found.characters, found.tokens) == (46, None)
    assert found.cost == pytest.approx(920e-6)
    assert server.load("deepl", PAIR).translate(SOURCES)[0].cost is None


def test_a_batch_is_at_most_what_the_api_takes(server: MtServer) -> None:
    assert server.load("deepl", PAIR, batch="10").batch == 10
    with pytest.raises(BadOption, match="batch=1000 is not a whole number from 1 to 50"):
        server.load("deepl", PAIR, batch="1000")


@pytest.mark.parametrize("name", ["openai", "anthropic", *REST])
def test_every_option_is_in_the_docs(server: MtServer, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: set[str] = set()
    monkeypatch.setattr(Options, "finish", lambda options: read.update(options.known))
    server.load(name, PAIR)
    page = (ROOT / "docs/reference/engines.md").read_text(encoding="utf-8")
    assert read >= {"concurrency", "key_env"}
    assert [option for option in sorted(read) if f"`{option}`" not in page] == []
    assert f"`{name}`" in page


def test_amazon_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(MissingExtra, match=r"pip install 'assay-mt\[amazon\]'"):
        load_engine("amazon:region=eu-central-1", PAIR)


class FakeError(Exception):
    """Stands for the errors of botocore."""

    def __init__(self, response: dict[str, Any] | None = None) -> None:
        super().__init__(KEY)
        self.response = response


FAKE_ERRORS = {
    name: type(name, (FakeError,), {})
    for name in ("BotoCoreError", "ClientError", "NoCredentialsError", "PartialCredentialsError")
}


@pytest.mark.parametrize(
    ("error", "code", "kind", "words"),
    [
        ("NoCredentialsError", "", Refused, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
        ("BotoCoreError", "", TryAgain, "no answer"),
        ("ClientError", "UnrecognizedClientException", Refused, "refused the key in AWS_ACCESS_KEY_ID"),
        ("ClientError", "ThrottlingException", TryAgain, "passing fault"),
        ("ClientError", "LimitExceededException", Refused, "quota is exhausted"),
        ("ClientError", "TextSizeLimitExceededException", BadAnswer, "this sentence"),
        ("ClientError", "UnsupportedLanguagePairException", Refused, "does not take the request"),
    ],
)
def test_errors_of_boto3_are_told_apart_and_go_no_further(
    error: str, code: str, kind: type[EngineError], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without boto3: a module in its place raises what the real one would. `TestAmazon` has the real one."""

    def translate_text(**_: object) -> None:
        raise FAKE_ERRORS[error]({"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": 400}})

    meta = SimpleNamespace(region_name="eu-central-1", endpoint_url="https://translate.eu-central-1.amazonaws.com")
    client = SimpleNamespace(translate_text=translate_text, meta=meta, close=lambda: None)
    session = SimpleNamespace(client=lambda *_, **__: client)
    monkeypatch.setitem(sys.modules, "boto3", SimpleNamespace(Session=lambda **_: session))
    monkeypatch.setitem(sys.modules, "botocore.config", SimpleNamespace(Config=SimpleNamespace))
    monkeypatch.setitem(sys.modules, "botocore.exceptions", SimpleNamespace(**FAKE_ERRORS))
    engine = load_engine("amazon", PAIR)
    assert not engine.is_local
    with pytest.raises(kind, match=words) as caught:
        engine.translate(SOURCES[:1])
    assert caught.value.__context__ is None
    assert KEY not in str(caught.value)


class TestAmazon:
    """With the real boto3, where it is installed."""

    @pytest.fixture(autouse=True)
    def credentials(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("boto3")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-4711")
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
        monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
        monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
        monkeypatch.delenv("AWS_REGION", raising=False)

    def test_a_sentence_goes_out_and_its_translation_comes_back(self, server: MtServer) -> None:
        server.wants_key = True
        engine = server.load("amazon", PAIR, region="eu-central-1", formality="informal", price="15")
        [answer] = engine.translate(SOURCES[:1])
        assert answer.text == translated(SOURCES[0])
        assert answer.cost == pytest.approx(26 * 15e-6)
        assert server.requests[0].body == {
            "Text": SOURCES[0],
            "SourceLanguageCode": "de",
            "TargetLanguageCode": "en",
            "Settings": {"Formality": "INFORMAL"},
        }
        assert engine.parameters["region"] == "eu-central-1"
        assert KEY not in str(engine.parameters)
        assert engine.is_local
        assert engine.batch == 1

    @pytest.mark.parametrize(
        ("fault", "kind", "words"),
        [
            (Fault.RATE, TryAgain, "passing fault .ThrottlingException."),
            (Fault.QUOTA, Refused, "quota is exhausted"),
            (Fault.BROKEN, TryAgain, "passing fault"),
            (Fault.SLOW, TryAgain, "ReadTimeoutError"),
            (Fault.GONE, TryAgain, "ConnectionClosedError"),
        ],
        ids=lambda value: value.name if isinstance(value, Fault) else "",
    )
    def test_faults(self, server: MtServer, fault: Fault, kind: type[EngineError], words: str) -> None:
        server.next(fault)
        with pytest.raises(kind, match=words) as caught:
            server.load("amazon", PAIR, region="eu-central-1").translate(SOURCES[:1])
        assert caught.value.__context__ is None
        assert len(server.requests) == 1  # boto3 does not repeat on its own

    def test_refused_and_missing_keys(self, server: MtServer, monkeypatch: pytest.MonkeyPatch) -> None:
        server.wants_key = True
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "WRONG")
        with pytest.raises(Refused, match="refused the key in AWS_ACCESS_KEY_ID"):
            server.load("amazon", PAIR, region="eu-central-1").translate(SOURCES[:1])
        monkeypatch.delenv("AWS_ACCESS_KEY_ID")
        with pytest.raises(Refused, match="amazon needs a key: set AWS_ACCESS_KEY_ID"):
            server.load("amazon", PAIR, region="eu-central-1").translate(SOURCES[:1])

    def test_a_region_is_needed(self) -> None:
        with pytest.raises(BadOption, match="the region is missing"):
            load_engine("amazon", PAIR)
