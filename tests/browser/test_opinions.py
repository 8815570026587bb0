"""A language model's suggestion in the queue: it appears by itself, moves nothing, and hinders nobody."""

import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from assay.workbench.db.judgements import suite_events
from assay.workbench.queue.suggester_pool import Opinions
from tests.browser.conftest import Visit
from tests.browser.workbench import Server, Workbench, wait_for_keys
from tests.translate.server import MtServer

SAID = '{"verdict": "fail", "confidence": 0.7, "reason": "a latch is no lock, <b>or is it</b>; this goes on and on"}'


class Model:
    """A language model on this machine that answers when `may_answer` is set."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.server = MtServer(answer=self._answer)

    def _answer(self, _: str) -> str:
        self.may_answer.wait(20)
        return SAID


@pytest.fixture
def model(workbench: Workbench, server: Server) -> Iterator[Model]:
    """The server of the workbench asks it."""
    made = Model()
    with made.server:
        assert server.app
        server.app.state.assay.opinions = opinions = Opinions(made.server.spec("openai"), patience=0)
        yield made
        made.may_answer.set()
        opinions.close()


def blind(workbench: Workbench) -> list[tuple[bool, tuple[str, ...]]]:
    with workbench.store.reading() as db:
        return [(event.blind, event.seen) for event in suite_events(db, workbench.snapshot().stored.id)]


def place(page: Page) -> float:
    box = page.locator("#do-pass").bounding_box()
    assert box
    return box["y"]


def test_it_appears_where_suggestions_are_switched_on(workbench: Workbench, model: Model, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    expect(page.locator("#do-suggestion")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#opinion")).to_have_count(0)
    assert model.server.requests == []
    page.keyboard.press("g")
    opinion = page.locator("#opinion")
    expect(opinion).to_have_text("asking …")
    before = place(page)
    model.may_answer.set()
    expect(opinion).to_contain_text("fail, 0.70 (a latch is no lock, <b>or is it</b>")
    assert place(page) == before
    assert len(model.server.requests) == 1
    wait_for_keys(page)
    shown = page.locator("#output").inner_text()
    page.keyboard.press("p")
    expect(page.locator("#output")).not_to_have_text(shown)
    assert blind(workbench) == [(False, ("suggestion",))]


def test_nobody_waits_for_a_slow_model(workbench: Workbench, model: Model, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    page.keyboard.press("g")
    for _ in range(6):
        expect(page.locator("#opinion")).to_have_text("asking …")
        wait_for_keys(page)
        shown = page.locator("#output").inner_text()
        page.keyboard.press("f")
        expect(page.locator("#output")).not_to_have_text(shown)
    assert blind(workbench) == [(False, ("suggestion",))] * 6
    page.keyboard.press("g")
    expect(page.locator("#opinion")).to_have_count(0)
