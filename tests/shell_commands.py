"""An `assay` for shells that need not import everything first, nor compile the rules of the bundled de-en.

Docs pages run more than a hundred commands, most of them on that suite, whose patterns take seconds to compile. Here
another process has done that: the program `assay` in `folder` hands its arguments, folder, environment and streams to
it, and it forks for every call, as `tests/commands.py` does.

    with ShellCommands() as commands:
        subprocess.run("assay suite list | head", shell=True, env={"PATH": f"{commands.folder}:{os.environ['PATH']}"})
"""

import atexit
import gc
import marshal
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

ROOT = Path(__file__).parent.parent

# Without `site` and anything that takes time to import: it is started for every command.
_PROGRAM = """\
#!{python} -IS
import marshal, os, socket, sys
with socket.socket(socket.AF_UNIX) as call:
    call.connect({door!r})
    told = marshal.dumps([sys.argv, os.getcwd(), dict(os.environ)])
    socket.send_fds(call, [len(told).to_bytes(8, "big")], [0, 1, 2])
    call.sendall(told)
    code = int(call.recv(8) or b"1")
sys.exit(code if code >= 0 else 128 - code)
"""


class ShellCommands:
    """A folder with the program `assay`, and the process that forks."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._place = TemporaryDirectory(prefix="assay-shell-")
        self.folder = Path(self._place.name)
        door = self.folder / "door"
        program = self.folder / "assay"
        program.write_text(_PROGRAM.format(python=sys.executable, door=str(door)), encoding="utf-8")
        program.chmod(0o700)
        # Bound here: whoever calls before the process is ready waits.
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(door))
            listening.listen()
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(listening.fileno())],
                pass_fds=[listening.fileno()],
                stdin=subprocess.DEVNULL,
                env={**environment, "PYTHONIOENCODING": "utf-8"},
                # A group of its own, so that it can be ended together with its commands.
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._place.cleanup()


# In the process that forks


def _prepare() -> None:
    """Import everything, and judge what comes with de-en: its patterns are compiled where a text needs them."""
    from assay.outputs import load_outputs
    from assay.suites import bundled_outputs, load_suite
    from assay.verdicts import judge_texts
    from tests.commands import import_all

    import_all()
    suite = load_suite("de-en")
    judge_texts(suite, load_outputs(suite, bundled_outputs("de-en")))
    # The collector of a child would walk, and so copy, everything.
    gc.freeze()


def _called(listening: socket.socket) -> socket.socket:
    """The next call, in a process of its own."""
    while True:
        call, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            return call
        call.close()
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _become(call: socket.socket) -> None:
    """Take the arguments, folder, environment and streams of a call; who forked waits and tells how it ended."""
    length, streams, _, _ = socket.recv_fds(call, 8, 3)
    with call.makefile("rb") as told:
        arguments, folder, environment = marshal.loads(told.read(int.from_bytes(length, "big")))
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        call.sendall(str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    call.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Made anew, since they remember whether one can seek in them.
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = arguments


def _main() -> None:
    sys.path[0] = str(ROOT)
    from tests.commands import End

    end = End()
    atexit.register(end)
    listening = socket.socket(fileno=int(sys.argv[1]))
    _prepare()
    _become(_called(listening))
    from assay.cli import main

    end.of(main)


if __name__ == "__main__":
    _main()
