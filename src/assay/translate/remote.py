"""Asking copies of an engine, one on each worker: for engines that run on the machine itself.

    check_can_spread("mine", engine, limits)
    found = spread(engine, sentences, spec="cmd:./mt", pair=pair, workers=workers, keep=journal_answers, limits=limits)
    found.answered, found.failures, found.stop

A block is a batch of sentences, the same as `collect` would send. A worker loads its copy with the first block, makes
sure that this is what the caller has, and keeps it. Answers come in the order of the sentences. What failed for the
moment is asked for again in another round.
"""

import atexit
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from functools import lru_cache, partial
from queue import Empty, SimpleQueue
from weakref import WeakSet

from assay.errors import AssayError, BadOption
from assay.parallel import Executor, Misfit, end_if_cancelled
from assay.progress import Progress
from assay.translate.engine import Engine, EngineError, LanguagePair, TryAgain, load_engine
from assay.translate.retry import (
    IN_A_ROW,
    Collected,
    Keep,
    Limits,
    Result,
    RetryLoop,
    SentenceBatch,
    ask,
    batches,
)

OF_ONE_PROCESS = ("concurrency", "per_minute", "max_requests", "max_cost")
"""Limits that nobody keeps where several ask."""

Parameters = tuple[tuple[str, str], ...]

_LOOK = 0.5
"""Seconds after which a wait calls `end_if_cancelled`."""

_CURE = "install the same on all machines, and give paths that all of them know"


def check_can_spread(system: str, engine: Engine, limits: Limits) -> None:
    """Refuse an engine that workers cannot have copies of, and limits that they cannot keep."""
    if not getattr(engine, "can_spread", False):
        raise BadOption(
            f"{system}: workers cannot have copies of this engine; leave out --executor and --jobs, "
            "and use --concurrency to ask for more at once"
        )
    given = [f"--{name.replace('_', '-')}" for name in OF_ONE_PROCESS if getattr(limits, name) is not None]
    if given:
        raise BadOption(
            f"several workers cannot keep to {' and '.join(given)}; leave that out, or --executor and --jobs"
        )


def spread(
    engine: Engine,
    sentences: Sequence[str],
    *,
    spec: str,
    pair: LanguagePair,
    workers: Executor,
    keep: Keep,
    limits: Limits,
    progress: Progress | None = None,
) -> Collected:
    """As `collect`, by the copies of `engine` that workers load by its `spec`.

    Ends early, too, where workers cannot go on. What has been kept until then is kept.
    """
    rounds = _Rounds(engine, len(sentences), keep=keep, limits=limits, progress=progress)
    parameters = tuple(sorted(engine.parameters.items()))
    function = partial(ask_copy, spec, pair, parameters, rounds.timeout)
    try:
        rounds.run(function, list(batches(engine, sentences, limits)), workers)
    except KeyboardInterrupt:
        rounds.found.stop = "interrupted"
    return rounds.found


class _Rounds(RetryLoop):
    """One run of `spread`: all requests, then those that were put off, until none is left."""

    def __init__(self, engine: Engine, asked: int, *, keep: Keep, limits: Limits, progress: Progress | None) -> None:
        super().__init__(engine, asked, keep=keep, limits=limits, progress=progress)
        self._later: list[SentenceBatch] = []
        self._pause = 0.0

    def put_off(self, task: SentenceBatch, seconds: float) -> None:
        self._later.append(task)
        self._pause = max(self._pause, seconds)

    def run(self, function: "partial[Result]", tasks: list[SentenceBatch], workers: Executor) -> None:
        """Until every sentence has its answer or has been given up, or something stops the run."""
        while tasks and not self.found.stop:
            self._later, self._pause = [], 0.0
            rest = self._round(function, tasks, workers)
            if not self.found.stop:
                time.sleep(self._pause)
            tasks = [*self._later, *rest]

    def _round(
        self, function: "partial[Result]", tasks: Sequence[SentenceBatch], workers: Executor
    ) -> Sequence[SentenceBatch]:
        """Make these requests; those that were not made, since the ones before had no answer at all."""
        vain = 0
        with closing(self._results(function, tasks, workers)) as results:
            for number, result in enumerate(results, start=1):
                task = tasks[number - 1]
                self.found.requests += 1
                self.found.repeated += task.tries > 0
                task.tries += 1
                self.take([(task, result)])
                vain = vain + 1 if isinstance(result, TryAgain) else 0
                if vain == IN_A_ROW or self.found.stop:
                    return tasks[number:]
        return ()

    def _results(
        self, function: "partial[Result]", tasks: Sequence[SentenceBatch], workers: Executor
    ) -> Generator[Result, None, None]:
        blocks = (task.sentences for task in tasks)
        alone = getattr(self.engine, "fills_machine", False)
        with closing(workers.map(function, blocks, one_per_machine=alone)) as results:
            try:
                yield from results
            except AssayError as error:
                self.end("refused", str(error))


def ask_copy(
    spec: str, pair: LanguagePair, parameters: Parameters, timeout: float, sentences: tuple[str, ...]
) -> Result:
    """On a worker: answers, or what the engine says against them. Raises where another worker may do better."""
    with _loading:
        copy = _copy(spec, pair, parameters)
    return copy.ask(sentences, timeout)


_loading = threading.Lock()


@lru_cache(maxsize=2)
def _copy(spec: str, pair: LanguagePair, parameters: Parameters) -> "_Copy":
    """The engine of this worker, if it is the same as the caller's."""
    try:
        engine = load_engine(spec, pair)
    except AssayError as error:
        raise Misfit(f"the worker cannot load the engine ({error})", _CURE) from error
    here, there = dict(parameters), engine.parameters
    for name in sorted({*here, *there}):
        if here.get(name) != there.get(name):
            engine.close()
            raise Misfit(f"the engine's {name} is {there.get(name, '')!r}, not {here.get(name, '')!r}", _CURE)
    return _Copy(engine)


class _Copy:
    """An engine that a worker has loaded; its threads take turns as the engine wants it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._turns = threading.BoundedSemaphore(engine.concurrency)
        _copies.add(self)

    def ask(self, sentences: Sequence[str], timeout: float) -> Result:
        """Ask in a thread, which can be left to itself when it takes too long."""
        results: SimpleQueue[Result] = SimpleQueue()
        with self._turns:
            threading.Thread(target=self._ask, args=(sentences, results), daemon=True).start()
            try:
                result = _wait(results, timeout)
            except Empty:
                if give_up := getattr(self.engine, "give_up", None):
                    give_up(sentences)
                return TryAgain(f"no answer within {timeout:g} seconds")
            except BaseException:  # this process is to end, or nobody wants the block any more
                if give_up := getattr(self.engine, "give_up", None):
                    give_up(sentences)
                raise
        if isinstance(result, Exception) and not isinstance(result, EngineError):
            raise result
        return result

    def _ask(self, sentences: Sequence[str], results: "SimpleQueue[Result]") -> None:
        try:
            results.put(ask(self.engine, sentences))
        except Exception as error:
            results.put(error)


def _wait(results: "SimpleQueue[Result]", timeout: float) -> Result:
    """The result; Empty if there is none in time."""
    end = time.monotonic() + timeout
    while (rest := end - time.monotonic()) > 0:
        end_if_cancelled()
        with suppress(Empty):
            return results.get(timeout=min(rest, _LOOK))
    raise Empty


_copies: WeakSet[_Copy] = WeakSet()


@atexit.register
def _close_copies() -> None:
    for copy in _copies:
        copy.engine.close()
