"""Rules of all kinds in the editor of the item page."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.test_item import SCHLOSS, add_rule, rules, save, verdicts
from tests.browser.workbench import Workbench


def test_kinds_have_foresight_and_are_saved(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    row = add_rule(page, "pass", "")
    row.get_by_label("Kind").select_option("term")
    value = row.get_by_label("Rule", exact=True)
    expect(value).to_have_attribute(
        "placeholder", "words in any form: Obhut | Aufbewahrung; 2 of: Haus | Hof | Garten; Haus (Haus, Häuser)"
    )
    value.fill("latches | bolts")
    # Doubtful wrote latch in both years, Dubious bolt in one.
    expect(page.locator("#consequences .summary")).to_have_text("warning → pass 3 outputs (2 texts)")
    wrong = add_rule(page, "fail", "nubers")
    wrong.get_by_label("Kind").select_option("keeps")
    expect(wrong.locator(".status")).to_contain_text("'nubers' is nothing that can be kept; did you mean 'numbers'?")
    wrong.get_by_label("Rule", exact=True).fill("numbers")
    copy = add_rule(page, "fail", "")
    copy.get_by_label("Kind").select_option("copy")
    expect(copy.get_by_label("Rule", exact=True)).to_have_value("source")
    scoped = add_rule(page, "fail", "old")
    scoped.get_by_label("Part of the text").fill("sentence 7")
    expect(page.locator("#consequences .summary")).to_have_text("warning → pass 3 outputs (2 texts)")
    save(page)
    assert rules(workbench) == [
        r"pass:regex:\block\b",
        "pass:term:latches | bolts",
        r"fail:regex:\bcastles?\b",
        "fail:keeps:numbers",
        "fail:copy:source",
        "fail:regex:old in sentence 7",
    ]
    assert verdicts(workbench)["The latch is old."] == "pass"
    expect(page.locator("#texts .text-list > li").filter(has_text="The latch is old.")).to_contain_text("term rule")
