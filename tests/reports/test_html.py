"""The HTML report as a file: self-contained, escaped, and every number in it that of the evaluation."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from assay.evaluation import Evaluation, Policy, evaluate
from assay.outputs import Collector, System, load_outputs
from assay.reports.html import render_html
from assay.reports.table import Table, TableCell, TableRow, accuracy_table
from assay.result import Note
from assay.suites import Item, Rule, Suite, load_suite, taxonomy_of
from assay.text import normalise
from tests.evaluation.tables import Drawing, drawn

# Word has fewer than 5 items, one warning each of B and C, and a missing output; Idiom counts for nobody under `fair`.
DRAWING: Drawing = {
    "Ambiguity/Word": {"A": "PPF", "B": "PF?", "C": "FP-"},
    "Ambiguity/Structure": {"A": "PPPPPPFF", "B": "PPPPPPPP", "C": "FFFFFFPP"},
    "MWE/Idiom": {"A": "P", "B": "!", "C": "F"},
}

HOSTILE = "</script><script>alert(1)</script><!-- &lt; <img src=x onerror=alert(2)> \" ' \u2028 &amp;"


class Page(HTMLParser):
    """What a browser would find: elements with their attributes, rows of tables, text of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.rows: list[list[str]] = []
        self.words: list[str] = []
        self._inside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append("")
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = "" if tag in ("script", "style") else self._inside
        if tag in ("table", "tr"):
            self.rows.append([])

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.words.append(data)
            if self.rows and self.rows[-1]:
                self.rows[-1][-1] += data

    @property
    def data(self) -> Any:
        return json.loads(self.scripts[0])

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())

    def tags(self, name: str) -> Iterator[dict[str, str | None]]:
        return (attributes for tag, attributes in self.elements if tag == name)

    def row(self, label: str) -> list[str]:
        return next(row[1:] for row in self.rows if row and row[0].strip() == label)


def hostile() -> Evaluation:
    """Everything that a user can name or write is an attack."""
    rules = (Rule("pass", "contains", "alert(1)"), Rule("fail", "regex", r"<b>|\bwrong\b"))
    items = (
        Item(f"id{HOSTILE}", HOSTILE, f"p{HOSTILE}", HOSTILE, rules, tests=HOSTILE),
        Item("arabic", HOSTILE, f"p{HOSTILE}", "Der Schlüssel steckt.", (Rule("pass", "contains", "مفتاح"),)),
    )
    suite = Suite(
        HOSTILE, "de-ar", items, taxonomy_of(items), version=HOSTILE, licence=HOSTILE, canary=f"canary {HOSTILE}"
    )
    collector = Collector(suite)
    collector.add(System(HOSTILE), positions=[0, 1], texts=[HOSTILE, "المفتاح في القفل."])
    collector.add(System("half \ud83d"), positions=[0, 1], texts=["half a pair \ud83d", "wrong"])
    return evaluate(suite, collector.outputs())


def plain_extra(title: str = "Extra") -> Table:
    cells = (TableCell("1.0", 1.0, True), TableCell("<2>", 2.0))
    rows = (TableRow("category", "one", cells, 0), TableRow("phenomenon", "two", cells, 1, indent=1))
    return Table(title, "corner", ("a", HOSTILE), rows, (Note(HOSTILE), Note.signature("of the extra")))


class TestSelfContained:
    @pytest.fixture
    def page(self) -> str:
        svg = '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'
        return render_html(drawn(DRAWING), figures={"Rows": svg}, extras=[plain_extra()])

    def test_nothing_is_loaded_from_elsewhere(self, page: str) -> None:
        for _, attributes in Page(page).elements:
            for name in ("src", "href", "xlink:href", "action", "data", "poster", "srcset"):
                target = attributes.get(name)
                assert target is None or target.startswith("#"), f"{name}={target}"
        assert not re.search(r"@import|url\((?!#)", page)
        assert not list(Page(page).tags("link"))

    def test_addresses_are_names_of_namespaces_only(self, page: str) -> None:
        assert set(re.findall(r"\w+://[^\s\"'<>]+", page)) == {"http://www.w3.org/2000/svg"}

    def test_the_browser_is_told_to_fetch_nothing_and_to_run_only_the_page_s_own_script(self, page: str) -> None:
        metas = {attributes.get("http-equiv"): attributes.get("content") for attributes in Page(page).tags("meta")}
        digest = b64encode(sha256(Page(page).scripts[1].encode()).digest()).decode()
        policy = metas["Content-Security-Policy"]
        assert policy is not None
        assert policy.startswith("default-src 'none';")
        assert policy.endswith(f"script-src 'sha256-{digest}'")

    def test_the_same_evaluation_makes_the_same_file(self, page: str) -> None:
        assert render_html(drawn(DRAWING)) == render_html(drawn(DRAWING))

    def test_wmt21_stays_small(self, data: Path) -> None:
        suite = load_suite(str(data / "dfki" / "items.de-en.json"))
        files = sorted(map(str, (data / "wmt21" / "system-outputs").glob("newstest2021.de-en.hyp.*.en")))
        source = str(data / "wmt21" / "sources" / "newstest2021.de-en.src.de")
        evaluation = evaluate(suite, load_outputs(suite, files, source=source))
        page = render_html(evaluation)
        assert len(page.encode()) < 4_000_000
        found = Page(page).data
        assert len(found["items"]) == len(evaluation.table.items)
        assert verdicts_in(found) == verdicts_of(evaluation)


class TestHostileTexts:
    @pytest.fixture
    def page(self) -> str:
        return render_html(hostile(), figures={HOSTILE: "<svg></svg>"}, extras=[plain_extra(HOSTILE)])

    def test_there_are_only_the_page_s_own_scripts_and_no_attack_is_an_element(self, page: str) -> None:
        found = Page(page)
        assert [attributes.get("type") for attributes in found.tags("script")] == ["application/json", None]
        assert not list(found.tags("img"))
        assert not any(name.startswith("on") for _, attributes in found.elements for name in attributes)

    def test_the_data_has_no_less_than_sign(self, page: str) -> None:
        assert "<" not in Page(page).scripts[0]

    def test_attacks_are_there_as_text(self, page: str) -> None:
        found = Page(page)
        shown = " ".join(HOSTILE.split())
        assert found.data["items"][0]["source"] == HOSTILE
        assert found.data["items"][0]["texts"][0][0] == normalise(HOSTILE)
        for label in (shown, f"p{shown}", f"canary {shown}", f"Licence of the suite: {shown}"):
            assert label in found.text

    def test_arabic_is_not_escaped_away(self, page: str) -> None:
        assert "المفتاح في القفل." in page
        assert Page(page).data["languages"] == ["de", "ar"]

    def test_half_a_surrogate_pair_does_not_stop_the_file_from_being_written(self, page: str) -> None:
        assert page.encode("utf-8")
        assert "half a pair ?" in page


def verdicts_in(data: Any) -> list[tuple[str, str, str, str, str]]:
    """Item, system, text, verdict and reason, read back from the page."""
    return sorted(
        (item["id"], data["systems"][system], *item["texts"][text][:3])
        for item in data["items"]
        for system, text in enumerate(item["systems"])
    )


def verdicts_of(evaluation: Evaluation) -> list[tuple[str, str, str, str, str]]:
    return sorted(
        (judged.item.id, judged.system.name, normalise(judged.text), str(judged.finding.verdict), judged.finding.reason)
        for judged in evaluation.table
    )


@pytest.mark.parametrize("policy", ["fair", "own", "strict"])
class TestNumbers:
    def test_the_table_shows_the_table_model(self, policy: Policy) -> None:
        evaluation = drawn(DRAWING, policy=policy)
        table = accuracy_table(evaluation, "both")
        found = Page(render_html(evaluation))
        heads, *rows = [row for row in found.rows if row][: len(table.rows) + 1]
        shares = [f" {cell.text} per cent warnings" for cell in table.rows[-1].cells[1:-1]]
        names = [table.corner, *table.columns]
        assert [head.strip() for head in heads] == [
            name + share for name, share in zip(names, ["", "", *shares, ""], strict=True)
        ]
        assert rows == [[row.label.strip(), *(cell.text for cell in row.cells)] for row in table.rows]

    def test_bold_is_the_first_cluster(self, policy: Policy) -> None:
        evaluation = drawn(DRAWING, policy=policy)
        cells = [attributes for attributes in Page(render_html(evaluation)).tags("td") if "data-column" in attributes]
        strong = ["strong" in (attributes["class"] or "").split() for attributes in cells]
        expected = [cell.strong for row in accuracy_table(evaluation, "both").rows for cell in row.cells[1:-1]]
        assert strong == expected

    def test_rows_of_the_data_are_those_of_the_evaluation(self, policy: Policy) -> None:
        evaluation = drawn(DRAWING, policy=policy)
        found = Page(render_html(evaluation)).data
        rows = evaluation.rows("both")
        assert [(row["level"], row["category"], row["phenomenon"]) for row in found["rows"]] == [
            (row.level, row.category, row.phenomenon) for row in rows
        ]
        for shown, row in zip(found["rows"], rows, strict=True):
            for numbers, cell in zip(shown["cells"], row.cells, strict=True):
                assert numbers == [pytest.approx(value, abs=1e-6) if value else value for value in cell.numbers]

    def test_verdicts_of_the_data_are_those_of_the_verdict_table(self, policy: Policy) -> None:
        evaluation = drawn(DRAWING, policy=policy)
        assert verdicts_in(Page(render_html(evaluation)).data) == verdicts_of(evaluation)

    def test_the_items_that_count_add_up_to_the_totals(self, policy: Policy) -> None:
        evaluation = drawn(DRAWING, policy=policy)
        found = Page(render_html(evaluation)).data
        micro = evaluation.averages()[0]
        for system, cell in enumerate(micro.cells):
            counting = [
                item
                for item in found["items"]
                if (item["counts"][system] if isinstance(item["counts"], list) else item["counts"])
            ]
            right = [item for item in counting if item["texts"][item["systems"][system]][1] == "pass"]
            assert (len(right), len(counting)) == (cell.correct, cell.total)


class TestEvidence:
    @pytest.fixture
    def items(self) -> dict[str, Any]:
        rules = (
            Rule("fail", "exact", "She sat on the bank."),
            Rule("pass", "exact", "Settled.", by="Ada", on="2024-05-01"),
            Rule("pass", "regex", r"\bBENCH\b", flags="i"),
            Rule("fail", "contains", "bank"),
            Rule("fail", "exact", "never written"),
            Rule("pass", "regex", " "),
        )
        items = (Item("bank", "Ambiguity", "Word", "Sie saß auf der Bank.", rules, tests="a seat"),)
        suite = Suite("s", "de-en", items, taxonomy_of(items))
        collector = Collector(suite)
        for name, text in {
            "A": "She sat on the 😀 bench.",
            "B": "She  sat on the 😀 bench. ",
            "C": "She sat on the bank.",
            "D": "a bench at the bank",
            "E": "Settled.",
        }.items():
            collector.add(System(name), positions=[0], texts=[text])
        data = Page(render_html(evaluate(suite, collector.outputs(), keep_all=True))).data
        (item,) = data["items"]
        return {
            "item": item,
            **{name: item["texts"][place] for name, place in zip(data["systems"], item["systems"], strict=True)},
        }

    def test_texts_that_differ_in_white_space_only_are_one(self, items: dict[str, Any]) -> None:
        assert items["A"] is items["B"]
        assert len(items["item"]["texts"]) == 4

    def test_spans_are_code_points_of_the_text_shown(self, items: dict[str, Any]) -> None:
        text, verdict, reason, ((rule, start, end),) = items["A"]
        assert (verdict, reason, text[start:end]) == ("pass", "", "bench")
        assert items["item"]["rules"][rule] == ["pass", "regex", "i", r"\bBENCH\b"]

    def test_a_contradiction_has_both_rules(self, items: dict[str, Any]) -> None:
        text, verdict, reason, evidence = items["D"]
        assert (verdict, reason) == ("warning", "contradiction")
        assert [text[start:end] for _, start, end in evidence] == ["bench", "bank"]

    def test_exact_rules_are_named_without_their_text_and_judgements_without_their_author(
        self, items: dict[str, Any]
    ) -> None:
        rules = items["item"]["rules"]
        assert rules[items["C"][3][0][0]] == ["fail", "exact", "", ""]
        assert rules[items["E"][3][0][0]] == ["pass", "exact", "", "judgement"]
        assert "Ada" not in json.dumps(items["item"])

    def test_exact_rules_that_matched_nothing_are_left_out(self, items: dict[str, Any]) -> None:
        assert len(items["item"]["rules"]) == 4


class TestParts:
    def test_the_heading_has_name_language_pair_and_version(self) -> None:
        items = (Item("a", "C", "P", "Eins.", (Rule("pass", "contains", "One"),)),)
        suite = Suite("garden", "de-en", items, taxonomy_of(items), version="1.2")
        collector = Collector(suite)
        collector.add(System("A"), positions=[0], texts=["One."])
        text = Page(render_html(evaluate(suite, collector.outputs()))).text
        assert text.startswith("garden de-en 1.2 garden de-en · version 1.2 · 1 system · 1 of 1 item count")

    def test_all_notes_and_the_signature_are_shown_once(self) -> None:
        evaluation = drawn(DRAWING)
        found = Page(render_html(evaluation))
        for note in accuracy_table(evaluation, "both").notes:
            assert found.text.count(note.text) == 1

    def test_undefined_is_a_dash_and_small_rows_have_a_dagger(self) -> None:
        found = Page(render_html(drawn(DRAWING)))
        assert found.row("Idiom") == ["0", "–", "–", "–", "–"]
        assert found.row("Word")[0] == "2†"

    def test_systems_with_their_counts(self) -> None:
        found = Page(render_html(drawn(DRAWING)))
        # 12 items; C left word-3 empty, on which B has a warning too; B alone costs idiom-1.
        assert found.row("B") == ["12", "0", "9", "1", "2", "16.7", "1"]
        assert found.row("C") == ["12", "1", "3", "8", "1", "8.3", "0"]

    def test_systems_left_out_with_their_reason(self) -> None:
        # 41 items: 1 distinct text is less than 5 % of them.
        evaluation = drawn({"C/P": {"A": "P" * 41, "Silent": "-" * 41}})
        assert Page(render_html(evaluation)).row("Silent") == [f"left out: {evaluation.excluded[0].reason}"]

    def test_figures_are_inlined_with_ids_of_their_own(self) -> None:
        svg = '<?xml version="1.0"?>\n<svg><defs><clipPath id="clip0"/></defs><g clip-path="url(#clip0)"/></svg>'
        page = render_html(drawn(DRAWING), figures={"One & two": svg, "Three": svg})
        assert "<?xml" not in page
        assert "<figcaption>One &amp; two</figcaption><svg>" in page
        for number in (0, 1):
            assert page.count(f'id="figure-{number}-clip0"') == page.count(f"url(#figure-{number}-clip0)") == 1

    def test_without_figures_there_is_no_empty_section(self) -> None:
        assert "figures-title" not in render_html(drawn(DRAWING))

    def test_extras_are_plain_tables_with_their_notes(self) -> None:
        page = render_html(drawn(DRAWING), extras=[plain_extra("More & more")])
        found = Page(page)
        assert "<h2>More &amp; more</h2>" in page
        assert found.row("one") == ["1.0", "<2>"]
        assert '<td class="strong">1.0</td><td>&lt;2&gt;</td>' in page
        assert "Signature: of the extra" in found.text

    def test_table_semantics(self) -> None:
        found = Page(render_html(drawn(DRAWING)))
        assert {attributes.get("scope") for attributes in found.tags("th")} == {"col", "row", "rowgroup"}
        ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        labels = [attributes.get("aria-label") for attributes in found.tags("button")]
        assert "B, Structure: 100.0, first cluster" in labels
        assert "B, Idiom: undefined" in labels

    def test_long_names_may_break_in_the_head(self) -> None:
        evaluation = drawn(
            {"C/P": {"a_very-long/name.of_a_system": "PF", "Donaudampfschifffahrt": "PP", "JDExploreAcademy": "PP"}}
        )
        page = render_html(evaluation)
        assert "a_<wbr>very-<wbr>long/<wbr>name.<wbr>of_<wbr>a_<wbr>system" in page
        assert "Donaudampfschi<wbr>fffahrt" in page
        assert "JDExplore<wbr>Academy" in page
