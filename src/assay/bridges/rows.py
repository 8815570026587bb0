"""The items of a suite as rows of JSON, and names that other programs take.

task_rows(suite)[0]["input"]    # what a language model is asked, word for word
task_name(suite)                # "assay_de_en"
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from assay.files import writing
from assay.suites import Suite
from assay.text import slug
from assay.translate import LanguagePair, told_sentence
from assay.translate.prompt import Prompt

ITEMS = "items.jsonl"
"""The file with the rows of a task."""

SUITE = "suite"
"""The folder with the suite, whose rules score the answers."""


def task_name(suite: Suite) -> str:
    """A name that is no trouble in any program: letters, digits and underscores."""
    return slug(suite.name).replace("-", "_")


def phenomenon_row(category: str, phenomenon: str) -> str:
    """The name of a phenomenon's row in results, told apart from one of the same name in another category."""
    return f"{category} / {phenomenon}"


def task_rows(suite: Suite) -> list[dict[str, Any]]:
    """A row for each item; `input` is what `assay translate` asks a language model, with the item's own prompt."""
    pair = LanguagePair.parse(suite.langpair)
    prompt = Prompt()
    canary = {"canary": suite.canary} if suite.canary else {}
    return [
        {
            "id": item.id,
            "category": item.category,
            "phenomenon": phenomenon_row(item.category, item.phenomenon),
            "input": prompt.messages(told_sentence(item.source, item.prompt, item.context), pair)[-1].content,
            **canary,
        }
        for item in suite
    ]


def write_rows(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """One object a line."""
    with writing(path) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_text(text: str, path: Path) -> None:
    with writing(path) as stream:
        stream.write(text)
