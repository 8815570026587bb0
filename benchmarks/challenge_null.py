"""How often the tests of challenge reports tell two equal metrics apart, on sets with many challenge items per source.

    python benchmarks/challenge_null.py set.tsv scores/

Two metrics are made equal by swapping their outcomes at random, source by source; what they share stays. Then the worse
of the two is declared worse by chance alone: at alpha 0.05 that should happen in 5 % of the swaps.
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np

from assay.challenge.accuracy import chosen_settings
from assay.challenge.jobs import evaluate_scores
from assay.evaluation.settings import Test
from assay.evaluation.significance import Sample, significance
from assay.stats.design import design_effects

SWAPS, DRAWS = 400, 1000
TESTS: tuple[Test, ...] = ("ztest", "randomization", "bootstrap")
PAIRS = 5


def told_apart(sample: Sample, pair: tuple[int, int], test: Test) -> float:
    """The share of swaps after which one of the two is significantly worse over everything."""
    assert sample.units is not None
    chance = np.random.default_rng(1)
    settings = chosen_settings(test=test, draws=DRAWS)
    two = sample.only(pair)
    found = 0
    for _ in range(SWAPS):
        swapped = chance.random(int(sample.units.max()) + 1)[sample.units] < 0.5
        correct = np.where(swapped[:, None], two.correct[:, ::-1], two.correct)
        drawn = Sample(correct, two.counted, two.grouping, two.units)
        found += not significance(drawn, settings)["micro"].cluster.all()
    return found / SWAPS


def design_effect(sample: Sample, pair: tuple[int, int]) -> float:
    """By how much the difference of the two varies more than that of as many independent challenge items."""
    assert sample.units is not None
    first, second = sample.correct[:, pair[0]], sample.correct[:, pair[1]]
    difference = first.astype(float) - second
    influence = (difference - difference.mean())[:, None] / len(difference)
    weights = np.full_like(influence, 1 / len(difference))
    return float(
        design_effects(influence, weights, np.zeros(len(difference), np.intp), units=sample.units, number=1)[0]
    )


def main() -> None:
    evaluation = evaluate_scores(Path(sys.argv[1]), sys.argv[2:], test="ztest")
    micro = evaluation.averages()[0]
    print(f"{micro.size:,} challenge items from {micro.sources:,} sources; {SWAPS} swaps, {DRAWS} draws, alpha 0.05")
    print(f"{'':24}{'design effect':>14}" + "".join(f"{test:>15}" for test in TESTS))
    for pair in list(combinations(evaluation.competing, 2))[:PAIRS]:
        names = " / ".join(evaluation.columns[column] for column in pair)
        shares = [told_apart(evaluation.sample, pair, test) for test in TESTS]
        print(
            f"{names:24}{design_effect(evaluation.sample, pair):14.1f}"
            + "".join(f"{100 * share:13.1f} %" for share in shares),
            flush=True,
        )


if __name__ == "__main__":
    main()
