"""LaTeX: what is escaped, and how a table is built. tests/latex compiles what is only read here."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.reports import render_table
from assay.reports.latex import LONG, WIDE, WIDEST, render, render_many, render_sections
from assay.reports.latex_text import escape
from assay.reports.table import PaperName, Table, TableCell, TableRow, accuracy_table
from assay.result import Note
from tests.evaluation.tables import Drawing, drawn

# Best has 18 of 20 and is alone in the first cluster of Ambiguity; MWE has three items.
BOTH: Drawing = {
    "Ambiguity/Word": {"Best": "P" * 18 + "FF", "Other": "P" * 13 + "F" * 7},
    "MWE/Idiom": {"Best": "PPP", "Other": "PFF"},
}


def plain_table(*, rows: int = 2, columns: int = 2, title: str = "A title") -> Table:
    """Rows `row 1`, `row 2` … of columns `S1`, `S2` …"""
    cells = tuple(TableCell(f"{column}.0", column / 100) for column in range(columns))
    return Table(
        title,
        "corner",
        tuple(f"S{column + 1}" for column in range(columns)),
        tuple(TableRow("category", f"row {row + 1}", cells, 0) for row in range(rows)),
        (Note("A note."),),
    )


def full_table(columns: int) -> Table:
    """The widest numbers there are in every cell."""
    table = plain_table(columns=columns)
    cells = (TableCell("100.0", 1.0),) * columns
    return replace(table, rows=tuple(replace(row, cells=cells) for row in table.rows))


def line(text: str, label: str) -> str:
    """The line of a row."""
    return next(found for found in text.splitlines() if re.match(rf"(\\rowcolor\S+ |\\hspace\S+)?{label} ", found))


class TestEscaping:
    @pytest.mark.parametrize(
        ("text", "latex"),
        [
            ("50 % of A & B", r"50 \% of A \& B"),
            ("a_b #1 $2 {x}", r"a\_b \#1 \$2 \{x\}"),
            ("C:\\new", r"C:\textbackslash{}new"),
            ("~ ^", r"\textasciitilde{} \textasciicircum{}"),
            ("x < y | z", r"x \textless{} y \textbar{} z"),
            ("1–2 — …", r"1\textendash{}2 \textemdash{} \textellipsis{}"),
            ("„so“", r"\quotedblbase{}so\textquotedblleft{}"),
            ("‘a’ “b”", r"\textquoteleft{}a\textquoteright{} \textquotedblleft{}b\textquotedblright{}"),
            ('"', r"\textquotedbl{}"),
            ("3†", r"3\textdagger{}"),
            ("de→en, p ≤ 0.05", r"de\ensuremath{\rightarrow}en, p \ensuremath{\leq} 0.05"),
        ],
    )
    def test_what_means_something_to_latex_becomes_a_command(self, text: str, latex: str) -> None:
        assert escape(text) == latex

    def test_brackets_and_stars_are_not_taken_for_options_of_the_row_before(self) -> None:
        assert escape("[1] *") == "{[}1{]} {*}"

    @pytest.mark.parametrize(("text", "latex"), [("--", "-{}-"), ("''", "'{}'"), (",,", ",{},"), ("---", "-{}-{}-")])
    def test_characters_do_not_melt_into_others(self, text: str, latex: str) -> None:
        assert escape(text) == latex

    def test_letters_of_europe_stay(self) -> None:
        assert escape("Žluťoučký kůň, größer, naïve, İstanbul, Łódź") == "Žluťoučký kůň, größer, naïve, İstanbul, Łódź"

    def test_letters_are_composed_first(self) -> None:
        assert escape("Z\u030celezo") == "Železo"

    def test_letters_with_two_accents_are_put_together(self) -> None:
        assert escape("ế") == r"\'{\^{e}}"
        assert escape("ặ") == r"\d{\u{a}}"

    def test_cyrillic_is_set_in_an_encoding_that_has_it(self) -> None:
        assert escape("на русском: да") == r"\assaycyrillic{на русском}: \assaycyrillic{да}"

    def test_unknown_characters_are_named_by_number(self) -> None:
        assert escape("中") == r"\assaychar{20013}{4E2D}"

    def test_variants_become_what_they_are_variants_of(self) -> None:
        assert escape("ﬁnal ＆") == r"final \&"

    def test_spaces_and_invisible_characters(self) -> None:
        assert escape("a\nb\u2028c\u00a0d\u200be\x00") == r"a b c\nobreakspace{}de"

    def test_half_a_surrogate_pair_is_replaced(self) -> None:
        assert escape("\ud800") == r"\assaychar{65533}{FFFD}"

    @given(st.text())
    def test_nothing_special_is_left_bare(self, text: str) -> None:
        bare = re.sub(r"\\([A-Za-z]+|.)", "", escape(text), flags=re.DOTALL)
        assert not set(bare) & set('&%$#_~^\\"<>|`\n\t')
        bare.encode("utf-8")

    @given(st.text())
    def test_braces_are_balanced(self, text: str) -> None:
        depth = 0
        for brace in re.findall(r"[{}]", re.sub(r"\\.", "", escape(text), flags=re.DOTALL)):
            depth += 1 if brace == "{" else -1
            assert depth >= 0
        assert depth == 0

    @given(st.text(alphabet="abc 019.:;/()+=@!?", max_size=20))
    def test_plain_text_stays(self, text: str) -> None:
        assert escape(text) == text


class TestTable:
    def test_first_cluster_is_bold(self) -> None:
        text = line(render(accuracy_table(drawn(BOTH))), "Ambiguity")
        assert r"\textbf{90.0}" in text
        assert "& 65.0" in text

    def test_undefined_is_a_dash(self) -> None:
        gap: Drawing = {"Ambiguity/Word": {"A": "PF", "B": "PP"}, "MWE/Idiom": {"A": "PP", "B": "??"}}
        assert r"& \textendash{}" in line(render(accuracy_table(drawn(gap, policy="own"))), "MWE")

    def test_digits_stay_in_line_beside_daggers(self) -> None:
        text = render(accuracy_table(drawn(BOTH)))
        assert r"& 3\textdagger{} &" in line(text, "MWE")
        assert r"& 20\phantom{\textdagger{}} &" in line(text, "Ambiguity")

    def test_texts_stand_left_and_long_ones_are_broken(self) -> None:
        cells = (
            TableCell("pass", strong=True),
            TableCell("A rather long translation of a sentence."),
            TableCell("1", 1),
        )
        text = render(Table("Examples", "item", ("verdict", "text", "n"), (TableRow("category", "x", cells, 0),), ()))
        columns = re.search(r"begin\{tabular\}\{(.*)\}", text)
        assert columns
        assert re.fullmatch(r">\{.*\}p\{\\assaylabel\}l>\{.*\}p\{\d+\\assaydigit\}r", columns[1])

    def test_categories_are_shaded_and_phenomena_indented_where_there_are_both(self) -> None:
        text = render(accuracy_table(drawn(BOTH), "both"))
        assert line(text, "Ambiguity").startswith(r"\rowcolor[gray]")
        assert line(text, "Word").startswith(r"\hspace*{1em}Word")

    def test_categories_alone_are_not_shaded(self) -> None:
        assert "rowcolor" not in render(accuracy_table(drawn(BOTH)))

    def test_a_rule_stands_between_groups(self) -> None:
        # Under the head, before the averages, before the bounds
        assert render(accuracy_table(drawn(BOTH))).count(r"\midrule") == 3

    def test_a_page_of_rows_floats_and_more_make_a_long_table(self) -> None:
        assert r"\begin{table}" in render(plain_table(rows=LONG))
        text = render(plain_table(rows=LONG + 1))
        assert r"\begin{table}" not in text
        assert r"\begin{longtable}" in text
        assert text.count("corner &") == 2  # once for the first page and once for all others

    def test_heads_are_turned_where_columns_are_many(self) -> None:
        assert "rotatebox" not in render(plain_table(columns=WIDE))
        assert r"\rotatebox{90}{S1}" in render(plain_table(columns=WIDE + 1))

    def test_heads_are_turned_where_names_are_long(self) -> None:
        long = replace(plain_table(), columns=("A system with a name " * 2, "Another system with a name"))
        assert "rotatebox" in render(long)

    def test_the_more_columns_the_smaller_the_type(self) -> None:
        sizes = [r"\small", r"\scriptsize", r"\fontsize{6}"]
        for columns, size in zip((5, 18, 23), sizes, strict=True):
            assert size in render(full_table(columns))

    def test_too_many_columns_are_split_and_none_is_lost(self) -> None:
        text = render(plain_table(columns=2 * WIDEST))
        assert "A title, part 1 of 3" in text
        heads = re.findall(r"rotatebox\{90\}\{(S\d+)\}", text)
        assert heads.count("S1") == 3
        assert set(heads) == {f"S{column + 1}" for column in range(2 * WIDEST)}
        assert text.count("A note.") == 1

    def test_labels_with_specials_are_escaped(self) -> None:
        table = replace(plain_table(title="50 % & more"), corner="a_b")
        assert r"\caption{50 \% \& more}" in render(table)
        assert r"a\_b &" in render(table)


class TestNotes:
    def test_every_note_is_under_the_table(self) -> None:
        table = accuracy_table(drawn(BOTH))
        below = render(table).split(r"\end{tabular}")[1]
        assert below.count(r"\par") == len(table.notes) + 1
        assert "fewer than 20 items" in below

    def test_a_paper_may_have_other_words_or_none(self) -> None:
        notes = (Note("Bold or *: best.", paper="Bold: best."), Note("Run assay warnings.", paper=""), Note("Plain."))
        below = render(replace(plain_table(), notes=notes)).split(r"\end{tabular}")[1]
        assert re.findall(r"(.*)\\par$", below, re.M) == ["Bold: best.", "Plain."]
        assert r"\footnotesize" not in render(replace(plain_table(), notes=notes[1:2])).split(r"\end{tabular}")[1]

    def test_the_signature_may_break_after_its_marks(self) -> None:
        text = render(replace(plain_table(), notes=(Note.signature("assay:1|suite:x"),)))
        assert r"Signature: \texttt{assay:\allowbreak 1\textbar{}\allowbreak suite:\allowbreak x}" in text


class TestDocuments:
    def test_a_piece_names_the_packages_it_needs(self) -> None:
        text = render(plain_table())
        assert text.startswith("% Needs")
        for package in ("array", "booktabs", "colortbl", "graphicx", "longtable"):
            assert package in text.split(r"\begin")[0]
        assert r"\documentclass" not in text

    def test_a_document_is_complete(self) -> None:
        text = render(plain_table(), document=True)
        assert text.startswith(r"\documentclass")
        assert text.endswith("\\end{document}\n")

    def test_cyrillic_fonts_are_asked_for_only_where_they_are_needed(self) -> None:
        assert "T2A" not in render(plain_table(), document=True)
        assert "T2A" in render(plain_table(title="Перевод"), document=True)
        assert "T2A" in render(plain_table(title="Перевод"))

    def test_a_label_is_one_that_latex_can_read(self) -> None:
        assert r"\label{tab:de-en}" in render(plain_table(), label="tab:de-en")
        assert r"\label{a-b-}" in render(plain_table(), label="a b%")
        assert r"\label" not in render(plain_table())

    def test_in_a_paper_a_table_has_the_name_that_it_has_there(self) -> None:
        suite = replace(drawn(BOTH).suite, langpair="de-en", version="1.2")
        named = replace(plain_table(), paper=PaperName.of("categories", "Accuracy", suite, ["WMT 21"]))
        text = render(named)
        place = r"WMT 21 German\textendash{}English, test suite"
        assert rf"\caption{{Accuracy: {place} {suite.name} 1.2}}\label{{tab:assay-wmt-21-de-en-categories}}" in text
        assert r"\label{tab:mine}" in render(named, label="tab:mine")
        assert "WMT" not in render_table(named, "markdown")

    def test_sections_begin_a_page(self) -> None:
        tables = {"A & B": [plain_table(title="First")], "C": [plain_table(rows=LONG + 1, title="Second")]}
        text = render_sections(tables, "All")
        order = [r"\section*{All}", r"\subsection*{A \& B}", r"\caption{First}", r"\clearpage", r"\subsection*{C}"]
        assert [text.index(piece) for piece in order] == sorted(text.index(piece) for piece in order)
        assert text.count(r"\clearpage") == 1

    def test_several_tables_keep_their_order(self) -> None:
        text = render_many([plain_table(title=name) for name in ("First", "Second")], "All & more")
        assert r"\section*{All \& more}" in text
        assert text.index(r"\caption{First}") < text.index(r"\caption{Second}")
        assert text.count(r"\begin{document}") == 1

    def test_a_long_table_does_not_overtake_those_before_it(self) -> None:
        text = render_many([plain_table(), plain_table(rows=LONG + 1)], "")
        assert text.index(r"\begin{table}") < text.index(r"\clearpage") < text.index(r"\begin{longtable}")
