"""People in a real browser: logging in, roles, disagreements and agreement, accounts, uploads, history."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assay.workbench.db.people import list_users
from assay.workbench.people.roles import Role
from tests.browser.conftest import Served, Visit
from tests.browser.workbench import NAME, PASSWORD, SENSES, Workbench, wait_for_keys
from tests.starter import FOLDER, SUITE

EVERYBODY: dict[str, Role] = {
    "eve": "admin",
    "anna": "annotator",
    "ben": "annotator",
    "chris": "adjudicator",
    "vera": "viewer",
}


@pytest.fixture
def shared(served: Served) -> Workbench:
    """The small suite, served to people with accounts."""
    return served(people=EVERYBODY)


def log_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def judge(page: Page, key: str) -> str:
    """Judge the text on the screen and wait until it is gone; returns it."""
    wait_for_keys(page)
    text = page.locator("#output").inner_text()
    page.keyboard.press(key)
    expect(page.locator("#output").get_by_text(text, exact=True)).to_have_count(0)
    return text


def disagree(workbench: Workbench, visit: Visit) -> list[str]:
    """Anna judges four texts, Ben says the opposite of the first two that he gets; returns these."""
    anna = visit(workbench, "/queue", user="anna")
    said = {judge(anna, key): key for key in "pfpf"}
    ben = visit(workbench, "/queue?again=true", user="ben")
    texts = []
    for number in range(len(said)):
        heard = said[ben.locator("#output").inner_text()]
        texts.append(judge(ben, {"p": "f", "f": "p"}[heard] if number < 2 else heard))
    return texts[:2]


# Logging in


def test_logging_in_and_out(shared: Workbench, visit: Visit) -> None:
    page = visit(shared, "/effort")
    expect(page).to_have_url(re.compile(r"/login\?next=%2Feffort$"))
    log_in(page, "anna", "wrong password")
    expect(page.get_by_role("alert").filter(has_text="Name or password is wrong.")).to_be_visible()
    log_in(page, "anna", PASSWORD)
    expect(page).to_have_url(shared.url + "/effort")
    expect(page.get_by_role("heading", name="Effort")).to_be_visible()
    page.get_by_role("button", name="log out").click()
    expect(page).to_have_url(shared.url + "/login")
    page.goto(shared.url + "/effort")
    expect(page).to_have_url(re.compile("/login"))


def test_a_changed_password_ends_the_other_browsers_session(shared: Workbench, visit: Visit) -> None:
    here, there = visit(shared, "/people", user="anna"), visit(shared, "/people", user="anna")
    here.get_by_label("Current password").fill("not this one")
    here.get_by_label("New password", exact=True).fill("battery staple")
    here.get_by_label("New password again").fill("battery staple")
    here.get_by_role("button", name="Change password").click()
    expect(here.locator("#problem")).to_contain_text("the current password is wrong")
    here.get_by_label("Current password").fill(PASSWORD)
    here.get_by_role("button", name="Change password").click()
    expect(here.get_by_text("Your password was changed.")).to_be_visible()
    there.reload()
    expect(there).to_have_url(re.compile("/login"))
    log_in(there, "anna", "battery staple")
    expect(there.get_by_role("heading", name="People")).to_be_visible()


# Roles


def test_a_viewer_looks_and_finds_nothing_to_change(shared: Workbench, visit: Visit) -> None:
    disagree(shared, visit)
    page = visit(shared, "/disputes", user="vera")
    expect(page.locator("article")).not_to_have_count(0)
    expect(page.get_by_text("Deciding needs the role adjudicator.")).to_be_visible()
    for path in ("/disputes", "/files", "/history", "/agreement", "/effort"):
        page.goto(shared.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert [button.inner_text() for button in page.get_by_role("button").all()] == ["log out"]
    page.goto(shared.url + "/queue")
    expect(page.get_by_role("button", name=re.compile("pass|fail", re.IGNORECASE))).to_have_count(0)


def test_an_annotator_sees_disagreements_and_cannot_decide_them(shared: Workbench, visit: Visit) -> None:
    disagree(shared, visit)
    page = visit(shared, "/disputes", user="anna")
    expect(page.locator("article .votes li").first).to_contain_text("anna")
    expect(page.get_by_role("button", name="Pass")).to_have_count(0)
    page.keyboard.press("j")
    page.keyboard.press("p")
    expect(page.locator("article.decided")).to_have_count(0)


# Disagreements


def test_two_people_disagree_and_an_adjudicator_decides_by_keyboard(shared: Workbench, visit: Visit) -> None:
    differ = disagree(shared, visit)
    page = visit(shared, "/disputes", user="chris")
    cases = page.locator("article.case")
    expect(cases).to_have_count(len(differ))
    first = cases.first
    expect(first.locator(".sentence").nth(1)).to_have_text(differ[0])
    expect(first.locator(".votes li")).to_have_count(2)
    expect(first).to_contain_text("tests:")
    expect(first).to_be_focused()
    page.keyboard.press("c")
    page.keyboard.type("no such word; passfail")
    page.keyboard.press("Escape")
    expect(first).to_be_focused()
    page.keyboard.press("f")
    expect(page.locator("article.decided")).to_have_count(1)
    expect(page.locator("article.decided")).to_contain_text("decided by chris")
    expect(page.locator("#announce")).to_have_text("Decided: fail.")
    expect(cases.nth(1)).to_be_focused()
    snapshot = shared.snapshot()
    text = next(text for text in snapshot.texts.values() if text.value == differ[0])
    assert str(text.finding.verdict) == "fail"
    assert text.settlement
    assert text.settlement.ruling
    assert text.settlement.ruling.comment == "no such word; passfail"
    assert (
        sum(bool(found.settlement and found.settlement.disputed) for found in snapshot.texts.values())
        == len(differ) - 1
    )
    page.reload()
    expect(cases).to_have_count(len(differ) - 1)


def test_a_decision_is_taken_back(shared: Workbench, visit: Visit) -> None:
    differ = disagree(shared, visit)
    page = visit(shared, "/disputes", user="chris")
    page.get_by_role("button", name="Pass").first.click()
    expect(page.locator("article.decided")).to_have_count(1)
    expect(page.locator("#cases-left")).to_have_text(str(len(differ) - 1))
    page.keyboard.press("u")
    expect(page.locator("article.decided")).to_have_count(0)
    expect(page.locator("#cases-left")).to_have_text(str(len(differ)))
    expect(page.locator("article.case").first).to_be_focused()
    settled = [text.settlement for text in shared.snapshot().texts.values() if text.settlement]
    assert sum(settlement.disputed for settlement in settled) == len(differ)


def test_agreement_has_numbers_that_lead_to_the_texts(shared: Workbench, visit: Visit) -> None:
    differ = disagree(shared, visit)
    page = visit(shared, "/agreement", user="vera")
    row = page.get_by_role("row").filter(has_text="anna and ben")
    # Two of the four stood beside an earlier text, with what anna had said of them: not blind, not counted.
    expect(row.get_by_role("cell").nth(0)).to_have_text("2")
    everything = page.get_by_role("row").filter(has_text="all categories")
    expect(everything.get_by_role("cell").nth(0)).to_have_text("2")
    row.get_by_role("link").click()
    expect(page.get_by_role("heading", name="anna and ben say different things")).to_be_visible()
    shown = page.locator(".case").all_inner_texts()
    assert shown
    assert all(any(text in case for text in differ) for case in shown)


def test_the_effort_counts_who_judged_and_what_it_gained(shared: Workbench, visit: Visit) -> None:
    disagree(shared, visit)
    page = visit(shared, "/effort", user="vera")
    people = page.locator("section").filter(has=page.get_by_role("heading", name="People"))
    expect(people.get_by_role("row").filter(has_text="anna").get_by_role("cell").first).to_have_text("4")
    doubtful = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Doubtful")).first
    expect(doubtful.get_by_role("cell").nth(0)).to_have_text(str(len(SENSES)))
    expect(doubtful.get_by_role("cell").nth(1)).to_have_text("100.0")


# History


def test_the_history_has_everything_and_filters_it(shared: Workbench, visit: Visit) -> None:
    disagree(shared, visit)
    page = visit(shared, "/history", user="vera")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(8 + 3)  # eight judgements, the suite, the outputs of two campaigns
    page.get_by_label("Person").select_option("ben")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("saw judgements")  # which stood beside an earlier text of the item
    link = rows.first.get_by_role("link")
    item = link.inner_text()
    link.click()
    expect(page).to_have_url(re.compile(re.escape(f"/item/{item}")))
    page.go_back()
    page.get_by_label("Kind").select_option("undos")
    expect(page.get_by_text("Nothing of this kind was done yet.")).to_be_visible()


# Accounts


def test_an_admin_looks_after_accounts(shared: Workbench, visit: Visit) -> None:
    page = visit(shared, "/people", user="eve")
    page.get_by_label("Name").fill("zoë")
    page.get_by_label("Role", exact=True).select_option("viewer")
    page.get_by_label("Password", exact=True).fill("battery staple")
    page.get_by_role("button", name="Add account").click()
    expect(page.get_by_text("zoë can log in now, as viewer.")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("")
    page.get_by_label("Role of zoë", exact=True).select_option("annotator")
    page.get_by_role("button", name="Set the role of zoë").click()
    expect(page.get_by_text("zoë is annotator now.")).to_be_visible()
    expect(page.get_by_role("button", name="Set the role of zoë")).to_be_focused()
    page.get_by_role("button", name="keep out zoë").click()
    expect(page.get_by_text("zoë is kept out; what they did stays.")).to_be_visible()
    with shared.store.reading() as db:
        zoe = next(user for user in list_users(db) if user.name == "zoë")
    assert (zoe.role, zoe.active) == ("annotator", False)
    page.get_by_role("button", name="keep out eve").click()
    expect(page.locator("#problem")).to_contain_text("eve is the last admin who can log in")


def test_an_admin_reads_the_audit_trail(shared: Workbench, visit: Visit) -> None:
    page = visit(shared, "/people", user="eve")
    page.get_by_role("link", name="Audit trail").click()
    rows = page.locator("tbody tr")
    expect(rows.first).to_contain_text("log-in")
    expect(rows.first).to_contain_text("eve")
    page.get_by_label("Kind").select_option("imports")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("12 items added")
    page.get_by_label("Kind").select_option("roles")
    expect(page.get_by_text("Nothing of this kind was done yet.")).to_be_visible()


def test_without_the_token_the_page_says_where_it_is(workbench: Workbench, visit: Visit) -> None:
    stranger = replace(workbench, token="")
    page = visit(stranger, "/queue")
    expect(page.get_by_text("Open the address that assay serve printed")).to_be_visible()
    page = visit(workbench, "/queue")
    expect(page).to_have_url(workbench.url + "/queue")


def test_on_this_machine_alone_the_first_account_is_made_in_the_browser(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/people")
    expect(page.get_by_text("asks nobody to log in")).to_be_visible()
    expect(page.get_by_text("until it is started again")).to_be_visible()
    page.get_by_label("Name").fill("eve")
    page.get_by_label("Role", exact=True).select_option("annotator")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Add account").click()
    expect(page.locator("#problem")).to_contain_text("the first account has to be an admin's")
    page.get_by_label("Role", exact=True).select_option("admin")
    page.get_by_role("button", name="Add account").click()
    expect(page.get_by_text("eve can log in now, as admin.")).to_be_visible()


# Files


def starter_zip(folder: Path) -> Path:
    import shutil

    return Path(shutil.make_archive(str(folder / "starter"), "zip", FOLDER / "de-en"))


def test_a_suite_and_outputs_are_uploaded(shared: Workbench, visit: Visit, tmp_path: Path) -> None:
    page = visit(shared, "/files", user="eve")
    page.get_by_label("Suite", exact=True).set_input_files(starter_zip(tmp_path))
    page.get_by_role("button", name="Upload suite").click()
    expect(page.locator("#report")).to_contain_text(f"A new suite: {len(SUITE)} items.")
    page.locator("#report").get_by_role("button", name="Save").click()
    expect(page.locator("#report")).to_contain_text(f"{len(SUITE)} items added")
    page.locator("#report").get_by_role("link", name="Files").click()
    expect(page.get_by_role("heading", name=f"Upload outputs for {SUITE.name}")).to_be_visible()
    page.get_by_label("Output files").set_input_files(
        [FOLDER / "outputs" / "careful.tsv", FOLDER / "outputs" / "literal.tsv"]
    )
    page.get_by_label("Campaign", exact=True).fill("WMT99")
    page.get_by_role("button", name="Upload outputs").click()
    report = page.locator("#report")
    report.get_by_role("button", name="Save").click()
    expect(report).to_contain_text("2 systems added")
    expect(report).to_contain_text(f"{2 * len(SUITE)} outputs paired")
    expect(report).to_contain_text("Every item of the suite was found.")
    expect(report.get_by_role("row").filter(has_text="careful")).to_contain_text(str(len(SUITE)))
    expect(page.locator("#files").get_by_role("row").filter(has_text="literal.tsv")).to_have_count(1)
    expect(page.get_by_label("Campaign", exact=True)).to_have_value("")
    assert [stored.system.campaign for stored in shared.snapshot(SUITE.name).systems] == ["WMT99", "WMT99"]


def test_a_bad_upload_says_what_is_wrong_and_changes_nothing(shared: Workbench, visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("one line\n", encoding="utf-8")
    page = visit(shared, "/files", user="eve")
    page.get_by_label("Output files").set_input_files(tmp_path / "short.txt")
    page.get_by_role("button", name="Upload outputs").click()
    expect(page.locator("#problem")).to_contain_text(f"short.txt:2: 1 lines for {len(SENSES)} items")
    assert len(shared.snapshot().systems) == 6


def test_questions_beside_the_verdict_reach_the_queue(shared: Workbench, visit: Visit) -> None:
    page = visit(shared, "/files", user="eve")
    page.get_by_label("Linguistic acceptability").select_option("from 1 to 4")
    page.get_by_label("The suite’s own tags").fill("register: too formal or too casual")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("The queue asks it from the next text on.")).to_be_visible()
    page.goto(shared.url + "/queue")
    expect(page.get_by_role("radio")).to_have_count(4)
    expect(page.get_by_label("register")).to_be_visible()
    assert shared.snapshot(NAME).questions["acceptability"] == 4


def test_no_page_is_wider_than_a_narrow_window(shared: Workbench, visit: Visit) -> None:
    disagree(shared, visit)
    page = visit(shared, "/people", user="eve", width=360)
    for path in ("/people", "/audit", "/effort", "/agreement", "/disputes", "/history", "/files"):
        page.goto(shared.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
