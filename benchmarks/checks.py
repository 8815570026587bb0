"""How often the checks on translations flag what is good, and find what was made bad, on WMT21 and WMT22.

    python benchmarks/checks.py

Good are the outputs of all systems but those that did not translate; most of what is flagged there is rightly flagged
(titles in the source language, words left out). Bad are the same outputs, spoilt in one way each.
"""

import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from campaign import ROOT
from measure import Figure, show

from assay.files import read_lines
from assay.text import is_missing, normalise
from assay.translate import LanguagePair
from assay.translate.checks import ADDED, COPY, LANGUAGE, LONG, LOOP, SHORT, UNTRANSLATED, flags

DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
EVERY = 40
"""One line in so many is looked at."""

Pairs = list[tuple[str, str, LanguagePair]]

SPOILT: dict[str, Callable[[str, str], str]] = {
    COPY: lambda source, text: source,
    LANGUAGE: lambda source, text: f"{source} {' '.join(text.split()[:2])}",
    LONG: lambda source, text: f"{text} {text} {text}",
    SHORT: lambda source, text: " ".join(text.split()[: len(text.split()) // 4]),
    LOOP: lambda source, text: text + f" {' '.join(text.split()[-3:])}" * 6,
    ADDED: lambda source, text: f"Here is the translation:\n\n{text}",
    UNTRANSLATED: lambda source, text: " ".join([*text.split()[:4], *source.split()[4:]]),
}


def outputs() -> Iterator[tuple[str, str, LanguagePair]]:
    """Source and output of all systems and pairs."""
    for year, stem in (("wmt21", "newstest2021"), ("wmt22", "generaltest2022")):
        for path in sorted((DATA / year / "system-outputs").glob(f"{stem}.*")):
            source, target = path.name.split(".")[1].split("-")
            lines = read_lines(DATA / year / "sources" / f"{stem}.{source}-{target}.src.{source}")
            for number, (original, text) in enumerate(zip(lines, read_lines(path), strict=True)):
                if number % EVERY == 0 and not is_missing(normalise(text)):
                    yield original, text, LanguagePair(source, target)


def checks() -> Iterator[Figure]:
    """Rates on good outputs, and on spoilt ones of at least ten words."""
    found: Pairs = list(dict.fromkeys(outputs()))
    counts = Counter(flag for pair in found for flag in flags(*pair))
    print(f"{len(found):,} distinct outputs")
    for flag in SPOILT:
        yield Figure(f"{flag}: outputs flagged", 100 * counts[flag] / len(found), 0.5, "%")
    long = [pair for pair in found if min(len(pair[0].split()), len(pair[1].split())) >= 10]
    sample = random.Random(1).sample(long, 2000)
    for flag, spoil in SPOILT.items():
        caught = sum(flag in flags(source, spoil(source, text), pair) for source, text, pair in sample)
        yield Figure(f"{flag}: spoilt outputs missed", 100 * (1 - caught / len(sample)), 10, "%")


if __name__ == "__main__":
    sys.exit(show(checks()))
