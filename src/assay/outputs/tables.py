"""TSV and JSONL with item ids: `item`, `text` and, where a file holds several systems, `system`, `campaign`.

The verdict table that `assay evaluate --verdicts` writes is such a file and can be read back as outputs.
"""

from collections.abc import Collection, Iterator
from pathlib import Path

from assay.errors import BadFile, BadOption
from assay.files import suffix, writing
from assay.json_lines import records, text_field
from assay.outputs.outputs import System
from assay.outputs.submission import NamedFile, Submission
from assay.suites import Suite
from assay.tsv import Record, TsvWriter, read_tsv

# Our own name first, then what others call the same column, in the order of preference.
ITEM_NAMES = ("item", "item_id", "id")
TEXT_NAMES = ("text", "output", "translation", "hypothesis", "target")


def _read_jsonl(path: Path) -> Iterator[Record]:
    """(line number, field -> text); null is an empty text, other fields are ignored."""
    known = (*ITEM_NAMES, *TEXT_NAMES, "system", "campaign")
    for line, record in records(path):
        yield (
            line,
            {key: "" if record[key] is None else text_field(path, line, record, key) for key in record if key in known},
        )


def read(file: NamedFile, campaign: str) -> Iterator[Submission]:
    """One submission per system in the file."""
    path = file.path
    texts: dict[System, dict[str, str]] = {}
    for line, record in read_tsv(path) if suffix(path) == ".tsv" else _read_jsonl(path):
        item_name, text_name = item_and_text(path, record, line)
        item, text = record[item_name], record[text_name]
        # `--campaign` names the campaign of files that do not say, and chooses among those that do.
        home = record.get("campaign") or campaign
        if campaign and home != campaign:
            continue
        system = System(record.get("system") or file.system_name, home, file=str(path))
        column = texts.setdefault(system, {})
        if item in column:
            raise BadFile(path, f"item {item!r} stands twice for system {system.name!r}", line=line)
        column[item] = text
    if not texts:
        raise BadFile(path, f"no outputs of campaign {campaign!r}" if campaign else "no outputs")
    if file.name and len(texts) > 1:
        raise BadOption(f"{path} holds {len(texts)} systems; give it without {file.name}=")
    for system, column in texts.items():
        renamed = System(file.name, system.campaign, file=system.file) if file.name else system
        yield Submission(renamed, list(column.values()), "item", list(column), path)


def item_and_text(path: Path, names: Collection[str], line: int | None = None) -> tuple[str, str]:
    """The names of the item and the text column."""
    item = next((name for name in ITEM_NAMES if name in names), None)
    text = next((name for name in TEXT_NAMES if name in names), None)
    if item is None or text is None:
        kind = "field" if suffix(path) == ".jsonl" else "column"
        raise BadFile(
            path,
            f"no {kind} with the item's id and the text",
            line=line,
            cure=f"name them {ITEM_NAMES[0]!r} and {TEXT_NAMES[0]!r}",
        )
    return item, text


def write_sources(suite: Suite, path: Path) -> None:
    """The suite's sources with their ids and an empty column for the translation."""
    with writing(path) as stream:
        writer = TsvWriter(stream)
        writer.writerow(["item", "source", "text"])
        writer.writerows([item.id, item.source, ""] for item in suite.items)
