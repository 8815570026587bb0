"""What a suite's rules make of translations that were written blind: from the sources alone, without seeing the rules.

    python benchmarks/blind.py de-en blind.tsv [more.tsv …]
    python benchmarks/blind.py de-en --sentence-by-sentence sentences.tsv

Tables have the columns item, kind and text. Kinds are `free` (right, freely worded), `llm` (right, as a language model
would put it) and `wrong`. Shown are right texts that fail, wrong texts that pass and free right texts that stay
undecided, each with Wilson's 95 % interval and the texts themselves. Items that are gone are left out and counted.

A table of texts that were translated sentence by sentence has the columns item and text: each sentence in the reading
that it has by itself, nothing known of the others. In the context tier most must fail. Shown are those that do not.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from real_mt import rows, share

from assay.suites import Suite, load_suite
from assay.verdicts import RuleJudge, Verdict

KINDS = ("free", "llm", "wrong")
LIMITS = {"right failed": 0.005, "wrong passed": 0.015, "free right undecided": 0.15}
LEAST_FAILED = 0.7
"""The share of the context tier that must fail where each sentence is translated by itself."""


@dataclass(frozen=True, slots=True)
class BlindText:
    """A translation, its kind, and what the rules say."""

    item: str
    kind: str
    text: str
    verdict: Verdict


def judged(suite: Suite, paths: Iterable[Path]) -> tuple[list[BlindText], int]:
    """The texts of files, and how many are for items that are gone."""
    lines: list[tuple[str, str, str]] = []
    for path in paths:
        for row in rows(path, "item", "kind", "text"):
            if row["kind"] not in KINDS:
                sys.exit(f"{path}: the kind {row['kind']!r} is none of {', '.join(KINDS)}")
            lines.append((row["item"], row["kind"], row["text"]))
    return with_verdicts(suite, lines)


def with_verdicts(suite: Suite, lines: Iterable[tuple[str, str, str]]) -> tuple[list[BlindText], int]:
    """Item, kind and text with what the rules say, and how many are for items that are gone."""
    judge, found, gone = RuleJudge(suite), [], 0
    for name, kind, text in lines:
        if name in suite.positions:
            found.append(BlindText(name, kind, text, judge.judge(suite.item(name), text).verdict))
        else:
            gone += 1
    return found, gone


def measures(texts: list[BlindText]) -> dict[str, tuple[list[BlindText], int]]:
    """What was asked -> the texts that went wrong, of how many."""
    right = [text for text in texts if text.kind != "wrong"]
    wrong = [text for text in texts if text.kind == "wrong"]
    free = [text for text in texts if text.kind == "free"]
    return {
        "right failed": ([text for text in right if text.verdict == Verdict.FAIL], len(right)),
        "wrong passed": ([text for text in wrong if text.verdict == Verdict.PASS], len(wrong)),
        "free right undecided": ([text for text in free if text.verdict == Verdict.WARNING], len(free)),
    }


def lines(texts: list[BlindText], gone: int, *, show_all: bool) -> Iterator[str]:
    yield f"{len(texts):,} texts of {len({text.item for text in texts}):,} items, {gone:,} for items that are gone"
    for name, (found, number) in measures(texts).items():
        bar = "" if not number or len(found) / number <= LIMITS[name] else "  above the bar"
        yield f"{name:22} {share(len(found), number)}, at most {100 * LIMITS[name]:g} %{bar}"
        yield from (f"  {text.item} ({text.kind}): {text.text}" for text in (found if show_all else found[:5]))


def sentence_lines(suite: Suite, path: Path, *, show_all: bool) -> Iterator[str]:
    """How many texts fail that were translated sentence by sentence, and those that do not."""
    found, gone = with_verdicts(suite, ((row["item"], "sentences", row["text"]) for row in rows(path, "item", "text")))
    texts = [text for text in found if suite.item(text.item).tier == "context"]
    others = len(found) - len(texts)
    yield f"{len(texts):,} texts of the context tier, {others:,} of another, {gone:,} of items that are gone"
    failed = sum(text.verdict == Verdict.FAIL for text in texts)
    bar = "" if not texts or failed / len(texts) >= LEAST_FAILED else "  below the bar"
    yield f"{'failed':22} {share(failed, len(texts))}, at least {100 * LEAST_FAILED:g} %{bar}"
    for verdict, word in ((Verdict.PASS, "passed"), (Verdict.WARNING, "undecided")):
        left = [text for text in texts if text.verdict == verdict]
        yield f"{word:22} {share(len(left), len(texts))}"
        yield from (f"  {text.item}: {text.text}" for text in (left if show_all else left[:5]))


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suite")
    parser.add_argument("tables", nargs="*", type=Path)
    parser.add_argument("--sentence-by-sentence", type=Path, metavar="FILE", dest="sentences")
    parser.add_argument("--all", action="store_true", help="show all texts")
    asked = parser.parse_args()
    if not asked.tables and not asked.sentences:
        parser.error("no tables; name some, or --sentence-by-sentence FILE")
    suite = load_suite(asked.suite)
    if asked.tables:
        texts, gone = judged(suite, asked.tables)
        print("\n".join(lines(texts, gone, show_all=asked.all)))
    if asked.sentences:
        print("\n".join(sentence_lines(suite, asked.sentences, show_all=asked.all)))


if __name__ == "__main__":
    main()
