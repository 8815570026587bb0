"""The distinct texts of a table are the same from numbers and from findings."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from assay.evaluation.evaluation import judge_outputs
from assay.outputs import copy_demo
from assay.suites import Rule, Suite
from assay.verdicts.findings import Findings
from assay.verdicts.written_texts import written_texts


def judged(suite: Suite, texts: dict[str, list[str]]) -> Suite:
    """With exact rules of both polarities, some of them beside other rules that decide as well."""
    items = []
    for item in suite.items:
        found = texts.get(item.id, [])
        rules = (Rule("fail" if number % 2 else "pass", "exact", text, by="ann") for number, text in enumerate(found))
        items.append(replace(item, rules=(*item.rules, *rules)))
    return replace(suite, items=tuple(items))


def test_numbers_and_findings_give_the_same_texts(tmp_path: Path) -> None:
    suite, outputs = copy_demo("de-en", tmp_path / "demo").load()
    wanted: dict[str, list[str]] = {}
    for code in range(0, len(outputs.texts), 3):
        wanted.setdefault(suite.items[outputs.owners[code]].id, []).append(outputs.texts[code])
    suite = judged(suite, wanted)
    table = judge_outputs(suite, replace(outputs), keep_all=True)[0]
    assert isinstance(table.findings, Findings)
    quick, slow = written_texts(table), written_texts(replace(table, findings=list(table.findings)))
    assert quick.texts == slow.texts
    for name in ("rows", "verdicts", "judged", "numbers"):
        assert np.array_equal(getattr(quick, name), getattr(slow, name))
    assert 0 < quick.judged.sum() < len(quick.texts)
    assert quick.undecided.any()
