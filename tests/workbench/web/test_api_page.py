"""docs/reference/api.md is true: its requests are sent, and the answers have what stands under them."""

import json
import re
import shlex
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from assay.suites import bundled_outputs
from assay.workbench import api
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.files.importer import read
from assay.workbench.people import credentials
from assay.workbench.people.credentials import hash_password, local_user
from assay.workbench.state import State
from tests.workbench.web.little_server import QUICK, Asker, at_home, serve

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "api.md").read_text("utf-8")
ADDRESS = "http://127.0.0.1:8000/api/v1"
EXAMPLE = re.compile(r"^```sh\n((?:\$ .*?)+)^```\n(?:\n```json\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


@pytest.fixture
def asker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asker]:
    """Somebody at the workbench that the page starts with."""
    monkeypatch.setattr(credentials, "_hasher", lambda: QUICK)
    store = Store.create(str(tmp_path / "assay.db"))
    user = local_user(store)
    read("de-en", [str(path) for path in bundled_outputs("de-en")]).run(store, user)
    with store.writing() as db:
        add_user(db, "anna", "annotator", hash_password("correct horse"))
    yield at_home(serve(State(store, local_user=user)))
    store.close()


def test_the_requests_of_the_page_are_answered_as_it_says(asker: Asker) -> None:
    known = {"API": ADDRESS}
    examples = [(command, answer) for commands, answer in EXAMPLE.findall(PAGE) for command in lines_of(commands)]
    assert len(examples) > 10
    for command, answer in examples:
        if command.startswith("API="):
            assert command == f"API={ADDRESS}"
            continue
        response = curl(asker, re.sub(r"\$(\w+)", lambda found: known[found[1]], command))
        if answer:
            assert_has(response.json(), json.loads(answer), command)
        else:
            assert response.status_code == 200, command
        if "token" in response.text[:20]:
            known["TOKEN"] = response.json()["token"]


def lines_of(commands: str) -> list[str]:
    return [command.strip() for command in re.split(r"^\$ ", commands, flags=re.MULTILINE) if command.strip()]


def curl(asker: Asker, command: str) -> httpx.Response:
    """What curl would get."""
    parser = ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("-X", dest="method")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-F", dest="form", action="append", default=[])
    parser.add_argument("-o")
    parser.add_argument("--json")
    given = parser.parse_args(shlex.split(command)[1:])
    sent: dict[str, Any] = {}
    if given.json:
        sent |= {"content": given.json.encode(), "headers": {"Content-Type": "application/json"}}
    if given.headers:
        sent["headers"] = dict(header.split(": ", 1) for header in given.headers)
    for name, value in (field.split("=", 1) for field in given.form):
        if value.startswith("@"):
            path = next(path for path in bundled_outputs("de-en") if path.name == Path(value[1:]).name)
            sent.setdefault("files", []).append((name, (path.name, path.read_bytes())))
        else:
            sent.setdefault("data", {})[name] = value
    method = given.method or ("POST" if given.json or given.form else "GET")
    return asker.response(method, given.address.removeprefix(ADDRESS), **sent)


def assert_has(found: Any, shown: Any, where: str) -> None:
    """Everything that is shown is in the answer; `…` stands for any letters."""
    if isinstance(shown, dict):
        assert shown.keys() <= found.keys(), where
        for name, value in shown.items():
            assert_has(found[name], value, f"{where}\n{name}")
    elif isinstance(shown, list):
        assert len(found) >= len(shown) if shown else found == [], where
        for place, value in enumerate(shown):
            assert_has(found[place], value, f"{where}\n{place}")
    elif isinstance(shown, str) and "…" in shown:
        assert re.fullmatch(re.escape(shown).replace("…", ".+"), found), where
    else:
        assert found == shown, where


def test_every_operation_is_on_the_page() -> None:
    app = FastAPI()
    app.include_router(api.router)
    paths = app.openapi()["paths"]
    there = {f"{method.upper()} {path.removeprefix('/api/v1')}" for path, found in paths.items() for method in found}
    assert there == set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^`]*)`", PAGE.partition("## All operations")[2]))
