"""The workbench under attack: how long somebody who is logged in waits for a page while others misbehave.

    python benchmarks/attacks.py                    all of them, on a database of its own
    python benchmarks/attacks.py guess half-open    only these

The server is `assay serve` on this machine, with accounts; attackers are a process of their own and come from the same
address as the user, which is the worst case. Every attack runs for some seconds before and while the user, on a new
connection each time, opens the queue.
"""

import asyncio
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))

import httpx
from measure import Figure, show

SUITE, PASSWORD = "assay-de-en", "correct horse"
WARM_UP, PAGES, PAUSE = 4.0, 60, 0.1
FILES = 1024
ASSAY = [sys.executable, "-m", "assay"]


# Attackers, a connection each


async def guess(host: str, port: int) -> None:
    """Try passwords, one after the other."""
    reader, writer = await asyncio.open_connection(host, port)
    body = b"name=eve&password=guess"
    head = f"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
    while True:
        writer.write(head.encode() + b"Content-Type: application/x-www-form-urlencoded\r\n\r\n" + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", answer)
        await reader.readexactly(int(length[1]) if length else 0)


async def half_open(host: str, port: int) -> None:
    """Begin a request and say no more."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
    await reader.read()


async def upload(host: str, port: int) -> None:
    """Send a large file, without being anybody, and never finish."""
    reader, writer = await asyncio.open_connection(host, port)
    head = "POST /files/suite HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    part = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.zip"\r\n\r\n'
    writer.write(f"{head}Content-Length: 150000000\r\n\r\n{part}".encode())
    for _ in range(2000):
        writer.write(b"x" * 65536)
        await writer.drain()
    await reader.read()


async def trickle(host: str, port: int) -> None:
    """Log in, a letter every second."""
    reader, writer = await asyncio.open_connection(host, port)
    head = "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    writer.write(f"{head}Content-Length: 60000\r\n\r\n".encode())
    while not reader.at_eof():
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(1)


ATTACKS: dict[str, tuple[Callable[[str, int], Awaitable[None]], int]] = {
    "guess": (guess, 60),
    "half-open": (half_open, 1300),
    "upload": (upload, 20),
    "trickle": (trickle, 400),
}


async def attack(name: str, host: str, port: int) -> None:
    """All connections of an attack; one that is closed is opened again."""
    way, number = ATTACKS[name]

    async def again_and_again() -> None:
        while True:
            try:
                await way(host, port)
            except (OSError, asyncio.IncompleteReadError):
                await asyncio.sleep(0.2)

    await asyncio.gather(*(again_and_again() for _ in range(number)))


# The user


def look(address: str, session: str) -> list[float]:
    """Seconds of each page; one that does not come counts as the longest wait."""
    times = []
    for _ in range(PAGES):
        begin = time.perf_counter()
        try:
            cookies = {"assay_session": session}
            httpx.get(f"{address}/queue?suite={SUITE}", cookies=cookies, timeout=20).raise_for_status()
            times.append(time.perf_counter() - begin)
        except httpx.TransportError:
            times.append(20.0)
        if sum(times) > 60:
            break
        time.sleep(PAUSE)
    return times


# The server


@contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A server with accounts: its process, its address, and a session of its admin."""
    from assay.workbench.db.database import Store
    from assay.workbench.db.people import get_user, start_session

    def run(*command: str, given: str = "") -> None:
        subprocess.run([*ASSAY, *command], cwd=folder, input=given, text=True, check=True, stdout=subprocess.DEVNULL)

    run("demo")
    run("import", "de-en", *sorted(str(path) for path in (folder / "assay-demo").glob("*.tsv")))
    run("user", "add", "eve", "--role", "admin", given=PASSWORD)
    store = Store.open(str(folder / "assay.db"))
    with store.writing() as db:
        session = start_session(db, get_user(db, "eve"))
    store.close()
    with (folder / "log").open("w") as log:
        command = [*ASSAY, "serve", "--port", "0", "--no-open"]
        process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=_few_files
        )
        line = process.stdout.readline() if process.stdout else ""
        found = re.search(r"http://[^/\s]+", line)
        if not found:
            raise SystemExit(f"the server did not start: {line}")
        try:
            yield process, found[0], session
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


def _few_files() -> None:
    """What many systems allow a process; the server may not raise it."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))


def megabytes(process: subprocess.Popen[str]) -> float:
    """What the server has in memory, where the system tells."""
    try:
        return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())[0]) / 1024
    except (OSError, IndexError):
        return 0.0


def on_disk(process: subprocess.Popen[str]) -> float:
    """MB of temporary files that the server has open; these have no name."""
    total = 0
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            if "(deleted)" in str(link.readlink()):
                total += link.stat().st_size
        except OSError:
            continue
    return total / 1024**2


def attacks(names: list[str]) -> Iterator[Figure]:
    print(f"{'attack':10}  {'median':>8}  {'95 %':>8}  {'worst':>8}  {'memory':>8}  {'on disk':>8}  log lines")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        with serving(folder) as (process, address, session):
            place = urlsplit(address)
            for name in ["none", *names]:
                before = (folder / "log").read_text().count("\n")
                command = [sys.executable, __file__, "--attack", name, str(place.hostname), str(place.port)]
                attacker = subprocess.Popen(command) if name in ATTACKS else None
                if attacker:
                    time.sleep(WARM_UP)
                times = sorted(look(address, session))
                lines = (folder / "log").read_text().count("\n") - before
                most = times[int(len(times) * 0.95)]
                row = f"{1000 * statistics.median(times):5.0f} ms  {1000 * most:5.0f} ms  {1000 * times[-1]:5.0f} ms"
                print(
                    f"{name:10}  {row}  {megabytes(process):5.0f} MB  {on_disk(process):5.0f} MB  {lines}", flush=True
                )
                if attacker:
                    attacker.kill()
                    attacker.wait()
                yield Figure(f"a page while others {name}", 1000 * statistics.median(times), 200, "ms")


if __name__ == "__main__":
    os.environ.pop("ASSAY_DB", None)
    if sys.argv[1:2] == ["--attack"]:
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        asyncio.run(attack(sys.argv[2], sys.argv[3], int(sys.argv[4])))
    sys.exit(show(attacks(sys.argv[1:] or list(ATTACKS))))
