"""The item page in a real browser: rules with foresight, texts, versions, siblings, proposals."""

import re
from dataclasses import replace

from playwright.sync_api import Locator, Page, expect

from assay.suites import Rule
from assay.workbench.db.judgements import suite_events
from tests.browser.conftest import Served, Visit
from tests.browser.workbench import NAME, Workbench, one_text, painters, senses

SCHLOSS = "/item/senses/schloss"


def rules(workbench: Workbench, item: str = "senses/schloss") -> list[str]:
    """The rules of an item as the database has them."""
    snapshot = workbench.snapshot()
    return [str(rule) for rule in snapshot.items[snapshot.place(item)].rules]


def verdicts(workbench: Workbench, item: str = "senses/schloss") -> dict[str, str]:
    """Text -> verdict, of an item."""
    snapshot = workbench.snapshot()
    texts = (snapshot.texts[text_id] for text_id in snapshot.by_item[snapshot.place(item)])
    return {text.value: str(text.finding.verdict) for text in texts}


def add_rule(page: Page, polarity: str, value: str) -> Locator:
    """Write a new rule; returns its row."""
    page.get_by_role("button", name=f"Add a {polarity} rule").click()
    row = page.locator("[data-row]").filter(has=page.locator("textarea:focus"))
    name = row.locator("[name=row]").input_value()
    page.keyboard.insert_text(value)
    return page.locator("[data-row]").filter(has=page.locator(f"[name=row][value={name}]"))


def text_of(page: Page, words: str) -> str:
    """The id of the list entry of a text."""
    entry = page.locator("#texts .text-list > li").filter(has_text=words)
    return str(entry.get_attribute("id"))


def save(page: Page) -> None:
    """Save what is typed and wait until the page shows it as saved."""
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#consequences")).to_have_text("Nothing is changed yet.")
    expect(page.locator(".told").first).to_contain_text("Saved as revision")


def test_saving_a_rule_does_exactly_what_was_foretold(workbench: Workbench, visit: Visit) -> None:
    assert verdicts(workbench) == {
        "The lock is old.": "pass",
        "The castle is old.": "fail",
        "The latch is old.": "warning",
        "The bolt is old.": "warning",
    }
    page = visit(workbench, SCHLOSS)
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    add_rule(page, "pass", r"\b(latch|bolt|castle)\b")
    # Doubtful wrote latch in both years, Dubious bolt and Wrong castle in one: castle is then both right and wrong.
    summary = page.locator("#consequences .summary")
    expect(summary).to_have_text(
        "warning → pass 3 outputs (2 texts) · fail → warning 1 output (1 text) · breaks 1 example"
    )
    page.locator("#consequences summary").click()
    lines = "\n".join(page.locator("#consequences .moved li").all_inner_texts())
    foretold = {text: move for move, text in re.findall(r"^(\w+ → \w+) (The \w+ is old\.)", lines, re.MULTILINE)}
    before = verdicts(workbench)
    save(page)
    after = verdicts(workbench)
    assert foretold == {text: f"{before[text]} → {after[text]}" for text in before if before[text] != after[text]}
    assert after["The castle is old."] == "warning"
    assert rules(workbench)[1] == r"pass:regex:\b(latch|bolt|castle)\b"


def test_marks_follow_what_is_typed(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    entry = page.locator("#" + text_of(page, "The latch is old."))
    expect(entry.locator("mark")).to_have_count(0)
    page.get_by_role("button", name="Add a pass rule").click()
    page.keyboard.type("lat")
    expect(entry.locator("mark.pass")).to_have_text("lat")
    page.keyboard.type("ch is")
    expect(entry.locator("mark.pass")).to_have_text("latch is")
    expect(entry.locator(".then")).to_have_text("→ pass")
    # What is typed stays where it is, and nothing is saved.
    assert page.evaluate("document.activeElement.value") == "latch is"
    assert verdicts(workbench)["The latch is old."] == "warning"
    assert len(rules(workbench)) == 2


def test_a_rule_that_does_not_compile_is_told_beside_it(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    row = add_rule(page, "pass", "(latch")
    expect(row.locator(".status")).to_contain_text("does not compile: missing )")
    expect(row.locator(".status")).to_contain_text("position 6")
    expect(page.locator("#consequences")).to_contain_text("1 rule cannot be used yet; nothing can be saved.")
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    row.get_by_label("Rule", exact=True).fill("(latch)")
    expect(page.locator("#consequences .summary")).to_have_text("warning → pass 2 outputs (1 text)")
    expect(page.get_by_role("button", name="Save")).to_be_enabled()


def test_a_rule_that_runs_away_is_told_and_not_saved(served: Served, visit: Visit) -> None:
    workbench = served(one_text("de-en", "a" * 60 + "!"))
    page = visit(workbench, "/item/one/text")
    row = add_rule(page, "pass", "(a|aa)+$")
    expect(row.locator(".status")).to_contain_text("takes too long")
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    # Whoever sends it nevertheless is refused, and nothing is changed.
    page.evaluate("document.getElementById('save').disabled = false; document.getElementById('save').click()")
    expect(page.get_by_role("alert").first).to_contain_text("takes more than 0.5 s on a text of one/text")
    assert workbench.snapshot("single").items[0].rules == ()


def test_rules_are_changed_moved_and_removed(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    page.get_by_label("Rule", exact=True).first.fill("LOCK")
    page.get_by_label("Case").first.select_option("i")
    page.get_by_label("Note").first.fill("any lock")
    add_rule(page, "pass", "padlock").get_by_role("button", name="Move up").click()
    expect(page.locator("#consequences .summary")).to_have_text("changes no verdict")
    save(page)
    assert rules(workbench) == ["pass:regex:padlock", "pass:regex/i:LOCK", r"fail:regex:\bcastles?\b"]
    snapshot = workbench.snapshot()
    assert snapshot.items[snapshot.place("senses/schloss")].rules[1].note == "any lock"
    page.locator("[data-row]").last.get_by_role("button", name="Remove").click()
    expect(page.locator("#consequences .summary")).to_have_text("fail → warning 1 output (1 text) · breaks 1 example")
    save(page)
    assert rules(workbench) == ["pass:regex:padlock", "pass:regex/i:LOCK"]


def test_each_rule_says_how_many_texts_it_decides(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    assert page.locator(".rule-row .status").all_inner_texts() == ["decides 1 text", "decides 1 text"]
    row = add_rule(page, "pass", "old")
    # It is found in all four texts; one is a contradiction, and in one the first rule comes before it.
    expect(row.locator(".status")).to_have_text("decides 3 texts, found in 4")


def test_a_text_is_judged_on_the_item_page(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    add_rule(page, "fail", "latch")
    entry = page.locator("#texts .text-list > li").filter(has_text="The latch is old.")
    entry.get_by_role("button", name="pass", exact=True).click()
    expect(page.locator("#texts h3").first).to_contain_text("warning 1 text")
    assert verdicts(workbench)["The latch is old."] == "pass"
    # The rule that was being typed is still there, and contradicts the judgement now.
    expect(page.locator("#consequences .summary")).to_have_text("contradicts 1 judgement")
    with workbench.store.reading() as db:
        (event,) = suite_events(db, workbench.snapshot().stored.id)
    assert (event.verdict, event.blind, event.seen) == ("pass", False, ("systems", "judgements"))
    entry.get_by_role("button", name="take back").click()
    expect(page.locator("#texts h3").first).to_contain_text("warning 2 texts")
    assert verdicts(workbench)["The latch is old."] == "warning"


def test_a_judgement_on_the_item_page_has_a_comment_and_tags(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    entry = page.locator("#texts .text-list > li").filter(has_text="The latch is old.")
    other = page.locator("#texts .text-list > li").filter(has_text="The lock is old.")
    other.get_by_text("comment, tags").click()
    other.get_by_label("Comment").fill("not said yet")
    entry.get_by_text("comment, tags").click()
    entry.get_by_label("repetition").check()
    entry.get_by_label("Comment").fill("a latch locks")
    entry.get_by_role("button", name="pass", exact=True).click()
    expect(entry.locator(".said-more")).to_contain_text(": a latch locks [repetition]")
    # What was written beside another text is still there.
    expect(other.get_by_label("Comment")).to_have_value("not said yet")
    with workbench.store.reading() as db:
        (event,) = suite_events(db, workbench.snapshot().stored.id)
    assert (event.verdict, event.comment, event.tags) == ("pass", "a latch locks", ("repetition",))
    page.reload()
    entry.get_by_text("comment, tags").click()
    expect(entry.get_by_label("Comment")).to_have_value("a latch locks")
    expect(entry.get_by_label("repetition")).to_be_checked()


def test_the_same_change_to_siblings_with_their_own_consequences(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    add_rule(page, "pass", r"\b(latch|seat|chin)\b")
    page.get_by_role("button", name="The same change to siblings: 3 items").click()
    offers = page.locator("#siblings li")
    expect(offers).to_have_count(3)
    expect(offers.filter(has_text="Die Bank ist alt.")).to_contain_text("warning → pass 2 outputs (1 text)")
    expect(offers.filter(has_text="Der Ball ist alt.")).to_contain_text("changes no verdict")
    offers.filter(has_text="Die Bank ist alt.").get_by_role("checkbox").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".told").first).to_contain_text("1 sibling got the same change")
    assert verdicts(workbench, "senses/bank")["The seat is old."] == "pass"
    assert verdicts(workbench, "senses/kiefer")["The chin is old."] == "warning"


def test_versions_are_compared_and_restored(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    before = rules(workbench)
    add_rule(page, "pass", "latch")
    page.get_by_label("Why").fill("a latch locks")
    save(page)
    expect(page.locator("#versions tbody tr")).to_have_count(2)
    expect(page.locator("#versions")).to_contain_text("a latch locks")
    page.get_by_role("button", name="compare with now").click()
    expect(page.locator("#comparison")).to_contain_text("added pass:regex:latch")
    expect(page.locator("#comparison")).to_contain_text("would do: pass → warning 2 outputs (1 text)")
    page.get_by_role("button", name="Restore revision 1").click()
    expect(page.locator(".told").first).to_contain_text("Saved as revision 3")
    assert rules(workbench) == before
    assert verdicts(workbench)["The latch is old."] == "warning"
    expect(page.locator("#versions tbody tr")).to_have_count(3)


def test_two_people_edit_one_item_and_the_second_is_told(served: Served, visit: Visit) -> None:
    workbench = served(senses(), people={"anna": "annotator", "ben": "annotator"})
    anna, ben = (visit(workbench, SCHLOSS, user=name) for name in ("anna", "ben"))
    add_rule(anna, "pass", "latch")
    row = add_rule(ben, "pass", "bolt")
    save(anna)
    ben.get_by_role("button", name="Save").click()
    told = ben.locator("#conflict")
    expect(told).to_contain_text("anna changed this item while you were editing it")
    expect(told).to_contain_text("added pass:regex:latch")
    expect(row.get_by_label("Rule", exact=True)).to_have_value("bolt")
    assert "pass:regex:bolt" not in rules(workbench)
    ben.get_by_role("button", name="Make my change to their version").click()
    expect(ben.locator("#consequences .summary")).to_have_text("warning → pass 1 output (1 text)")
    save(ben)
    assert rules(workbench)[1:3] == ["pass:regex:latch", "pass:regex:bolt"]


def test_a_rule_is_proposed_from_texts_and_put_into_the_editor(served: Served, visit: Visit) -> None:
    workbench = served(painters())
    page = visit(workbench, "/item/one/house")
    page.get_by_text("Propose a rule from texts").click()
    for words in ("You have painted", "They have painted", "They have coated"):
        entry = page.locator("#texts .text-list > li").filter(has_text=words)
        entry.get_by_label("For a proposal").select_option("right")
    page.get_by_role("button", name="Propose", exact=True).click()
    offer = page.locator(".proposals li").filter(has_text="in 3 of 3 right, and in 1 text that waits").first
    value = offer.locator("code").inner_text()
    assert value == r"^(?:They|You) have (?:coated|painted) the house\.$"
    offer.get_by_role("button", name="Use").click()
    expect(page.get_by_label("Rule", exact=True)).to_have_value(value)
    expect(page.locator("#consequences .summary")).to_have_text("warning → pass 4 outputs (4 texts)")


def test_nothing_is_proposed_where_nothing_good_is_known(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    page.get_by_text("Propose a rule from texts").click()
    page.get_by_role("button", name="Propose", exact=True).click()
    expect(page.locator("#proposals")).to_contain_text("Nothing that could be trusted")


def test_the_history_has_judgements_and_edits(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, SCHLOSS)
    page.locator("#texts .text-list > li").filter(has_text="bolt").get_by_role("button", name="fail").click()
    expect(page.locator("#texts h3").first).to_contain_text("warning 1 text")
    page.get_by_text("History", exact=True).last.click()
    rows = page.locator("#history tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("judged fail")
    expect(rows.first).to_contain_text("The bolt is old.")
    expect(rows.last).to_contain_text("import of senses")


def test_a_viewer_reads_and_changes_nothing(served: Served, visit: Visit) -> None:
    workbench = served(senses(), people={"vera": "viewer"})
    page = visit(workbench, SCHLOSS, user="vera")
    expect(page.get_by_label("Rule", exact=True).first).to_be_disabled()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    expect(page.locator("#texts").get_by_role("button", name="pass")).to_have_count(0)


def test_items_are_searched_and_stepped_through(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/items")
    expect(page.locator("tbody tr")).to_have_count(12)
    page.get_by_label("Words in").fill("spigot")
    page.keyboard.press("Enter")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("The spigot is old.")
    page.get_by_role("link", name="senses/hahn").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Der Hahn ist alt.")
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Die Leiter ist alt.")
    page.get_by_role("link", name="Previous", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Der Hahn ist alt.")


def test_an_item_that_is_not_there(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/item/senses/schlos")
    expect(page.locator("main")).to_contain_text("no item 'senses/schlos'; did you mean senses/schloss")


def test_rules_of_the_suite_are_kept_as_written(served: Served, visit: Visit) -> None:
    suite, outputs = senses()
    odd = Rule("fail", "exact", " <b>\"x\"</b> & 'y' ")
    items = (replace(suite.items[0], rules=(*suite.items[0].rules, odd)), *suite.items[1:])
    workbench = served((replace(suite, items=items), outputs))
    page = visit(workbench, SCHLOSS)
    add_rule(page, "pass", "latch")
    expect(page.locator("#consequences .summary")).to_have_text("warning → pass 2 outputs (1 text)")
    save(page)
    snapshot = workbench.snapshot(NAME)
    first, *others = items[0].rules
    assert snapshot.items[0].rules == (first, Rule("pass", "regex", "latch"), *others)
