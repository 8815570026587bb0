"""The HTML report in a browser: what a reader clicks, sorts, filters and types."""

from playwright.sync_api import Page, expect

from assay.reports.html import render_html
from tests.browser.conftest import Open
from tests.browser.report_page import DRAWING, cell, labels, report
from tests.evaluation.tables import drawn


def open_category(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


AVERAGES = ["micro-average", "category macro-average", "phenomenon macro-average"]
SHARES = ["lower bound", "upper bound", "warnings"]


class TestItems:
    def test_a_click_on_a_cell_shows_its_items_beside_the_table(self, open_page: Open) -> None:
        page = open_page(report())
        panel = page.locator("#panel")
        expect(panel).to_be_hidden()
        cell(page, "MWE", "B").click()
        expect(panel).to_be_visible()
        expect(panel.get_by_role("heading", level=2)).to_have_text("MWE: B")
        expect(panel.locator(".source")).to_have_text(["Satz idiom-3.", "Satz idiom-1.", "Satz idiom-2."])
        expect(panel.locator(".output")).to_have_text(["wrong 2", "right 0", "right 1"])
        expect(panel.locator("mark")).to_have_text(["wrong", "right", "right"])
        expect(panel.locator("h3")).to_have_text(["fail 1", "pass 2"])
        box, table = panel.bounding_box(), page.locator("#heat").bounding_box()
        assert box is not None
        assert table is not None
        assert box["x"] >= table["x"] + table["width"]

    def test_verdicts_are_told_by_word_and_shape(self, open_page: Open) -> None:
        page = open_page(report())
        cell(page, "Ambiguity", "B").click()
        first = page.locator(".item").first
        expect(first.locator(".word")).to_have_text("fail")
        expect(first.locator(".judged use").first).to_have_attribute("href", "#fail")
        shapes = page.locator("symbol > :first-child").evaluate_all("shapes => shapes.map(shape => shape.tagName)")
        assert sorted(shapes) == ["circle", "path", "rect"]

    def test_nothing_jumps_when_the_panel_opens(self, open_page: Open) -> None:
        page = open_page(report())
        before = cell(page, "MWE", "A").bounding_box()
        cell(page, "MWE", "A").click()
        assert cell(page, "MWE", "A").bounding_box() == before

    def test_a_cell_of_a_phenomenon_has_only_its_items(self, open_page: Open) -> None:
        page = open_page(report())
        open_category(page, "Ambiguity")
        cell(page, "Structure", "A").click()
        expect(page.locator(".where")).to_have_text("Ambiguity › Structure")
        expect(page.locator("#panel .source")).to_have_text(["Satz structure-2.", "Satz structure-1."])

    def test_items_that_do_not_count_are_shown_and_say_so(self, open_page: Open) -> None:
        page = open_page(report())
        cell(page, "Ambiguity", "A").click()
        # word-4 and word-5 pass for A, but B and C have a warning there.
        expect(page.locator("h3")).to_have_text(["fail 1", "pass 6, 4 of them count"])
        expect(page.locator(".item", has_text="does not count").locator(".source")).to_have_text(
            ["Satz word-4.", "Satz word-5."]
        )

    def test_a_missing_output_has_no_empty_line(self, open_page: Open) -> None:
        page = open_page(report())
        cell(page, "warnings", "C").click()
        expect(page.locator(".item .absent")).to_have_text("(nothing)")
        expect(page.locator(".item .why").last).to_contain_text("output missing")

    def test_the_warnings_row_opens_with_warnings_only_and_verdicts_can_be_switched(self, open_page: Open) -> None:
        page = open_page(report())
        cell(page, "warnings", "B").click()
        expect(page.locator("#panel .source")).to_have_text(["Satz word-4."])
        page.get_by_role("button", name="fail 5").click()
        expect(page.locator(".item")).to_have_count(6)
        page.get_by_role("button", name="warning 1").click()
        expect(page.locator(".item")).to_have_count(5)

    def test_averages_open_all_items(self, open_page: Open) -> None:
        page = open_page(report())
        for row in AVERAGES:
            cell(page, row, "A").click()
            expect(page.locator(".item")).to_have_count(12)
            expect(page.locator(".where")).to_have_text(row)

    def test_the_other_texts_and_the_rules_fold_out(self, open_page: Open) -> None:
        page = open_page(report())
        cell(page, "MWE", "B").click()
        first = page.locator(".item").first
        first.get_by_text("2 texts of 3 systems, rules").click()
        expect(first.locator(".texts .output")).to_have_text(["right 2", "wrong 2"])
        expect(first.locator(".who")).to_have_text(["A", "B, C"])
        expect(first.locator(".rules li")).to_have_text(["pass rule: contains right", "fail rule: contains wrong"])

    def test_many_items_come_in_portions(self, open_page: Open) -> None:
        page = open_page(render_html(drawn({"C/P": {"A": "PF" * 45, "B": "PP" * 45}})))
        cell(page, "C", "A").click()
        expect(page.locator(".item")).to_have_count(40)
        page.get_by_role("button", name="Show 40 more of 50").click()
        expect(page.locator(".item")).to_have_count(80)
        page.get_by_role("button", name="Show 10 more of 10").click()
        expect(page.locator(".item")).to_have_count(90)
        expect(page.locator("#panel h3")).to_have_text(["fail 45", "pass 45"])
        expect(page.locator(".next")).to_have_count(0)


class TestIntervals:
    def test_pointing_at_a_cell_shows_its_interval(self, open_page: Open) -> None:
        page = open_page(report())
        tip = page.get_by_role("tooltip")
        expect(tip).to_be_hidden()
        cell(page, "MWE", "B").hover()
        # 2 of 3: Wilson 20.8 to 93.9; no warnings, so the bounds are the accuracy.
        expect(tip).to_contain_text("66.7 2 of 3 items · first cluster")
        expect(tip).to_contain_text("95 % interval 20.8 to 93.9")
        expect(tip).to_contain_text("bounds on all items found 66.7 to 66.7")
        page.get_by_role("heading", level=1).hover()
        expect(tip).to_be_hidden()

    def test_a_system_that_is_worse_has_its_p(self, open_page: Open) -> None:
        page = open_page(report())
        cell(page, "MWE", "C").hover()  # 0 of 3 against 3 of 3: z 2.45
        expect(page.get_by_role("tooltip")).to_contain_text("0 of 3 items · worse than the best, p = 0.0072")

    def test_the_whole_row_shows_thin_bars(self, open_page: Open) -> None:
        page = open_page(report())
        bars = "button => getComputedStyle(button.parentElement, '::before').content"
        neighbour = cell(page, "MWE", "A")
        assert neighbour.evaluate(bars) == "none"
        cell(page, "MWE", "B").hover()
        assert neighbour.evaluate(bars) != "none"

    def test_undefined_is_a_dash_without_an_interval(self, open_page: Open) -> None:
        page = open_page(render_html(drawn({"C/P": {"A": "PP", "B": "P?"}, "D/Q": {"A": "P", "B": "?"}})))
        expect(cell(page, "D", "A")).to_have_text("–")
        cell(page, "D", "A").hover()
        expect(page.get_by_role("tooltip")).not_to_contain_text("interval")
        cell(page, "D", "A").click()
        expect(page.locator("h3")).to_have_text(["pass 1, none counts"])


class TestSorting:
    def test_three_clicks_sort_reverse_and_restore(self, open_page: Open) -> None:
        page = open_page(report())
        open_category(page, "Ambiguity")
        original = ["Ambiguity", "Word", "Structure", "MWE", "Negation", *AVERAGES, *SHARES]
        assert labels(page) == original
        head = page.get_by_role("columnheader", name="B")
        # B: Ambiguity 40.0 (Word 66.7, Structure 0.0), MWE 66.7, Negation 100.0.
        for direction, order in (
            ("descending", ["Negation", "MWE", "Ambiguity", "Word", "Structure"]),
            ("ascending", ["Ambiguity", "Structure", "Word", "MWE", "Negation"]),
            (None, original[:5]),
        ):
            head.get_by_role("button").click()
            assert labels(page) == [*order, *AVERAGES, *SHARES]
            assert head.get_attribute("aria-sort") == direction

    def test_names_sort_from_a_to_z(self, open_page: Open) -> None:
        page = open_page(render_html(drawn({f"{name}/P": {"A": "P", "B": "F"} for name in ("Zebra", "ant", "Bee")})))
        page.get_by_role("columnheader", name="category").get_by_role("button").click()
        assert labels(page)[:3] == ["ant", "Bee", "Zebra"]

    def test_items_sort_as_numbers_and_undefined_comes_last(self, open_page: Open) -> None:
        page = open_page(render_html(drawn({"None/P": {"A": "?"}, "Two/P": {"A": "PP"}, "Ten/P": {"A": "F" * 10}})))
        count = page.get_by_role("columnheader", name="items").get_by_role("button")
        count.click()
        assert labels(page)[:3] == ["Ten", "Two", "None"]
        for order in (["Two", "Ten", "None"], ["Ten", "Two", "None"]):
            page.locator("thead .system button").click()
            assert labels(page)[:3] == order


class TestFilters:
    def test_by_category(self, open_page: Open) -> None:
        page = open_page(report())
        page.get_by_role("searchbox").fill("mwe")
        assert labels(page) == ["MWE", *AVERAGES, *SHARES]
        expect(page.locator("#shown")).to_have_text("1 of 3 categories")
        page.get_by_role("searchbox").fill("")
        assert labels(page) == ["Ambiguity", "MWE", "Negation", *AVERAGES, *SHARES]
        expect(page.locator("#shown")).to_be_empty()

    def test_by_phenomenon_opens_its_category(self, open_page: Open) -> None:
        page = open_page(report())
        page.get_by_role("searchbox").fill("struct")
        assert labels(page) == ["Ambiguity", "Structure", *AVERAGES, *SHARES]

    def test_by_system(self, open_page: Open) -> None:
        page = open_page(report())
        heads = page.locator("thead .system:visible button")
        expect(heads).to_have_text(["A", "B", "C"])
        page.get_by_text("Systems 3 of 3").click()
        page.get_by_role("checkbox", name="B").uncheck()
        expect(heads).to_have_text(["A", "C"])
        expect(page.locator("tr.category").first.locator(".cell:visible")).to_have_count(2)
        expect(page.locator("summary", has_text="Systems")).to_have_text("Systems 2 of 3")
        page.get_by_role("button", name="None").click()
        expect(heads).to_have_count(0)
        page.get_by_role("button", name="All", exact=True).click()
        expect(heads).to_have_text(["A", "B", "C"])

    def test_all_categories_open_and_close_at_once(self, open_page: Open) -> None:
        page = open_page(report())
        button = page.get_by_role("button", name="Open all categories")
        button.click()
        assert len(labels(page)) == 7 + 6
        expect(button).to_have_attribute("aria-pressed", "true")
        button.click()
        assert len(labels(page)) == 3 + 6


class TestKeyboard:
    def test_escape_closes_the_panel_and_returns_to_the_cell(self, open_page: Open) -> None:
        page = open_page(report())
        cell(page, "MWE", "B").click()
        page.locator("#panel").get_by_role("button", name="Close").focus()
        page.keyboard.press("Escape")
        expect(page.locator("#panel")).to_be_hidden()
        expect(cell(page, "MWE", "B")).to_be_focused()

    def test_arrows_move_enter_opens_and_tab_reaches_the_panel(self, open_page: Open) -> None:
        page = open_page(report())
        page.locator(".accuracy thead .mean button").focus()
        page.keyboard.press("Tab")  # the first category, which opens
        page.keyboard.press("Enter")
        assert "Structure" in labels(page)
        page.keyboard.press("Tab")
        expect(cell(page, "Ambiguity", "A")).to_be_focused()
        expect(page.get_by_role("tooltip")).to_contain_text("95 % interval")
        for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
            page.keyboard.press(key)
        expect(cell(page, "Structure", "B")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#panel .source")).to_have_text(["Satz structure-1.", "Satz structure-2."])
        page.keyboard.press("ArrowDown")
        expect(page.locator("#panel-title")).to_have_text("MWE: B")
        page.keyboard.press("End")
        expect(page.locator("#panel-title")).to_have_text("MWE: C")

    def test_focus_is_visible(self, open_page: Open) -> None:
        page = open_page(report())
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        expect(page.get_by_role("searchbox")).to_be_focused()
        expect(page.get_by_role("searchbox")).to_have_css("outline-style", "solid")

    def test_one_cell_is_in_the_tab_order(self, open_page: Open) -> None:
        page = open_page(report())
        expect(page.locator(".cell > button[tabindex='0']")).to_have_count(1)
        cell(page, "MWE", "B").click()
        expect(page.locator(".cell > button[tabindex='0']")).to_have_count(1)
        expect(cell(page, "MWE", "B")).to_have_attribute("tabindex", "0")


def test_the_signature_can_be_copied(open_page: Open) -> None:
    page = open_page(report())
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#copied")).to_have_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == drawn(DRAWING).signature
