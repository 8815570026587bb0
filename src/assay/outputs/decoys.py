"""Sources for participants: mixed with decoys, in random order, and the map that leads back.

    sending = mix(suite, decoys, share=0.5, chance=Random(7))
    write_sending(sending, suite, Path("sources.txt"))
    write_map(sending, Path("sources.map.tsv"))

Participants see lines with running numbers and no more. The map has a row per line and item (`line`, `id`, `item`,
`source`); a decoy has no item. A sentence that several items share is sent once.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape, quoteattr

from assay.errors import BadFile, BadOption
from assay.files import STDOUT, read_texts, suffix, writing
from assay.languages import split_pair
from assay.outputs.sources import source_line
from assay.suites import Suite
from assay.tsv import TsvWriter, read_tsv

FIELDS = ("line", "id", "item", "source")
SUFFIXES = (".txt", ".xml", ".jsonl")


@dataclass(frozen=True, slots=True)
class SentLine:
    """One text that was sent; `items` are those it belongs to, none for a decoy."""

    id: str
    items: tuple[str, ...]
    source: str
    prompt: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class SentSources:
    """Everything that was sent, in its order."""

    lines: tuple[SentLine, ...]

    @property
    def sources(self) -> list[str]:
        return [sent.source for sent in self.lines]

    @property
    def decoys(self) -> int:
        return sum(not sent.items for sent in self.lines)


def in_suite_order(suite: Suite) -> SentSources:
    """What `assay suite sources` writes: a line per source, under the item's own id."""
    return SentSources(tuple(SentLine(item.id, (item.id,), item.source) for item in suite.asked))


def read_decoys(path: Path) -> list[str]:
    """Distinct sentences of a text file, a line each."""
    return list(dict.fromkeys(line.strip() for line in read_texts(path) if line.strip()))


def mix(
    suite: Suite, decoys: Sequence[str], *, share: float | None, chance: Random, with_prompts: bool = False
) -> SentSources:
    """The suite's sources and decoys in random order; decoys make up `share` of all, or all of them are taken."""
    texts = list(distinct(suite, with_prompts=with_prompts).lines)
    # A decoy that is also a source of the suite would be sent twice.
    known = {source_line(sent.source) for sent in texts}
    fresh = [decoy for decoy in decoys if source_line(decoy) not in known]
    texts += [SentLine("", (), decoy) for decoy in chance.sample(fresh, _number(len(texts), fresh, share))]
    chance.shuffle(texts)
    return _numbered(texts)


def distinct(suite: Suite, *, with_prompts: bool = False) -> SentSources:
    """The suite's sources in its order, each once; `with_prompts` one with another prompt or context is another."""
    owners: dict[tuple[str, str, str], list[str]] = {}
    for item in suite:
        told = (item.prompt, item.context) if with_prompts else ("", "")
        owners.setdefault((item.source.strip(), *told), []).append(item.id)
    return _numbered(
        [SentLine("", tuple(ids), source, prompt, context) for (source, prompt, context), ids in owners.items()]
    )


def _numbered(texts: Sequence[SentLine]) -> SentSources:
    # Ids of one length, so that they sort as they were sent.
    digits = max(4, len(str(len(texts))))
    return SentSources(tuple(replace(sent, id=f"s{number:0{digits}}") for number, sent in enumerate(texts, start=1)))


def _number(sources: int, decoys: Sequence[str], share: float | None) -> int:
    if share is None:
        return len(decoys)
    if not 0 < share < 1:
        raise BadOption(f"the share of decoys is {share:g}; it must lie between 0 and 1")
    # share = number / (sources + number), solved for the number.
    number = round(sources * share / (1 - share))
    if number > len(decoys):
        raise BadOption(
            f"{number:,} decoys are needed beside {sources:,} sources, and there are {len(decoys):,}; "
            "give more, or a smaller --decoy-share"
        )
    return number


def check_sending_path(path: Path) -> None:
    """Refuse a file whose suffix names no format."""
    if path == STDOUT or suffix(path) not in SUFFIXES:
        raise BadOption(f"{path}: sources are sent as {', '.join(SUFFIXES)}; choose one of these suffixes")


def write_sending(sending: SentSources, suite: Suite, path: Path) -> None:
    """The file for participants: text, WMT XML or WMT25 JSONL by its suffix."""
    check_sending_path(path)
    writers = {".xml": _xml, ".jsonl": _jsonl, ".txt": _text}
    with writing(path) as stream:
        stream.writelines(line + "\n" for line in writers[suffix(path)](sending, suite))


def _text(sending: SentSources, suite: Suite) -> list[str]:
    return [source_line(sent.source) for sent in sending.lines]


def _xml(sending: SentSources, suite: Suite) -> list[str]:
    source, target = split_pair(suite.langpair)
    head = ['<?xml version="1.0" encoding="UTF-8"?>', '<dataset id="sources">']
    docs = [
        f"  <doc id={quoteattr(sent.id)} origlang={quoteattr(source)} tgtlang={quoteattr(target)}>\n"
        f'    <src lang={quoteattr(source)}><p><seg id="1">{escape(sent.source)}</seg></p></src>\n'
        "  </doc>"
        for sent in sending.lines
    ]
    return [*head, *docs, "</dataset>"]


def _jsonl(sending: SentSources, suite: Suite) -> list[str]:
    source, target = split_pair(suite.langpair)
    return [
        json.dumps(
            {"doc_id": sent.id, "src_lang": source, "tgt_lang": target, "src_text": sent.source}, ensure_ascii=False
        )
        for sent in sending.lines
    ]


def write_map(sending: SentSources, path: Path) -> None:
    """The organiser's own file: which line is which item."""
    with writing(path, private=True) as stream:
        writer = TsvWriter(stream)
        writer.writerow(FIELDS)
        for number, sent in enumerate(sending.lines, start=1):
            writer.writerows([number, sent.id, item, sent.source] for item in sent.items or ("",))


def read_map(path: Path, suite: Suite) -> SentSources:
    """A map, whose items must be those of the suite, with the same sources."""
    lines: dict[str, SentLine] = {}
    for row, record in read_tsv(path):
        missing = [name for name in FIELDS if name not in record]
        if missing:
            raise BadFile(
                path, f"no column {missing[0]!r}", line=1, cure="give the map that assay collect sources wrote"
            )
        sent = SentLine(record["id"], (record["item"],) if record["item"] else (), record["source"])
        _check(sent, suite, path, row)
        # A sentence that several items share has a row for each of them, one below the other, with one line number.
        before = lines.get(sent.id)
        if record["line"] != str(len(lines) + (0 if before else 1)):
            raise BadFile(path, f"line {record['line']!r} is out of order", line=row, cure="keep the map as it was")
        lines[sent.id] = replace(before, items=(*before.items, *sent.items)) if before else sent
    if not lines:
        raise BadFile(path, "the map has no lines")
    return SentSources(tuple(lines.values()))


def _check(sent: SentLine, suite: Suite, path: Path, row: int) -> None:
    for item in sent.items:
        if item not in suite.positions:
            raise BadFile(path, f"no item {item!r} in the suite", line=row, cure="give the suite that was sent out")
        if suite.item(item).source.strip() != sent.source.strip():
            raise BadFile(
                path,
                f"the source of item {item!r} has changed since",
                line=row,
                cure="give the suite that was sent out",
            )
