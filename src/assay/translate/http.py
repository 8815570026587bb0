"""One way to speak HTTP for all online engines.

    http = connect(options, Server("https://api.deepl.com/v2", "DEEPL_API_KEY", "Authorization"), timeout=60)
    http.post("/translate", {"text": ["Hallo"], "target_lang": "EN-US"})

The official clients of the online engines were considered. Each waits, repeats and times out in its own way, and some
put headers into their errors. `collect` has to do all of this anyway, the same for every engine; what is left of a
client is a POST request, and the one here keeps keys out of every error.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from assay.errors import BadOption, MissingExtra
from assay.translate.engine import EngineError, TryAgain
from assay.translate.faults import RequestContext, fault
from assay.translate.keys import Key, chosen_key
from assay.translate.options import Options

_HOST = re.compile(r"[\w.-]+|[0-9a-f:.]+", re.IGNORECASE)

LIMIT = 16 * 2**20
"""Bytes of one answer at most; a server that never stops writing is cut off."""


def checked_url(engine: str, option: str, url: str) -> str:
    """An address without its last slash; refused if it holds a password or a query, where keys might be."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or port == 0 or not _HOST.fullmatch(parts.hostname or ""):
        raise BadOption(f"{engine}: {option} is no address; write for example {option}=http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadOption(
            f"{engine}: {option} must not hold a name, a password or a query; a key goes into a variable (key_env=NAME)"
        )
    return url.rstrip("/")


def host_of(url: str) -> str:
    """The host of an address, with its port where it has one."""
    return urlsplit(url).netloc


def is_loopback(url: str) -> bool:
    """Whether an address leads to this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


@dataclass(frozen=True, slots=True)
class Server:
    """Where an API is, and how it takes its key: in a header, behind `before`; without a header the body has it.

    `option` is what users call the address. `by_key` has further usual addresses, by the end of the keys for them.
    """

    url: str
    key: str
    header: str = ""
    before: str = ""
    option: str = "endpoint"
    by_key: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def connect(options: Options, server: Server, *, timeout: float, model: str | None = None) -> "Http":
    """A client for the address and the key that the user chose."""
    url = checked_url(options.engine, server.option, options.text(server.option, server.url))
    usual = {host_of(known) for known in (server.url, *server.by_key.values())}
    # The usual key goes to the usual host only: an own server need not have one, and must not see it.
    key = chosen_key(options, server.key, needed=host_of(url) in usual)
    if key and not options.has(server.option):
        url = next((other for end, other in server.by_key.items() if key.reveal().endswith(end)), url)
    # The name of the usual key too, for the message where a server that got none wants one.
    asked = RequestContext(options.engine, host_of(url), key.name if key else None, model, server.key)
    return Http(asked, url, server, key, timeout=timeout)


class Http:
    """Posts JSON to one server and reads JSON back, from any number of threads."""

    def __init__(self, asked: RequestContext, url: str, server: Server, key: Key | None, *, timeout: float) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingExtra(f"the engine {asked.engine}", "pip install 'assay-mt[translate]'") from error
        self.asked = asked
        self.url = url
        self.key = key
        self._server = server
        self._timeout = timeout
        try:
            # How many requests run at once is up to `collect`. A proxy of the environment is for other hosts.
            # Redirects are not followed: a key stays with its host, and without TLS no certificates have to be read.
            self._client = httpx.Client(
                headers=dict(server.headers),
                timeout=timeout,
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=100),
                trust_env=not is_loopback(url),
                follow_redirects=False,
                verify=urlsplit(url).scheme != "http",
            )
        except (ValueError, httpx.InvalidURL, ImportError):
            pass
        else:
            return
        # Raised out here, as below: the address of a proxy may hold a password.
        raise BadOption(
            f"{asked.engine}: the proxy that the environment names cannot be used; check HTTPS_PROXY, HTTP_PROXY and "
            "ALL_PROXY, and for socks run: pip install 'httpx[socks]'"
        )

    def post(self, path: str, body: Any, *, query: Mapping[str, str] | None = None) -> Any:
        """The JSON that the server answers; `Refused`, `TryAgain` or `BadAnswer` where it does not."""
        status, headers, content = self._exchange(path, body, query or {})
        value = _parse(content)
        if not 200 <= status < 300:
            raise fault(self.asked, status, headers, value)
        if value is None:
            raise TryAgain(f"{self.asked.who} sent {_kind(headers)}")
        return value

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def _exchange(self, path: str, body: Any, query: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        import httpx

        problem: EngineError
        try:
            return self._read(path, body, query)
        except httpx.TimeoutException:
            problem = TryAgain(f"{self.asked.who} did not answer within {self._timeout:g} s")
        except httpx.ConnectError as error:
            problem = TryAgain(f"{self.asked.who} cannot be reached ({error})")
        except httpx.RequestError as error:
            problem = TryAgain(f"{self.asked.who} cut the connection ({type(error).__name__})")
        # Raised out here, without the error of httpx in its context: that one holds the request and its headers.
        raise problem

    def _read(self, path: str, body: Any, query: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        import httpx

        key, header = self.key, self._server.header
        own = {header: self._server.before + key.reveal()} if key and header else {}
        until = monotonic() + self._timeout
        content = bytearray()
        with self._client.stream("POST", self.url + path, json=body, params=dict(query), headers=own) as response:
            for part in response.iter_bytes():
                content += part
                # httpx limits the wait for each part; a server that drips would never be late.
                if monotonic() > until:
                    raise httpx.ReadTimeout("")
                if len(content) > LIMIT:
                    raise httpx.ReadError("")
        text = content.decode("utf-8", errors="replace")
        return response.status_code, response.headers, key.hide(text) if key else text


def _parse(content: str) -> Any:
    """The JSON value, or None if it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _kind(headers: Mapping[str, str]) -> str:
    kind = headers.get("content-type", "").partition(";")[0].strip()
    return "JSON that is broken off or malformed" if kind.endswith("json") else f"{kind[:60] or 'something'}, not JSON"
