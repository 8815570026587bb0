"""The published JSON Schemas accept what Assay writes and reads, and refuse what it refuses."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import assay
from assay.reports.data import as_dict
from assay.suites import bundled, bundled_outputs

SCHEMAS = Path(assay.__file__).parent / "schemas"


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def typed(document: Any) -> Any:
    """A document of strings as an editor sees it: `held_out` is a boolean."""
    if isinstance(document, dict):
        return {key: value == "true" if key == "held_out" else typed(value) for key, value in document.items()}
    return [typed(entry) for entry in document] if isinstance(document, list) else document


@pytest.mark.parametrize("name", sorted(bundled()))
def test_every_file_of_the_bundled_suites_fits(name: str) -> None:
    files = sorted(bundled()[name].rglob("*.yaml"))
    assert len(files) > 1
    for file in files:
        document = typed(yaml.load(file.read_text(encoding="utf-8"), yaml.CBaseLoader))
        validator("suite" if file.name == "suite.yaml" else "items").validate(document)


@pytest.mark.parametrize("policy", ["fair", "own", "strict"])
def test_the_json_of_an_evaluation_fits(policy: Any) -> None:
    suite = assay.load_suite("de-en")
    outputs = assay.load_outputs(suite, bundled_outputs("de-en"))
    validator("evaluation").validate(as_dict(assay.evaluate(suite, outputs, policy=policy)))


@pytest.mark.parametrize(
    "item",
    [
        {"id": "a"},  # no source
        {"id": "a b", "source": "Guten Tag."},  # white space in the id
        {"id": "a", "source": "Guten Tag.", "pas": []},  # unknown key
        {"id": "a", "source": "Guten Tag.", "pass": [{"exact": "Hello.", "regex": "Hello"}]},  # two kinds in a rule
        {"id": "a", "source": "Guten Tag.", "pass": [{"regex": "Hello", "flags": "x"}]},
    ],
)
def test_what_the_reader_refuses_does_not_fit(item: dict[str, Any]) -> None:
    document = {"category": "Negation", "phenomenon": "Negation", "items": [item]}
    assert not validator("items").is_valid(document)
    good = {"id": "a", "source": "Guten Tag.", "pass": ["Hello", {"exact": "Hello."}]}
    validator("items").validate({**document, "items": [good]})


def test_a_campaign_file_fits() -> None:
    validator("campaign").validate(
        {"campaign": "WMT21", "source": "src.de", "outputs": ["*.en"], "systems": {"Online-A": {"group": "online"}}}
    )
