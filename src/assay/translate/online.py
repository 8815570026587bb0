"""Online engines that are made for translating: several sentences a request, a price a character.

    OnlineEngine("deepl", service, codes, Pace(4, None, 60), Prices(), batch=50).translate(["Hallo"])

An engine's own module has what its API calls things; here is what they share.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.languages import engine_code
from assay.translate.engine import Answer, BadAnswer, Estimate, LanguagePair
from assay.translate.faults import RequestContext
from assay.translate.http import Http, Secret, checked_url, host_of, is_loopback
from assay.translate.options import Options
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
    """What the API of an engine is like: the usual name of its key, its language codes, the limits of a request."""

    key: str
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


def read_url(options: Options, option: str, usual: str) -> str:
    """The address that the user chose, or the usual one."""
    return checked_url(options.engine, option, options.text(option, usual))


@dataclass(frozen=True, slots=True)
class Connection:
    """Where an engine is, who asks, and how fast."""

    http: Http
    pace: Pace


def connect(
    options: Options,
    api: Api,
    url: str,
    *,
    secret: Secret | None,
    headers: Mapping[str, str] | None = None,
) -> Connection:
    """A client for an engine."""
    pace = read_pace(options, timeout=TIMEOUT)
    asked = RequestContext(options.engine, host_of(url), secret.key.name if secret else None, usual_key=api.key)
    return Connection(Http(asked, url, secret=secret, headers=headers, timeout=pace.timeout), pace)


def online_engine(
    options: Options, api: Api, connection: Connection, *, ask: Ask, parameters: Mapping[str, str | None]
) -> OnlineEngine:
    """The engine, after everything of its own has been read from the options."""
    prices = character_price(options)
    batch = options.whole("batch", api.batch, high=api.batch)
    options.finish()
    url = connection.http.url
    return OnlineEngine(
        options.engine,
        ask,
        {"engine": options.engine, "endpoint": url, **{name: text for name, text in parameters.items() if text}},
        connection.pace,
        prices,
        batch,
        api.most,
        is_loopback(url),
        connection.http.close,
    )
