"""What one decision settles, by keyboard.

Lists of twins, rows, triage, doubts, and what is asked before it is shown.
"""

import re
from dataclasses import replace

from playwright.sync_api import Page, expect

from assay.outputs import Collector, Outputs, System
from assay.suites import Item, Polarity, Rule, Suite
from assay.workbench.db.judgements import suite_events
from tests.browser.conftest import Served, Visit
from tests.browser.test_queue import press
from tests.browser.workbench import Workbench, one_text, senses
from tests.workbench.test_units import NAME, SUITE, WRITTEN


def twins() -> tuple[Suite, Outputs]:
    """The suite of tests/workbench/test_units.py."""
    collector = Collector(SUITE)
    for name, texts in WRITTEN.items():
        collector.add(System(name), positions=range(len(texts)), texts=texts)
    return SUITE, collector.outputs()


def said(workbench: Workbench) -> dict[str, tuple[str, str | None, str]]:
    """Text -> kind, verdict and origin of what was recorded of it last."""
    snapshot = workbench.snapshot(NAME)
    with workbench.store.reading() as db:
        events = suite_events(db, snapshot.stored.id)
    return {snapshot.texts[event.text_id].value: (event.kind, event.verdict, event.origin) for event in events}


def current(page: Page) -> str:
    return page.locator(".row.current .sentence").first.inner_text()


def test_a_list_of_twins_is_accepted_with_one_key(served: Served, visit: Visit) -> None:
    workbench = served(twins())
    page = visit(workbench, "/queue")
    expect(page.locator(".listed .row")).to_have_count(2)
    expect(page.locator(".crumbs")).to_contain_text("2 texts equal decided ones but for case, punctuation")
    press(page, "Enter")
    expect(page.locator("#last")).to_contain_text("2 texts decided together")
    assert said(workbench)["you run"] == ("judgement", "pass", "twin of You run.")
    expect(page.locator("#announce")).to_contain_text("pass recorded for 2 texts.")
    # One of them alone, then all that is left of the decision.
    page.get_by_text("each of them").click()
    page.locator("#last li", has_text="you run").get_by_role("button", name="undo this one").click()
    expect(page.locator("#last")).to_contain_text("taken back: pass")
    assert said(workbench)["you run"][0] == "undo"
    assert said(workbench)["You shouldn't run."][0] == "judgement"
    press(page, "u")
    expect(page.locator(".listed .row")).to_have_count(2)
    assert said(workbench)["You shouldn't run."][0] == "undo"


def test_a_text_is_taken_out_of_the_list(served: Served, visit: Visit) -> None:
    workbench = served(twins())
    page = visit(workbench, "/queue")
    press(page, "j")
    assert current(page) == "You shouldn't run."
    press(page, "x")
    expect(page.locator(".row.current")).to_have_class(re.compile("out"))
    expect(page.locator("#list-source")).to_have_text("Du sollst nicht rennen.")
    press(page, "x", "k", "x", "Enter")
    expect(page.locator("#rows")).to_be_visible()
    assert said(workbench)["you run"] == ("skip", None, "out of a list")
    assert said(workbench)["You shouldn't run."][1] == "pass"


def many_twins() -> tuple[Suite, Outputs]:
    """More than fit on a screen; every other one is a twin of a wrong text. One text has no twin."""
    polarities: tuple[Polarity, Polarity] = ("pass", "fail")
    items = [
        Item(
            f"{place}/x", "Verbs", "Modal", f"Satz {place}.", (Rule(polarities[place % 2], "exact", f"Line {place}."),)
        )
        for place in range(60)
    ]
    suite = replace(SUITE, items=(*items, Item("last/x", "Verbs", "Modal", "Ende.")))
    collector = Collector(suite)
    texts = [f"line {place}." for place in range(60)]
    collector.add(System("Low"), positions=range(61), texts=[*texts, "The end."])
    return suite, collector.outputs()


def test_the_current_row_of_a_long_list_is_in_sight(served: Served, visit: Visit) -> None:
    page = visit(served(many_twins()), "/queue")
    press(page, *"j" * 50, *"k" * 40)
    assert current(page) == "line 10."
    row, source = page.locator(".row.current").bounding_box(), page.locator("#list-source").bounding_box()
    assert row
    assert source
    assert row["y"] >= source["y"] + source["height"]
    press(page, "Enter")
    expect(page.locator("#announce")).to_contain_text("verdicts recorded for 60 texts.")


def test_rows_are_judged_one_by_one_and_all_that_are_left(served: Served, visit: Visit) -> None:
    workbench = served(twins())
    page = visit(workbench, "/queue?words=sollst+must")
    expect(page.locator("#rows .row")).to_have_count(1)
    expect(page.locator(".variant")).to_contain_text("you must not run")
    # Another spelling that matters is a row of its own.
    press(page, "x")
    expect(page.locator("#rows .row")).to_have_count(2)
    press(page, "j")
    assert current(page) == "you must not run"
    press(page, "f")
    expect(page.locator("#rows .row")).to_have_count(1)
    assert said(workbench)["you must not run"] == ("judgement", "fail", "")
    page.goto(page.url.replace("sollst+must", "home"))
    expect(page.locator("#rows .row").first).to_contain_text("same text in gehen-2/x: judged with it")
    press(page, "Shift+P")
    expect(page.locator("#last")).to_contain_text("decided together")
    assert {origin for text, (_, _, origin) in said(workbench).items() if "home" in text} >= {"with row"}
    press(page, "u")
    assert said(workbench)["We go home."][0] == "undo"


def test_a_double_tap_judges_one_text(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    was = page.locator("#output").inner_text()
    expect(page.locator("#work[data-ready]")).to_be_attached()
    page.keyboard.press("p")
    expect(page.locator("#output")).not_to_have_text(was)
    # The second tap meets a text that nobody can have read.
    page.evaluate("document.getElementById('work').removeAttribute('data-ready')")
    page.keyboard.press("p")
    with workbench.store.reading() as db:
        assert len(suite_events(db, workbench.snapshot().stored.id)) == 1


def test_two_people_on_one_item_are_told(served: Served, visit: Visit) -> None:
    workbench = served(one_text("de-en", "One sentence."), people={"anna": "annotator", "ben": "annotator"})
    anna, ben = (visit(workbench, "/queue", user=name) for name in ("anna", "ben"))
    press(anna, "p")
    press(ben, "f")
    expect(ben.get_by_role("alert").filter(has_text="While you were looking")).to_contain_text("anna: pass")


def test_triage_fails_a_list_with_one_key(served: Served, visit: Visit) -> None:
    workbench = served(twins())
    page = visit(workbench, "/queue")
    page.get_by_role("link", name="Triage").click()
    expect(page.locator(".crumbs")).to_contain_text("5 texts of Hotel look wrong")
    source, text = (page.locator(f".listed .row p.{name}").first.bounding_box() for name in ("of-source", "sentence"))
    assert source
    assert text
    assert min(source["width"], text["width"]) > 200
    assert source["x"] + source["width"] <= text["x"]
    press(page, "Enter")
    expect(page.get_by_role("heading", name="No text looks wrong.")).to_be_visible()
    assert said(workbench)["The staff were very friendly."] == ("judgement", "fail", "in a list")


def test_filters_open_by_key_and_apply_by_enter(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    press(page, "/")
    page.get_by_label("Words").fill("Kiefer")
    page.keyboard.press("Enter")
    expect(page.locator(".progress b")).to_have_text("2")
    assert "words=Kiefer" in page.url
    assert "category" not in page.url
    expect(page.locator(".filters").get_by_label("Words")).to_be_visible()
    tops = {round(box["y"]) for field in page.locator(".fields > *").all() if (box := field.bounding_box())}
    assert max(tops) - min(tops) < 30, "all in one row"


def test_the_queue_is_narrowed_to_a_suggestion(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    press(page, "/")
    choice = page.locator(".filters").get_by_label("Suggestion")
    choice.select_option("fail")
    choice.press("Enter")
    expect(page.locator(".filters summary")).to_contain_text("suggestion: fail")
    expect(page.locator(".not-blind").first).to_contain_text("not blind: you saw its suggestion")
    was = current(page)
    press(page, "f")
    assert current(page) != was
    assert "suggestion=fail" in page.url


def test_a_draft_survives_a_look_at_the_rules(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    page.locator("#comment").fill("half a thought")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    page.wait_for_url(re.compile("/item/"))
    assert page.evaluate("scrollY") == 0, "the source stays in sight"
    page.keyboard.press("q")
    page.wait_for_url(re.compile("/queue"))
    expect(page.locator("#comment")).to_have_value("half a thought")
    press(page, "p")
    expect(page.locator("#comment")).to_have_value("")


def test_a_doubt_goes_to_the_adjudicator_who_sees_the_card_and_the_votes(served: Served, visit: Visit) -> None:
    workbench = served(senses(), people={"anna": "annotator", "ada": "adjudicator"})
    page = visit(workbench, "/queue", user="anna")
    press(page, "d")
    expect(page.locator("#last")).to_contain_text("asked about The lock is old.")
    judge = visit(workbench, "/disputes", user="ada")
    case = judge.locator("article.case")
    expect(case).to_be_focused()
    expect(case).to_contain_text("anna")
    expect(case).to_contain_text("doubts what holds of it")
    expect(case).to_contain_text("lock, not castle")
    expect(case.locator(".precedents li").first).to_be_visible()
    expect(judge.locator("#cases-left")).to_have_text("1")
    judge.keyboard.press("f")
    expect(judge.locator("#cases-left")).to_have_text("0")
    expect(judge.locator(".facts").first).to_contain_text("0 texts of which")


def test_history_asks_before_it_ends_blindness(served: Served, visit: Visit) -> None:
    workbench = served(senses(), people={"anna": "annotator", "ben": "annotator"})
    anna = visit(workbench, "/queue", user="anna")
    press(anna, "p")
    expect(anna.locator("#last")).to_contain_text("pass")
    ben = visit(workbench, "/history/history.tsv", user="ben")
    expect(ben.locator(".blindness")).to_contain_text("you could no longer judge 1 text blind")
    ben.goto(f"{workbench.url}/history")
    expect(ben.locator(".blindness")).to_contain_text("you could no longer judge 1 text blind")
    ben.get_by_role("link", name="Show it").click()
    expect(ben.locator("table.history")).to_contain_text("anna")
    ben.goto(f"{workbench.url}/queue?again=true&suite=senses")
    expect(ben.locator(".not-blind")).to_contain_text("not blind: you saw what others say")


def test_a_challenge_set_asks_before_it_ends_blindness(served: Served, visit: Visit) -> None:
    right = tuple(Rule("pass", "exact", text) for text in ("You run.", "You are running."))
    item = Item("rennen/x", "Verbs", "Modal", "Du rennst.", (*right, Rule("fail", "exact", "You ran.")))
    suite = replace(SUITE, items=(item,))
    collector = Collector(suite)
    for name, text in (("A", "You run."), ("B", "You are running."), ("C", "You ran."), ("D", "Runner.")):
        collector.add(System(name), positions=[0], texts=[text])
    workbench = served((suite, collector.outputs()), people={"anna": "annotator", "ben": "annotator"})
    anna = visit(workbench, "/queue", user="anna")
    press(anna, "f")
    expect(anna.locator("#last")).to_contain_text("fail")
    ben = visit(workbench, "/challenge", user="ben")
    ben.get_by_role("button", name="Build and download").click()
    expect(ben.locator(".blindness")).to_contain_text("you could no longer judge 1 text blind")
    with ben.expect_download() as started:
        ben.get_by_role("link", name="Show it").click()
    assert started.value.suggested_filename.endswith("challenge.tsv")


def test_a_results_file_is_asked_for_on_the_page_and_not_in_the_file(served: Served, visit: Visit) -> None:
    workbench = served(senses(), people={"anna": "annotator", "ben": "annotator"})
    anna = visit(workbench, "/queue", user="anna")
    press(anna, "p")
    expect(anna.locator("#last")).to_contain_text("pass")
    ben = visit(workbench, "/results", user="ben")
    ben.get_by_role("link", name="CSV").click()
    expect(ben.locator(".blindness")).to_contain_text("blind")
    with ben.expect_download() as started:
        ben.get_by_role("link", name="Show it").click()
    assert started.value.suggested_filename.endswith(".csv")


def test_long_texts_stand_side_by_side_and_the_verdict_is_in_reach(served: Served, visit: Visit) -> None:
    suite, outputs = one_text("de-en", "A sentence. " * 140, context="")
    long = suite.with_items({0: replace(suite.items[0], source="Ein Satz. " * 160)})
    workbench = served((long, outputs))
    page = visit(workbench, "/queue?suite=single")
    source, output = (page.locator(name).bounding_box() for name in ("#source", "#output"))
    button = page.locator("#do-pass").bounding_box()
    assert source
    assert output
    assert button
    assert output["x"] > source["x"] + source["width"] - 1
    assert button["y"] + button["height"] <= 900
