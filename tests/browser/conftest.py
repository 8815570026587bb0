"""A real browser: Debian's Chromium, driven by Playwright, with no network to fall back on."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

FLAGS = ["--disable-gpu", "--no-first-run", "--disable-background-networking"]

Open = Callable[..., Page]


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
