"""What a second suggester says, on the queue page, in the part that is fetched again, and in the API."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx import Client

from assay.suggest import Suggestion
from assay.verdicts import Verdict
from assay.workbench.db.database import Store
from assay.workbench.db.people import get_user
from assay.workbench.queue.preferences import set_shown
from assay.workbench.queue.suggester_pool import Opinion
from assay.workbench.state import State
from tests.suggest.scripted import Scripted
from tests.workbench.web.clients import log_in
from tests.workbench.web.little_server import SUITE, Asker, Workbench

READY = Opinion("ready", Suggestion(Verdict.FAIL, 0.7, "so <b>it</b> seems"))
WAITING = Opinion("waiting")


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    store = Store.create(str(tmp_path / "assay.db"))
    yield Workbench(store)
    store.close()


@pytest.fixture
def opinions(workbench: Workbench) -> Scripted:
    workbench.state.opinions = Scripted(READY)
    return workbench.state.opinions


def show(state: State, *, on: bool) -> None:
    with state.store.writing() as db:
        set_shown(db, get_user(db, "anna"), "suggestion", on=on)


def part(anna: Client, text_id: int) -> tuple[int, str]:
    answer = anna.get("/queue/opinion", params={"suite": SUITE, "text": text_id})
    return answer.status_code, " ".join(answer.text.split())


def offered(asker: Asker, **query: Any) -> dict[str, object]:
    offer: dict[str, object] = asker.get(f"/suites/{SUITE}/queue", **query)["offer"]
    return offer


def test_the_page_asks_again_until_there_is_an_answer(workbench: Workbench, opinions: Scripted) -> None:
    opinions.said = [WAITING, WAITING, READY]
    show(workbench.state, on=True)
    anna = log_in(workbench.state, "anna")
    page = anna.get("/queue", params={"suite": SUITE}).text
    assert "asking …" in page
    assert 'hx-get="/queue/opinion?' in page
    text_id = int(page.split('name="text" value="')[1].split('"')[0])
    assert part(anna, text_id) == (204, "")
    status, text = part(anna, text_id)
    assert status == 200
    assert "0.70" in text
    assert "so &lt;b&gt;it&lt;/b&gt; seems" in text
    assert "hx-get" not in text


@pytest.mark.parametrize(
    ("opinion", "words"),
    [
        (Opinion("ready"), "none: the answer has no clear verdict"),
        (Opinion("failed", reason="the quota is used up"), "no answer: the quota is used up"),
        (Opinion("held_out"), "not asked: the item is held out and must not leave this server"),
    ],
)
def test_why_there_is_no_suggestion(workbench: Workbench, opinions: Scripted, opinion: Opinion, words: str) -> None:
    opinions.said = [opinion]
    show(workbench.state, on=True)
    page = log_in(workbench.state, "anna").get("/queue", params={"suite": SUITE}).text
    assert words in page
    assert "asking …" not in page


def test_who_switched_suggestions_off_sees_and_asks_nothing(workbench: Workbench, opinions: Scripted) -> None:
    show(workbench.state, on=False)
    anna = log_in(workbench.state, "anna")
    page = anna.get("/queue", params={"suite": SUITE}).text
    assert 'id="opinion"' not in page
    text_id = next(iter(workbench.state.snapshots.get(SUITE).texts))
    assert part(anna, text_id) == (200, '<span class="quiet">hidden</span>')
    assert opinions.questions == []


def test_a_server_without_a_suggester_has_no_place_for_it(workbench: Workbench) -> None:
    show(workbench.state, on=True)
    page = log_in(workbench.state, "anna").get("/queue", params={"suite": SUITE}).text
    assert 'id="opinion"' not in page
    assert offered(workbench.as_("anna"), show="suggestion")["opinion"] is None


def test_programs_get_it_with_the_suggestion(workbench: Workbench, opinions: Scripted) -> None:
    anna = workbench.as_("anna")
    assert (offered(anna)["opinion"], opinions.questions) == (None, [])
    opinions.said = [WAITING, READY]
    first, again = offered(anna, show="suggestion"), offered(anna, show="suggestion")
    assert first["opinion"] == {"state": "waiting", "suggestion": None, "reason": ""}
    assert again["opinion"] == {
        "state": "ready",
        "suggestion": {"verdict": "fail", "confidence": 0.7, "reason": "so <b>it</b> seems"},
        "reason": "",
    }
    assert first["task"] == again["task"]
    assert again["seen"] == ["suggestion"]
