"""Languages: their names, for prompts and as model files carry them, and the codes that online engines want.

language_name("pt-BR")                         # "Brazilian Portuguese"
engine_code("zh-TW", {"zh-hant": "ZH-HANT"})   # "ZH-HANT"
language_of("czech-pdt-ud-2.5-191206.udpipe")  # "cs"
"""

import re
from collections.abc import Mapping

_WITH_MODEL = {
    "af": "Afrikaans", "ar": "Arabic", "be": "Belarusian", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "mr": "Marathi", "mt": "Maltese", "nl": "Dutch",
    "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "ta": "Tamil", "te": "Telugu", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
"""Languages that have a Universal Dependencies 2.5 model."""

_WITHOUT_MODEL = {
    "am": "Amharic", "az": "Azerbaijani", "bn": "Bengali", "bs": "Bosnian", "cy": "Welsh", "eo": "Esperanto",
    "gu": "Gujarati", "ha": "Hausa", "hsb": "Upper Sorbian", "is": "Icelandic", "iu": "Inuktitut", "ka": "Georgian",
    "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "lb": "Luxembourgish", "lo": "Lao", "mk": "Macedonian",
    "ml": "Malayalam", "mn": "Mongolian", "ms": "Malay", "my": "Burmese", "nb": "Norwegian Bokmål", "ne": "Nepali",
    "nn": "Norwegian Nynorsk", "oc": "Occitan", "pa": "Punjabi", "ps": "Pashto", "si": "Sinhala", "sq": "Albanian",
    "sw": "Swahili", "th": "Thai", "uz": "Uzbek", "xh": "Xhosa", "yo": "Yoruba", "zu": "Zulu",
}  # fmt: skip

_MODEL_ONLY = {
    "cop": "Coptic", "cu": "Old Church Slavonic", "fro": "Old French", "gd": "Scottish Gaelic", "got": "Gothic",
    "grc": "Ancient Greek", "la": "Latin", "lzh": "Classical Chinese", "orv": "Old Russian", "se": "North Sami",
    "ug": "Uyghur", "wo": "Wolof",
}  # fmt: skip
"""Languages that have a model, but no system to speak of. Prompts call them by their codes: with names they would be
other prompts, and the answers that journals hold would not be found again."""

NAMES = _WITH_MODEL | _WITHOUT_MODEL
"""Code (ISO 639) -> English name of the languages that are translated."""

MODEL_NAMES = {name.lower().replace(" ", "_"): code for code, name in (_WITH_MODEL | _MODEL_ONLY).items()}
"""Name, as the files of models are called -> code."""

_TWO_LETTERS = (
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo "
    "es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka "
    "kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng "
    "nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su "
    "sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)
"""ISO 639-1. Three letters (ISO 639-3) stand for any of seven thousand languages and are not listed."""

VARIANTS = {
    "en-GB": "British English", "en-US": "American English", "fr-CA": "Canadian French",
    "pt-BR": "Brazilian Portuguese", "pt-PT": "European Portuguese", "zh-CN": "Simplified Chinese",
    "zh-Hans": "Simplified Chinese", "zh-Hant": "Traditional Chinese", "zh-TW": "Traditional Chinese",
}  # fmt: skip

DENSE = frozenset({"zh", "ja", "ko", "yue"})
"""Languages whose characters say about as much as a syllable or a word: texts have fewer of them."""

# Who asks for a region of Chinese means the script that is written there.
_SAME = {"zh-cn": "zh-hans", "zh-sg": "zh-hans", "zh-tw": "zh-hant", "zh-hk": "zh-hant"}


def language_name(code: str) -> str:
    """The English name of a language; a code that is not known stands for itself."""
    language, _, variant = code.partition("-")
    if not variant or language not in NAMES:
        return NAMES.get(code, code)
    return VARIANTS.get(code, f"{NAMES[language]} ({variant})")


def is_language(code: str) -> bool:
    """Whether a code of two letters is one of ISO 639, or could be one of three."""
    return code in _TWO_LETTERS.split() or bool(re.fullmatch("[a-z]{3}", code))


def engine_code(code: str, codes: Mapping[str, str]) -> str:
    """The code of an engine: by the whole code, else by the language alone, else the language as it is.

    `codes` has lower-case names; Chinese is found under its scripts, `zh-hans` and `zh-hant`.
    """
    whole = code.lower()
    whole = _SAME.get(whole, whole)
    language = whole.partition("-")[0]
    return codes.get(whole, codes.get(language, language))


def language_of(file: str) -> str:
    """The code of the language that the name of a model file begins with; empty where it names none."""
    for name, code in MODEL_NAMES.items():
        if re.match(rf"{name}(?![a-z])", file.lower()):  # not "german" in "germanic"
            return code
    return ""


def same_language(one: str, other: str) -> bool:
    """Whether two codes mean one language: `en` and `en-GB` do."""
    return re.split("[-_]", one.lower())[0] == re.split("[-_]", other.lower())[0]
