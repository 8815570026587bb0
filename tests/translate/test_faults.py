"""What the statuses of servers mean, without a server."""

from typing import Any

import pytest

from assay.translate.engine import BadAnswer, EngineError, Refused, TryAgain
from assay.translate.faults import RequestContext, fault

ASKED = RequestContext("openai", "mt.example", "MY_KEY", model="parrot")
NOW = "Wed, 01 Jan 2025 12:00:00 GMT"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("Wed, 01 Jan 2025 12:01:30 GMT", 90.0),
        ("Wed, 01 Jan 2025 11:00:00 GMT", 0.0),  # over already
        ("Wed, 01 Jan 2025 12:00:10 -0000", 10.0),
        ("soon", None),
        ("-5", None),
        ("9" * 400, None),
        ("", None),
    ],
)
def test_retry_after_by_the_clock_of_the_server(header: str, seconds: float | None) -> None:
    found = fault(ASKED, 429, {"retry-after": header, "date": NOW}, {})
    assert isinstance(found, TryAgain)
    assert found.after == seconds


@pytest.mark.parametrize(
    ("status", "body", "kind", "words"),
    [
        (408, {}, TryAgain, "passing fault"),
        (529, {}, TryAgain, "passing fault"),
        (402, {"error": "pay"}, Refused, "quota is exhausted .402.: pay"),
        (413, {}, BadAnswer, "does not translate this sentence"),
        (400, {"error": {"code": "content_filter", "message": "no"}}, BadAnswer, "this sentence .400.: no"),
        (400, {"message": "This model's maximum context length is 4096 tokens"}, BadAnswer, "context length"),
        (
            400,
            {"error": {"message": "Unsupported value: 'temperature'"}},
            Refused,
            "does not take the request .400.: Un",
        ),
        (404, {"message": "The model `parrot` does not exist."}, Refused, "has no model 'parrot'"),
        (404, {"error": 'model "parrot" not found, try pulling it first'}, Refused, "has no model 'parrot'"),
        (404, {"detail": "Not Found"}, Refused, "nothing at this address"),
        (404, None, Refused, "nothing at this address .404.; check base_url"),
        (307, None, Refused, "sends on to another address"),
        (500, ["odd"], TryAgain, "passing fault .500.$"),
        (500, {"error": {"message": {"odd": 1}}}, TryAgain, "passing fault .500.$"),
    ],
)
def test_statuses(status: int, body: Any, kind: type[EngineError], words: str) -> None:
    found = fault(ASKED, status, {}, body)
    assert type(found) is kind
    with pytest.raises(kind, match=words):
        raise found


def test_what_a_server_says_is_one_short_line_without_control_characters() -> None:
    found = str(fault(ASKED, 500, {}, {"error": "line\nbreak \x1b[31mred " + "x" * 500}))
    assert "\n" not in found
    assert "\x1b" not in found
    assert len(found) < 300
