"""Small campaigns with undecided texts, whose truth is known, and what becomes of them when somebody judges.

    campaign = sampled_campaign({"item-1": "a:P b:F a:P", "item-2": "+ - a:F"})

A word for each system: `+` and `-` are texts that rules decide, `a:P` is an undecided text `a` that is right, and the
same letter in an item is the same text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from assay.evaluation.evaluation import judge_outputs
from assay.outputs import Collector, Outputs, System
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.verdicts import VerdictTable

RULES = (Rule("pass", "contains", "right"), Rule("fail", "contains", "wrong"))


@dataclass(frozen=True)
class SampledCampaign:
    """A suite, outputs, and what the undecided texts (item, text) are worth."""

    suite: Suite
    outputs: Outputs
    truth: Mapping[tuple[str, str], bool]

    def judged(self, texts: Iterable[tuple[str, str]]) -> Suite:
        """The suite after these texts were judged."""
        rules: dict[str, list[Rule]] = {}
        for item, text in texts:
            polarity = "pass" if self.truth[item, text] else "fail"
            rules.setdefault(item, []).append(Rule(polarity, "exact", text, by="ann"))  # type: ignore[arg-type]
        items = (replace(item, rules=(*item.rules, *rules.get(item.id, ()))) for item in self.suite.items)
        return replace(self.suite, items=tuple(items))

    def table(self, suite: Suite | None = None) -> VerdictTable:
        return judge_outputs(suite or self.suite, self.outputs, keep_all=True)[0]


def sampled_campaign(
    drawing: Mapping[str, str], *, systems: Iterable[int] | None = None, categories: int = 1
) -> SampledCampaign:
    """Systems S0, S1 …, all or in another order; items go round `categories` by the number in their names."""
    items, truth = [], {}
    columns = range(len(next(iter(drawing.values())).split()))
    texts: dict[int, list[str]] = {column: [] for column in (columns if systems is None else systems)}
    for name, words in drawing.items():
        category = f"C{int(name.rpartition('-')[2]) % categories}"
        items.append(Item(name, category, f"{category} phenomenon", f"Satz {name}.", RULES))
        marks = words.split()
        for column, written in texts.items():
            letter, _, worth = marks[column].partition(":")
            text = {"+": f"right {column} {name}", "-": f"wrong {column} {name}"}.get(letter, f"text {letter} {name}")
            written.append(text)
            if worth:
                truth[name, text] = worth == "P"
    suite = Suite("sampled", "de-en", tuple(items), taxonomy_of(tuple(items)))
    collector = Collector(suite)
    for column, written in texts.items():
        collector.add(System(f"S{column}"), positions=range(len(items)), texts=written)
    return SampledCampaign(suite, collector.outputs(), truth)
