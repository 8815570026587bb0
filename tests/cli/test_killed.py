"""Commands that are killed with SIGKILL: nothing is half written, and nothing that was confirmed is lost."""

import json
import os
import signal
from collections.abc import Callable
from http.client import HTTPException
from itertools import takewhile
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import pytest

from assay.outputs import System
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.snapshot import Snapshots
from tests.commands import Commands
from tests.conftest import Run
from tests.starter import AVERAGE, CAREFUL, LITERAL, OUTPUTS, STARTER, SUITE
from tests.workbench.little import NAME, PFERDE, A, contents, fill, text_id
from tests.workbench.test_cli_serve import Served, judge, serving

KILLED = """
import os, signal
from sqlalchemy import Engine, event

left = {step}

def step(*given):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

for moment in ("before_cursor_execute", "after_cursor_execute", "commit"):
    event.listen(Engine, moment, step)
"""
"""Has a command killed at its n-th step in the database."""

Killed = Callable[..., bool]


@pytest.fixture
def killed(commands: Commands, tmp_path: Path) -> Killed:
    """Whether a command is killed at a step; it ends well where it has fewer."""

    def run(step: int, *arguments: str | Path) -> bool:
        done = commands.run(arguments, tmp_path, os.environ, first=KILLED.format(step=step))
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        return done.returncode != 0

    return run


def test_an_import_that_is_killed_leaves_nothing_behind(assay: Run, killed: Killed, address: str) -> None:
    """Every 19th step in turn: before and after statements, and before the commit."""
    assay("init", "--db", address)
    assay("import", STARTER, AVERAGE, "--db", address)
    store = Store.open(address)
    before = contents(store)
    steps = takewhile(
        lambda step: killed(step, "import", STARTER, CAREFUL, LITERAL, "--db", address), range(1, 2000, 19)
    )
    kills = [contents(store) == before for _ in steps]
    assert len(kills) > 3
    assert all(kills)
    after = contents(store)
    assert len(after["outputs"]) == 3 * len(SUITE)
    systems = Snapshots(store).get("assay-de-en").outputs.systems
    assert systems == (System("average"), System("careful"), System("literal"))
    store.close()


def test_a_first_import_that_is_killed_can_be_repeated(assay: Run, killed: Killed, tmp_path: Path) -> None:
    """While it makes the database, too: nobody has to clear away what is left of it."""
    steps = takewhile(lambda step: killed(step, "import", STARTER, AVERAGE), range(1, 2000, 61))
    for _ in steps:
        assert "average" in assay("import", STARTER, AVERAGE).stdout
        for path in tmp_path.glob("assay.db*"):
            path.unlink()
    assert not killed(2000, "import", STARTER, AVERAGE)


def judge_page(served: Served, text: int, verdict: str, comment: str) -> None:
    """The same as the queue's page sends it."""
    body = urlencode({"text": text, "verdict": verdict, "comment": comment})
    kind = "application/x-www-form-urlencoded"
    status, answer = served.ask("POST", f"/queue/judge?suite={NAME}", body, Content_Type=kind, HX_Request="true")
    assert status == 200, answer


@pytest.mark.parametrize("after", [1, 25])
def test_no_judgement_that_was_confirmed_is_lost(address: str, tmp_path: Path, after: int) -> None:
    """Three clients judge as fast as they can through the API and the page; the server is killed meanwhile."""
    store = Store.create(address)
    fill(store)
    texts = [task.text_id for task in Snapshots(store).get(NAME).tasks]
    confirmed: list[str] = []

    def client(number: int, served: Served) -> None:
        for turn in range(1000):
            said = (texts[turn % len(texts)], "pass" if turn % 2 else "fail", f"client {number}, turn {turn}")
            try:
                judge_page(served, *said) if number == 2 else judge(served, *said)
            except (OSError, HTTPException):
                return
            confirmed.append(said[2])

    with serving(tmp_path, "--db", address) as served:
        clients = [Thread(target=client, args=(number, served)) for number in range(3)]
        for thread in clients:
            thread.start()
        while len(confirmed) < after and any(thread.is_alive() for thread in clients):
            clients[0].join(0.01)
        served.kill()
        for thread in clients:
            thread.join()
    assert len(confirmed) >= after
    with store.reading() as db:
        kept = [event.comment for event in suite_events(db, 1)]
    store.close()
    assert set(confirmed) <= set(kept)
    assert len(set(kept)) == len(kept)
    with serving(tmp_path, "--db", address) as again:
        assert judge(again, texts[0], "pass", "after the restart")


def test_an_import_that_is_killed_keeps_nobody_waiting(killed: Killed, tmp_path: Path) -> None:
    """A command that writes to the database of a server dies in the middle of it: the server goes on."""
    store = Store.create(str(tmp_path / "assay.db"))
    fill(store)
    text = text_id(Snapshots(store).get(NAME), PFERDE, A)
    store.close()
    with serving(tmp_path) as served:
        assert killed(50, "import", STARTER, *OUTPUTS)
        assert judge(served, text, "pass")
        assert [suite["name"] for suite in json.loads(served.ask("GET", "/api/v1/suites")[1])] == [NAME]
        assert not killed(10_000, "import", STARTER, *OUTPUTS)
        names = [suite["name"] for suite in json.loads(served.ask("GET", "/api/v1/suites")[1])]
        assert names == ["assay-de-en", NAME]
