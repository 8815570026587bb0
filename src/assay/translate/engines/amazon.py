"""Amazon Translate, by boto3, which signs every request.

    amazon({"region": "eu-central-1"}, LanguagePair("en", "es")).translate(["The cat sleeps."])

The one online engine with its official client: the signature is a matter of hundreds of lines, and boto3 finds the
credentials where AWS users keep them (environment, ~/.aws, the role of a machine). Its own repetitions are switched
off, so that waiting is done in one place. One request is one sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from assay.errors import BadOption, MissingExtra
from assay.translate.engine import BadAnswer, Engine, EngineError, LanguagePair, Refused, TryAgain
from assay.translate.http import checked_url, is_loopback
from assay.translate.online import TIMEOUT, Api, OnlineEngine, read_codes
from assay.translate.options import Options, chosen
from assay.translate.pace import Pace, read_pace
from assay.translate.prices import character_price

API = Api(
    codes={
        "nb": "no", "es-mx": "es-MX", "fr-ca": "fr-CA", "pt-pt": "pt-PT", "zh-hans": "zh", "zh-hant": "zh-TW",
    },
    batch=1,
    most=10_000,
)  # fmt: skip

FORMALITY = ("formal", "informal")

# Codes of errors, as `faults` has them for the engines that are asked by HTTP.
PASSING = frozenset(
    {
        *("InternalServerException", "InternalFailure", "ServiceUnavailableException", "ServiceUnavailable"),
        *("ThrottlingException", "Throttling", "TooManyRequestsException", "RequestTimeout"),
    }
)
NOT_THIS_SENTENCE = frozenset({"TextSizeLimitExceededException", "DetectedLanguageLowConfidenceException"})
NO_KEY = frozenset(
    {
        *("UnrecognizedClientException", "InvalidSignatureException", "InvalidClientTokenId", "AccessDeniedException"),
        *("ExpiredTokenException", "MissingAuthenticationTokenException", "SignatureDoesNotMatch"),
    }
)


def amazon(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """Amazon Translate: region=NAME, formality=formal|informal, endpoint=URL."""
    read = Options("amazon", options)
    pace = read_pace(read, timeout=TIMEOUT)
    named = read.text("endpoint")
    endpoint = checked_url("amazon", "endpoint", named) if named else None
    region, formality = read.text("region"), read.choice("formality", FORMALITY)
    codes = read_codes(read, pair, API)
    prices = character_price(read)
    read.finish()
    client = _client(region, endpoint, pace)
    fixed = {"SourceLanguageCode": codes.source, "TargetLanguageCode": codes.target}
    settings: dict[str, Any] = {"Settings": {"Formality": formality.upper()}} if formality else {}

    def ask(sentences: Sequence[str]) -> Sequence[Any]:
        return [_answer(partial(client.translate_text, Text=sentence, **fixed, **settings)) for sentence in sentences]

    place = {"region": client.meta.region_name, "endpoint": client.meta.endpoint_url, "formality": formality}
    return OnlineEngine(
        "amazon",
        ask,
        {"engine": "amazon", **fixed, **chosen(place)},
        pace,
        prices,
        API.batch,
        API.most,
        is_loopback(client.meta.endpoint_url),
        client.close,
    )


def _client(region: str | None, endpoint: str | None, pace: Pace) -> Any:
    try:
        boto3, config, errors = (import_module(name) for name in ("boto3", "botocore.config", "botocore.exceptions"))
    except ImportError as error:
        raise MissingExtra("the engine amazon", "pip install 'assay-mt[amazon]'") from error
    once = config.Config(
        connect_timeout=pace.timeout,
        read_timeout=pace.timeout,
        retries={"total_max_attempts": 1},
        max_pool_connections=max(100, pace.concurrency),  # or threads would wait for each other's connections
    )
    try:
        return boto3.Session(region_name=region).client("translate", endpoint_url=endpoint, config=once)
    except (errors.BotoCoreError, ValueError) as error:
        problem = type(error).__name__
    # Raised out here, without the error of boto3 in its context: that one may hold what is in ~/.aws.
    if problem == "NoRegionError":
        raise BadOption("amazon: the region is missing; write for example amazon:region=eu-central-1")
    raise Refused(f"amazon: the client cannot be made ({problem}); check the files in ~/.aws, region and endpoint")


def _answer(call: Callable[[], Any]) -> Any:
    """The translation that a call returns; errors of boto3 are told apart, and go no further with what they hold."""
    errors = import_module("botocore.exceptions")
    problem: EngineError
    try:
        return call().get("TranslatedText")
    except (errors.NoCredentialsError, errors.PartialCredentialsError):
        problem = Refused("amazon needs a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run: aws configure")
    except errors.ClientError as error:
        problem = _fault(error.response)
    except errors.BotoCoreError as error:
        problem = TryAgain(f"amazon: no answer ({type(error).__name__})")
    raise problem


def _fault(response: Mapping[str, Any]) -> EngineError:
    error = response.get("Error", {})
    code, words = str(error.get("Code", "")), " ".join(str(error.get("Message", "")).split())[:200]
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code in NO_KEY:
        return Refused(f"amazon refused the key in AWS_ACCESS_KEY_ID, or what it may do ({code})")
    if code == "LimitExceededException":
        return Refused(f"amazon says that the quota is exhausted: {words}")
    if code in PASSING or status == 429 or status >= 500:
        return TryAgain(f"amazon has a passing fault ({code})")
    if code in NOT_THIS_SENTENCE:
        return BadAnswer(f"amazon does not translate this sentence ({code})")
    return Refused(f"amazon does not take the request ({code}): {words}")
