"""WMT25–26 JSONL: a test set (`doc_id`, `src_text`, …) and systems' files (`doc_id`, `hypothesis`, `metadata`).

Texts are documents and may hold newlines. A document is paired with the item whose source it is. Where a
document has several lines and the translation has as many, its lines are paired one by one too, so that an
item that is one line of a document is found.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import BadFile
from assay.files import writing
from assay.json_lines import records, text_field
from assay.languages import language_name
from assay.outputs.outputs import System
from assay.outputs.submission import NamedFile, Submission
from assay.suites import Suite
from assay.suites.prompts import fill


def is_submission(record: Mapping[str, Any]) -> bool:
    """Whether a record is of a system's file in this format."""
    return "doc_id" in record and "hypothesis" in record


def _by_doc(path: Path, key: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line, record in records(path):
        doc_id = text_field(path, line, record, "doc_id")
        if doc_id in found:
            raise BadFile(path, f"the doc_id {doc_id!r} stands twice", line=line)
        # Systems that failed on a document write null; that is a missing output, not a broken file.
        found[doc_id] = text_field(path, line, record, key) if record.get(key) is not None else ""
    return found


def read_sources(path: Path) -> dict[str, str]:
    """`doc_id` -> source text."""
    return _by_doc(path, "src_text")


def read(file: NamedFile, campaign: str, sources: Mapping[str, str]) -> Submission:
    """One system's file. Without a source file the doc_ids are taken as item ids."""
    texts = _by_doc(file.path, "hypothesis")
    system = System(file.system_name, campaign, file=str(file.path))
    if not sources:
        return Submission(system, list(texts.values()), "item", list(texts), file.path)
    strange = texts.keys() - sources.keys()
    if strange:
        raise BadFile(file.path, f"no source for doc_id {min(strange)!r}", cure="check that --source is its test set")
    keys: list[str] = []
    paired: list[str] = []
    for doc_id, source in sources.items():
        text = texts.get(doc_id, "")
        keys.append(source)
        paired.append(text)
        source_lines, lines = source.strip().split("\n"), text.strip().split("\n")
        # With another number of lines nobody can say which belongs to which, so only the whole document is paired.
        if len(source_lines) > 1 and len(source_lines) == len(lines):
            keys += source_lines
            paired += lines
    return Submission(system, paired, "source", keys, file.path)


def write_sources(suite: Suite, path: Path) -> None:
    """The suite's sources as a test set to be translated, one document per item."""
    source, _, target = suite.langpair.partition("-")
    names = {"source_language": language_name(source), "target_language": language_name(target)}
    with writing(path) as stream:
        for item in suite.items:
            record = {
                "doc_id": item.id,
                "domain": f"testsuite-{suite.name}",
                "src_lang": source,
                "tgt_lang": target,
                "src_text": item.source,
            }
            if item.prompt:
                record["prompt_instruction"] = fill(item.prompt, names)
            if item.context:
                record["context"] = item.context
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
