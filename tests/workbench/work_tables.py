"""Tables that the workbench hands out, read back."""

import csv
from pathlib import Path


def table_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream, delimiter="\t"))
