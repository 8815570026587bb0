"""The workbench under load: import, foresight, queue and judgement with twenty annotators, results.

    python benchmarks/workbench.py            on WMT21 and WMT22, de-en and en-de, where they are present

Every annotator judges a text, reads for a second on average (a tenth of what people need), and judges the next.
"""

import asyncio
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import campaign
import httpx
from measure import Figure, ratio, show, side_by_side
from sqlalchemy import event

from assay.workbench.admission.security import COOKIE, second_token
from assay.workbench.app import create_app
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user, start_session
from assay.workbench.items.rule_edits import make_rule, preview_rules
from assay.workbench.items.rule_trial import try_rules
from assay.workbench.snapshot import Snapshots
from assay.workbench.state import RULES, State

ASSAY = Path(sys.executable).parent / "assay"
ANNOTATORS, ROUNDS, PAUSE = 20, 15, 1.0


def workbench(folder: Path) -> Iterator[Figure]:
    """All figures, on one database."""
    found = campaign.find(folder)
    database = folder / "assay.db"
    yield from importing(found, folder)
    for each in campaign.every(folder):
        command = [ASSAY, "import", each.suite, *each.outputs, "--source", each.source, "--campaign", each.name]
        subprocess.run([str(part) for part in (*command, "--db", database)], check=True, stdout=subprocess.DEVNULL)
    yield foresight(database, found.suite.stem)
    yield from asyncio.run(asking(database, found.suite.stem))
    with serving(database) as address:
        yield from asyncio.run(clicking(address, sessions(database), found.suite.stem))


def importing(found: campaign.Campaign, folder: Path) -> Iterator[Figure]:
    files = [found.suite, *found.outputs, "--source", found.source]
    # A new database each time: `sh` removes the last one, which takes no time to speak of.
    command = f'rm -f "$0"*; "{ASSAY}" import --db "$0" --campaign bench "$@"'
    measured = side_by_side(
        {
            "evaluate": [ASSAY, "evaluate", *files],
            "import": ["sh", "-c", command, folder / "import.db", *files],
        },
        runs=5,
    )
    yield Figure("assay import / assay evaluate, time", ratio(measured, "import", "evaluate"), 5, "×")


def foresight(database: Path, suite: str) -> Figure:
    """The consequences of one more rule, for the item whose outputs hold most distinct texts."""
    store = Store.open(str(database))
    snapshot = Snapshots(store).get(suite)
    place = max(range(len(snapshot.items)), key=lambda place: len(snapshot.by_item[place]))
    item = snapshot.items[place]
    rules = [*item.rules, make_rule("pass", "regex", r"\b(the|a)\b.*\b[a-z]+ing\b")]
    ask = partial(RULES.run, try_rules)  # in a child process, as the server does it
    RULES.warm()
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        preview_rules(ask, snapshot, item.id, rules)
        times.append(time.perf_counter() - begin)
    store.close()
    what = f"foresight, {len(snapshot.by_item[place])} texts of {len(snapshot.systems)} systems, median"
    return Figure(what, 1000 * statistics.median(times), 50, "ms")


async def asking(database: Path, suite: str) -> list[Figure]:
    """How often one judgement asks the database, from the session to the next text; `BEGIN` is a statement too."""
    token = sessions(database)[0]
    store = Store.open(str(database))
    statements: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda db, cursor, text, *_: statements.append(text))
    transport = httpx.ASGITransport(create_app(State(store)))
    headers = {"X-Assay-Token": second_token(token), "HX-Request": "true"}
    async with httpx.AsyncClient(transport=transport, base_url="http://bench", cookies={COOKIE: token}) as client:
        page = (await client.get("/queue", params={"suite": suite})).text
        answer = {name: value(page, name) for name in ("text", "known")} | {"verdict": "pass"}
        statements.clear()
        (await client.post("/queue/judge", params={"suite": suite}, data=answer, headers=headers)).raise_for_status()
    store.close()
    transactions = sum(text.startswith("BEGIN") for text in statements)
    return [
        Figure("SQL statements of a judgement", len(statements), 12, ""),
        Figure("transactions of a judgement", transactions, 2, ""),
    ]


@contextmanager
def serving(database: Path) -> Iterator[str]:
    """`assay serve` as a process of its own; yields its address."""
    # Accounts first: with them the server asks everybody to log in.
    sessions(database)
    command = [ASSAY, "serve", "--db", database, "--port", "0", "--no-open"]
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline() if process.stdout else ""
    match = re.search(r"http://[^/\s]+", line)
    if not match:
        raise SystemExit(f"the server did not start: {line}")
    yield match[0]
    process.send_signal(signal.SIGINT)
    process.wait(20)


def sessions(database: Path) -> list[str]:
    """A session for every annotator."""
    from assay.workbench.db.people import find_user

    store = Store.open(str(database))
    with store.writing() as db:
        users = [
            find_user(db, name) or add_user(db, name, "annotator", "no password fits this")
            for name in (f"annotator {number}" for number in range(ANNOTATORS))
        ]
        tokens = [start_session(db, user) for user in users]
    store.close()
    return tokens


async def clicking(address: str, tokens: Sequence[str], suite: str) -> list[Figure]:
    pages: list[float] = []
    judgements: list[float] = []
    async with httpx.AsyncClient(base_url=address, timeout=30, cookies={COOKIE: tokens[0]}) as client:
        # The first request reads the suite into memory.
        (await client.get("/queue", params={"suite": suite})).raise_for_status()
        results = []
        for number in range(7):
            # Another alpha each time: the server keeps evaluations that were asked for before.
            choices = {"suite": suite, "alpha": f"0.0{number + 1}"}
            begin = time.perf_counter()
            (await client.get("/results", params=choices)).raise_for_status()
            results.append(time.perf_counter() - begin)
    await asyncio.gather(
        *(annotator(address, token, suite, number, pages, judgements) for number, token in enumerate(tokens))
    )
    spread = f"{ANNOTATORS} annotators, {len(judgements)} judgements"
    return [
        Figure("results page, median", 1000 * statistics.median(results), 500, "ms"),
        Figure(f"queue page, median ({spread})", 1000 * statistics.median(pages), 50, "ms"),
        Figure("queue page, 99th percentile", 1000 * quantile(pages), 250, "ms"),
        Figure("judgement with the next text, median", 1000 * statistics.median(judgements), 50, "ms"),
        Figure("judgement with the next text, 99th percentile", 1000 * quantile(judgements), 250, "ms"),
    ]


async def annotator(
    address: str, token: str, suite: str, number: int, pages: list[float], judgements: list[float]
) -> None:
    """Open the queue, judge what is shown, and what the answer shows next; now and then load the page again."""
    chance = random.Random(number)
    headers = {"X-Assay-Token": second_token(token), "HX-Request": "true"}
    async with httpx.AsyncClient(base_url=address, timeout=30, cookies={COOKIE: token}) as client:
        await asyncio.sleep(chance.uniform(0, PAUSE))
        page = ""
        for step in range(ROUNDS):
            if step % 3 == 0:
                page = await timed(client.get("/queue", params={"suite": suite}), pages)
                await asyncio.sleep(chance.uniform(0.5, 1.5) * PAUSE)
            answer = {name: value(page, name) for name in ("text", "known")} | {
                "verdict": chance.choice(["pass", "fail"])
            }
            request = client.post("/queue/judge", params={"suite": suite}, data=answer, headers=headers)
            page = await timed(request, judgements)
            await asyncio.sleep(chance.uniform(0.5, 1.5) * PAUSE)


async def timed(request: object, times: list[float]) -> str:
    begin = time.perf_counter()
    response: httpx.Response = await request  # type: ignore[misc]
    times.append(time.perf_counter() - begin)
    response.raise_for_status()
    return response.text


def value(page: str, name: str) -> str:
    """The value of a hidden field."""
    match = re.search(rf'name="{name}"[^>]*value="(\d+)"', page) or re.search(rf'value="(\d+)"[^>]*name="{name}"', page)
    if not match:
        raise SystemExit(f"the page has no field {name}:\n{page[:2000]}")
    return match[1]


def quantile(times: Sequence[float], share: float = 0.99) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


if __name__ == "__main__":
    os.environ.pop("ASSAY_DB", None)
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(show(workbench(Path(temporary))))
