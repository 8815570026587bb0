"""Texts that show what systems get right or wrong, each with all systems that wrote it.

for example in find_examples(evaluation, verdict="fail", phenomenon="Idiom"):
    print(example.item.source, example.text, example.systems, example.right)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from assay.errors import UnknownName
from assay.evaluation.evaluation import Evaluation
from assay.suites import Item
from assay.text import normalise
from assay.verdicts import Finding, Verdict

if TYPE_CHECKING:
    from assay.evaluation.document import ExampleDocument


@dataclass(frozen=True, slots=True)
class OutputExample:
    """One text of one item, normalised, and the labels of all systems that wrote it, in table order."""

    item: Item
    text: str
    finding: Finding
    systems: tuple[str, ...]

    @property
    def span(self) -> tuple[int, int] | None:
        """Where the rule that decided matched; None where there is nothing to point at."""
        for evidence in self.finding.evidence[:1]:
            if evidence.end > evidence.start and (evidence.start, evidence.end) != (0, len(self.text)):
                return evidence.start, evidence.end
        return None

    @property
    def right(self) -> str:
        """What would have been right, in a few words; empty where the item does not say."""
        return right_words(self.item)

    def to_dict(self) -> "ExampleDocument":
        """As a line of JSONL."""
        start, end = self.span or (None, None)
        return {
            "item": self.item.id,
            "category": self.item.category,
            "phenomenon": self.item.phenomenon,
            "tests": self.item.tests,
            "source": self.item.source,
            "verdict": str(self.finding.verdict),
            "reason": self.finding.reason,
            "text": self.text,
            "start": start,
            "end": end,
            "right": self.right,
            "systems": list(self.systems),
        }


def right_words(item: Item) -> str:
    """What a right translation has: words of its first pass rule, or else an example of the whole."""
    from assay.verdicts import spell_out

    for rule in item.rules:
        if rule.polarity != "pass" or rule.is_blank or rule.by:
            continue
        if rule.kind == "contains":
            return rule.value
        if rule.kind == "regex":
            try:
                strings = spell_out(rule.value.replace(r"\b", ""))
            except ValueError:
                strings = None
            if strings and strings[0].strip():
                return strings[0].strip()
    whole = [
        *item.examples.passing,
        *(rule.value for rule in item.rules if rule.kind == "exact" and rule.polarity == "pass"),
    ]
    return normalise(whole[0]) if whole else ""


def find_examples(
    evaluation: Evaluation,
    *,
    verdict: str | None = None,
    category: str | None = None,
    phenomenon: str | None = None,
    systems: Sequence[str] = (),
    only_system: str | None = None,
    limit: int | None = None,
) -> Iterator[OutputExample]:
    """Examples in the order of the taxonomy, at most `limit` of them; items are looked at only as far as asked.

    `systems` are labels of those of which at least one wrote the text; with `only_system` those verdicts are found that
    this system alone has on the item.
    """
    suite, known = evaluation.suite, evaluation.columns
    if verdict is not None and verdict not in map(str, Verdict):
        raise UnknownName("verdict", verdict, map(str, Verdict))
    if category is not None and category not in suite.taxonomy:
        raise UnknownName("category", category, suite.taxonomy)
    if phenomenon is not None and phenomenon not in (names := {name for _, name in suite.phenomena}):
        raise UnknownName("phenomenon", phenomenon, names)
    for name in (*systems, *filter(None, (only_system,))):
        if name not in known:
            raise UnknownName("system", name, known)
    wanted = {*systems, *filter(None, (only_system,))}
    found = (
        example
        for position in _positions(evaluation, category, phenomenon)
        for example in examples_of_item(evaluation, position, verdict, only_system)
        if not wanted or wanted.intersection(example.systems)
    )
    return islice(found, limit)


def _positions(evaluation: Evaluation, category: str | None, phenomenon: str | None) -> list[int]:
    """Places of the items found, in the order of the taxonomy."""
    items = evaluation.suite.items
    ranks = {pair: rank for rank, pair in enumerate(evaluation.suite.phenomena)}
    chosen = [
        position
        for position in evaluation.table.items.tolist()
        if category in (None, items[position].category) and phenomenon in (None, items[position].phenomenon)
    ]
    return sorted(chosen, key=lambda position: ranks[items[position].category, items[position].phenomenon])


def examples_of_item(
    evaluation: Evaluation, position: int, verdict: str | None = None, only_system: str | None = None
) -> Iterator[OutputExample]:
    """The texts of an item with this verdict, those that most systems wrote first."""
    table, item = evaluation.table, evaluation.suite.items[position]
    written: dict[str, list[int]] = {}
    for place, column in enumerate(evaluation.order):
        if verdict is None or str(table.finding(position, column).verdict) == verdict:
            written.setdefault(normalise(table.outputs.text(position, column)), []).append(place)
    if only_system is not None and sum(map(len, written.values())) != 1:
        return
    for text, places in sorted(written.items(), key=lambda entry: -len(entry[1])):
        finding = table.finding(position, evaluation.order[places[0]])
        yield OutputExample(item, text, finding, tuple(evaluation.columns[place] for place in places))
