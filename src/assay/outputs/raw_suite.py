"""Suites without rules, made of sources that exist already: a blind set of WMT, or text with a source a line.

    suite = read_raw_suite(Path("blind.jsonl.gz"), "it-de_DE", prompts="Italian-to-German")
    save_suite(suite, "legal")           # to be sorted into phenomena, and to be given rules

A blind set has many target languages and does not name the source language: the language pair is the user's, and the
texts are chosen by its target. Ids are those of the file, so that outputs that have them need no map.
"""

from collections.abc import Iterator
from pathlib import Path

from assay.errors import BadFile, BadOption, UnpairedFile
from assay.files import Lines, bare_name, read_texts, suffix
from assay.languages import read_pair
from assay.outputs.repairs import Repairs, broken_cells, unquoted
from assay.outputs.wmt_jsonl import read_test_set
from assay.suites import Item, Suite
from assay.text import fold, plural

SUFFIXES = (".jsonl", ".txt")
UNSORTED = "Unsorted"
"""Category and phenomenon of all items, until somebody sorts them."""


def read_raw_suite(path: Path, langpair: str, *, prompts: str = "", repairs: Repairs | None = None) -> Suite:
    """The texts of a file as items; of a blind set those whose prompt has this text in it."""
    read_pair(langpair)
    if suffix(path) == ".jsonl":
        items = tuple(_of_test_set(path, langpair, prompts))
    elif prompts:
        raise BadOption(f"{path}: text has no prompts; leave --prompts out")
    else:
        items = tuple(_of_text(path, repairs))
    taxonomy = {UNSORTED: {UNSORTED: "Not sorted into phenomena yet."}}
    name = f"{Path(bare_name(path)).stem}-{langpair}"
    return Suite(name, langpair, items, taxonomy, version="0.1.0", path=str(path))


def _of_test_set(path: Path, langpair: str, prompts: str) -> Iterator[Item]:
    found = read_test_set(path, langpair)
    targets = sorted({found.targets[place] for place in found.fitting})
    if len(targets) > 1:
        raise BadOption(f"{path}: {langpair} stands for {', '.join(targets)} here; name one of them as the target")
    told = {place: found.prompts[place] if found.prompts else "" for place in found.fitting}
    chosen = [place for place in found.fitting if fold(prompts).lower() in fold(told[place]).lower()]
    if not chosen:
        cure = "look at the prompts of the file"
        raise UnpairedFile(path, f"none of {len(told):,} prompts has {prompts!r} in it", cure=cure)
    for place in chosen:
        context = found.contexts[place] if found.contexts else ""
        yield _item(path, found.ids[place], found.sources[place], told[place], context)


def _of_text(path: Path, repairs: Repairs | None) -> Iterator[Item]:
    sources = read_texts(path) if repairs is None else _repaired(path, repairs)
    if repairs is None and len(sources) == 1 and (returns := sources[0].count("\r")):
        problem = f"{plural(returns, 'bare carriage return')} and no other line ends"
        raise BadFile(path, problem, cure="--repair takes them as line ends")
    digits = max(4, len(str(len(sources))))
    for number, source in enumerate(sources, start=1):
        if source.strip():
            yield _item(path, f"{number:0{digits}}", source.strip())


def _repaired(path: Path, repairs: Repairs) -> list[str]:
    """The lines of a file that a spreadsheet made; one that continues a cell of CSV is in the line where it begins."""
    lines = list(repairs.lines(path, Lines(path)))
    cells = broken_cells(lines)
    for cell in cells:
        lines[cell.start] = " ".join(filter(None, (lines[place].strip() for place in cell)))
        lines[cell.start + 1 : cell.stop] = [""] * (len(cell) - 1)
    if cells:
        repairs.note(path, f"{plural(len(cells), 'quoted cell')} of CSV over several lines put together")
    bare = [unquoted(line) for line in lines]
    if taken := sum(1 for line, text in zip(lines, bare, strict=True) if line != text):
        repairs.note(path, f"quotes of CSV taken off {plural(taken, 'source')}")
    if blank := sum(1 for line in bare if not line.strip()) - sum(len(cell) - 1 for cell in cells):
        repairs.note(path, f"{plural(blank, 'empty line')} left out")
    return bare


def _item(path: Path, name: str, source: str, prompt: str = "", context: str = "") -> Item:
    return Item(name, UNSORTED, UNSORTED, source, prompt=prompt, context=context, place=f"{path}: {name!r}")
