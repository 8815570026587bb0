"""A request reads in one transaction and changes something in one more; a judgement takes a dozen statements."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx import Client

from assay.workbench.db.database import Store
from assay.workbench.state import State
from tests.workbench.web.clients import log_in, token_of
from tests.workbench.web.little_server import IDIOM, SUITE, fill, judge_some
from tests.workbench.web.sql import Sql, counted

MOST = 12
"""Statements of a judgement, from the session to the next text, with what begins the two transactions."""

PAIR = "first=A (WMT21)&second=B (WMT21)"
PAGES = {
    "/": 6,
    "/queue": 7,
    "/queue?sample=true": 7,
    "/queue/filters": 4,
    "/items": 4,
    f"/item/{IDIOM}": 7,
    f"/items/history?item={IDIOM}": 8,
    "/results": 4,
    "/results/cell?column=B&campaign=WMT21": 5,
    "/compare": 5,
    f"/compare?{PAIR}": 5,
    f"/compare/items?{PAIR}&side=lost": 5,
    "/years": 4,
    "/effort": 5,
    "/agreement": 5,
    "/agreement?first=anna&second=ben": 7,
    "/disputes": 5,
    "/history": 14,
    "/files": 10,
    "/people": 8,
    f"/api/v1/suites/{SUITE}": 3,
    f"/api/v1/suites/{SUITE}/queue": 5,
    f"/api/v1/suites/{SUITE}/tasks?system=A": 4,
    f"/api/v1/suites/{SUITE}/item?id={IDIOM}": 6,
    f"/api/v1/suites/{SUITE}/verdicts": 4,
    f"/api/v1/suites/{SUITE}/history": 13,
}
"""Page -> statements when the suite is in memory and there is nothing new to see."""


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    store = Store.create(str(tmp_path / "assay.db"))
    fill(store)
    judge_some(store)
    yield State(store)
    store.close()


def look(state: State, client: Client, path: str) -> Sql:
    asked = path if path.startswith("/api") else f"{path}{'&' if '?' in path else '?'}suite={SUITE}"
    with counted(state.store) as sql:
        assert client.get(asked).status_code == 200
    return sql


@pytest.mark.parametrize(("path", "most"), PAGES.items())
def test_a_page_is_one_read_transaction(state: State, path: str, most: int) -> None:
    ada = log_in(state, "ada")
    first = look(state, ada, path)
    assert first.transactions == 1 + first.writes
    assert first.writes <= 1, "one more, where something newly seen is written down"
    again = look(state, ada, path)
    assert (again.transactions, again.writes) == (1, 0)
    assert len(again.statements) <= most


def test_a_download_is_written_down_each_time(state: State) -> None:
    ada = log_in(state, "ada")
    for _ in range(2):
        sql = look(state, ada, "/results/download/verdicts.tsv?shown=true")
        assert (sql.transactions, sql.writes) == (2, 1)
    assert len(sql.statements) <= 7


class Annotator:
    """Somebody at the queue."""

    def __init__(self, state: State, name: str, **filters: str) -> None:
        self.state, self.client, self.asked = state, log_in(state, name), {"suite": SUITE, **filters}
        self.headers = token_of(self.client) | {"HX-Request": "true"}
        self.page = self.client.get("/queue", params=self.asked).text

    def say(self, verdict: str) -> Sql:
        given = dict(re.findall(r'name="(text|known)" value="(\d+)"', self.page))
        return self.post("judge", given | {"verdict": verdict})

    def post(self, what: str, data: dict[str, str] | None = None) -> Sql:
        with counted(self.state.store) as sql:
            answer = self.client.post(f"/queue/{what}", params=self.asked, data=data, headers=self.headers)
        assert answer.status_code == 200, answer.text
        self.page = answer.text
        return sql


@pytest.mark.parametrize("verdict", ["pass", "fail", "skip"])
def test_a_judgement(state: State, verdict: str) -> None:
    anna = Annotator(state, "anna")
    for _ in range(2):
        sql = anna.say(verdict)
        assert (sql.transactions, sql.writes) == (2, 1)
        assert len(sql.statements) <= MOST, "\n".join(sql.statements)


@pytest.mark.parametrize("number", [2, 3])
def test_a_decision_takes_as_many_whatever_the_number_of_texts(state: State, number: int) -> None:
    anna = Annotator(state, "anna")
    texts = [str(task.text_id) for task in state.snapshots.get(SUITE).undisputed[:number]]
    sql = anna.post("rows", {"rows": texts, "verdict": "pass"})  # type: ignore[dict-item]
    assert (sql.transactions, sql.writes) == (2, 1)
    assert len(sql.statements) <= MOST + 1, "\n".join(sql.statements)


@pytest.mark.parametrize("verdict", ["pass", "skip"])
def test_a_judgement_of_a_sample(state: State, verdict: str) -> None:
    Annotator(state, "boss", sample="true").post("draw")
    anna = Annotator(state, "anna", sample="true")
    for _ in range(2):
        sql = anna.say(verdict)
        assert (sql.transactions, sql.writes) == (2, 1)
        assert len(sql.statements) <= MOST, "\n".join(sql.statements)


def test_a_judgement_after_somebody_elses(state: State) -> None:
    """What others changed is read with one statement more."""
    anna, boss = Annotator(state, "anna"), Annotator(state, "boss")
    boss.say("pass")
    sql = anna.say("fail")
    assert sql.transactions == 2
    assert len(sql.statements) <= MOST + 1, "\n".join(sql.statements)


@pytest.mark.parametrize(
    ("what", "data", "most"),
    [
        ("undo", None, 12),
        ("later", {}, 11),
        ("back", {}, 11),
        ("show/systems", {"on": "true"}, 12),
        ("keys/reset", {}, 11),
    ],
)
def test_what_else_an_annotator_does(state: State, what: str, data: dict[str, str] | None, most: int) -> None:
    anna = Annotator(state, "anna")
    anna.say("pass")
    given = dict(re.findall(r'name="(text)" value="(\d+)"', anna.page))
    sql = anna.post(what, None if data is None else data | given)
    assert (sql.transactions, sql.writes) == (2, 1)
    assert len(sql.statements) <= most, "\n".join(sql.statements)


def test_a_judgement_on_the_page_of_an_item(state: State) -> None:
    anna = Annotator(state, "anna")
    text = next(iter(state.snapshots.get(SUITE).by_item[2]))
    query, data = {"suite": SUITE, "item": IDIOM, "shown": "true"}, {"text": str(text), "verdict": "pass"}
    anna.client.get(f"/item/{IDIOM}", params={"suite": SUITE, "shown": "true"})
    with counted(state.store) as sql:
        assert anna.client.post("/items/judge", params=query, data=data, headers=anna.headers).status_code == 200
    assert sql.transactions == 2
    assert len(sql.statements) <= 13, "\n".join(sql.statements)
