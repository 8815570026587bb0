"""A test suite of Assay as a task of lm-evaluation-harness: what a model answers is judged by the suite's rules.

`accuracy` is the mean of the verdicts, 1 for a pass and 0 for a fail. An answer that no rule decides is none of them
and counts in `warnings` alone. Both are given over all items, per category and per phenomenon.
"""

from collections.abc import Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from typing import Any

from datasets import Dataset

from assay.bridges import SuiteScorer, read_rows

FOLDER = Path(__file__).resolve().parent
SUITE = SuiteScorer(FOLDER / "suite")
ITEMS = read_rows(FOLDER / "items.jsonl")
ROWS = dict.fromkeys(row[level].replace(",", ";") for level in ("category", "phenomenon") for row in ITEMS)


def dataset(**_: Any) -> dict[str, Any]:
    """The items; lm-eval hands over whatever `--metadata` says, which changes nothing."""
    return {"test": Dataset.from_list(ITEMS)}


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """The scores of one answer, under every name: where a process has no item of a row, lm-eval would drop the row."""
    found = SUITE.score(doc["id"], results[0])
    own = {doc[level].replace(",", ";") for level in ("category", "phenomenon")}
    scores = {"accuracy": found.value, "warnings": float(found.is_warning)}
    for name, score in list(scores.items()):
        scores |= {f"{name}: {row}": score if row in own else nan for row in ROWS}
    return scores


def mean_of_known(scores: Sequence[float]) -> float:
    """The mean of the scores that are there; not a number where there is none."""
    known = [score for score in scores if not isnan(score)]
    return sum(known) / len(known) if known else nan
