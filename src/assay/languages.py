"""Languages: what their codes mean, how pairs are written, their names, and what engines call them.

    read_pair("it-de_CH")                          # ("it", "de_CH"); BadLanguage where a code is not known
    fits("deu_Latn", "de_CH")                      # True: nothing contradicts; de_AT and de_CH do not fit
    language_name("sr_Latn_RS")                    # "Serbian (Latin, Serbia)"
    engine_code("zho_Hant", {"zh-hant": "ZH-HANT"})   # "ZH-HANT"
    language_of("czech-pdt-ud-2.5-191206.udpipe")  # "cs"

A code is LANGUAGE, LANGUAGE_Script, LANGUAGE_REGION or LANGUAGE_Script_REGION, with `_` or `-`: de, deu, de_CH, zh-TW,
zho_Hans, sr_Latn_RS. It is kept as it was written; what it means is a `LanguageCode`. Languages, scripts and regions
stand in languages.tsv (`scripts/language_table.py`), which is read when a code is not among the usual ones.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from assay.errors import BadOption

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

_ISO_639 = (
    "aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel bg:bul bi:bis "
    "bm:bam bn:ben bo:bod:tib br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces:cze cu:chu cv:chv cy:cym:wel "
    "da:dan de:deu:ger dv:div dz:dzo ee:ewe el:ell:gre en:eng eo:epo es:spa et:est eu:eus:baq fa:fas:per ff:ful "
    "fi:fin fj:fij fo:fao fr:fra:fre fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo "
    "hr:hrv ht:hat hu:hun hy:hye:arm hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:isl:ice it:ita "
    "iu:iku ja:jpn jv:jav ka:kat:geo kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau ks:kas ku:kur "
    "kv:kom kw:cor ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav mg:mlg mh:mah mi:mri:mao "
    "mk:mkd:mac ml:mal mn:mon mr:mar ms:msa:may mt:mlt my:mya:bur na:nau nb:nob nd:nde ne:nep ng:ndo nl:nld:dut "
    "nn:nno no:nor nr:nbl nv:nav ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol ps:pus pt:por qu:que "
    "rm:roh rn:run ro:ron:rum ru:rus rw:kin sa:san sc:srd sd:snd se:sme sg:sag si:sin sk:slk:slo sl:slv sm:smo "
    "sn:sna so:som sq:sqi:alb sr:srp ss:ssw st:sot su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk "
    "tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat tw:twi ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln "
    "wo:wol xh:xho yi:yid yo:yor za:zha zh:zho:chi zu:zul"
)
"""ISO 639-1, 639-3 and, where it is another one, 639-2/B."""

_ALIASES = {
    "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro",
} | {
    long: short for short, *longs in (entry.split(":") for entry in _ISO_639.split()) for long in longs
}  # fmt: skip
"""Other codes of a language, some of them withdrawn -> the one it is known by here."""

_USUAL = frozenset((*(entry.partition(":")[0] for entry in _ISO_639.split()), *NAMES, *_MODEL_ONLY))
"""Languages that are known without the table."""

_STANDARD = {
    "als": "sq", "arb": "ar", "azj": "az", "cmn": "zh", "ekk": "et", "gaz": "om", "khk": "mn", "lvs": "lv", "npi": "ne",
    "ory": "or", "pes": "fa", "plt": "mg", "swh": "sw", "uzn": "uz", "ydd": "yi", "zsm": "ms",
}  # fmt: skip
"""The language that is meant where a group of languages (ISO 639-3: macrolanguage) is named, as models write it."""

_SYNONYMS = _STANDARD | {"nb": "no", "fil": "tl"}
"""Engines tell nb from no and fil from tl, but no text is right in one and wrong in the other."""

VARIANTS = {
    "en-GB": "British English", "en-US": "American English", "fr-CA": "Canadian French",
    "pt-BR": "Brazilian Portuguese", "pt-PT": "European Portuguese", "zh-CN": "Simplified Chinese",
    "zh-Hans": "Simplified Chinese", "zh-Hant": "Traditional Chinese", "zh-TW": "Traditional Chinese",
}  # fmt: skip

DENSE = frozenset({"zh", "ja", "ko", "yue"})
"""Languages whose characters say about as much as a syllable or a word: texts have fewer of them."""

# Who asks for a region means the script that is written there.
_SCRIPT_THERE = {
    **dict.fromkeys(("zh-CN", "zh-SG"), "Hans"),
    **dict.fromkeys(("zh-TW", "zh-HK", "zh-MO"), "Hant"),
    **dict.fromkeys(("az-IR", "pa-PK", "uz-AF"), "Arab"),
    "sd-IN": "Deva",
}

_RIGHT_TO_LEFT = frozenset({"Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"})
"""Scripts that are written from the right."""

_SLIPS = {
    "al": "sq", "at": "de", "by": "be", "cn": "zh", "cz": "cs", "dk": "da", "ge": "ka", "gr": "el", "il": "he",
    "ir": "fa", "jp": "ja", "kr": "ko", "mx": "es", "pk": "ur", "rs": "sr", "sp": "es", "ua": "uk", "us": "en",
    "vn": "vi", "UK": "GB", "EN": "GB",
}  # fmt: skip
"""Countries that are taken for languages, and a language for a country."""


# Codes ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LanguageCode:
    """What a code means; script and region are empty where it does not say.

    `language` is the code of two letters where there is one: `de` for de, deu and ger.
    """

    language: str
    script: str = ""
    region: str = ""
    rest: str = ""
    """What has the shape of neither."""

    @classmethod
    def of(cls, written: str) -> "LanguageCode":
        """The meaning of any code, also of one that nobody knows."""
        return _meaning(written)

    @property
    def script_meant(self) -> str:
        """Its script, or the one of its region."""
        # Korean is written in Hangul, with (Kore) or without some Chinese characters.
        script = "Kore" if self.script == "Hang" else self.script
        return script or _SCRIPT_THERE.get(f"{_STANDARD.get(self.language, self.language)}-{self.region}", "")

    @property
    def script_said(self) -> str:
        """Its script, unless that goes without saying: empty for `deu_Latn`."""
        return self.script if self.script and self.script_meant != usual_script(self.language) else ""


@lru_cache(1000)
def _meaning(written: str) -> LanguageCode:
    first, *others = re.split("[-_]", written.strip())
    language = _ALIASES.get(first.lower(), first.lower())
    script = others.pop(0).title() if others and re.fullmatch("[A-Za-z]{4}", others[0]) else ""
    region = others.pop(0).upper() if others and re.fullmatch("[A-Za-z]{2}|[0-9]{3}", others[0]) else ""
    return LanguageCode(language, script, region, "-".join(others))


def fits(one: str, other: str) -> bool:
    """Whether two codes may mean the same: `de`, `deu_Latn` and `de_DE` do, `de_AT` and `de_CH` do not."""
    a, b = LanguageCode.of(one), LanguageCode.of(other)
    languages = {_SYNONYMS.get(code.language, code.language) for code in (a, b)}
    scripts, regions, rests = {a.script_meant, b.script_meant}, {a.region, b.region}, {a.rest, b.rest}
    return len(languages) == 1 and all(len(said - {""}) < 2 for said in (scripts, regions, rests))


def base_language(code: str) -> str:
    """The language alone: `de` for `de_CH` and `deu_Latn`, `zh` for `cmn_Hans`."""
    language = LanguageCode.of(code).language
    return _STANDARD.get(language, language)


def bcp47(code: str) -> str:
    """The code as the web writes it (`lang="de-CH"`): shortest language, no script that goes without saying."""
    meant = LanguageCode.of(code)
    return "-".join(filter(None, (meant.language, meant.script_said, meant.region, meant.rest)))


@lru_cache(1000)
def direction(code: str) -> str:
    """`rtl` for what is written from the right, by its script where one is named, else `ltr`."""
    return "rtl" if script_of(code) in _RIGHT_TO_LEFT else "ltr"


@lru_cache(1000)
def script_of(code: str) -> str:
    """The script of a language: that of its code or region, else its usual one; empty where there are several."""
    meant = LanguageCode.of(code)
    return meant.script_meant or usual_script(meant.language)


# Pairs ---------------------------------------------------------------------------------------------------------------

_CODE = r"[a-z]{2,3}(?:[-_][A-Z][a-z]{3}|_[A-Za-z]{4})?(?:[-_](?:[A-Z]{2}|[0-9]{3})|_[A-Za-z]{2})?"

PAIR = rf"{_CODE}-{_CODE}"
"""SOURCE-TARGET. Within a code a hyphen stands only before a capital or a digit, so it cannot be the one between."""


class BadLanguage(BadOption):
    """A code that no language has, or a pair that is none."""

    def __init__(self, problem: str, cure: str) -> None:
        super().__init__(f"{problem}; {cure}")
        self.problem, self.cure = problem, cure


def read_pair(pair: str) -> tuple[str, str]:
    """Source and target as a person wrote them; both have to be known."""
    if not re.fullmatch(PAIR, pair):
        raise _no_pair(pair)
    codes = split_pair(pair)
    for code in codes:
        check_code(code)
    return codes


def split_pair(pair: str) -> tuple[str, str]:
    """Source and target of any pair; what is no pair is a source without a target."""
    # By its hyphen before a small letter, `de-CH-en`; pairs of other programs may have none, `EN-DE`.
    source, *target = re.split("-(?=[a-z])", pair, maxsplit=1)
    if not target:
        source, _, other = pair.partition("-")
        return source, other
    return source, target[0]


def pairs_fit(one: str, other: str) -> bool:
    """Whether two pairs may mean the same direction."""
    return all(fits(a, b) for a, b in zip(split_pair(one), split_pair(other), strict=True))


def pair_in(file: str) -> str:
    """The language pair in the name of a file; empty where it has none."""
    found = []
    # No letters on either side, so that `made-up` is not taken for one. What follows may be no part: `de-en-DFKI`.
    for start in re.finditer(rf"(?<![A-Za-z])(?=({_CODE}-[a-z]{{2,3}})(?![a-z]))", file):
        whole = re.compile(rf"{PAIR}(?![A-Za-z0-9])").match(file, start.start())
        pairs = [whole[0], start[1]] if whole else [start[1]]
        found += [pair for pair in pairs if all(map(is_language, split_pair(pair)))][:1]
    # Most words of three letters are a language, too (`dev-set`, `wmt-eng`), so one of the two has to be a usual one.
    usual = {pair: sum(LanguageCode.of(code).language in _USUAL for code in split_pair(pair)) for pair in found}
    best = max(usual, key=usual.__getitem__, default="")
    return best if usual.get(best) else ""


def pair_name(pair: str) -> str:
    """The pair for people: `Italian to German (Switzerland)`."""
    return " to ".join(language_name(code) for code in split_pair(pair) if code)


def _no_pair(pair: str) -> BadLanguage:
    like = "write it like this: de-en"
    parts = re.split("-(?=[a-z])", pair)
    if len(parts) > 2 and all(re.fullmatch("[A-Za-z0-9]{2,4}", part) for part in pair.split("-")):
        return BadLanguage(f"{pair!r} can be read in several ways", "within a code write _, like this: en-pt_BR")
    for part in parts if len(parts) == 2 else ():
        if LanguageCode.of(part).rest and _is_known(LanguageCode.of(part).language):
            return _no_code(part)
    if is_language(pair) and not pair.isalpha() and not pair.isupper():
        return BadLanguage(f"{pair!r} is one language, {language_name(pair)}", "a pair has two, like this: de_CH-en")
    # german-english, deen, de_en, de>en, EN-DE: said with codes, where they can be guessed.
    words = [pair[:2], pair[2:]] if re.fullmatch("[a-z]{4}", pair) else re.findall(r"[^\W\d_]+", pair.lower())
    codes = [word if is_language(word) else _by_name().get(word, "") for word in words]
    if len(codes) == 2 and all(codes):
        like = f"write it like this: {'-'.join(codes)}"
    return BadLanguage(f"{pair!r} is not a language pair", like)


# What is known -------------------------------------------------------------------------------------------------------


def is_language(code: str) -> bool:
    """Whether language, script and region of a code are known."""
    try:
        check_code(code)
    except BadLanguage:
        return False
    return True


def check_code(code: str) -> None:
    """Refuse a code that is not known, and say which one may be meant."""
    meant = LanguageCode.of(code)
    if not _is_known(meant.language):
        raise BadLanguage(f"no language has the code {code!r}", _near(meant.language, _USUAL))
    if not re.fullmatch("[A-Za-z]+([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?", code):
        raise _no_code(code)
    for kind, part in (("script", meant.script), ("region", meant.region)):
        if part and part not in _table():
            shape = "[A-Z][a-z]{3}" if kind == "script" else "[A-Z]{2}"
            known = {other for other in _table() if re.fullmatch(shape, other)}
            raise BadLanguage(f"{code!r}: no {kind} has the code {part!r}", _near(part, known))


def _no_code(code: str) -> BadLanguage:
    # `deu_Latin`, `de_Switzerland`
    rest = LanguageCode.of(code).rest
    near = next((known for known, (name, _) in _table().items() if name == rest), "")
    cure = f"write {near} for {rest}" if near else "write it like this: de, de_CH, zho_Hans, sr_Latn_RS"
    return BadLanguage(f"{code!r} is not a language code", cure)


def _is_known(language: str) -> bool:
    # The table is not read for the usual ones: a suite is opened by almost every command. qaa to qtz are for private
    # use, for languages that have no code.
    known = language in _USUAL or re.fullmatch("q[a-t][a-z]", language) or (language.isalpha() and language in _table())
    return bool(known)


def _near(code: str, known: frozenset[str] | set[str]) -> str:
    """What may be meant by a code."""
    # Imported here: difflib is needed for an error message only, and costs start-up time.
    from difflib import get_close_matches

    # Of a short code most others are near: only those that begin with the same letter.
    close = get_close_matches(code, sorted(other for other in known if other[0] == code[:1]), cutoff=0.4)
    found = [_SLIPS[code]] if code in _SLIPS else [_by_name()[code]] if code in _by_name() else close
    if not found:
        return "use ISO 639, like this: de-en"
    return f"did you mean {', '.join(f'{near} ({_name(near)})' for near in found)}?"


@cache
def _table() -> dict[str, tuple[str, str]]:
    """Code of a language, script or region -> its English name and, for languages, the script it is written in."""
    rows = (line.split("\t") for line in Path(__file__).with_name("languages.tsv").read_text("utf-8").splitlines())
    return {code: (name, script[0] if script else "") for code, name, *script in rows}


@cache
def _by_name() -> dict[str, str]:
    """`german` -> `de`."""
    return {name.lower(): code for code, name in (_MODEL_ONLY | NAMES).items()}


def usual_script(language: str) -> str:
    """The script that a language is written in unless its code says otherwise; empty where there are several."""
    return _table().get(language, ("", ""))[1]


# Names ---------------------------------------------------------------------------------------------------------------


def language_name(code: str) -> str:
    """The English name of a language, for people; a code that is not known stands for itself."""
    meant = LanguageCode.of(code)
    if meant.rest or not _is_known(meant.language):
        return code
    said = list(filter(None, (meant.script_said, meant.region)))
    variant = VARIANTS.get("-".join((meant.language, *said)))
    if variant or not said:
        return variant or _name(meant.language)
    return f"{_name(meant.language)} ({', '.join(map(_name, said))})"


def _name(part: str) -> str:
    """The name of a language, script or region alone."""
    known = NAMES.get(part) or _MODEL_ONLY.get(part)
    return known or _table().get(part, (part, ""))[0]


def prompt_name(code: str) -> str:
    """The name of a language in a prompt.

    Codes that prompts have had from the start are named as then, some by themselves (`gd`, `German (CH)` for de-CH):
    with other names they would be other prompts, and the answers that journals hold would not be found again.
    """
    if not re.fullmatch("[a-z]{2,3}(-[A-Z][A-Za-z]+)?", code):
        return language_name(code)
    language, _, variant = code.partition("-")
    if not variant or language not in NAMES:
        return NAMES.get(code, code)
    return VARIANTS.get(code, f"{NAMES[language]} ({variant})")


# What others call them -----------------------------------------------------------------------------------------------


def engine_code(code: str, codes: Mapping[str, str]) -> str:
    """The code of an engine: by script or region, else by the language alone, else the language as it is.

    `codes` has lower-case names; Chinese is found under its scripts, `zh-hans` and `zh-hant`.
    """
    meant, language = LanguageCode.of(code), base_language(code)
    script, region = meant.script_meant, meant.region
    for name in (f"{language}-{script}-{region}", f"{language}-{script}", f"{language}-{region}", language):
        if name.lower() in codes:
            return codes[name.lower()]
    return language


def language_of(file: str) -> str:
    """The code of the language that the name of a model file begins with; empty where it names none."""
    for name, code in MODEL_NAMES.items():
        if re.match(rf"{name}(?![a-z])", file.lower()):  # not "german" in "germanic"
            return code
    return ""
