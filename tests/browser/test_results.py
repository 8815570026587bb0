"""The pages about results in a real browser: choices, cells by mouse and keyboard, pairs, years, downloads, looks."""

import csv
import json
from io import BytesIO, StringIO
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Locator, Page, expect

from assay.outputs import Collector, Outputs, System, load_outputs
from assay.suites import Item, Rule, Suite, taxonomy_of
from assay.workbench.db.people import find_user
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.queue.sample import draw_sample, sample_tasks
from tests.browser.conftest import Served, Visit
from tests.browser.report_page import CONTRASTS, HOSTILE
from tests.browser.workbench import Workbench
from tests.starter import OUTPUTS, SUITE
from tests.workbench.visits import Visits


def starter() -> tuple[Suite, Outputs]:
    """The small suite with three systems in 2025; in 2026 `average` is as good as `careful` was."""
    given = load_outputs(SUITE, list(map(str, OUTPUTS)))
    names = [system.name for system in given.systems]
    collector = Collector(SUITE)
    for campaign, systems in (
        ("2025", {name: name for name in names}),
        ("2026", {"average": "careful", "b": "literal"}),
    ):
        for name, texts_of in systems.items():
            column = names.index(texts_of)
            texts = [given.text(place, column) for place in range(len(SUITE))]
            collector.add(System(name, campaign), positions=range(len(SUITE)), texts=texts)
    return SUITE, collector.outputs()


@pytest.fixture
def bench(served: Served) -> Workbench:
    return served(starter())


def cell(page: Page, row: str, system: str) -> Locator:
    """A cell by what a screen reader says; of rows with the same name the first, which is the category."""
    return page.get_by_role("button", name=f"{system}, {row}").first


def numbers(page: Page, row: str) -> list[str]:
    return page.locator("tr", has=page.locator("th", has_text=row)).first.locator(".cell").all_inner_texts()


def choose(page: Page, label: str, value: str) -> None:
    """Choose something, and wait until the table has followed."""
    page.get_by_label(label, exact=True).select_option(value)
    expect(page.locator(".htmx-request")).to_have_count(0)


OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class TestChoices:
    def test_the_newest_campaign_comes_first_and_others_can_be_chosen(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results")
        heads = page.locator("thead .system button")
        expect(heads).to_have_text(["average", "b"])
        choose(page, "Campaign", "2025")
        expect(heads).to_have_text(["careful", "average", "literal"])
        expect(page.locator("#facts")).to_contain_text("81 of 94 items count")
        choose(page, "Campaign", "*")
        expect(heads).to_have_count(5)

    def test_another_policy_changes_the_numbers_and_the_address(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        fair = numbers(page, "micro-average")
        expect(page.locator("#signature")).to_contain_text("policy:fair")
        choose(page, "Policy", "strict")
        expect(page.locator("#facts")).to_contain_text("94 of 94 items count")
        strict = numbers(page, "micro-average")
        # 80, 62 and 34 of 94 pass.
        assert strict == ["85.1", "66.0", "36.2"]
        assert fair != strict
        expect(page.locator("#signature")).to_contain_text("policy:strict")
        assert "policy=strict" in page.url
        page.reload()
        assert numbers(page, "micro-average") == strict
        expect(page.get_by_label("Policy")).to_have_value("strict")

    def test_what_is_open_and_where_one_is_stays(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        page.get_by_role("button", name="Ambiguity", exact=True).click()
        cell(page, "Lexical ambiguity", "literal").click()
        expect(page.locator("#panel .item")).not_to_have_count(0)
        page.get_by_label("Policy").focus()
        choose(page, "Policy", "own")
        expect(page.get_by_label("Policy")).to_be_focused()
        expect(page.locator("tbody.open")).to_have_count(1)
        expect(page.locator("#panel-title")).to_have_text("Ambiguity › Lexical ambiguity: literal")
        expect(page.locator("#panel .item", has_text="does not count")).to_have_count(1)
        expect(cell(page, "Lexical ambiguity", "literal")).to_have_attribute("aria-current", "true")

    def test_fewer_systems_free_items(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        page.locator("summary", has_text="Systems").click()
        page.get_by_role("checkbox", name="literal").uncheck()
        page.get_by_role("button", name="Show these").click()
        expect(page.locator("thead .system button")).to_have_text(["careful", "average"])
        expect(page.locator("summary", has_text="Systems")).to_have_text("Systems 2 of 3")
        expect(page.locator("summary", has_text="Systems")).to_be_focused()
        assert "81 of 94" not in page.locator("#facts").inner_text()
        # Another campaign has other systems.
        choose(page, "Campaign", "2026")
        expect(page.locator("thead .system button")).to_have_text(["average", "b"])

    def test_a_test_that_draws_says_how_often(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        choose(page, "Test", "bootstrap")
        expect(page.locator(".told")).to_contain_text("1,000 draws here, 10,000 for a paper")
        expect(page.locator("#signature")).to_contain_text("draws:1000")

    def test_the_signature_can_be_copied(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        choose(page, "Policy", "own")
        page.get_by_role("button", name="Copy").click()
        expect(page.locator("#copied")).to_have_text("copied")
        assert "policy:own" in page.evaluate("navigator.clipboard.readText()")

    @pytest.mark.parametrize(
        ("path", "status", "says"),
        [
            ("/results?system=nobody", 404, "no system 'nobody'"),
            ("/results?campaign=1999", 404, "no campaign '1999'"),
            ("/results?policy=kind", 404, "no policy 'kind'"),
            ("/results?alpha=2", 400, "alpha is 2"),
            ("/results?alpha=much", 422, "alpha"),
            ("/results/cell?column=nobody", 404, "no system 'nobody'"),
            ("/results/download/results.doc", 404, "no download"),
            ("/compare?first=average+(2025)&second=nobody", 404, "no system 'nobody'"),
            ("/compare?first=careful&second=careful", 400, "compared with itself"),
            ("/years?campaign=2025", 400, "at least two campaigns"),
        ],
    )
    def test_bad_ones_are_told(self, bench: Workbench, visit: Visit, path: str, status: int, says: str) -> None:
        page = visit(bench, "/")
        answer = page.goto(bench.url + path)
        assert answer is not None
        assert answer.status == status
        expect(page.locator(".message")).to_contain_text(says)

    def test_a_bad_one_leaves_the_table_alone(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        before = numbers(page, "micro-average")
        page.locator("summary", has_text="More").click()
        page.get_by_label("Draws").evaluate("field => { field.removeAttribute('max'); field.value = 1000000 }")
        page.get_by_role("button", name="Show", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("draws is 1,000,000; here at most 100,000")
        assert numbers(page, "micro-average") == before

    def test_without_outputs_the_page_says_what_to_do(self, served: Served, visit: Visit) -> None:
        empty = Collector(SUITE).outputs()
        page = visit(served((SUITE, empty)), "/results")
        expect(page.locator(".message")).to_contain_text("there are no outputs yet; import some")


class TestCells:
    def test_a_click_shows_the_items_beside_the_table(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        before = cell(page, "MWE", "literal").bounding_box()
        cell(page, "MWE", "literal").click()
        panel = page.locator("#panel")
        expect(panel.get_by_role("heading", level=2)).to_have_text("MWE: literal")
        expect(panel.locator(".result")).to_contain_text("95 % interval")
        expect(panel.locator("h3")).to_contain_text(["fail", "warning", "pass"])
        expect(panel.locator(".item", has_text="abschminken").locator(".output")).to_have_text(
            "You can cut off the holiday in August."
        )
        assert cell(page, "MWE", "literal").bounding_box() == before
        box, table = panel.bounding_box(), page.locator("#heat").bounding_box()
        assert box is not None
        assert table is not None
        assert box["x"] >= table["x"] + table["width"]
        expect(panel.get_by_role("link", name="idiom/abschminken")).to_have_attribute(
            "href", "/item/idiom/abschminken?suite=assay-de-en"
        )

    def test_verdicts_can_be_switched(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        cell(page, "warnings", "literal").click()
        expect(page.locator("#panel .item")).to_have_count(7)
        expect(page.locator("#panel .absent")).to_have_text("(nothing)")
        page.get_by_role("button", name="fail 53").click()
        expect(page.locator("#panel h3")).to_contain_text(["fail 53"])
        expect(page.get_by_role("button", name="fail 53")).to_be_focused()
        page.get_by_role("button", name="Show 20 more of 20").click()
        expect(page.locator("#panel .item")).to_have_count(60)
        expect(page.locator("#panel h3")).to_contain_text(["fail 53", "warning 7"])
        expect(page.locator("#panel .item").nth(40)).to_be_focused()
        page.get_by_role("button", name="warning 7").click()
        expect(page.locator("#panel h3")).to_contain_text(["fail 53"])
        expect(page.get_by_role("button", name="warning 7")).to_have_attribute("aria-pressed", "false")

    def test_arrows_move_enter_opens_escape_closes(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        expect(page.locator(".cell > button[tabindex='0']")).to_have_count(1)
        page.locator(".accuracy thead .mean button").focus()
        for _ in range(2):
            page.keyboard.press("Tab")
        expect(cell(page, "Ambiguity", "careful")).to_be_focused()
        expect(page.get_by_role("tooltip")).to_contain_text("95 % interval")
        for key in ("ArrowRight", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        expect(page.locator("#panel-title")).to_have_text("Composition: average")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#panel-title")).to_have_text("Composition: literal")
        assert "column=literal" in page.url
        page.keyboard.press("Escape")
        expect(page.locator("#panel")).to_be_hidden()
        expect(cell(page, "Composition", "literal")).to_be_focused()
        assert page.url.endswith("/results?suite=assay-de-en&campaign=2025")

    def test_its_address_opens_the_same_again(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025&policy=own")
        page.get_by_role("button", name="Open all categories").click()
        cell(page, "Idiom", "average").click()
        expect(page.locator("#panel-title")).to_have_text("MWE › Idiom: average")
        items = page.locator("#panel .item").all_inner_texts()
        page.reload()
        expect(page.locator("#panel-title")).to_have_text("MWE › Idiom: average")
        assert page.locator("#panel .item").all_inner_texts() == items
        expect(page.locator("#panel .result")).to_contain_text("95 % interval")
        expect(cell(page, "Idiom", "average")).to_have_attribute("aria-current", "true")
        page.keyboard.press("Escape")
        expect(cell(page, "Idiom", "average")).to_be_focused()

    def test_hostile_texts_are_shown_and_not_run(self, served: Served, visit: Visit) -> None:
        items = (
            Item("a/<b>", "<i>C</i>", "P", HOSTILE, (Rule("pass", "contains", "hacked"), Rule("fail", "exact", "x"))),
        )
        suite = Suite("hostile", "de-ar", items, taxonomy_of(items))
        collector = Collector(suite)
        collector.add(System("<s>"), positions=[0], texts=[HOSTILE])
        collector.add(System("x"), positions=[0], texts=["x"])
        page = visit(served((suite, collector.outputs())), "/results")
        page.locator("tr.category .cell button").first.click()
        expect(page.locator("#panel .output")).to_have_text(HOSTILE)
        expect(page.locator("#panel .output")).to_have_attribute("dir", "rtl")
        expect(page.locator("#panel .output")).to_have_attribute("lang", "ar")
        assert page.locator("#panel .source").inner_text() == HOSTILE
        assert page.evaluate("window.hacked") is None
        page.goto(page.url.partition("/results")[0] + "/compare")
        expect(page.locator(".sides .output").first).to_have_text(HOSTILE)
        assert page.evaluate("window.hacked") is None


class TestPairs:
    def test_items_that_only_one_got_right_with_the_words_that_differ(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/compare?first=literal&second=careful")
        expect(page.locator(".answer")).to_contain_text("0 items lost, 43 gained")
        gained = page.get_by_role("region", name="Only careful got these right: 43")
        expect(gained.locator(".item")).to_have_count(20)
        first = gained.locator(".item").first
        expect(first.locator(".judged .word")).to_have_text(["fail", "pass"])
        expect(first.locator(".half")).to_have_text(["literal", "careful"])
        expect(first.locator("mark.differs")).not_to_have_count(0)
        gained.get_by_role("button", name="Show 20 more of 23").click()
        expect(gained.locator(".item")).to_have_count(40)
        expect(gained.locator(".item").nth(20)).to_be_focused()
        row = page.locator("#statistics tr", has_text="micro-average")
        expect(row).to_contain_text("▲")

    def test_other_systems_and_one_category(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/compare")
        expect(page.get_by_label("First")).to_have_value("average (2026)")
        page.get_by_label("Second").select_option("average (2025)")
        page.get_by_label("Items of").select_option("MWE")
        page.get_by_role("button", name="Compare").click()
        expect(page).to_have_title("average (2026) and average (2025) · Assay")
        for item in page.locator(".sides .item").all():
            expect(item.locator(".why").first).to_contain_text("MWE ›")
        expect(page.locator(".sides .item")).not_to_have_count(0)
        page.get_by_role("link", name="swap").click()
        expect(page.get_by_label("First")).to_have_value("average (2025)")
        expect(page.get_by_label("Items of")).to_have_value("MWE")


def test_where_nothing_counts_there_are_dashes_and_the_choices_stay(workbench: Workbench, visit: Visit) -> None:
    # Every item of WMT22 has a warning of Doubtful.
    page = visit(workbench, "/results?campaign=WMT22")
    assert numbers(page, "micro-average") == ["–", "–"]
    cell(page, "Ambiguity", "Right").click()
    expect(page.locator("#panel h3")).to_have_text(["pass 8, none counts"])
    answer = page.goto(workbench.url + "/compare")
    assert answer is not None
    assert answer.status == 400
    expect(page.locator(".message")).to_contain_text("share no items that count")
    page.get_by_label("First").select_option("Right (WMT21)")
    page.get_by_label("Second").select_option("Wrong")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", level=2)).to_contain_text(["Only Right got these right: 12"])


def test_years_show_who_returns(bench: Workbench, visit: Visit) -> None:
    page = visit(bench, "/results")
    page.get_by_role("link", name="Years").click()
    tables = page.locator("main table")
    expect(tables.first.locator("thead th")).to_have_text(
        ["category", "items", "average 2025", "average 2026", "best 2025", "best 2026"]
    )
    expect(tables.nth(1).locator("thead th")).to_have_text(["category", "items", "average", "mean"])
    page.get_by_label("Rows", exact=True).select_option("both")
    page.get_by_role("button", name="Show").click()
    expect(tables.first.locator("tbody tr.indent")).to_have_count(len(SUITE.phenomena))


def test_tags_are_counted_under_the_results(bench: Workbench, visit: Visit) -> None:
    snapshot = bench.snapshot("assay-de-en")
    task = next(task for task in snapshot.tasks if snapshot.items[task.place].id == "date/oktober")
    with bench.store.reading() as db:
        user = find_user(db, next(iter(db.exec_driver_sql("select name from users").scalars())))
    assert user is not None
    Visits(bench.store).judge(user, "assay-de-en", AnnotatorAnswer(task.text_id, "fail", tags=("critical",)))
    page = visit(bench, "/results?campaign=*")
    row = page.locator("tr", has_text="critical error outside the phenomenon")
    writers = len(snapshot.writers(task.place, task.text_id))
    expect(row.locator("td").last).to_have_text(str(writers))
    expect(page.get_by_role("link", name="tags (CSV)")).to_be_visible()


def test_downloads_arrive_and_parse(bench: Workbench, visit: Visit) -> None:
    page = visit(bench, "/results?campaign=2025")
    choose(page, "Policy", "strict")

    def fetch(name: str) -> tuple[str, bytes]:
        with page.expect_download() as waiting:
            page.locator(f"#downloads a[href*='/{name}?']").click()
        return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()

    name, content = fetch("results.json")
    assert name == "assay-de-en-2025-strict-results.json"
    micro = next(row for row in json.loads(content)["rows"] if row["level"] == "micro")
    assert [f"{100 * entry['accuracy']:.1f}" for entry in micro["cells"]] == numbers(page, "micro-average")
    assert "verdicts" in openpyxl.load_workbook(BytesIO(fetch("results.xlsx")[1])).sheetnames
    lines = list(csv.DictReader(StringIO(fetch("verdicts.tsv")[1].decode()), dialect="excel-tab"))
    assert sum(line["system"] == "literal" and line["verdict"] == "pass" for line in lines) == 34
    assert b"\\end{tabular}" in fetch("categories.tex")[1]
    assert fetch("heat-map.png")[1].startswith(b"\x89PNG")
    assert fetch("report.html")[1].startswith(b"<!DOCTYPE html>")
    name, content = fetch("judgements.tsv")
    assert content.decode().startswith("item\tcategory\tphenomenon\ttext\tverdict\tby")


class TestLooks:
    @pytest.mark.parametrize("dark", [False, True])
    @pytest.mark.parametrize("path", ["/results?campaign=2025", "/compare?first=literal&second=careful", "/years"])
    def test_every_text_has_enough_contrast(self, bench: Workbench, visit: Visit, path: str, dark: bool) -> None:
        page = visit(bench, path, dark=dark)
        if path.startswith("/results"):
            page.get_by_role("button", name="Open all categories").click()
            page.locator("tr.average .cell button").last.click()
            expect(page.locator("#panel .item")).not_to_have_count(0)
        page.locator("summary", has_text="More").click()
        assert page.evaluate(CONTRASTS) == []

    def test_shades_follow_the_accuracy(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        shade = "button => getComputedStyle(button.parentElement).backgroundColor"
        high, low = (cell(page, "micro-average", system).evaluate(shade) for system in ("careful", "literal"))
        assert high != low
        expect(cell(page, "micro-average", "careful").locator("xpath=..")).to_have_css("font-weight", "700")
        expect(cell(page, "micro-average", "literal").locator("xpath=..")).to_have_css("font-weight", "400")

    @pytest.mark.parametrize("width", [360, 768, 1280, 1920])
    def test_no_page_scrolls_sideways(self, bench: Workbench, visit: Visit, width: int) -> None:
        page = visit(bench, "/results?campaign=*", width=width, height=740)
        assert page.evaluate(OVERFLOW) == 0
        for name in ("Systems", "More"):
            page.locator("summary", has_text=name).click()
            assert page.evaluate(OVERFLOW) == 0
            page.keyboard.press("Escape")
        cell(page, "MWE", "careful").click()
        expect(page.locator("#panel .item")).not_to_have_count(0)
        assert page.evaluate(OVERFLOW) == 0
        for path in ("/compare", "/years"):
            page.goto(bench.url + path)
            assert page.evaluate(OVERFLOW) == 0

    def test_in_a_narrow_window_the_panel_opens_below_and_is_scrolled_to(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025", width=360, height=740)
        cell(page, "MWE", "careful").click()
        panel = page.locator("#panel")
        expect(panel).to_be_focused()
        expect(panel.locator(".item").first).to_be_in_viewport()
        page.get_by_role("button", name="Close").click()
        expect(cell(page, "MWE", "careful")).to_be_focused()


class TestEstimate:
    def judge_sample(self, bench: Workbench, number: int) -> None:
        """Judge so many texts of the sample, in its order; every third is wrong."""
        visits, admin = Visits(bench.store), self.admin(bench)
        for place in range(number):
            task = sample_tasks(visits.snapshot(SUITE.name))[0]
            visits.judge(admin, SUITE.name, AnnotatorAnswer(task.text_id, "fail" if place % 3 == 0 else "pass"))

    def admin(self, bench: Workbench) -> User:
        return local_user(bench.store)

    def test_from_too_little_to_an_estimate(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025")
        choose(page, "Policy", "estimate")
        told = page.locator("#results .told")
        expect(told).to_contain_text("there is no sample of")
        expect(page.locator("#heat")).to_have_count(0)
        Visits(bench.store).change(self.admin(bench), SUITE.name, draw_sample)
        page.reload()
        expect(told).to_contain_text("too little is judged for an estimate: 0 of")
        expect(page.locator("#choice-policy")).to_have_value("estimate")
        self.judge_sample(bench, 8)
        page.reload()
        expect(page.locator(".answer")).to_contain_text("undecided texts were judged and stand for the others")
        expect(page.locator("#outlook")).to_contain_text("would narrow the widest interval")
        expect(page.locator("#facts")).to_contain_text("94 of 94 items count")
        expect(page.locator("#signature")).to_contain_text("policy:estimate")
        cell(page, "micro-average", "careful").click()
        expect(page.locator("#panel .result")).to_contain_text("94 items")
        expect(page.locator("#panel .result")).to_contain_text("for these very items")

    def test_from_nothing_back_to_the_table(self, bench: Workbench, visit: Visit) -> None:
        page = visit(bench, "/results?campaign=2025&policy=estimate")
        expect(page.locator("#results .told")).to_be_visible()
        choose(page, "Policy", "fair")
        expect(page.locator("#facts")).to_contain_text("81 of 94 items count")
        cell(page, "micro-average", "careful").click()
        expect(page.locator("#panel .result")).to_contain_text("of 81 items")
