"""What proposed rules are worth: built from half of an item's judged texts, tried on the other half.

python benchmarks/proposals.py                # 60 items of WMT21 and WMT22 with at least four judged texts
python benchmarks/proposals.py --items 0      # all of them
python benchmarks/proposals.py --halves 40    # only rules that ignore case and a final stop, 40 halves of all items

Exact rules are what linguists judged. Known are half of these, and the texts of both years that other rules of the item
decide; the hidden half waits, so that the proposals know its texts and not what they are. Of the proposals for pass and
for fail the first is taken, or all, as somebody would who trusts them, and the hidden half is judged by the item's
other rules and these. A text is decided where it was a warning without them.

The last lines are for wider rules: what the item's rules, the known half among them, decide of the hidden half once all
of them ignore case and a final stop; then the same where judgements of the phenomenon's other items call it safe.
"""

import argparse
import os
import random
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import assay
from assay.evaluation.evaluation import judge_outputs
from assay.suggest.exchanges import Exchanges
from assay.suggest.proposals import MANY_PROPOSALS, SiblingTexts, common_words, propose
from assay.suggest.wider_rules import LOOSE, OpenItem, WiderRule, are_trusted, precedents, spread
from assay.suites import POLARITIES, Item, Polarity, Rule, Suite
from assay.text import normalise
from assay.verdicts import RuleJudge, Verdict

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
YEARS = (("wmt21", "newstest2021"), ("wmt22", "generaltest2022"))
FEWEST = 4
"""Judged texts of an item: two to build from, two to try on."""

Sides = dict[Polarity, list[str]]


@dataclass(frozen=True)
class Decided:
    """A suite without its exact rules; of each item the texts that these decide, and that its other rules do.

    `common` are words that tell nothing.
    """

    suite: Suite
    judged: list[Sides]
    ruled: list[Sides]
    common: frozenset[str]
    exchanges: Exchanges


def decided(langpair: str) -> Decided:
    """The texts of both years, by what decides them."""
    source, target = langpair.split("-")
    whole = assay.load_suite(DATA / "dfki" / f"items.{langpair}.json")
    suite = replace(whole, items=tuple(map(_without_exact, whole.items)))
    ruled: list[Sides] = [{"pass": [], "fail": []} for _ in suite.items]
    texts: list[set[str]] = [set() for _ in suite.items]
    for year, files in YEARS:
        outputs = assay.load_outputs(
            suite,
            sorted((DATA / year / "system-outputs").glob(f"{files}.{langpair}.hyp.*.{target}")),
            source=DATA / year / "sources" / f"{files}.{langpair}.src.{source}",
        )
        table, _ = judge_outputs(suite, outputs, keep_all=True)
        written = zip(table.outputs.owners.tolist(), table.outputs.texts, table.findings, strict=True)
        for place, text, finding in written:
            texts[place].add(normalise(text))
            if finding and finding.verdict != Verdict.WARNING:
                ruled[place]["pass" if finding.verdict == Verdict.PASS else "fail"].append(normalise(text))
    judged = [_judged(item) for item in whole.items]
    every = [
        {text: polarity for sides in both for polarity in POLARITIES for text in sides[polarity]}
        for both in zip(ruled, judged, strict=True)
    ]
    return Decided(suite, judged, ruled, common_words(texts), Exchanges(every))


def _without_exact(item: Item) -> Item:
    return replace(item, rules=tuple(rule for rule in item.rules if rule.kind != "exact"))


def _judged(item: Item) -> Sides:
    return {
        polarity: sorted(
            {normalise(rule.value) for rule in item.rules if rule.kind == "exact" and rule.polarity == polarity}
        )
        for polarity in POLARITIES
    }


def contrast(known: Decided, place: int) -> SiblingTexts:
    """What the other items of the phenomenon have."""
    item = known.suite.items[place]
    others = [
        other
        for other, one in enumerate(known.suite.items)
        if other != place and (one.category, one.phenomenon) == (item.category, item.phenomenon)
    ]
    right, wrong = (
        tuple(text for other in others for sides in (known.judged, known.ruled) for text in sides[other][polarity])
        for polarity in POLARITIES
    )
    return SiblingTexts(right, wrong, known.common, known.exchanges.without(place))


def measure(known: Decided, place: int, chance: random.Random, taken: tuple[int, ...]) -> list[Counter[str]]:
    """Half of an item's judgements are hidden, and judged by so many proposals from the rest of each polarity."""
    item = known.suite.items[place]
    every = [(polarity, text) for polarity in POLARITIES for text in known.judged[place][polarity]]
    chance.shuffle(every)
    shown, hidden = every[: len(every) // 2], every[len(every) // 2 :]
    secret = {text for _, text in hidden}
    right, wrong = (
        [text for said, text in shown if said == polarity]
        + [text for text in known.ruled[place][polarity] if text not in secret]
        for polarity in POLARITIES
    )
    beside = contrast(known, place)
    waiting = [text for _, text in hidden if RuleJudge([item]).judge(item, text).verdict == Verdict.WARNING]
    found = [propose(right, wrong, polarity, waiting, contrast=beside) for polarity in POLARITIES]
    every_count = []
    for most in taken:
        rules = [proposal.rule for proposals in found for proposal in proposals[:most]]
        changed = replace(item, rules=(*item.rules, *rules))
        after = RuleJudge([changed])
        counts: Counter[str] = Counter(items=1, hidden=len(hidden), proposals=len(rules))
        for said, text in hidden:
            verdict = after.judge(changed, text).verdict
            if text in waiting and verdict != Verdict.WARNING:
                counts["decided"] += 1
                counts["wrong"] += str(verdict) != said
        every_count.append(counts)
    return every_count


def trusted(known: Decided, place: int, polarity: Polarity) -> bool:
    """Whether other items of the phenomenon show that case and a final stop tell nothing."""
    item, alike, unlike = known.suite.items[place], 0, 0
    for other, one in enumerate(known.suite.items):
        if other != place and (one.category, one.phenomenon) == (item.category, item.phenomenon):
            found = precedents(tuple(known.exchanges.items[other].items()), LOOSE, polarity)
            alike, unlike = alike + found[0], unlike + found[1]
    return are_trusted(alike, unlike, polarity)


@dataclass(frozen=True)
class Loosened:
    """What an item's rules of one polarity decide of the hidden half once they ignore case and a final stop."""

    polarity: Polarity
    trusted: bool
    rules: int
    decided: tuple[str, ...]
    wrong: tuple[str, ...]


def widened(known: Decided, place: int, chance: random.Random) -> tuple[int, list[Loosened]]:
    """How many judgements of an item are hidden, and what its rules, the other half among them, say of these."""
    item = known.suite.items[place]
    every = [(polarity, text) for polarity in POLARITIES for text in known.judged[place][polarity]]
    chance.shuffle(every)
    shown, hidden = every[: len(every) // 2], every[len(every) // 2 :]
    exact = tuple(Rule(polarity, "exact", text) for polarity, text in shown)
    item = replace(item, rules=(*item.rules, *exact))
    judge = RuleJudge([item])
    waiting = tuple(text for _, text in hidden if judge.judge(item, text).verdict == Verdict.WARNING)
    ruled = [(text, polarity) for polarity in POLARITIES for text in known.ruled[place][polarity]]
    decided = (*((text, polarity) for polarity, text in shown), *ruled)
    made = []
    for polarity in POLARITIES:
        blank = Rule(polarity, "regex", "")
        one = OpenItem(item, waiting, tuple(pair for pair in decided if pair[0] not in dict.fromkeys(waiting)))
        for found in spread([one], WiderRule(blank, blank, LOOSE), seconds=60).items:
            wrong = tuple(text for text in found.decides if (polarity, text) not in hidden)
            made.append(Loosened(polarity, trusted(known, place, polarity), len(found.changes), found.decides, wrong))
    return len(hidden), made


def many_halves(number: int, first: int) -> None:
    """The same for so many halves of each direction: a single half has too few such texts to tell 1 % from 4 %."""
    for langpair in ("de-en", "en-de"):
        known = decided(langpair)
        found: dict[tuple[Polarity, bool], list[tuple[int, Loosened]]] = {}
        for seed in range(first, first + number):
            chance = random.Random(seed)
            for place in places_of(known):
                for one in widened(known, place, chance)[1]:
                    for is_safe in {False, one.trusted}:
                        found.setdefault((one.polarity, is_safe), []).append((place, one))
        for polarity in POLARITIES:
            for is_safe in (False, True):
                made = found.get((polarity, is_safe), [])
                times = sum(len(one.decided) for _, one in made)
                wrong = sum(len(one.wrong) for _, one in made)
                texts = len({(place, text) for place, one in made for text in one.decided})
                bad = len({(place, text) for place, one in made for text in one.wrong})
                share = f"{100 * wrong / times:.1f} %" if times else "–"
                where = "where it is offered" if is_safe else "everywhere"
                print(
                    f"{langpair}, {polarity} rules, {where}: {times:,} times decided, {wrong:,} wrong ({share}); "
                    f"{texts:,} texts, {bad:,} of them ever wrong"
                )


def places_of(known: Decided) -> list[int]:
    """The items that have enough judged texts, none of them both right and wrong."""
    return [
        place
        for place, sides in enumerate(known.judged)
        if len(sides["pass"]) + len(sides["fail"]) >= FEWEST and not set(sides["pass"]) & set(sides["fail"])
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=60, help="how many items, half of each direction; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--halves", type=int, help="only wider rules, for so many halves of all items")
    options = parser.parse_args()
    if not (DATA / "dfki").is_dir():
        sys.exit(f"{DATA} has no data; set ASSAY_DATA")
    if options.halves:
        many_halves(options.halves, options.seed)
        return
    total: dict[int, Counter[str]] = {1: Counter(), MANY_PROPOSALS: Counter()}
    wide: list[Counter[str]] = [Counter(), Counter()]
    for langpair in ("de-en", "en-de"):
        known, chance = decided(langpair), random.Random(options.seed)
        places = places_of(known)
        chance.shuffle(places)
        of_pair: dict[int, Counter[str]] = {most: Counter() for most in total}
        for place in places[: options.items // 2 or None]:
            for most, counts in zip(total, measure(known, place, chance, tuple(total)), strict=True):
                of_pair[most] += counts
            hidden, loosened = widened(known, place, chance)
            for is_safe, counts in zip((False, True), wide, strict=True):
                counts.update(items=1, hidden=hidden)
                for one in loosened:
                    if one.trusted or not is_safe:
                        counts.update(proposals=one.rules, decided=len(one.decided), wrong=len(one.wrong))
        for most, counts in of_pair.items():
            show(f"{langpair}, {'the first' if most == 1 else 'all'}", counts)
            total[most] += counts
    for most, counts in total.items():
        show(f"both, {'the first' if most == 1 else 'all'}", counts)
    show("wider", wide[0])
    show("wider where it is offered", wide[1])


def show(name: str, counts: Counter[str]) -> None:
    share = f"{100 * counts['wrong'] / counts['decided']:.1f} %" if counts["decided"] else "–"
    print(
        f"{name}: {counts['items']:,} items, {counts['proposals']:,} proposals; of {counts['hidden']:,} hidden texts "
        f"{counts['decided']:,} decided, {counts['wrong']:,} wrong ({share})"
    )


if __name__ == "__main__":
    main()
