"""A real browser: Debian's Chromium, driven by Playwright, with no network to fall back on."""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from assay.outputs import Outputs
from assay.suites import Suite
from assay.workbench.people import credentials
from assay.workbench.people.roles import Role
from tests.browser.workbench import PASSWORD, Server, Workbench, fill, senses
from tests.workbench.web.little_server import QUICK

FLAGS = ["--disable-gpu", "--no-first-run", "--disable-background-networking"]

SLOWEST = 20_000
"""Milliseconds that a page may take on a machine that is busy with other tests."""

expect.set_options(timeout=SLOWEST)

Open = Callable[..., Page]
Visit = Callable[..., Page]
Served = Callable[..., Workbench]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests. Without Chromium the tests fail: nobody else looks at the pages."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("chromium is not installed; on Debian: apt-get install chromium")
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a page's text from a file; at the end no page has complained, and none has asked for anything else."""
    troubles: list[str] = []
    contexts = []

    def complain(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            troubles.append(message.text)

    def note(request: Request) -> None:
        if request.url != (tmp_path / "report.html").as_uri():
            troubles.append(f"asked for {request.url}")

    def open_(text: str, *, width: int = 1400, height: int = 900, dark: bool = False, scripts: bool = True) -> Page:
        path = tmp_path / "report.html"
        path.write_text(text, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
        )
        context.set_default_timeout(5000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", complain)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", note)
        page.goto(path.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not troubles


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for all tests, each with a database of its own."""
    made = Server()
    yield made
    made.stop()


@pytest.fixture
def served(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Fills a database and serves it: `served(senses(), people={"anna": "annotator"})`. Logging in takes no time."""
    monkeypatch.setattr(credentials, "_hasher", lambda: QUICK)
    with ExitStack() as stack:

        def serve(*suites: tuple[Suite, Outputs], people: Mapping[str, Role] | None = None) -> Workbench:
            path = tmp_path / "assay.db"
            store = fill(path, suites or [senses()], people or {})
            stack.callback(store.close)
            return stack.enter_context(server.serving(store, path))

        yield serve


@pytest.fixture
def workbench(served: Served) -> Workbench:
    """The small suite of tests/browser/workbench.py, served to the local user."""
    return served()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens a page of a workbench in a browser of its own, logged in where a name is given.

    At the end no page has complained, and none has asked another server. A refused request is no complaint, nor is
    what axe draws to measure contrasts.
    """
    troubles: list[str] = []
    contexts = []

    def complain(message: ConsoleMessage) -> None:
        refused = re.search(
            r"the server responded with a status of 4\d\d|Response Status Error Code 4\d\d|Canvas2D", message.text
        )
        if message.type in ("error", "warning") and not refused:
            troubles.append(message.text)

    def note(request: Request, own: str) -> None:
        if not request.url.startswith(own):
            troubles.append(f"asked for {request.url}")

    def visit_(
        workbench: Workbench, path: str, *, user: str = "", width: int = 1400, height: int = 900, dark: bool = False
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        context.set_default_timeout(SLOWEST)
        contexts.append(context)
        page = context.new_page()
        page.on("console", complain)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: note(request, workbench.url))
        page.goto(
            workbench.url + path + (f"{'&' if '?' in path else '?'}token={workbench.token}" if workbench.token else "")
        )
        if user:
            page.get_by_label("Name").fill(user)
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Log in").click()
            page.wait_for_url(workbench.url + path)
        return page

    yield visit_
    for context in contexts:
        context.close()
    assert not troubles
