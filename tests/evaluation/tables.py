"""Evaluations drawn by hand, so that a test shows the verdicts it counts.

drawn({"Ambiguity/Word": {"A": "PPF", "B": "PF?"}})

P is a pass, F a fail, ? a text that no rule matches, ! one that both polarities match, - a missing output.
"""

from collections.abc import Mapping

from assay.evaluation import Cell, Evaluation, Row, evaluate
from assay.evaluation.settings import Policy
from assay.outputs import Collector, Outputs, System
from assay.suites import Item, Rule, Suite, taxonomy_of

Drawing = Mapping[str, Mapping[str, str]]

# Two categories; B is in doubt about word-3, contradicts itself on word-4 and left idiom-1 out.
SMALL: Drawing = {
    "Ambiguity/Word": {"A": "PPFF", "B": "PF?!"},
    "MWE/Idiom": {"A": "PP", "B": "-P"},
}

_TEXTS = {"P": "right", "F": "wrong", "?": "unclear", "!": "right and wrong", "-": ""}
_RULES = (Rule("pass", "contains", "right"), Rule("fail", "contains", "wrong"))


def suite_and_outputs(drawing: Drawing) -> tuple[Suite, Outputs]:
    """Items `word-1`, `word-2` … for `Category/Word`; a system may be written `NAME@CAMPAIGN`."""
    items: list[Item] = []
    texts: dict[str, list[str]] = {}
    for place, systems in drawing.items():
        category, phenomenon = place.split("/")
        for number in range(len(next(iter(systems.values())))):
            name = f"{phenomenon.lower()}-{number + 1}"
            items.append(Item(name, category, phenomenon, f"Satz {name}.", _RULES))
        for system, verdicts in systems.items():
            # Numbered, since a system that writes the same for every item did not translate the suite.
            numbered = [f"{_TEXTS[mark]} {n}" if mark != "-" else "" for n, mark in enumerate(verdicts)]
            texts.setdefault(system, []).extend(numbered)
    suite = Suite("drawn", "de-en", tuple(items), taxonomy_of(tuple(items)))
    collector = Collector(suite)
    for system, written in texts.items():
        name, _, campaign = system.partition("@")
        collector.add(System(name, campaign), positions=range(len(items)), texts=written)
    return suite, collector.outputs()


def drawn(drawing: Drawing, *, policy: Policy = "fair", alpha: float = 0.05, keep_all: bool = False) -> Evaluation:
    suite, outputs = suite_and_outputs(drawing)
    return evaluate(suite, outputs, policy=policy, alpha=alpha, keep_all=keep_all)


def cell(row: Row, name: str, campaign: str = "") -> Cell:
    return next(cell for cell in row.cells if cell.system == System(name, campaign))


def shares(row: Row) -> dict[str, float | None]:
    """System -> accuracy."""
    return {cell.system.name: cell.accuracy for cell in row.cells}


def cluster(row: Row) -> set[str]:
    """The systems of the first cluster."""
    return {cell.system.name for cell in row.cells if cell.first_cluster}
