"""What a suite's rules make of translations that were written blind: from the sources alone, without seeing the rules.

    python benchmarks/blind.py de-en blind.tsv [more.tsv …]

Tables have the columns item, kind and text. Kinds are `free` (right, freely worded), `llm` (right, as a language model
would put it) and `wrong`. Shown are right texts that fail, wrong texts that pass and free right texts that stay
undecided, each with Wilson's 95 % interval and the texts themselves. Items that are gone are left out and counted.
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


@dataclass(frozen=True, slots=True)
class BlindText:
    """A translation, its kind, and what the rules say."""

    item: str
    kind: str
    text: str
    verdict: Verdict


def judged(suite: Suite, paths: Iterable[Path]) -> tuple[list[BlindText], int]:
    """The texts of files, and how many are for items that are gone."""
    judge, found, gone = RuleJudge(suite), [], 0
    for path in paths:
        for row in rows(path, "item", "kind", "text"):
            if row["kind"] not in KINDS:
                sys.exit(f"{path}: the kind {row['kind']!r} is none of {', '.join(KINDS)}")
            if row["item"] not in suite.positions:
                gone += 1
                continue
            item = suite.item(row["item"])
            verdict = judge.judge(item, row["text"]).verdict
            found.append(BlindText(item.id, row["kind"], row["text"], verdict))
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


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suite")
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--all", action="store_true", help="show all texts")
    asked = parser.parse_args()
    texts, gone = judged(load_suite(asked.suite), asked.tables)
    print("\n".join(lines(texts, gone, show_all=asked.all)))


if __name__ == "__main__":
    main()
