"""Log-ins in their line: who guesses waits longer and longer, and whoever knows the password gets in."""

from collections.abc import Callable

import anyio
import pytest

from assay.workbench.admission.crowd import Crowded
from assay.workbench.people.log_in_line import BRAKES, REFUSED_AFTER, WAITING_OF_ONE, LogInLine, network

HOME, OFFICE, ELSEWHERE = "192.0.2.1", "192.0.2.2", "198.51.100.9"


class Clock:
    """Time that passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Door:
    """A line with a password in front of it."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.line = LogInLine(self.clock, self.clock.sleep)

    def knock(self, name: str, address: str, password: str = "wrong") -> bool:
        """Whether this name gets in."""
        check: Callable[[], str | None] = lambda: name if password == "right" else None  # noqa: E731
        return anyio.run(self.line.attempt, name, address, check) is not None

    def waits(self, name: str, address: str, password: str = "wrong") -> float:
        """Seconds that an attempt took; it may have to come again."""
        begin = self.clock.now
        while True:
            try:
                self.knock(name, address, password)
            except Crowded as error:
                self.clock.now += error.seconds - REFUSED_AFTER
            else:
                return self.clock.now - begin


@pytest.fixture
def door() -> Door:
    return Door()


def test_who_mistypes_a_few_times_does_not_wait(door: Door) -> None:
    assert [door.waits("anna", HOME) for _ in range(5)] == [0.0] * 5
    assert door.knock("anna", HOME, "right")
    assert door.clock.slept == []


def test_who_guesses_waits_longer_and_longer(door: Door) -> None:
    delays = [door.waits(f"name {number}", ELSEWHERE) for number in range(20)]
    free = BRAKES["address"].free
    assert delays[: free + 1] == [0.0] * (free + 1)
    assert delays[free + 1 : free + 5] == [1.0, 2.0, 4.0, 8.0]
    assert delays[-1] == BRAKES["address"].longest


def test_a_long_wait_is_refused_and_says_how_long_it_is(door: Door) -> None:
    for number in range(16):
        door.waits(f"name {number}", ELSEWHERE)
    with pytest.raises(Crowded, match="too many attempts to log in; try again in 30 seconds") as refused:
        door.knock("anna", ELSEWHERE, "right")
    door.clock.now += refused.value.seconds - REFUSED_AFTER
    assert door.knock("anna", ELSEWHERE, "right"), "after the delay the right password is taken"


def test_a_stranger_does_not_keep_somebody_out_who_was_here_before(door: Door) -> None:
    assert door.knock("anna", HOME, "right")
    for number in range(200):
        door.waits("anna", f"198.51.100.{number}")
    assert door.waits("anna", HOME, "right") == 0.0
    assert door.waits("anna", OFFICE, "right") <= BRAKES["name"].longest, "nor for long at a new address"


def test_who_was_here_before_a_restart_is_known(door: Door) -> None:
    door.line.remember([("anna", HOME)])
    for number in range(200):
        door.waits("anna", f"198.51.100.{number}")
    assert door.waits("anna", HOME, "right") == 0.0


def test_logging_in_oneself_forgives_no_guesses(door: Door) -> None:
    """An account of one's own does not reset the delays of one's address for other names."""
    assert door.knock("mallory", ELSEWHERE, "right")
    for _ in range(20):
        door.waits("anna", ELSEWHERE)
        door.waits("mallory", ELSEWHERE, "right")
    assert door.waits("anna", ELSEWHERE) == BRAKES["address"].longest


def test_failures_are_forgotten_after_a_while(door: Door) -> None:
    for _ in range(20):
        door.waits("anna", ELSEWHERE)
    door.clock.now += 1000
    assert door.waits("anna", ELSEWHERE) == 0.0


def test_many_at_once_are_refused_and_one_line_tells(caplog: pytest.LogCaptureFixture) -> None:
    refused = 0

    async def crowd() -> None:
        never = anyio.Event()

        async def wait(seconds: float) -> None:
            if seconds != REFUSED_AFTER:
                await never.wait()

        line = LogInLine(lambda: 0.0, wait)

        async def knock() -> None:
            nonlocal refused
            try:
                await line.attempt("anna", ELSEWHERE, lambda: None)
            except Crowded:
                refused += 1

        async with anyio.create_task_group() as group:
            for _ in range(60):
                group.start_soon(knock)
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()

    anyio.run(crowd)
    assert refused >= 60 - WAITING_OF_ONE - BRAKES["address"].free - 1
    assert [record.getMessage() for record in caplog.records] == [
        f"1 attempt to log in refused, the last from {ELSEWHERE}"
    ]


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::1", "::1"),
        ("testclient", "testclient"),
    ],
)
def test_what_counts_as_one_address(address: str, counts_as: str) -> None:
    assert network(address) == counts_as
