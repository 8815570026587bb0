"""Try the bundled English–Russian contrasts on the example translations of the bundled suite en-ru.

    python scripts/contrast_quality_ru.py english.udpipe --cases 30

English is parsed by a UDPipe model, Russian by natasha, and systran-align links the examples of all items together (or
another --aligner). Prints how much is unknown, and cases drawn at random, to be read.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from assay.contrasts import ClassFinder, FoundClass, Occurrence, SourceRule, bundled
from assay.contrasts.aligners.base import TextPair, load_aligner
from assay.contrasts.files.definitions import read
from assay.contrasts.parsers.base import load_parser
from assay.contrasts.trees import Links, Tree
from assay.suites import load_suite

CONTRASTS = read(bundled()["en-ru"])


class Case(NamedTuple):
    """A keyword, one translation of its sentence, and what was seen there."""

    occurrence: Occurrence
    source: Tree
    target: Tree
    found: FoundClass

    @property
    def verdict(self) -> str:
        contrast, label = self.occurrence.contrast, self.found.label
        return "good" if label in contrast.good else "bad" if label in contrast.bad else "unknown"

    def __str__(self) -> str:
        word = "–" if self.found.word is None else self.target.tokens[self.found.word].form
        keyword = self.source.tokens[self.occurrence.word].form
        seen = self.found.label or self.found.reason
        name = self.occurrence.contrast.name
        return f"{name}: {keyword} → {word}, {seen}, {self.verdict}\n    {self.source.text}\n    {self.target.text}"


def cases(english: str, aligner: str) -> Iterator[Case]:
    """Every keyword with every example translation, right and wrong, of its item."""
    items = load_suite("en-ru").items
    pairs = [
        (line, text) for line, item in enumerate(items) for text in (*item.examples.passing, *item.examples.failing)
    ]
    trees = load_parser(f"udpipe:{english}", language="en").parse([item.source for item in items])
    sources = dict(enumerate(trees))
    targets = load_parser("natasha", language="ru").parse([text for _, text in pairs])
    links = load_aligner(aligner).align(
        [TextPair(sources[line], tree) for (line, _), tree in zip(pairs, targets, strict=True)]
    )
    written: dict[int, list[tuple[Tree, Links]]] = {}
    for (line, _), tree, own in zip(pairs, targets, links, strict=True):
        written.setdefault(line, []).append((tree, own))
    yield from _cases(sources, written)


def _cases(sources: Mapping[int, Tree], written: Mapping[int, list[tuple[Tree, Links]]]) -> Iterator[Case]:
    finder = ClassFinder(CONTRASTS.classes)
    for occurrence in SourceRule(CONTRASTS).occurrences(sources):
        source = sources[occurrence.line]
        for target, links in written.get(occurrence.line, ()):
            yield Case(occurrence, source, target, finder.find(source, occurrence.word, target, links))


def report(found: list[Case], drawn: int, seed: int) -> Iterator[str]:
    """Counts by contrast, and some cases that are not unknown."""
    yield "| contrast | keywords | translations | good | bad | unknown |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name in CONTRASTS.contrasts:
        own = [case for case in found if case.occurrence.contrast.name == name]
        count = Counter(case.verdict for case in own)
        keywords = len({case.occurrence.id for case in own})
        yield f"| {name} | {keywords} | {len(own)} | {count['good']} | {count['bad']} | {count['unknown']} |"
    reasons = Counter(case.found.reason or case.found.label for case in found if case.verdict == "unknown")
    yield f"\nunknown: {', '.join(f'{reason} {count}' for reason, count in reasons.most_common())}\n"
    known = [case for case in found if case.verdict != "unknown"]
    yield from map(str, random.Random(seed).sample(known, min(drawn, len(known))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("english", type=Path, help="a UDPipe model")
    parser.add_argument("--aligner", default="systran")
    parser.add_argument("--cases", type=int, default=30, help="how many to draw")
    parser.add_argument("--seed", type=int, default=6)
    given = parser.parse_args()
    for line in report(list(cases(given.english, given.aligner)), given.cases, given.seed):
        print(line)


if __name__ == "__main__":
    main()
