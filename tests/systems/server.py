"""A real HTTP server on this machine that speaks the protocols of the online engines, and their faults.

    with MtServer() as server:
        server.next(Fault.RATE, Fault.CUT)          # the next two requests fail like this, the third is answered
        engine = server.load("openai", pair)
        server.requests[0].body["messages"]

It translates by turning a text round (`translated`), and answers 401 or 403 to any key but KEY where a test asks for
one. Everything that was sent is kept for the test to look at. Nothing here waits longer than the test needs.
"""

import json
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from typing import Any, NamedTuple, Protocol, Self, TypeVar
from urllib.parse import parse_qsl, urlsplit

from assay.systems.engine import Engine, LanguagePair, load_engine


class Closable(Protocol):
    """What has to be closed."""

    def close(self) -> None: ...


Client = TypeVar("Client", bound=Closable)

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


def translated(text: str) -> str:
    """The server's translation: the words in reverse order."""
    return " ".join(reversed(text.split()))


class MtServer:
    """The server; use it with `with`."""

    def __init__(
        self, *, wants_key: bool = False, answer: Callable[[str], str] = translated, delay: float = 0.0
    ) -> None:
        self.requests: list[Request] = []
        self.wants_key = wants_key
        self.answer = answer
        self.delay = delay
        self.closing = threading.Event()
        self._faults: deque[Fault] = deque()
        self._lock = threading.Lock()
        self._clients = ExitStack()
        self._server = _Listener(("127.0.0.1", 0), _Handler)
        self._server.mt = self

    def __enter__(self) -> Self:
        # A short interval: a test should not wait for the server's loop to notice its end.
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._clients.close()
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def spec(self, name: str, /, **options: str) -> str:
        """An engine of this server, as a user writes it."""
        option, path = _ADDRESSES[name]
        model = {"model": MODEL} if name in ("openai", "anthropic") else {}
        given = {option: self.url + path, **model, **options}
        return f"{name}:" + ",".join(f"{name}={value}" for name, value in given.items())

    def load(self, name: str, pair: LanguagePair, /, **options: str) -> Engine:
        """An engine that asks this server, with a short time limit; closed with it."""
        return self.closed(load_engine(self.spec(name, **{"timeout": "0.5", **options}), pair))

    def closed(self, client: Client) -> Client:
        """Something that is closed with the server."""
        self._clients.callback(client.close)
        return client

    def next(self, *faults: Fault) -> None:
        """The next requests fail like this, one after the other."""
        with self._lock:
            self._faults.extend(faults)

    def take(self, request: Request) -> Fault | None:
        """Keep a request; the fault that is planned for it."""
        with self._lock:
            self.requests.append(request)
            return self._faults.popleft() if self._faults else None


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    mt: MtServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that are killed in the middle of a request are no news."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else every answer takes 40 ms
    server: _Listener

    def do_POST(self) -> None:
        mt = self.server.mt
        parts = urlsplit(self.path)
        length = int(self.headers.get("content-length", 0))
        sent = self.rfile.read(length)
        if len(sent) < length:
            raise ConnectionError
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(parts.path, dict(parse_qsl(parts.query)), headers, json.loads(sent))
        api = _api(request)
        fault = mt.take(request)
        sleep(mt.delay)
        if mt.wants_key and KEY not in api.key(request):
            self._send(api.refusal)
        elif fault is None:
            self._send(api.answer(request, mt.answer))
        else:
            self._fail(fault, request, api)

    def _fail(self, fault: Fault, request: Request, api: "Api") -> None:
        whole = api.answer(request, self.server.mt.answer)
        planned = api.faults.get(fault) or _PLAIN.get(fault)
        if planned:
            self._send(planned)
        elif fault is Fault.RATE_DATE:
            until = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
            self._send(Reply(429, {"error": "slow down"}, {"Retry-After": until}))
        elif fault is Fault.LONG:
            self._send(api.cut_short(whole))
        elif fault is Fault.SLOW:
            self.server.mt.closing.wait(20)
            self.close_connection = True
        elif fault is Fault.DRIP:
            self._drip()
        elif fault is Fault.GONE:
            self.close_connection = True
        elif fault is Fault.CUT:
            self._start(200, "application/json", 1000)
            self.wfile.write(json.dumps(whole.body).encode()[:10])
            self.close_connection = True
        elif fault is Fault.HALF_STREAM:
            self._start(200, "text/event-stream", None)
            self.wfile.write(b'2a\r\ndata: {"choices":[{"delta":{"content":"Ich\r\n')
            self.close_connection = True
        else:
            content, kind = {
                Fault.HALF_JSON: (json.dumps(whole.body)[:-5], "application/json"),
                Fault.HTML: ("<html>Please log in to the wireless network.</html>", "text/html; charset=utf-8"),
            }[fault]
            self._start(200, kind, len(content.encode()))
            self.wfile.write(content.encode())

    def _drip(self) -> None:
        self._start(200, "application/json", 1000)
        while not self.server.mt.closing.wait(0.05):
            try:
                self.wfile.write(b" ")
            except OSError:
                break
        self.close_connection = True

    def _send(self, reply: Reply) -> None:
        content = json.dumps(reply.body).encode()
        self._start(reply.status, "application/json", len(content), reply.headers)
        self.wfile.write(content)

    def _start(self, status: int, kind: str, length: int | None, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


_PLAIN = {
    Fault.RATE: Reply(429, {"error": {"message": "slow down"}}, {"Retry-After": "2"}),
    Fault.RATE_BARE: Reply(429, {}),
    Fault.BROKEN: Reply(500, {"error": {"message": "worker died"}}),
    Fault.BUSY: Reply(503, {"error": "overloaded"}, {"Retry-After": "1"}),
    Fault.NOTHING: Reply(200, {"something": "else"}),
    Fault.REDIRECT: Reply(302, {}, {"Location": "https://elsewhere.example/v1?session=1"}),
    Fault.REFUSED: Reply(403, {"error": {"message": "not in your country"}}),
}


# The protocols -------------------------------------------------------------------------------------------------------


class Api(NamedTuple):
    """How one API asks, answers and complains."""

    key: Callable[[Request], str]
    answer: Callable[[Request, Callable[[str], str]], Reply]
    refusal: Reply
    faults: Mapping[Fault, Reply] = {}
    cut_short: Callable[[Reply], Reply] = lambda reply: reply


def _api(request: Request) -> Api:
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

_ADDRESSES = {
    "openai": ("base_url", "/v1"),
    "anthropic": ("base_url", "/v1"),
    "deepl": ("endpoint", "/v2"),
    "google": ("endpoint", "/language/translate/v2"),
    "microsoft": ("endpoint", ""),
    "libretranslate": ("base_url", ""),
    "amazon": ("endpoint", ""),
}
"""Engine -> the option for its address, and the path of its API here."""
