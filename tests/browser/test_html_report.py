"""The HTML report in a browser: what a reader sees, clicks and types."""

from collections.abc import Sequence
from functools import cache

import pytest
from playwright.sync_api import Locator, Page, expect

from assay.evaluation import Evaluation, evaluate
from assay.formats import bundled_outputs, load_outputs, load_suite
from assay.model import Collector, Item, Rule, Suite, System, taxonomy_of
from assay.reports.html import render_html
from assay.reports.suite_stats import suite_table
from tests.browser.conftest import Open
from tests.evaluation.tables import Drawing, drawn

# 10 of 12 items count: word-4 is a warning of B, word-5 of C. A has 8 of them right, B 6, C 2.
DRAWING: Drawing = {
    "Ambiguity/Word": {"A": "PPPPP", "B": "PPF?F", "C": "FFPP-"},
    "Ambiguity/Structure": {"A": "PF", "B": "FF", "C": "FF"},
    "MWE/Idiom": {"A": "PPP", "B": "PPF", "C": "FFF"},
    "Negation/Negation": {"A": "FP", "B": "PP", "C": "PF"},
}

HOSTILE = "<script>window.hacked = 1</script></script><img src=x onerror='window.hacked = 2'> &lt; &amp;"

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 80" width="600"><text y="40">figure</text></svg>'


@cache
def report() -> str:
    return render_html(drawn(DRAWING))


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


def cell(page: Page, row: str, system: str) -> Locator:
    """A cell by what a screen reader says; of rows with the same name the first, which is the category."""
    return page.get_by_role("button", name=f"{system}, {row}: ").first


def open_category(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def labels(page: Page) -> list[str]:
    """Labels of the rows that are visible."""
    return [text.strip() for text in page.locator(".accuracy tbody th:visible").all_inner_texts()]


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
        expect(page.locator(".source")).to_have_text(["Satz structure-2.", "Satz structure-1."])

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
        expect(page.locator(".source")).to_have_text(["Satz word-4."])
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
        expect(page.locator(".source")).to_have_text(["Satz structure-1.", "Satz structure-2."])
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


CONTRASTS = """() => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((value, place) => value * a + under[place] * (1 - a));
  const ground = (element) => {
    if (!element) return [255, 255, 255];
    return over(parse(getComputedStyle(element).backgroundColor), ground(element.parentElement));
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const element of document.body.querySelectorAll("*:not(svg, svg *, script, option)")) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const words = texts.map((node) => node.data.trim()).join("");
    if (!words || !element.getClientRects().length || element.disabled) continue;
    const under = ground(element);
    const pair = [light(over(parse(getComputedStyle(element).color), under)), light(under)].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className}: ${words.slice(0, 40)}`);
  }
  return found;
}"""


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


def test_the_signature_can_be_copied(open_page: Open) -> None:
    page = open_page(report())
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#copied")).to_have_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == drawn(DRAWING).signature
