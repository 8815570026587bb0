"""Languages by name, for prompts, and by the codes that online engines want.

language_name("pt-BR")                         # "Brazilian Portuguese"
engine_code("zh-TW", {"zh-hant": "ZH-HANT"})   # "ZH-HANT"
"""

from collections.abc import Mapping

NAMES = {
    "af": "Afrikaans", "am": "Amharic", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian",
    "bn": "Bengali", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati", "ha": "Hausa",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hsb": "Upper Sorbian", "hu": "Hungarian", "hy": "Armenian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "iu": "Inuktitut", "ja": "Japanese", "ka": "Georgian",
    "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ko": "Korean", "lb": "Luxembourgish", "lo": "Lao",
    "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian", "mr": "Marathi",
    "ms": "Malay", "mt": "Maltese", "my": "Burmese", "nb": "Norwegian Bokmål", "ne": "Nepali", "nl": "Dutch",
    "nn": "Norwegian Nynorsk", "no": "Norwegian", "oc": "Occitan", "pa": "Punjabi", "pl": "Polish", "ps": "Pashto",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian",
    "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "xh": "Xhosa",
    "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip

VARIANTS = {
    "en-GB": "British English", "en-US": "American English", "fr-CA": "Canadian French",
    "pt-BR": "Brazilian Portuguese", "pt-PT": "European Portuguese", "zh-CN": "Simplified Chinese",
    "zh-Hans": "Simplified Chinese", "zh-Hant": "Traditional Chinese", "zh-TW": "Traditional Chinese",
}  # fmt: skip

_SAME = {"zh-cn": "zh-hans", "zh-sg": "zh-hans", "zh-tw": "zh-hant", "zh-hk": "zh-hant"}


def language_name(code: str) -> str:
    """The English name of a language; a code that is not known stands for itself."""
    language, _, variant = code.partition("-")
    if not variant or language not in NAMES:
        return NAMES.get(code, code)
    return VARIANTS.get(code, f"{NAMES[language]} ({variant})")


def engine_code(code: str, codes: Mapping[str, str]) -> str:
    """The code of an engine: by the whole code, else by the language alone, else the language as it is.

    `codes` has lower-case names; Chinese is found under its scripts, `zh-hans` and `zh-hant`.
    """
    whole = code.lower()
    whole = _SAME.get(whole, whole)
    language = whole.partition("-")[0]
    return codes.get(whole, codes.get(language, language))
