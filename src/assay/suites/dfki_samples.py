"""The older DFKI samples: a table with correct and incorrect translations, no regular expressions.

TSV with repeated headers (`Correct Translation` twice, `Incorrect Translation` twice), or CSV with a byte order
mark and `;` (`direction;category;phenomenon;source;correct;correct2;incorrect;incorrect2`). The translations
become `exact` rules; the rows have no ids and are numbered `0001`, `0002`, …
"""

import csv
import re
from io import StringIO
from pathlib import Path
from typing import Any

from assay.errors import BadSuite
from assay.files import bare_name, read_text, suffix, writing
from assay.languages import pair_in
from assay.suites.dfki import langpair, short_pair
from assay.suites.suite import Item, Polarity, Rule, Suite, taxonomy_of
from assay.tsv import TsvWriter, restored

DELIMITERS = {".tsv": "\t", ".csv": ";"}

# header, lower case, without digits at its end and without "translation" or "sentence" -> role
_ROLES = {
    "direction": "langpair",
    "langpair": "langpair",
    "category": "category",
    "phenomenon": "phenomenon",
    "source": "source",
    "correct": "pass",
    "incorrect": "fail",
}


def read(path: Path) -> Suite:
    """Read a sample table."""
    rows = csv.reader(StringIO(read_text(path), newline=""), delimiter=DELIMITERS[suffix(path)], strict=True)
    try:
        return _read(path, rows)
    except csv.Error as error:
        cure = "a cell that starts with a quote must be quoted, its quotes doubled"
        raise BadSuite(path, f"not a row: {error}", line=rows.line_num, cure=cure) from None


def _read(path: Path, rows: Any) -> Suite:
    header = next(rows)
    roles = [_role(name) for name in header]
    missing = {"category", "phenomenon", "source"} - set(roles)
    if missing:
        raise BadSuite(path, f"no column {', '.join(sorted(missing))}", line=1, cure="name the columns in line 1")
    items: list[Item] = []
    pairs: set[str] = set()
    # Rows may be shorter than the header, since spreadsheets drop empty cells at the end; longer ones are a mistake.
    for written in rows:
        cells = [restored(cell) for cell in written]
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(roles):
            raise BadSuite(path, f"{len(cells)} cells under {len(roles)} columns", line=rows.line_num)
        # By column number, as the same role heads several columns.
        items.append(_item(path, rows.line_num, len(items) + 1, dict(enumerate(zip(roles, cells, strict=False)))))
        pairs |= {cell for role, cell in zip(roles, cells, strict=False) if role == "langpair" and cell}
    if not items:
        raise BadSuite(path, "the suite has no items")
    if len(pairs) > 1:
        raise BadSuite(path, f"items of several language pairs: {', '.join(sorted(pairs))}", cure="split it")
    found = tuple(items)
    return Suite(
        name=Path(bare_name(path)).stem,
        langpair=langpair(pairs.pop()) if pairs else pair_in(path.name),
        items=found,
        taxonomy=taxonomy_of(found),
        equal_sources="ids",
        path=str(path),
    )


def _role(header: str) -> str:
    name = re.sub(r"\s*(translation|sentence)?\s*\d*$", "", header.strip().lower())
    return _ROLES.get(name, "")


def _item(path: Path, line: int, number: int, cells: dict[int, tuple[str, str]]) -> Item:
    def first(role: str) -> str:
        value = next((cell for name, cell in cells.values() if name == role), "")
        if not value.strip():
            raise BadSuite(path, f"no {role} in this row", line=line)
        return value

    rules: list[Rule] = []
    polarities: tuple[Polarity, ...] = ("pass", "fail")
    for polarity in polarities:
        rules += [Rule(polarity, "exact", cell) for role, cell in cells.values() if role == polarity and cell]
    return Item(
        id=f"{number:04}",
        category=first("category"),
        phenomenon=first("phenomenon"),
        source=first("source"),
        rules=tuple(rules),
        place=f"{path}:{line}",
    )


def write(suite: Suite, path: Path) -> None:
    """Write a sample table, TSV or CSV by suffix."""
    tsv = suffix(path) == ".tsv"
    # At least two columns of each kind, as in the published samples.
    columns: dict[Polarity, int] = {
        polarity: max([2, *(len(_texts(item, polarity)) for item in suite.items)]) for polarity in ("pass", "fail")
    }
    heads: dict[Polarity, str] = {"pass": "correct", "fail": "incorrect"}
    if tsv:
        header = ["Direction", "Category", "Phenomenon", "Source"]
        header += [f"{heads[polarity].title()} Translation" for polarity in columns for _ in range(columns[polarity])]
    else:
        header = ["direction", "category", "phenomenon", "source"]
        header += [
            f"{heads[polarity]}{number if number > 1 else ''}"
            for polarity in columns
            for number in range(1, columns[polarity] + 1)
        ]
    with writing(path) as stream:
        if not tsv:
            # The published CSV has a byte order mark, without which Excel misreads UTF-8.
            stream.write("\ufeff")
        writer = TsvWriter(stream, DELIMITERS[suffix(path)])
        writer.writerow(header)
        for item in suite.items:
            cells = [short_pair(suite.langpair), item.category, item.phenomenon, item.source]
            for polarity, number in columns.items():
                texts = _texts(item, polarity)
                cells += texts + [""] * (number - len(texts))
            writer.writerow(cells)


def _texts(item: Item, polarity: Polarity) -> list[str]:
    return [rule.value for rule in item.rules if rule.polarity == polarity and rule.kind == "exact"]


def losses(suite: Suite) -> list[str]:
    """What a sample table cannot hold, beyond what a DFKI items file cannot."""
    found = []
    if any(item.id != f"{number:04}" for number, item in enumerate(suite.items, start=1)):
        found.append(f"{len(suite)} × ids (rows are numbered)")
    blank = sum(rule.is_blank and rule.kind == "exact" for item in suite.items for rule in item.rules)
    if blank:
        found.append(f"{blank} × blank rules")
    patterns = sum(rule.kind != "exact" for item in suite.items for rule in item.rules)
    if patterns:
        found.append(f"{patterns} × regex and contains rules")
    return found
