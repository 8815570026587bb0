"""Online engines that are made for translating: several sentences a request, a price a character.

    OnlineEngine("deepl", service, codes, Pace(4, None, 60), Prices(), batch=50).translate(["Hallo"])

An engine's own module has what its API calls things; here is what they share.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.languages import engine_code
from assay.translate.engine import Answer, BadAnswer, Estimate, LanguagePair
from assay.translate.http import Server, connect, is_loopback
from assay.translate.options import Options, chosen
from assay.translate.pace import Pace, Paced, read_pace
from assay.translate.prices import Prices, character_price

TIMEOUT = 60.0
"""Seconds for one answer where the user names none."""

Ask = Callable[[Sequence[str]], Sequence[Any]]
"""Sends sentences, and returns what the server sent for each; whether these are texts is checked by `OnlineEngine`."""


@dataclass(frozen=True)
class OnlineEngine(Paced):
    """An engine behind an API.

    A request has `most` characters at most, as far as sentences allow: a longer one goes alone.
    """

    name: str
    ask: Ask
    parameters: Mapping[str, str]
    pace: Pace
    prices: Prices
    batch: int
    most: int
    is_local: bool = False
    close: Callable[[], None] = field(default=lambda: None)

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        """Characters, and their cost if the user gave a price; these engines count no tokens."""
        return Estimate(sum(map(len, sentences)), None, self.prices.of_characters(sentences))

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        answers = []
        for part in _parts(sentences, self.most):
            texts = self.ask(part)
            if len(texts) != len(part) or not all(isinstance(text, str) for text in texts):
                raise BadAnswer(f"{self.name}: the answer has no translation, or not one for each sentence")
            answers += [
                Answer(text, cost=self.prices.of_characters([sentence]))
                for sentence, text in zip(part, texts, strict=True)
            ]
        return answers


def _parts(sentences: Sequence[str], most: int) -> Iterator[list[str]]:
    """Runs of sentences that have at most so many characters together."""
    part: list[str] = []
    for sentence in sentences:
        if part and sum(map(len, part)) + len(sentence) > most:
            yield part
            part = []
        part.append(sentence)
    if part:
        yield part


@dataclass(frozen=True, slots=True)
class Api:
    """What the API of an engine is like: its language codes and the limits of a request."""

    codes: Mapping[str, str] = field(default_factory=dict)
    target_codes: Mapping[str, str] = field(default_factory=dict)
    batch: int = 50
    most: int = 30_000


def read_codes(options: Options, pair: LanguagePair, api: Api) -> LanguagePair:
    """The pair in the engine's codes; `source_code` and `target_code` where the user knows better."""
    return LanguagePair(
        options.text("source_code") or engine_code(pair.source, api.codes),
        options.text("target_code") or engine_code(pair.target, {**api.codes, **api.target_codes}),
    )


class Connection:
    """An engine's server and the options that all have: the engine itself reads its own, and is made by `engine`."""

    def __init__(self, options: Options, pair: LanguagePair, api: Api, server: Server) -> None:
        self._options, self._api = options, api
        self._pace = read_pace(options, timeout=TIMEOUT)
        self.http = connect(options, server, timeout=self._pace.timeout)
        self.codes = read_codes(options, pair, api)

    def engine(self, ask: Ask, parameters: Mapping[str, str]) -> OnlineEngine:
        """The engine, after everything of its own has been read from the options."""
        options, url = self._options, self.http.url
        prices = character_price(options)
        batch = options.whole("batch", self._api.batch, high=self._api.batch)
        options.finish()
        return OnlineEngine(
            options.engine,
            ask,
            {"engine": options.engine, "endpoint": url, **chosen(parameters)},
            self._pace,
            prices,
            batch,
            self._api.most,
            is_loopback(url),
            self.http.close,
        )
