"""The honest estimate on WMT21 and WMT22, de-en and en-de: judging replayed on texts whose verdict is known.

    python benchmarks/estimate.py           # 200 draws
    python benchmarks/estimate.py 20        # quicker, less certain

Errors beside those of `fair` with four times the judgements, how often intervals hold the truth, and the time it takes.
The cases go to as many processes as there are cores. Without the data there is nothing to replay.
"""

import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

import campaign
from measure import Figure, show

import assay
from assay.evaluation import Policy, evaluate
from assay.evaluation.evaluation import judge_outputs
from assay.replay.known_texts import Hiding, known_texts
from assay.replay.replay import NUMBERS, JudgingOrder, Replay, ReplayedItems, ReplayLine, replay
from assay.suites import Rule, Suite
from assay.verdicts import VerdictTable
from assay.verdicts.draw import new_draw
from assay.verdicts.written_texts import written_texts

DATA = Path(os.environ.get("ASSAY_DATA", campaign.ROOT.parent / "shared" / "data"))
DRAWS = 200
SHARES = (0.1, 0.3, 1.0)
GOAL, SPREAD = 95.0, 2.0
INTERVALS = {"micro-averages": "micro", "differences": "pairs", "categories": "categories", "mixed ones": "mixed"}


class Case(NamedTuple):
    """What is hidden of which campaign."""

    campaign: str
    hiding: Hiding
    share: float

    def __str__(self) -> str:
        return f"{self.campaign}, {100 * self.share:g} % hidden {self.hiding}"


class Outcome(NamedTuple):
    """A case replayed: the estimate for these items and for drawn ones, and `fair` with four times the judgements."""

    case: Case
    here: Replay
    drawn: Replay
    fair: Replay | None

    @property
    def quarter(self) -> int:
        return round(self.here.hidden / 4)


@cache
def campaigns() -> dict[str, campaign.Campaign]:
    """Those of the data; nothing where there is none."""
    found = campaign.every(Path()) if (DATA / "wmt21").is_dir() else []
    return {f"{one.name.upper()} {one.suite.name.split('.')[1]}": one for one in found}


@cache
def table_of(name: str) -> VerdictTable:
    files = campaigns()[name]
    suite = assay.load_suite(files.suite)
    return judge_outputs(suite, assay.load_outputs(suite, files.outputs, source=files.source))[0]


def cases() -> list[Case]:
    """Shares hidden evenly; wrong texts hidden more often; one system's texts hidden more often."""
    wanted: list[tuple[Hiding, float]] = [("evenly", share) for share in SHARES]
    wanted += [("failing", 0.3), ("one-system", 1.0)]
    return [Case(name, *of) for name in campaigns() for of in wanted]


def outcome(case: Case, draws: int) -> Outcome:
    table = table_of(case.campaign)
    hidden = known_texts(table).prepared(case.share, case.hiding).hidden
    quarter = round(hidden / 4)
    numbers = sorted({*(number for number in NUMBERS if number < hidden), quarter})
    compared = [4 * number for number in NUMBERS if 4 * number < hidden]

    def replayed(judged: list[int], items: ReplayedItems = "these", order: JudgingOrder = "sample") -> Replay:
        share, hiding = case.share, case.hiding
        return replay(table, share=share, hiding=hiding, numbers=judged, items=items, order=order, draws=draws)

    fair = replayed(compared, order="fair") if compared else None
    return Outcome(case, replayed(numbers), replayed([quarter], "drawn"), fair)


def coverages(line: ReplayLine) -> list[float]:
    return [100 * value for value in (line.micro, line.pairs, line.categories, line.mixed) if value is not None]


def table_lines(found: Outcome) -> Iterator[str]:
    """The lines of a replay, as they stand in the documentation."""
    for result in (found.here, found.drawn):
        for line in result.lines:
            if line.policy == "estimate" and line.level is not None and line.between is not None:
                covered = " ".join(f"{value:5.1f}" for value in coverages(line))
                beside = ""
                if (
                    found.fair
                    and result is found.here
                    and 4 * line.judged in {fair.judged for fair in found.fair.lines}
                ):
                    fair = found.fair.line("fair", 4 * line.judged)
                    beside = f"  fair with {fair.judged:,}: {fair.level:.2f}, {fair.between:.2f}"
                yield (
                    f"{found.case!s:38} {result.items:5} {line.judged:5,} of {line.of:5,} in {line.draws:3} draws: "
                    f"{line.level:5.2f} {line.between:5.2f}  {covered}{beside}"
                )


def figures_of(found: Outcome) -> Iterator[Figure]:
    case, estimates = found.case, [line for line in found.here.lines if line.policy == "estimate" and line.draws]
    if case.hiding == "evenly":
        for fair in found.fair.lines if found.fair else ():
            line = found.here.line("estimate", fair.judged // 4)
            if line.between is not None and fair.between:
                what = f"{case}: error between systems, {line.judged} judged / fair {fair.judged:,}"
                yield Figure(what, line.between / fair.between, 1, "×")
            else:
                print(f"{case}: too little for an estimate with {line.judged} judged")
        level = found.here.line("estimate", found.quarter).level
        if level is not None:
            yield Figure(f"{case}: level, a quarter ({found.quarter}) judged", level, 0.5, "points")
    for items, lines in (("these items", estimates), ("items of this kind", found.drawn.lines)):
        for what, name in INTERVALS.items():
            covered = [getattr(line, name) for line in lines]
            farthest = max((abs(100 * value - GOAL) for value in covered if value is not None), default=0.0)
            yield Figure(f"{case}: {what}, {items}, farthest from 95 %", farthest, SPREAD, "points")


def seconds() -> Iterator[Figure]:
    """Files read and evaluated with half of a draw judged, as an estimate and as `fair`; and 200 replays."""
    name = "WMT21 de-en"
    table, files = table_of(name), campaigns()[name]
    draw = new_draw(written_texts(table), seed=1)
    judged = sorted((one.item, one.text) for one in draw.texts[: len(draw.texts) // 2])
    times: dict[Policy, list[float]] = {"fair": [], "estimate": []}
    for _ in range(5):
        for policy, spent in times.items():
            begin = time.process_time()
            suite = with_judgements(assay.load_suite(files.suite), judged)
            outputs = assay.load_outputs(suite, files.outputs, source=files.source)
            rows = len(evaluate(suite, outputs, policy=policy, draw=draw).rows("both"))
            spent.append(time.process_time() - begin)
    middle = {policy: statistics.median(spent) for policy, spent in times.items()}
    what = f"estimate of {len(table.outputs.systems)} systems × {rows} rows / fair, processor time"
    yield Figure(what, middle["estimate"] / middle["fair"], 2, "×")
    begin = time.process_time()
    replay(table, draws=200)
    yield Figure(f"200 replays of {name}, processor time", time.process_time() - begin, 120, "s")


def with_judgements(suite: Suite, judged: Sequence[tuple[str, str]]) -> Suite:
    """The suite after somebody has judged these texts, every third of them wrong."""
    rules: dict[str, list[Rule]] = {}
    for number, (item, text) in enumerate(judged):
        rules.setdefault(item, []).append(Rule("pass" if number % 3 else "fail", "exact", text, by="bench"))
    items = (replace(item, rules=(*item.rules, *rules.get(item.id, ()))) for item in suite.items)
    return replace(suite, items=tuple(items))


def estimate(folder: Path, draws: int = DRAWS) -> Iterator[Figure]:
    """All cases, then the time."""
    if not campaigns():
        print("estimate: no data to replay")
        return
    yield from seconds()
    wanted = cases()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(outcome, wanted, [draws] * len(wanted)))
    print(
        "judged: level and error between systems in points; coverage of micro-averages, pairs, categories, mixed ones"
    )
    for one in found:
        print(*table_lines(one), sep="\n")
    for one in found:
        yield from figures_of(one)


if __name__ == "__main__":
    sys.exit(show(list(estimate(Path(), int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS))))
