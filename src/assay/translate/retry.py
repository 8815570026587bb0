"""What comes of asking an engine: how hard to ask, what is done about answers and faults, and what is left in the end.

    class Rounds(Asking):
        def put_off(self, task, seconds): …     # when to ask again

`collecting` asks by threads of this process, `spreading` by workers; what they make of an answer is decided here.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from assay.errors import AssayError, BadOption
from assay.progress import Progress
from assay.translate.engine import Answer, BadAnswer, Engine, Refused, TryAgain

TIMEOUT = 60.0
"""Seconds for one call where neither the user nor the engine says."""

GRACE = 5.0
"""Seconds that an engine may be late by its own time limit: its own message is the better one."""

LONGEST_WAIT = 300.0
"""A server that asks for more patience than this has refused."""

IN_A_ROW = 10
"""So many calls in a row that were given up, with no answer between them, end the run."""

Result = Sequence[Answer] | Exception
"""What came of a request."""

Keep = Callable[[Sequence[tuple[str, Answer]]], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """How hard to ask. None is what the engine itself says; `backoff` the seconds before the first repetition."""

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
    """What came of it. `failures` has the sentences without an answer that were asked for, and why."""

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
        """What was asked for in vain; what a stopped run did not come to is not in it."""
        return frozenset(self.failures) | self.refused


@dataclass(eq=False)
class SentenceBatch:
    """Sentences that are asked for in one request."""

    sentences: tuple[str, ...]
    tries: int = 0
    is_done: bool = False
    cost: float = 0.0


class RetryLoop:
    """Sees to what comes of requests: answers are kept, faults repeated, given up, or the end of the run.

    How requests are made, and when one that was put off is made again, is up to those who inherit.
    """

    def __init__(self, engine: Engine, asked: int, *, keep: Keep, limits: Limits, progress: Progress | None) -> None:
        self.engine = engine
        self.limits = limits
        self.found = Collected(asked)
        self.bug: BaseException | None = None
        self.timeout: float = limits.timeout or (getattr(engine, "timeout", None) or TIMEOUT) + GRACE
        self._keep = keep
        self._progress = progress
        self._barren = 0
        self._chance = random.Random()
        self._spent = 0.0

    def put_off(self, task: SentenceBatch, seconds: float) -> None:
        """Ask again, not before so many seconds."""
        raise NotImplementedError

    def hold(self, seconds: float) -> None:
        """Ask for nothing at all for so many seconds."""

    def stop(self) -> None:
        """Wait for no request any more."""

    def take(self, results: Iterable[tuple[SentenceBatch, Result]]) -> None:
        """Keep the answers among these, see to the faults."""
        kept: list[tuple[str, Answer]] = []
        for task, result in results:
            if isinstance(result, Exception):
                self._see_to(task, result)
            else:
                kept += self._usable(task, result)
        if kept:
            self._keep(kept)
            self.found.answered += len(kept)
            if self._progress:
                self._progress(len(kept))

    def _usable(self, task: SentenceBatch, answers: Sequence[Answer]) -> Iterator[tuple[str, Answer]]:
        task.is_done = True
        self._barren = 0
        costs = [answer.cost for answer in answers if answer.cost is not None]
        if costs:
            self.found.cost = (self.found.cost or 0.0) + sum(costs)
        self._spent += sum(costs) if len(costs) == len(answers) else max(task.cost, sum(costs))
        for sentence, answer in zip(task.sentences, answers, strict=True):
            if not answer.text.strip():
                self._give_up([sentence], "the answer is empty")
            elif not _is_writable(answer.text):
                self._give_up([sentence], "the answer holds half a character")
            else:
                yield sentence, answer

    def _see_to(self, task: SentenceBatch, error: Exception) -> None:
        """A fault: again later, not at all, or the end."""
        if isinstance(error, TryAgain):
            self.again(task, error)
        elif isinstance(error, BadAnswer):
            task.is_done = True
            self._barren = 0
            if len(task.sentences) == 1:
                self._give_up(task.sentences, str(error))
            for sentence in task.sentences if len(task.sentences) > 1 else ():
                self.put_off(SentenceBatch((sentence,), task.tries), 0.0)
        elif isinstance(error, AssayError):
            self.found.refused.update(task.sentences)
            self.end("refused", str(error))
            self.stop()
        else:
            self.bug = error
            self.stop()

    def again(self, task: SentenceBatch, error: TryAgain) -> None:
        """A passing fault: later, or, where that was tried often enough, never."""
        if error.after is not None and error.after > LONGEST_WAIT:
            self.end("refused", f"{error} (it asks to come back in {error.after:,.0f} seconds)")
            self.stop()
        elif task.tries <= self.limits.retries:
            if error.after is not None:
                self.hold(error.after)
            wait = min(self.limits.backoff * 2 ** (task.tries - 1), LONGEST_WAIT) * self._chance.uniform(0.5, 1.0)
            self.put_off(task, max(wait, error.after or 0.0))
        else:
            task.is_done = True
            self._give_up(task.sentences, str(error))
            self._barren += 1
            if self._barren >= IN_A_ROW:
                tries = f" after {task.tries} tries each" if task.tries > 1 else ""
                self.end("refused", f"no answer to {self._barren} requests in a row{tries}; the last fault: {error}")
                self.stop()

    def _give_up(self, sentences: Sequence[str], why: str) -> None:
        self.found.failures.update(dict.fromkeys(sentences, why))

    def end(self, stop: Stop, reason: str) -> None:
        """No further call; those under way still count."""
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
