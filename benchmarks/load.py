"""The workbench under load: many users at work, the server killed in between, nothing lost.

    python benchmarks/load.py                                  50 users, ten minutes, on SQLite
    python benchmarks/load.py --database postgres              on a PostgreSQL server that is started for it
    python benchmarks/load.py --users 1 --pause 0 --kills 0    one who does not rest: does memory grow?
    python benchmarks/load.py --routes                         processor time of each page, asked for one by one

The server is `assay serve` on this machine, with accounts, on the bundled suite and outputs made from a seed. Users are
annotators: they judge what the queue shows, half of them as second opinions, skip, write comments, take back, open
items, results and agreement, and now and then try rules. Each begins something new every 0.75 seconds on average, or as
soon as the last answer is there. The server is killed with SIGKILL while they work and started again, and they go on.

At the end every judgement that was answered has to be in the database once, and one that was not answered at most once.
"""

import argparse
import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT)]

import httpx
from measure import Figure, show

from assay.suites import load_suite
from assay.workbench.admission.security import COOKIE, second_token
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.db.people import add_user, start_session
from assay.workbench.db.suites import find_suite
from assay.workbench.files.importer import read
from assay.workbench.people.credentials import local_user

SUITE = load_suite("de-en")
HERE = {"suite": SUITE.name}
SAMPLED = 15.0
"""Seconds between two looks at the server's memory."""

WARM_UP, ROUNDS = 20, 25
"""Judgements of each user before pages are asked for one by one; how often each page is."""

FLAT = 1.25
"""What memory may be at the end of the server's life beside what it was when it was warm."""


# The server


class Workbench:
    """`assay serve`, which can be killed and comes back at the same address."""

    def __init__(self, database: str, log: Path) -> None:
        self.database, self.log, self.port = database, log, 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "assay", "serve", "--db", self.database, "--port", str(self.port), "--no-open"]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline() if self.process.stdout else ""
        found = re.search(r"http://[^/\s]+:(\d+)", line)
        if not found:
            raise SystemExit(f"the server did not start: {line}{self.log.read_text()[-2000:]}")
        self.address, self.port = found[0], int(found[1])

    def kill(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def megabytes(self) -> float:
        """What the server has in memory, 0 where the system does not tell."""
        assert self.process
        try:
            told = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0.0
        found = re.search(r"VmRSS:\s+(\d+)", told)
        return int(found[1]) / 1024 if found else 0.0

    def seconds(self) -> float:
        """Processor time that the server has taken, without its children."""
        assert self.process
        try:
            told = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def write_outputs(folder: Path, systems: int) -> list[Path]:
    """Outputs of so many systems for all items: a few words of the source's, which no rule decides, often the same."""
    chance = random.Random(17)
    paths = [folder / f"system-{number:02}.tsv" for number in range(systems)]
    variants = {
        item.id: [" ".join(chance.choices(item.source.split() or ["nothing"], k=8)) for _ in range(systems // 2 + 1)]
        for item in SUITE.items
    }
    for path in paths:
        lines = [f"{item_id}\t{chance.choice(texts)}" for item_id, texts in variants.items()]
        path.write_text("item\ttext\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return paths


def fill(database: str, folder: Path, systems: int, users: int) -> list[str]:
    """Put suite, outputs and accounts into a database; the sessions of the users."""
    store = Store.create(database)
    outputs = [str(path) for path in write_outputs(folder, systems)]
    read("de-en", outputs, source=None, campaign="").run(store, local_user(store))
    with store.writing() as db:
        people = [add_user(db, f"annotator {number}", "annotator", "no password fits this") for number in range(users)]
        found = [start_session(db, user) for user in people]
    store.close()
    return found


@contextmanager
def database_of(kind: str, folder: Path) -> Iterator[str]:
    """The address of a new database; one that was named by its address has to be empty."""
    if kind == "sqlite":
        yield str(folder / "assay.db")
    elif kind == "postgres":
        from tests.databases import Server

        server = Server()
        try:
            with server.database() as found:
                yield found
        finally:
            server.stop()
    else:
        yield kind


# The users


@dataclass
class Diary:
    """What became of all requests."""

    reads: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    broken: int = 0
    """Requests that a killed server did not answer, or that found none."""
    faults: list[str] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)
    unanswered: set[str] = field(default_factory=set)
    """Comments of the judgements that were sent."""
    undone: Counter[str] = field(default_factory=Counter)
    by_route: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def requests(self) -> int:
        return self.statuses.total()


class Annotator:
    """One user in a browser. `text` and `known` are those of the card on the screen."""

    def __init__(self, number: int, address: str, token: str, diary: Diary) -> None:
        self.number, self.diary, self.chance = number, diary, random.Random(number)
        self.query = HERE | ({"again": "true"} if number % 2 else {})
        headers = {"X-Assay-Token": second_token(token)}
        self.client = httpx.AsyncClient(base_url=address, timeout=60, cookies={COOKIE: token}, headers=headers)
        self.page, self.sent = "", 0

    async def work(self, pause: float, over: Callable[[], bool]) -> None:
        """Act until it is over."""
        ways, weights = zip(*ACTIONS.items(), strict=True)
        async with self.client:
            await asyncio.sleep(self.chance.uniform(0, pause))
            while not over():
                begin = time.perf_counter()
                await self.chance.choices(ways, weights)[0](self)
                wanted = pause * self.chance.uniform(0.5, 1.5)
                await asyncio.sleep(max(0.0, wanted - (time.perf_counter() - begin)))

    async def ask(self, path: str, query: dict[str, Any], **body: Any) -> httpx.Response | None:
        """An answer, or None where the server was not there, or had no time."""
        method, times = ("POST", self.diary.writes) if body else ("GET", self.diary.reads)
        if path.endswith("/preview"):
            times = self.diary.reads
        if "data" in body:
            body["headers"] = {"HX-Request": "true"}
        begin = time.perf_counter()
        try:
            answer = await self.client.request(method, path, params=query, **body)
        except httpx.TransportError:
            self.diary.broken += 1
            await asyncio.sleep(self.chance.uniform(0.1, 0.3))
            return None
        taken = time.perf_counter() - begin
        self.diary.statuses[answer.status_code] += 1
        if answer.status_code in (429, 503) and "retry-after" in answer.headers:
            await asyncio.sleep(float(answer.headers["retry-after"]))
            return None
        if not answer.is_success:
            self.diary.faults.append(f"{answer.status_code} {method} {path}: {answer.text[-300:]}")
            return None
        times.append(taken)
        self.diary.by_route[f"{method} {path.partition('/item/')[0] or '/item'}"].append(taken)
        return answer

    # What they do

    async def open_queue(self) -> None:
        answer = await self.ask("/queue", self.query)
        self.page = answer.text if answer else ""

    async def judge(self, verdict: str = "") -> None:
        """Say something of the text on the screen; where there is none, look for one."""
        text, known = value(self.page, "text"), value(self.page, "known")
        if not text:
            if self.page:
                # Nothing waits: the next thing that is done is a second opinion, or none.
                self.query = HERE | ({} if "again" in self.query else {"again": "true"})
            await self.open_queue()
            return
        self.sent += 1
        comment = f"{self.number}-{self.sent}"
        verdict = verdict or self.chance.choice(["pass", "pass", "fail"])
        given = {"text": text, "known": known, "verdict": verdict, "comment": comment}
        self.diary.unanswered.add(comment)
        answer = await self.ask("/queue/judge", self.query, data=given)
        self.page = answer.text if answer else ""
        if answer:
            self.diary.unanswered.discard(comment)
            self.diary.answered.add(comment)

    async def skip(self) -> None:
        await self.judge("skip")

    async def undo(self) -> None:
        self.diary.undone[f"{self.number}?"] += 1
        answer = await self.ask("/queue/undo", self.query, data={"text": ""})
        self.page = answer.text if answer else ""

    async def open_item(self) -> None:
        await self.ask(f"/item/{self.chance.choice(SUITE.items).id}", HERE)

    async def open_items(self) -> None:
        await self.ask("/items", HERE | {"page": self.chance.randint(1, 10)})

    async def open_results(self) -> None:
        await self.ask("/results", HERE)

    async def open_agreement(self) -> None:
        await self.ask("/agreement", HERE)

    async def open_effort(self) -> None:
        await self.ask("/effort", HERE)

    async def open_history(self) -> None:
        await self.ask("/history", HERE)

    async def open_front(self) -> None:
        await self.ask("/", HERE)

    async def list_tasks(self) -> None:
        await self.ask(f"/api/v1/suites/{SUITE.name}/tasks", {"limit": 1000})

    async def preview(self) -> None:
        item = self.chance.choice(SUITE.items)
        word = re.escape(self.chance.choice(item.source.split() or ["nothing"]))
        rules = [{"polarity": "pass", "kind": "regex", "value": rf"\b{word}\w*"}]
        await self.ask(f"/api/v1/suites/{SUITE.name}/item/preview", {"id": item.id}, json={"rules": rules})


Action = Callable[[Annotator], Coroutine[Any, Any, None]]

ACTIONS: dict[Action, float] = {
    Annotator.judge: 45,
    Annotator.skip: 6,
    Annotator.undo: 3,
    Annotator.open_queue: 15,
    Annotator.open_item: 10,
    Annotator.open_items: 4,
    Annotator.open_results: 5,
    Annotator.open_agreement: 4,
    Annotator.open_effort: 2,
    Annotator.open_history: 2,
    Annotator.open_front: 2,
    Annotator.list_tasks: 1,
    Annotator.preview: 1,
}
"""How often each is done."""


def value(page: str, name: str) -> str:
    """The value of a hidden field, empty where there is none."""
    found = re.search(rf'name="{name}"[^>]*value="(\d+)"', page) or re.search(rf'value="(\d+)"[^>]*name="{name}"', page)
    return found[1] if found else ""


# What is measured


def quantile(times: Sequence[float], share: float) -> float:
    """Milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


async def crowd(bench: Workbench, tokens: Sequence[str], given: argparse.Namespace, diary: Diary) -> list[list[float]]:
    """Let everybody work; the server's memory, a list for each of its lives."""
    begin = time.monotonic()
    length = 60 * given.minutes
    lives: list[list[float]] = [[]]

    def over() -> bool:
        return time.monotonic() - begin >= length or bool(given.requests and diary.requests >= given.requests)

    async def disturb() -> None:
        for number in range(1, given.kills + 1):
            while not over() and not _share_done(diary, given, begin, number / (given.kills + 1)):
                await asyncio.sleep(0.05)
            bench.kill()
            lives.append([])
            await asyncio.to_thread(bench.start)

    async def sample() -> None:
        while not over():
            await asyncio.sleep(min(SAMPLED, length / 8))
            lives[-1].append(bench.megabytes())

    sampling = asyncio.create_task(sample())
    people = [Annotator(number, bench.address, token, diary) for number, token in enumerate(tokens)]
    await asyncio.gather(disturb(), *(person.work(given.pause, over) for person in people))
    sampling.cancel()
    lives[-1].append(bench.megabytes())
    return lives


def _share_done(diary: Diary, given: argparse.Namespace, begin: float, share: float) -> bool:
    """Whether this share of the time, or of the requests, is over."""
    timely = time.monotonic() - begin >= share * 60 * given.minutes
    return timely or bool(given.requests and diary.requests >= share * given.requests)


def lost_and_doubled(database: str, diary: Diary) -> tuple[list[str], list[str]]:
    """Judgements that were answered and are not in the database; those that are there more than once."""
    store = Store.open(database)
    with store.reading() as db:
        kept = Counter(event.comment for event in suite_events(db, find_suite(db, SUITE.name).id) if event.comment)
    store.close()
    lost = sorted(diary.answered - set(kept))
    doubled = sorted(comment for comment, number in kept.items() if number > 1)
    unknown = set(kept) - diary.answered - diary.unanswered
    return lost, doubled + sorted(unknown)


@contextmanager
def at_work(database: str, given: argparse.Namespace, folder: Path) -> Iterator[tuple[Workbench, Sequence[str]]]:
    """A server on a database with a suite and outputs, and the sessions of its users."""
    tokens = fill(database, folder, given.systems, given.users)
    bench = Workbench(database, folder / "log")
    bench.start()
    try:
        yield bench, tokens
    finally:
        bench.kill()


def load(given: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """Users at work."""
    diary = Diary()
    with database_of(given.database, folder) as database:
        with at_work(database, given, folder) as (bench, tokens):
            lives = asyncio.run(crowd(bench, tokens, given, diary))
            taken = bench.seconds()
        lost, doubled = lost_and_doubled(database, diary)
    log = (folder / "log").read_text()
    yield from report(diary, lives, taken, lost, doubled, log)


def report(
    diary: Diary, lives: Sequence[Sequence[float]], taken: float, lost: list[str], doubled: list[str], log: str
) -> Iterator[Figure]:
    for route, times in sorted(diary.by_route.items()):
        print(f"{route:45}  {len(times):6}  p50 {quantile(times, 0.5):6.0f} ms  p95 {quantile(times, 0.95):6.0f} ms")
    for number, life in enumerate(lives):
        print(f"memory, life {number + 1} of the server, MB:", *(f"{megabytes:.0f}" for megabytes in life))
    statuses = ", ".join(f"{status}: {number}" for status, number in sorted(diary.statuses.items()))
    print(f"answers {statuses}; {diary.broken} requests found no server; processor of the last life {taken:.0f} s")
    print(*dict.fromkeys(diary.faults[:20]), sep="\n")
    if "Traceback" in log:
        print(log[-4000:])
    faults = sum(status >= 500 for status in diary.statuses.elements()) - diary.statuses[503]
    told_to_wait = diary.statuses[503] - sum(fault.startswith("503") for fault in diary.faults)
    print(f"{len(diary.reads)} reads, {len(diary.writes)} writes, {len(diary.answered)} judgements answered")
    yield Figure("reads, median", quantile(diary.reads, 0.5), 500, "ms")
    yield Figure("reads, 95 %", quantile(diary.reads, 0.95), 500, "ms")
    yield Figure("writes, median", quantile(diary.writes, 0.5), 500, "ms")
    yield Figure("writes, 95 %", quantile(diary.writes, 0.95), 500, "ms")
    yield Figure("answers 5xx other than 503", faults, 0, "")
    yield Figure("answers 503 with Retry-After", told_to_wait, len(diary.writes) / 1000, "")
    yield Figure("other answers that are errors", len(diary.faults) - faults, 0, "")
    yield Figure("judgements answered and lost", len(lost), 0, "")
    yield Figure("judgements kept twice, or that nobody sent", len(doubled), 0, "")
    longest = max(lives, key=len)
    if len(longest) >= 8:
        # The first quarter is warming up.
        yield Figure("memory at the end / when warm", longest[-1] / longest[len(longest) // 4], FLAT, "×")
    yield Figure("memory at most", max(megabytes for life in lives for megabytes in life), 400, "MB")


def routes(given: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """Processor time of each action, after everybody has judged: when something has changed, and when nothing has."""
    diary = Diary()
    with database_of(given.database, folder) as database, at_work(database, given, folder) as (bench, tokens):
        yield from asyncio.run(ask_one_by_one(bench, tokens, diary))
    if diary.faults:
        raise SystemExit("\n".join(diary.faults[:5]))


async def ask_one_by_one(bench: Workbench, tokens: Sequence[str], diary: Diary) -> list[Figure]:
    people = [Annotator(number, bench.address, token, diary) for number, token in enumerate(tokens)]
    for _ in range(WARM_UP):
        for person in people:
            await person.judge()
    found = []
    for action in ACTIONS:
        for changed in (True, False):
            if not changed and action in (Annotator.judge, Annotator.skip, Annotator.undo):
                continue
            milliseconds = 0.0
            for round_ in range(ROUNDS):
                if changed:
                    await people[round_ % len(people)].judge()
                begin = bench.seconds()
                await action(people[-1])
                milliseconds += 1000 * (bench.seconds() - begin)
            what = f"{action.__name__}, {'after a change' if changed else 'again'}"
            found.append(Figure(what, milliseconds / ROUNDS, 12, "ms"))
    for person in people:
        await person.client.aclose()
    return found


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The workbench under load.")
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--requests", type=int, default=0, help="end after so many, if that is earlier")
    parser.add_argument("--pause", type=float, default=0.75, help="seconds from one action of a user to the next")
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--systems", type=int, default=12)
    parser.add_argument("--database", default="sqlite", help="sqlite, postgres, or the address of an empty database")
    parser.add_argument("--routes", action="store_true", help="processor time of each page, asked for one by one")
    return parser.parse_args()


if __name__ == "__main__":
    os.environ.pop("ASSAY_DB", None)
    chosen = options()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        sys.exit(show((routes if chosen.routes else load)(chosen, Path(temporary))))
