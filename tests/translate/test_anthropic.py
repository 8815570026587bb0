"""Anthropic's Messages API, spoken with a server of this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.translate.engine import BadAnswer, Engine, LanguagePair, Refused, TryAgain
from assay.translate.engines.anthropic import anthropic_chat
from assay.translate.prompt import Message
from tests.translate.protocols import KEY, MODEL, Fault
from tests.translate.server import MtServer, translated

PAIR = LanguagePair("en", "pt-BR")
SOURCE = "The key is still in."


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MtServer]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with MtServer(wants_key=True) as server:
        yield server


def load(server: MtServer, **options: str) -> Engine:
    return server.load("anthropic", PAIR, key_env="ANTHROPIC_API_KEY", **options)


def test_a_sentence_goes_out_and_its_translation_comes_back(server: MtServer, tmp_path: Path) -> None:
    (tmp_path / "system.txt").write_text("Be exact.", encoding="utf-8")
    engine = load(server, system=str(tmp_path / "system.txt"))
    [answer] = engine.translate([SOURCE])
    assert answer.text == translated(SOURCE)  # the part with the model's reasoning is left out
    assert answer.tokens == 25
    assert answer.details == {"model": f"{MODEL}-1", "finish": "end_turn", "tokens_in": "20", "tokens_out": "5"}
    [request] = server.requests
    assert request.path == "/v1/messages"
    assert request.headers["x-api-key"] == KEY
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert request.body["system"] == "Be exact."
    assert [message["role"] for message in request.body["messages"]] == ["user"]
    assert "from English to Brazilian Portuguese" in request.body["messages"][0]["content"]
    assert request.body["max_tokens"] == 1024
    assert KEY not in request.text()
    assert KEY not in str(engine.parameters)


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (Fault.RATE, TryAgain, "asks to slow down"),
        (Fault.QUOTA, Refused, "quota is exhausted .400.: Your credit balance is too low"),
        (Fault.BUSY, TryAgain, "passing fault .529.: Overloaded"),
        (Fault.SLOW, TryAgain, "did not answer within"),
        (Fault.CUT, TryAgain, "cut the connection"),
        (Fault.HALF_STREAM, TryAgain, "cut the connection"),
        (Fault.HALF_JSON, TryAgain, "broken off"),
        (Fault.NOTHING, BadAnswer, "is empty"),
        (Fault.EMPTY, BadAnswer, "is empty .finish: end_turn."),
        (Fault.FILTER, BadAnswer, "refuses to answer"),
    ],
    ids=lambda value: value.name if isinstance(value, Fault) else "",
)
def test_faults(server: MtServer, fault: Fault, kind: type[Exception], words: str) -> None:
    server.next(fault)
    engine = load(server)
    with pytest.raises(kind, match=words):
        engine.translate([SOURCE])


def test_a_model_that_is_not_there(server: MtServer) -> None:
    with pytest.raises(Refused, match="has no model 'claude-99'"):
        load(server, model="claude-99").translate([SOURCE])


def test_a_wrong_key(server: MtServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "wrong")
    with pytest.raises(Refused, match=r"refused the key in ANTHROPIC_API_KEY \(401\)$"):
        load(server).translate([SOURCE])


def test_a_translation_that_was_cut_short_is_recorded(server: MtServer) -> None:
    server.next(Fault.LONG)
    [answer] = load(server).translate([SOURCE])
    assert answer.details["finish"] == "max_tokens"
    assert answer.cleaned == ("cut short: the model reached its limit of tokens",)


def test_a_chat_puts_instructions_where_this_protocol_wants_them(server: MtServer) -> None:
    chat = server.closed(anthropic_chat(server.options("anthropic", key_env="ANTHROPIC_API_KEY"))[0])
    assert chat.ask([Message("system", "Be brief."), Message("user", "Is it right?")]).text == "right? it Is"
    assert server.requests[0].body["system"] == "Be brief."
