"""What suggestions of `nearest` are worth, on texts of WMT21 and WMT22 that are undecided without exact rules.

python benchmarks/suggestions.py            # right, of the surest 80 %, calibration error, time
python benchmarks/suggestions.py --fit      # the weights of suggest/likeness.py, fitted to WMT21

Each year in five parts, each part from all others; what one system alone wrote, from what its rivals wrote; then across
years: texts that the systems of the other year did not write, from what is known of that year alone, and from the other
new texts too. Exact rules are what linguists judged; almost all of en-de's are texts of 2021, so that hardly any new
text of 2022 has a verdict there.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from measure import Figure

import assay
from assay.evaluation.evaluation import judge_outputs
from assay.outputs import Outputs
from assay.prediction import fit_logistic
from assay.suggest.calibration import SUREST, Calibration, Trial, calibrate
from assay.suggest.exam import would_wait
from assay.suggest.likeness import SIGNS, WEIGHTS, signs
from assay.suggest.nearest import Nearest
from assay.suggest.run import DecidedText, Knowledge, decided_texts
from assay.suites import Suite
from assay.text import normalise
from assay.verdicts import Verdict

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
LANGPAIRS = ("de-en", "en-de")
PARTS = 5
FEWEST = 100
"""Texts of which shares are looked at."""

FITTED_TO = ((1.0, 6), (0.3, 3), (0.1, 2), (0.03, 1))
"""Shares of the judged texts that are known, and how much they count: most work is done where much was judged. Where
nothing was, the two directions contradict each other: 17 % of the undecided texts pass in de-en, 82 % in en-de."""


class Year(NamedTuple):
    """A campaign: what is decided, of it what no other than exact rules decide, and (place, text) of all outputs."""

    suite: Suite
    decided: list[DecidedText]
    tested: list[DecidedText]
    written: dict[tuple[int, str], set[str]]
    """With the systems that wrote each."""


class Split(NamedTuple):
    """Texts to suggest, and what is known when they come."""

    known: Sequence[DecidedText]
    tested: Sequence[DecidedText]


def year(name: str, files: str, langpair: str) -> Year:
    source, target = langpair.split("-")
    suite = assay.load_suite(DATA / "dfki" / f"items.{langpair}.json")
    outputs: Outputs = assay.load_outputs(
        suite,
        sorted((DATA / name / "system-outputs").glob(f"{files}.{langpair}.hyp.*.{target}")),
        source=DATA / name / "sources" / f"{files}.{langpair}.src.{source}",
    )
    written: dict[tuple[int, str], set[str]] = {}
    for place, codes in enumerate(outputs.codes.tolist()):
        for system, code in zip(outputs.systems, codes, strict=True):
            if code >= 0:
                written.setdefault((place, normalise(outputs.texts[code])), set()).add(system.name)
    table, _ = judge_outputs(suite, outputs, keep_all=True)
    decided = decided_texts(table)
    return Year(suite, decided, would_wait(table, [one for one in decided if one.is_exact]), written)


def in_parts(known: Iterable[DecidedText], tested: Sequence[DecidedText]) -> Iterator[Split]:
    """Each part of the texts from all others."""
    known = list(known)
    parts = [int(sha256(f"{one.place} {one.text}".encode()).hexdigest(), 16) % PARTS for one in tested]
    for part in range(PARTS):
        hidden = {one for one, number in zip(tested, parts, strict=True) if number == part}
        yield Split([one for one in known if one not in hidden], [one for one in tested if one in hidden])


def thinned(decided: Sequence[DecidedText], tested: Sequence[DecidedText], share: float) -> Split:
    """A share of the texts is known, the others are tested."""
    chance = random.Random(1)
    hidden = {one for one in tested if chance.random() >= share}
    return Split([one for one in decided if one not in hidden], [one for one in tested if one in hidden])


def system_by_system(of: Year) -> Iterator[Split]:
    """What each system alone wrote, from all else."""
    for name in sorted({name for names in of.written.values() for name in names}):
        hidden = {one for one in of.tested if of.written.get((one.place, one.text)) == {name}}
        yield Split([one for one in of.decided if one not in hidden], [one for one in of.tested if one in hidden])


def show(name: str, suite: Suite, splits: Iterable[Split]) -> Calibration:
    """One line, and all that is known; the surest are 80 % of what was suggested."""
    trials, start = [], time.process_time()
    for split in splits:
        known, nearest = Knowledge(suite, split.known, with_suite=False), Nearest(suite.langpair)
        for one in split.tested:
            question = known.question(suite.items[one.place], one.text)
            trials.append(Trial(question.item, one.text, one.verdict, nearest.suggest(question)))
    seconds = time.process_time() - start
    found = calibrate(trials)
    row = found.whole
    if not row.suggested:
        print(f"{name}: {row.texts} texts, none suggested")
        return found
    print(
        f"{name}: {row.texts:,} texts, {row.suggested / row.texts:.0%} suggested, "
        f"right {100 * (row.accuracy or 0):.1f} %, of the surest {SUREST:.0%} {100 * (row.surest or 0):.1f} %, "
        f"calibration error {found.error:.3f}, {1000 * seconds / row.texts:.1f} ms each"
    )
    print("    surest: " + ", ".join(f"{point.share:.0%} {100 * (point.right or 0):.1f}" for point in found.curve))
    return found


def measure(langpair: str) -> dict[str, Calibration]:
    """All lines of a direction, and those for which there are goals: in five parts, and across years."""
    years = {"WMT21": year("wmt21", "newstest2021", langpair), "WMT22": year("wmt22", "generaltest2022", langpair)}
    goals = {}
    for name, found in years.items():
        what = f"{langpair} {name} in five parts"
        goals[what] = show(what, found.suite, in_parts(found.decided, found.tested))
        show(f"{langpair} {name}, what one system alone wrote", found.suite, system_by_system(found))
    for before, after in (("WMT21", "WMT22"), ("WMT22", "WMT21")):
        old, new = years[before], years[after]
        tested = [one for one in new.tested if (one.place, one.text) not in old.written]
        print(f"{langpair} {before} → {after}: {_rates(old, new, tested)}")
        what = f"{langpair} {before} → {after}"
        goals[what] = show(what, new.suite, [Split(old.decided, tested)])
        both = dict.fromkeys([*old.decided, *new.decided])
        show(f"{langpair} {before} → {after}, with others of {after}", new.suite, in_parts(both, tested))

    return goals


def suggestions(folder: Path) -> Iterator[Figure]:
    """Of the surest 80 % at most 15 % wrong, and confidence that is right to 0.05; of too few texts nothing."""
    if not DATA.is_dir():
        print("suggestions: no data")
        return
    for langpair in LANGPAIRS:
        for name, found in measure(langpair).items():
            if found.whole.suggested >= FEWEST:
                yield Figure(f"{name}: wrong of the surest 80 %", 100 * (1 - (found.whole.surest or 0)), 15, "%")
                yield Figure(f"{name}: calibration error of suggestions", found.error or 0, 0.05, "")


def _rates(old: Year, new: Year, tested: Sequence[DecidedText]) -> str:
    """Whether what is known is like what is tested: a text that both years wrote is a common one, and mostly right."""
    known = [one for one in old.decided if one.is_judged]
    both = sum((one.place, one.text) in new.written for one in known)
    right = [sum(one.verdict == Verdict.PASS for one in of) / max(len(of), 1) for of in (known, tested)]
    return (
        f"judged and known {len(known):,}, {right[0]:.0%} right, {both:,} of them written in both years; "
        f"tested {len(tested):,}, {right[1]:.0%} right"
    )


def fit() -> None:
    """Print weights, those of the constant and of the signs."""
    rows, passes, counts = [], [], []
    for langpair in LANGPAIRS:
        suite, decided, tested, _ = year("wmt21", "newstest2021", langpair)
        for share, weight in FITTED_TO:
            splits = list(in_parts(decided, tested)) if share == 1 else [thinned(decided, tested, share)]
            found = list(_signs(suite, splits))
            rows += [sign for sign, _ in found]
            passes += [is_pass for _, is_pass in found]
            counts += [1000 * weight / len(found)] * len(found)
    table = np.array(rows)
    centre, spread = table.mean(axis=0), table.std(axis=0)
    weights = fit_logistic((table - centre) / spread, np.array(passes, dtype=np.float64), np.array(counts), ridge=20)
    constant = weights[0] - (weights[1:] * centre / spread).sum()
    for name, value, used in zip(("constant", *SIGNS), (constant, *(weights[1:] / spread)), WEIGHTS, strict=True):
        print(f"{name:16} {value:7.3f}   used {used}")


def _signs(suite: Suite, splits: Iterable[Split]) -> Iterator[tuple[np.ndarray, bool]]:
    for split in splits:
        known, nearest = Knowledge(suite, split.known, with_suite=False), Nearest(suite.langpair)
        for one in split.tested:
            question = known.question(suite.items[one.place], one.text)
            found = signs(question.text, question.known, nearest.count(question.related))
            if found is not None:
                yield found, one.verdict == Verdict.PASS


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--fit", action="store_true", help="fit the weights instead")
    asked = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"no real data at {DATA}; set ASSAY_DATA to the folder that has it")
    if asked.fit:
        fit()
    else:
        for langpair in LANGPAIRS:
            measure(langpair)


if __name__ == "__main__":
    main()
