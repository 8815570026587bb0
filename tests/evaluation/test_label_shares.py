"""Labels: which rendering, in shares with intervals and differences; never right or wrong."""

import pytest

from assay.evaluation import Evaluation, Policy, evaluate
from assay.evaluation.label_shares import LabelRow
from assay.outputs import Collector, System
from assay.stats.proportions import wilson, ztest
from assay.suites import Item, Label, Rule, Suite, taxonomy_of
from assay.verdicts.label_judge import LabelFinding, LabelJudge

LABELS = (
    Label("feminine", (Rule("pass", "regex", r"in\b"),)),
    Label("masculine", (Rule("pass", "contains", "Arzt"), Rule("pass", "contains", "Koch"))),
)
WORDS = {"f": "Ärztin", "m": "Arzt", "?": "Fachkraft", "!": "Köchin, ein Koch", "-": ""}


def labelled(texts: dict[str, dict[str, str]], policy: Policy = "fair") -> Evaluation:
    """Phenomenon -> system -> a letter for each item; none of them has rules."""
    items = tuple(
        Item(f"{phenomenon}-{number}", "Gender", phenomenon, f"{phenomenon} {number}", labels=LABELS)
        for phenomenon, systems in texts.items()
        for number in range(len(next(iter(systems.values()))))
    )
    suite = Suite("labels", "en-de", items, taxonomy_of(items))
    collector = Collector(suite)
    for system in next(iter(texts.values())):
        letters = "".join(systems[system] for systems in texts.values())
        written = [f"{WORDS[letter]} {place}" if letter != "-" else "" for place, letter in enumerate(letters)]
        collector.add(System(system, ""), positions=range(len(items)), texts=written)
    return evaluate(suite, collector.outputs(), policy=policy)


def rows(evaluation: Evaluation) -> dict[tuple[str, str | None], LabelRow]:
    assert evaluation.labels is not None
    return {(row.phenomenon, row.label): row for row in evaluation.labels.rows}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Die Ärztin kam.", LabelFinding("feminine")),
        ("Der Arzt kam.", LabelFinding("masculine")),
        ("Jemand kam.", LabelFinding("", "no_match")),
        ("Die Köchin, ein Koch", LabelFinding("", "overlap")),
        ("", LabelFinding("", "missing")),
    ],
)
def test_a_text_has_one_label_or_none(text: str, found: LabelFinding) -> None:
    item = Item("a", "Gender", "Noun", "The doctor came.", labels=LABELS)
    assert LabelJudge([item]).judge(item, text) == found


@pytest.mark.parametrize(
    ("policy", "feminine"),
    [
        # Items that are labelled for both: the first and the last.
        ("fair", {"A": (1, 2), "B": (1, 2)}),
        ("own", {"A": (2, 3), "B": (1, 3)}),
        ("strict", {"A": (2, 4), "B": (1, 4)}),
    ],
)
def test_shares_by_policy(policy: Policy, feminine: dict[str, tuple[int, int]]) -> None:
    evaluation = labelled({"Noun": {"A": "ff?m", "B": "f!mm"}}, policy)
    row = rows(evaluation)["Noun", "feminine"]
    assert {cell.system.name: (cell.number, cell.total) for cell in row.cells} == feminine
    for cell in row.cells:
        assert cell.share == cell.number / cell.total
        assert (cell.low, cell.high) == pytest.approx(tuple(float(end) for end in wilson(cell.number, cell.total)))
    # What is undecided is a share of all texts, whatever the policy.
    assert {cell.system.name: cell.share for cell in rows(evaluation)["Noun", None].cells} == {"A": 0.25, "B": 0.25}


def test_phenomena_are_compared_two_tailed() -> None:
    evaluation = labelled({"Nurse": {"A": "ffffffffmm"}, "Doctor": {"A": "ffmmmmmmmm"}})
    first, second = (rows(evaluation)[name, "feminine"].cells[0] for name in ("Nurse", "Doctor"))
    assert first.difference == pytest.approx(0.6)
    assert second.difference == pytest.approx(-0.6)
    assert first.p == second.p == pytest.approx(2 * float(ztest(8, 10, 2, 10)))


def test_one_phenomenon_has_nothing_to_differ_from() -> None:
    cell = rows(labelled({"Noun": {"A": "fm"}}))["Noun", "feminine"].cells[0]
    assert (cell.difference, cell.p) == (None, None)


def test_items_with_labels_only_are_in_no_accuracy() -> None:
    evaluation = labelled({"Noun": {"A": "fm", "B": "mm"}})
    assert evaluation.items_counted == 0
    assert evaluation.items_not_found == []
    document = evaluation.to_dict()
    assert document["items"] == {
        "total": 2,
        "counted": 0,
        "excluded": {"not_in_source": 0, "warning": 0, "labels_only": 2},
    }
    assert [row["label"] for row in document["labels"]] == ["feminine", "masculine", None]
    assert all(cell.accuracy is None for row in evaluation.rows() for cell in row.cells)
