"""A campaign from a seed, whose texts exact rules decide, but for those that a pattern decides."""

from dataclasses import replace

import numpy as np

from assay.evaluation.evaluation import judge_outputs
from assay.outputs import Collector, Outputs, System
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.verdicts import VerdictTable

WORDS = ["river", "stone", "garden", "window", "letter", "evening", "bridge", "market", "winter", "silver"]


def made_campaign(items: int = 160, systems: int = 5, *, right: float = 0.7, seed: int = 1) -> tuple[Suite, Outputs]:
    """Items in two categories; systems choose among four texts of each, the last of them decided by a pattern."""
    chance = np.random.default_rng(seed)
    made: list[Item] = []
    written: list[list[str]] = [[] for _ in range(systems)]
    for number in range(items):
        texts = [f"The {' '.join(chance.choice(WORDS, 4))} {number} {letter}." for letter in "abcd"]
        rules = tuple(Rule("pass" if chance.random() < right else "fail", "exact", text) for text in texts[:3])
        pattern = Rule("pass", "regex", rf"\b{number} d\b")
        category = f"Category {number % 2}"
        made.append(Item(f"item-{number}", category, f"{category}, part", f"Satz {number}.", (*rules, pattern)))
        for column in written:
            column.append(str(chance.choice(texts)))
    suite = Suite("made", "de-en", tuple(made), taxonomy_of(tuple(made)))
    collector = Collector(suite)
    for place, lines in enumerate(written):
        collector.add(System(f"S{place}"), positions=range(items), texts=lines)
    return suite, collector.outputs()


def made_table(items: int = 160, systems: int = 5, *, right: float = 0.7, seed: int = 1) -> VerdictTable:
    return judge_outputs(*made_campaign(items, systems, right=right, seed=seed), keep_all=True)[0]


def with_rules(table: VerdictTable, *rules: Rule) -> VerdictTable:
    """The same texts judged with further rules for every item."""
    items = tuple(replace(item, rules=(*item.rules, *rules)) for item in table.suite.items)
    return judge_outputs(replace(table.suite, items=items), table.outputs, keep_all=True)[0]
