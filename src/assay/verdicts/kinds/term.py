"""The kind `term`: a word or several, in any inflected form and as part of a compound.

    - term: [Aufbewahrung, Obhut]                   # "zur Obhut", "Aufbewahrungsvertrag"
    - term: unerlaubte Handlung                     # "wegen unerlaubter Handlungen"
    - term: '2 of: Kläger | Beklagter | Gericht'    # at least two of them
    - term: Einrede (Einrede, Einreden)             # these forms and no others

Words of term and text are compared by their lemmas (simplemma). A term whose forms are listed needs no lemmas.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice

from assay.errors import MissingExtra
from assay.languages import base_language, language_name, split_pair
from assay.suites import Item, Rule
from assay.suites.kinds import BadArgument, Matcher, RuleKind, Span
from assay.text import normalise

WORD = re.compile(r"\w+(?:['-]\w+)*")
"""A word with its hyphens and apostrophes, as normalised texts have them; `_` parts words (`written_words`)."""

_COUNT = re.compile(r"\s*(\d+) of:?\s+")
_FORMS = re.compile(r"([^()]*)\(([^()]*)\)\s*")

COMPOUNDING = frozenset({"de", "nl", "sv", "da", "nb", "nn", "no", "is", "lb", "fi", "et", "hu"})
"""Languages that write compounds as one word."""

MOST_PIECES = 300_000
"""A server runs for months: with so many words, further ones are looked up each time."""

SHORTEST_PART = 4
"""Letters of a part of a compound: shorter ones are found everywhere."""

_JOINTS = ("", "s", "es", "n", "en", "er", "e", "-")
"""What may stand between the parts of a compound."""

# Prefixes, which are words too: "Übergabe" is no kind of "Gabe".
_PREFIXES = frozenset({
    "aber", "außer", "durch", "entgegen", "fehl", "fort", "gegen", "heraus", "herein", "herunter", "hinaus", "hinein",
    "hinter", "miss", "nach", "nicht", "nieder", "ober", "rück", "statt", "über", "unter", "voll", "voraus", "wider",
    "wieder", "zurück", "zusammen", "zwischen", "over", "onder", "door", "tegen", "under", "efter", "över", "mellan",
})  # fmt: skip

_GERMAN_ENDING = re.compile(r"(?:e[nrms]?|ern|n|s)$")
_GERMAN_CASES = ("", "s", "es", "n", "en", "e", "er")


def _german_stems(word: str, *, is_known: bool) -> set[str]:
    """A word without its ending, for what dictionaries lack: adjectives ("stiller"), and nouns that they do not have.

    Behind them is a mark, so that stems are compared with stems only, those of nouns with those of nouns.
    """
    if len(word) <= SHORTEST_PART:
        return set()
    folded = word.casefold()
    if word[0].islower():
        return {_GERMAN_ENDING.sub("", folded) + "~"}
    if is_known:
        return {f"{folded}^"}
    return {folded.removesuffix(ending) + "^" for ending in _GERMAN_CASES}


class MissingLemmas(MissingExtra):
    """A term without listed forms, and no lemmas."""

    def __init__(self, term: str) -> None:
        super().__init__(
            f"the term {term!r} without listed forms", "pip install 'assay-mt[terms]', or list its forms in brackets"
        )


class LemmaTable(dict[str, frozenset[str]]):
    """Word -> its lemmas and, in languages with compounds, those of its parts; worked out once for each word."""

    def __init__(self, language: str) -> None:
        super().__init__()
        from simplemma import is_known, lemmatize

        self.language = language
        self._is_known, self._lemmatize = is_known, lemmatize
        self._has_compounds = language in COMPOUNDING
        self._pieces: set[str] = set()
        self._by_lemma: defaultdict[str, set[str]] = defaultdict(set)
        self._holders: defaultdict[str, list[set[str]]] = defaultdict(list)
        self._last: tuple[str, list[str]] = ("", [])

    def pieces(self, text: str) -> list[str] | None:
        """What stands between the spaces of a text. Those with a form of a term are in its `holders` from now on.

        None where the table is full.
        """
        # An item has several terms, and each text is given to all of them.
        last, pieces = self._last
        if last != text:
            pieces = text.split()
            if not self._pieces.issuperset(pieces):
                if len(self._pieces) >= MOST_PIECES:
                    return None
                for piece in pieces:
                    self._learn(piece)
            self._last = text, pieces
        return pieces

    def _learn(self, piece: str) -> None:
        for lemma in chain.from_iterable(map(self.__getitem__, written_words(piece))):
            self._by_lemma[lemma].add(piece)
            for holders in self._holders.get(lemma, ()):
                holders.add(piece)
        self._pieces.add(piece)

    def holders(self, lemmas: frozenset[str]) -> set[str]:
        """All pieces, also of texts to come, with a word of one of these lemmas.

        A text is sooner split than searched for words, and most texts have none of them.
        """
        found: set[str] = set()
        for lemma in lemmas:
            # In this order: another thread may read a text.
            self._holders[lemma].append(found)
            found.update(self._by_lemma[lemma])
        return found

    def __missing__(self, word: str) -> frozenset[str]:
        found = self.lemmas(word)
        if self._has_compounds and len(word) >= 2 * SHORTEST_PART:
            found |= frozenset(chain.from_iterable(map(self.lemmas, self._parts(word))))
        if len(self) < MOST_PIECES:
            self[word] = found
        return found

    def lemmas(self, word: str, *, is_term: bool = False) -> frozenset[str]:
        """The lemmas of a word as a whole, as they are compared; the word itself is one of them."""
        forms = {word, self._lemma(word)}
        # At the beginning of a sentence a verb has a capital. A German term with one is a noun: "Haft", not "haften".
        if word[:1].isupper() and not (is_term and self.language == "de"):
            forms.add(self._lemma(word.lower()))
        is_known = self._is_word(word)
        if not is_known and self._has_compounds:
            forms |= self._with_tails(word.lower())
        stems = _german_stems(word, is_known=is_known) if self.language == "de" else set()
        return frozenset(form.casefold() for form in forms) | stems

    def _lemma(self, word: str) -> str:
        # In Switzerland there is no ß.
        is_swiss = "ss" in word and not self._is_known(word, lang=self.language)
        return self._lemmatize(word.replace("ss", "ß") if is_swiss else word, lang=self.language)

    def _with_tails(self, low: str) -> set[str]:
        """A word that no dictionary has, with the lemma of its last part: verfahrenshandlung for …handlungen."""
        places = range(2, len(low) - SHORTEST_PART + 1)
        tail = next((low[cut:] for cut in places if self._is_word(low[cut:])), "")
        head = low.removesuffix(tail)
        return {head + self._lemma(tail), head + self._lemma(tail.capitalize()).lower()} if tail else set()

    def _parts(self, word: str) -> Iterator[str]:
        """The first and the last part of a compound, at every place where both are words."""
        if "-" in word:
            yield from (part for part in word.split("-") if len(part) >= SHORTEST_PART)
        low = word.lower()
        for cut in range(SHORTEST_PART, len(low) - SHORTEST_PART + 1):
            if not self._is_word(low[cut:]):
                continue
            first = self._first(low[:cut])
            if first:
                yield first.capitalize()
                yield low[cut:].capitalize()

    def _first(self, written: str) -> str:
        for joint in _JOINTS:
            bare = written.removesuffix(joint)
            is_long = len(bare) >= SHORTEST_PART and len(bare) + len(joint) == len(written)
            if is_long and bare not in _PREFIXES and self._is_word(bare):
                return bare
        return ""

    def _is_word(self, part: str) -> bool:
        known = self._is_known(part.capitalize(), lang=self.language)
        # In Switzerland there is no ß.
        return known or ("ss" in part and self._is_known(part.capitalize().replace("ss", "ß"), lang=self.language))


@lru_cache(maxsize=4)  # a table of German words takes some ten megabytes
def lemma_table(language: str) -> LemmaTable:
    """The lemmas of a language."""
    return LemmaTable(language)


@lru_cache(maxsize=1)
def lemma_languages() -> frozenset[str]:
    """The languages of which there are lemmas; none where simplemma is not installed."""
    try:
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES
    except ImportError:
        return frozenset()
    return frozenset(SUPPORTED_LANGUAGES)


def written_words(text: str) -> list[str]:
    """The words of a text."""
    # `[^\W_]` in place of `\w` would take twice as long.
    return WORD.findall(text.replace("_", " ") if "_" in text else text)


class WordForms(dict[str, bool]):
    """Written word -> whether it is a form of one word of a term; worked out once for each."""

    __slots__ = ("_lemmas", "_lemmas_of")

    def __init__(self, lemmas: frozenset[str], lemmas_of: Callable[[str], frozenset[str]]) -> None:
        super().__init__()
        self._lemmas, self._lemmas_of = lemmas, lemmas_of

    def __missing__(self, word: str) -> bool:
        found = self[word] = not self._lemmas.isdisjoint(self._lemmas_of(word))
        return found

    def by(self, lemmas_of: Callable[[str], frozenset[str]]) -> "WordForms":
        """Forms of the same word, with other lemmas of what is written."""
        return WordForms(self._lemmas, lemmas_of)


Words = tuple[WordForms, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """One or several words, each in any form; or forms that are listed, as they are written."""

    written: str
    words: Words = ()
    forms: tuple[re.Pattern[str], ...] = ()
    holders: set[str] = field(default_factory=set, compare=False)
    """The pieces between spaces that have a form of the first word."""


class TermList:
    """Terms of which so many must stand in a text."""

    __slots__ = ("least", "longer", "table", "terms", "value")
    is_quick = True

    def __init__(self, value: str, terms: tuple[Term, ...], least: int, table: LemmaTable | None) -> None:
        self.value, self.terms, self.least, self.table = value, terms, least, table
        self.longer: tuple[Words, ...] = ()

    def beside(self, others: "Iterable[TermList]") -> "TermList":
        """The same in an item that has other terms: a longer one with one of these in it counts for itself only."""
        # Not those that are found in one of these in their turn: they are the same in another form.
        longer = [
            term.words
            for other in others
            for term in other.terms
            if term.words and self.found(term.written) and not any(other.has(term, mine.written) for mine in self.terms)
        ]
        if not longer or self.table is None:
            return self
        made = TermList(self.value, self.terms, self.least, self.table)
        # As whole words: a compound with the longer one in it is a case of both.
        lemmas_of = self.table.lemmas
        made.longer = tuple(tuple(word.by(lemmas_of) for word in words) for words in longer)
        return made

    def search(self, text: str, limit: float | None = None) -> Span | None:
        spans = []
        for term in self.terms:
            span = self._find(term, text)
            if span:
                spans.append(span)
                if len(spans) == self.least:
                    return min(spans)
        return None

    def found(self, text: str) -> list[str]:
        """The terms that stand in a text."""
        return [term.written for term in self.terms if self.has(term, text)]

    def has(self, term: Term, text: str) -> bool:
        """Whether one of its terms stands in a text."""
        return self._find(term, text) is not None

    def reason(self, text: str) -> str:
        return f"{', '.join(self.found(text))}" if self.least > 1 or len(self.terms) > 1 else ""

    def _find(self, term: Term, text: str) -> Span | None:
        for form in term.forms:
            if found := form.search(text):
                return found.span()
        if self.table is None or not term.words:
            return None
        # Most texts have no form of the first word already.
        pieces = self.table.pieces(text)
        if pieces is not None and term.holders.isdisjoint(pieces):
            return None
        return _place(term.words, written_words(text), text, self.longer)


def _place(term: Words, words: list[str], text: str, longer: Iterable[Words]) -> Span | None:
    """Where the words of a term stand one after the other, and not as a part of something longer."""
    taken = {place for other in longer for start in _starts(other, words) for place in range(start, start + len(other))}
    for start in _starts(term, words):
        if not taken.issuperset(range(start, start + len(term))):
            spans = islice(WORD.finditer(text.replace("_", " ")), start, start + len(term))
            first, *_, last = [found.span() for found in spans] * 2
            return first[0], last[1]
    return None


def _starts(term: Words, words: Sequence[str]) -> Iterator[int]:
    first, rest = term[0], term[1:]
    for start in range(len(words) - len(rest)):
        if first[words[start]] and all(forms[words[start + place]] for place, forms in enumerate(rest, 1)):
            yield start


def read_terms(value: str) -> tuple[int, list[tuple[str, tuple[str, ...]]]]:
    """(how many must be there, each term with its listed forms)."""
    count = _COUNT.match(value)
    least, rest = (int(count[1]), value[count.end() :]) if count else (1, value)
    terms = []
    for part in rest.split("|"):
        listed = _FORMS.fullmatch(part)
        name = normalise(listed[1] if listed else part)
        forms = tuple(filter(None, map(normalise, listed[2].split(",")))) if listed else ()
        if not name or (listed and not forms) or (not listed and not written_words(name)):
            raise BadArgument(
                f"{part.strip()!r} is no term", value.find(part), cure="write Haus | Hof, or Haus (Haus, Häuser)"
            )
        terms.append((name, forms))
    if not 1 <= least <= len(terms):
        raise BadArgument(f"{least} of {len(terms)} terms cannot be", cure=f"write 1 to {len(terms)}")
    return least, terms


def _forms(forms: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    # Whole words, where the script has spaces between words.
    whole = (
        (re.escape(form), r"(?<!\w)", r"(?!\w)") if _is_spaced(form) else (re.escape(form), "", "") for form in forms
    )
    return tuple(re.compile(f"{before}{form}{after}") for form, before, after in whole)


def _is_spaced(form: str) -> bool:
    return not re.search(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af]", form)


@lru_cache(maxsize=10_000)
def term_list(value: str, language: str) -> TermList:
    """The terms of a rule, shared by all rules that are written alike."""
    least, listed = read_terms(value)
    table = None
    terms = []
    for name, forms in listed:
        if forms:
            terms.append(Term(name, (), _forms(forms)))
            continue
        if not lemma_languages():
            raise MissingLemmas(name)
        if language not in lemma_languages():
            known = language_name(language) if language else "this suite's language"
            raise BadArgument(f"there are no lemmas of {known}", cure=f"list the forms: {name} ({name}, …)")
        table = lemma_table(language)
        lemmas = [table.lemmas(word, is_term=True) for word in written_words(name)]
        words = tuple(WordForms(found, table.__getitem__) for found in lemmas)
        terms.append(Term(name, words, holders=table.holders(lemmas[0])))
    return TermList(value, tuple(terms), least, table)


class _TermKind(RuleKind):
    name = "term"
    hint = "words in any form: Obhut | Aufbewahrung; 2 of: Haus | Hof | Garten; Haus (Haus, Häuser)"
    is_list = True

    def compile(self, rule: Rule, item: Item) -> Matcher:
        language = base_language(split_pair(item.langpair)[1]) if item.langpair else ""
        found = term_list(rule.value, language)
        others = [other.value for other in item.rules if other.kind == "term" and other.value != rule.value]
        return found.beside([term_list(other, language) for other in others if other.strip()]) if others else found

    def describe(self, value: str) -> str:
        least, listed = read_terms(value)
        names = " or ".join(name if not forms else f"{name} ({', '.join(forms)})" for name, forms in listed)
        return f"at least {least} of {names.replace(' or ', ', ')}" if least > 1 else f"{names}, in any form"


TERM = _TermKind()
