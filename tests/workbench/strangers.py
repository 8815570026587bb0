"""What strangers would make a child process do."""

import os
import signal
import subprocess
from pathlib import Path


def length(text: str) -> int:
    return len(text)


def take_all_memory(megabytes: int) -> int:
    return len([bytearray(1024**2) for _ in range(megabytes)])


def never_end(_: object) -> None:
    while True:
        pass


def hold(fifo: str) -> None:
    """Say by opening it that the work has begun, and never end."""
    with Path(fifo).open("wb"):
        never_end(None)


def start_a_program(fifo: str) -> None:
    """Start a program that says its number there, and wait for it."""
    subprocess.run(["sh", "-c", 'echo $$ > "$0"; exec sleep 300', fifo], check=False)


def answer_when_asked(fifo: str) -> int:
    """Say by opening it that the work has begun, and end when it is read to the end."""
    with Path(fifo).open("rb") as stream:
        stream.read()
    return os.getpid()


def die(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def crash(_: object) -> None:
    raise LookupError("a bug")


def process_id(_: object) -> int:
    return os.getpid()


def limits(_: object) -> tuple[int, int]:
    """(address space, processor time) that may be taken."""
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_CPU)[0]


def keep(megabytes: int) -> int:
    """Take memory and keep it."""
    KEPT.append(bytearray(megabytes * 1024**2))
    return os.getpid()


KEPT: list[bytearray] = []
