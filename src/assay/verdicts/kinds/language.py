"""The kind `language`: a text in another language than the target's, or in one of those that are named.

- language:            # any other than the target's
- language: [en, de]
"""

from dataclasses import dataclass

from assay.errors import MissingExtra
from assay.languages import BadLanguage, check_code, language_name, split_pair
from assay.outputs.text_language import can_detect_languages, is_language, is_wrong_language, is_wrong_script, languages
from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument, Matcher, RuleKind, Span

OTHER = "other"


@dataclass(frozen=True, slots=True)
class OtherLanguage:
    """Another language than the target's: by script first, then by the detector."""

    value: str
    source: str
    target: str
    is_quick = True

    def search(self, text: str, limit: float | None = None) -> Span | None:
        found = is_wrong_script(text, self.target) or is_wrong_language(text, self.source, self.target)
        return (0, len(text)) if found else None

    def reason(self, text: str) -> str:
        if is_wrong_script(text, self.target):
            return "another script"
        return _named(text)


@dataclass(frozen=True, slots=True)
class NamedLanguages:
    """One of these languages."""

    value: str
    codes: tuple[str, ...]
    is_quick = True

    def search(self, text: str, limit: float | None = None) -> Span | None:
        return (0, len(text)) if any(is_language(text, code) for code in self.codes) else None

    def reason(self, text: str) -> str:
        return _named(text)


def _named(text: str) -> str:
    found = languages(text)
    best = max(found, key=lambda code: found[code]) if found else ""
    return f"{language_name(best)}, {found[best]:.0%} sure" if best else ""


class _LanguageKind(RuleKind):
    name = "language"
    hint = "other, or codes of languages"
    default = OTHER
    is_list = True
    safeguard = True

    def compile(self, rule: Rule, item: Item) -> Matcher:
        if not can_detect_languages():
            raise MissingExtra("a language rule", "pip install 'assay-mt[translate]'")
        codes = [code.strip() for code in rule.value.split("|")]
        if codes != [OTHER]:
            return NamedLanguages(rule.value, tuple(map(_checked, codes)))
        if rule.polarity == "pass":
            raise BadArgument("another language than the target's is never right", cure="name the language")
        if not item.langpair:
            raise BadArgument("the languages of the suite are not known", cure="give the suite a langpair")
        return OtherLanguage(rule.value, *split_pair(item.langpair))

    def describe(self, value: str) -> str:
        if value.strip() == OTHER:
            return "another language than the target's"
        return " or ".join(language_name(code.strip()) for code in value.split("|"))


def _checked(code: str) -> str:
    try:
        check_code(code)
    except BadLanguage as error:
        raise BadArgument(error.problem, cure=error.cure) from None
    return code


LANGUAGE = _LanguageKind()
