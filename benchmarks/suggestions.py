"""How often `suggest` is right: every judged text of WMT21 left out in turn and suggested from the others.

python benchmarks/suggestions.py
"""

import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import assay
from assay.suggest import Known, Related, suggest
from assay.text import normalise
from assay.verdicts import Verdict, judge_texts

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
SUREST = 0.8


class Judged(NamedTuple):
    """An item's phenomenon and source, and its distinct texts that have a verdict."""

    phenomenon: tuple[str, str]
    source: str
    known: list[Known]


class Result(NamedTuple):
    """One suggestion: how sure, whether right, how long it took."""

    confidence: float
    right: bool
    seconds: float


def judged(langpair: str) -> list[Judged]:
    """The items of a WMT21 campaign with what the suite's rules say about the systems' texts."""
    source, target = langpair.split("-")
    suite = assay.load_suite(DATA / "dfki" / f"items.{langpair}.json")
    outputs = assay.load_outputs(
        suite,
        sorted((DATA / "wmt21" / "system-outputs").glob(f"newstest2021.{langpair}.hyp.*.{target}")),
        source=DATA / "wmt21" / "sources" / f"newstest2021.{langpair}.src.{source}",
    )
    verdicts: dict[int, dict[str, Verdict]] = {}
    findings = judge_texts(suite, outputs)
    for owner, text, finding in zip(outputs.owners.tolist(), outputs.texts, findings, strict=True):
        if finding and finding.verdict != Verdict.WARNING:
            verdicts.setdefault(owner, {})[normalise(text)] = finding.verdict
    return [
        Judged(
            (suite.items[owner].category, suite.items[owner].phenomenon),
            normalise(suite.items[owner].source),
            [Known(*pair) for pair in texts.items()],
        )
        for owner, texts in verdicts.items()
    ]


def left_out(items: list[Judged], *, related: bool) -> Iterator[Result]:
    """Each text of an item suggested from the item's others; with `related` also from other sources' items."""
    for item in items:
        if len(item.known) < 2:
            continue
        others = [
            one
            for other in items
            if related and other.phenomenon == item.phenomenon and other.source != item.source
            for one in other.known
        ]
        counted = Related(others)
        for place, one in enumerate(item.known):
            known = item.known[:place] + item.known[place + 1 :]
            start = time.perf_counter()
            suggestion = suggest(one.text, known, counted)
            seconds = time.perf_counter() - start
            if suggestion is None:
                raise SystemExit(f"no suggestion for {one.text!r}")
            yield Result(suggestion.confidence, suggestion.verdict == one.verdict, seconds)


def right(results: list[Result]) -> float:
    return 100 * statistics.mean(result.right for result in results)


def show(name: str, results: list[Result]) -> None:
    """Share right overall, of the surest, and by confidence."""
    results = sorted(results, key=lambda result: -result.confidence)
    surest = results[: round(SUREST * len(results))]
    milliseconds = 1000 * statistics.mean(result.seconds for result in results)
    print(
        f"{name}: {len(results)} texts, right {right(results):.1f} %, of the surest {SUREST:.0%} {right(surest):.1f} %,"
        f" {milliseconds:.1f} ms each"
    )
    for low, high in ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.01)):
        some = [result for result in results if low <= result.confidence < high]
        if some:
            mean = 100 * statistics.mean(result.confidence for result in some)
            print(f"    confidence {mean:.0f} %: right {right(some):5.1f} % of {len(some)}")


def main() -> None:
    if not DATA.is_dir():
        sys.exit(f"no real data at {DATA}; set ASSAY_DATA to the folder that has it")
    for langpair in ("de-en", "en-de"):
        items = judged(langpair)
        show(f"{langpair}, known of the item", list(left_out(items, related=False)))
        show(f"{langpair}, known of the phenomenon", list(left_out(items, related=True)))


if __name__ == "__main__":
    main()
