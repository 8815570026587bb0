"""Twins: texts of one item that are right or wrong together, whoever judged which of them.

    forms = TwinForms("de-en")
    forms.of("I can't come.") == forms.of("I cannot come.")
    twins_of({0: forms.of("you run")}, [(7, forms.of("You run."), Verdict.PASS)])      # {0: 7}

What twins may differ in is less than what makes texts alike for a suggestion (`plain`): a whole list of them is
accepted with one key. So contractions, spelling variants, small numbers and quotation marks may differ; commas stay,
and capitals within a text, and a final stop, since a text without one may have been cut off. Only a text without any
capital is as its system writes, and may lack the stop too.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from assay.languages import base_language, split_pair
from assay.prediction.plain import spelled_alike
from assay.text import LONGEST
from assay.verdicts import Verdict

_ABOUT_FORM: Final = re.compile(
    r"punctuation|question tag|comma\b|quotation|capitali[sz]ation|contraction|hyphen|orthograph|spelling",
    re.IGNORECASE,
)
"""Phenomena that are about what twins differ in."""

TWINS_AGREE: Final = 0.95
"""Where fewer of the decided twins of a phenomenon's other items have one verdict, nothing is a twin there."""

_EXPECTED: Final = 19, 20
"""At first nineteen of twenty are expected to."""

_NUMBERS: Final = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve",
    "de": "null - zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
}
_DIGITS: Final = re.compile(r"(?<![\w.,:/-])(?:1[0-2]|\d)(?![\w:/-]|[.,]\d)")
_QUOTES: Final = re.compile(r"[\"“”„«»‹›‚]+")
_STOP: Final = re.compile(r"[\s.!…]+$")


def about_form(category: str, phenomenon: str) -> bool:
    """Whether a phenomenon is about case, punctuation or spelling, by its name: then nothing has a twin."""
    return bool(_ABOUT_FORM.search(f"{category}\n{phenomenon}"))


@dataclass(frozen=True, slots=True)
class TwinForm:
    """What twins have in common: `exact` where they differ in writing only, `loose` without capitals and final stop.

    `bare` is a text without any capital.
    """

    exact: str
    loose: str
    bare: bool


class TwinForms:
    """The forms of texts in the target language of a language pair."""

    def __init__(self, langpair: str) -> None:
        language = base_language(split_pair(langpair)[1])
        words = _NUMBERS.get(language, "").split()
        self._numbers = {str(number): word for number, word in enumerate(words) if word != "-"}
        self._german = language == "de"

    def of(self, text: str) -> TwinForm:
        short = text[:LONGEST]
        bare = short == short.lower() and short != short.upper()
        # The first letter is a capital because it is the first.
        short = short[:1].lower() + short[1:]
        short = re.sub(r"(?<=\w)'s\b", " es", short) if self._german else spelled_alike(short)
        short = _DIGITS.sub(lambda found: self._numbers.get(found[0], found[0]), short)
        exact = " ".join(_QUOTES.sub(" ", short).split())
        return TwinForm(exact, _STOP.sub("", exact).casefold(), bare)


def twins_of(undecided: Mapping[int, TwinForm], decided: Iterable[tuple[int, TwinForm, Verdict]]) -> dict[int, int]:
    """Undecided text -> the decided one of its item whose verdict it shares; all that would do must have one verdict.

    Texts are numbers here, whatever these stand for.
    """
    exact: dict[str, dict[int, Verdict]] = {}
    loose: dict[str, dict[int, Verdict]] = {}
    bare: dict[str, dict[int, Verdict]] = {}
    for key, form, verdict in decided:
        exact.setdefault(form.exact, {})[key] = verdict
        loose.setdefault(form.loose, {})[key] = verdict
        if form.bare:
            bare.setdefault(form.loose, {})[key] = verdict
    found = {}
    for key, form in undecided.items():
        alike = exact.get(form.exact, {}) | (loose if form.bare else bare).get(form.loose, {})
        if len(set(alike.values())) == 1:
            found[key] = next(iter(alike))
    return found


def same_rows(forms: Mapping[int, TwinForm]) -> list[list[int]]:
    """Undecided texts that one judgement decides, together; in the order given."""
    rows: dict[str, list[int]] = {}
    for key, form in forms.items():
        rows.setdefault(form.exact, []).append(key)
    by_loose: dict[str, list[str]] = {}
    for exact, keys in rows.items():
        by_loose.setdefault(forms[keys[0]].loose, []).append(exact)
    for names in by_loose.values():
        full = [name for name in names if not forms[rows[name][0]].bare]
        # A bare text belongs to two where they differ in a stop: then it stays by itself.
        if len(full) == 1 and len(names) > 1:
            rows[full[0]] += [key for name in names if name != full[0] for key in rows.pop(name)]
    order = {key: place for place, key in enumerate(forms)}
    return sorted((sorted(keys, key=order.__getitem__) for keys in rows.values()), key=lambda keys: order[keys[0]])


def agreement(decided: Iterable[tuple[TwinForm, Verdict]]) -> tuple[int, int]:
    """Of the decided twins of one item: how many groups have one verdict, and how many have both."""
    groups: dict[str, set[Verdict]] = {}
    sizes: dict[str, int] = {}
    for form, verdict in decided:
        name = form.exact
        groups.setdefault(name, set()).add(verdict)
        sizes[name] = sizes.get(name, 0) + 1
    several = [groups[name] for name, size in sizes.items() if size > 1]
    both = sum(len(verdicts) > 1 for verdicts in several)
    return len(several) - both, both


def twins_agree(same: int, both: int) -> bool:
    """Whether twins of a phenomenon are twins, by so many groups of decided ones."""
    expected, of = _EXPECTED
    return (same + expected) / (same + both + of) >= TWINS_AGREE
