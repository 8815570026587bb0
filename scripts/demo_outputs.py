"""Give the made-up systems of `assay demo` an output for every item of a bundled suite.

    python scripts/demo_outputs.py de-en

Lines that are there stay; items without one get one of their own examples, right or wrong as often as it is fitting for
the system, and drawn so that a system is weak in whole phenomena, as real ones are. Twice the same. A system that the
suite has no file of is left out.
"""

import csv
import random
import sys
from pathlib import Path

from assay.suites import Item, load_suite

FOLDER = Path(__file__).resolve().parent.parent / "src" / "assay" / "suites" / "bundled"

RIGHT = {"careful": 0.93, "average": 0.78, "literal": 0.4}
"""How often a system is right, about as in the lines that were written by hand."""

SPREAD = 0.35
"""How far the phenomena of a system are from that."""


def made_up(system: str, item: Item) -> str:
    """One of the item's examples."""
    leaning = random.Random(f"{system} {item.phenomenon}").uniform(-SPREAD, SPREAD) * (1 - RIGHT[system]) * 2
    draw = random.Random(f"{system} {item.id}")
    is_right = draw.random() < RIGHT[system] + leaning
    return draw.choice(item.examples.passing if is_right else item.examples.failing)


def main() -> None:
    for name in sys.argv[1:]:
        suite = load_suite(name)
        for system in RIGHT:
            path = FOLDER / f"{name}.outputs" / f"{system}.tsv"
            if not path.exists():
                continue
            with path.open(encoding="utf-8", newline="") as stream:
                known = dict(list(csv.reader(stream, "excel-tab"))[1:])
            texts = {item.id: known[item.id] if item.id in known else made_up(system, item) for item in suite.items}
            with path.open("w", encoding="utf-8", newline="") as stream:
                csv.writer(stream, "excel-tab", lineterminator="\n").writerows([("item", "text"), *texts.items()])


if __name__ == "__main__":
    main()
