"""Texts without what twins may differ in: case, punctuation, contractions, spelling variants.

    plain("He's travelling, I can't!")      # "he is travelling i cannot"

A linguist who has judged a text has judged its twins, but for phenomena that are about such things: a question is not
the twin of a statement, and a hyphen makes one word of two, so that these stay.
"""

import re

from assay.languages import base_language, split_pair
from assay.text import LONGEST

# What 'd and 's stand for is a guess: a wrong one makes a text without a twin ("he would gone"), never a wrong twin.
_CONTRACTIONS = {
    **{f"{word}'s": f"{word} is" for word in ("it", "he", "she", "that", "there", "what", "who", "where", "how")},
    "can't": "cannot",
    "can not": "cannot",
    "won't": "will not",
    "shan't": "shall not",
    "gonna": "going to",
    "n't": " not",
    "'re": " are",
    "'ve": " have",
    "'ll": " will",
    "'m": " am",
    "'d": " would",
    "ß": "ss",
}
_WHOLE_WORDS = [rf"\b{key}\b" for key in _CONTRACTIONS if len(key) > 3]
_CONTRACTION = re.compile("|".join(_WHOLE_WORDS + [key for key in _CONTRACTIONS if len(key) <= 3]))

# Like British and American English; words that only look like it do no harm, since both texts are changed alike.
_SPELLING = re.compile(
    r"(?<=\w{3})(?P<iz>is)(?=(?:e|es|ed|ing|ations?)\b)|(?<=\w{2})(?P<or>our)(?=(?:s|ed|ing|ite|ful)?\b)"
)
_LOST = re.compile(r"[^\w\s?/-]+")

_LETTERS = 4


def capitals_tell(langpair: str) -> bool:
    """Whether case tells words of the target language apart, as where nouns have capitals."""
    return base_language(split_pair(langpair)[1]) in ("de", "lb")


def plain(text: str, *, cased: bool = False) -> str:
    """The same for texts that are twins; `cased` keeps capitals but for that of the first letter."""
    short = text[:LONGEST]
    short = short[:1].casefold() + short[1:] if cased else short.casefold()
    return " ".join(_LOST.sub(" ", spelled_alike(short)).replace("?", " ? ").split())


def spelled_alike(text: str) -> str:
    """The same for texts that differ in contractions and spelling variants only."""
    spelt = _CONTRACTION.sub(lambda found: _CONTRACTIONS[found[0]], text)
    return _SPELLING.sub(lambda found: found.lastgroup or "", spelt)


def letters(plain_text: str) -> set[str]:
    """Four letters in a row, with the blanks around the text."""
    padded = f" {plain_text} "
    # A text of punctuation alone has none; it is like those that have none either.
    return {padded[start : start + _LETTERS] for start in range(max(1, len(padded) - _LETTERS + 1))}
