"""How surely lost, added and mixed-up lines are found: real outputs of WMT21, whole and spoilt on purpose.

python benchmarks/shifts.py
"""

import os
import statistics
import sys
import time
from pathlib import Path
from random import Random

from assay.files import read_lines
from assay.translate.shifts import find_shifts, fits

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
LINES = 400


def measure(langpair: str, chance: Random) -> None:
    """Count false alarms on whole files and misses on spoilt ones."""
    source, target = langpair.split("-")
    folder = DATA / "wmt21"
    whole = read_lines(folder / "sources" / f"newstest2021.{langpair}.src.{source}")
    numbers = chance.sample(range(len(whole)), LINES)
    sources = [whole[number] for number in numbers]
    counts = dict.fromkeys(("shift in a whole file", "whole file that does not fit", "lost", "added", "shuffled"), 0)
    away, systems, start = [], 0, time.perf_counter()
    for path in sorted((folder / "system-outputs").glob(f"newstest2021.{langpair}.hyp.*.{target}")):
        outputs = read_lines(path)
        lines = [outputs[number] for number in numbers]
        if len(set(lines)) < LINES / 2:
            continue
        systems += 1
        place = chance.randrange(5, LINES - 10)
        lost = find_shifts(sources, lines[:place] + lines[place + 1 :])
        added = find_shifts(sources, [*lines[:place], "Note.", *lines[place:]])
        counts["shift in a whole file"] += bool(find_shifts(sources, lines))
        counts["whole file that does not fit"] += not fits(sources, lines)
        counts["lost"] += [shift.offset for shift in lost] != [-1]
        counts["added"] += [shift.offset for shift in added] != [1]
        counts["shuffled"] += fits(sources, chance.sample(lines, LINES))
        away += [abs(shift.line - 1 - place) for shift in (*lost, *added)]
    seconds = (time.perf_counter() - start) / systems / 5
    print(f"{langpair}: {systems} systems, {LINES} lines each, {1000 * seconds:.0f} ms a check")
    print(
        f"    false alarms: {counts['shift in a whole file']} shifts, {counts['whole file that does not fit']} misfits"
    )
    print(f"    missed: {counts['lost']} lost lines, {counts['added']} added, {counts['shuffled']} shuffled files")
    print(
        f"    place of the lost or added line: {statistics.mean(away):.1f} lines away on average, {max(away)} at most"
    )


def main() -> None:
    if not DATA.is_dir():
        sys.exit(f"no real data at {DATA}; set ASSAY_DATA to the folder that has it")
    for langpair in ("de-en", "en-de"):
        measure(langpair, Random(1))


if __name__ == "__main__":
    main()
