"""A second, plain implementation of the counting contract, written from its text alone.

It imports nothing from assay, uses the standard library's `re`, exact fractions instead of arrays, and is written for
reading, not for speed. The tests compare every number of Assay's evaluation with it.

    table = judge_all(items, source_lines, {("Online-B", "wmt21"): output_lines})
    counted = evaluate(table, policy="fair", alpha=0.05)
"""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from statistics import NormalDist
from typing import Any

System = tuple[str, str]  # name, campaign
Verdict = tuple[str, str]  # pass, fail or warning; and why
Category = str
Phenomenon = str
Item = Mapping[str, Any]  # one entry of the DFKI JSON
Cell = tuple[int, int]  # correct, total

MARKERS = ("NO TRANSLATION AVAILABLE", "####", "FAILED")
Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Table:
    """What every system did on every found item, in the suite's order."""

    items: list[Item]
    found: list[Item]
    texts: dict[System, list[str]]
    verdicts: dict[System, list[Verdict]]


# Pairing


def split_lines(text: str) -> list[str]:
    """Lines end at a line feed, with or without a carriage return before it, and nowhere else."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def pair(items: Sequence[Item], sources: Sequence[str]) -> dict[str, int]:
    """The line of each found item: the k-th item of a sentence gets its k-th line, the last line serves the rest."""
    places: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(sources):
        places[line.strip()].append(number)
    line_of: dict[str, int] = {}
    seen: dict[str, int] = defaultdict(int)
    for item in sorted(items, key=lambda item: str(item["id"])):
        source = item["source_sentence"].strip()
        if source in places:
            k = seen[source]
            seen[source] += 1
            line_of[item["id"]] = places[source][min(k, len(places[source]) - 1)]
    return line_of


# Judging


def normalise(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    for quote in "\u2019\u2018\u00b4\u0060":
        text = text.replace(quote, "'")
    return " ".join(text.split())


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def judge(item: Item, text: str, *, settled: Iterable[tuple[str, str]] = ()) -> Verdict:
    """The verdict on one text; `settled` has (text, verdict) pairs of this item."""
    text = normalise(text)
    if text == "" or text in MARKERS:
        return "warning", "missing"
    by_linguist = {verdict for judged, verdict in settled if normalise(judged) == text}
    by_exact = {
        verdict
        for verdict, tokens in (("pass", item["positive_tokens"]), ("fail", item["negative_tokens"]))
        if any(normalise(token) == text for token in tokens if token.strip())
    }
    for evidence in (by_linguist, by_exact):
        if len(evidence) == 2:
            return "warning", "contradiction"
        if evidence:
            return evidence.pop(), "exact"
    by_pattern = {
        verdict
        for verdict, pattern in (("pass", item["positive_regex"]), ("fail", item["negative_regex"]))
        if pattern and pattern.strip() and _compiled(pattern).search(text)
    }
    if len(by_pattern) == 2:
        return "warning", "contradiction"
    return (by_pattern.pop(), "regex") if by_pattern else ("warning", "no_match")


def judge_all(items: Sequence[Item], sources: Sequence[str], outputs: Mapping[System, Sequence[str]]) -> Table:
    line_of = pair(items, sources)
    found = [item for item in items if item["id"] in line_of]
    texts = {system: [lines[line_of[item["id"]]] for item in found] for system, lines in outputs.items()}
    verdicts = {
        system: [judge(item, text) for item, text in zip(found, texts[system], strict=True)] for system in outputs
    }
    return Table(list(items), found, texts, verdicts)


# Counting


def translated_the_suite(texts: Sequence[str]) -> bool:
    return not Fraction(len(set(texts))) < Fraction(5, 100) * len(texts)


def counts_for(policy: str, verdicts: Mapping[System, Sequence[Verdict]], number: int) -> set[System]:
    """The systems for which one found item counts."""
    decided = {system for system in verdicts if verdicts[system][number][0] != "warning"}
    if policy == "fair":
        return decided if len(decided) == len(verdicts) else set()
    return decided if policy == "own" else set(verdicts)


def accuracy(cell: Cell) -> Fraction | None:
    return Fraction(*cell) if cell[1] else None


def mean(values: Iterable[Fraction | None]) -> Fraction | None:
    defined = [value for value in values if value is not None]
    return sum(defined, Fraction(0)) / len(defined) if defined else None


def wilson(correct: int, total: int) -> tuple[float, float]:
    p, z = correct / total, Z95
    middle = p + z * z / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    low, high = (middle - half) / (1 + z * z / total), (middle + half) / (1 + z * z / total)
    return max(low, 0.0), min(high, 1.0)


def macro_interval(cells: Sequence[Cell]) -> tuple[float, float]:
    """Normal: the mean of K accuracies has variance K⁻² Σ p(1-p)/n."""
    shares = [Fraction(*cell) for cell in cells]
    centre = float(sum(shares) / len(cells))
    variance = sum(p * (1 - p) / total for p, (_, total) in zip(shares, cells, strict=True)) / len(cells) ** 2
    half = Z95 * math.sqrt(variance)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def significantly_worse(best: Sequence[Cell], other: Sequence[Cell], alpha: float) -> bool:
    """One-tailed z-test of two means over K cells; with one cell, the pooled test of two proportions."""
    difference, variance = Fraction(0), Fraction(0)
    for (correct1, total1), (correct2, total2) in zip(best, other, strict=True):
        difference += Fraction(correct1, total1) - Fraction(correct2, total2)
        pooled = Fraction(correct1 + correct2, total1 + total2)
        variance += pooled * (1 - pooled) * (Fraction(1, total1) + Fraction(1, total2))
    if variance == 0:
        return difference > 0
    z = float(difference) / math.sqrt(variance)
    return 0.5 * math.erfc(z / math.sqrt(2)) < alpha


def first_cluster(cells: Mapping[System, Sequence[Cell]], alpha: float) -> set[System]:
    """The systems that are not significantly worse than the best or, of several tied bests, than any of them."""
    worth = {system: sum(Fraction(*cell) for cell in its) / len(its) for system, its in cells.items()}
    if not worth:
        return set()
    bests = [system for system in worth if worth[system] == max(worth.values())]
    return {
        system
        for system in cells
        if system in bests or not any(significantly_worse(cells[best], cells[system], alpha) for best in bests)
    }


# The report


def evaluate(table: Table, *, policy: str, alpha: float = 0.05, keep_all: bool = False) -> dict[str, Any]:
    kept = [system for system, texts in table.texts.items() if keep_all or translated_the_suite(texts)]
    verdicts = {system: table.verdicts[system] for system in kept}
    found = range(len(table.found))
    counting = [counts_for(policy, verdicts, number) for number in found]
    counted = sum(1 for systems in counting if systems)

    def cell(system: System, numbers: Iterable[int]) -> Cell:
        mine = [number for number in numbers if system in counting[number]]
        return sum(verdicts[system][number][0] == "pass" for number in mine), len(mine)

    def bounds(system: System, numbers: Sequence[int]) -> tuple[float | None, float | None]:
        words = [verdicts[system][number][0] for number in numbers]
        if not words:
            return None, None
        passed = words.count("pass")
        return passed / len(words), (passed + words.count("warning")) / len(words)

    def plain_row(level: str, category: str | None, phenomenon: str | None, numbers: Sequence[int]) -> dict[str, Any]:
        cells = {system: cell(system, numbers) for system in kept}
        first = first_cluster({system: [cell] for system, cell in cells.items() if cell[1]}, alpha)
        rendered = []
        for system, (correct, total) in cells.items():
            low, high = wilson(correct, total) if total else (None, None)
            lower, upper = bounds(system, numbers)
            share = accuracy((correct, total))
            rendered.append(_cell(system, correct, total, share, (low, high), (lower, upper), first=system in first))
        average = mean(accuracy(cell) for cell in cells.values())
        count = sum(1 for number in numbers if counting[number])
        return _row(level, category, phenomenon, count, rendered, average)

    def macro_row(level: str, groups: Mapping[Any, Sequence[int]]) -> dict[str, Any]:
        by_system = {system: {group: cell(system, groups[group]) for group in groups} for system in kept}
        defined = [group for group in groups if all(by_system[system][group][1] for system in kept)]
        cells = {system: [by_system[system][group] for group in defined] for system in kept}
        first = first_cluster(cells, alpha) if defined else set()
        rendered = []
        for system in kept:
            share = mean(accuracy(cell) for cell in cells[system])
            interval = macro_interval(cells[system]) if defined else (None, None)
            rendered.append(_cell(system, None, None, share, interval, (None, None), first=system in first))
        average = mean(mean(accuracy(cell) for cell in cells[system]) for system in kept)
        row = _row(level, None, None, counted, rendered, average)
        row["dropped"] = [group for group in groups if group not in defined]
        return row

    categories: dict[Category, list[int]] = {item["category"]: [] for item in table.items}
    phenomena: dict[tuple[Category, Phenomenon], list[int]] = {
        (item["category"], item["phenomenon"]): [] for item in table.items
    }
    for number, item in enumerate(table.found):
        categories[item["category"]].append(number)
        phenomena[item["category"], item["phenomenon"]].append(number)
    rows = [plain_row("category", category, None, numbers) for category, numbers in categories.items()]
    rows += [plain_row("phenomenon", *pair, numbers) for pair, numbers in phenomena.items()]
    rows.append(plain_row("micro", None, None, found))
    rows.append(macro_row("category_macro", categories))
    rows.append(macro_row("phenomenon_macro", phenomena))
    return {
        "systems": [_system(system, verdicts[system]) for system in kept],
        "excluded_systems": [
            {"name": name, "campaign": campaign} for name, campaign in table.texts if (name, campaign) not in kept
        ],
        "items": {
            "total": len(table.items),
            "counted": counted,
            "excluded": {
                "not_in_source": len(table.items) - len(table.found),
                "warning": len(table.found) - counted,
            },
        },
        "rows": rows,
    }


def _system(system: System, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    words = [word for word, _ in verdicts]
    return {
        "name": system[0],
        "campaign": system[1],
        "missing": sum(reason == "missing" for _, reason in verdicts),
        "pass": words.count("pass"),
        "fail": words.count("fail"),
        "warning": words.count("warning"),
        "warning_share": words.count("warning") / len(words) if words else None,
    }


def _row(
    level: str,
    category: str | None,
    phenomenon: str | None,
    count: int,
    cells: list[dict[str, Any]],
    average: Fraction | None,
) -> dict[str, Any]:
    return {
        "level": level,
        "category": category,
        "phenomenon": phenomenon,
        "count": count,
        "cells": cells,
        "average": None if average is None else float(average),
    }


def _cell(
    system: System,
    correct: int | None,
    total: int | None,
    share: Fraction | None,
    interval: tuple[float | None, float | None],
    bounds: tuple[float | None, float | None],
    *,
    first: bool,
) -> dict[str, Any]:
    return {
        "system": system[0],
        "campaign": system[1],
        "correct": correct,
        "total": total,
        "accuracy": None if share is None else float(share),
        "low": interval[0],
        "high": interval[1],
        "lower_bound": bounds[0],
        "upper_bound": bounds[1],
        "first_cluster": first,
    }
