"""Asking an engine for many sentences: several calls at once, a rate limit, retries, budgets, and nothing lost.

    found = collect(engine, sentences, keep=journal_answers, limits=Limits(retries=3))
    found.answered, found.failures, found.stopped

Threads call the engine. One more thread, the conductor, hands out the sentences, repeats what failed for the moment and
passes answers to `keep` as they arrive, many at a time where many are there. Only a few calls wait at any moment, so
that memory does not grow with the number of sentences. Ctrl-C reaches the main thread, which only waits: the conductor
passes on what has arrived, and the rest is left.
"""

import heapq
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from queue import Empty, SimpleQueue
from typing import Literal, NamedTuple

from assay.model import AssayError, BadOption
from assay.systems.engine import Answer, BadAnswer, Engine, Refused, TryAgain

TIMEOUT = 60.0
"""Seconds for one call where neither the user nor the engine says."""

GRACE = 5.0
"""Seconds that an engine may be late by its own time limit: its own message is the better one."""

LONGEST_WAIT = 300.0
"""A server that asks for more patience than this has refused."""

IN_A_ROW = 10
"""So many calls in a row that were given up, with no answer between them, end the run."""

Keep = Callable[[Sequence[tuple[str, Answer]]], None]
Progress = Callable[[int], None]


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


def collect(
    engine: Engine,
    sentences: Sequence[str],
    *,
    keep: Keep,
    limits: Limits,
    progress: Progress | None = None,
) -> Collected:
    """Ask for every sentence; `keep` gets the answers. Ends early, and says why, where the engine refuses or the budget
    is spent, and at Ctrl-C."""
    run = _Run(engine, sentences, keep, limits, progress)
    conductor = threading.Thread(target=run.conduct, daemon=True)
    # Not `join`: in Python 3.11 a thread whose join was interrupted counts as ended.
    try:
        conductor.start()
        while not run.ended.wait(0.5):
            pass
    except KeyboardInterrupt:
        run.interrupt()
        if conductor.ident is not None:  # an interruption may come before there is anything to wait for
            run.ended.wait()
    if run.bug is not None:
        raise run.bug
    return run.found


class RateLimiter:
    """Calls at even distances, whichever thread makes them."""

    def __init__(self, per_minute: float | None) -> None:
        self._distance = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self, stopped: threading.Event) -> bool:
        """Until it is the caller's turn; False where the run has been stopped."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._distance
        return not stopped.wait(max(0.0, turn - time.monotonic()))

    def hold(self, seconds: float) -> None:
        """Nobody's turn comes before so many seconds from now."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)


@dataclass(eq=False)
class _Task:
    sentences: tuple[str, ...]
    tries: int = 0
    is_done: bool = False
    cost: float = 0.0


@dataclass(eq=False)
class _Call:
    """One attempt at a task. `began` is set by the thread that makes it."""

    task: _Task
    began: float | None = None
    is_abandoned: bool = False


class _Outcome(NamedTuple):
    call: _Call | None
    result: Sequence[Answer] | Exception


class _Run:
    """One run of `collect`. All but `_work` and `interrupt` belongs to the conductor."""

    def __init__(
        self, engine: Engine, sentences: Sequence[str], keep: Keep, limits: Limits, progress: Progress | None
    ) -> None:
        self.engine = engine
        self.limits = limits
        self.found = Collected(len(sentences))
        self.bug: BaseException | None = None
        self._keep = keep
        self._progress = progress
        self._timeout: float = limits.timeout or (getattr(engine, "timeout", None) or TIMEOUT) + GRACE
        self._limiter = RateLimiter(limits.per_minute or engine.per_minute)
        self._concurrency = limits.concurrency or engine.concurrency
        self._fresh = _batches(sentences, min(limits.batch or engine.batch, engine.batch))
        self._calls: SimpleQueue[_Call] = SimpleQueue()
        self._outcomes: SimpleQueue[_Outcome] = SimpleQueue()
        self.ended = threading.Event()
        self._stopped = threading.Event()
        self._flying: set[_Call] = set()
        self._later: list[tuple[float, int, _Task]] = []
        self._numbers = count()
        self._workers = 0
        self._barren = 0
        self._chance = random.Random()
        self._spent = 0.0

    def interrupt(self) -> None:
        """Stop at once; what has arrived is still kept."""
        self.found.stop = "interrupted"
        self._stopped.set()
        self._outcomes.put(_Outcome(None, ()))

    # -- the threads that call the engine

    def _work(self) -> None:
        while True:
            call = self._calls.get()
            if self._stopped.is_set() or not self._limiter.wait(self._stopped):
                return
            call.began = time.monotonic()
            try:
                result: Sequence[Answer] | Exception = self._ask(call.task.sentences)
            except Exception as error:  # the conductor tells faults from bugs
                result = error
            self._outcomes.put(_Outcome(call, result))
            if call.is_abandoned:
                return

    def _ask(self, sentences: Sequence[str]) -> Sequence[Answer]:
        answers = self.engine.translate(sentences)
        if len(answers) != len(sentences):
            raise Refused(f"{self.engine.name} gave {len(answers)} answers to {len(sentences)} sentences")
        return answers

    # -- the conductor

    def conduct(self) -> None:
        """Until every sentence has its answer or has been given up, or something stops the run."""
        try:
            self._feed()
            while (self._flying or self._later) and not self._stopped.is_set():
                self._take(self._arrived())
                self._abandon_overdue()
                self._feed()
            self._take(self._drained())
        except BaseException as error:
            self.bug = error
        finally:
            self._stopped.set()
            for _ in range(self._workers):
                self._calls.put(_Call(_Task(())))  # wakes a thread, which sees that the run is over
            self.ended.set()

    def _feed(self) -> None:
        """Hand out what is due, then what is new; twice as much as threads, so that none of them waits."""
        room = 2 * self._concurrency
        while self._later and self._later[0][0] <= time.monotonic() and not self.found.stop:
            task = heapq.heappop(self._later)[2]
            if not task.is_done:
                self._send(task)
        while len(self._flying) + len(self._later) < room and not self.found.stop:
            fresh = next(self._fresh, None)
            if fresh is None:
                return
            self._send(fresh)
        if self.found.stop:
            self._later.clear()

    def _send(self, task: _Task) -> None:
        if self.limits.max_cost is not None:
            task.cost = self.engine.estimate(task.sentences).cost or 0.0
            if self._spent + task.cost + sum(call.task.cost for call in self._flying) > self.limits.max_cost:
                self._end("budget", f"the next request could cost more than is left of {self.limits.max_cost:g}")
                return
        if self.limits.max_requests is not None and self.found.requests >= self.limits.max_requests:
            self._end("budget", f"{self.limits.max_requests:,} requests were allowed, and made")
            return
        self.found.requests += 1
        self.found.repeated += task.tries > 0
        task.tries += 1
        call = _Call(task)
        self._flying.add(call)
        self._start_worker(len(self._flying))
        self._calls.put(call)

    def _start_worker(self, wanted: int) -> None:
        if self._workers < min(wanted, self._concurrency):
            self._workers += 1
            threading.Thread(target=self._work, daemon=True).start()

    def _arrived(self) -> Iterator[_Outcome]:
        """What is there, after waiting for the first if need be."""
        now = time.monotonic()
        due = [self._later[0][0]] if self._later else []
        due += [(call.began or now) + self._timeout for call in self._flying]
        patience = min(due) - now if due else 1.0
        try:
            yield self._outcomes.get(timeout=min(max(patience, 0.001), 1.0))
        except Empty:
            return
        yield from self._drained()

    def _drained(self) -> Iterator[_Outcome]:
        while not self._outcomes.empty():
            yield self._outcomes.get()

    def _take(self, outcomes: Iterable[_Outcome]) -> None:
        """Keep the answers among these, see to the faults."""
        kept: list[tuple[str, Answer]] = []
        for call, result in outcomes:
            if call is None:
                continue
            self._flying.discard(call)
            if call.task.is_done:
                continue
            if isinstance(result, Exception):
                self._see_to(call, result)
            else:
                kept += self._usable(call.task, result)
        if kept:
            self._keep(kept)
            self.found.answered += len(kept)
            if self._progress:
                self._progress(len(kept))

    def _usable(self, task: _Task, answers: Sequence[Answer]) -> Iterator[tuple[str, Answer]]:
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

    def _see_to(self, call: _Call, error: Exception) -> None:
        """A fault: again later, not at all, or the end."""
        task = call.task
        if isinstance(error, TryAgain):
            if not call.is_abandoned:
                self._again(task, error)
        elif isinstance(error, BadAnswer):
            task.is_done = True
            self._barren = 0
            if len(task.sentences) == 1:
                self._give_up(task.sentences, str(error))
            for sentence in task.sentences if len(task.sentences) > 1 else ():
                self._put_off(_Task((sentence,), task.tries), 0.0)
        elif isinstance(error, AssayError):
            self.found.refused.update(task.sentences)
            self._end("refused", str(error))
            self._stopped.set()
        else:
            self.bug = error
            self._stopped.set()

    def _again(self, task: _Task, error: TryAgain) -> None:
        if error.after is not None and error.after > LONGEST_WAIT:
            self._end("refused", f"{error} (it asks to come back in {error.after:,.0f} seconds)")
            self._stopped.set()
        elif task.tries <= self.limits.retries:
            if error.after is not None:
                self._limiter.hold(error.after)
            wait = min(self.limits.backoff * 2 ** (task.tries - 1), LONGEST_WAIT) * self._chance.uniform(0.5, 1.0)
            self._put_off(task, max(wait, error.after or 0.0))
        else:
            task.is_done = True
            self._give_up(task.sentences, str(error))
            self._barren += 1
            if self._barren >= IN_A_ROW:
                tries = f" after {task.tries} tries each" if task.tries > 1 else ""
                self._end("refused", f"no answer to {self._barren} requests in a row{tries}; the last fault: {error}")
                self._stopped.set()

    def _put_off(self, task: _Task, seconds: float) -> None:
        heapq.heappush(self._later, (time.monotonic() + seconds, next(self._numbers), task))

    def _give_up(self, sentences: Sequence[str], why: str) -> None:
        self.found.failures.update(dict.fromkeys(sentences, why))

    def _abandon_overdue(self) -> None:
        """Calls that took too long are left to themselves; another thread takes the place of theirs."""
        now = time.monotonic()
        overdue = [call for call in self._flying if call.began is not None and now - call.began > self._timeout]
        for call in overdue:
            call.is_abandoned = True
            self._flying.discard(call)
            self._workers -= 1
            if give_up := getattr(self.engine, "give_up", None):
                give_up(call.task.sentences)
            if not self._stopped.is_set():
                self._again(call.task, TryAgain(f"no answer within {self._timeout:g} seconds"))
        if self._flying:
            self._start_worker(len(self._flying))

    def _end(self, stop: Stop, reason: str) -> None:
        """No further call; those under way still count."""
        if not self.found.stop:
            self.found.stop, self.found.reason = stop, reason


def _batches(sentences: Sequence[str], size: int) -> Iterator[_Task]:
    rest = iter(sentences)
    while batch := tuple(islice(rest, size)):
        yield _Task(batch)


def _is_writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
