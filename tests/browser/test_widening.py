"""Wider rules, guidelines and items in a real browser, by keyboard where there is a key."""

import os
from pathlib import Path

from playwright.sync_api import Page, expect

from assay.outputs import Collector, Outputs, System
from assay.suites import Item, Rule, Suite
from tests.browser.conftest import Served, Visit
from tests.browser.workbench import Workbench, wait_for_keys

MODAL = Rule("pass", "regex", r"\bwere supposed to\b")
TAXONOMY = {"Verbs": {"Modal": "Modal verbs in the past.", "Question tag": ""}}


def modals() -> tuple[Suite, Outputs]:
    """Three items with one rule, in which systems wrote `was`, and one without capitals and stop."""
    names = ("wir", "ihr", "sie")
    items = [
        Item(f"verbs/{name}", "Verbs", "Modal", f"Quelle mit {name}.", (MODAL, Rule("fail", "contains", "wanted")))
        for name in names
    ]
    items.append(Item("verbs/du", "Verbs", "Modal", "Du rennst.", (Rule("pass", "exact", "You run."),)))
    suite = Suite("modals", "de-en", tuple(items), TAXONOMY)
    collector = Collector(suite)
    for system, who in (("X", "He"), ("Y", "She")):
        texts = [f"{who} was supposed to go with {name}." for name in names] + [
            "you run" if who == "He" else "You ran."
        ]
        collector.add(System(system, "WMT21"), positions=range(4), texts=texts)
    return suite, collector.outputs()


def shoot(page: Page, name: str) -> None:
    """A picture for whoever wants to look: `ASSAY_PICTURES=folder`."""
    folder = os.environ.get("ASSAY_PICTURES")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def open_cards(workbench: Workbench, visit: Visit) -> Page:
    """The queue of the texts with modal verbs."""
    page = visit(workbench, "/queue?words=supposed")
    expect(page.locator("#output")).to_contain_text("was supposed to")
    wait_for_keys(page)
    return page


def verdict(workbench: Workbench, text: str) -> str:
    texts = workbench.snapshot("modals").texts.values()
    return next(str(found.finding.verdict) for found in texts if found.value == text)


def rules(workbench: Workbench, item: str) -> list[str]:
    return [str(rule) for rule in workbench.snapshot("modals").stored.suite.item(item).rules]


def test_a_wider_rule_is_taken_with_one_key_and_taken_back_as_a_whole(served: Served, visit: Visit) -> None:
    workbench = served(modals())
    page = open_cards(workbench, visit)
    page.keyboard.press("p")
    offer = page.locator("#widening form")
    expect(offer).to_contain_text(r"\b(?:were|was) supposed to\b")
    expect(offer).to_contain_text(
        "its phenomenon: 3 rules of 3 items: warning → pass 5 texts (5 outputs), contradicts 0"
    )
    shoot(page, "widening")
    page.keyboard.press("y")
    expect(page.locator("#widening")).to_contain_text("Saved as revision 2: 3 rules of 3 items widened")
    assert verdict(workbench, "She was supposed to go with sie.") == "pass"
    assert rules(workbench, "verbs/sie")[0] == r"pass:regex:\b(?:were|was) supposed to\b"
    page.locator("#do-revert").click()
    expect(page.locator("#widening")).to_contain_text("Revision 2 is taken back, as revision 3: 3 items as before.")
    assert verdict(workbench, "She was supposed to go with sie.") == "warning"
    assert rules(workbench, "verbs/sie")[0] == str(MODAL)


def test_what_is_left_is_not_offered_again(served: Served, visit: Visit) -> None:
    workbench = served(modals())
    page = open_cards(workbench, visit)
    page.keyboard.press("p")
    expect(page.locator("#widening form")).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator("#widening form")).to_have_count(0)
    wait_for_keys(page)
    with page.expect_response(lambda answer: "/widening" in answer.url) as asked:
        page.keyboard.press("p")
    assert "wider" not in asked.value.text()


def test_all_rules_of_a_suite_ignore_case_and_a_final_stop(served: Served, visit: Visit) -> None:
    workbench = served(modals())
    page = visit(workbench, "/items")
    page.get_by_text("Widen rules, add an item").click()
    page.get_by_role("button", name="pass: case and a final stop").click()
    expect(page.locator("#widening form")).to_contain_text(
        "whole suite: 1 rule: warning → pass 1 text (1 output), contradicts 0"
    )
    shoot(page, "survey")
    page.keyboard.press("y")
    expect(page.locator("#widening")).to_contain_text("Saved as revision 2")
    assert verdict(workbench, "you run") == "pass"
    page.goto(workbench.url + "/history")
    page.get_by_role("button", name="revert").first.click()
    expect(page.locator("#widening")).to_contain_text("Revision 2 is taken back")
    assert verdict(workbench, "you run") == "warning"


def test_a_text_judged_on_the_item_page_widens_too(served: Served, visit: Visit) -> None:
    workbench = served(modals())
    page = visit(workbench, "/item/verbs/wir")
    page.locator(".judge .pass").first.click()
    expect(page.locator("#widening form")).to_contain_text("supposed to")
    page.get_by_label("this item").check()
    page.locator("#do-take").click()
    expect(page.locator("#widening")).to_contain_text("1 rule of 1 item widened")
    assert rules(workbench, "verbs/ihr")[0] == str(MODAL)


def test_a_guideline_is_written_and_read_where_one_judges(served: Served, visit: Visit) -> None:
    workbench = served(modals())
    page = open_cards(workbench, visit)
    page.locator("#comment").fill("was counts as were")
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    expect(page.locator("#widening form")).to_be_visible()
    page.goto(workbench.url + "/item/verbs/wir")
    page.get_by_role("link", name="Write a guideline").click()
    page.get_by_label("How strictly").fill("Only the modal verb counts.")
    page.get_by_role("button", name="take into the guideline").click()
    expect(page.get_by_label("How strictly")).to_have_value("Only the modal verb counts.\nwas counts as were")
    shoot(page, "guideline")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".earlier")).to_contain_text("Only the modal verb counts.")
    expect(page.locator(".earlier")).to_contain_text("revision 2")
    suite = workbench.snapshot("modals").stored.suite
    assert suite.guidelines == {("Verbs", "Modal"): "Only the modal verb counts.\nwas counts as were"}
    page.goto(workbench.url + "/item/verbs/ihr")
    page.get_by_text("Guideline of Modal").click()
    expect(page.locator(".guideline .written")).to_contain_text("Only the modal verb counts.")
    shoot(page, "item")


def test_an_item_is_added_edited_and_removed(served: Served, visit: Visit) -> None:
    workbench = served(modals())
    page = visit(workbench, "/items?category=Verbs&phenomenon=Modal")
    page.get_by_text("Widen rules, add an item").click()
    page.get_by_role("link", name="Add an item").click()
    save = page.get_by_role("button", name="Save")
    expect(page.locator("#lint")).to_contain_text("an item needs a source text")
    expect(save).to_be_disabled()
    page.get_by_label("Id").fill("verbs/es")
    page.get_by_label("Source").fill("Es sollte regnen.")
    page.get_by_label("Right examples").fill("It was supposed to rain.")
    expect(page.locator("#lint")).to_contain_text("it does not say what it tests")
    page.get_by_label("Tests").fill("sollte is a plan here")
    expect(page.locator("#lint")).not_to_contain_text("does not say")
    shoot(page, "item-form")
    save.click()
    expect(page.locator("h1")).to_have_text("Es sollte regnen.")
    assert workbench.snapshot("modals").stored.suite.item("verbs/es").tests == "sollte is a plan here"
    page.get_by_role("link", name="Edit source").click()
    page.get_by_label("Notes").fill("from a forecast")
    page.get_by_label("Notes").press("Control+Enter")
    expect(page.locator(".notes")).to_have_text("from a forecast")
    page.get_by_role("link", name="Edit source").click()
    page.get_by_role("button", name="Remove the item").click()
    expect(page.locator("h1")).to_have_text("History")
    assert "verbs/es" not in workbench.snapshot("modals").stored.suite.positions
    page.get_by_role("button", name="revert").first.click()
    expect(page.locator("#widening")).to_contain_text("is taken back")
    assert workbench.snapshot("modals").stored.suite.item("verbs/es").notes == "from a forecast"
