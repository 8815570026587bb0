"""`judgements.yaml` in a native suite: linguists' judgements beside the hand-written files, which stay as they are.

    - item: lexical-ambiguity/strauss
      pass:
        - {exact: "They gave her a big posy.", by: Anna, on: 2026-11-15}

The entries are rules like those of an item and are added to it.
"""

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from assay.errors import BadOption
from assay.files import writing, writing_folder
from assay.suites import POLARITIES, Rule, Suite
from assay.suites.native import JUDGEMENTS, read_judgements
from assay.suites.native_writer import rule_entry
from assay.text import normalise
from assay.verdicts.judgements import Judgement
from assay.yaml_nodes import Dumper


def write_judged(suite: Suite, folder: Path, target: Path, judgements: Iterable[Judgement], *, force: bool) -> int:
    """Write a native suite with judgements added; returns how many contrary ones they replace.

    Where the target is the suite's own folder, only its `judgements.yaml` is written. Otherwise the folder is copied.
    """
    rules = read_judgements(folder) if (folder / JUDGEMENTS).exists() else {}
    replaced = sum(_add(suite, rules, judgement) for judgement in judgements)
    text = _dump(rules)
    if target.resolve() == folder.resolve():
        _write(text, folder / JUDGEMENTS)
        return replaced
    with writing_folder(target, force=force) as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        _write(text, copy / JUDGEMENTS)
    return replaced


def write_judgements(folder: Path, rules: Mapping[str, list[Rule]]) -> None:
    """Write judgements (item id -> exact rules with name and date) into a suite's folder, where there are any."""
    if rules:
        _write(_dump(rules), folder / JUDGEMENTS)


def _add(suite: Suite, rules: dict[str, list[Rule]], judgement: Judgement) -> bool:
    """Add one judgement; returns whether it replaces a contrary one."""
    text = normalise(judgement.text)
    mine = rules.setdefault(judgement.item, [])
    same = [rule for rule in mine if rule.kind == "exact" and normalise(rule.value) == text]
    for rule in suite.item(judgement.item).rules:
        # A judgement in the item's own hand-written file, which is never rewritten: its author must resolve that.
        elsewhere = rule.by and rule not in same and rule.kind == "exact" and normalise(rule.value) == text
        if elsewhere and rule.polarity != judgement.verdict:
            raise BadOption(
                f"item {judgement.item!r}: {rule.by} judged {text!r} as {rule.polarity} in the item's own file; "
                "remove that rule first"
            )
    # A text has one judgement; the new one stands last, under the date on which it was made.
    rules[judgement.item] = [rule for rule in mine if rule not in same]
    rules[judgement.item].append(
        Rule(judgement.verdict, "exact", text, "", judgement.comment, judgement.by, judgement.on)
    )
    return any(rule.polarity != judgement.verdict for rule in same)


def _dump(rules: Mapping[str, list[Rule]]) -> str:
    entries = []
    for item, found in rules.items():
        entry: dict[str, object] = {"item": item}
        for polarity in POLARITIES:
            mine = [rule_entry(rule) for rule in found if rule.polarity == polarity]
            if mine:
                entry[polarity] = mine
        entries.append(entry)
    return yaml.dump(entries, Dumper=Dumper, allow_unicode=True, sort_keys=False, width=2**16)


def _write(text: str, path: Path) -> None:
    with writing(path) as stream:
        stream.write(text)
