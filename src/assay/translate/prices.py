"""Tokens and costs: what a run is likely to take, and what it took.

    Prices(into=2.5, out=10.0).of_tokens(1_000, 300)   # 0.0055
    guess_tokens("Der Schlüssel steckt noch.")         # 7, an estimate

Assay knows no prices: they change, and differ by contract. A cost is worked out only from prices that the user gives,
in the user's currency; without them it is None. Tokens before a request are guessed from characters, since every
model has its own tokenizer: 4 characters a token in Latin script, 1 in Chinese, Japanese and Korean, 2.5 in any other.
After a request they are the server's count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from assay.errors import BadOption
from assay.languages import DENSE, base_language
from assay.translate.options import Options

MILLION = 1_000_000
LATIN, DENSE_SCRIPT, OTHER = 4.0, 1.0, 2.5
"""Characters a token: a rule of thumb, not a count."""

# Written in scripts that are neither Latin nor dense: Cyrillic, Arabic, Devanagari and others.
_OTHER_LANGUAGES = frozenset(
    {"am", "ar", "be", "bg", "bn", "el", "fa", "gu", "he", "hi", "hy", "ka", "kk", "km", "kn", "ky", "lo", "mk", "ml",
     "mn", "mr", "my", "ne", "or", "pa", "ps", "ru", "si", "sr", "ta", "te", "tg", "th", "ti", "uk", "ur", "yi"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million costs: tokens `into` the model and `out` of it, or `characters` of the source."""

    into: float | None = None
    out: float | None = None
    characters: float | None = None

    def of_tokens(self, into: int | None, out: int | None) -> float | None:
        """The cost of so many tokens."""
        if self.into is None or self.out is None or into is None or out is None:
            return None
        return (into * self.into + out * self.out) / MILLION

    def of_characters(self, sentences: Sequence[str]) -> float | None:
        """The cost of translating these."""
        return None if self.characters is None else sum(map(len, sentences)) * self.characters / MILLION


def token_prices(options: Options) -> Prices:
    """`price_in` and `price_out` of a language model, per million tokens: both or neither."""
    into, out = options.number("price_in", None), options.number("price_out", None)
    if (into is None) != (out is None):
        raise BadOption(f"{options.engine}: price_in and price_out belong together; give both")
    return Prices(into, out)


def character_price(options: Options) -> Prices:
    """`price` of an online engine, per million characters."""
    return Prices(characters=options.number("price", None))


def guess_tokens(text: str) -> int:
    """How many tokens a text is likely to have."""
    if text.isascii():
        return ceil(len(text) / LATIN)
    return ceil(sum(1 / _characters_a_token(character) for character in text))


def guess_translation(text: str, target: str) -> int:
    """How many tokens the translation of a text is likely to have, if it is as long as the text."""
    language = base_language(target)
    rate = DENSE_SCRIPT if language in DENSE else OTHER if language in _OTHER_LANGUAGES else LATIN
    return ceil(len(text) / rate)


def _characters_a_token(character: str) -> float:
    code = ord(character)
    # Latin letters, with accents and for Vietnamese, and the punctuation that goes with every script.
    if code < 0x250 or 0x1E00 <= code < 0x1F00 or 0x2000 <= code < 0x2070:
        return LATIN
    # Hangul; Chinese and Japanese; syllables of Hangul; rare Chinese characters.
    if 0x1100 <= code < 0x1200 or 0x2E80 <= code < 0xA4D0 or 0xAC00 <= code < 0xD7B0 or 0x20000 <= code < 0x30000:
        return DENSE_SCRIPT
    return OTHER
