"""Real suites from end to end, where they are at hand: read, given rules, evaluated, handed in again.

Rules are made of what stands in the files themselves when the test runs, and ask little: whether any of the terms that
a system was offered is there (which of them is right, the prompts do not say), whether numbers and abbreviations are
there still. Nearly all texts pass. So they show that texts and items belong together, since each fails with the text of
its neighbour, and say nothing about how good a system is.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.outputs import Outputs, load_outputs
from assay.suites import Item, Rule, Suite, load_suite, save_suite
from assay.verdicts import RuleJudge, Verdict
from tests.conftest import Run

ENDINGS = re.compile("(?<=...)(?:e[nmrs]?|s)$")


def folder(data: Path, name: str) -> Path:
    if not (data / name).is_dir():
        pytest.skip(f"no {name} at {data}")
    return data / name


def one_of(terms: Iterable[str]) -> tuple[Rule, ...]:
    """A text is right with one of these terms, in whatever form, and wrong without."""
    stems = ([ENDINGS.sub("", word) for word in term.split()] for term in terms)
    pattern = "|".join(r"\w*\s+".join(map(re.escape, words)) for words in stems)
    return Rule("pass", "regex", rf"\b(?:{pattern})", "i"), Rule("fail", "regex", rf"^(?!.*\b(?:{pattern})).", "i")


def with_rules(suite: Suite, terms: Callable[[Item], list[str]], number: int, place: Path) -> Suite:
    """The first items that have terms, saved with rules made of these."""
    chosen = [replace(item, rules=one_of(found)) for item in suite if (found := terms(item))][:number]
    save_suite(replace(suite, items=tuple(chosen)), place)
    return load_suite(place)


def counts(result: dict[str, Any]) -> dict[str, tuple[int, int, int]]:
    """System -> texts that pass, that fail, that nothing is said about."""
    return {row["name"]: (row["pass"], row["fail"], row["warning"]) for row in result["systems"]}


def passed(suite: Suite, outputs: Outputs, *, shift: int = 0) -> int:
    """Texts that pass, of all systems; with a shift items are judged by the texts of others."""
    judge, found = RuleJudge(suite), outputs.found.tolist()
    pairs = [(place, found[(turn + shift) % len(found)]) for turn, place in enumerate(found)]
    verdicts = [
        judge.judge(suite.items[place], outputs.text(other, column)).verdict
        for place, other in pairs
        for column in range(len(outputs.systems))
    ]
    return verdicts.count(Verdict.PASS)


def candidates(item: Item) -> list[str]:
    """The terms from which a system had to choose."""
    found = re.search("<CANDIDATES>(.*)</CANDIDATES>", item.prompt, re.DOTALL)
    return re.findall(r"^\d+\. (.+)$", found[1], re.MULTILINE) if found else []


def test_twenty_legal_terms_of_2026(assay: Run, data: Path, tmp_path: Path) -> None:
    place = folder(data, "wmt26")
    blind = place / "blind.jsonl.gz"
    run = assay("suite", "convert", blind, "--langpair", "it-de_DE", "--prompts", "Italian-to-German", "-o", "legal")
    assert run.stdout == "legal: 484 items without rules\n"
    terms = with_rules(load_suite(tmp_path / "legal"), candidates, 20, tmp_path / "terms")
    assert len(terms) == 20
    result = json.loads(assay("evaluate", "terms", place, "-f", "json").stdout)
    found = counts(result)
    assert sorted(found) == ["gemini-3.5-flash", "gpt-4o-mini", "gpt-final"]
    assert all(passing + failing == 20 for passing, failing, _ in found.values()), found
    outputs = load_outputs(terms, place)
    assert passed(terms, outputs) == sum(passing for passing, _, _ in found.values()) >= 54
    assert passed(terms, outputs, shift=1) == 0

    # The same texts under other ids, in another order, through the map.
    assay("suite", "submit", "terms", "--for", "wmt26", "-o", "terms.jsonl")
    assay("suite", "check", "terms.jsonl", "--for", "wmt26")
    ids = json.loads((tmp_path / "terms.jsonl.map.json").read_text(encoding="utf-8"))["ids"]
    theirs = {item: doc_id for doc_id, item in ids.items()}
    (tmp_path / "back").mkdir()
    for name in found:
        rows = jsonl(place / "outputs" / f"{name}.jsonl.gz")
        own = [{**row, "doc_id": theirs[row["doc_id"]]} for row in reversed(rows) if row["doc_id"] in theirs]
        text = "".join(json.dumps(row) + "\n" for row in own)
        (tmp_path / "back" / f"{name}.jsonl").write_text(text, encoding="utf-8")
    run = assay("evaluate", "terms", "back", "--map", "terms.jsonl.map.json", "-f", "json")
    assert counts(json.loads(run.stdout)) == found


def jsonl(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def marks(item: Item) -> list[str]:
    """Numbers and abbreviations, which stay as they are in Icelandic."""
    return re.findall(r"\b(?:\d[\d/]{2,}|[A-Z]{3,})\b", item.source)


def test_the_icelandic_terms_of_2025(assay: Run, data: Path, tmp_path: Path) -> None:
    place = folder(data, "wmt25-eea")
    file = place / "EEA_Terminology.txt"
    assay("suite", "check", file, "--for", "wmt25", code=1)
    run = assay("suite", "convert", file, "--langpair", "en-is", "--repair", "-o", "eea")
    assert run.stdout == "eea: 299 items without rules\n"
    terms = with_rules(load_suite(tmp_path / "eea"), marks, 20, tmp_path / "terms")
    assert len(terms) == 20
    result = json.loads(assay("evaluate", "terms", place, "--repair", "-f", "json").stdout)
    found = counts(result)
    assert len(found) == 8
    # Of items that were translated in pieces there is no text.
    lines = {line.strip() for line in file.read_bytes().decode("utf-8-sig").split("\r")}
    whole = [item for item in terms if item.source in lines]
    assert len(whole) < len(terms)
    assert {passing + failing for passing, failing, _ in found.values()} == {len(whole)}
    outputs = load_outputs(terms, place, repair=True)
    assert passed(terms, outputs) >= 0.9 * 8 * len(whole)
    assert passed(terms, outputs, shift=1) == 0
    # Handed in again it is a clean file.
    assay("suite", "submit", "eea", "--for", "wmt25", "-o", "eea.txt")
    assert (
        assay("suite", "check", "eea.txt", "--for", "wmt25").stdout == "eea.txt: 299 sources for wmt25, nothing found\n"
    )
