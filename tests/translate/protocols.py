"""What the online engines' servers answer: the protocols of seven APIs, and how each of them fails.

api = api_of(request)
api.answer(request, str.upper)      # the reply to a request without faults
api.faults[Fault.QUOTA]             # and one with a fault
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, NamedTuple

KEY = "test-key-4711-never-to-be-seen"
MODEL = "parrot"


class Fault(Enum):
    """What can go wrong with one request."""

    RATE = auto()  # 429, Retry-After: 2
    RATE_DATE = auto()  # 429, Retry-After: a date in 30 seconds
    RATE_BARE = auto()  # 429 and nothing else
    QUOTA = auto()  # 429 that waiting does not cure
    BROKEN = auto()  # 500
    BUSY = auto()  # 503, Retry-After: 1
    SLOW = auto()  # no answer until the server is closed
    DRIP = auto()  # a byte now and then, until the server is closed
    CUT = auto()  # the connection ends in the middle of the body
    GONE = auto()  # the connection ends before the answer
    HALF_STREAM = auto()  # server-sent events that end early
    HALF_JSON = auto()  # a body that is complete, but only half of the JSON
    HTML = auto()  # a page of some gateway
    NOTHING = auto()  # well-formed JSON without a translation
    EMPTY = auto()  # a translation without text
    FILTER = auto()  # a content filter
    LONG = auto()  # cut short by the limit of tokens
    REDIRECT = auto()  # 302 to another host
    REFUSED = auto()  # 403


class Request(NamedTuple):
    """What a client sent."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any

    def text(self) -> str:
        """All of it but its headers."""
        return f"{self.path} {dict(self.query)} {self.body}"


class Reply(NamedTuple):
    """What the server answers."""

    status: int
    body: Any
    headers: Mapping[str, str] = {}


PLAIN = {
    Fault.RATE: Reply(429, {"error": {"message": "slow down"}}, {"Retry-After": "2"}),
    Fault.RATE_BARE: Reply(429, {}),
    Fault.BROKEN: Reply(500, {"error": {"message": "worker died"}}),
    Fault.BUSY: Reply(503, {"error": "overloaded"}, {"Retry-After": "1"}),
    Fault.NOTHING: Reply(200, {"something": "else"}),
    Fault.REDIRECT: Reply(302, {}, {"Location": "https://elsewhere.example/v1?session=1"}),
    Fault.REFUSED: Reply(403, {"error": {"message": "not in your country"}}),
}


class Api(NamedTuple):
    """How one API asks, answers and complains."""

    key: Callable[[Request], str]
    answer: Callable[[Request, Callable[[str], str]], Reply]
    refusal: Reply
    faults: Mapping[Fault, Reply] = {}
    cut_short: Callable[[Reply], Reply] = lambda reply: reply


def api_of(request: Request) -> Api:
    if request.path == "/translate":
        return MICROSOFT if isinstance(request.body, list) else LIBRE
    if "x-amz-target" in request.headers:
        return AMAZON
    return _PATHS.get(request.path, NOBODY)


def _header(name: str) -> Callable[[Request], str]:
    return lambda request: request.headers.get(name, "")


def _last_line(request: Request) -> str:
    """The sentence, which the built-in prompt puts last."""
    return str(request.body["messages"][-1]["content"]).rpartition("\n")[2]


def _chat(request: Request, answer: Callable[[str], str]) -> Reply:
    model = request.body["model"]
    if model != MODEL:
        return Reply(404, {"error": {"message": f"The model `{model}` does not exist", "code": "model_not_found"}})
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": answer(_last_line(request))},
        "finish_reason": "stop",
    }
    usage = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
    return Reply(200, {"model": f"{MODEL}-2025-01-01", "choices": [choice], "usage": usage})


def _chat_reply(content: str | None, finish: str, **more: str) -> Reply:
    message = {"role": "assistant", "content": content, **more}
    return Reply(200, {"model": MODEL, "choices": [{"message": message, "finish_reason": finish}]})


def _chat_cut(reply: Reply) -> Reply:
    choice = {**reply.body["choices"][0], "finish_reason": "length"}
    return Reply(200, {**reply.body, "choices": [choice]})


OPENAI = Api(
    _header("authorization"),
    _chat,
    # Servers repeat parts of what they refuse.
    Reply(401, {"error": {"message": "Incorrect API key provided: wrong-ke***lous", "code": "invalid_api_key"}}),
    {
        Fault.QUOTA: Reply(429, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}),
        Fault.EMPTY: _chat_reply("", "stop"),
        Fault.FILTER: _chat_reply(None, "content_filter"),
        Fault.NOTHING: Reply(200, {"model": MODEL, "choices": []}),
    },
    _chat_cut,
)


def _messages(request: Request, answer: Callable[[str], str]) -> Reply:
    model = request.body["model"]
    if model != MODEL:
        return Reply(404, {"type": "error", "error": {"type": "not_found_error", "message": f"model: {model}"}})
    parts = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": answer(_last_line(request))}]
    usage = {"input_tokens": 20, "output_tokens": 5}
    return Reply(200, {"model": f"{MODEL}-1", "content": parts, "stop_reason": "end_turn", "usage": usage})


def _anthropic_error(status: int, kind: str, message: str) -> Reply:
    return Reply(status, {"type": "error", "error": {"type": kind, "message": message}})


ANTHROPIC = Api(
    _header("x-api-key"),
    _messages,
    _anthropic_error(401, "authentication_error", "invalid x-api-key"),
    {
        Fault.QUOTA: _anthropic_error(400, "invalid_request_error", "Your credit balance is too low"),
        Fault.BUSY: _anthropic_error(529, "overloaded_error", "Overloaded"),
        Fault.EMPTY: Reply(200, {"model": MODEL, "content": [], "stop_reason": "end_turn"}),
        Fault.FILTER: Reply(200, {"model": MODEL, "content": [], "stop_reason": "refusal"}),
    },
    lambda reply: Reply(200, {**reply.body, "stop_reason": "max_tokens"}),
)

DEEPL = Api(
    _header("authorization"),
    lambda request, answer: Reply(
        200,
        {"translations": [{"detected_source_language": "DE", "text": answer(text)} for text in request.body["text"]]},
    ),
    Reply(403, {"message": "Forbidden"}),
    {
        Fault.QUOTA: Reply(456, {"message": "Quota Exceeded"}),
        Fault.EMPTY: Reply(200, {"translations": [{"text": ""}]}),
    },
)

GOOGLE = Api(
    _header("x-goog-api-key"),
    lambda request, answer: Reply(
        200, {"data": {"translations": [{"translatedText": answer(text)} for text in request.body["q"]]}}
    ),
    Reply(400, {"error": {"code": 400, "message": "API key not valid.", "details": [{"reason": "API_KEY_INVALID"}]}}),
    {
        Fault.QUOTA: Reply(403, {"error": {"code": 403, "errors": [{"reason": "dailyLimitExceeded"}]}}),
        Fault.RATE_BARE: Reply(403, {"error": {"code": 403, "errors": [{"reason": "userRateLimitExceeded"}]}}),
        Fault.EMPTY: Reply(200, {"data": {"translations": [{"translatedText": ""}]}}),
    },
)

MICROSOFT = Api(
    _header("ocp-apim-subscription-key"),
    lambda request, answer: Reply(
        200, [{"translations": [{"text": answer(part["Text"]), "to": "ru"}]} for part in request.body]
    ),
    Reply(401, {"error": {"code": 401000, "message": "The request is not authorized"}}),
    {
        Fault.QUOTA: Reply(403, {"error": {"code": 403001, "message": "exceeded its free quota"}}),
        Fault.EMPTY: Reply(200, [{"translations": [{"text": ""}]}]),
    },
)

LIBRE = Api(
    lambda request: str(request.body.get("api_key", "")),
    lambda request, answer: Reply(200, {"translatedText": [answer(text) for text in request.body["q"]]}),
    Reply(403, {"error": "Invalid API key"}),
    {Fault.EMPTY: Reply(200, {"translatedText": [""]}), Fault.QUOTA: Reply(402, {"error": "pay first"})},
)

AMAZON = Api(
    _header("authorization"),
    lambda request, answer: Reply(
        200, {"TranslatedText": answer(request.body["Text"]), "SourceLanguageCode": "en", "TargetLanguageCode": "es"}
    ),
    Reply(400, {"__type": "UnrecognizedClientException", "message": "The security token is invalid."}),
    {
        Fault.RATE: Reply(400, {"__type": "ThrottlingException", "message": "Rate exceeded"}),
        Fault.QUOTA: Reply(400, {"__type": "LimitExceededException", "message": "too much"}),
        Fault.EMPTY: Reply(200, {"TranslatedText": "", "SourceLanguageCode": "en", "TargetLanguageCode": "es"}),
    },
)

NOBODY = Api(lambda request: KEY, lambda request, answer: Reply(404, {"detail": "Not Found"}), Reply(404, {}))

_PATHS = {
    "/v1/chat/completions": OPENAI,
    "/v1/messages": ANTHROPIC,
    "/v2/translate": DEEPL,
    "/language/translate/v2": GOOGLE,
}

ADDRESSES = {
    "openai": ("base_url", "/v1"),
    "anthropic": ("base_url", "/v1"),
    "deepl": ("endpoint", "/v2"),
    "google": ("endpoint", "/language/translate/v2"),
    "microsoft": ("endpoint", ""),
    "libretranslate": ("base_url", ""),
    "amazon": ("endpoint", ""),
}
"""Engine -> the option for its address, and the path of its API here."""
