"""The HTML report that browser tests open, ways to find things on it, and what every page is tried with.

page = open_page(report())
cell(page, "MWE", "B").click()
"""

from functools import cache

from playwright.sync_api import Locator, Page

from assay.reports.html import render_html
from tests.evaluation.tables import Drawing, drawn

# 10 of 12 items count: word-4 is a warning of B, word-5 of C. A has 8 of them right, B 6, C 2.
DRAWING: Drawing = {
    "Ambiguity/Word": {"A": "PPPPP", "B": "PPF?F", "C": "FFPP-"},
    "Ambiguity/Structure": {"A": "PF", "B": "FF", "C": "FF"},
    "MWE/Idiom": {"A": "PPP", "B": "PPF", "C": "FFF"},
    "Negation/Negation": {"A": "FP", "B": "PP", "C": "PF"},
}

HOSTILE = "<script>window.hacked = 1</script></script><img src=x onerror='window.hacked = 2'> &lt; &amp;"


@cache
def report() -> str:
    return render_html(drawn(DRAWING))


def cell(page: Page, row: str, system: str) -> Locator:
    """A cell by what a screen reader says; of rows with the same name the first, which is the category."""
    return page.get_by_role("button", name=f"{system}, {row}: ").first


def labels(page: Page) -> list[str]:
    """Labels of the rows that are visible."""
    return [text.strip() for text in page.locator(".accuracy tbody th:visible").all_inner_texts()]


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
