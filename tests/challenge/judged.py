"""Verdicts made by hand: texts that are named after what they are worth.

table = judged({"Word": [{"A": "good one", "B": "good two", "C": "bad"}]})

A text that starts with "good" passes, with "bad" fails; any other is a warning.
"""

from collections.abc import Container, Mapping, Sequence

from assay.evaluation import evaluate
from assay.outputs import Collector, System
from assay.suites import Item, Rule, Suite
from assay.verdicts import VerdictTable

Texts = Mapping[str, str]
"""System -> what it wrote."""

RULES = (Rule("pass", "regex", "^good"), Rule("fail", "regex", "^bad"))


def judged(
    phenomena: Mapping[str, Sequence[Texts]], *, campaign: str = "", held_out: Container[str] = ()
) -> VerdictTable:
    """A verdict table; items are called `PHENOMENON-1`, …, their category is Grammar."""
    items, written = [], []
    for phenomenon, outputs in phenomena.items():
        for number, texts in enumerate(outputs, 1):
            name = f"{phenomenon}-{number}"
            source = f"Quelle  {phenomenon} {number}."
            items.append(Item(name, "Grammar", phenomenon, source, RULES, held_out=name in held_out))
            written.append(texts)
    suite = Suite("test", "de-en", tuple(items), taxonomy={"Grammar": dict.fromkeys(phenomena, "")}, version="1.0")
    collector = Collector(suite)
    for system in dict.fromkeys(name for texts in written for name in texts):
        places = [place for place, texts in enumerate(written) if system in texts]
        collector.add(System(system, campaign), positions=places, texts=[written[place][system] for place in places])
    return evaluate(suite, collector.outputs(), keep_all=True).table


def many(correct: int, incorrect: int) -> dict[str, str]:
    """An item with so many distinct texts of each kind."""
    texts = [f"good {number}" for number in range(correct)] + [f"bad {number}" for number in range(incorrect)]
    return {f"S{number}": text for number, text in enumerate(texts)}
