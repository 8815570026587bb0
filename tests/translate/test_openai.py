"""Language models behind OpenAI's chat protocol, asked over a real connection to a server of this machine."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from assay.errors import BadOption
from assay.translate.engine import Answer, BadAnswer, Engine, LanguagePair, Refused, TryAgain, load_engine
from assay.translate.engines.openai import openai_chat
from assay.translate.prompt import Message
from tests.translate.protocols import KEY, MODEL, Fault
from tests.translate.server import MtServer, translated

PAIR = LanguagePair("de", "en")
SOURCE = "Der Schlüssel steckt noch."


@pytest.fixture
def server() -> Iterator[MtServer]:
    with MtServer() as server:
        yield server


def load(server: MtServer, **options: str) -> Engine:
    return server.load("openai", PAIR, **options)


def ask(server: MtServer, **options: str) -> Answer:
    [answer] = load(server, **options).translate([SOURCE])
    return answer


def test_a_sentence_goes_out_and_its_translation_comes_back(server: MtServer) -> None:
    answer = ask(server)
    assert answer.text == translated(SOURCE)
    assert answer.tokens == 25
    assert answer.details == {"model": f"{MODEL}-2025-01-01", "finish": "stop", "tokens_in": "20", "tokens_out": "5"}
    [request] = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.body == {
        "model": MODEL,
        "temperature": 0,
        "stream": False,
        "messages": [
            {
                "role": "user",
                "content": "Translate the following text from German to English. Answer with the translation only, "
                f"without quotation marks, notes or explanations.\n\n{SOURCE}",
            }
        ],
    }
    assert "authorization" not in request.headers


def test_what_the_user_chooses_is_sent_and_is_part_of_the_parameters(server: MtServer, tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("{source_language} > {target_language}\n{source}\n", encoding="utf-8")
    (tmp_path / "system.txt").write_text("You are a translator into {target_language}.", encoding="utf-8")
    (tmp_path / "shots.tsv").write_text("Ja.\tYes.\n\nNein.\tNo.\n", encoding="utf-8")
    files = {"prompt": "prompt.txt", "system": "system.txt", "examples": "shots.tsv"}
    engine = load(
        server,
        **{name: str(tmp_path / file) for name, file in files.items()},
        temperature="0.5",
        seed="7",
        top_p="0.9",
        max_tokens="100",
        **{"body.chat_template_kwargs.enable_thinking": "false", "body.stop": "END"},
    )
    engine.translate([SOURCE])
    body = server.requests[0].body
    assert body["messages"] == [
        {"role": "system", "content": "You are a translator into English."},
        {"role": "user", "content": "German > English\nJa."},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": "German > English\nNein."},
        {"role": "assistant", "content": "No."},
        {"role": "user", "content": f"German > English\n{SOURCE}"},
    ]
    sampling = {
        "temperature": 0.5,
        "seed": 7,
        "top_p": 0.9,
        "max_tokens": 100,
        "chat_template_kwargs": {"enable_thinking": False},
        "stop": "END",
    }
    assert {name: body[name] for name in sampling} == sampling
    parameters = dict(engine.parameters)
    assert len(parameters.pop("prompt")) == 12
    assert parameters == {
        "engine": "openai",
        "model": MODEL,
        "base_url": f"{server.url}/v1",
        "temperature": "0.5",
        "seed": "7",
        "top_p": "0.9",
        "max_tokens": "100",
        "chat_template_kwargs": '{"enable_thinking": false}',
        "stop": "END",
        "cleaning": "1",
    }


def test_temperature_can_be_left_to_the_server(server: MtServer) -> None:
    ask(server, temperature="none")
    assert "temperature" not in server.requests[0].body


def test_the_system_is_named_after_the_model(server: MtServer) -> None:
    assert load(server, model="Qwen/Qwen3-8B").name == "Qwen3-8B"


def test_what_a_model_adds_is_cut_and_recorded(server: MtServer) -> None:
    server.answer = lambda text: f'Sure! Here is the translation:\n\n"{translated(text)}"\n\nNote: it is free.'
    answer = ask(server)
    assert answer.text == translated(SOURCE)
    assert answer.raw.startswith("Sure!")
    assert answer.cleaned == (
        "preamble: Sure! Here is the translation:",
        "note: Note: it is free.",
        'quotes: "…"',
    )


def test_reasoning_that_never_ends_is_no_translation(server: MtServer) -> None:
    server.answer = lambda text: "<think>Stecken could mean"
    with pytest.raises(BadAnswer, match="no translation in the answer"):
        ask(server)


def test_a_translation_that_was_cut_short_is_kept_and_recorded(server: MtServer) -> None:
    server.next(Fault.LONG)
    answer = ask(server)
    assert answer.text
    assert answer.details["finish"] == "length"
    assert answer.cleaned == ("cut short: the model reached its limit of tokens",)


def test_costs_come_from_prices_of_the_user_and_from_nowhere_else(server: MtServer) -> None:
    # 20 tokens in and 5 out at 2 and 8 a million: (20 * 2 + 5 * 8) / 1,000,000
    assert ask(server, price_in="2", price_out="8").cost == pytest.approx(80e-6)
    assert ask(server).cost is None
    with pytest.raises(BadOption, match="price_in and price_out belong together"):
        load(server, price_in="2")


def test_an_estimate_asks_nobody(server: MtServer, tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("Say: {source}", encoding="utf-8")
    engine = load(server, price_in="1", price_out="1", prompt=str(tmp_path / "prompt.txt"))
    found = engine.estimate([SOURCE, SOURCE])
    # 26 characters. The prompt has 5 more: 31 / 4, 8 tokens; a translation as long as the source has 26 / 4, 7 tokens.
    assert found.characters == 52
    assert found.tokens == 30
    assert found.cost == pytest.approx(30e-6)
    assert server.requests == []


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.1:11434/v1", True),
        ("http://[::1]:8080", True),
        ("http://gpu.localhost/v1", True),
        ("http://gpu01:8000/v1", False),
        ("https://localhost.example.org/v1", False),
        ("http://10.0.0.1/v1", False),
    ],
)
def test_only_this_machine_is_local(url: str, local: bool) -> None:
    assert load_engine(f"openai:model=m,base_url={url}", PAIR).is_local is local


FAULTS: Mapping[Fault, tuple[type[Exception], str]] = {
    Fault.RATE: (TryAgain, "asks to slow down"),
    Fault.RATE_DATE: (TryAgain, "asks to slow down"),
    Fault.RATE_BARE: (TryAgain, "asks to slow down"),
    Fault.QUOTA: (Refused, "quota is exhausted"),
    Fault.BROKEN: (TryAgain, "passing fault .500.: worker died"),
    Fault.BUSY: (TryAgain, "passing fault .503."),
    Fault.SLOW: (TryAgain, "did not answer within 2 s"),
    Fault.DRIP: (TryAgain, "did not answer within 2 s"),
    Fault.CUT: (TryAgain, "cut the connection"),
    Fault.GONE: (TryAgain, "cut the connection"),
    Fault.HALF_STREAM: (TryAgain, "cut the connection"),
    Fault.HALF_JSON: (TryAgain, "JSON that is broken off"),
    Fault.HTML: (TryAgain, "text/html, not JSON"),
    Fault.NOTHING: (BadAnswer, "is empty"),
    Fault.EMPTY: (BadAnswer, "is empty .finish: stop."),
    Fault.FILTER: (BadAnswer, "content filter"),
    Fault.REDIRECT: (Refused, "sends on to elsewhere.example .302.*not followed"),
    Fault.REFUSED: (Refused, "wants a key.*key_env=OPENAI_API_KEY.*not in your country"),
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_faults(server: MtServer, fault: Fault) -> None:
    kind, words = FAULTS[fault]
    server.next(fault)
    engine = load(server)
    with pytest.raises(kind, match=words) as caught:
        engine.translate([SOURCE])
    assert caught.type is kind
    assert engine.translate([SOURCE])[0].text == translated(SOURCE)  # the connection is as good as new


@pytest.mark.parametrize(
    ("fault", "seconds"), [(Fault.RATE, 2.0), (Fault.RATE_DATE, 30.0), (Fault.BUSY, 1.0), (Fault.RATE_BARE, None)]
)
def test_the_wait_that_the_server_asks_for_is_passed_on(server: MtServer, fault: Fault, seconds: float | None) -> None:
    server.next(fault)
    with pytest.raises(TryAgain) as caught:
        ask(server)
    # A date has whole seconds, and the server's own clock is what counts.
    assert caught.value.after == (pytest.approx(seconds, abs=1.0) if seconds else None)


def test_a_model_that_is_not_there(server: MtServer) -> None:
    with pytest.raises(Refused, match=r"has no model 'gpt-17' \(404\): The model `gpt-17` does not exist"):
        ask(server, model="gpt-17")


def test_a_wrong_address(server: MtServer) -> None:
    with pytest.raises(Refused, match=r"nothing at this address .404.*check base_url"):
        ask(server, base_url=f"{server.url}/v1/other")


def test_nobody_listens() -> None:
    with MtServer() as server:
        gone = server.spec("openai")
    engine = load_engine(gone, PAIR)
    with closing(engine), pytest.raises(TryAgain, match="cannot be reached"):
        engine.translate([SOURCE])


def test_a_proxy_of_the_environment_does_not_come_between_this_machine_and_itself(
    server: MtServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert ask(server).text == translated(SOURCE)


def test_a_proxy_of_the_environment_is_asked_for_other_hosts(server: MtServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", server.url)
    assert ask(server, base_url="http://mt.invalid/v1").text == translated(SOURCE)
    assert server.requests[0].headers["host"] == "mt.invalid"


def test_a_proxy_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://me:secret@proxy.invalid")
    with pytest.raises(BadOption, match="the proxy that the environment names cannot be used") as caught:
        load_engine("openai:model=m,base_url=http://mt.invalid/v1", PAIR)
    assert caught.value.__context__ is None
    assert "secret" not in str(caught.value)


def test_a_key_goes_into_one_header(server: MtServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    server.wants_key = True
    ask(server, key_env="MY_KEY")
    [request] = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in request.text()


def test_a_wrong_key_names_the_variable(server: MtServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "wrong-key-marvelous")
    server.wants_key = True
    with pytest.raises(Refused) as caught:
        ask(server, key_env="MY_KEY")
    # What the server says about a wrong key is left out: it repeats a part of it.
    assert str(caught.value) == f"openai: {server.url.removeprefix('http://')} refused the key in MY_KEY (401)"
    assert caught.value.exit_code == 3


def test_the_key_of_openai_does_not_go_to_other_hosts(server: MtServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    ask(server)
    assert KEY not in str(server.requests)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": ""}, "model= is empty"),
        ({"temperature": "warm"}, "temperature=warm is not a number from 0 to 2"),
        ({"temperature": "nan"}, "is not a number"),
        ({"seed": "1.5"}, "seed=1.5 is not a whole number"),
        ({"seed": "9" * 5_000}, "is not a whole number"),
        ({"max_tokens": "0"}, "whole number of at least 1"),
        ({"base_url": "localhost:8000"}, "base_url is no address"),
        ({"base_url": "http://user:secret@localhost/v1"}, "must not hold a name, a password"),
        ({"base_url": "http://localhost/v1?key=secret"}, "must not hold a name, a password or a query"),
        ({"body.messages": "[]"}, "body.messages cannot be chosen"),
        ({"body.a": "1", "body.a.b": "2"}, "body.a.b cannot be set beside"),
        ({"temprature": "1"}, "no option of openai 'temprature'; did you mean temperature"),
    ],
)
def test_bad_options(server: MtServer, options: dict[str, str], words: str) -> None:
    with pytest.raises(BadOption, match=words) as caught:
        load(server, **options)
    assert "secret" not in str(caught.value)


def test_a_model_must_be_named() -> None:
    with pytest.raises(BadOption, match="model is missing; write for example openai:model="):
        load_engine("openai:base_url=http://localhost/v1", PAIR)


def test_a_chat_for_other_questions(server: MtServer) -> None:
    chat = server.closed(openai_chat(server.options("openai"))[0])
    reply = chat.ask([Message("system", "Be brief."), Message("user", "Is it right?")])
    assert (reply.text, reply.tokens, reply.finish) == ("right? it Is", 25, "stop")
    assert chat.is_local
