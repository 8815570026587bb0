"""BLEU and chrF of 10,000 challenge items on two cores, beside a plain loop of sacreBLEU's sentence scores.

python benchmarks/challenge_scores.py
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import campaign
from measure import Figure, show
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

import assay
from assay.challenge import Drawing, build, score
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.outputs import Outputs
from assay.parallel.processes import ProcessExecutor

ITEMS, JOBS, RUNS = 10_000, 2, 5


def challenge_scores(folder: Path) -> Iterator[Figure]:
    """Both metrics; the scores have to be the same to the last bit."""
    challenge = drawn(folder)
    print(f"{len(challenge)} challenge items, {len(challenge.segments())} distinct segments")
    for name in ("BLEU", "chrF"):
        ratios = []
        for _ in range(RUNS):
            begin = time.perf_counter()
            expected = loop(challenge, BLEU(effective_order=True) if name == "BLEU" else CHRF())
            middle = time.perf_counter()
            found = score(challenge, name, executor=ProcessExecutor(JOBS)).values.tolist()
            ratios.append((time.perf_counter() - middle) / (middle - begin))
            if found != expected:
                raise SystemExit(f"{name}: other scores than sacreBLEU's")
        what = f"{name} of {len(challenge)} challenge items / loop of sacreBLEU, time"
        yield Figure(what, statistics.median(ratios), 0.5, "×")


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


def loop(challenge: ChallengeSet, metric: BLEU | CHRF) -> list[list[float]]:
    """The plain way."""
    return [
        [metric.sentence_score(text, [item.reference]).score for text in (item.first, item.second)]
        for item in challenge.items
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(show(challenge_scores(Path(temporary))))
