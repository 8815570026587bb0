"""What a status of an online engine means: give up, try again, or do without this sentence.

    fault(RequestContext("openai", "api.openai.com", "OPENAI_API_KEY", model="gpt-4o"), 429, {"retry-after": "2"}, body)
    # TryAgain(after=2.0)

The one place where the error codes of all engines are told apart. What servers write is quoted without keys, and only
where it helps; some repeat a part of the key they refuse.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from assay.translate.engine import BadAnswer, EngineError, Refused, TryAgain

# Codes that servers write into the body of an error. They go before the status: Google asks to slow down with a 403,
# OpenAI says with a 429 that the quota is used up, and waiting would not help.
NO_KEY = frozenset({"API_KEY_INVALID", "invalid_api_key", "authentication_error", "401000"})
NO_QUOTA = frozenset(
    {
        *("insufficient_quota", "billing_hard_limit_reached", "billing_not_active"),  # OpenAI
        "billing_error",  # Anthropic
        "dailyLimitExceeded",  # Google
        "403001",  # Microsoft: the free quota is used up
    }
)
PASSING = frozenset({"rateLimitExceeded", "userRateLimitExceeded"})  # Google, with status 403
NOT_THIS_SENTENCE = frozenset(
    {"content_filter", "content_policy_violation", "context_length_exceeded", "exceed_context_size_error",
     "string_above_max_length", "400050", "400077"}
)  # fmt: skip
_TOO_LONG = re.compile(r"context (?:length|size|window)|prompt is too long", re.IGNORECASE)  # vLLM, Anthropic

NO_MODEL = frozenset({"model_not_found", "not_found_error", "NotFoundError"})


@dataclass(frozen=True, slots=True)
class RequestContext:
    """Who was asked, with what; for messages. `key` is the name of a variable, or None where no key was sent."""

    engine: str
    host: str
    key: str | None = None
    model: str | None = None
    usual_key: str = ""

    @property
    def who(self) -> str:
        return f"{self.engine}: {self.host}"


def fault(asked: RequestContext, status: int, headers: Mapping[str, str], body: Any) -> EngineError:
    """The error that a status other than 2xx stands for."""
    codes = set(_codes(body))
    words = _words(body)
    who = asked.who
    said = f": {words}" if words else ""
    if codes & PASSING:
        return TryAgain(f"{who} asks to slow down ({status})", _after(headers))
    # 402 Payment Required; 456 is DeepL's own.
    if status in (402, 456) or codes & NO_QUOTA or "credit balance is too low" in words:
        return Refused(f"{who} says that the quota is exhausted ({status}){said}")
    if status == 401 or codes & NO_KEY:
        return Refused(f"{who} {_refused_key(asked)} ({status})")
    if status == 403:
        return Refused(f"{who} {_refused_key(asked)} ({status}){said}")
    if status == 429:
        return TryAgain(f"{who} asks to slow down (429)", _after(headers))
    # Request Timeout, Conflict (clients of OpenAI and Anthropic repeat it too), Too Early.
    if status in (408, 409, 425) or status >= 500:
        return TryAgain(f"{who} has a passing fault ({status}){said}", _after(headers))
    if codes & NOT_THIS_SENTENCE or status == 413 or _TOO_LONG.search(words):
        return BadAnswer(f"{who} does not translate this sentence ({status}){said}")
    return Refused(f"{who} {_cause(asked, status, codes, headers, words)}")


def _cause(asked: RequestContext, status: int, codes: set[str], headers: Mapping[str, str], words: str) -> str:
    said = f": {words}" if words else ""
    if 300 <= status < 400:
        return f"sends on to {_place(headers)} ({status}), which is not followed; give that address"
    if asked.model and (codes & NO_MODEL or (status == 404 and "model" in words.lower())):
        return f"has no model {asked.model!r} ({status}){said}"
    if status == 404:
        return f"has nothing at this address (404){said}; check base_url and endpoint"
    return f"does not take the request ({status}){said}"


def _refused_key(asked: RequestContext) -> str:
    if asked.key:
        return f"refused the key in {asked.key}"
    hint = f", for example key_env={asked.usual_key}" if asked.usual_key else ""
    return f"wants a key; name the variable that holds it with key_env=NAME{hint}"


def _place(headers: Mapping[str, str]) -> str:
    from urllib.parse import urlsplit

    # The path of a redirect may hold a session; the host is what the user has to know.
    try:
        return urlsplit(headers.get("location", "")).hostname or "another address"
    except ValueError:
        return "another address"


def _after(headers: Mapping[str, str]) -> float | None:
    """The seconds of a Retry-After header: a number, or a date by the server's own clock."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value):
        return float(value)
    until = _date(value)
    if until is None:
        return None
    now = _date(headers.get("date", "")) or datetime.now(UTC)
    return max(0.0, (until - now).total_seconds())


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _codes(body: Any) -> Iterator[str]:
    """Every code, type, status and reason that the body of an error holds."""
    if isinstance(body, list):
        for part in body:
            yield from _codes(part)
    elif isinstance(body, dict):
        for name, value in body.items():
            if name in ("code", "type", "status", "reason") and isinstance(value, str | int):
                yield str(value)
            elif name in ("error", "errors", "details", "innererror"):
                yield from _codes(value)


def _words(body: Any) -> str:
    """What the server wrote, in one line of at most 200 characters."""
    if isinstance(body, dict):
        for name in ("error", "message", "detail"):
            if name in body:
                return _words(body[name])
        return ""
    if not isinstance(body, str):
        return ""
    line = "".join(character for character in " ".join(body.split()) if character.isprintable())
    return line if len(line) <= 200 else line[:199] + "…"
