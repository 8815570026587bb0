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
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import parse_qsl, urlsplit

from assay.translate.engine import Engine, EngineSpec, LanguagePair, load_engine
from assay.translate.options import Options
from tests.translate.protocols import ADDRESSES, KEY, MODEL, PLAIN, Api, Fault, Reply, Request, api_of

__all__ = ["KEY", "MODEL", "Fault", "MtServer", "translated"]


class Closable(Protocol):
    """What has to be closed."""

    def close(self) -> None: ...


Client = TypeVar("Client", bound=Closable)


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
        option, path = ADDRESSES[name]
        model = {"model": MODEL} if name in ("openai", "anthropic") else {}
        given = {option: self.url + path, **model, **options}
        return f"{name}:" + ",".join(f"{name}={value}" for name, value in given.items())

    def options(self, name: str, /, **options: str) -> Options:
        """The options of such an engine."""
        spec = EngineSpec(self.spec(name, **options))
        return Options(spec.plugin, spec.options)

    def load(self, name: str, pair: LanguagePair, /, **options: str) -> Engine:
        """An engine that asks this server; closed with it. Its time is short only where an answer that takes long is
        planned: on a busy machine any may."""
        timeout = "2" if {Fault.SLOW, Fault.DRIP} & set(self._faults) else "60"
        return self.closed(load_engine(self.spec(name, **{"timeout": timeout, **options}), pair))

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
        api = api_of(request)
        fault = mt.take(request)
        sleep(mt.delay)
        if mt.wants_key and KEY not in api.key(request):
            self._send(api.refusal)
        elif fault is None:
            self._send(api.answer(request, mt.answer))
        else:
            self._fail(fault, request, api)

    def _fail(self, fault: Fault, request: Request, api: Api) -> None:
        whole = api.answer(request, self.server.mt.answer)
        planned = api.faults.get(fault) or PLAIN.get(fault)
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
