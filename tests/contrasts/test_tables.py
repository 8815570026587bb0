"""Good, bad and unknown as tables, data and figures."""

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from statsmodels.stats.proportion import proportion_confint

from assay.contrasts.annotations import AnnotationEffort
from assay.contrasts.contrast_run import OUT_OF_ORDER, ContrastRun, count_run
from assay.contrasts.counts import GoodShare, contrast_rows, mean_rows, means, out_of_order, share
from assay.contrasts.figures import contrast_figures
from assay.contrasts.records import Contrast, Contrasts
from assay.contrasts.report import render
from assay.contrasts.tables import contrast_tables, outcome_table, share_table
from assay.errors import BadOption
from assay.evaluation import Evaluation, evaluate
from assay.outputs import Collector, System
from assay.reports.formats import names
from assay.suites import Item, Rule, Suite
from assay.verdicts import Evidence, Finding, Verdict

GOOD = Finding(Verdict.PASS, "", (Evidence(Rule("pass", "class", "finite"), 0, 1),))
BAD = Finding(Verdict.FAIL, "", (Evidence(Rule("fail", "class", "nominal"), 0, 1),))
FINDINGS = {
    "+": GOOD,
    "-": BAD,
    "l": Finding(Verdict.WARNING, "no_link"),
    "f": Finding(Verdict.WARNING, "function_word"),
    "c": Finding(Verdict.WARNING, "no_class"),
    ".": Finding(Verdict.WARNING, "missing"),
}

# A has 30 good, 10 bad and 10 unknown of 50 in the first contrast, B 24, 16 and 10; the second contrast is small.
SIGNS = {
    "gerund-finite": {"A": "+" * 30 + "-" * 10 + "l" * 6 + "f" * 3 + "c", "B": "+" * 24 + "-" * 16 + "l" * 9 + "."},
    "gerund-nonfinite": {"A": "+---", "B": "+++l"},
    "control": {"A": "+" * 20 + "-" * 20, "B": "+" * 30 + "-" * 10},
}


def run(policy: Any = "own", signs: dict[str, dict[str, str]] = SIGNS) -> ContrastRun:
    """A run whose verdicts are drawn as signs."""
    items: list[Item] = []
    drawn: list[tuple[str, ...]] = []
    for contrast, by_system in signs.items():
        for number, pair in enumerate(zip(*by_system.values(), strict=True)):
            category = "Infinitive" if contrast == "control" else "Gerund"
            items.append(Item(f"{len(items) + 1}:{number + 1}", category, contrast, f"Sentence {len(items)}."))
            drawn.append(pair)
    taxonomy: dict[str, dict[str, str]] = {}
    for item in items:
        taxonomy.setdefault(item.category, {})[item.phenomenon] = ""
    suite = Suite("tiny", "en-cs", tuple(items), taxonomy, version="1/source/abc")
    collector = Collector(suite)
    for column, name in enumerate(next(iter(signs.values()))):
        texts = [f"{name} {place} {pair[column]}" for place, pair in enumerate(drawn)]
        collector.add(System(name), positions=range(len(items)), texts=texts)
    outputs = collector.outputs()
    findings = [FINDINGS[text[-1]] for text in outputs.texts]
    contrasts = Contrasts("tiny", "en-cs", {}, (), {name: Contrast(name, "gerund", ("finite",), ()) for name in signs})
    evaluation = evaluate(suite, outputs, findings=findings, policy=policy)
    effort = AnnotationEffort(200, 94, 2, 200, 200, 180, 0, 180, 180)
    tools = {"source parser": "udpipe|model:en", "target parser": "conllu|files:cs", "aligner": "eflomal|priors:none"}
    return count_run({"all": evaluation}, contrasts, expectation="source", tools=tools, effort=effort)


def mean_of(evaluation: Evaluation) -> list[float | None]:
    return means(mean_rows(contrast_rows(evaluation)).used, len(evaluation.systems))


def said(found: ContrastRun) -> str:
    return "\n".join(map(str, found.notes()))


def numbers(found: ContrastRun, table: Any, label: str) -> list[str]:
    """The cells of system A under a contrast."""
    rows = list(table.rows)
    start = [row.label for row in rows].index(label)
    return [cell.text for cell in next(row for row in rows[start:] if row.label.strip() == "A").cells]


class TestCounts:
    def test_both_shares_have_intervals(self) -> None:
        cell = next(cell for cell in contrast_rows(run().evaluation)[0].cells if cell.system.name == "A")
        assert (cell.good, cell.bad, cell.unknown, cell.total) == (30, 10, 10, 50)
        assert dict(cell.reasons) == {"no_link": 6, "function_word": 3, "no_class": 1, "missing": 0}
        for found, of in ((cell.own, 40), (cell.strict, 50)):
            assert found.value == 30 / of
            assert (found.low, found.high) == pytest.approx(proportion_confint(30, of, method="wilson"))

    def test_nothing_decided_is_undefined(self) -> None:
        assert share(0, 0) == GoodShare(0, 0, None, None, None)

    def test_small_contrasts_rank_nobody(self) -> None:
        rows = {row.phenomenon: row for row in contrast_rows(run().evaluation)}
        assert rows["gerund-finite"].ranks
        assert not rows["gerund-nonfinite"].ranks
        # A: (30/40 + 20/40) / 2, B: (24/40 + 30/40) / 2; the small contrast is left out.
        evaluation = run().evaluation
        found = {system.name: mean for system, mean in zip(evaluation.systems, mean_of(evaluation), strict=True)}
        assert found == pytest.approx({"A": 0.625, "B": 0.675})

    def test_a_mean_is_over_contrasts_that_every_system_has(self) -> None:
        # None is large; B has nothing decided in the second: the mean of A is 3/4, not (3/4 + 0)/2.
        signs = {"gerund-finite": {"A": "+++-", "B": "++--"}, "control": {"A": "--", "B": "ll"}}
        found = run(signs=signs)
        assert dict(zip(found.labels, sorted(filter(None, mean_of(found.evaluation)), reverse=True), strict=True)) == {
            "A": 0.75,
            "B": 0.5,
        }
        rows = found.averaged
        assert [row.phenomenon for row in rows.used] == ["gerund-finite"]
        assert [row.phenomenon for row in rows.dropped] == ["control"]
        assert "over gerund-finite (too small to rank anybody): A 75.0, B 50.0." in said(found)
        assert "some system has no decided keyword there: control." in said(found)

    def test_without_such_a_contrast_there_is_no_mean(self) -> None:
        found = run(signs={"gerund-finite": {"A": "+l", "B": "ll"}})
        assert mean_of(found.evaluation) == [None, None]
        assert "Systems are sorted by name" in said(found)

    def test_out_of_order_is_higher_than_the_line_above(self) -> None:
        assert list(out_of_order([0.9, 0.5, 0.6, None, 0.55, 0.56])) == [False, False, True, False, False, True]


class TestTables:
    def test_per_cent_of_all_keywords(self) -> None:
        found = run()
        assert numbers(found, outcome_table(found), "gerund-finite") == ["50", "20.0", f"60.0{OUT_OF_ORDER}", "20.0"]

    def test_shares_with_sizes_and_intervals(self) -> None:
        found = run()
        low, high = (f"{100 * end:.1f}" for end in proportion_confint(30, 40, method="wilson"))
        shown = numbers(found, share_table(found), "gerund-finite")
        assert shown[:3] == ["40", f"75.0{OUT_OF_ORDER}", f"{low}–{high}"]

    def test_systems_are_sorted_by_their_mean(self) -> None:
        found = run()
        assert found.labels == ["B", "A"]
        assert "B 67.5, A 62.5" in said(found)

    def test_a_small_contrast_marks_nothing(self) -> None:
        rows = share_table(run()).rows
        start = [row.label for row in rows].index("gerund-nonfinite†")
        cells = [cell for row in rows[start : start + 3] for cell in row.cells]
        assert not any(cell.strong or OUT_OF_ORDER in cell.text for cell in cells)

    def test_subsets_stand_side_by_side(self) -> None:
        found = run()
        refined = run(signs={"control": {"A": "+-", "B": "++"}})
        both = count_run(
            {"refined": refined.evaluation, "all": found.evaluation},
            found.contrasts,
            expectation="source",
            tools=found.tools,
            effort=found.effort,
            absent={"refined": 3},
        )
        table = outcome_table(both)
        assert table.groups == ("refined",) * 4 + ("all",) * 4
        assert numbers(both, table, "control")[:4] == ["2", "50.0", "50.0", "0.0"]
        # The refined set has none of these.
        assert numbers(both, table, "gerund-finite")[:4] == ["–"] * 4
        assert "3 of the subset refined are not tested here" in said(both)

    def test_fair_has_a_column_of_its_own(self) -> None:
        table = share_table(run("fair"))
        assert "common" in table.columns
        # Decided by both: the first 40 of gerund-finite.
        assert numbers(run("fair"), table, "gerund-finite")[5] == "40"

    def test_the_signature_names_the_tools(self) -> None:
        assert run().signature.endswith(
            "|source-parser:udpipe,model:en|target-parser:conllu,files:cs|aligner:eflomal,priors:none"
        )

    def test_the_page_has_the_whole_signature_and_says_which_contrasts_are_small(self) -> None:
        page = str(render(run(), "html"))
        top = page.partition('<code id="signature">')[2].partition("</code>")[0]
        assert top == run().signature
        assert "fewer than 30 decided keywords in gerund-nonfinite: bold ranks nobody there" in page

    def test_a_small_pool_of_eflomal_is_named(self) -> None:
        found = run()
        assert found.effort.pairs_distinct == 180
        tools = dict(found.tools) | {"aligner": "eflomal|words:forms|priors:none|links:intersection"}
        small = replace(found, tools=tools)
        assert "eflomal learnt from 180 pairs only" in said(small)
        assert "eflomal:priors=FILE" in said(small)
        large = replace(small, effort=replace(small.effort, pairs_distinct=2000))
        assert "eflomal learnt from" not in said(large)
        taught = replace(small, tools=tools | {"aligner": "eflomal|priors:en-cs[0123456789ab]"})
        assert "eflomal learnt from" not in said(taught)

    def test_notes_stand_once(self) -> None:
        assert [bool(table.notes) for table in contrast_tables(run())] == [False, False, True]


class TestFormats:
    @pytest.mark.parametrize("format", names("contrasts"))
    def test_every_format_is_written(self, format: Any) -> None:
        assert len(render(run(), format)) > 500

    def test_data_hold_all_counts(self) -> None:
        document = json.loads(render(run(), "json"))
        assert document == json.loads(json.dumps(run().to_dict()))
        (subset,) = document["subsets"]
        row = next(row for row in subset["rows"] if row["phenomenon"] == "gerund-finite")
        cell = next(cell for cell in row["cells"] if cell["system"] == "A")
        assert (cell["good"], cell["own"]["total"], cell["strict"]["total"]) == (30, 40, 50)
        assert document["effort"]["share_needed"] == 0.47

    def test_a_line_per_row_and_system(self) -> None:
        lines = list(csv.DictReader(io.StringIO(str(render(run(), "csv", by="phenomenon")))))
        assert len(lines) == 2 * 4  # three contrasts and all of them
        assert {line["ranks"] for line in lines if line["contrast"] == "gerund-nonfinite"} == {"false"}

    def test_what_cannot_be_written_is_refused(self) -> None:
        with pytest.raises(BadOption, match="parquet"):
            render(run(), "parquet")
        with pytest.raises(BadOption, match="leave --by out"):
            render(run(), "html", by="both")

    def test_figures_have_every_cell(self) -> None:
        by_contrast, by_system = contrast_figures(run())
        values = [value for panel in by_contrast.spec["hconcat"] for value in panel["data"]["values"]]
        assert len(values) == 6
        assert {value["size"] for value in values if value["contrast"] == "gerund-nonfinite"} == {"too few to rank"}
        assert len(by_system.spec["vconcat"][0]["hconcat"]) == 2
