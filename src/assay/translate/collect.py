"""Asking an engine for many sentences: several calls at once, a rate limit, retries, budgets, and nothing lost.

    found = collect(engine, sentences, keep=journal_answers, limits=Limits(retries=3))
    found.answered, found.failures, found.stop

Threads call the engine. One more thread, the conductor, hands out the sentences, repeats what failed for the moment and
passes answers to `keep` as they arrive, many at a time where many are there. Only a few calls wait at any moment, so
that memory does not grow with the number of sentences. Ctrl-C reaches the main thread, which only waits: the conductor
passes on what has arrived, and the rest is left.
"""

import heapq
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from queue import Empty, SimpleQueue

from assay.progress import Progress
from assay.translate.engine import Engine, TryAgain
from assay.translate.pace import RateLimiter
from assay.translate.retry import Collected, Keep, Limits, Result, RetryLoop, SentenceBatch, ask, batches

_Outcome = tuple["_Call", Result]


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


@dataclass(eq=False)
class _Call:
    """One attempt at a request. `began` is set by the thread that makes it, when its turn has come."""

    task: SentenceBatch
    began: float | None = None
    is_abandoned: bool = False


class _Run(RetryLoop):
    """One run of `collect`. Only `_work` and `interrupt` run in other threads than the conductor's."""

    def __init__(
        self, engine: Engine, sentences: Sequence[str], keep: Keep, limits: Limits, progress: Progress | None
    ) -> None:
        super().__init__(engine, len(sentences), keep=keep, limits=limits, progress=progress)
        self._limiter = RateLimiter(limits.per_minute or engine.per_minute)
        self._concurrency = limits.concurrency or engine.concurrency
        self._fresh = batches(engine, sentences, limits)
        self._calls: SimpleQueue[_Call] = SimpleQueue()
        # None only wakes the conductor.
        self._outcomes: SimpleQueue[_Outcome | None] = SimpleQueue()
        self.ended = threading.Event()
        self._stopped = threading.Event()
        self._flying: set[_Call] = set()
        # A heap by the time at which a request is due; the number keeps requests that are due together in order.
        self._later: list[tuple[float, int, SentenceBatch]] = []
        self._numbers = count()
        self._workers = 0

    def interrupt(self) -> None:
        """Stop at once; what has arrived is still kept."""
        self.found.stop = "interrupted"
        self._stopped.set()
        self._outcomes.put(None)

    # -- the threads that call the engine

    def _work(self) -> None:
        while True:
            call = self._calls.get()
            if self._stopped.is_set() or not self._limiter.wait(self._stopped):
                return
            call.began = time.monotonic()
            try:
                result: Result = ask(self.engine, call.task.sentences)
            except Exception as error:  # the conductor tells faults from bugs
                result = error
            self._outcomes.put((call, result))
            if call.is_abandoned:  # another thread has been started in the place of this one
                return

    # -- the conductor

    def conduct(self) -> None:
        """Until every sentence has its answer or has been given up, or something stops the run."""
        try:
            self._feed()
            while (self._flying or self._later) and not self._stopped.is_set():
                self.take(self._results(self._arrived()))
                self._abandon_overdue()
                self._feed()
            self.take(self._results(self._drained()))
        except BaseException as error:
            self.bug = error
        finally:
            self._stopped.set()
            for _ in range(self._workers):
                self._calls.put(_Call(SentenceBatch(())))  # wakes a thread, which sees that the run is over
            self.ended.set()

    def _feed(self) -> None:
        """Hand out what is due, then what is new; twice as many requests as threads, so that no thread waits."""
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

    def _send(self, task: SentenceBatch) -> None:
        if self.limits.max_cost is not None:
            task.cost = self.engine.estimate(task.sentences).cost or 0.0
            # Requests under way count with their estimates: together they must not cost more than is left.
            if self._spent + task.cost + sum(call.task.cost for call in self._flying) > self.limits.max_cost:
                self.end("budget", f"the next request could cost more than is left of {self.limits.max_cost:g}")
                return
        if self.limits.max_requests is not None and self.found.requests >= self.limits.max_requests:
            self.end("budget", f"{self.limits.max_requests:,} requests were allowed, and made")
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

    def _arrived(self) -> Iterator[_Outcome | None]:
        """The results that have come in, after waiting for the first of them, or until something is due."""
        now = time.monotonic()
        due = [self._later[0][0]] if self._later else []
        due += [(call.began or now) + self.timeout for call in self._flying]
        patience = min(due) - now if due else 1.0
        try:
            # At most a second: a thread that was still waiting for its turn has begun since, and may be overdue.
            yield self._outcomes.get(timeout=min(max(patience, 0.001), 1.0))
        except Empty:
            return
        yield from self._drained()

    def _drained(self) -> Iterator[_Outcome | None]:
        while not self._outcomes.empty():
            yield self._outcomes.get()

    def _results(self, outcomes: Iterable[_Outcome | None]) -> Iterator[tuple[SentenceBatch, Result]]:
        """The results that count. A call that was abandoned may still answer, but has failed only once."""
        for call, result in filter(None, outcomes):
            self._flying.discard(call)
            if not call.task.is_done and not (call.is_abandoned and isinstance(result, TryAgain)):
                yield call.task, result

    def stop(self) -> None:
        self._stopped.set()

    def hold(self, seconds: float) -> None:
        self._limiter.hold(seconds)

    def put_off(self, task: SentenceBatch, seconds: float) -> None:
        heapq.heappush(self._later, (time.monotonic() + seconds, next(self._numbers), task))

    def _abandon_overdue(self) -> None:
        """Calls that took too long are left to themselves; another thread takes the place of theirs."""
        now = time.monotonic()
        overdue = [call for call in self._flying if call.began is not None and now - call.began > self.timeout]
        for call in overdue:
            call.is_abandoned = True
            self._flying.discard(call)
            self._workers -= 1
            if give_up := getattr(self.engine, "give_up", None):
                give_up(call.task.sentences)
            if not self._stopped.is_set():
                self.retry(call.task, TryAgain(f"no answer within {self.timeout:g} seconds"))
        if self._flying:
            self._start_worker(len(self._flying))
