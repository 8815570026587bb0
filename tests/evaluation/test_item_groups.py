"""Groups of items: wholly right, consistent, and one observation in tests."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from assay.errors import BadOption
from assay.evaluation import Evaluation, evaluate
from assay.evaluation.comparison import compare
from assay.evaluation.settings import POLICIES, TESTS, Policy, Test
from assay.outputs import Collector, Outputs, System
from assay.stats.paired import half_tail
from assay.suites import Item, Label, Rule, Suite, taxonomy_of
from assay.suites.suite import Renderings
from tests.evaluation.tables import shares, suite_and_outputs

Drawing = Mapping[str, Mapping[str, str]]

# Four pairs: wholly right for A are 1 and 2, for B only 1; in the third B is undecided, in the fourth A.
PAIRS: Drawing = {"Gender/Noun": {"A": "PPPPFPP?", "B": "PPPF?FPP"}}


def grouped(drawing: Drawing, size: int = 2, *, independent: bool = True) -> tuple[Suite, Outputs]:
    """The items of a drawing in groups of so many."""
    suite, outputs = suite_and_outputs(drawing)
    items = [
        replace(item, group=f"noun/{place // size}", independent=independent) for place, item in enumerate(suite.items)
    ]
    suite = replace(suite, items=tuple(items))
    return suite, replace(outputs)


def evaluated(drawing: Drawing, policy: Policy = "fair", test: Test = "ztest", **more: object) -> Evaluation:
    return evaluate(*grouped(drawing), policy=policy, test=test, draws=400, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("policy", "counted", "right"),
    [
        # No warning of any system on any member: pairs 1 and 2.
        ("fair", {"A": (2, 2), "B": (1, 2)}, 2),
        # A decided 1, 2 and (one fails) 3; B 1, 2, 3 (one fails) and 4.
        ("own", {"A": (2, 3), "B": (2, 4)}, 4),
        ("strict", {"A": (2, 4), "B": (2, 4)}, 4),
    ],
)
def test_groups_wholly_right_by_policy(policy: Policy, counted: dict[str, tuple[int, int]], right: int) -> None:
    [row] = evaluated(PAIRS, policy).over_groups()
    assert (row.level, row.category, row.phenomenon, row.items) == ("groups", None, None, right)
    assert {cell.system.name: (cell.correct, cell.total) for cell in row.cells} == counted


def test_bounds_are_over_all_groups_found() -> None:
    [row] = evaluated(PAIRS).over_groups()
    # B: pairs 1 and 4 are right, 2 and 3 wrong; A: 1 and 2 right, 3 wrong, 4 open.
    assert {cell.system.name: (cell.lower_bound, cell.upper_bound) for cell in row.cells} == {
        "A": (0.5, 0.75),
        "B": (0.5, 0.5),
    }


@pytest.mark.parametrize("policy", [policy for policy in POLICIES if policy != "estimate"])
@pytest.mark.parametrize("test", TESTS)
def test_every_test_under_every_policy(policy: Policy, test: Test) -> None:
    evaluation = evaluated({"Gender/Noun": {"A": "PP" * 9 + "F?", "B": "FPFFPP" * 3 + "PP"}}, policy, test)
    assert "units:group" in evaluation.signature
    for row in evaluation.rows("both"):
        best, other = sorted(row.cells, key=lambda cell: -(cell.accuracy or 0))
        assert best.first_cluster
        assert best.p is None
        assert other.p is not None
        assert 0 < other.p <= 1
        assert all(cell.low is not None and cell.high is not None for cell in row.cells)


def test_groups_are_tested_like_items_of_their_own() -> None:
    # 9 pairs are right for A, 3 for B; McNemar: 6 to 0.
    evaluation = evaluated({"Gender/Noun": {"A": "PP" * 9, "B": "PP" * 3 + "PF" * 6}}, test="mcnemar")
    [row] = evaluation.over_groups()
    assert row.cells[1].p == pytest.approx(half_tail(6, 6))
    assert row.cells[1].p == pytest.approx(1 / 64)


def test_mcnemars_test_flips_whole_groups() -> None:
    # A has 4 items more in two groups (2 and 2) and 1 less in a third. Signs of 2, 2, 1: 5 and 3 are at least 3.
    evaluation = evaluated({"Gender/Noun": {"A": "PPPPFP", "B": "FFFFPP"}}, test="mcnemar")
    micro = evaluation.averages()[0]
    assert micro.cells[1].p == pytest.approx(2 / 8)
    as_published = evaluated({"Gender/Noun": {"A": "PPPPFP", "B": "FFFFPP"}}, test="mcnemar", units="item")
    assert as_published.averages()[0].cells[1].p == pytest.approx(half_tail(4, 5))


def test_intervals_widen_by_the_design_effect() -> None:
    drawing = {"Gender/Noun": {"A": "PPFFPF" * 2, "B": "PPFFPF" * 2}}
    by_group, by_item = (evaluated(drawing, units=units).averages()[0].cells[0] for units in ("group", "item"))
    assert by_group.low is not None
    assert by_item.low is not None
    assert by_group.accuracy == by_item.accuracy
    assert by_group.low < by_item.low


def test_a_suite_without_groups_has_no_units() -> None:
    suite, outputs = suite_and_outputs(PAIRS)
    plain = evaluate(suite, outputs)
    assert "units" not in plain.signature
    assert plain.over_groups() == []
    assert evaluate(suite, outputs, units="group").to_dict() == plain.to_dict()


def test_items_that_only_share_material_have_no_row_but_are_one_observation() -> None:
    evaluation = evaluate(*grouped(PAIRS, independent=False))
    assert evaluation.over_groups() == []
    assert evaluation.settings.units == "group"


def test_a_group_with_a_member_that_was_not_found_does_not_count() -> None:
    suite, _ = grouped(PAIRS)
    collector = Collector(suite)
    # The last item has no output at all.
    collector.add(System("A", ""), positions=range(7), texts=[f"right {number}" for number in range(7)])
    [row] = evaluate(suite, collector.outputs()).over_groups()
    assert row.items == 3


def test_an_estimate_says_nothing_about_groups() -> None:
    with pytest.raises(BadOption, match="counts items, not groups"):
        evaluated(PAIRS, "estimate", units="group")


def test_two_systems_are_compared_in_groups_too() -> None:
    suite, outputs = grouped({"Gender/Noun": {"A": "PPPPFP", "B": "FFFFPP"}})
    comparison = compare(suite, outputs)
    [row] = [row for row in comparison.changes() if row.level == "groups"]
    # Of three pairs A has two right and B one, each other ones.
    assert (row.first, row.second, row.only_first, row.only_second) == (2 / 3, 1 / 3, 2, 1)
    assert comparison.p == pytest.approx(2 / 8)


# Consistency

HE, SHE = "Der Pfleger kam.", "Die Schwester kam."
_NOUNS = Rule("pass", "regex", "(?i)der pfleger"), Rule("fail", "regex", "(?i)die schwester")


def a_pair(renderings: Renderings, labels: tuple[Label, ...] = ()) -> Suite:
    rules = _NOUNS, tuple(replace(rule, polarity="fail" if rule.polarity == "pass" else "pass") for rule in _NOUNS)
    items = tuple(
        Item(
            name, "Gender", "Noun", f"The nurse, {name}.", of, group="noun/nurse", renderings=renderings, labels=labels
        )
        for name, of in zip(("he", "she"), rules, strict=True)
    )
    return Suite("pair", "en-de", items, taxonomy_of(items))


def written(suite: Suite, **texts: tuple[str, str]) -> Outputs:
    collector = Collector(suite)
    for system, both in texts.items():
        collector.add(System(system, ""), positions=range(2), texts=both)
    return collector.outputs()


@pytest.mark.parametrize(
    ("renderings", "found"),
    [
        # Swapped is wrong twice, and still tells the two apart; the words count, not their capitals.
        ("differ", {"right": 1.0, "swapped": 1.0, "always_he": 0.0}),
        ("same", {"right": 0.0, "swapped": 0.0, "always_he": 1.0}),
    ],
)
def test_consistency_is_about_words_not_about_right(renderings: Renderings, found: dict[str, float]) -> None:
    suite = a_pair(renderings)
    outputs = written(suite, right=(HE, SHE), swapped=(SHE, HE), always_he=(HE, "Nein, der Pfleger."))
    wholly, consistent = evaluate(suite, outputs).over_groups()
    assert shares(wholly) == {"right": 1.0, "swapped": 0.0, "always_he": 0.0}
    assert consistent.level == "consistency"
    assert shares(consistent) == found


@pytest.mark.parametrize(("policy", "found"), [("fair", None), ("own", None), ("strict", 0.0)])
def test_what_is_undecided_is_consistent_with_nothing(policy: Policy, found: float | None) -> None:
    suite = a_pair("differ")
    row = evaluate(suite, written(suite, A=(HE, "Jemand kam."), B=(HE, SHE)), policy=policy).over_groups()[1]
    assert shares(row) == {"A": found, "B": None if policy == "fair" else 1.0}


def test_labels_tell_renderings_where_all_members_have_them() -> None:
    labels = Label("m", (Rule("pass", "contains", "kam"),)), Label("f", (Rule("pass", "contains", "ging"),))
    suite = a_pair("differ", labels)
    # By their words these differ; by their labels they are the same.
    row = evaluate(suite, written(suite, A=(HE, SHE), B=(HE, "Die Schwester ging."))).over_groups()[1]
    assert shares(row) == {"A": 0.0, "B": 1.0}


def test_a_text_that_was_judged_as_a_whole_has_no_deciding_words() -> None:
    suite = a_pair("differ")
    judged = replace(suite.items[0], rules=(Rule("pass", "exact", "Er kam.", by="Ada", on="2026-01-01"),))
    suite = suite.with_items({0: judged})
    row = evaluate(suite, written(suite, A=("Er kam.", SHE)), policy="own").over_groups()[1]
    assert shares(row) == {"A": None}


def test_draws_take_groups_whole() -> None:
    # All 60 items are in 6 groups, of which A has 4 right and B 2. Whoever draws items would call that certain.
    drawing = {"Gender/Noun": {"A": "P" * 40 + "F" * 20, "B": "F" * 40 + "P" * 20}}
    suite, outputs = grouped(drawing, size=10)
    by_group, by_item = (
        {
            test: evaluate(suite, outputs, test=test, draws=2_000, units=units).averages()[0].cells[1].p
            for test in ("bootstrap", "randomization")
        }
        for units in ("group", "item")
    )
    # Randomisation: 22 of 64 signs of six groups give a sum of 20 or more (2 of 6 wins more).
    exact = sum(bin(signs).count("1") >= 4 for signs in range(64)) / 64
    assert by_group["randomization"] == pytest.approx(exact, abs=0.04)
    assert by_group["bootstrap"] is not None
    assert by_group["bootstrap"] > 0.1
    assert all(p is not None and p < 0.02 for p in by_item.values())


def test_groups_across_phenomena_are_drawn_together() -> None:
    # A group has an item in each of two phenomena, and both are alike: six observations, not twelve.
    suite, outputs = suite_and_outputs(
        {"T/One": {"A": "PPPPPF", "B": "FFFFFP"}, "T/Two": {"A": "PPPPPF", "B": "FFFFFP"}}
    )
    items = [replace(item, group=f"t/{place % 6}", independent=False) for place, item in enumerate(suite.items)]
    suite = replace(suite, items=tuple(items))
    evaluation = evaluate(suite, outputs, test="randomization", draws=4_000)
    exact = sum(bin(signs).count("1") >= 5 for signs in range(64)) / 64
    assert evaluation.averages()[0].cells[1].p == pytest.approx(exact, abs=0.02)
    assert np.allclose([cell.p or 0 for row in evaluation.averages() for cell in row.cells[1:]], exact, atol=0.02)
