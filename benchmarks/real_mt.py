"""How much the rules of a bundled suite decide of real machine translation, and whether readers agree with them.

    python benchmarks/real_mt.py de-en ../shared/data/nmt/de-en.*.tsv
    python benchmarks/real_mt.py de-en ../shared/data/nmt/de-en.*.tsv --readers readings.tsv

Outputs are tables with the columns item and output, plain or quoted as spreadsheets do it; items that the suite does
not have any more are left out and counted. Readings are a table with the columns item, system, reader and verdict
(right, wrong or unclear): of each text that the rules decide, the rules against each reader, and readers against each
other, with Wilson's 95 % intervals.
"""

import csv
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from assay.stats.proportions import wilson
from assay.suites import Suite, load_suite
from assay.verdicts import RuleJudge, Verdict

READ = {"right": Verdict.PASS, "wrong": Verdict.FAIL, "unclear": Verdict.WARNING}


@dataclass(frozen=True, slots=True)
class SystemVerdicts:
    """What the outputs of a system are worth, by item; `gone` are those for items that are no longer there."""

    system: str
    verdicts: Mapping[str, Verdict]
    gone: int


def rows(path: Path, *columns: str) -> Iterator[dict[str, str]]:
    """The lines of a table that has these columns."""
    with path.open(encoding="utf-8", newline="") as stream:
        table = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        for column in columns:
            if column not in (table.fieldnames or ()):
                sys.exit(f"{path}: no column {column}; there are {', '.join(table.fieldnames or ())}")
        for row in table:
            yield {column: unquoted(cell or "") for column, cell in row.items()}


def unquoted(cell: str) -> str:
    """The text of a cell that is quoted and has its own marks doubled; any other cell stays as it is."""
    inner = cell[1:-1]
    if len(cell) > 1 and cell[0] == cell[-1] == '"' and '""' in inner and '"' not in inner.replace('""', ""):
        return inner.replace('""', '"')
    return cell


def judged(suite: Suite, path: Path) -> SystemVerdicts:
    """The outputs of a file; the name of the system is that of the file, without the suite's."""
    judge, found, gone = RuleJudge(suite), {}, 0
    for row in rows(path, "item", "output"):
        if row["item"] not in suite.positions:
            gone += 1
        elif suite.item(row["item"]).is_judged:
            found[row["item"]] = judge.judge(suite.item(row["item"]), row["output"]).verdict
    return SystemVerdicts(path.stem.rpartition(".")[2], found, gone)


def share(part: int, whole: int) -> str:
    """`3 of 150 (2.0 %, 95 % 0.7–5.7)`."""
    if not whole:
        return "0 of 0 (–)"
    low, high = (float(end) for end in wilson(part, whole))
    return f"{part:,} of {whole:,} ({100 * part / whole:.1f} %, 95 % {100 * low:.1f}–{100 * high:.1f})"


def decided_lines(suite: Suite, systems: Sequence[SystemVerdicts]) -> Iterator[str]:
    """Verdicts overall and by category."""
    for system in systems:
        yield f"{system.system}: {len(system.verdicts):,} items, {system.gone:,} outputs for items that are gone"
        members: dict[str, list[Verdict]] = {"all": list(system.verdicts.values())}
        for name, verdict in system.verdicts.items():
            members.setdefault(suite.item(name).category, []).append(verdict)
        for row, verdicts in members.items():
            counts = Counter(verdicts)
            right, wrong, open_ = (counts[verdict] for verdict in (Verdict.PASS, Verdict.FAIL, Verdict.WARNING))
            yield f"  {row:34} pass {right:5}  fail {wrong:5}  undecided {share(open_, len(verdicts))}"


Readings = dict[str, dict[tuple[str, str], Verdict]]
"""Reader -> (item, system) -> what they said."""


def read_readings(path: Path) -> Readings:
    found: Readings = {}
    for row in rows(path, "item", "system", "reader", "verdict"):
        if row["verdict"] not in READ:
            sys.exit(f"{path}: the verdict {row['verdict']!r} is none of {', '.join(READ)}")
        found.setdefault(row["reader"], {})[row["item"], row["system"]] = READ[row["verdict"]]
    return found


def agreement_lines(systems: Sequence[SystemVerdicts], readings: Readings) -> Iterator[str]:
    """The rules against each reader, then readers against each other."""
    known = {(item, one.system): verdict for one in systems for item, verdict in one.verdicts.items()}
    for reader, said in readings.items():
        both = [(known[key], verdict) for key, verdict in said.items() if key in known]
        clear = [(rule, read) for rule, read in both if Verdict.WARNING not in (rule, read)]
        unclear = sum(read == Verdict.WARNING for _, read in both)
        yield f"rules and {reader}: {len(both):,} texts read, {unclear:,} unclear"
        yield f"  wrong verdicts of the rules     {share(sum(rule != read for rule, read in clear), len(clear))}"
        for verdict, words in ((Verdict.PASS, "pass, read as wrong"), (Verdict.FAIL, "fail, read as right")):
            mine = [read for rule, read in clear if rule == verdict]
            yield f"    {words:29} {share(sum(read != verdict for read in mine), len(mine))}"
        left = [read for rule, read in both if rule == Verdict.WARNING]
        yield f"  undecided by the rules          {share(len(left), len(both))}"
        yield f"    of these read as right        {share(left.count(Verdict.PASS), len(left))}"
    for one, other in combinations(readings, 2):
        shared = readings[one].keys() & readings[other].keys()
        if shared:
            same = sum(readings[one][key] == readings[other][key] for key in shared)
            yield f"{one} and {other} agree on {share(same, len(shared))}"


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suite")
    parser.add_argument("outputs", nargs="+", type=Path)
    parser.add_argument("--readers", type=Path)
    asked = parser.parse_args()
    suite = load_suite(asked.suite)
    systems = [judged(suite, path) for path in asked.outputs]
    print("\n".join(decided_lines(suite, systems)))
    if asked.readers:
        print("\n".join(agreement_lines(systems, read_readings(asked.readers))))


if __name__ == "__main__":
    main()
