"""The list of models, and fetching them from a server that may fail in every way."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from assay.contrasts import models
from assay.contrasts.models import MAGIC, MODELS, Fetched, ParserModel, fetch, fetch_model
from assay.errors import AssayError, BadFile, BadOption, UnknownName
from assay.languages import MODEL_NAMES

CONTENT = MAGIC + b"\x03" + bytes(range(256)) * 400
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Answers /good, /cut, /page, /missing and what is changed in `answer`."""

    answer = CONTENT

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2].partition(".")[0]
        if name == "missing":
            self.send_error(404)
            return
        content = b"<html>Choose a file</html>" if name == "page" else self.answer
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if name == "cut" else content)

    def log_message(self, format: str, *args: object) -> None:
        """Silence."""


@contextmanager
def serving() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def address() -> Iterator[str]:
    with serving() as found:
        yield found


def model(address: str, name: str, sha256: str | None = None) -> ParserModel:
    return ParserModel(
        name, "udpipe", "cs", "CC BY-NC-SA 4.0", "UD", f"{address}/models/{name}.udpipe", "", sha256=sha256
    )


def test_a_model_with_the_right_checksum(address: str, tmp_path: Path) -> None:
    told: list[int] = []
    fetched = fetch_model(model(address, "good", SHA256), tmp_path / "new" / "models", progress=told.append)
    assert fetched == Fetched(tmp_path / "new" / "models" / "good.udpipe", SHA256, True)
    assert fetched.path.read_bytes() == CONTENT
    assert sum(told) == len(CONTENT)


def test_a_wrong_checksum_keeps_nothing(address: str, tmp_path: Path) -> None:
    with pytest.raises(AssayError, match=rf"good.udpipe: the SHA-256 is {SHA256}, not 0123; nothing was kept"):
        fetch_model(model(address, "good", "0123"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_wrong_checksum_leaves_the_old_file(address: str, tmp_path: Path) -> None:
    (tmp_path / "good.udpipe").write_bytes(b"old")
    with pytest.raises(AssayError, match="nothing was kept"):
        fetch_model(model(address, "good", "0123"), tmp_path)
    assert (tmp_path / "good.udpipe").read_bytes() == b"old"


def test_an_unknown_checksum_is_told_and_expected_the_next_time(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fetch_model(model(address, "good"), tmp_path)
    assert (first.sha256, first.verified) == (SHA256, False)
    assert (tmp_path / "good.udpipe.sha256").read_text() == f"{SHA256}  good.udpipe\n"
    assert fetch_model(model(address, "good"), tmp_path).verified
    monkeypatch.setattr(Handler, "answer", CONTENT + b"more")
    with pytest.raises(AssayError, match=rf"not {SHA256}; nothing was kept"):
        fetch_model(model(address, "good"), tmp_path)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("cut", r"cut.udpipe: 51,210 of 102,420 bytes came; nothing was kept, try again"),
        ("missing", r"missing.udpipe: the server answers 404 Not Found; see https://hdl.handle.net/11234/1-3131"),
        ("page", r"page.udpipe: what came is not a UDPipe 1 model; nothing was kept"),
    ],
)
def test_downloads_that_fail(address: str, tmp_path: Path, name: str, problem: str) -> None:
    with pytest.raises(AssayError, match=problem):
        fetch_model(model(address, name), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with serving() as gone:
        pass
    with pytest.raises(
        AssayError, match=r"good.udpipe: cannot be fetched \(.*refused.*\); nothing was kept, try again"
    ):
        fetch_model(model(gone, "good"), tmp_path)


def test_a_folder_that_cannot_be_written(address: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="cannot be written"):
        fetch_model(model(address, "good"), tmp_path / "file")


# The list


def test_a_model_is_fetched_by_its_name(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tuple(replace(known, url=f"{address}/{known.url.rpartition('/')[2]}") for known in MODELS)
    monkeypatch.setattr(models, "MODELS", here)
    fetched = fetch("Czech-PDT", tmp_path)
    assert fetched.path.name == "czech-pdt-ud-2.5-191206.udpipe"
    with pytest.raises(AssayError, match="not 784bd0fa85e3"):
        fetch("english-ewt", tmp_path)


def test_names_that_cannot_be_fetched(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no model 'czech-pdtt'; did you mean czech-pdt"):
        fetch("czech-pdtt", tmp_path)
    with pytest.raises(BadOption, match="ru_core_news_sm comes with a package; run: python -m spacy download"):
        fetch("ru_core_news_sm", tmp_path)


def test_the_list_says_where_and_under_which_licence() -> None:
    assert len({known.name for known in MODELS}) == len(MODELS)
    official = [known for known in MODELS if known.parser == "udpipe"]
    assert len(official) == 94  # as the README of the models says
    assert {known.language for known in official} == set(MODEL_NAMES.values())
    assert all(known.licence == "CC BY-NC-SA 4.0" and known.url.startswith("https://lindat") for known in official)
    assert all(known.licence and known.install and known.relations for known in MODELS)


def test_nothing_is_to_be_installed_from_names_on_pypi_that_are_not_spacys() -> None:
    assert not any("pip install" in known.install for known in MODELS if known.parser == "spacy")
