"""The file in which a suite is handed in to WMT, and the map that leads back from what participants return.

    handed_in = hand_in(suite, Path("legal.jsonl"), "wmt26")
    handed_in.map_file                    # legal.jsonl.map.json, which `assay evaluate` reads

WMT24 and WMT25 take text, a paragraph a line: an item of several lines is split, and the map puts its parts together
again. WMT26 takes JSONL with a prompt for each text; an item without one gets that of the task.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Literal

from assay.errors import BadOption, BadSuite
from assay.files import STDOUT, check_targets, exists, read_text, suffix, writing
from assay.languages import prompt_name, split_pair
from assay.outputs.decoys import SentLine, SentSources, distinct, mix, read_decoys
from assay.outputs.source_texts import paragraphs
from assay.suites import Suite
from assay.suites.prompts import fill
from assay.text import fold, plural

Year = Literal["wmt24", "wmt25", "wmt26"]
YEARS: dict[Year, str] = {"wmt24": ".txt", "wmt25": ".txt", "wmt26": ".jsonl"}
"""Year -> the suffix of its format."""

TASK_PROMPT = "Translate from {source_language} to {target_language}."
"""What the blind set of 2026 says where a suite says nothing."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What was written; `notes` say what the format could not hold."""

    path: Path
    map_file: Path
    sent: SentSources
    notes: Sequence[str]


def hand_in(
    suite: Suite, path: Path, year: Year, *, decoys: Path | None = None, share: float | None = None, seed: int = 1
) -> HandedIn:
    """Write what organisers take, and the map beside it.

    The texts stand in the order of the suite; with decoys, of which the file has a `share`, in random order.
    """
    wanted = YEARS[year]
    if path == STDOUT or suffix(path) != wanted:
        raise BadOption(f"{path}: {year} takes {wanted} files; choose a name that ends so")
    if share is not None and decoys is None:
        raise BadOption("--decoy-share needs decoys; name a file of sentences with --decoys")
    if not all(split_pair(suite.langpair)):
        raise BadOption(f"{suite.name} has no language pair; convert it to a native suite, which has one")
    map_file = path.with_name(f"{path.name}.map.json")
    check_targets([path, map_file], [Path(suite.path), *([decoys] if decoys else [])])
    with_prompts = year == "wmt26"
    if decoys is None:
        texts = distinct(suite, with_prompts=with_prompts)
    else:
        texts = mix(suite, read_decoys(decoys), share=share, chance=Random(seed), with_prompts=with_prompts)
    sent = _documents(texts, suite) if with_prompts else _paragraphs(texts, suite)
    # The map first: a file that was handed in without one may not be taken back.
    _write_map(sent, suite, map_file)
    with writing(path) as stream:
        stream.writelines(f"{line}\n" for line in (_records(sent, suite) if with_prompts else sent.sources))
    return HandedIn(path, map_file, sent, _notes(suite, with_prompts))


def _paragraphs(texts: SentSources, suite: Suite) -> SentSources:
    """A line for each paragraph, under its number."""
    parts = [replace(sent, source=part) for sent in texts.lines for part in paragraphs(sent.source)]
    found = {item for part in parts for item in part.items}
    for item in suite:
        if item.id not in found:
            raise BadSuite(item.place or suite.path, f"item {item.id!r} has no source", cure="write one")
    return SentSources(tuple(replace(part, id=str(number)) for number, part in enumerate(parts, start=1)))


def _documents(texts: SentSources, suite: Suite) -> SentSources:
    """The texts under ids like those of the blind set, with what is told about each."""
    # Prompts that differ in the suite may be the same when their places are filled in.
    merged: dict[tuple[str, ...], SentLine] = {}
    for sent in texts.lines:
        prompt = _instruction(sent, suite)
        key = (sent.source, fold(prompt), fold(sent.context))
        before = merged.get(key)
        merged[key] = replace(before or sent, prompt=prompt, items=(*(before.items if before else ()), *sent.items))
    target = split_pair(suite.langpair)[1]
    digits = max(5, len(str(len(merged))))
    # The hash in front: the organisers number texts too, and one of their numbers must not pass for one of these.
    return SentSources(
        tuple(
            replace(sent, id=f"{suite.hash[:8]}-{number:0{digits}}-{target}")
            for number, sent in enumerate(merged.values(), start=1)
        )
    )


def _instruction(sent: SentLine, suite: Suite) -> str:
    source, target = split_pair(suite.langpair)
    values = {"source_language": prompt_name(source), "target_language": prompt_name(target)}
    return fill(sent.prompt.strip() or TASK_PROMPT, {**values, "source": sent.source, "context": sent.context})


# Python's `splitlines` ends a line at these, and JSON does not escape them.
_SPLITTING = re.compile("[\x85\u2028\u2029]")


def _records(sent: SentSources, suite: Suite) -> list[str]:
    target = split_pair(suite.langpair)[1]
    lines = []
    for text in sent.lines:
        record: dict[str, Any] = {"doc_id": text.id, "source_doc": text.source, "tgt_lang": target}
        record["instruction"] = text.prompt
        # Where the prompt has a place for the context, it stands there.
        if text.context and text.context not in text.prompt:
            record["context"] = text.context
        line = json.dumps(record, ensure_ascii=False)
        lines.append(_SPLITTING.sub(lambda found: f"\\u{ord(found[0]):04x}", line))
    return lines


def _write_map(sent: SentSources, suite: Suite, path: Path) -> None:
    ids = {text.id: text.items[0] if len(text.items) == 1 else list(text.items) for text in sent.lines if text.items}
    content = {"suite": suite.name, "hash": suite.hash, "texts": len(sent.lines), "ids": ids}
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    # What was handed in cannot be taken back without its map.
    if exists(path) and read_text(path) != text:
        problem = "this is the map of other texts, which may be on their way already"
        raise BadOption(f"{path}: {problem}; choose another name for these, or delete it")
    with writing(path, private=True) as stream:
        stream.write(text)


def _notes(suite: Suite, with_prompts: bool) -> list[str]:
    if with_prompts:
        bare = sum(1 for item in suite if not item.prompt.strip())
        said = _instruction(SentLine("", (), ""), suite)
        return [f"{plural(bare, 'item')} without a prompt: {said!r} was written"] if bare else []
    notes = []
    split = sum(1 for item in suite if len(paragraphs(item.source)) > 1)
    if split:
        notes.append(f"{plural(split, 'item')} of several lines: a line for each, put together again by the map")
    for what in ("prompt", "context"):
        if lost := sum(1 for item in suite if getattr(item, what)):
            notes.append(f"{plural(lost, what)} left out: the format has none")
    return notes
