"""Comparing Assay's JSON with the oracle's, number by number."""

from itertools import pairwise
from typing import Any

from assay.evaluation.evaluation import Evaluation
from tests.evaluation import oracle

NUMBERS = ("correct", "total", "accuracy", "low", "high", "lower_bound", "upper_bound", "first_cluster")


def assert_same(evaluation: Evaluation, table: oracle.Table) -> None:
    """Every number of the evaluation equals the oracle's to 1e-9."""
    settings = evaluation.settings
    expected = oracle.evaluate(table, policy=settings.policy, alpha=settings.alpha, keep_all=settings.keep_all)
    ours: Any = evaluation.to_dict()
    assert ours["items"] == expected["items"]
    _systems(ours, expected)
    _rows(ours["rows"], expected["rows"])
    _columns(ours)
    for level in ("category", "phenomenon"):
        [macro] = [row for row in expected["rows"] if row["level"] == f"{level}_macro"]
        dropped = [group if isinstance(group, tuple) else (group, None) for group in macro["dropped"]]
        assert set(evaluation.dropped(level)) == set(dropped)


def _systems(ours: dict[str, Any], expected: dict[str, Any]) -> None:
    left_out = {(system["name"], system["campaign"]) for system in ours["excluded_systems"]}
    assert left_out == {(system["name"], system["campaign"]) for system in expected["excluded_systems"]}
    summaries = {(system["name"], system["campaign"]): system for system in ours["systems"]}
    assert len(summaries) == len(expected["systems"])
    for system in expected["systems"]:
        summary = summaries[system["name"], system["campaign"]]
        for name, value in system.items():
            _same(summary[name], value, f"{system['name']}: {name}")


def _rows(ours: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    found = {(row["level"], row["category"], row["phenomenon"]): row for row in ours}
    assert len(found) == len(ours)
    assert found.keys() == {(row["level"], row["category"], row["phenomenon"]) for row in expected}
    for row in expected:
        key = (row["level"], row["category"], row["phenomenon"])
        mine = found[key]
        _same(mine["count"], row["count"], f"{key}: count")
        _same(mine["average"], row["average"], f"{key}: average")
        cells = {(cell["system"], cell["campaign"]): cell for cell in mine["cells"]}
        assert len(cells) == len(row["cells"])
        for cell in row["cells"]:
            for name in NUMBERS:
                place = f"{key}, {cell['system']}: {name}"
                _same(cells[cell["system"], cell["campaign"]][name], cell[name], place)


def _columns(ours: dict[str, Any]) -> None:
    """Category macro, descending; all rows and the list of systems are in this order."""
    [macro] = [row for row in ours["rows"] if row["level"] == "category_macro"]
    order = [(cell["system"], cell["campaign"]) for cell in macro["cells"]]
    assert [(system["name"], system["campaign"]) for system in ours["systems"]] == order
    assert len(ours["columns"]) == len(set(ours["columns"])) == len(order)
    for (name, campaign), label in zip(order, ours["columns"], strict=True):
        collides = [other for other, _ in order].count(name) > 1
        assert label == (f"{name} ({campaign})" if collides else name)
    for row in ours["rows"]:
        assert [(cell["system"], cell["campaign"]) for cell in row["cells"]] == order
    shares = [cell["accuracy"] for cell in macro["cells"]]
    if None not in shares:
        assert all(left >= right - 1e-9 for left, right in pairwise(shares))


def _same(ours: Any, expected: Any, place: str) -> None:
    if isinstance(expected, float):
        assert isinstance(ours, int | float), f"{place}: {ours!r}, not {expected}"
        assert abs(ours - expected) <= 1e-9, f"{place}: {ours}, not {expected}"
    else:
        assert ours == expected, f"{place}: {ours!r}, not {expected!r}"
        assert isinstance(ours, bool) == isinstance(expected, bool), place
