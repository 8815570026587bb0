"""A second suggester for the pages of the workbench: answers are kept, and no page waits long for one.

    opinions = Opinions("openai:model=qwen3,base_url=http://localhost:8000/v1")
    opinions.of("de-en").suggest(question)      # Opinion("waiting") after two seconds, later Opinion("ready", …)

Whoever calls this has switched suggestions on, and it has been written down that they are seen (`Reader.opinion`).
"""

import threading
import time
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, Literal

from assay.errors import AssayError
from assay.lru import LruCache
from assay.suggest import Question, Suggester, Suggestion
from assay.suggest.llm import load_suggester
from assay.suggest.run import nearest_first

PATIENCE: Final = 2.0
"""Seconds that a page waits."""

KEPT: Final = 10_000
"""Answers that are remembered."""

AT_ONCE: Final = 4
"""Questions under way; whoever comes when there are so many does not ask."""

AGAIN: Final = 60.0
"""Seconds after which a question that failed is asked again."""

State = Literal["ready", "waiting", "failed", "held_out"]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What there is to show: a suggestion or none (`ready`), not yet, no answer (`reason`), or not to be asked."""

    state: State
    suggestion: Suggestion | None = None
    reason: str = ""


class _PendingAnswer:
    """A question under way, or done."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.opinion = Opinion("waiting")
        self.ended = 0.0

    @property
    def is_stale(self) -> bool:
        return self.opinion.state == "failed" and time.monotonic() - self.ended > AGAIN


class CachedSuggester:
    """One suggester for all pages; safe to use from several threads."""

    def __init__(self, suggester: Suggester, *, patience: float = PATIENCE, sends_held_out: bool = False) -> None:
        self.name = suggester.name
        self._suggester = suggester
        self._patience = patience
        self._sends_held_out = sends_held_out
        self._answers: LruCache[Hashable, _PendingAnswer] = LruCache(KEPT)
        self._lock = threading.Lock()

    def suggest(self, question: Question) -> Opinion:
        """What the suggester says, if it has said so within the patience of a page."""
        if question.item.held_out and not (self._suggester.is_local or self._sends_held_out):
            return Opinion("held_out")
        answer = self._ask(nearest_first(question))
        if answer is None:
            return Opinion("waiting")
        answer.done.wait(self._patience)
        return answer.opinion

    def close(self) -> None:
        """Let go of connections; what is under way is left to itself."""
        self._suggester.close()

    def _ask(self, question: Question) -> _PendingAnswer | None:
        item = question.item
        key = (item.id, item.source, item.tests, question.description, question.text, question.known)
        with self._lock:
            found = self._answers.find(key)
            if found is not None and not found.is_stale:
                return found
            if sum(not answer.done.is_set() for answer in self._answers.values()) >= AT_ONCE:
                return None
            answer = _PendingAnswer()
            self._answers.keep(key, answer)
        threading.Thread(target=self._work, args=(question, answer), daemon=True).start()
        return answer

    def _work(self, question: Question, answer: _PendingAnswer) -> None:
        opinion = Opinion("failed", reason="the suggester broke off")
        try:
            opinion = Opinion("ready", self._suggester.suggest(question))
        except AssayError as error:
            opinion = Opinion("failed", reason=str(error))
        finally:
            answer.ended, answer.opinion = time.monotonic(), opinion
            answer.done.set()


class Opinions:
    """The suggester that a server was started with, for the language pairs of all its suites."""

    def __init__(self, spec: str, *, patience: float = PATIENCE, sends_held_out: bool = False) -> None:
        self._spec = spec
        self._patience = patience
        self._sends_held_out = sends_held_out
        self._lock = threading.Lock()
        self._by_pair: dict[str, CachedSuggester] = {}
        # A mistake in the name, an option or the key is told when the server starts, not on a page.
        suggester = load_suggester(spec, "de-en")
        self.name = suggester.name
        suggester.close()

    def of(self, langpair: str) -> CachedSuggester:
        """The suggester for a language pair."""
        with self._lock:
            if langpair not in self._by_pair:
                suggester = load_suggester(self._spec, langpair)
                self._by_pair[langpair] = CachedSuggester(
                    suggester, patience=self._patience, sends_held_out=self._sends_held_out
                )
            return self._by_pair[langpair]

    def close(self) -> None:
        """Let go of all connections."""
        for asking in self._by_pair.values():
            asking.close()
