"""The API does what its OpenAPI document says, whatever it is sent.

Schemathesis makes requests from the document, right ones and wrong ones, and compares the answers with it. Random names
would only ever find nothing: in the document that it reads, parameters and fields have values that exist here.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy
from typing import Any, Final

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from assay.workbench import api
from assay.workbench.app import create_app
from assay.workbench.db.database import Store
from assay.workbench.db.people import get_user
from assay.workbench.people import credentials
from assay.workbench.state import State
from tests.workbench.web.little_server import IDIOM, LOCK, QUICK, STRAUSS, SUITE, fill, judge_some

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

KNOWN: Final[dict[str, list[Any]]] = {
    "suite": [SUITE],
    "id": [LOCK, STRAUSS, IDIOM, "nobody"],
    "text_id": [*range(1, 10), 999],
    "category": ["Ambiguity", "Idioms"],
    "phenomenon": ["Lexical ambiguity", "Idiom"],
    "system": [["A"], ["B"], ["A", "B"], []],
    "campaign": [["WMT21"], ["WMT22"], ["*"], []],
    "first": ["A (WMT21)", "A (WMT22)", "anna"],
    "second": ["B (WMT21)", "B (WMT22)", "ben"],
    "by": ["anna", "both", "category", "nobody"],
    "name": ["anna", "ada", "nobody"],
    "file": ["verdicts.jsonl", "results.csv", "judgements.tsv", "tags.csv", "report.html", "nobody"],
    "base": [1, 2, 3],
    "version": [1, 4],
    "siblings": [[], [STRAUSS]],
    "tags": [[], ["critical"], ["nobody"]],
    "right": [[], [1], [1, 2]],
    "wrong": [[], [4]],
    "draws": [1, 100],
    "role": ["admin", "annotator"],
    "value": ["lock", r"\b(lock|latch)\b", "("],
    "password": ["long enough"],
}
"""Some of the values that a parameter or field of this name may have."""

NARROWED: Final = ("NewJudgement", "Ruling", "Edit", "Restore", "Chosen", "NewPerson", "NewRule", "NewQuestion")
"""Requests whose fields get values that exist."""


def described_operations() -> list[tuple[str, str]]:
    app = FastAPI()
    app.include_router(api.router)
    return [(method, path) for path, operations in app.openapi()["paths"].items() for method in operations]


def with_known_values(document: dict[str, Any]) -> dict[str, Any]:
    """The document, with values that exist where a request names something."""
    for operations in document["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                narrow(parameter["schema"], parameter["name"])
    for name in NARROWED:
        for field, schema in document["components"]["schemas"][name]["properties"].items():
            narrow(schema, field)
    return document


def narrow(schema: dict[str, Any], name: str) -> None:
    if name in KNOWN:
        several = schema.get("type") == "array"
        values = [value for value in KNOWN[name] if isinstance(value, list) == several]
        schema["enum"] = values or [value[0] for value in KNOWN[name] if value]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A little workbench in which people have judged and edited."""
    path = tmp_path_factory.mktemp("filled") / "assay.db"
    store = Store.create(str(path))
    fill(store)
    judge_some(store)
    store.close()
    return path


@pytest.fixture(scope="module")
def whole_schema(filled: Path) -> Any:
    app = create_app(State(Store.open(str(filled))))
    found = schemathesis.openapi.from_dict(with_known_values(app.openapi()))
    found.app = app
    found.config.generation.update(with_security_parameters=False)
    return found


@pytest.fixture
def schema(whole_schema: Any, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The API of a workbench without accounts, as described; the database is a copy for one test."""
    monkeypatch.setattr(credentials, "_hasher", lambda: QUICK)
    store = Store.open(str(copy(filled, tmp_path)))
    with store.reading() as db:
        whole_schema.app.state.assay = State(store, local_user=get_user(db, "boss"))
    yield whole_schema
    store.close()


def token_of(schema: Any) -> dict[str, str]:
    """What whoever started the server sends."""
    return {"Authorization": f"Bearer {schema.app.state.assay.local_token}"}


@pytest.mark.parametrize(("method", "path"), described_operations())
def test_answers_are_as_described(schema: Any, method: str, path: str) -> None:
    operation = schema[path][method.upper()]
    statuses = set()

    def check(case: Case[Any]) -> None:
        statuses.add(
            case.call_and_validate(base_url="http://localhost", headers=token_of(schema), checks=CHECKS).status_code
        )

    ask(operation, GenerationMode.POSITIVE, 16, check)
    assert statuses - {403, 404, 422}, f"no request was more than looked at: {statuses}"
    if operation.body or operation.query or operation.path_parameters:
        ask(operation, GenerationMode.NEGATIVE, 8, check)


def ask(operation: Any, mode: GenerationMode, number: int, check: Callable[[Case[Any]], None]) -> None:
    """Send so many requests, the same ones every time."""
    calm = list(HealthCheck)
    settled = settings(max_examples=number, derandomize=True, database=None, suppress_health_check=calm)
    settled(given(operation.as_strategy(generation_mode=mode))(check))()  # type: ignore[no-untyped-call]
