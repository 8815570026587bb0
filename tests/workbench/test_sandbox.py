"""Work on what strangers sent, in real child processes: limits, death, many at once, clients that leave."""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import Popen
from time import monotonic, sleep
from typing import Any

import pytest

from assay.errors import BadOption
from assay.suites import Item, Rule
from assay.verdicts import Verdict
from assay.workbench import sandbox as sandboxes
from assay.workbench.departure import ClientLeft, Departure
from assay.workbench.files.archives import safe_name
from assay.workbench.items.rule_trial import RuleTrial, RuleTrials, try_rules
from assay.workbench.sandbox import WATCH_SECONDS, Busy, OutOfMemory, OutOfTime, Sandbox, WorkerDied
from tests.workbench import strangers

MEGABYTES = 128


@pytest.fixture(scope="module")
def shared() -> Iterator[Sandbox]:
    made = Sandbox("tests.workbench.strangers", subject="the rules", seconds=30, megabytes=MEGABYTES, children=1)
    yield made
    made.close()


@pytest.fixture
def pair() -> Iterator[Sandbox]:
    made = Sandbox("tests.workbench.strangers", subject="the rules", seconds=30, megabytes=MEGABYTES, children=2)
    yield made
    made.close()


@pytest.fixture
def fifo(tmp_path: Path) -> str:
    os.mkfifo(tmp_path / "fifo")
    return str(tmp_path / "fifo")


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def is_running(process: int) -> bool:
    """Whether it is alive, and not only waited for by nobody: who takes over orphans may never ask for them."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def ends(process: int) -> bool:
    """Whether a process is gone within seconds."""
    until = monotonic() + 10
    while is_running(process) and monotonic() < until:
        sleep(0.02)
    return not is_running(process)


SERVER = """
import sys
from assay.workbench.sandbox import Sandbox
from tests.workbench import strangers

if __name__ == "__main__":
    made = Sandbox("tests.workbench.strangers", subject="the rules", seconds=300, megabytes=128)
    made.run(strangers.start_a_program, sys.argv[1])
"""


def test_children_at_work_end_with_a_server_that_is_killed(fifo: str, tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER, encoding="utf-8")
    paths = os.pathsep.join(filter(None, sys.path))
    with Popen([sys.executable, str(script), fifo], env=os.environ | {"PYTHONPATH": paths}) as server:
        program = int(Path(fifo).read_text(encoding="ascii"))
        assert is_running(program)
        server.kill()
    assert ends(program)


class TestWork:
    def test_the_result_comes_back(self, shared: Sandbox) -> None:
        assert shared.run(strangers.length, "abc") == 3

    def test_it_is_done_elsewhere_by_a_child_that_stays(self, shared: Sandbox) -> None:
        first = shared.run(strangers.process_id, None)
        assert first != os.getpid()
        assert shared.run(strangers.process_id, None) == first

    def test_a_mistake_comes_back_as_it_is(self, shared: Sandbox) -> None:
        child = shared.run(strangers.process_id, None)
        with pytest.raises(BadOption, match=r"'' is no file name"):
            shared.run(safe_name, "")
        assert shared.run(strangers.process_id, None) == child

    def test_a_bug_comes_back_with_its_trace(self, shared: Sandbox) -> None:
        with pytest.raises(RuntimeError, match=r"strangers\.py.*\n.*\n.*LookupError: a bug"):
            shared.run(strangers.crash, None)

    def test_a_child_can_be_ready_before_anybody_comes(self, pair: Sandbox) -> None:
        pair.warm()
        pair.warm()
        (child,) = pair.processes()
        assert pair.run(strangers.process_id, None) == child

    def test_rules(self, shared: Sandbox) -> None:
        trial = RuleTrial(
            Item("one", "A", "p", "Schloss", (Rule("pass", "contains", "lock"), Rule("fail", "regex", "("))),
            ((7, "A lock."),),
        )
        (tried,) = shared.run(try_rules, RuleTrials((trial,), 5.0))
        assert tried.findings[7].verdict == Verdict.PASS
        assert {place: problem.message for place, problem in tried.problems.items()} == {1: "missing )"}


class TestLimits:
    def test_they_are_set_before_the_work_begins(self, shared: Sandbox) -> None:
        memory, time = shared.run(strangers.limits, None)
        assert MEGABYTES * 1024**2 < memory < 2 * 1024**3
        assert time < 1000

    def test_all_memory(self, shared: Sandbox) -> None:
        before = shared.run(strangers.process_id, None)
        with pytest.raises(OutOfMemory) as caught:
            shared.run(strangers.take_all_memory, 10_000)
        assert str(caught.value) == "the rules take more than 128 MB of memory; make them simpler"
        assert not is_alive(before)
        assert shared.run(strangers.length, "another child does the next") == 27

    def test_more_than_fits_into_the_child_to_begin_with(self, shared: Sandbox) -> None:
        with pytest.raises(OutOfMemory):
            shared.run(strangers.length, "x" * (2 * MEGABYTES * 1024**2))
        assert shared.run(strangers.length, "") == 0

    def test_no_end(self, shared: Sandbox) -> None:
        before = shared.run(strangers.process_id, None)
        with pytest.raises(OutOfTime) as caught:
            shared.run(strangers.never_end, None, seconds=0.2)
        assert str(caught.value) == "the rules take more than 0.2 s; make them simpler"
        assert not is_alive(before)
        assert shared.run(strangers.length, "") == 0

    def test_no_end_and_nobody_who_kills_it(self, shared: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
        """The system does, after the processor time: the server may be dead."""
        waits: list[float] = []

        def patient(child: Any, seconds: float) -> bool:
            waits.append(seconds)
            return bool(real(child, None))

        real: Callable[..., Any] = Connection.poll
        monkeypatch.setattr(Connection, "poll", patient)
        with pytest.raises(OutOfTime, match=r"the rules take more than 0\.1 s"):
            shared.run(strangers.never_end, None, seconds=0.1)
        assert waits[-1] == WATCH_SECONDS

    def test_a_rule_that_backtracks_over_many_texts(self, shared: Sandbox) -> None:
        """Each search is stopped by itself; their sum is not, where the trial has hours."""
        letters = "bcdefghijk"
        rules = tuple(Rule("pass", "regex", f"(a|aa)+{letter}$") for letter in letters)
        # With the letters, since what a text lacks is not searched for.
        text = "a" * 200 + "!" + letters
        trial = RuleTrial(Item("one", "A", "p", "a", rules), tuple((number, text) for number in range(100)))
        with pytest.raises(OutOfTime, match="the rules take more than 1 s"):
            shared.run(try_rules, RuleTrials((trial,), 3600.0), seconds=1)

    def test_a_child_whose_memory_is_half_used_up_makes_room(self, shared: Sandbox) -> None:
        before = shared.run(strangers.keep, MEGABYTES * 3 // 4)
        assert shared.run(strangers.process_id, None) != before


class TestDeath:
    def test_in_the_middle(self, shared: Sandbox) -> None:
        with pytest.raises(WorkerDied) as caught:
            shared.run(strangers.die, None)
        assert str(caught.value) == "the process that tried the rules was killed by SIGKILL; make them simpler"
        assert shared.run(strangers.length, "") == 0

    def test_between_two_pieces_of_work(self, shared: Sandbox) -> None:
        """Whoever comes next gets another child."""
        child = shared.run(strangers.process_id, None)
        os.kill(child, 9)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        assert shared.run(strangers.process_id, None) != child


class TestManyAtOnce:
    def test_at_most_as_many_children_as_allowed(self, pair: Sandbox) -> None:
        with ThreadPoolExecutor(6) as pool:
            found = set(pool.map(pair.run, [strangers.process_id] * 50, [None] * 50))
        assert 1 <= len(found) <= 2
        assert set(pair.processes()) >= found

    def test_who_waits_too_long_is_told(self, shared: Sandbox, fifo: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sandboxes, "WAIT_SECONDS", 0.01)
        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(shared.run, strangers.answer_when_asked, fifo)
            with Path(fifo).open("wb"):
                with pytest.raises(Busy) as caught:
                    shared.run(strangers.length, "")
                assert str(caught.value) == "the server is busy with the rules of others; try again in a moment"
            assert first.result() == shared.run(strangers.process_id, None)

    def test_no_more_wait_than_a_few(self, shared: Sandbox, fifo: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sandboxes, "MOST_WAITING", 0)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(shared.run, strangers.answer_when_asked, fifo)
            with Path(fifo).open("wb"), pytest.raises(Busy):
                shared.run(strangers.length, "")


class TestLeaving:
    def test_a_client_that_leaves_ends_the_child(self, shared: Sandbox, fifo: str) -> None:
        departure = Departure()
        with ThreadPoolExecutor(1) as pool:
            work = pool.submit(shared.run, strangers.hold, fifo, departure=departure)
            with Path(fifo).open("rb"):
                (child,) = shared.processes()
                departure.leave()
                with pytest.raises(ClientLeft):
                    work.result()
        assert not is_alive(child)

    def test_programs_that_a_child_started_end_with_it(self, shared: Sandbox, fifo: str) -> None:
        departure = Departure()
        with ThreadPoolExecutor(1) as pool:
            work = pool.submit(shared.run, strangers.start_a_program, fifo, departure=departure)
            program = int(Path(fifo).read_text(encoding="ascii"))
            assert is_running(program)
            departure.leave()
            with pytest.raises(ClientLeft):
                work.result()
        assert ends(program)

    def test_one_that_left_before_begins_nothing_and_ends_no_child(self, pair: Sandbox) -> None:
        departure = Departure()
        departure.leave()
        with pytest.raises(ClientLeft):
            pair.run(strangers.die, None, departure=departure)
        (child,) = pair.processes()
        assert pair.run(strangers.process_id, None) == child

    def test_one_that_leaves_afterwards_ends_nobody_elses(self, shared: Sandbox) -> None:
        departure = Departure()
        child = shared.run(strangers.process_id, None, departure=departure)
        departure.leave()
        assert shared.run(strangers.process_id, None) == child

    def test_a_server_that_ends_does_not_wait(self, pair: Sandbox, fifo: str) -> None:
        with ThreadPoolExecutor(1) as pool:
            work = pool.submit(pair.run, strangers.hold, fifo)
            with Path(fifo).open("rb"):
                (child,) = pair.processes()
                pair.close()
                with pytest.raises(Busy, match="the server is ending; try again in a moment"):
                    work.result()
        assert not is_alive(child)
        with pytest.raises(Busy, match="the server is ending"):
            pair.run(strangers.length, "")
