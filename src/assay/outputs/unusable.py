"""Outputs that are no translations: the source once more, a refusal, or a loop.

    kinds = unusable_texts(suite, outputs)          # a code for each distinct text; UNUSABLE names them

Rules see only what they look for: a refusal is a warning to them, and a loop may even pass. So these are counted apart
and said before any number. They decide no verdict. Outputs that are not there at all are known from their verdict.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import eq
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from assay.lru import LruCache
from assay.outputs.outputs import Outputs
from assay.suites import Suite

Unusable = Literal["untranslated", "refused", "looping"]
UNUSABLE: Final[tuple[Unusable, ...]] = get_args(Unusable)
"""The kinds; the code of a kind is its place from 1, and 0 is a text that may be a translation."""

WORDS: Final = 4
"""Words that a text needs before it counts as a copy, or as an answer that is given to everything."""
TURNS: Final = 4
"""So many times in a row the same words are a loop."""
UNIT: Final = 8
"""Words that are looked for as one repeated unit."""
RUN: Final = 10
"""So many times the same letter are a loop too: "Aaaah" is a word, and some loops have no spaces."""
SECOND: Final = 40
"""Characters after the first word within which the second ends."""
CATEGORIES: Final = 3
"""The same text for items of so many categories is no translation of any."""

_BLOCK: Final = 256
"""Texts whose letters are looked through at once."""

# With `don't` and `e-mail` as one word each.
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
"""A word, without punctuation."""
# Chinese, Japanese and Korean characters, of which each says more than a letter does. Compiled where a text has some:
# that takes longer than importing the rest of this module.
_DENSE = r"[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\U00020000-\U0002ffff]"
_FIRST_DENSE = "\u1100"
_LETTERS = re.compile(rf"([^\W\d_])\1{{{RUN - 1},}}")

# How language models decline, at the beginning of an answer: English, German, Russian, Czech, a few others.
_REFUSAL = r"""\W*(?:
      (?:(?:i['’]?m|i\ am|we['’]?re|we\ are)\ )?(?:very\ |so\ )?sorry,?\ (?:but\ )?
          (?:i|we)\ (?:can['’]?t|cannot|am\ unable|am\ not\ able|won['’]?t)
    | i\ apologi[sz]e,?\ but\ i
    | i\ (?:can['’]?t|cannot|am\ unable\ to|am\ not\ able\ to|won['’]?t)
          \ (?:assist|help\ (?:you\ )?with|translate|provide|fulfil|comply|process|complete)
    | as\ an?\ (?:ai|artificial\ intelligence|(?:large\ )?language\ model)\b
    | (?:(?:es\ )?tut\ mir\ leid|entschuldigung),?\ (?:aber\ )?(?:ich\ kann|das\ kann\ ich|dabei\ kann\ ich)
    | ich\ kann\ (?:ihnen\ |dir\ )?(?:dabei|damit|das|diese[nrms]?\ (?:text|satz|anfrage|inhalt))
          \ [^.]{0,20}nicht\ (?:helfen|übersetzen|bearbeiten|erfüllen)
    | als\ (?:ki\b|künstliche\ intelligenz|(?:großes\ )?sprachmodell)
    | (?:извините|простите|прошу\ прощения|к\ сожалению),?\ (?:но\ )?я\ не\ (?:могу|смогу)
    | я\ не\ могу\ (?:помочь|перевести|выполнить|предоставить)
    | как\ (?:ии\b|искусственный\ интеллект|(?:большая\ )?языковая\ модель)
    | (?:omlouvám\ se|promiňte|je\ mi\ líto|bohužel),?\ (?:ale\ )?(?:s\ tím\ )?ne(?:mohu|můžu|dokážu)
    | nemohu\ (?:vám\ )?(?:s\ tím\ )?(?:pomoci|pomoct|přeložit)
    | jako\ (?:ai\b|umělá\ inteligence|(?:velký\ )?jazykový\ model)
    | je\ suis\ désolée?,?\ (?:mais\ )?je\ ne\ (?:peux|suis)
    | lo\ siento,?\ (?:pero\ )?no\ puedo
    | mi\ dispiace,?\ (?:ma\ )?non\ posso
    | (?:抱歉|对不起)[，,]?(?:但)?我(?:不能|无法)
    | 申し訳(?:ありません|ございません)が )"""
_STARTS = {
    first: frozenset(seconds.split())
    for first, seconds in {
        "i": "can't can’t cant cannot am won't won’t wont apologize apologise",
        **dict.fromkeys(("i'm", "i’m", "im", "we're", "we’re"), "very so sorry"),
        "we": "are",
        **dict.fromkeys(("very", "so"), "sorry"),
        "as": "a an",
        "es": "tut",
        "tut": "mir",
        "ich": "kann",
        "als": "ki künstliche großes sprachmodell",
        "прошу": "прощения",
        "к": "сожалению",
        "я": "не",
        "как": "ии искусственный большая языковая",
        "je": "mi suis",
        "jako": "ai umělá velký jazykový",
        "lo": "siento",
        "mi": "dispiace",
        **dict.fromkeys(
            ("sorry", "entschuldigung", "извините", "простите", "omlouvám", "promiňte", "bohužel", "nemohu"), ""
        ),
    }.items()
}
"""First word of such an answer -> its second word, where that says more; trying the whole on every text takes longer
than all the rest."""
_DENSE_STARTS = {"抱歉", "对不", "申し"}
# What stands before a translation that a model presents.
_INTRODUCED = r"""^\W*(?:sure|certainly|of\ course|here(?:'s|\ is|\ are)|translation|translated\ (?:text|sentence)
        |the\ (?:\w+\ )?translation\ (?:is|of|would)
        |(?:die\ )?übersetzung|hier\ ist|překlad|zde\ je|перевод|вот\ перевод|traducción|aquí\ (?:está|tienes))
        \b[^.!?\n]{0,60}:\s"""
# A source that apologises or says what somebody cannot do may be translated so, and a text about models too.
_APOLOGY = (
    r"sorry|apolog|can['’]?t|cannot|unable|leid|entschuldig|verzeih|bedauer|\bnicht\b|извин|прост|прощен|сожален|"
    r"не (?:могу|смогу)|omlouv|promiň|líto|bohužel|ne(?:mohu|můžu|dokážu)|désol|siento|dispiace|抱歉|对不起|申し訳|"
    r"\b(?:ai|ki|ии)\b|language model|sprachmodell|языков\w+ модел|jazykov\w+ model"
)


@dataclass(frozen=True, slots=True)
class _KnownTexts:
    """What was found among these texts; `items` has category and source of each."""

    texts: Sequence[str]
    items: list[tuple[str, str]]
    codes: NDArray[np.int8]


_known: LruCache[int, _KnownTexts] = LruCache(4)
"""By the identity of the texts: the workbench asks again after every judgement, which changes no text."""


def unusable_texts(suite: Suite, outputs: Outputs) -> NDArray[np.int8]:
    """The code of each distinct text, in their order."""
    items = [(item.category, item.source) for item in suite.items]
    known = _known.find(id(outputs.texts))
    if known is None or known.texts is not outputs.texts or known.items != items:
        known = _KnownTexts(outputs.texts, items, _look(suite, outputs))
        _known.keep(id(outputs.texts), known)
    return known.codes


def _look(suite: Suite, outputs: Outputs) -> NDArray[np.int8]:
    found = np.zeros(len(outputs.texts), np.int8)
    untranslated, refused, looping = range(1, len(UNUSABLE) + 1)
    sources = [item.source for item in suite.items]
    firsts = [first_word(source) for source in sources]
    runs = _with_runs(outputs.texts)
    # One turn for each distinct text of a campaign: what rules out nearly all of them stands here, not in functions.
    for code, (owner, text) in enumerate(zip(outputs.owners.tolist(), outputs.texts, strict=True)):
        parts = text.split()
        # Most texts begin with a word and a blank, so that no search is needed.
        begin = parts[0].casefold() if parts and parts[0].isalnum() else first_word(text)
        if begin == firsts[owner] and is_copy(sources[owner], text):
            found[code] = untranslated
        elif (code in runs or (len(set(parts)) < len(parts) and _may_repeat(text))) and (
            loops(text) > max(TURNS - 1, loops(sources[owner]))
        ):
            found[code] = looping
        elif may_refuse(begin) and is_refusal(sources[owner], text, begin):
            found[code] = refused
    hashes = np.fromiter(map(hash, outputs.texts), np.int64, len(outputs.texts))
    for codes in _canned(suite, outputs, hashes):
        found[[code for code in codes if not found[code]]] = refused
    return found


def first_word(text: str) -> str:
    """The first word, as words are compared."""
    # Most texts begin with a word and a blank, which takes a third of the time to see.
    head = text.partition(" ")[0]
    if head.isalnum():
        return head.casefold()
    begun = WORD.search(text)
    return begun[0].casefold() if begun else ""


def words(text: str) -> list[str]:
    """Words as they are compared: lower case, without punctuation."""
    return [word.casefold() for word in WORD.findall(text)]


def is_copy(source: str, text: str) -> bool:
    """Whether a text is its source, but for case and punctuation. Names and numbers are the same in both languages."""
    if _source_words(source) != words(text):
        return False
    found = WORD.findall(source)
    if len(found) >= WORDS and len(plain_words(found)) >= 2:
        return True
    return dense_characters(source) >= 2 * WORDS


def dense_characters(text: str) -> int:
    """How many Chinese, Japanese and Korean characters a text has."""
    return len(re.findall(_DENSE, text)) if max(text, default="") >= _FIRST_DENSE else 0


@lru_cache(maxsize=4)  # the source of an item is asked for again with each of its texts
def _source_words(source: str) -> list[str]:
    return words(source)


def may_refuse(begin: str) -> bool:
    """Whether an answer that declines may begin with this word."""
    return begin in _STARTS or (begin >= _FIRST_DENSE and begin[:2] in _DENSE_STARTS)


def is_introduced(source: str, text: str) -> bool:
    """Whether a text presents a translation ("Here is the translation: …") and its source presents nothing itself."""
    found = re.search(_INTRODUCED, text, re.IGNORECASE | re.VERBOSE)
    return bool(found) and not re.match(r"[^.!?]{0,80}:\s", source)


def is_refusal(source: str, text: str, begin: str) -> bool:
    """Whether a text begins as models decline, and its source does not speak of such things itself."""
    if seconds := _STARTS.get(begin):
        start = text.split(None, 2)
        # Of two words between blanks the second is seen at once.
        if len(start) < 2 or not (start[0].isalnum() and start[1].isalnum()):
            start = WORD.findall(text[: len(begin) + SECOND])
        if len(start) < 2 or start[1].casefold() not in seconds:
            return False
    # Compiled here, and kept by `re`: most evaluations meet no text that begins so.
    if not re.match(_REFUSAL, text, re.IGNORECASE | re.VERBOSE):
        return False
    return not re.search(_APOLOGY, source, re.IGNORECASE)


def plain_words(found: Iterable[str]) -> set[str]:
    """The distinct words among these that are neither names nor numbers."""
    return {word for word in found if len(word) > 1 and not word[0].isupper() and not word[0].isdigit()}


@lru_cache(maxsize=4)  # the source of an item is asked for again with each of its texts
def loops(text: str) -> int:
    """How many times in a row words, up to eight of them together, or a character are repeated at most."""
    found, most = words(text), 1
    # At the first place where `size` words repeat those before them, they stand there twice; every `size` further such
    # places in a row make one repetition more.
    for size in range(1, min(UNIT, len(found) // 2) + 1):
        turns = 1
        for place in range(size, len(found) - size + 1):
            same = found[place - size : place] == found[place : place + size]
            turns = turns + 1 if same else 1
            most = max(most, 1 + (turns - 1 + size - 1) // size if same else 1)
    longest = max((len(run[0]) for run in _LETTERS.finditer(text)), default=0)
    return max(most, longest)


def _with_runs(texts: Sequence[str]) -> set[int]:
    """The places of texts in which the same letter stands ten times in a row; many texts are looked at in one go."""
    found: set[int] = set()
    every = iter(texts)
    start = 0
    while block := list(islice(every, _BLOCK)):
        letters = np.frombuffer("\n".join(block).encode("utf-32-le", "surrogatepass"), np.uint32)
        # Equal neighbours; then runs of 3, 5, 9 and 10 characters that are the same.
        same = letters[1:] == letters[:-1]
        for further in (1, 2, 4, RUN - 9):
            same = same[further:] & same[:-further]
        if same.any():
            ends = np.cumsum([len(text) + 1 for text in block])
            places = set(np.searchsorted(ends, np.flatnonzero(same), side="right").tolist())
            found.update(start + place for place in places if _LETTERS.search(block[place]))
        start += len(block)
    return found


def _may_repeat(text: str) -> bool:
    """Rules out most texts in which a word comes again: in a loop it does so several times, and in a row."""
    parts = words(text)
    if len(parts) - len(set(parts)) < TURNS - 1:
        return False
    return any(sum(map(eq, parts, parts[size:])) >= (TURNS - 1) * size for size in range(1, UNIT + 1))


def _canned(suite: Suite, outputs: Outputs, hashes: NDArray[np.int64]) -> Iterable[list[int]]:
    """Codes of texts that are the same for items of several categories."""
    order = np.argsort(hashes, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(hashes[order]) != 0])
    sizes = np.diff(np.r_[starts, len(order)])
    several = np.flatnonzero(sizes >= CATEGORIES)
    for start, size in zip(starts[several].tolist(), sizes[several].tolist(), strict=True):
        codes = order[start : start + size]
        categories = {suite.items[owner].category for owner in outputs.owners[codes].tolist()}
        if len(categories) >= CATEGORIES and len(WORD.findall(outputs.texts[codes[0]])) >= WORDS:
            yield codes.tolist()
