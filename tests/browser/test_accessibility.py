"""Every page of the workbench in a real browser, in both colour schemes, by the rules of axe."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Served, Visit
from tests.browser.test_people import EVERYBODY, disagree
from tests.browser.workbench import Workbench

AXE = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")

OPTIONS = {"resultTypes": ["violations"], "rules": {"label-content-name-mismatch": {"enabled": True}}}
"""That a name begins with the words on the screen is not among axe's usual rules; those who speak to pages need it."""

PAGES = (
    "/",
    "/queue",
    "/items",
    "/item/senses/schloss",
    "/results?campaign=WMT21&policy=own",
    "/results/cell?campaign=WMT21&policy=own&column=Right&category=Ambiguity",
    "/compare",
    "/years?policy=own",
    "/challenge",
    "/contrasts",
    "/collect",
    "/effort",
    "/agreement",
    "/disputes",
    "/history",
    "/files",
    "/people",
    "/audit",
    "/queue?suite=nobody",
    "/item/nobody",
)
"""Also two that say that something is not there."""


def problems(page: Page) -> list[str]:
    """What axe finds, a line each: the rule, what it is about, and where."""
    # As a script of the browser's own: the page's Content-Security-Policy forbids others.
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("options => axe.run(document, options)", OPTIONS)
    return [
        f"{rule['id']} ({rule['help']}): {node['html'][:160]}" for rule in found["violations"] for node in rule["nodes"]
    ]


@pytest.fixture
def lively(served: Served, visit: Visit) -> Workbench:
    """The small suite; two people have judged, and disagree."""
    bench = served(people=EVERYBODY)
    disagree(bench, visit)
    return bench


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_page(lively: Workbench, visit: Visit, dark: bool) -> None:
    page = visit(lively, "/files", user="eve", dark=dark)
    page.get_by_role("button", name="Hide Dubious (WMT21)").click()
    expect(page.locator("#turned")).to_be_visible()
    found = {"/files, hidden": problems(page)}
    for path in PAGES:
        page.goto(lively.url + path)
        expect(page.locator("main")).to_be_visible()
        found[path] = problems(page)
    page.get_by_role("button", name="log out").click()
    page.wait_for_url("**/login")
    found["/login"] = problems(page)
    told = [f"{path}: {line}" for path, lines in found.items() for line in lines]
    assert not told, "\n".join(told)
