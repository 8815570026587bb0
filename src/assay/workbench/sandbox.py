"""Work on what strangers sent: in processes of its own, with limits of memory and time.

    sandbox = Sandbox("assay.workbench.items.rule_trial", subject="the rules", seconds=10, megabytes=512)
    found = sandbox.run(try_rules, trials)     # or OutOfTime, OutOfMemory, WorkerDied, Busy

A rule of a few characters can compile for minutes, fill the memory or crash the engine, and while it compiles no other
thread of its process runs. So a rule or a file that comes over the web is first tried in a child process, which sets
its own limits before it takes anything. A child that passes a limit, dies, or is no longer waited for is killed, and
another one is started; the answer is an error in one line. A child that has done its work stays for the next. Programs
that a child starts end with it, and a child that is at work ends with the server.

Children are spawned, not forked: the server has threads. Functions, arguments and results are pickled. What a child
sends is unpickled, and that is acceptable because it runs our own code: it treats what strangers sent as data, as the
server itself did before there were children. The limits keep that data from doing harm by its size, not by its wit.
"""

import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from math import ceil
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Condition, Thread
from time import monotonic
from typing import Any, Final, NoReturn, TypeVar, cast

from assay.errors import AssayError
from assay.workbench.departure import ClientLeft, Departure

A = TypeVar("A")
R = TypeVar("R")

START_SECONDS: Final = 60.0
"""How long a child may take until it is ready. It takes half a second, but machines may be busy."""

WAIT_SECONDS: Final = 2.0
"""How long a request waits for a child; after that its thread is of more use to others."""

MOST_WAITING: Final = 6
"""Requests that wait for a child at the same time; each holds one of the threads that all requests share."""

WATCH_SECONDS: Final = 0.05
"""How often the server looks at the memory of a child at work.

The system's own limit is not enough: where an allocation fails inside of a regular expression's compiler, one child in
ten goes on for ever instead of ending. So that limit is twice as high, for what grows faster than anybody can look.
"""

NO_MEMORY: Final = 75
"""Exit code of a child whose memory ran out."""


class NotFinished(AssayError):
    """The child did not come to an end with its work; a new one has taken its place."""


class OutOfTime(NotFinished):
    """It took longer than the limit."""


class OutOfMemory(NotFinished):
    """It took more memory than the limit."""


class WorkerDied(NotFinished):
    """It was killed or crashed."""


class Busy(AssayError):
    """All children are at work; the same request may succeed a little later."""


class Sandbox:
    """See the module. At most `children` processes, each of which has imported the module `home` beforehand.

    `subject` and `advice` are for messages: "the rules take more than 10 s; make them simpler". `megabytes` are counted
    beyond what the program itself takes.
    """

    def __init__(
        self,
        home: str,
        *,
        subject: str,
        seconds: float,
        megabytes: int,
        children: int = 2,
        advice: str = "make them simpler",
    ) -> None:
        self.home, self.subject, self.advice = home, subject, advice
        self.seconds, self.megabytes, self.children = seconds, megabytes, children
        self._changed = Condition()
        self._idle: list[_Child] = []
        self._busy: set[_Child] = set()
        self._waiting = 0
        self._is_closed = False

    def run(
        self,
        function: Callable[[A], R],
        argument: A,
        *,
        seconds: float | None = None,
        departure: Departure | None = None,
    ) -> R:
        """What a function of the module `home` returns or raises. Waits without the interpreter's lock."""
        departure = departure or Departure()
        child = self._take()
        is_usable = False
        try:
            # Nobody's leaving ends a child that is only starting: whoever comes next would wait for another start.
            is_usable = self._is_ready(child)
            with departure.ending(child.kill):
                is_usable = False
                value, error, is_usable = self._answer(child, function, argument, seconds or self.seconds)
        except WorkerDied:
            if departure.has_left:
                raise ClientLeft("the client has left") from None
            raise
        finally:
            self._give_back(child, is_usable=is_usable)
        if error is not None:
            raise error
        return cast(R, value)

    def warm(self) -> None:
        """Have a child ready, for whoever comes next; does not wait for it."""
        with self._changed:
            if not self._is_closed and not self._idle and not self._busy:
                self._idle.append(_Child(self.home, self.megabytes))

    def close(self) -> None:
        """End all children, also in the middle of something; from now on `Busy` is the answer."""
        with self._changed:
            self._is_closed = True
            for child in (*self._idle, *self._busy):
                child.kill()
            self._idle.clear()
            self._changed.notify_all()

    def processes(self) -> list[int]:
        """The children's process ids."""
        with self._changed:
            return [child.process.pid or 0 for child in (*self._idle, *self._busy)]

    def _take(self) -> "_Child":
        """An idle child, or a new one, or one that somebody gives back in time."""
        with self._changed:
            if not self._is_free():
                if self._waiting >= MOST_WAITING:
                    raise self._refusal()
                self._waiting += 1
                try:
                    self._changed.wait_for(self._is_free, WAIT_SECONDS)
                finally:
                    self._waiting -= 1
            if self._is_closed or not self._is_free():
                raise self._refusal()
            # The system may have ended an idle one, when memory was short; nobody need know.
            self._idle = [child for child in self._idle if child.process.is_alive()]
            child = self._idle.pop() if self._idle else _Child(self.home, self.megabytes)
            self._busy.add(child)
            return child

    def _is_free(self) -> bool:
        return self._is_closed or bool(self._idle) or len(self._busy) < self.children

    def _refusal(self) -> Busy:
        why = "the server is ending" if self._is_closed else f"the server is busy with {self.subject} of others"
        return Busy(f"{why}; try again in a moment")

    def _give_back(self, child: "_Child", *, is_usable: bool) -> None:
        with self._changed:
            self._busy.discard(child)
            if is_usable and not self._is_closed:
                self._idle.append(child)
            self._changed.notify()
        if not is_usable:
            child.end()
            self.warm()

    def _is_ready(self, child: "_Child") -> bool:
        try:
            if child.wait_until_ready():
                return True
        except (EOFError, OSError):
            raise self._death(child, START_SECONDS) from None
        raise WorkerDied(f"{self.subject} could not be tried, the machine is too busy; try again later")

    def _answer(
        self, child: "_Child", function: Callable[[Any], Any], argument: Any, seconds: float
    ) -> tuple[Any, Exception | None, bool]:
        """(the result, what was raised, whether the child can go on)."""
        try:
            child.send(seconds, function, argument)
            until = monotonic() + seconds
            while not child.pipe.poll(WATCH_SECONDS):
                if child.is_too_large():
                    raise self._too_large()
                if monotonic() >= until:
                    raise self._too_long(seconds)
            found: tuple[Any, Exception | None, bool] = pickle.loads(child.pipe.recv_bytes())
            return found
        except (EOFError, OSError):  # the second where it died while it took its work or answered
            raise self._death(child, seconds) from None

    def _death(self, child: "_Child", seconds: float) -> AssayError:
        """Why a child has ended."""
        code = child.end()
        if self._is_closed:
            return self._refusal()
        if code == NO_MEMORY:
            return self._too_large()
        if code == -signal.SIGXCPU:
            return self._too_long(seconds)
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return WorkerDied(f"the process that tried {self.subject} {how}; {self.advice}")

    def _too_large(self) -> OutOfMemory:
        return OutOfMemory(f"{self.subject} take more than {self.megabytes:,} MB of memory; {self.advice}")

    def _too_long(self, seconds: float) -> OutOfTime:
        return OutOfTime(f"{self.subject} take more than {seconds:g} s; {self.advice}")


class _Child:
    """A process and a pipe to it."""

    def __init__(self, home: str, megabytes: int) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, home, megabytes), daemon=True)
        self.process.start()
        theirs.close()
        self._is_ready = False
        self._most = 0

    def wait_until_ready(self) -> bool:
        """Whether it has imported what it needs and set its limits, or does so in time."""
        if not self._is_ready and self.pipe.poll(START_SECONDS):
            self._most = self.pipe.recv()
            self._is_ready = True
        return self._is_ready

    def is_too_large(self) -> bool:
        """Whether it takes more memory now than it may; False where the system does not say."""
        return _address_space(self.process.pid) > self._most

    def send(self, seconds: float, function: Callable[[Any], Any], argument: Any) -> None:
        # Apart from each other: the child limits its time before it takes the rest.
        self.pipe.send(seconds)
        self.pipe.send((function, argument))

    def kill(self) -> None:
        """From any thread, with the programs that it started; whoever waits for an answer sees the pipe end."""
        if self.process.is_alive():
            _kill_group(self.process.pid)
        self.process.kill()

    def end(self) -> int:
        """Kill it, where it is not dead yet; returns its exit code, 0 where that is lost."""
        wait([self.process.sentinel], 0.1)  # it may be about to exit with a code that says why
        # Before it is joined: until then nobody else can have its number, also where it is dead.
        _kill_group(self.process.pid)
        self.process.kill()
        self.process.join()
        self.pipe.close()
        return self.process.exitcode or 0


def _kill_group(process: int | None) -> None:
    """A child and the programs that it started; nothing where it has no group of its own yet."""
    # The second where the system has no groups.
    with suppress(ProcessLookupError, PermissionError, AttributeError):
        if process:
            os.killpg(process, signal.SIGKILL)


# In the child


def _serve(pipe: Connection, home: str, megabytes: int) -> None:
    """The life of a child: it ends with the server, or when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server, which ends its children
    with suppress(AttributeError):  # not every system has groups of processes
        os.setpgid(0, 0)
    Thread(target=_end_with_server, daemon=True).start()
    # Before numpy is imported: threads of its own would each reserve address space, which counts.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ[name] = "1"
    try:
        import_module(home)
        base = _address_space()
        _limit_memory(base + 2 * megabytes * 1024**2)
        pipe.send(base + megabytes * 1024**2)  # which says too that it is ready
        while True:
            _limit_time(pipe.recv())
            function, argument = pipe.recv()
            _answer(pipe, function, argument, base + megabytes * 1024**2 // 2)
            del function, argument
    except MemoryError:
        _exit(NO_MEMORY)
    except (EOFError, OSError):  # the server is gone
        _exit(0)


def _end_with_server() -> None:
    """Where the server is killed it ends no children, and one at work would see it only after its work."""
    server = parent_process()
    if server is not None:
        wait([server.sentinel])
        _kill_group(os.getpid())
        _exit(0)


def _answer(pipe: Connection, function: Callable[[Any], Any], argument: Any, most: int) -> None:
    """Send what the function returns or raises, and whether there is memory left to go on with."""
    value: Any = None
    error: Exception | None = None
    try:
        value = function(argument)
    except MemoryError:
        raise
    except AssayError as problem:
        error = problem
    except Exception as bug:
        import traceback

        error = RuntimeError("in a child process:\n" + "".join(traceback.format_exception(bug)))
    # Caches grow: a child that has used up half of its memory makes room for a new one.
    pipe.send_bytes(pickle.dumps((value, error, _address_space() < most), protocol=pickle.HIGHEST_PROTOCOL))


def _limit_memory(most: int) -> None:
    """Of address space, in bytes."""
    with suppress(ImportError, ValueError, OSError):  # not every system has such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _limit_time(seconds: float) -> None:
    """For a child whose server dies meanwhile; a living one keeps the time itself."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(used.ru_utime + used.ru_stime + seconds) + 1, hard))


def _address_space(process: int | None = None) -> int:
    """Bytes of address space of a process, or of this one; 0 where the system does not say."""
    try:
        with open(f"/proc/{process or 'self'}/statm", "rb") as stream:  # noqa: PTH123 (pathlib would take memory that is not there)
            return int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):  # the second for a process that has just ended
        return 0


def _exit(code: int) -> NoReturn:
    """Without the cleaning up that Python would do: it takes memory, and there may be none."""
    os._exit(code)
