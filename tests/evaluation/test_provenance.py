"""Collected systems are named in the signature; others change nothing."""

from assay.evaluation.evaluation import Evaluation, evaluate
from assay.evaluation.groups import groups
from assay.evaluation.provenance import provenance
from assay.outputs import Collector, System
from assay.suites import Item, Rule, Suite

ITEM = Item("one", "C", "P", "Satz.", (Rule("pass", "contains", "right"),))
SUITE = Suite("drawn", "de-en", (ITEM,), {"C": {"P": ""}})
APERTIUM = {"engine": "apertium", "mode": "deu-eng", "collected": "1f0c2e"}


def evaluated(*systems: System) -> Evaluation:
    collector = Collector(SUITE)
    for system in systems:
        collector.add(system, positions=[0], texts=[f"right, says {system.name}"])
    return evaluate(SUITE, collector.outputs())


def test_the_signature_names_collected_outputs_only() -> None:
    plain = evaluated(System("A", metadata={"group": "online"}), System("B"))
    assert "outputs:" not in plain.signature
    collected = evaluated(System("A", metadata=APERTIUM), System("B"))
    assert collected.signature == f"{plain.signature}|outputs:{provenance([System('A', metadata=APERTIUM)])}"


def test_other_answers_have_another_hash_and_the_order_does_not_matter() -> None:
    first, second = System("A", metadata=APERTIUM), System("B", metadata={**APERTIUM, "collected": "77aa"})
    assert provenance([first, second]) == provenance([second, first])
    assert provenance([first]) != provenance([second])
    assert provenance([first]) != provenance([System("B", metadata=APERTIUM)])
    assert provenance([]) == provenance([System("C")]) == ""


def test_all_of_it_is_in_the_json() -> None:
    document = evaluated(System("A", metadata=APERTIUM), System("B")).to_dict()
    assert {system["name"]: system["metadata"] for system in document["systems"]} == {"A": APERTIUM, "B": {}}


def test_collected_systems_are_grouped_by_engine_and_model_only() -> None:
    found = groups(evaluated(System("A", metadata=APERTIUM), System("B", metadata={"mode": "fast"})))
    assert {(group.field, group.value) for group in found} == {("engine", "apertium"), ("mode", "fast")}
