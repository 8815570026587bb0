"""The translation in the answer of a language model, without what the model added.

    clean('Sure! Here is the translation:\n\n"The key is still in."', "Der Schlüssel steckt noch.", pair)
    # Cleaned("The key is still in.", ("preamble: Sure! Here is the translation:", 'quotes: "…"'))

Added text is a typical fault of language models, so everything that is cut is recorded. When in doubt nothing is cut: a
colon, a quotation or a bracket may well belong to the translation. What the source has too is never cut: quotes only
if it has none, notes only if it has none, and so on. What is left over is a matter for the checks and for linguists.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from assay.languages import NAMES, base_language, prompt_name
from assay.translate.engine import LanguagePair

VERSION = "1"
"""Part of the parameters of a run: with another version, other texts."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The translation, and what was cut away, in words."""

    text: str
    cut: tuple[str, ...]


def clean(raw: str, source: str, pair: LanguagePair) -> Cleaned:
    """Cut away what a language model wrote around a translation; the text is empty if nothing else is there."""
    text = re.sub(r"\n\s*\n", "\n\n", raw.strip())
    cut: list[str] = []
    # From the first step again after every cut: quotes may stand around a preamble, or a preamble before quotes. It
    # ends, since every step takes something away that it looks for.
    while True:
        for step in _STEPS:
            found = step(text, source.strip(), pair)
            if found is not None:
                text = found.text.strip()
                cut.extend(found.cut)
                break
        else:
            return Cleaned(text, tuple(cut))


def _cut(text: str, kind: str, what: str) -> Cleaned:
    line = " ".join(what.split())
    return Cleaned(text, (f"{kind}: {line if len(line) <= 80 else line[:79] + '…'}",))


# Reasoning that was written into the answer ------------------------------------------------------------------------

_TAGS = r"think|thinking|thought|reasoning|analysis"
_THOUGHT = re.compile(rf"\A\s*<({_TAGS})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(rf"\A.*</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)


def _reasoning(text: str, source: str, pair: LanguagePair) -> Cleaned | None:
    """`<think>…</think>`; the first tag may have been part of the prompt, the last may never have come."""
    if _THOUGHT_END.match(source) or _THOUGHT.match(source):
        return None
    found = _THOUGHT.match(text) or _THOUGHT_END.match(text)
    return _cut(text[found.end() :], "reasoning", found[0]) if found else None


# Fences --------------------------------------------------------------------------------------------------------------

_FENCE = re.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?```(.*)\Z", re.DOTALL)


def _fence(text: str, source: str, pair: LanguagePair) -> Cleaned | None:
    found = None if "```" in source else _FENCE.match(text)
    if not found:
        return None
    after = found[2].strip()
    return _cut(found[1], "code fence", f"``` … ``` {after}")


# Preambles -----------------------------------------------------------------------------------------------------------

_MENTION = re.compile(
    r"translat|übersetz|перевод|перев[её]л|перевед|перевест|překl|přel[oa]ž|traduc|tradui|traduz|tłumacz|vertal|oversæt",
    re.IGNORECASE,
)
"""A word for translating. A source without one has no translation that speaks of translations."""

_YES = (
    r"sure(?: thing)?|certainly|of course|okay|ok|absolutely|gladly|"
    r"natürlich|gerne?|klar|selbstverständlich|sicher|aber gerne?|"
    r"конечно|разумеется|хорошо|с удовольствием|"
    r"samozřejmě|jistě|jasně|rádo?|s radostí|"
    r"claro(?: que sí)?|por supuesto|desde luego|con gusto"
)
_ANNOUNCED = (
    # Here is the translation of your text into German: · Below is … · The German translation is:
    r"(?:here(?:['’]s| is| are)|below is|this is|the following is|i(?:['’]ve| have) translated)\b[^:\n]{0,100}",
    r"(?:the |my |your |a |an )?(?:[\w-]+ ){0,3}translat(?:ion|ed)\b[^:\n]{0,80}",
    # Hier ist die Übersetzung ins Deutsche: · Die Übersetzung lautet:
    r"hier (?:ist|kommt|findest du|finden sie)\b[^:\n]{0,100}",
    r"(?:die |meine |eine )?(?:[\w-]+ ){0,2}übersetz(?:ung|t)\b[^:\n]{0,80}",
    # Вот перевод на русский язык: · Перевод:
    r"(?:вот|ниже)\b[^:\n]{0,100}",
    r"(?:[\w-]+ ){0,2}перевод\w*[^:\n]{0,80}",
    # Zde je překlad: · Tady máte překlad: · Překlad do češtiny:
    r"(?:zde|tady|níže)\b[^:\n]{0,100}",
    r"(?:[\w-]+ ){0,2}překlad\w*[^:\n]{0,80}",
    # Aquí está la traducción: · La traducción es: · Traducción al español:
    r"(?:aquí|a continuación)\b[^:\n]{0,100}",
    r"(?:la |una )?(?:[\w-]+ ){0,2}traducción\b[^:\n]{0,80}",
)
# Markdown around words. Possessive (`*+`), since two of these beside each other would try every way to share a run.
_MARKS = r"[*_#>\s]*+"
_PREAMBLE = re.compile(rf"\A{_MARKS}(?:(?:{_YES})\b[\s!,.;:—–-]*)?(?:{'|'.join(_ANNOUNCED)}):{_MARKS}", re.IGNORECASE)
_YES_LINE = re.compile(rf"\A(?:{_YES})[!.,:]?[ \t]*\n+", re.IGNORECASE)


def _preamble(text: str, source: str, pair: LanguagePair) -> Cleaned | None:
    """`Here is the translation:`; it has to speak of translating, and the source must not, or the rest does too."""
    found = _PREAMBLE.match(text)
    if not found or not _MENTION.search(found[0]):
        return None
    if _MENTION.search(source) and not _MENTION.search(text[found.end() :]):
        return None
    return _cut(text[found.end() :], "preamble", found[0])


def _yes(text: str, source: str, pair: LanguagePair) -> Cleaned | None:
    """`Sure!` on a line of its own, unless the source begins with a short exclamation itself."""
    found = None if "\n" in source else _YES_LINE.match(text)
    # A source whose first clause is a word or two ("Sure, I will come.") may well say yes itself.
    if not found or len(re.split(r"[.,;:!?…]", source)[0].split()) < 3:
        return None
    return _cut(text[found.end() :], "preamble", found[0])


# What languages call themselves, for those that the other patterns here know too.
_OWN_NAMES = {"de": "Deutsch", "en": "English", "ru": "Русский", "cs": "Čeština", "es": "Español", "fr": "Français"}


def _label(text: str, source: str, pair: LanguagePair) -> Cleaned | None:
    """`German: …`, where the source has no colon."""
    if ":" in source or "：" in source:
        return None
    language = base_language(pair.target)
    names = {prompt_name(pair.target), NAMES.get(language, language), _OWN_NAMES.get(language, language)}
    one = "|".join(re.escape(name) for name in sorted(names))
    found = re.match(rf"{_MARKS}(?:{one})\s*{_MARKS}:{_MARKS}", text, re.IGNORECASE)
    return _cut(text[found.end() :], "preamble", found[0]) if found else None


# The source, repeated ------------------------------------------------------------------------------------------------

_JOINT = re.compile(r"\s*(?:\n|\t|=>|->|→|⇒|=)\s*")
_QUOTED = "\"'„“”«»‚‘’*`"


def _repeated(text: str, source: str, pair: LanguagePair) -> Cleaned | None:
    """`SOURCE → translation`, and `German: SOURCE` as a first line. An answer that only copies stays as it is."""
    if not source:
        return None
    if text.startswith(source):
        joint = _JOINT.match(text, len(source))
        if joint and text[joint.end() :].strip():
            return _cut(text[joint.end() :], "repeated source", source)
    first, newline, rest = text.partition("\n")
    bare = re.sub(r"\A[^:\n]{1,40}:", "", first).strip(" \t" + _QUOTED)
    if newline and rest.strip() and "\n" not in source and bare and bare == source.strip(" \t" + _QUOTED):
        return _cut(rest, "repeated source", first)
    return None


# Notes and alternatives ----------------------------------------------------------------------------------------------

_OR = r"or|oder|или|nebo|o|literally|wörtlich|дословно|doslova|literalmente"
_NOTE = (
    r"notes?|translator['’]?s? notes?|explanations?|alternatives?|alternatively|(?:literal|alternative) translations?|"
    r"hinweise?|anmerkung(?:en)?|erläuterung(?:en)?|erklärung(?:en)?|alternativ(?:e|en|übersetzung)?|"
    r"примечани[ея]|пояснени[ея]|объяснени[ея]|комментари[йи]|альтернатив\w*|"
    r"poznámk[ay]|vysvětlení|alternativ\w*|"
    r"notas?|explicaci(?:ón|ones)|aclaraci(?:ón|ones)|alternativas?|alternativamente"
)
_ABOUT = r"(?:[ \t]+(?:\([^)\n]{1,40}\)|(?:on|about|zur?|zum|к|k|sobre)\b[^:\n]{1,60}))?"
_NOTE_LINE = re.compile(
    rf"\n{_MARKS}[(\[]?{_MARKS}(?:(?:{_NOTE}){_ABOUT}|(?:{_OR})){_MARKS}:.*\Z", re.DOTALL | re.IGNORECASE
)
_NOTE_BRACKET = re.compile(
    rf"[(\[]{_MARKS}(?:note that\b|(?:{_NOTE}|{_OR}){_MARKS}:|(?:{_OR}),?[ \t][\"„“«‘'])[^()\[\]]*[)\]](\.?)\Z",
    re.IGNORECASE,
)
_NOTE_BEHIND = re.compile(rf"(?<=[.!?…\"”“»])[ \t]+(?:{_NOTE}):[ \t].*\Z", re.DOTALL | re.IGNORECASE)
_CLOSING = re.compile(
    r"\n\n(?:alternatively,|please note\b|note that\b|let me know if\b|feel free to\b|i hope this|would you like)"
    r".*\Z",
    re.DOTALL | re.IGNORECASE,
)
_TWO_SENTENCES = re.compile(r"[.!?…:;][\"”“»’)]*\s+\S")


def _note(text: str, source: str, pair: LanguagePair) -> Cleaned | None:
    """A note on a line of its own, in brackets at the end, or behind the last sentence."""
    found = _NOTE_LINE.search(text) or _NOTE_BEHIND.search(text)
    # The translation before the note has fewer colons than the source: the "note" is a part of the translation.
    if found and _colons(text[: found.start()]) < _colons(source):
        found = None
    if not found and not re.search(r"[(\[（]", source):
        found = _NOTE_BRACKET.search(text)
    if not found and not _TWO_SENTENCES.search(source) and "\n" not in source:
        found = _CLOSING.search(text)
    if not found or not text[: found.start()].strip():
        return None
    kept = text[: found.start()].rstrip()
    # "The key (literally: the lock opener)." loses its bracket and keeps its full stop.
    stop = found[1] if found.re is _NOTE_BRACKET and kept[-1] not in ".!?…" else ""
    return _cut(kept + stop, "note", found[0])


def _colons(text: str) -> int:
    return text.count(":") + text.count("：")


# Several lines -------------------------------------------------------------------------------------------------------

_BULLET = re.compile(r"\A(?:[-*•]|(?:option |variant(?:e)? )?\d+[.):])\s+", re.IGNORECASE)


def _several(text: str, source: str, pair: LanguagePair) -> Cleaned | None:
    """Several lines for one: a list is a choice of which the first counts; a paragraph about translating is a note."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if "\n" in source or len(lines) < 2:
        return None
    if all(map(_BULLET.match, lines)):
        return _cut(_BULLET.sub("", lines[0]), "alternatives", " ".join(lines[1:]))
    first, *rest = re.split(r"\n\s*\n", text, maxsplit=1)
    if rest and _MENTION.search(rest[0]) and not _MENTION.search(source):
        return _cut(first, "note", rest[0])
    return _cut(" ".join(lines), "line breaks", f"{len(lines)} lines joined")


# Quotes around it all ------------------------------------------------------------------------------------------------

_PAIRS = [
    ('"', '"'), ("'", "'"), ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("‘", "’"), ("‚", "‘"),
    ("「", "」"), ("*", "*"), ("`", "`"), ("_", "_"),
]  # fmt: skip
_ANY_QUOTE = re.compile(r"[\"“”„«»‘‚「」*`_]|(?<!\w)'|'(?!\w)")


def _quotes(text: str, source: str, pair: LanguagePair) -> Cleaned | None:
    """Quotes or emphasis around the whole answer, where the source has none at all."""
    if _ANY_QUOTE.search(source):
        return None
    for left, right in _PAIRS:
        doubled = 2 if left in "*_" and text.startswith(left * 2) and text.endswith(right * 2) else 1
        inner = text[doubled:-doubled]
        if len(text) <= 2 * doubled or not (text.startswith(left) and text.endswith(right)):
            continue
        if inner.strip() and left not in inner and right not in inner:
            return _cut(inner, "quotes", f"{left * doubled}…{right * doubled}")
    return None


_Step = Callable[[str, str, LanguagePair], Cleaned | None]

# Reasoning and fences stand around all the rest. Lines are joined last: notes on lines of their own would not be seen
# afterwards.
_STEPS: tuple[_Step, ...] = (_reasoning, _fence, _repeated, _preamble, _yes, _label, _note, _quotes, _several)
