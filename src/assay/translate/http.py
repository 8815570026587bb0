"""One way to speak HTTP for all online engines.

    http = Http(asked, "https://api.deepl.com/v2", secret=Secret(key, "Authorization", "DeepL-Auth-Key "), timeout=60)
    http.post("/translate", {"text": ["Hallo"], "target_lang": "EN-US"})

The official clients of the online engines were considered. Each waits, repeats and times out in its own way, and some
put headers into their errors. `collect` has to do all of this anyway, the same for every engine; what is left of a
client is a POST request, and the one here keeps keys out of every error.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from assay.errors import BadOption, MissingExtra
from assay.translate.engine import EngineError, TryAgain
from assay.translate.faults import RequestContext, fault
from assay.translate.keys import Key

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
class Secret:
    """A key and the header it goes into, as `Secret(key, "Authorization", "Bearer ")`; without one, into the body."""

    key: Key
    header: str = ""
    before: str = ""


class Http:
    """Posts JSON to one server and reads JSON back, from any number of threads."""

    def __init__(
        self,
        asked: RequestContext,
        url: str,
        *,
        secret: Secret | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float,
    ) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingExtra(f"the engine {asked.engine}", "pip install 'assay-mt[translate]'") from error
        self.asked = asked
        self.url = url
        self._secret = secret
        self._timeout = timeout
        try:
            # How many requests run at once is up to `collect`. A proxy of the environment is for other hosts.
            # Redirects are not followed: a key stays with its host, and without TLS no certificates have to be read.
            self._client = httpx.Client(
                headers=dict(headers or {}),
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
            raise TryAgain(f"{self._who} sent {_kind(headers)}")
        return value

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    @property
    def _who(self) -> str:
        return f"{self.asked.engine}: {self.asked.host}"

    def _exchange(self, path: str, body: Any, query: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        import httpx

        problem: EngineError
        try:
            return self._read(path, body, query)
        except httpx.TimeoutException:
            problem = TryAgain(f"{self._who} did not answer within {self._timeout:g} s")
        except httpx.ConnectError as error:
            problem = TryAgain(f"{self._who} cannot be reached ({error})")
        except httpx.RequestError as error:
            problem = TryAgain(f"{self._who} cut the connection ({type(error).__name__})")
        # Raised out here, without the error of httpx in its context: that one holds the request and its headers.
        raise problem

    def _read(self, path: str, body: Any, query: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        import httpx

        secret = self._secret
        own = {secret.header: secret.before + secret.key.reveal()} if secret and secret.header else {}
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
        return response.status_code, response.headers, secret.key.hide(text) if secret else text


def _parse(content: str) -> Any:
    """The JSON value, or None if it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _kind(headers: Mapping[str, str]) -> str:
    kind = headers.get("content-type", "").partition(";")[0].strip()
    return "JSON that is broken off or malformed" if kind.endswith("json") else f"{kind[:60] or 'something'}, not JSON"
