"""What every answer of the workbench is like: headers, refusals, bugs, markup that stays text."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx import Client, Response

from assay.outputs import Collector, System
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.workbench.db.database import Store
from assay.workbench.files.importer import Import
from assay.workbench.people.accounts import add_account
from assay.workbench.people.credentials import local_user
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.state import State
from tests.workbench.visits import Visits
from tests.workbench.web.clients import NEW, PASSWORD, ROUTES, address, log_in, owner, program


def assert_guarded(answer: Response) -> None:
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", sorted({path for method, path in ROUTES if method == "get"}))
def test_every_answer_has_the_headers_and_no_inline_script_or_style(state: State, path: str) -> None:
    answer = log_in(state, "admin").get(address(path))
    assert answer.status_code < 500
    assert_guarded(answer)
    if answer.headers["content-type"].startswith("text/html"):
        assert answer.headers["cache-control"] == "no-store"
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>", answer.text)
        assert not re.search(r"<style|\sstyle=|\son\w+=|\shx-on|javascript:", answer.text)


def test_refusals_have_the_headers_too(state: State, anonymous: Client) -> None:
    large = b"0" * (state.max_upload + 1)
    for answer in (
        anonymous.get("/nothing/here"),
        anonymous.get("/static/nothing"),
        anonymous.get("/"),
        anonymous.post("/files/suite", content=large),
        log_in(state, "viewer").post("/people/add", data=NEW),
    ):
        assert answer.status_code >= 300
        assert_guarded(answer)


def test_static_files_are_those_of_the_folder(anonymous: Client) -> None:
    assert_guarded(anonymous.get("/static/workbench.js"))
    for path in (
        "/static/../security.py",
        "/static/..%2fsecurity.py",
        "/static/%2e%2e/security.py",
        "/static//etc/passwd",
    ):
        assert anonymous.get(path).status_code == 404


def test_too_much_is_refused_whether_or_not_its_length_is_told(state: State) -> None:
    client = program(state, "admin")
    large = b"0" * (state.max_upload + 10)
    told = client.post("/files/suite", files={"files": ("a.json", large)})
    assert told.status_code == 413

    def pieces() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.json"\r\n\r\n'
        for start in range(0, len(large), 65536):
            yield large[start : start + 65536]
        yield b"\r\n--x--\r\n"

    untold = client.post("/files/suite", content=pieces(), headers={"Content-Type": "multipart/form-data; boundary=x"})
    assert untold.status_code == 413
    for answer in (told, untold):
        assert "assay import" in answer.text


def test_a_bug_shows_a_number_and_no_trace(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret is 12345")

    monkeypatch.setattr("assay.workbench.pages.work.effort", broken)
    answer = log_in(state, "viewer").get("/effort")
    assert answer.status_code == 500
    assert "12345" not in answer.text
    assert "Traceback" not in answer.text
    assert "RuntimeError" not in answer.text
    assert re.search(r"details under [0-9a-f]{8}", answer.text)


def test_a_bug_has_the_headers_too(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.workbench.pages.work.effort", lambda *_: 1 / 0)
    assert_guarded(log_in(state, "viewer").get("/effort"))


HOSTILE = "<script>window.hacked = 1</script><img src=x onerror=alert(1)>\"'"


def hostile_state(path: Path) -> State:
    """A suite, systems, people and comments full of markup, and a disagreement about it."""
    rules = (Rule("pass", "contains", HOSTILE),)
    items = tuple(
        Item(f"h/{n}", HOSTILE, HOSTILE, f"{HOSTILE} {n}", rules, HOSTILE, prompt=HOSTILE, context=f"{HOSTILE}\n.")
        for n in range(3)
    )
    suite = Suite(f"suite {HOSTILE}", "de-en", items, taxonomy_of(items), description=HOSTILE)
    collector = Collector(suite)
    texts = ["nothing", f"a {HOSTILE}", "else"]
    collector.add(
        System(HOSTILE, HOSTILE, file=HOSTILE), positions=[0, 1, 2], texts=[f"{text}{HOSTILE[:40]}" for text in texts]
    )
    store = Store.create(str(path / "hostile.db"))
    state = State(store, local_user(store))
    assert state.local_user
    Import(suite, collector.outputs(), HOSTILE).run(store, state.local_user)
    people = [
        add_account(store, state.local_user, name=f"{name} {HOSTILE}", role="admin", password=PASSWORD)
        for name in ("a", "b")
    ]
    for text in state.snapshots.get(suite.name).texts.values():
        for person, verdict in zip(people, ("pass", "fail"), strict=True):
            Visits(store, state).judge(person, suite.name, AnnotatorAnswer(text.id, verdict, HOSTILE))  # type: ignore[arg-type]
    return state


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    made = hostile_state(tmp_path_factory.mktemp("hostile"))
    yield made
    made.store.close()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/queue",
        "/queue?again=true",
        "/items",
        "/item/h/1",
        "/results",
        "/effort",
        "/agreement",
        "/disputes",
        "/history",
        "/people",
        "/files",
    ],
)
def test_markup_in_texts_is_shown_and_not_run(hostile: State, path: str) -> None:
    client = owner(hostile)
    page = client.get(path)
    assert page.status_code == 200
    assert "&lt;script&gt;" in page.text
    assert "<script>window" not in page.text
    assert "<img" not in page.text


def test_markup_in_an_error_is_shown_and_not_run(hostile: State) -> None:
    client = owner(hostile)
    for path in ("/effort?suite=", "/history?by=", "/history?kind="):
        page = client.get(path + "%3Cscript%3Ewindow.hacked%3C/script%3E")
        assert page.status_code == 404
        assert "<script>window" not in page.text
        assert "&lt;script&gt;" in page.text
