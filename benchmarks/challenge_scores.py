"""String metrics of 10,000 challenge items on two cores, beside a plain loop of sacreBLEU's sentence scores; reports of
150,000 challenge items, and the test over sources beside the published one.

python benchmarks/challenge_scores.py
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import campaign
from measure import Figure, once, ratio, show, side_by_side
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

import assay
from assay.challenge import Drawing, build, score
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.outputs import Outputs
from assay.parallel.processes import ProcessExecutor

ITEMS, JOBS, RUNS = 10_000, 2, 5

SCORERS: dict[str, tuple[Callable[[], BLEU | CHRF | TER], float]] = {
    "BLEU": (lambda: BLEU(effective_order=True), 1 / 2),
    "chrF": (CHRF, 1 / 3.8),
    "chrF++": (lambda: CHRF(word_order=2), 1 / 2),
    "TER": (TER, 1 / 2),
}
"""Metric -> sacreBLEU's, and how much of its time may be taken."""

ASSAY = [sys.executable, "-m", "assay"]


def challenge_scores(folder: Path) -> Iterator[Figure]:
    """All metrics; the scores have to be the same to the last bit."""
    challenge = drawn(folder)
    print(f"{len(challenge)} challenge items, {len(challenge.segments())} distinct segments")
    for name, (scorer, limit) in SCORERS.items():
        ratios = []
        for _ in range(RUNS):
            begin = time.perf_counter()
            expected = loop(challenge, scorer())
            middle = time.perf_counter()
            found = score(challenge, name, executor=ProcessExecutor(JOBS)).values.tolist()
            ratios.append((time.perf_counter() - middle) / (middle - begin))
            if found != expected:
                raise SystemExit(f"{name}: other scores than sacreBLEU's")
        what = f"{name} of {len(challenge)} challenge items / loop of sacreBLEU, time"
        yield Figure(what, statistics.median(ratios), limit, "×")


def drawn(folder: Path) -> ChallengeSet:
    """10,000 challenge items of the campaign, or as many as it gives."""
    found = campaign.find(folder)
    suite = assay.load_suite(found.suite)
    outputs = assay.load_outputs(suite, found.outputs, source=found.source)
    built = build(assay.evaluate(suite, outputs, policy="own").table, Drawing(total=ITEMS)).challenge
    return built if len(built) > ITEMS / 2 else unjudged(outputs)


def unjudged(outputs: Outputs) -> ChallengeSet:
    """Any three outputs of an item, where the campaign is made up and has too few correct ones."""
    chance = random.Random(1)
    written: dict[int, list[str]] = {}
    for text, owner in zip(outputs.texts, outputs.owners.tolist(), strict=True):
        written.setdefault(owner, []).append(text)
    rich = [texts for texts in written.values() if len(texts) > 2]
    drawn = sorted(chance.randrange(len(rich)) for _ in range(ITEMS))
    items = []
    for number, place in enumerate(drawn):
        reference, first, second = chance.sample(rich[place], 3)
        items.append(ChallengeItem(str(number), "", reference, first, second))
    return ChallengeSet("made-up", "de-en", tuple(items))


def loop(challenge: ChallengeSet, metric: BLEU | CHRF | TER) -> list[list[float]]:
    """The plain way."""
    return [
        [metric.sentence_score(text, [item.reference]).score for text in (item.first, item.second)]
        for item in challenge.items
    ]


def challenge_reports(folder: Path) -> Iterator[Figure]:
    """A report of a set as large as that of WMT24, and what the test over sources takes beside the z-test."""
    large = made_up(folder / "large", items=150_000, sources=12_000, metrics=10)
    seconds, megabytes = once([*ASSAY, "challenge", "report", *large])
    yield Figure("report of 150,000 challenge items and 10 metrics", seconds, 30, "s")
    yield Figure("its memory", megabytes, 1024, "MB")
    usual = made_up(folder / "usual", items=10_000, sources=1_000, metrics=22)
    report = [*ASSAY, "challenge", "report", *usual, "--by", "both"]
    measured = side_by_side({"sources": report, "ztest": [*report, "--test", "ztest"]}, RUNS)
    yield Figure(
        "test over sources / ztest, 22 metrics and 120 rows, time", ratio(measured, "sources", "ztest"), 3, "×"
    )


def made_up(folder: Path, *, items: int, sources: int, metrics: int) -> list[str]:
    """A set and a folder of scores, by chance: 105 phenomena in 15 categories."""
    chance = random.Random(1)
    (folder / "scores").mkdir(parents=True)
    head = "id\tsource\treference\thyp-1\thyp-2\tcorrect\titem\tcategory\tphenomenon"
    lines = [head]
    for number in range(items):
        source = number * sources // items
        kind = source % 105
        text = f"translation {number} of the sentence with the number {source}"
        cells = (number, f"Satz {source}", f"reference {number % 7} {source}", text, f"{text}, wrong", 1)
        lines.append("\t".join(map(str, (*cells, f"i{source}", f"category {kind % 15}", f"phenomenon {kind}"))))
    (folder / "set.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for metric in range(metrics):
        rows = [f"{chance.random() + 0.02 * metric:.6f} {chance.random():.6f}" for _ in range(items)]
        (folder / "scores" / f"metric-{metric}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return [str(folder / "set.tsv"), str(folder / "scores")]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(show([*challenge_scores(Path(temporary)), *challenge_reports(Path(temporary))]))
