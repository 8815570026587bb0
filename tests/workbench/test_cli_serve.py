"""`assay serve` as a process: it starts, it refuses, it is killed, and nothing that it confirmed is lost."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import pytest

from assay.workbench.cli.serve import listen
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.files.importer import read
from assay.workbench.people.credentials import local_user
from assay.workbench.snapshot import Snapshots
from tests.conftest import Run
from tests.starter import OUTPUTS, STARTER
from tests.suites.building import listing
from tests.workbench.little import NAME, PFERDE, A, fill, text_id

PASSWORD = "correct horse\n"


class Served:
    """A running `assay serve`, and requests to it."""

    def __init__(self, process: "subprocess.Popen[str]", said: str) -> None:
        found = re.search(r"http://([^ /]+):(\d+)/(?:\?token=(\S+))?", said)
        assert found, said
        self.process, self.said = process, said
        self.host, self.port, self.token = found[1].strip("[]"), int(found[2]), found[3]

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
        """(status, body) of the answer; without accounts whoever started the server asks."""
        sent = {name.replace("_", "-"): headers[name] for name in headers}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        connection = HTTPConnection(self.host, self.port, timeout=30)
        try:
            connection.request(method, path, body.encode(), sent)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Served]:
    """The command on a free port; it ends with Ctrl-C unless somebody kills it."""
    command = [sys.executable, "-m", "assay", "serve", "--port", "0", *arguments]
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as process:
        assert process.stdout
        try:
            yield Served(process, process.stdout.readline())
        finally:
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
    assert "Traceback" not in rest, rest


def judge(served: Served, text: int, verdict: str, comment: str = "", suite: str = NAME) -> int:
    """The id of a judgement that the server confirmed."""
    body = json.dumps({"text_id": text, "verdict": verdict, "comment": comment})
    path = f"/api/v1/suites/{quote(suite)}/judgements"
    status, answer = served.ask("POST", path, body, Content_Type="application/json")
    assert status == 201, answer
    return int(json.loads(answer)["event"]["id"])


class TestStarting:
    def test_it_makes_a_database_and_says_where_it_is(self, tmp_path: Path) -> None:
        with serving(tmp_path) as served:
            address = f"http://127.0.0.1:{served.port}/?token={served.token}"
            assert served.said == f"assay.db: the workbench is at {address}  (Ctrl-C ends it)\n"
            assert served.ask("GET", "/")[0] in (200, 303)
            assert served.ask("GET", "/api/v1/me")[0] == 200
            assert served.ask("GET", "/api/v1/me", Authorization="")[0] == 401
        assert served.process.returncode in (0, 130)
        assert (tmp_path / "assay.db").exists()

    def test_on_a_database_by_its_address(self, address: str, tmp_path: Path) -> None:
        store = Store.create(address)
        fill(store)
        store.close()
        with serving(tmp_path, "--db", address) as served:
            status, answer = served.ask("GET", "/api/v1/suites")
            assert (status, [suite["name"] for suite in json.loads(answer)]) == (200, [NAME])

    def test_on_an_ipv6_address(self, tmp_path: Path) -> None:
        if not socket.has_ipv6:
            pytest.skip("this machine has no IPv6")
        with serving(tmp_path, "--host", "::1") as served:
            assert f"http://[::1]:{served.port}/" in served.said
            assert served.ask("GET", "/api/v1/me")[0] == 200

    def test_answers_are_sent_at_once(self) -> None:
        """asyncio does so where a socket names its protocol; else the body waits until the client has the headers."""
        with listen("127.0.0.1", 0) as listener:
            assert listener.proto == socket.IPPROTO_TCP

    def test_with_accounts_others_may_come(self, assay: Run, tmp_path: Path) -> None:
        assay("user", "add", "anna", "--role", "admin", stdin=PASSWORD)
        with serving(tmp_path, "--host", "0.0.0.0") as served:
            assert f"http://localhost:{served.port}/ " in served.said
            assert served.ask("GET", "/api/v1/me")[0] == 401
            log_in = json.dumps({"name": "anna", "password": PASSWORD.strip()})
            status, answer = served.ask("POST", "/api/v1/session", log_in, Content_Type="application/json")
            assert status == 200
            token = json.loads(answer)["token"]
            assert served.ask("GET", "/api/v1/me", Authorization=f"Bearer {token}")[0] == 200

    def test_two_servers_on_one_database(self, address: str, tmp_path: Path) -> None:
        """What one takes, the other shows."""
        store = Store.create(address)
        fill(store)
        text = text_id(Snapshots(store).get(NAME), PFERDE, A)
        store.close()
        with serving(tmp_path, "--db", address) as first, serving(tmp_path, "--db", address) as second:
            waiting = [waiting_at(first), waiting_at(second)]
            judge(first, text, "pass")
            assert [waiting_at(first), waiting_at(second)] == [number - 1 for number in waiting] == [4, 4]


def waiting_at(served: Served) -> int:
    """How many texts wait, as a server sees it."""
    status, answer = served.ask("GET", f"/api/v1/suites/{NAME}/tasks")
    assert status == 200, answer
    return int(json.loads(answer)["total"])


Refused = Callable[..., str]


@pytest.fixture
def refused(assay: Run, tmp_path: Path) -> Refused:
    """Runs `assay serve`, which must refuse in one line with exit code 2 and leave the folder as it was."""

    def run(*arguments: str) -> str:
        before = listing(tmp_path)
        done = assay("serve", "--no-open", *arguments, code=2)
        assert done.stderr.startswith("assay: ")
        assert done.stderr.count("\n") == 1, done.stderr
        assert done.stdout == ""
        assert listing(tmp_path) == before
        return done.stderr.removeprefix("assay: ").removesuffix("\n")

    return run


class TestRefusing:
    def test_a_port_in_use(self, refused: Refused) -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            message = refused("--port", str(port))
        assert message == f"cannot listen at 127.0.0.1:{port} (Address already in use); choose another with --port"

    @pytest.mark.parametrize("host", ["203.0.113.1", "no such host", "a" * 70 + ".example", "::ffff"])
    def test_an_address_that_is_not_ours(self, refused: Refused, host: str) -> None:
        message = refused("--host", host, "--port", "0")
        assert message.startswith(f"cannot listen at {host}:0 (")
        assert message.endswith("; check --host")

    @pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
    def test_others_without_accounts(self, refused: Refused, assay: Run, host: str) -> None:
        assay("init")
        assert refused("--host", host, "--port", "0") == (
            f"listening at {host} lets others in, and there are no accounts; make one with: assay user add NAME"
        )

    def test_others_without_a_database(self, refused: Refused) -> None:
        message = refused("--host", "0.0.0.0", "--port", "0")
        assert message == "assay.db: there is no database; make one with: assay init"


def test_an_import_while_people_judge(tmp_path: Path) -> None:
    """Nobody is refused because the database is busy, and everything is there afterwards."""
    store = Store.create(str(tmp_path / "assay.db"))
    fill(store)
    read(STARTER, [], campaign="").run(store, local_user(store))
    texts = [task.text_id for task in Snapshots(store).get(NAME).tasks]
    with serving(tmp_path) as served:
        command = [sys.executable, "-m", "assay", "import", STARTER, *map(str, OUTPUTS)]
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as process:
            number = 0
            while process.poll() is None:
                judge(served, texts[number % len(texts)], "pass", str(number))
                number += 1
        assert process.returncode == 0
    with store.reading() as db:
        assert [event.comment for event in suite_events(db, 1)] == [str(turn) for turn in range(number)]
    assert len(Snapshots(store).get("assay-de-en").systems) == len(OUTPUTS)
    store.close()
