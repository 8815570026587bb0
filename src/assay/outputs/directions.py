"""Directions as files of others write them: which texts of a file are of a suite's direction.

fits("deu_Latn", "de_CH")     # True: one says less than the other, and nothing contradicts
fits("de_DE", "de_CH")        # False
"""

import re

# ISO 639-3 (and the older bibliographic codes) -> 639-1, for the languages of WMT's general task.
_SHORT = {
    "ara": "ar", "ben": "bn", "bul": "bg", "ces": "cs", "cze": "cs", "dan": "da", "deu": "de", "ger": "de", "ell": "el",
    "gre": "el", "eng": "en", "est": "et", "fas": "fa", "fin": "fi", "fra": "fr", "fre": "fr", "heb": "he", "hin": "hi",
    "hrv": "hr", "hun": "hu", "isl": "is", "ice": "is", "ind": "id", "ita": "it", "jpn": "ja", "kan": "kn", "kor": "ko",
    "lit": "lt", "lav": "lv", "mar": "mr", "nld": "nl", "dut": "nl", "nob": "nb", "pol": "pl", "por": "pt", "ron": "ro",
    "rus": "ru", "slk": "sk", "slv": "sl", "spa": "es", "srp": "sr", "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk",
    "urd": "ur", "vie": "vi", "zho": "zh", "chi": "zh",
}  # fmt: skip


def fits(code: str, wanted: str) -> bool:
    """Whether two codes can mean the same: the same language, and no other script or region."""
    (language, *others), (wanted_language, *wanted_others) = _parts(code), _parts(wanted)
    return language == wanted_language and all(
        not one or not other or one == other for one, other in zip(others, wanted_others, strict=True)
    )


def is_code(code: str) -> bool:
    """Whether this looks like the code of a language."""
    from assay.languages import is_language

    return re.fullmatch(r"[a-z]{2,3}([-_][A-Za-z0-9]+)*", code) is not None and is_language(_parts(code)[0])


def codes_of(langpair: str) -> tuple[str, str]:
    """`it-de_CH` -> `it`, `de_CH`; empty where a suite does not say."""
    source, _, target = langpair.partition("-")
    return source, target


def _parts(code: str) -> tuple[str, str, str]:
    """Language, script and region, those that are not said empty."""
    language, *rest = re.split("[-_]", code.strip().lower())
    script = next((part for part in rest if re.fullmatch("[a-z]{4}", part)), "")
    region = next((part for part in rest if re.fullmatch("[a-z]{2}|[0-9]{3}", part)), "")
    return _SHORT.get(language, language), script, region
