"""Keys: where they come from, and that they are found nowhere else."""

import copy
import gzip
import logging
import pickle
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.errors import BadOption
from assay.translate.engine import EngineError, LanguagePair, Refused, load_engine
from assay.translate.keys import Key, find_key
from assay.translate.options import Options
from tests.conftest import Run
from tests.translate.protocols import KEY, Fault
from tests.translate.server import MtServer, translated

PAIR = LanguagePair("de", "en")
SOURCE = "Der Schlüssel steckt noch."
ONLINE = ("openai", "anthropic", "deepl", "google", "microsoft", "libretranslate")


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], str]:
    """The system's keyring, with nothing in it."""
    entries: dict[tuple[str, str], str] = {}
    monkeypatch.setattr("keyring.get_password", lambda service, name: entries.get((service, name)))
    return entries


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MtServer]:
    monkeypatch.setenv("MY_KEY", KEY)
    with MtServer(wants_key=True) as server:
        yield server


def test_the_environment_comes_before_the_keyring(
    ring: dict[tuple[str, str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ring["assay", "OPENAI_API_KEY"] = "from the ring".replace(" ", "-")
    assert find_key("OPENAI_API_KEY", engine="openai").reveal() == "from-the-ring"
    monkeypatch.setenv("OPENAI_API_KEY", " from-the-environment\n")
    assert find_key("OPENAI_API_KEY", engine="openai").reveal() == "from-the-environment"


def test_a_missing_key_names_the_variable_and_the_command(
    ring: dict[tuple[str, str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "  ")
    with pytest.raises(Refused, match="openai needs a key: set OPENAI_API_KEY, or run: keyring set assay") as caught:
        find_key("OPENAI_API_KEY", engine="openai")
    assert caught.value.exit_code == 3


def test_a_machine_without_a_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    from keyring.errors import NoKeyringError

    def none(service: str, name: str) -> str:
        raise NoKeyringError("no backend")

    monkeypatch.delenv("MY_KEY", raising=False)
    monkeypatch.setattr("keyring.get_password", none)
    with pytest.raises(Refused, match="set MY_KEY"):
        find_key("MY_KEY", engine="openai")


@pytest.mark.parametrize("secret", ["gehéim-4711", "two words", "line\nbreak", "“quoted”"])
def test_a_key_that_no_header_takes_is_not_shown(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", secret)
    with pytest.raises(Refused, match="MY_KEY holds spaces or characters that no key has") as caught:
        find_key("MY_KEY", engine="openai")
    assert secret not in everything(caught.value)


def test_a_key_shows_its_name_only() -> None:
    key = Key("MY_KEY", KEY)
    shown = [str(key), repr(key), f"{key}", f"{key!r:>40}", str([key]), str({"key": key})]
    assert not any(KEY in text for text in shown)
    assert repr(key) == "Key(MY_KEY)"
    for write in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="not written to files"):
            write(key)


@pytest.mark.parametrize("option", ["key", "api_key", "api-key", "token", "Authorization", "body.api_key", "password"])
def test_a_key_is_no_option(option: str) -> None:
    with pytest.raises(BadOption, match="a key is no option, the shell would keep it") as caught:
        Options("openai", {"model": "m", option: KEY})
    assert KEY not in everything(caught.value)


@pytest.mark.parametrize("name", [KEY, "sk-proj-4711", "0123456789abcdef", "lower_case"])
def test_a_key_in_place_of_its_variable_is_not_shown(name: str) -> None:
    with pytest.raises(BadOption, match="key_env takes the name of a variable in capitals") as caught:
        load_engine(f"openai:model=m,base_url=http://localhost/v1,key_env={name}", PAIR)
    assert name not in everything(caught.value)


def everything(error: BaseException) -> str:
    """All that an error can show: its chain, its arguments, its fields, the trace."""
    shown = list(traceback.TracebackException.from_exception(error).format())
    at: BaseException | None = error
    while at is not None:
        shown += [str(at), repr(at), repr(at.args), repr(vars(at))]
        at = at.__cause__ or at.__context__
    return "\n".join(shown)


@pytest.mark.parametrize("name", ONLINE)
def test_no_error_and_no_log_shows_a_key(server: MtServer, name: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    engine = server.load(name, PAIR, key_env="MY_KEY", timeout="0.2")
    faults = [Fault.RATE, Fault.QUOTA, Fault.BROKEN, Fault.SLOW, Fault.CUT, Fault.GONE, Fault.HALF_JSON, Fault.HTML]
    faults += [Fault.NOTHING, Fault.REDIRECT, Fault.REFUSED]
    for fault in faults:
        server.next(fault)
        with pytest.raises(EngineError) as caught:
            engine.translate([SOURCE])
        # The errors of httpx hold the request with its headers: none of them may be in the chain.
        assert caught.value.__context__ is None
        assert caught.value.__cause__ is None
        assert KEY not in everything(caught.value)
    assert len(server.requests) == len(faults)
    assert KEY not in caplog.text
    assert KEY not in repr(engine) + str(engine.parameters)


def test_a_server_that_repeats_the_key_does_not_bring_it_into_the_outputs(server: MtServer) -> None:
    server.answer = lambda text: f"Your key is {KEY}."
    [answer] = server.load("openai", PAIR, key_env="MY_KEY").translate([SOURCE])
    assert KEY not in repr(answer)
    assert answer.text == "Your key is [key]."


def written(folder: Path) -> bytes:
    """What is in all files under a folder, and their names."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return b"\n".join(
        str(path).encode() + (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
        for path in found
    )


class TestCommand:
    """`assay translate` as users run it, in a process of its own."""

    NO_RING = "keyring.backends.null.Keyring"

    @pytest.mark.parametrize("name", ["openai", "libretranslate"])
    def test_a_run_leaves_no_key_behind(self, server: MtServer, assay: Run, tmp_path: Path, name: str) -> None:
        said: list[str] = []

        def answer(text: str) -> str:
            said.append(translated(text))
            return said[-1]

        server.answer = answer
        spec = server.spec(name, key_env="MY_KEY")
        done = assay("translate", "de-en", "--system", spec, "--limit", "3", "-o", "outputs")
        assert len(said) == 3
        assert all(text.encode() in written(tmp_path) for text in said)
        assert KEY.encode() not in written(tmp_path)
        assert KEY not in done.stdout + done.stderr

    def test_a_refused_key(self, server: MtServer, assay: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MY_KEY", "wrong-key-marvelous")
        spec = server.spec("openai", key_env="MY_KEY")
        done = assay("translate", "de-en", "--system", spec, "--limit", "3", "-o", "outputs", code=3)
        assert "refused the key in MY_KEY (401)" in done.stderr
        assert "wrong-key" not in done.stdout + done.stderr
        assert b"wrong-key" not in written(tmp_path)

    def test_a_missing_key(self, assay: Run) -> None:
        run = ("translate", "de-en", "--system", "deepl", "-o", "outputs")
        done = assay(*run, code=3, DEEPL_API_KEY="", PYTHON_KEYRING_BACKEND=self.NO_RING)
        assert done.stderr == "assay: deepl needs a key: set DEEPL_API_KEY, or run: keyring set assay DEEPL_API_KEY\n"

    def test_a_key_on_the_command_line(self, assay: Run) -> None:
        done = assay("translate", "de-en", "--system", f"openai:model=m,api_key={KEY}", "-o", "outputs", code=2)
        assert "a key is no option" in done.stderr
        assert KEY not in done.stdout + done.stderr
