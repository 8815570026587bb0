"""Languages by the names that model files carry.

language_of("czech-pdt-ud-2.5-191206.udpipe")  # "cs"
"""

import re

LANGUAGES = {
    "afrikaans": "af",
    "ancient_greek": "grc",
    "arabic": "ar",
    "armenian": "hy",
    "basque": "eu",
    "belarusian": "be",
    "bulgarian": "bg",
    "catalan": "ca",
    "chinese": "zh",
    "classical_chinese": "lzh",
    "coptic": "cop",
    "croatian": "hr",
    "czech": "cs",
    "danish": "da",
    "dutch": "nl",
    "english": "en",
    "estonian": "et",
    "finnish": "fi",
    "french": "fr",
    "galician": "gl",
    "german": "de",
    "gothic": "got",
    "greek": "el",
    "hebrew": "he",
    "hindi": "hi",
    "hungarian": "hu",
    "indonesian": "id",
    "irish": "ga",
    "italian": "it",
    "japanese": "ja",
    "korean": "ko",
    "latin": "la",
    "latvian": "lv",
    "lithuanian": "lt",
    "maltese": "mt",
    "marathi": "mr",
    "north_sami": "se",
    "norwegian": "no",
    "old_church_slavonic": "cu",
    "old_french": "fro",
    "old_russian": "orv",
    "persian": "fa",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "scottish_gaelic": "gd",
    "serbian": "sr",
    "slovak": "sk",
    "slovenian": "sl",
    "spanish": "es",
    "swedish": "sv",
    "tamil": "ta",
    "telugu": "te",
    "turkish": "tr",
    "ukrainian": "uk",
    "urdu": "ur",
    "uyghur": "ug",
    "vietnamese": "vi",
    "wolof": "wo",
}
"""Those of the Universal Dependencies 2.5 models, and their codes (ISO 639)."""

_NAMES = sorted(LANGUAGES, key=len, reverse=True)


def language_of(name: str) -> str:
    """The code of the language that the name of a file begins with; empty where it names none."""
    begin = name.lower()
    for language in _NAMES:
        if re.match(rf"{language}(?![a-z])", begin):
            return LANGUAGES[language]
    return ""


def same_language(one: str, other: str) -> bool:
    """Whether two codes mean one language: `en` and `en-GB` do."""
    return re.split("[-_]", one.lower())[0] == re.split("[-_]", other.lower())[0]
