"""The queue in a real browser: the keyboard, what is hidden, what is told, and what the database has afterwards."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from assay.workbench.db.judgements import suite_events
from tests.browser.conftest import Served, Visit
from tests.browser.workbench import NAME, Workbench, one_text, senses, wait_for_keys


def press(page: Page, *keys: str) -> None:
    """Press keys one after the other, each when the page is ready for it."""
    for key in keys:
        wait_for_keys(page)
        page.keyboard.press(key)
        expect(page.locator(".htmx-request")).to_have_count(0)


def left(page: Page) -> int:
    """How many texts the page says are left."""
    return int(page.locator(".progress b").inner_text().replace(",", ""))


def output(page: Page) -> str:
    wait_for_keys(page)
    return page.locator("#output").inner_text()


def judge(page: Page, key: str) -> str:
    """Judge the text on the screen and wait for the next one; returns what was judged."""
    was = output(page)
    page.keyboard.press(key)
    expect(page.locator("#output")).not_to_have_text(was)
    return was


def events(workbench: Workbench) -> list[tuple[str, str | None, str]]:
    """(kind, verdict, text) of everything that was recorded."""
    snapshot = workbench.snapshot()
    with workbench.store.reading() as db:
        return [
            (event.kind, event.verdict, snapshot.texts[event.text_id].value)
            for event in suite_events(db, snapshot.stored.id)
        ]


def test_twenty_warnings_judged_by_keyboard_change_the_accuracy(workbench: Workbench, visit: Visit) -> None:
    # Doubtful wrote 12 of the 24 texts that wait, so all its 12 items are warnings and its strict accuracy is 0.
    assert workbench.strict("Doubtful") == 0
    assert workbench.strict("Right") == 1
    page = visit(workbench, "/queue")
    assert left(page) == 24
    judged = [judge(page, "p" if number % 2 == 0 else "f") for number in range(20)]
    assert left(page) == 4
    expect(page.locator(".progress")).to_contain_text("4 of 24 left")
    recorded = events(workbench)
    assert [text for _, _, text in recorded] == judged
    assert [verdict for _, verdict, _ in recorded] == ["pass", "fail"] * 10
    passed = {text for kind, verdict, text in recorded if verdict == "pass"}
    snapshot = workbench.snapshot()
    column = [system.name for system in snapshot.outputs.systems].index("Doubtful")
    right = sum(snapshot.outputs.text(place, column) in passed for place in range(12))
    assert right > 0
    assert workbench.strict("Doubtful") == right / 12


def test_judging_the_texts_of_an_item_frees_it_for_the_fair_comparison(workbench: Workbench, visit: Visit) -> None:
    def counted(campaign: str) -> int:
        return workbench.snapshot().evaluate(campaigns=[campaign], policy="fair").items_counted

    assert (counted("WMT21"), counted("WMT22")) == (0, 0)
    page = visit(workbench, "/queue?phenomenon=Gender")
    # WMT22 has one of the two texts that hold the item back, WMT21 both. What frees an item comes first.
    expect(page.locator(".progress")).to_contain_text("frees 2 items")
    judge(page, "p")
    expect(page.locator(".last")).to_contain_text("the item counts now in WMT22")
    assert (counted("WMT21"), counted("WMT22")) == (0, 1)
    judge(page, "f")
    expect(page.locator(".last")).to_contain_text("the item counts now in WMT21")
    assert (counted("WMT21"), counted("WMT22")) == (1, 1)


def test_undo_brings_the_text_back_with_what_was_written(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    page.keyboard.press("c")
    page.keyboard.type("pfs: the keys are letters here")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.keyboard.press("Space")
    was = judge(page, "f")
    assert left(page) == 23
    assert page.locator("#comment").input_value() == ""
    press(page, "u")
    expect(page.locator("#output")).to_have_text(was)
    assert left(page) == 24
    assert page.locator("#comment").input_value() == "pfs: the keys are letters here"
    expect(page.get_by_label("critical")).to_be_checked()
    assert [kind for kind, _, _ in events(workbench)] == ["judgement", "undo"]
    assert workbench.snapshot().texts.values()
    assert not [text for text in workbench.snapshot().texts.values() if text.settlement and text.settlement.verdict]


def test_comments_tags_and_scale_are_kept_with_the_judgement(served: Served, visit: Visit) -> None:
    workbench = served()
    with workbench.store.writing() as db:
        from assay.workbench.db.suites import find_suite, set_questions

        set_questions(db, find_suite(db, NAME).id, {"acceptability": 5, "tags": {"register": "wrong register"}})
    page = visit(workbench, "/queue")
    page.keyboard.press("4")
    page.get_by_label("register").check()
    page.locator("#comment").fill("stiff")
    page.keyboard.press("Control+Enter")
    judge(page, "p")
    with workbench.store.reading() as db:
        (event,) = suite_events(db, workbench.snapshot().stored.id)
    assert (event.verdict, event.acceptability, event.tags, event.comment) == ("pass", 4, ("register",), "stiff")


def test_the_scale_is_shown_only_where_the_suite_asks_for_it(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    expect(page.get_by_text("Acceptability")).to_have_count(0)


def test_a_judgement_is_blind_until_something_was_shown(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    assert "Doubtful" not in page.locator("#work").inner_text()
    assert "Dubious" not in page.locator("#work").inner_text()
    judge(page, "p")
    expect(page.locator(".last")).to_contain_text(re.compile("Doubtful|Dubious"))
    press(page, "v")
    expect(page.locator(".row.current")).to_contain_text(re.compile("Doubtful|Dubious"))
    judge(page, "p")
    page.reload()
    expect(page.locator("#do-systems")).to_have_attribute("aria-pressed", "true")
    press(page, "v", "v", "v")
    expect(page.locator("#do-systems")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".not-blind").first).to_contain_text("not blind: you saw who wrote it")
    judge(page, "f")
    judge(page, "f")
    expect(page.locator(".not-blind")).to_have_count(0)
    judge(page, "f")
    with workbench.store.reading() as db:
        seen = [(event.blind, event.seen) for event in suite_events(db, workbench.snapshot().stored.id)]
    # Blind; shown; shown, though hidden again before the judgement, both rows of the card; blind.
    assert seen == [(True, ()), *[(False, ("systems",))] * 3, (True, ())]


def test_what_was_looked_up_on_the_item_page_is_known_afterwards(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    was = output(page)
    page.keyboard.press("r")
    page.wait_for_url(re.compile("/item/senses/"))
    page.keyboard.press("q")
    page.wait_for_url(re.compile("/queue"))
    expect(page.locator("#output")).to_have_text(was)
    judge(page, "p")
    with workbench.store.reading() as db:
        (event,) = suite_events(db, workbench.snapshot().stored.id)
    assert (event.blind, event.seen) == (False, ("systems",))


def test_skipped_texts_and_phenomena_left_for_later_come_last(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    skipped = judge(page, "s")
    first = page.locator(".crumbs").inner_text()
    press(page, "n")
    expect(page.locator(".crumbs")).not_to_have_text(first)
    page.reload()
    expect(page.locator(".last")).to_contain_text("skipped")
    seen = set()
    for _ in range(16):
        seen.add(page.locator(".crumbs").inner_text())
        judge(page, "p")
    assert first not in seen
    expect(page.locator(".told")).to_contain_text("Nothing is left but what you left for later.")
    for _ in range(7):
        judge(page, "p")
    expect(page.locator("#output")).to_have_text(skipped)
    expect(page.locator(".told")).to_contain_text("Nothing is left but what you skipped.")
    press(page, "p")
    expect(page.get_by_role("heading", name="Nothing waits to be judged.")).to_be_visible()
    expect(page.locator("#main").get_by_role("link", name="Results")).to_be_visible()


def test_skipping_goes_round_all_texts(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue?phenomenon=Gender")
    texts = [judge(page, "s") for _ in range(16)]
    assert len(set(texts)) == 8
    assert texts[8:] == texts[:8]


def test_filters_stay_in_the_address(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    page.get_by_text("Filter", exact=True).click()
    expect(page.get_by_label("Category")).to_be_focused()  # the fields have come
    page.get_by_label("Category").select_option("False friends")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("category=False"))
    assert left(page) == 8
    page.get_by_label("System").select_option("Dubious")
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile("system=Dubious"))
    assert left(page) == 4
    judge(page, "p")
    page.reload()
    assert left(page) == 3
    assert page.url.endswith("?suite=senses&category=False+friends&system=Dubious")


def test_keys_can_be_changed_and_stay_changed(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    page.keyboard.press("?")
    page.get_by_label("the text is right").fill("j")
    page.get_by_label("the text is wrong").fill("k")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#do-pass")).to_have_text("J pass")
    page.reload()
    expect(page.locator("#do-pass")).to_have_text("J pass")
    page.keyboard.press("p")
    assert left(page) == 24
    judge(page, "j")
    judge(page, "k")
    assert [verdict for _, verdict, _ in events(workbench)] == ["pass", "fail"]


def test_two_actions_cannot_share_a_key(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    page.keyboard.press("?")
    page.get_by_label("the text is right").fill("f")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("pass and fail have the same key 'f'")
    page.reload()
    expect(page.locator("#do-pass")).to_have_text("Pass")


def test_keys_are_found_on_a_keyboard_with_other_letters(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    was = output(page)
    # The key of P on a Russian keyboard.
    page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'з', code: 'KeyP', bubbles: true}))")
    expect(page.locator("#output")).not_to_have_text(was)
    assert [verdict for _, verdict, _ in events(workbench)] == ["pass"]


def test_a_key_held_down_judges_once(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    was = output(page)
    for _ in range(3):
        page.keyboard.down("p")
    expect(page.locator("#output")).not_to_have_text(was)
    # The next text takes keys by now, but not one that is still held down.
    wait_for_keys(page)
    for _ in range(5):
        page.keyboard.down("p")
    page.keyboard.up("p")
    expect(page.locator(".htmx-request")).to_have_count(0)
    assert len(events(workbench)) == 1


def test_two_annotators_on_the_same_text_both_judge_and_are_told(served: Served, visit: Visit) -> None:
    workbench = served(one_text("de-en", "One sentence."), people={"anna": "annotator", "ben": "annotator"})
    anna, ben = (visit(workbench, "/queue", user=name) for name in ("anna", "ben"))
    expect(anna.locator("#output")).to_have_text("One sentence.")
    expect(ben.locator("#output")).to_have_text("One sentence.")
    press(anna, "p")
    press(ben, "f")
    told = ben.get_by_role("alert").filter(has_text="While you were looking")
    expect(told).to_contain_text("anna: pass")
    expect(told).to_contain_text("You disagree; an adjudicator decides.")
    expect(anna.get_by_role("alert").filter(has_text="While you were looking")).to_have_count(0)
    (text,) = workbench.snapshot("single").texts.values()
    assert text.settlement
    assert {name: vote.verdict for name, vote in text.settlement.votes.items()} == {"anna": "pass", "ben": "fail"}


def test_second_opinions_are_given_without_the_first(served: Served, visit: Visit) -> None:
    workbench = served(senses(), people={"anna": "annotator", "ben": "annotator"})
    anna = visit(workbench, "/queue", user="anna")
    judged = judge(anna, "f")
    ben = visit(workbench, "/queue?again=true", user="ben")
    expect(ben.locator("#output")).to_have_text(judged)
    assert "anna" not in ben.locator("#work").inner_text()
    press(ben, "f")
    expect(ben.locator(".last")).to_contain_text("anna said fail")
    expect(ben.get_by_role("heading", name="no text left for a second opinion")).to_be_visible()
    with workbench.store.reading() as db:
        assert [event.blind for event in suite_events(db, workbench.snapshot().stored.id)] == [True, True]


def test_annotators_get_different_texts(served: Served, visit: Visit) -> None:
    workbench = served(senses(), people={"anna": "annotator", "ben": "annotator"})
    anna, ben = (visit(workbench, "/queue", user=name) for name in ("anna", "ben"))
    assert output(anna) != output(ben)


def test_a_viewer_is_told_that_judging_needs_another_role(served: Served, visit: Visit) -> None:
    workbench = served(senses(), people={"vera": "viewer"})
    page = visit(workbench, "/queue", user="vera")
    expect(page.locator("main")).to_contain_text("vera is viewer; this needs the role annotator")


@pytest.mark.parametrize("path", ["/queue?suite=single", "/item/one/text?suite=single", "/items?suite=single&q=script"])
def test_a_translation_with_a_script_is_shown_and_not_run(served: Served, visit: Visit, path: str) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)> \"quoted' & \u202eevil"
    workbench = served(one_text("de-en", hostile))
    page = visit(workbench, path)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    expect(page.get_by_text("<script>alert(1)</script>").first).to_be_visible()
    if path.startswith("/queue"):
        press(page, "p")
        expect(page.locator(".last")).to_contain_text("<script>alert(1)</script>")
    assert page.locator("#main script").count() == 0
    assert page.locator("#main img").count() == 0


@pytest.mark.parametrize("path", ["/queue?suite=single", "/item/one/text?suite=single"])
def test_a_prompt_stands_above_the_source_and_all_of_it_is_shown_on_request(
    served: Served, visit: Visit, path: str
) -> None:
    terms = "\n".join(f"- term {number}: <b>{'x' * number}</b>" for number in range(20))
    prompt = f"You are a translator of laws. Use these terms.\n{terms}"
    page = visit(served(one_text("de-en", "A sentence.", prompt=prompt, context="A law of 1998.")), path)
    folded = page.locator("details.prompt")
    expect(folded.locator("summary")).to_contain_text("prompt: You are a translator of laws.")
    expect(page.locator("p.prompt")).to_have_text("context: A law of 1998.")
    whole = page.get_by_text("- term 19: <b>")
    expect(whole).to_be_hidden()
    folded.locator("summary").click()
    expect(whole).to_be_visible()
    if path.startswith("/queue"):
        press(page, "p")
        # Keys work where the prompt has the focus.
        expect(page.locator(".last")).to_contain_text("A sentence.")


def test_a_right_to_left_target_is_shown_from_the_right(served: Served, visit: Visit) -> None:
    workbench = served(one_text("de-ar", "القفل قديم."))
    page = visit(workbench, "/queue")
    shown = page.locator("#output")
    expect(shown).to_have_attribute("dir", "rtl")
    expect(shown).to_have_attribute("lang", "ar")
    expect(page.locator("#source")).to_have_attribute("dir", "ltr")
    width = page.evaluate(
        """() => {
            const shown = document.getElementById("output"), range = document.createRange();
            range.selectNodeContents(shown);
            const words = range.getBoundingClientRect(), box = shown.getBoundingClientRect();
            return [box.right - words.right, words.left - box.left];
        }"""
    )
    assert width[0] < 2 < width[1]


@pytest.mark.parametrize("path", ["/queue", "/queue?category=Ambiguity", "/item/senses/schloss", "/items"])
def test_a_narrow_window_needs_no_scrolling_to_the_side(workbench: Workbench, visit: Visit, path: str) -> None:
    page = visit(workbench, path, width=360, height=700)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_everything_can_be_reached_with_the_tab_key(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert {"do-pass", "do-fail", "do-skip", "do-undo", "do-rules", "do-later", "do-keys", "comment"} <= reached
    page.locator("#do-fail").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".last")).to_contain_text("fail")
    assert page.evaluate("document.activeElement.id") == "do-fail"


def test_a_sample_is_drawn_and_judged_by_keyboard_in_its_order(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    page.get_by_role("link", name="Sample").click()
    expect(page.locator(".done h2")).to_have_text("There is no sample yet.")
    page.get_by_role("button", name="Draw a sample").click()
    expect(page.locator("#output")).to_be_visible()
    (stored,) = workbench.snapshot().written.draws
    order = [text.text for text in stored.draw.texts]
    assert [judge(page, key) for key in ("p", "f", "p")] == order[:3]
    assert (output(page), left(page)) == (order[3], 21)
    expect(page.locator(".progress")).to_contain_text("3 judged in order")
    judge(page, "s")
    expect(page.locator(".progress")).to_contain_text("3 judged in order, 1 skipped")
    assert output(page) == order[4]
    # The page loaded again is the same; a phenomenon cannot be left for later.
    page.reload()
    assert output(page) == order[4]
    expect(page.locator("#do-later")).to_have_count(0)
    assert [kind for kind, _, _ in events(workbench)] == ["judgement"] * 3 + ["skip"]


def test_only_an_admin_draws(served: Served, visit: Visit) -> None:
    workbench = served(people={"anna": "annotator", "eve": "admin"})
    page = visit(workbench, "/queue?sample=1", user="anna")
    expect(page.locator(".told")).to_contain_text("24 texts are undecided")
    expect(page.locator(".told")).to_contain_text("An admin can draw it.")
    expect(page.locator("#do-draw")).to_have_count(0)
    admin = visit(workbench, "/queue?sample=1", user="eve")
    admin.locator("#do-draw").click()
    expect(admin.locator("#output")).to_be_visible()
    page.reload()
    (stored,) = workbench.snapshot().written.draws
    # The first is on the admin's screen.
    assert [output(admin), output(page)] == [text.text for text in stored.draw.texts[:2]]


def test_a_slow_request_shows(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/queue")
    wait_for_keys(page)
    held: list[Route] = []
    page.route("**/queue/judge*", lambda route: held.append(route))
    expect(page.locator("#busy")).to_be_hidden()
    page.keyboard.press("p")
    expect(page.locator("#busy")).to_be_visible()
    held[0].continue_()
    expect(page.locator("#last")).to_contain_text("pass")
    expect(page.locator("#busy")).to_be_hidden()
