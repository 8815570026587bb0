"""What kinds of rules find in suites of others: the texts and outputs of WMT26.

    python benchmarks/others_suites.py

Legal texts it→de: the prompt of each names candidates for a term, of which exactly one is to be used. Each is made
a rule, `contains` or `term`, and texts are counted in which none or several are found. Game texts en→ko: `keeps`
finds placeholders that are lost or added. The data are those of WMT26 (`ASSAY_DATA`); nothing of them is written.
"""

import gzip
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from campaign import ROOT

from assay.suites import Item, Rule
from assay.text import is_missing, normalise
from assay.verdicts import matcher, reason

DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data")) / "wmt26"
KINDS = ("contains", "term")

_CANDIDATES = re.compile(r"<CANDIDATES>\n(.*?)</CANDIDATES>", re.DOTALL)
_NUMBER = re.compile(r"^\d+\.\s*")
_PLACEHOLDER = re.compile(r"%[sd]")


def records(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def candidates(record: dict[str, Any]) -> list[str]:
    """The terms that a prompt lists, one of which is to be used."""
    found = _CANDIDATES.search(record["instruction"] or "") if record["tgt_lang"].startswith("de") else None
    return [_NUMBER.sub("", line).strip() for line in found[1].strip().split("\n")] if found else []


def legal_items(kind: str) -> dict[str, Item]:
    """Document -> an item with a rule for each candidate. Brackets would list forms: they are left out."""
    items = {}
    for record in records(DATA / "blind.jsonl.gz"):
        terms = [re.sub(r"[()|]", " ", term) for term in candidates(record)]
        if terms:
            rules = tuple(Rule("pass", kind, term) for term in terms)
            name, source = record["doc_id"], record["source_doc"]
            items[name] = Item(name, "Terminology", "Legal", source, rules, langpair=f"it-{record['tgt_lang']}")
    return items


def outputs(path: Path) -> dict[str, str]:
    texts = {record["doc_id"]: normalise(record["hypothesis"] or "") for record in records(path)}
    return {name: text for name, text in texts.items() if not is_missing(text)}


def legal(systems: dict[str, dict[str, str]]) -> None:
    print(f"{'it→de, candidates found':34}{'none':>8}{'one':>8}{'several':>9}")
    for kind in KINDS:
        items = legal_items(kind)
        ready = {name: [matcher(rule, item) for rule in item.rules] for name, item in items.items()}
        for system, texts in systems.items():
            numbers = Counter(
                min(sum(rule.search(texts[name]) is not None for rule in rules), 2)
                for name, rules in ready.items()
                if name in texts
            )
            shares = [numbers[number] / numbers.total() for number in range(3)]
            print(f"{system + ', ' + kind:34}{shares[0]:8.1%}{shares[1]:8.1%}{shares[2]:9.1%}")
    print(f"{len(items):,} texts with {sum(len(item.rules) for item in items.values()):,} candidates")


def games(systems: dict[str, dict[str, str]]) -> None:
    rule = Rule("fail", "keeps", "placeholders")
    items = {
        record["doc_id"]: Item(record["doc_id"], "Games", "Placeholders", record["source_doc"], langpair="en-ko_KR")
        for record in records(DATA / "blind.jsonl.gz")
        if record["tgt_lang"] == "ko_KR" and _PLACEHOLDER.search(record["source_doc"] or "")
    }
    print(f"\n{'en→ko, placeholders not kept':34}{'texts':>8}{'lost or added':>15}")
    for system, texts in systems.items():
        known = {name: item for name, item in items.items() if name in texts}
        broken = [name for name, item in known.items() if matcher(rule, item).search(texts[name])]
        print(f"{system:34}{len(known):8,}{len(broken):8,} {len(broken) / len(known):6.1%}")
        for why, number in Counter(reason(rule, texts[name], items[name]) for name in broken).most_common(3):
            print(f"{'':36}{number:4} × {why}")


def main() -> None:
    files = sorted((DATA / "outputs").glob("*.jsonl.gz"))
    systems = {path.name.removesuffix(".jsonl.gz"): outputs(path) for path in files}
    legal(systems)
    games(systems)


if __name__ == "__main__":
    main()
