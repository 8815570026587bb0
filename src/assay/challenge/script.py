"""Which language a text cannot be in: by its letters, and among languages with Latin letters by frequent words.

    doubts("Das ist ein Haus.", "en")       True
    doubts("Haus", "en")                    False: too little to tell

It says something only where that is plain; names, numbers and short texts say nothing.
"""

import re
from functools import cache
from unicodedata import name as unicode_name

from assay.languages import LanguageCode, usual_script

_LETTERS = re.compile(r"[^\W\d_]")
_WORDS = re.compile(r"[^\W\d_]+")
_FEWEST_LETTERS = 12
_FEWEST_WORDS = 2

_SCRIPTS = {
    "LATIN": "Latn", "CYRILLIC": "Cyrl", "GREEK": "Grek", "ARABIC": "Arab", "HEBREW": "Hebr", "DEVANAGARI": "Deva",
    "THAI": "Thai", "HANGUL": "Kore", "CJK": "Hani", "HIRAGANA": "Jpan", "KATAKANA": "Jpan", "GEORGIAN": "Geor",
    "ARMENIAN": "Armn", "ETHIOPIC": "Ethi", "BENGALI": "Beng", "TAMIL": "Taml", "TELUGU": "Telu",
}  # fmt: skip
"""How Unicode's names of letters begin -> script."""

_WRITTEN_WITH = {
    "Hans": {"Hani"},
    "Hant": {"Hani"},
    "Hani": {"Hani"},
    "Jpan": {"Jpan", "Hani"},
    "Kore": {"Kore", "Hani"},
}
"""Scripts of languages that are more than one of those above."""

# Words that are frequent in one of these languages and no words of the others.
_FREQUENT = {
    "en": "the and that with this are have they from which been would their there",
    "de": "der das und ist nicht ein eine mit sich auf dem auch wird wurde haben",
    "fr": "les est une dans qui pour pas avec sont cette vous nous était",
    "es": "los las pero fue muy también cuando desde hasta donde está",
    "it": "gli della che sono anche questo nel dei alla perché stato più",
    "pt": "não uma são foi ele ela também você seu sua isso",
    "nl": "het een van niet zijn dat voor aan wordt naar ook hij",
    "cs": "že není jsem jsou který byl této také může při jeho",
    "pl": "nie się jest być przez jego są oraz został tym które",
    "sv": "och att det som inte är ett också",
}
_FREQUENT_WORDS = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}


@cache
def _script_of(letter: str) -> str:
    return _SCRIPTS.get(unicode_name(letter, "").partition(" ")[0], "")


def main_script(text: str) -> str:
    """The script of most letters; empty where there are too few to tell."""
    scripts = [_script_of(letter) for letter in _LETTERS.findall(text)]
    if len(scripts) < _FEWEST_LETTERS:
        # A character of Chinese or Korean says as much as a word.
        scripts = [script for script in scripts if script in ("Hani", "Jpan", "Kore")]
        if len(scripts) < _FEWEST_WORDS:
            return ""
    # A few kana make a text Japanese, whose other letters are Chinese.
    if scripts.count("Jpan") > len(scripts) / 20:
        return "Jpan"
    best = max({*scripts}, key=scripts.count)
    return best if scripts.count(best) > len(scripts) / 2 else ""


def _expected(language: str) -> set[str]:
    code = LanguageCode.of(language)
    # Written in two scripts, whose letters Unicode does not tell apart.
    if code.language in ("zh", "yue", "lzh"):
        return {"Hani"}
    script = code.script_meant or usual_script(code.language)
    return _WRITTEN_WITH.get(script, {script} if script else set())


def doubts(text: str, language: str) -> bool:
    """Whether a text is plainly not in a language."""
    script, expected = main_script(text), _expected(language)
    if not script or not expected:
        return False
    if script not in expected:
        return True
    code = LanguageCode.of(language).language
    if code not in _FREQUENT_WORDS:
        return False
    words = [word.lower() for word in _WORDS.findall(text)]
    counts = {known: sum(word in frequent for word in words) for known, frequent in _FREQUENT_WORDS.items()}
    best = max(counts, key=lambda known: counts[known])
    return counts[best] >= _FEWEST_WORDS and counts[best] > 2 * counts[code] and best != code
