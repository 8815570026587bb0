"""The published JSON Schemas accept what Assay writes and reads, and refuse what it refuses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from pydantic import TypeAdapter
from scripts.schemas import RESULTS, SUITES, schema, suite_schema

import assay
from assay.evaluation.document import (
    AgeingDocument,
    ComparisonDocument,
    EvaluationDocument,
    YearsDifferenceDocument,
    YearsDocument,
)
from assay.evaluation.rule_age import ageing_of
from assay.outputs import Outputs
from assay.reports.data import render_json
from assay.suites import SAID_KEYS, Suite, bundled, bundled_outputs
from assay.suites.native import PROBES

SCHEMAS = Path(assay.__file__).parent / "schemas"


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def typed(document: Any) -> Any:
    """A document of strings as an editor sees it: what is true or false is no text there."""
    if isinstance(document, dict):
        booleans = ("held_out", "independent", "closed", *SAID_KEYS)
        # `closed` is a rule's key, and a slot of a template.
        return {
            key: value == "true" if key in booleans and value in ("true", "false") else typed(value)
            for key, value in document.items()
        }
    return [typed(entry) for entry in document] if isinstance(document, list) else document


@pytest.mark.parametrize("name", sorted(bundled()))
def test_every_file_of_the_bundled_suites_fits(name: str) -> None:
    files = sorted(path for path in bundled()[name].rglob("*.yaml") if path.name != PROBES)
    assert len(files) > 1
    for file in files:
        document = typed(yaml.load(file.read_text(encoding="utf-8"), yaml.CBaseLoader))
        validator("suite" if file.name == "suite.yaml" else "items").validate(document)


@pytest.mark.parametrize("policy", ["fair", "own", "strict"])
def test_the_json_of_an_evaluation_fits(policy: Any) -> None:
    validator("evaluation").validate(assay.evaluate(*bundled_data(), policy=policy).to_dict())


def test_outside_scores_fit_too() -> None:
    evaluation = assay.evaluate(*bundled_data())
    document = json.loads(render_json(evaluation, scores={"BLEU": dict.fromkeys(evaluation.columns, 30.0)}))
    assert {"scores", "correlations"} < document.keys()
    validator("evaluation").validate(document)


@pytest.mark.parametrize("name", sorted(RESULTS))
def test_schemas_of_results_are_those_of_their_types(name: str) -> None:
    """Run scripts/schemas.py after changing a document."""
    assert (SCHEMAS / f"{name}.json").read_text(encoding="utf-8") == schema(name)


def test_nothing_stands_in_a_document_that_its_type_does_not_name() -> None:
    """What the JSON API answers goes through these types, which would drop it."""
    suite, outputs = bundled_data()
    pair = assay.compare(suite, outputs.select([0, 1]))
    years = assay.over_years(suite, over_two_years(outputs))
    documents: list[tuple[Any, Any]] = [
        (EvaluationDocument, assay.evaluate(suite, outputs).to_dict()),
        (ComparisonDocument, pair.to_dict("both")),
        (YearsDocument, years.to_dict("both")),
        (AgeingDocument, ageing_of(suite, over_two_years(outputs)).to_dict()),
        (YearsDifferenceDocument, years.to_dict_with_differences("21", "22")),
    ]
    for kind, document in documents:
        adapter = TypeAdapter(kind)
        assert json.dumps(adapter.dump_python(adapter.validate_python(document))) == json.dumps(document)


def bundled_data() -> tuple[Suite, Outputs]:
    suite = assay.load_suite("de-en")
    return suite, assay.load_outputs(suite, bundled_outputs("de-en"))


def over_two_years(outputs: Outputs) -> Outputs:
    """The first two systems as one that took part twice."""
    first, second = (replace(outputs.systems[0], campaign=campaign) for campaign in ("21", "22"))
    return replace(outputs.select([0, 1]), systems=(first, second))


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


@pytest.mark.parametrize("name", SUITES)
def test_the_schemas_of_suites_say_of_rules_what_their_kinds_say(name: str) -> None:
    assert (SCHEMAS / f"{name}.json").read_text(encoding="utf-8") == suite_schema(name), "run scripts/schemas.py"


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        ({"term": ["Obhut", "Verwahrung"]}, True),
        ({"keeps": ["numbers"], "note": "as in the source", "in": "sentence 2"}, True),
        ({"copy": None}, True),
        ({"longer": ["1 word"]}, False),
        ({"terms": "Obhut"}, False),
        ({"term": "Obhut", "keeps": "numbers"}, False),
    ],
)
def test_rules_of_all_kinds(rule: dict[str, Any], fits: bool) -> None:
    document = {"category": "A", "items": [{"id": "a", "source": "b", "fail": [rule]}]}
    assert validator("items").is_valid(document) == fits
    assert validator("items").is_valid({"category": "A", "items": [{"id": "a", "source_of": "b", "defaults": "none"}]})
