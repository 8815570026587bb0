"""Outside scores of systems (BLEU, COMET, human assessment): TSV with `system`, `name`, `value`."""

import math
from pathlib import Path

from assay.errors import BadFile
from assay.tsv import read_tsv


def read_scores(path: Path) -> dict[str, dict[str, float]]:
    """Name of the score -> system -> value."""
    scores: dict[str, dict[str, float]] = {}
    for line, record in read_tsv(path):
        missing = [name for name in ("system", "name", "value") if name not in record]
        if missing:
            raise BadFile(path, f"no column {missing[0]!r}", line=1, cure="name the columns system, name and value")
        try:
            value = float(record["value"])
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise BadFile(
                path, f"{record['value']!r} is not a number", line=line, cure="leave lines without a score out"
            )
        values = scores.setdefault(record["name"], {})
        if record["system"] in values:
            raise BadFile(path, f"{record['name']!r} of {record['system']!r} stands twice", line=line)
        values[record["system"]] = value
    if not scores:
        raise BadFile(path, "no scores")
    return scores
