"""How long each kind of rule takes beside `regex`, on 5,000 items with the outputs of 20 systems.

    python benchmarks/kinds.py

Every item has one pass and one fail rule; all texts are distinct, so that nothing is judged twice. `term` is to take at
most three times as long as `regex`, and `keeps` one and a half times.
"""

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure import Figure, show

from assay.suites import Item, Rule
from assay.verdicts import RuleJudge

ITEMS, SYSTEMS, WORDS = 5_000, 20, 18
TERM_AT_MOST, KEEPS_AT_MOST = 3.0, 1.5

NOUNS = [
    *("Vertrag", "Verwahrung", "Obhut", "Aufbewahrung", "Handlung", "Gericht", "Kläger", "Klage", "Schuld", "Pfand"),
    *("Miete", "Mieter", "Haftung", "Zeuge", "Frist", "Urteil", "Recht", "Gesetz", "Anspruch", "Sache", "Besitz"),
    *("Eigentum", "Käufer", "Verkäufer", "Zahlung", "Zins", "Rate", "Bürge", "Erbe", "Testament"),
]
OTHERS = [
    *(
        "der",
        "die",
        "das",
        "ein",
        "eine",
        "und",
        "oder",
        "wenn",
        "weil",
        "nicht",
        "auch",
        "noch",
        "schon",
        "sehr",
        "hat",
    ),
    *("wird", "ist", "war", "kann", "muss", "soll", "gegeben", "genommen", "verlangt", "bezahlt", "schriftlich"),
    *("mündlich", "neue", "alten", "gesetzlichen", "unerlaubten", "nach", "vor", "mit", "ohne", "wegen", "über"),
]
ENDINGS = ("", "s", "en", "e", "svertrag", "ung")

RULES: dict[str, Callable[[str, str], tuple[Rule, ...]]] = {
    "regex": lambda first, second: (
        Rule("pass", "regex", rf"\b{first}(e?s|en)?\b"),
        Rule("fail", "regex", rf"\b({second}|{second}en|{second}s)\b"),
    ),
    "term": lambda first, second: (Rule("pass", "term", first), Rule("fail", "term", second)),
    "keeps": lambda first, second: (
        Rule("pass", "regex", rf"\b{first}(e?s|en)?\b"),
        Rule("fail", "keeps", "placeholders | numbers"),
    ),
    "longer": lambda first, second: (
        Rule("pass", "regex", rf"\b{first}(e?s|en)?\b"),
        Rule("fail", "longer", "1.6 × source"),
    ),
    "copy, refusal": lambda first, second: (
        Rule("pass", "regex", rf"\b{first}(e?s|en)?\b"),
        Rule("fail", "copy", "source"),
        Rule("fail", "refusal", "any"),
    ),
}


def sentence(chance: random.Random, number: int) -> str:
    words = [
        chance.choice(NOUNS) + chance.choice(ENDINGS) if chance.random() < 0.3 else chance.choice(OTHERS)
        for _ in range(WORDS)
    ]
    words[chance.randrange(WORDS)] = f"%s {number:,}"
    return f"{' '.join(words).capitalize()}."


def seconds(items: list[Item], texts: list[list[str]]) -> float:
    """The best of two, of the processor's time: what else the machine does only ever takes time."""
    best = float("inf")
    for _ in range(2):
        start = process_time()
        judge = RuleJudge(items)
        for item, written in zip(items, texts, strict=True):
            for text in written:
                judge.numbers(item.id, text)
        best = min(best, process_time() - start)
    return best


def main() -> int:
    chance = random.Random(1)
    plain = [Item(f"i{number}", "A", "p", sentence(chance, number), langpair="it-de") for number in range(ITEMS)]
    # One output in twenty has another number than its source.
    texts = [[sentence(chance, number + (chance.random() < 0.05)) for _ in range(SYSTEMS)] for number in range(ITEMS)]
    pairs = [chance.sample(NOUNS, 2) for _ in plain]
    taken = {}
    for kind, rules in RULES.items():
        items = [replace(item, rules=rules(*pair)) for item, pair in zip(plain, pairs, strict=True)]
        taken[kind] = seconds(items, texts)
    bounds = {"term": TERM_AT_MOST, "keeps": KEEPS_AT_MOST}
    for kind, found in taken.items():
        print(f"{kind:14} {found:6.2f} s  {found / taken['regex']:5.2f} × regex")
    ratios = {kind: taken[kind] / taken["regex"] for kind in bounds}
    return show(Figure(f"{kind} beside regex", ratios[kind], bound, "×") for kind, bound in bounds.items())


if __name__ == "__main__":
    sys.exit(main())
