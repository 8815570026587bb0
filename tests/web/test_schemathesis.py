"""The API does what its OpenAPI document says, whatever it is sent.

Schemathesis makes requests from the document, right ones and wrong ones, and compares the answers with it. Random names
would only ever find nothing: in the document that it reads, parameters and fields have names that exist here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.web.little import IDIOM, LOCK, STRAUSS, SUITE, fill

from assay.store import Store
from assay.web import api
from assay.web.app import create_app
from assay.web.state import State

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

KNOWN: Final[dict[str, list[Any]]] = {
    "suite": [SUITE, "nobody"],
    "id": [LOCK, STRAUSS, IDIOM, "nobody"],
    "text_id": [*range(1, 10), 999],
    "category": ["Ambiguity", "Idioms", "nobody"],
    "system": ["A", "B", "nobody"],
    "campaign": ["WMT21", "WMT22", "*", "nobody"],
    "first": ["A (WMT21)", "A (WMT22)", "anna", "nobody"],
    "second": ["B (WMT21)", "B (WMT22)", "ben", "nobody"],
    "name": ["anna", "ada", "nobody"],
    "file": ["verdicts.jsonl", "results.csv", "judgements.tsv", "report.html", "nobody"],
    "base": [1, 2, 3],
    "version": [1, 2, 3],
    "siblings": [[], [STRAUSS]],
    "tags": [[], ["critical"], ["nobody"]],
    "right": [[], [1], [1, 2]],
    "wrong": [[], [3], [999]],
}
"""Some of the values that a parameter or field of this name may have."""


def described_operations() -> list[tuple[str, str]]:
    app = FastAPI()
    app.include_router(api.router)
    return [(method, path) for path, operations in app.openapi()["paths"].items() for method in operations]


def with_known_names(document: dict[str, Any]) -> dict[str, Any]:
    """The document, with names that exist where a request names something."""
    for operations in document["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                _narrow(parameter["schema"], parameter["name"])
    for name, shape in document["components"]["schemas"].items():
        if name in ("Answer", "Ruling", "Edit", "Restore", "Chosen"):
            for field, schema in shape["properties"].items():
                _narrow(schema, field)
    return document


def _narrow(schema: dict[str, Any], name: str) -> None:
    if name in KNOWN:
        inner = schema["items"] if name in ("system", "campaign") and "items" in schema else schema
        inner["enum"] = KNOWN[name]


@pytest.fixture
def schema(tmp_path: Path) -> Iterator[Any]:
    store = Store.create(str(tmp_path / "assay.db"))
    app = create_app(State(store, local_user=fill(store)))
    found = schemathesis.openapi.from_dict(with_known_names(app.openapi()))
    found.app = app
    found.config.generation.update(with_security_parameters=False)
    yield found
    store.close()


@pytest.mark.parametrize(("method", "path"), described_operations())
def test_answers_are_as_described(schema: Any, method: str, path: str) -> None:
    operation = schema[path][method.upper()]
    right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    wrong = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    statuses = []

    @settings(max_examples=25, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=right)
    def check(case: Case) -> None:
        r = case.call_and_validate(base_url="http://localhost", checks=CHECKS)
        statuses.append(r.status_code)

    check()
    from collections import Counter
    print(Counter(statuses))
    if operation.body or operation.query or operation.path_parameters:
        check = settings(max_examples=25, derandomize=True, database=None, suppress_health_check=list(HealthCheck))(given(case=wrong)(lambda case: statuses.append(case.call_and_validate(base_url="http://localhost", checks=CHECKS).status_code)))
        check()
        print(Counter(statuses))
