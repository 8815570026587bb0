"""What is done about the answers and faults of an engine: keep, try again later, give a sentence up, end the run.

    class Rounds(RetryLoop):
        def put_off(self, task, seconds): …     # when to ask again

`collect` asks by threads of this process, `remote` by workers; what follows from an answer is decided here for both.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from assay.errors import AssayError, BadOption
from assay.limits import longest_text
from assay.progress import Progress
from assay.translate.engine import Answer, BadAnswer, Engine, Refused, TryAgain

TIMEOUT = 60.0
"""Seconds for one call where neither the user nor the engine says."""

GRACE = 5.0
"""Seconds that an engine may be late by its own time limit: its own message is the better one."""

LONGEST_WAIT = 300.0
"""A server that asks for more patience than this has refused."""

IN_A_ROW = 10
"""So many requests given up in a row end the run: the engine is down, and going on would give all others up too."""

Result = Sequence[Answer] | Exception
"""The answers to a request, or what was raised instead."""

Keep = Callable[[Sequence[tuple[str, Answer]]], None]
"""Writes sentences and their answers to disk."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How hard to ask. None: as the engine itself says. `backoff`: the seconds before the first repetition."""

    concurrency: int | None = None
    batch: int | None = None
    per_minute: float | None = None
    timeout: float | None = None
    retries: int = 5
    max_requests: int | None = None
    max_cost: float | None = None
    backoff: float = 1.0

    def __post_init__(self) -> None:
        for name in ("concurrency", "batch", "per_minute", "timeout", "max_requests", "max_cost"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise BadOption(f"{name.replace('_', '-')} is {value:g}; it must be above 0")
        if self.retries < 0:
            raise BadOption(f"retries is {self.retries}; it must not be negative")


Stop = Literal["", "refused", "budget", "interrupted"]


@dataclass
class Collected:
    """The outcome of a run. `failures` has the sentences that were asked for and given up, and why."""

    asked: int
    answered: int = 0
    requests: int = 0
    repeated: int = 0
    cost: float | None = None
    failures: dict[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    """Sentences of the request at which the engine refused to go on."""
    stop: Stop = ""
    reason: str = ""

    @property
    def unanswered(self) -> frozenset[str]:
        """Sentences that were asked for in vain; those that a stopped run did not come to are not among them."""
        return frozenset(self.failures) | self.refused


@dataclass(eq=False)
class SentenceBatch:
    """Sentences that are asked for in one request; `cost` is the engine's estimate where there is a budget."""

    sentences: tuple[str, ...]
    tries: int = 0
    is_done: bool = False
    cost: float = 0.0


class RetryLoop(ABC):
    """Handles the results of requests, and counts them in `found`.

    How requests are made, and how one that was put off waits for its turn, is up to those who inherit. An exception
    that is not an error of the engine is a bug: it is kept in `bug`, to be raised when the run has ended.
    """

    def __init__(self, engine: Engine, asked: int, *, keep: Keep, limits: Limits, progress: Progress | None) -> None:
        self.engine = engine
        self.limits = limits
        self.found = Collected(asked)
        self.bug: BaseException | None = None
        # The engine's own limit fires first, with a message that says more; the user's is exact.
        self.timeout: float = limits.timeout or (getattr(engine, "timeout", None) or TIMEOUT) + GRACE
        self._keep = keep
        self._progress = progress
        self._given_up_in_a_row = 0
        self._random = random.Random()
        self._spent = 0.0

    @abstractmethod
    def put_off(self, task: SentenceBatch, seconds: float) -> None:
        """Ask again, not before so many seconds."""

    def hold(self, seconds: float) -> None:  # noqa: B027 (rounds on a cluster have nothing to hold back)
        """Ask for nothing at all for so many seconds."""

    def stop(self) -> None:  # noqa: B027 (nor to stop)
        """Do not even wait for the requests that are under way."""

    def take(self, results: Iterable[tuple[SentenceBatch, Result]]) -> None:
        """Keep the answers among these, and handle the faults."""
        kept: list[tuple[str, Answer]] = []
        for task, result in results:
            if isinstance(result, Exception):
                self._handle_fault(task, result)
            else:
                kept += self._accepted(task, result)
        if kept:
            self._keep(kept)
            self.found.answered += len(kept)
            if self._progress:
                self._progress(len(kept))

    def _accepted(self, task: SentenceBatch, answers: Sequence[Answer]) -> Iterator[tuple[str, Answer]]:
        task.is_done = True
        self._given_up_in_a_row = 0
        costs = [answer.cost for answer in answers if answer.cost is not None]
        if costs:
            self.found.cost = (self.found.cost or 0.0) + sum(costs)
        # Where an answer does not say what it cost, the estimate counts: a budget must not be exceeded unseen.
        self._spent += sum(costs) if len(costs) == len(answers) else max(task.cost, sum(costs))
        for sentence, answer in zip(task.sentences, answers, strict=True):
            if not answer.text.strip():
                self._give_up([sentence], "the answer is empty")
            elif not _is_writable(answer.text):
                self._give_up([sentence], "the answer holds half a character")
            elif max(len(answer.text), len(answer.raw)) > longest_text():
                self._give_up([sentence], f"the answer has more than {longest_text():,} characters (ASSAY_MAX_TEXT)")
            else:
                yield sentence, answer

    def _handle_fault(self, task: SentenceBatch, error: Exception) -> None:
        """Try again later, give the sentence up, or end the run."""
        if isinstance(error, TryAgain):
            self.retry(task, error)
        elif isinstance(error, BadAnswer):
            task.is_done = True
            self._given_up_in_a_row = 0
            if len(task.sentences) == 1:
                self._give_up(task.sentences, str(error))
                return
            # One sentence spoiled the answer to all of them: asked for alone, the others get theirs.
            for sentence in task.sentences:
                self.put_off(SentenceBatch((sentence,), task.tries), 0.0)
        elif isinstance(error, AssayError):
            self.found.refused.update(task.sentences)
            self.end("refused", str(error))
            self.stop()
        else:
            self.bug = error
            self.stop()

    def retry(self, task: SentenceBatch, error: TryAgain) -> None:
        """Put a request off after a passing fault, or give it up where it was tried often enough."""
        if error.after is not None and error.after > LONGEST_WAIT:
            self.end("refused", f"{error} (it asks to come back in {error.after:,.0f} seconds)")
            self.stop()
        elif task.tries <= self.limits.retries:
            # The server means all requests with this key, and not only the one that it refused.
            if error.after is not None:
                self.hold(error.after)
            # Twice as long each time, and not all at the same moment: those that failed together would fail again.
            wait = min(self.limits.backoff * 2 ** (task.tries - 1), LONGEST_WAIT) * self._random.uniform(0.5, 1.0)
            self.put_off(task, max(wait, error.after or 0.0))
        else:
            task.is_done = True
            self._give_up(task.sentences, str(error))
            self._given_up_in_a_row += 1
            if self._given_up_in_a_row >= IN_A_ROW:
                tries = f" after {task.tries} tries each" if task.tries > 1 else ""
                self.end(
                    "refused",
                    f"no answer to {self._given_up_in_a_row} requests in a row{tries}; the last fault: {error}",
                )
                self.stop()

    def _give_up(self, sentences: Sequence[str], why: str) -> None:
        self.found.failures.update(dict.fromkeys(sentences, why))

    def end(self, stop: Stop, reason: str) -> None:
        """Make no further request; the answers of those under way are still kept. The first reason counts."""
        if not self.found.stop:
            self.found.stop, self.found.reason = stop, reason


def batches(engine: Engine, sentences: Sequence[str], limits: Limits) -> Iterator[SentenceBatch]:
    """The requests in which sentences are asked for; they depend on nothing else, since answers may depend on them."""
    rest, size = iter(sentences), min(limits.batch or engine.batch, engine.batch)
    while batch := tuple(islice(rest, size)):
        yield SentenceBatch(batch)


def ask(engine: Engine, sentences: Sequence[str]) -> Sequence[Answer]:
    """One answer for each sentence."""
    answers = engine.translate(sentences)
    if len(answers) != len(sentences):
        raise Refused(f"{engine.name} gave {len(answers)} answers to {len(sentences)} sentences")
    return answers


def _is_writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
