"""How the HTML report looks in a browser: texts and their marks, contrast, sizes, narrow windows, paper."""

from collections.abc import Sequence
from functools import cache

import pytest
from playwright.sync_api import expect

from assay.evaluation import Evaluation, evaluate
from assay.outputs import Collector, System, load_outputs
from assay.reports.html import render_html
from assay.reports.suite_stats import suite_table
from assay.suites import Item, Rule, Suite, bundled_outputs, load_suite, taxonomy_of
from tests.browser.conftest import Open
from tests.browser.report_page import CONTRASTS, HOSTILE, cell, labels, report
from tests.evaluation.tables import Drawing, drawn

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 80" width="600"><text y="40">figure</text></svg>'


@cache
def bundled_report() -> str:
    """The bundled suite, with a figure and a further table, as users see it first."""
    suite = load_suite("de-en")
    evaluation = evaluate(suite, load_outputs(suite, list(map(str, bundled_outputs("de-en")))))
    return render_html(evaluation, figures={"A figure": SVG}, extras=[suite_table(suite)])


def one_item(texts: Sequence[str], *rules: Rule, langpair: str = "de-en", source: str = "Quelle.") -> Evaluation:
    """One item, of which system `s0`, `s1` … wrote a text each."""
    items = (Item("only", "Category", "Phenomenon", source, rules),)
    suite = Suite("one", langpair, items, taxonomy_of(items))
    collector = Collector(suite)
    for number, text in enumerate(texts):
        collector.add(System(f"s{number}"), positions=[0], texts=[text])
    return evaluate(suite, collector.outputs(), keep_all=True)


class TestTexts:
    def test_hostile_texts_are_shown_and_not_run(self, open_page: Open) -> None:
        evaluation = one_item([HOSTILE, "x"], Rule("pass", "contains", "hacked"), source=HOSTILE)
        page = open_page(render_html(evaluation, figures={HOSTILE: SVG}))
        cell(page, "Category", "s0").click()
        shown = page.locator("#panel .output")
        assert shown.first.inner_text() == HOSTILE
        assert page.locator(".source").inner_text() == HOSTILE
        assert page.evaluate("window.hacked") is None
        assert page.locator("#panel img, #panel script").count() == 0

    def test_right_to_left_sentences_run_right_to_left(self, open_page: Open) -> None:
        evaluation = one_item(["المفتاح في القفل.", "x"], Rule("pass", "contains", "القفل"), langpair="de-ar")
        page = open_page(render_html(evaluation))
        cell(page, "Category", "s0").click()
        sentence = page.locator(".output").first
        expect(sentence).to_have_css("direction", "rtl")
        expect(sentence).to_have_attribute("lang", "ar")
        expect(sentence.locator("mark")).to_have_text("القفل")
        expect(page.locator(".source")).to_have_css("direction", "ltr")

    def test_marks_count_code_points(self, open_page: Open) -> None:
        page = open_page(render_html(one_item(["😀🏳️‍🌈 right 😀"], Rule("pass", "contains", "right"))))
        cell(page, "Category", "s0").click()
        expect(page.locator("mark")).to_have_text("right")

    def test_overlapping_marks_of_a_contradiction(self, open_page: Open) -> None:
        rules = (Rule("pass", "contains", "in the lock"), Rule("fail", "contains", "lock of the castle"))
        page = open_page(render_html(one_item(["in the lock of the castle"], *rules)))
        cell(page, "Category", "s0").click()
        marks = page.locator("mark")
        expect(marks).to_have_text(["in the ", "lock", " of the castle"])
        assert [mark.get_attribute("class") for mark in marks.all()] == ["pass", "pass fail", "fail"]
        expect(page.locator(".item .why").last).to_contain_text("pass and fail rules matched")

    def test_an_exact_rule_marks_no_words(self, open_page: Open) -> None:
        page = open_page(render_html(one_item(["All of it."], Rule("pass", "exact", "All of it."))))
        cell(page, "Category", "s0").click()
        expect(page.locator("mark")).to_have_count(0)
        expect(page.locator(".item .why").last).to_have_text("passexact rule")


class TestLooks:
    @pytest.mark.parametrize("dark", [False, True])
    def test_every_text_has_enough_contrast(self, open_page: Open, dark: bool) -> None:
        page = open_page(bundled_report(), dark=dark)
        page.get_by_role("button", name="Open all categories").click()
        page.locator("summary", has_text="Systems").click()
        page.locator("tr.average .cell button").last.click()
        page.locator(".more summary").first.click()
        page.locator("tr.category .cell button").first.hover()
        assert page.evaluate(CONTRASTS) == []

    def test_dark_is_dark(self, open_page: Open) -> None:
        for dark in (False, True):
            page = open_page(report(), dark=dark)
            colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            assert (int(colour.removeprefix("rgb(").split(",")[0]) < 60) is dark

    def test_shades_follow_the_accuracy(self, open_page: Open) -> None:
        page = open_page(report())
        shade = "button => getComputedStyle(button.parentElement).backgroundColor"
        high, middle, low = (cell(page, "MWE", system).evaluate(shade) for system in "ABC")
        assert len({high, middle, low}) == 3
        expect(cell(page, "MWE", "A").locator("xpath=..")).to_have_css("font-weight", "700")
        expect(cell(page, "MWE", "C").locator("xpath=..")).to_have_css("font-weight", "400")

    def test_text_is_16_px_and_sentences_are_18_px(self, open_page: Open) -> None:
        page = open_page(report())
        cell(page, "MWE", "A").click()
        expect(page.locator("body")).to_have_css("font-size", "16px")
        expect(page.locator(".output").first).to_have_css("font-size", "18px")

    @pytest.mark.parametrize("width", [360, 768, 1280, 1920])
    def test_the_page_never_scrolls_sideways(self, open_page: Open, width: int) -> None:
        page = open_page(bundled_report(), width=width, height=740)
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(overflow) == 0
        page.get_by_role("button", name="Open all categories").click()
        page.locator("summary", has_text="Systems").click()
        assert page.evaluate(overflow) == 0
        page.keyboard.press("Escape")
        page.locator("tr.category .cell button").first.click()
        page.locator(".more summary").first.click()
        assert page.evaluate(overflow) == 0

    def test_in_a_narrow_window_the_table_scrolls_under_its_first_column(self, open_page: Open) -> None:
        drawing: Drawing = {"Category/Phenomenon": {f"System-{number}": "PF" for number in range(12)}}
        page = open_page(render_html(drawn(drawing)), width=360, height=740)
        heat = page.locator("#heat")
        assert heat.evaluate("heat => heat.scrollWidth > heat.clientWidth")
        first = page.locator("tr.category th")
        before = first.bounding_box()
        heat.evaluate("heat => heat.scrollLeft = 200")
        assert first.bounding_box() == before

    def test_in_a_narrow_window_the_panel_opens_below_and_is_scrolled_to(self, open_page: Open) -> None:
        page = open_page(report(), width=360, height=740)
        cell(page, "MWE", "A").click()
        panel, table = page.locator("#panel"), page.locator("#heat")
        expect(panel).to_be_focused()
        expect(panel).to_be_in_viewport()
        below, above = panel.bounding_box(), table.bounding_box()
        assert below is not None
        assert above is not None
        assert below["y"] >= above["y"] + above["height"]
        page.get_by_role("button", name="Close").click()
        expect(cell(page, "MWE", "A")).to_be_focused()

    def test_the_head_of_a_long_table_stays(self, open_page: Open) -> None:
        page = open_page(bundled_report(), height=500)
        page.get_by_role("button", name="Open all categories").click()
        page.locator("#heat").evaluate("heat => heat.scrollTop = 600")
        expect(page.locator("thead .system").first).to_be_in_viewport()

    def test_print_leaves_out_what_paper_cannot_do(self, open_page: Open) -> None:
        page = open_page(bundled_report())
        page.emulate_media(media="print")
        expect(page.locator(".controls")).to_be_hidden()
        expect(page.locator("#copy")).to_be_hidden()
        expect(page.locator("#heat")).to_have_css("overflow", "visible")
        assert page.pdf().startswith(b"%PDF")

    def test_without_scripts_everything_in_the_table_is_there(self, open_page: Open) -> None:
        page = open_page(report(), scripts=False)
        assert len(labels(page)) == 7 + 6
        expect(page.locator(".controls")).to_be_hidden()
