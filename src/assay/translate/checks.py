"""What looks wrong about a translation before anybody judges it: wrong language, copies, loops, added notes.

    flags("Der Schlüssel steckt noch.", "Der Schlüssel steckt noch.", LanguagePair("de", "en"))
    # ("copy of the source", "wrong language")

Flags are hints for people: they are reported and shown beside warnings, and never decide a verdict. The bounds were set
on the outputs of WMT21 and WMT22 so that good translations are rarely flagged; `benchmarks/checks.py` counts them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from assay.languages import DENSE, base_language
from assay.outputs import Outputs, System
from assay.outputs.text_language import is_wrong_language
from assay.outputs.unusable import TURNS, WORD, is_copy, is_introduced, loops, plain_words, words
from assay.suites import Suite
from assay.text import is_missing, normalise
from assay.translate.engine import LanguagePair

EMPTY = "empty"
COPY = "copy of the source"
LANGUAGE = "wrong language"
LONG = "too long"
SHORT = "too short"
LOOP = "repeats itself"
ADDED = "added text"
UNTRANSLATED = "untranslated part"

FLAGS = (EMPTY, COPY, LANGUAGE, LONG, SHORT, LOOP, ADDED, UNTRANSLATED)

MARGIN = 20
"""Characters that are added to both lengths before they are compared: short texts differ a lot for no reason."""
LONGEST, SHORTEST = 2.0, 0.5
"""A translation longer or shorter than the usual by these factors is flagged."""
ENOUGH = 30
"""From so many texts on their median ratio of lengths is the usual one; below it is that of the scripts."""

RUN = 5
"""So many words of the source in a row, of which at least three are no names, are an untranslated part."""

_DENSE_RATIO = 2.8
"""Characters of an alphabet that say what one Chinese or Japanese character says."""
_NOTED = re.compile(
    r"""(?:[\n(\[]|\s\*+)\s*(?:note|translator'?s?\ note|explanation|literally|alternatively|anmerkung|hinweis|wörtlich
        |poznámka|doslova|примечание|дословно|nota|literalmente)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def flags(source: str, text: str, pair: LanguagePair, *, ratio: float | None = None) -> tuple[str, ...]:
    """What looks wrong about one translation; `ratio` is the usual length of a translation beside its source."""
    return tuple(_flags(source, text, pair, ratio or usual_ratio(source, pair)))


def _flags(source: str, text: str, pair: LanguagePair, ratio: float) -> Iterator[str]:
    source, text = normalise(source), normalise_lines(text)
    if is_missing(normalise(text)):
        yield EMPTY
        return
    # Of a copy it goes without saying that its language is wrong and that parts are untranslated.
    copied = is_copy(source, text)
    if copied:
        yield COPY
    elif is_wrong_language(text, pair.source, pair.target):
        yield LANGUAGE
    relative = (len(text) + MARGIN) / (len(source) * ratio + MARGIN)
    if relative > LONGEST:
        yield LONG
    if relative < SHORTEST:
        yield SHORT
    # A source that repeats itself ("no, no, no, no!") may do so in its translation too.
    if loops(text) > max(TURNS - 1, loops(source)):
        yield LOOP
    if _adds(source, text):
        yield ADDED
    if not copied and _untranslated(source, text):
        yield UNTRANSLATED


def normalise_lines(text: str) -> str:
    """Each line normalised; blank ones left out. Notes often stand on lines of their own."""
    return "\n".join(line for line in map(normalise, text.split("\n")) if line)


def usual_ratio(source: str, pair: LanguagePair) -> float:
    """How long a translation usually is beside its source, as far as scripts tell."""
    is_dense = [base_language(language) in DENSE for language in (pair.source, pair.target)]
    if is_dense[0] == is_dense[1]:
        return 1.0
    return _DENSE_RATIO if is_dense[0] else 1 / _DENSE_RATIO


def _adds(source: str, text: str) -> bool:
    """An introduction or a note that the source does not have, or further lines."""
    introduced = is_introduced(source, text)
    noted = _NOTED.search(text) and not re.search(r"[(\[]", source)
    return bool(introduced or noted) or text.count("\n") > source.count("\n") + 2


def _untranslated(source: str, text: str) -> bool:
    """Words of the source, several in a row, stand in the text; names do not count."""
    original = WORD.findall(source)
    runs = {tuple(word.casefold() for word in original[at : at + RUN]) for at in _plain_runs(original)}
    found = words(text)
    return any(tuple(found[at : at + RUN]) in runs for at in range(len(found) - RUN + 1))


def _plain_runs(original: list[str]) -> Iterator[int]:
    for at in range(len(original) - RUN + 1):
        if len(plain_words(original[at : at + RUN])) >= 3:
            yield at


@dataclass(frozen=True)
class CheckReport:
    """What was flagged of one system: item id -> flags."""

    system: System
    outputs: int
    flagged: Mapping[str, tuple[str, ...]]

    @property
    def counts(self) -> dict[str, int]:
        """Flag -> how many outputs have it, in the order of `FLAGS`; without those that nobody has."""
        found = Counter(flag for flagged in self.flagged.values() for flag in flagged)
        return {flag: found[flag] for flag in FLAGS if found[flag]}

    def items(self, flag: str) -> list[str]:
        """Ids of the items with this flag."""
        return [item for item, flagged in self.flagged.items() if flag in flagged]


def check(suite: Suite, outputs: Outputs) -> list[CheckReport]:
    """A report per system; lengths are compared with the median over all outputs of all systems."""
    pair = LanguagePair.parse(suite.langpair)
    sources = [suite.items[owner].source for owner in outputs.owners.tolist()]
    both = list(zip(sources, outputs.texts, strict=True))
    ratio = median_ratio((source, text) for source, text in both if source.strip() and not is_missing(normalise(text)))
    # Once for each distinct text, as outputs are kept; systems share many.
    known = [flags(source, text, pair, ratio=ratio) for source, text in both]
    reports = []
    for column, system in enumerate(outputs.systems):
        codes = {row: code for row, code in enumerate(outputs.codes[:, column].tolist()) if code >= 0}
        flagged = {suite.items[row].id: known[code] for row, code in codes.items() if known[code]}
        reports.append(CheckReport(system, len(codes), flagged))
    return reports


def median_ratio(pairs: Iterable[tuple[str, str]]) -> float | None:
    """How long the translations of these sources usually are beside them; None where there are too few to tell."""
    ratios = [len(normalise(text)) / max(1, len(normalise(source))) for source, text in pairs]
    return median(ratios) if len(ratios) >= ENOUGH else None
