"""Challenge sets: the table with its two marks in every text format, its notes, and the items nobody gets right."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.challenge.report import render
from assay.challenge.report.items import differing, item_lines
from assay.challenge.report.table import challenge_table, curve_table, redundancy_table
from assay.errors import BadOption
from assay.reports import render_table
from assay.reports.latex import render as latex
from assay.reports.table import Table, TableCell, TableRow
from assay.result import Note
from tests.challenge.measured import FOUR, drawn_at_random, scored


def texts(table: Table, label: str) -> list[str]:
    """What is printed in a row."""
    return [cell.text for cell in next(row for row in table.rows if row.label == label).cells]


def line(text: str, label: str) -> str:
    return next(found for found in text.splitlines() if label in found)


def two_marks() -> Table:
    """A cell for every combination of shade and strong, in a table with two groups."""
    cells = [TableCell("1.0", 0.01, strong, shade) for strong in (False, True) for shade in (False, True)]
    return Table(
        "T", "row", ("n", "a", "b", "c", "d"), (TableRow("category", "r", (TableCell("5", 5), *cells), 0),), (),
        groups=("", "x", "x", "x", "y"),
    )  # fmt: skip


class TestTable:
    TABLE = challenge_table(scored(FOUR))

    def test_metrics_stand_by_group_and_accuracy(self) -> None:
        assert self.TABLE.columns == ("challenge items", "sources", "chrF", "BLEU", "COMET", "Kiwi", "mean")
        assert self.TABLE.groups == ("", "", "baseline", "baseline", "reference-based", "qe", "")

    def test_rows(self) -> None:
        # Mean of 90, 65, 100 and 60; macro of chrF (90 + 66.7)/2; 20 + 2 of 23
        assert texts(self.TABLE, "Ambiguity") == ["20", "20", "90.0", "65.0", "100.0", "60.0", "78.8"]
        assert texts(self.TABLE, "MWE") == ["3", "3†", "66.7", "33.3", "66.7", "33.3", "50.0"]
        assert texts(self.TABLE, "micro-average")[:5] == ["23", "23", "87.0", "60.9", "95.7"]
        assert texts(self.TABLE, "category macro-average")[2] == "78.3"

    def test_grey_is_the_first_cluster_of_all_and_bold_that_of_the_group(self) -> None:
        row = self.TABLE.rows[0]
        assert [cell.shade for cell in row.cells] == [False, False, True, False, True, False, False]
        assert [cell.strong for cell in row.cells] == [False, False, True, False, True, True, False]

    def test_ties_and_missing_scores_are_shares_of_the_challenge_items(self) -> None:
        # 1 of 23 for BLEU, and 1 of 23 for Kiwi; their mean over four metrics
        assert texts(self.TABLE, "ties") == ["23", "23", "0.0", "4.3", "0.0", "0.0", "1.1"]
        assert texts(self.TABLE, "no score") == ["23", "23", "0.0", "0.0", "0.0", "4.3", "1.1"]

    def test_the_row_of_missing_scores_is_there_only_if_there_are_any(self) -> None:
        table = challenge_table(scored({"A/x": {"m": "+-"}}))
        assert [row.label for row in table.rows if row.kind == "share"] == ["ties"]

    def test_a_row_from_few_items_is_flagged_however_many_challenge_items_it_has(self) -> None:
        table = challenge_table(scored({"A/x": {"m": "+" * 8}}, per_item=2))
        assert texts(table, "A")[:2] == ["8", "4†"]
        assert "†" not in texts(challenge_table(scored({"A/x": {"m": "+" * 5}})), "A")[1]

    def test_a_hint_has_counts_interval_and_clusters(self) -> None:
        chrf, bleu = self.TABLE.rows[0].cells[2:4]
        assert re.fullmatch(
            r"chrF; 18 of 20 right; 95 % interval [\d.]+ to 100\.0; first cluster of all metrics; "
            r"first cluster of baseline",
            chrf.hint,
        )
        assert "p 0.00" in bleu.hint
        assert "cluster" not in bleu.hint
        # 3 items have no interval.
        assert self.TABLE.rows[1].cells[3].hint == "BLEU; 1 of 3 right; 1 tie; first cluster of all metrics; " + (
            "first cluster of baseline"
        )

    def test_phenomena_are_indented_below_their_category(self) -> None:
        rows = challenge_table(scored(FOUR), "both").rows
        assert [(row.label, row.indent) for row in rows[:5]] == [
            ("Ambiguity", 0), ("Word", 1), ("MWE", 0), ("Idiom", 1), ("micro-average", 0),
        ]  # fmt: skip


def said(table: Table) -> str:
    return "\n".join(map(str, table.notes))


class TestNotes:
    def test_all_that_a_reader_must_know(self) -> None:
        text = said(challenge_table(scored(FOUR, lower=["BLEU"], alpha=0.01)))
        assert "Grey or ▪: first cluster of all metrics. Bold or *: first cluster of the metric's group." in text
        assert "(ztest, one-tailed, alpha 0.01)" in text
        assert "ztest, as published, takes the 23 challenge items for independent and not paired, though they" in text
        assert "strictly higher, or strictly lower where lower is better (BLEU)" in text
        assert "A tie is not right, nor is a challenge item without a score." in text
        assert "23 challenge items, each from a source of its own." in text
        assert "†: from fewer than 5 sources" in text
        assert "Signature of the set: suite:test|seed:1" in text
        assert "Signature of chrF: chrF|version:1" in text

    def test_how_hard_the_set_is(self) -> None:
        # Lock and castle are 6 edits apart, of 21 characters; stuck and jammed 6, of 19; both together 12, of 21.
        # All items are the same, so mean and quartiles are.
        (note,) = (note.text for note in challenge_table(scored(FOUR)).notes if note.text.startswith("How hard"))
        assert "to each other 0.71 [0.71, 0.71, 0.71]" in note
        assert "correct to reference 0.68 [" in note
        assert "incorrect to reference 0.43 [" in note
        assert "closer to the reference in 100.0 %" in note

    def test_tests_that_draw_items_and_corrections_are_named(self) -> None:
        text = said(challenge_table(scored(FOUR, test="bootstrap", draws=50, correction="holm")))
        assert "(bootstrap, two-tailed, alpha 0.05, holm correction)" in text
        assert "independent" not in text

    def test_nothing_is_said_that_does_not_apply(self) -> None:
        text = said(challenge_table(scored({"A/x": {"m": "+" * 5}}, signature="")))
        for words in ("†", "lower is better", "without a score", "Signature of the set"):
            assert words not in text


class TestTextFormats:
    def test_terminal_without_bold(self) -> None:
        text = str(render(scored(FOUR)))
        assert line(text, "Ambiguity").split() == [
            "Ambiguity",
            "20",
            "20",
            "▪90.0*",
            "65.0",
            "▪100.0*",
            "60.0*",
            "78.8",
        ]

    def test_terminal_with_bold_keeps_the_sign_for_grey(self) -> None:
        text = line(str(render(scored(FOUR), ansi=True)), "Ambiguity")
        assert re.search(r"\x1b\[1m *▪90\.0\x1b\[0m", text)
        assert re.search(r"\x1b\[1m *60\.0\x1b\[0m", text)
        assert "*" not in text

    def test_groups_stand_over_their_columns(self) -> None:
        head = str(render(scored(FOUR))).splitlines()[2:6]
        for group, metric in (("baseline", "chrF"), ("reference-based", "COMET"), ("qe", "Kiwi")):
            start = head[0].index(group)
            assert start <= next(found for found in head if metric in found).index(metric) <= start + 15

    @pytest.mark.parametrize("width", [60, 80, 100])
    def test_panels_fit_and_repeat_the_group(self, width: int) -> None:
        evaluation = drawn_at_random(metrics=12)
        text = str(render(evaluation, width=width))
        lines = [found for found in text.splitlines() if not found.startswith("Signature")]
        assert max(map(len, lines)) <= width
        panels = [found for found in lines if found.strip() == "challenge"]
        groups = [found for found in lines if re.match(r" +(baseline|reference-based|qe)\b", found)]
        # A panel may hold nothing but the mean.
        assert len(groups) in (len(panels), len(panels) - 1)
        assert len(panels) > 1

    def test_markdown(self) -> None:
        text = str(render(scored(FOUR), "markdown"))
        assert "| chrF (baseline) | BLEU (baseline) | COMET (reference-based) | Kiwi (qe) | mean |" in text
        assert "| Ambiguity | 20 | 20 | ▪**90.0** | 65.0 | ▪**100.0** | **60.0** | 78.8 |" in text
        assert "- Signature of chrF: `chrF|version:1`" in text

    def test_latex(self) -> None:
        text = latex(two_marks())
        assert r"r & 5 & 1.0 & \cellcolor[gray]{0.82}1.0 & \textbf{1.0} & \cellcolor[gray]{0.82}\textbf{1.0} \\" in text
        assert r" & \multicolumn{1}{c}{} & \multicolumn{3}{c}{x} & \multicolumn{1}{c}{y} \\" in text
        assert r"\cmidrule(lr){3-5}\cmidrule(lr){6-6}" in text

    def test_latex_does_not_grey_rows_where_grey_marks_cells(self) -> None:
        assert r"\rowcolor" not in str(render(scored(FOUR), "latex", by="both"))

    def test_latex_splits_tables_of_long_numbers(self) -> None:
        cells = tuple(TableCell("70.0 ± 14.1 (60.0–80.0)", 0.7) for _ in range(12))
        row = TableRow("category", "r", cells, 0)
        table = Table("T", "row", tuple(f"m{n}" for n in range(12)), (row,), (Note("Note."),))
        text = latex(replace(table, groups=("", *["baseline"] * 11)))
        parts = re.findall(r"part (\d) of (\d)", text)
        assert len(parts) == int(parts[0][1]) > 1
        assert text.count("Note.") == 1
        assert all(f"m{n}" in text for n in range(12))

    def test_parquet_is_refused_with_what_there_is(self) -> None:
        with pytest.raises(BadOption, match=r"cannot be written as parquet.*xlsx"):
            render(scored(FOUR), "parquet")

    def test_whole_formats_take_no_level(self) -> None:
        with pytest.raises(BadOption, match="leave --by out"):
            render(scored(FOUR), "html", by="category")


class TestFurtherTables:
    def test_redundancy(self) -> None:
        # a and b are wrong on 2 and 3 of 4 (a tie is wrong), both on 2; they agree on 3 of 4, chance on half.
        table = redundancy_table(scored({"A/x": {"a": "++-=", "b": "+---", "c": "-+++"}}))
        assert texts(table, "a, b") == ["2", "3", "66.7", "0.50"]
        # c is wrong on the first alone: with b it agrees on nothing, chance on 3/8.
        assert texts(table, "c, b") == ["0", "4", "0.0", "−0.60"]
        assert table.rows[0].label == "a, b"

    def test_the_least_redundant_pairs_can_be_left_out(self) -> None:
        table = redundancy_table(drawn_at_random(metrics=4), limit=2)
        assert len(table.rows) == 2
        assert table.notes[0] == Note("Shown are the 2 most redundant of 6 pairs.")

    def test_curve(self) -> None:
        # All pairs are 0.71 close; the correct one is 0.68 - 0.43 = 0.25 closer to the reference.
        table = curve_table(scored(FOUR))
        assert [row.label for row in table.rows] == [
            "0 to 0.5", "0.5 to 0.6", "0.6 to 0.7", "0.7 to 0.8", "0.8 to 0.9", "0.9 to 1",
        ]  # fmt: skip
        assert texts(table, "0.7 to 0.8") == ["23", "87.0", "60.9", "95.7", "56.5"]
        assert texts(table, "0.8 to 0.9") == ["0", "–", "–", "–", "–"]
        assert texts(curve_table(scored(FOUR), "advantage"), "0.2 to 1")[0] == "23"
        assert curve_table(scored(FOUR), "advantage").rows[0].label == "−1 to −0.2"

    def test_any_table_can_be_written_in_any_text_format(self) -> None:
        for table in (redundancy_table(scored(FOUR)), curve_table(scored(FOUR))):
            assert "chrF" in render_table(table, "csv")
            assert "chrF" in render_table(table, "latex")


words = st.text(alphabet="ab' -.", max_size=20)


class TestItems:
    def test_differing_words_are_marked_in_the_text(self) -> None:
        right, wrong = differing("Don't lock the old door.", "Don't shut the door!")
        assert [piece.text for piece in right if piece.differs] == ["lock", "old", "."]
        assert [piece.text for piece in wrong if piece.differs] == ["shut", "!"]

    @given(words, words)
    def test_pieces_make_up_the_text(self, first: str, second: str) -> None:
        for text, pieces in zip((first, second), differing(first, second), strict=True):
            assert "".join(piece.text for piece in pieces) == text

    @given(words)
    def test_the_same_text_does_not_differ(self, text: str) -> None:
        assert not any(piece.differs for side in differing(text, text) for piece in side)

    def test_lines_of_what_every_metric_gets_wrong(self) -> None:
        # Nobody gets the last of MWE/Idiom right.
        assert list(item_lines(scored(FOUR))) == [
            "MWE › Idiom",
            "  i22#22: Das Schloss klemmt, Nummer 22.",
            "    reference: The lock is stuck. (Ref)",
            "    ✓ The [lock] is jammed. (Right, B, C and 2 more)",
            "    ✗ The [castle] is jammed. (Wrong)",
        ]

    def test_the_correct_one_may_be_the_second(self) -> None:
        lines = list(item_lines(scored({"A/x": {"m": "+-"}}), marks=("<", ">")))
        assert lines[3] == "    ✓ The <lock> is jammed. (Right, B, C and 2 more)"

    def test_a_limit_says_how_many_are_left(self) -> None:
        lines = list(item_lines(scored({"A/x": {"m": "---"}, "B/y": {"m": "--"}}), limit=2))
        assert lines[-1] == "… and 3 more (--lost 0 shows all)"
        assert sum("✗" in found for found in lines) == 2
        assert "B › y" not in lines

    def test_none(self) -> None:
        assert list(item_lines(scored({"A/x": {"m": "+"}}))) == []
