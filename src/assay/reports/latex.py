r"""A table as LaTeX: booktabs, bold first clusters, longtable where a page is not enough.

    render(table)                  a piece for \input; a comment at its top names the packages it needs
    render(table, document=True)   a document for pdflatex, lualatex or xelatex
    render_many(tables, title)     an appendix: one document with several tables
    render_sections(parts, title)  the same in sections, heading -> tables

The column of labels takes what the numbers leave of \linewidth, so the same piece also fits a landscape page.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.reports.latex_text import escape
from assay.reports.table import Table, TableCell, TableRow
from assay.result import Note

__all__ = ["LONG", "WIDE", "WIDEST", "escape", "render", "render_many", "render_sections"]

LONG = 45
"""Tables with more rows do not fit a page."""

WIDE = 8
"""Tables with more columns have their heads turned."""

WIDEST = 24
"""Tables with more columns are split, the first column standing in every part."""


@dataclass(frozen=True, slots=True)
class _Size:
    """Type for a table: commands, points of a bold digit, points to either side of a column."""

    commands: str
    digit: float
    gap: float


# Sans serif for the small ones: Computer Modern Roman grows wider, relative to its height, the smaller it is.
_SIZES = (
    _Size(r"\small", 5.3, 4),
    _Size(r"\footnotesize", 4.8, 3),
    _Size(r"\scriptsize\sffamily", 3.9, 2),
    _Size(r"\fontsize{6}{7.2}\selectfont\sffamily", 3.4, 1.3),
)
_TEXT_WIDTH, _COLUMN_WIDTH = 455, 219
"""Points of 16 cm and 7.7 cm, what papers leave between the margins of A4 for text in one column and in two."""

_WRAPPED = 32
"""Texts with more characters are broken into lines."""

_LONG_NUMBER = 10
"""Digits of a column, on average, that make a table of long numbers."""

_MARKS = ("†", "▲", "▼")
"""What may stand after a number."""


def render(table: Table, *, document: bool = False, label: str = "") -> str:
    r"""One table; `label` is for \ref, where the table has none of its own."""
    body = "\n".join(_tables(table, label))
    return _document([body]) if document else f"{_requirements(body)}{_macros(body)}{body}"


def render_many(tables: Sequence[Table], title: str) -> str:
    """A document with several tables, in their order."""
    return _document(["\n".join(_tables(table)) for table in tables], title)


def render_sections(parts: Mapping[str, Sequence[Table]], title: str) -> str:
    """The same in sections, each of which begins a page."""
    bodies: list[str] = []
    for heading, tables in parts.items():
        # Floats of the section before must not drift into this one.
        head = (r"\clearpage" + "\n" if bodies else "") + rf"\subsection*{{{escape(heading)}}}" + "\n"
        bodies += [(head if number == 0 else "") + "\n".join(_tables(table)) for number, table in enumerate(tables)]
    return _document(bodies, title)


# Documents


def _document(bodies: Sequence[str], title: str = "") -> str:
    text = "\n".join(bodies)
    cyrillic = r"\assaycyrillic" in text
    head = [
        r"\documentclass[10pt,a4paper]{article}",
        r"\usepackage{iftex}",
        r"\iftutex",
        r"  \usepackage{fontspec}",
        # The same with Cyrillic and Greek letters
        r"  \IfFontExistsTF{CMU Serif}{\setmainfont{CMU Serif}\setsansfont{CMU Sans Serif}}{}",
        r"\else",
        rf"  \usepackage[{'T2A,' if cyrillic else ''}T1]{{fontenc}}",
        r"  \usepackage{textcomp,lmodern}",
        # Latin Modern has no Cyrillic letters
        *(
            rf"  \DeclareFontFamilySubstitution{{T2A}}{{lm{name}}}{{cm{name}}}"
            for name in ("r", "ss", "tt")
            if cyrillic
        ),
        r"\fi",
        r"\usepackage[margin=15mm]{geometry}",
        r"\usepackage{array,booktabs,colortbl,graphicx,longtable}",
        r"\setlength{\parindent}{0pt}",
        r"\begin{document}",
    ]
    if title:
        head.append(rf"\section*{{{escape(title)}}}")
    # Floats must not be overtaken by a table that does not float.
    parts = [
        r"\clearpage" + "\n" + body if number and "longtable" in body and not body.startswith(r"\clearpage") else body
        for number, body in enumerate(bodies)
    ]
    return "\n".join([*head, _macros(text) + "\n".join(parts), r"\end{document}"]) + "\n"


def _requirements(body: str) -> str:
    encodings = "T2A,T1" if r"\assaycyrillic" in body else "T1"
    lines = [
        "Needs in the preamble:",
        rf"  \usepackage[{encodings}]{{fontenc}}   (not with lualatex and xelatex)",
        r"  \usepackage{array,booktabs,colortbl,graphicx,longtable}",
    ]
    if "longtable" in body:
        lines.append(r"In a document of two columns this long table needs \onecolumn before it.")
    lines.append(r"For a landscape page put it between \begin{landscape} and \end{landscape} (package pdflscape).")
    return "".join(f"% {line}\n" for line in lines)


def _macros(body: str) -> str:
    macros = {
        r"\assaycyrillic": r"\DeclareRobustCommand{\assaycyrillic}[1]"
        r"{{\ifdefined\Uchar\else\fontencoding{T2A}\selectfont\fi #1}}",
        r"\assaychar": r"\DeclareRobustCommand{\assaychar}[2]"
        r"{\ifdefined\Uchar\symbol{#1}\else{\ttfamily{[}U+#2{]}}\allowbreak\fi}",
        r"\assaylabel": r"\ifdefined\assaylabel\else\newlength{\assaylabel}\newlength{\assaydigit}\fi",
    }
    return "".join(f"{macro}\n" for name, macro in macros.items() if name in body)


# Tables


def _tables(table: Table, label: str = "") -> Iterator[str]:
    if paper := table.paper:
        table, label = replace(table, title=paper.caption), label or f"tab:{paper.label}"
    parts = _split(table)
    for number, part in enumerate(parts):
        lines = _long_table if len(part.rows) > LONG else _floating_table
        yield "\n".join(lines(part, label if number == 0 else "")) + "\n"


def _split(table: Table) -> list[Table]:
    """The table, or parts of it that are narrow enough and about equally wide; the notes follow the last."""
    rest = len(table.columns) - 1
    number = -(-rest // (WIDEST - 1))
    while number < rest and any(_is_too_wide(part) for part in _parts(table, number)):
        number += 1
    return _parts(table, number)


def _is_too_wide(table: Table) -> bool:
    """Whether long numbers, like those with a range behind them, fill a page with fewer columns than others do."""
    layout = _Layout(table)
    return not layout.texts and sum(layout.widths) > _LONG_NUMBER * len(layout.widths) and layout.points > _TEXT_WIDTH


def _parts(table: Table, parts: int) -> list[Table]:
    rest = range(1, len(table.columns))
    if parts < 2:
        return [table]
    size = -(-len(rest) // parts)
    chosen = [[0, *rest[start : start + size]] for start in range(0, len(rest), size)]
    return [
        replace(
            table,
            title=f"{table.title}, part {number} of {len(chosen)}",
            columns=tuple(table.columns[column] for column in columns),
            groups=tuple(table.groups[column] for column in columns if table.groups),
            rows=tuple(replace(row, cells=tuple(row.cells[column] for column in columns)) for row in table.rows),
            notes=table.notes if number == len(chosen) else (),
        )
        for number, columns in enumerate(chosen, start=1)
    ]


def _floating_table(table: Table, label: str) -> Iterator[str]:
    layout = _Layout(table)
    # With a star a table spans both columns of a document that has two; elsewhere the star means nothing.
    name = "table*" if layout.points > _COLUMN_WIDTH else "table"
    yield rf"\begin{{{name}}}[htbp]"
    yield r"\centering"
    if table.title:
        yield r"\setlength{\belowcaptionskip}{6pt}"
        yield rf"\caption{{{escape(table.title)}}}{_label(label)}"
    yield from layout.setting()
    yield rf"\begin{{tabular}}{{{layout.columns()}}}"
    yield from (r"\toprule", layout.head(), r"\midrule")
    yield from layout.rows(rule=r"\midrule")
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield from _notes(table)
    yield rf"\end{{{name}}}"


def _long_table(table: Table, label: str) -> Iterator[str]:
    layout, width = _Layout(table), len(table.columns) + 1
    yield r"\begingroup"
    # The caption is part of a longtable but not of its small type.
    yield r"\let\assayname\tablename"
    yield r"\renewcommand{\tablename}{\normalfont\normalsize\assayname}"
    yield r"\setlength{\LTcapwidth}{\linewidth}"
    yield from layout.setting()
    yield rf"\begin{{longtable}}{{{layout.columns()}}}"
    again = []
    if table.title:
        title = escape(table.title)
        yield rf"\caption[{title}]{{\normalfont\normalsize {title}}}{_label(label)}\\"
        again = [rf"\multicolumn{{{width}}}{{l}}{{\tablename~\thetable, continued}}\\[3pt]"]
    for before, end in (([], r"\endfirsthead"), (again, r"\endhead")):
        yield from (*before, r"\toprule", layout.head(), r"\midrule", end)
    yield r"\bottomrule"
    yield r"\endfoot"
    # After a midrule of booktabs a page may end, and the rule at its foot would make it two.
    rule = rf"\multispan{{{width}}}\leaders\hrule height \lightrulewidth\hfill\cr"
    yield from layout.rows(
        rule=rf"\noalign{{\nobreak\vskip\aboverulesep}}{rule}\noalign{{\nobreak\vskip\belowrulesep}}"
    )
    yield r"\end{longtable}"
    yield r"\endgroup"
    yield from _notes(table)


def _label(label: str) -> str:
    return rf"\label{{{re.sub('[^A-Za-z0-9:._/-]', '-', label)}}}" if label else ""


class _Layout:
    """Type and widths for a table; widths are counted in digits, which are as wide as most letters."""

    def __init__(self, table: Table) -> None:
        self.table = table
        numbers = range(len(table.columns))
        # Heads are turned where they would take more than about sixty characters in a line; numbers take five each.
        self.turned = len(numbers) > WIDE or sum(max(len(head), 5) for head in table.columns) > 60
        self.texts = {column for column in numbers if table.rows and table.is_text(column)}
        # Column -> a mark that some of its numbers have
        self.marks = {
            column: cell.text[-1]
            for row in table.rows
            for column, cell in enumerate(row.cells)
            if cell.text.endswith(_MARKS) and column not in self.texts
        }
        self.longest = max(table.rows, key=_label_length, default=None)
        label = min(_label_length(self.longest), _WRAPPED)
        self.widths = [self._width(column) for column in numbers]
        self.wrapped = {column for column in self.texts if self.widths[column] > _WRAPPED}
        others = sum(width for column, width in enumerate(self.widths) if column not in self.wrapped)
        # Long texts share what labels and numbers leave of about eighty characters, but have sixteen each at least.
        for column in self.wrapped:
            self.widths[column] = min(self.widths[column], max(16, (80 - others - label) // len(self.wrapped)))
        for group, run in table.runs(numbers):
            self.widths[run[-1]] += max(0, len(group) - sum(self.widths[column] for column in run))
        for self.size in _SIZES:
            self.points = (sum(self.widths) + label) * self.size.digit + 2 * (len(numbers) + 1) * self.size.gap
            if self.points <= _TEXT_WIDTH:
                break

    def _width(self, column: int) -> float:
        texts = [row.cells[column].text for row in self.table.rows]
        # A turned head is as wide as its type is high.
        head = 2 if self.turned else len(self.table.columns[column])
        if column in self.texts:
            return max(head, *map(_length, texts))
        return max([head, *map(_digits, texts)]) + (column in self.marks)

    def setting(self) -> Iterator[str]:
        """Type and the width of the labels: that of the longest, or what the other columns leave."""
        size, gaps = self.size, 2 * (len(self.widths) + 1)
        others = rf"{sum(self.widths) + 1:g}\assaydigit"
        left = rf"\dimexpr\linewidth-{others}-{gaps}\tabcolsep\relax"
        yield rf"{size.commands}\setlength{{\tabcolsep}}{{{size.gap:g}pt}}%"
        yield r"\settowidth{\assaydigit}{\bfseries 0}%"
        yield rf"\settowidth{{\assaylabel}}{{{_row_label(self.longest)}\hspace{{1em}}}}%"
        yield rf"\ifdim\assaylabel>{left}\setlength{{\assaylabel}}{{{left}}}\fi"
        # What is left over goes between the columns.
        yield rf"\setlength{{\tabcolsep}}{{\dimexpr(\linewidth-\assaylabel-{others})/{gaps}\relax}}%"
        yield rf"\ifdim\tabcolsep>{2 * size.gap:g}pt \setlength{{\tabcolsep}}{{{2 * size.gap:g}pt}}\fi"

    def columns(self) -> str:
        """The argument of tabular."""
        ragged = r">{\raggedright\arraybackslash\hangindent=1em }p"
        kinds = [
            rf"{ragged}{{{width:g}\assaydigit}}" if column in self.wrapped else "l" if column in self.texts else "r"
            for column, width in enumerate(self.widths)
        ]
        return "".join([rf"{ragged}{{\assaylabel}}", *kinds])

    def head(self) -> str:
        names = [escape(name) for name in self.table.columns]
        if self.turned:
            names = [rf"\multicolumn{{1}}{{c}}{{\rotatebox{{90}}{{{name}}}}}" for name in names]
        return self._groups() + " & ".join([escape(self.table.corner), *names]) + r" \\"

    def _groups(self) -> str:
        """The names of groups over their columns, which a rule holds together."""
        runs = self.table.runs(range(len(self.widths)))
        names = [rf"\multicolumn{{{len(run)}}}{{c}}{{{escape(group)}}}" for group, run in runs]
        rules = [rf"\cmidrule(lr){{{run[0] + 2}-{run[-1] + 2}}}" for group, run in runs if group]
        return " & ".join(["", *names]) + r" \\" + "".join(rules) + "\n" if runs else ""

    def rows(self, *, rule: str) -> Iterator[str]:
        """The lines, with a rule between groups."""
        rows = self.table.rows
        # Where grey marks cells, it cannot mark rows.
        shaded = any(row.kind == "phenomenon" and row.indent for row in rows) and not any(
            cell.shade for row in rows for cell in row.cells
        )
        for row, before, after in zip(rows, (None, *rows), (*rows[1:], None), strict=False):
            if before is not None and before.group != row.group:
                yield rule
            is_head = shaded and row.kind == "category"
            # A page does not end after the name of a category, at a rule or among the averages.
            is_tied = is_head or after is None or after.group != row.group or row.kind in ("average", "share")
            cells = " & ".join([_row_label(row), *self._cells(row)])
            yield (r"\rowcolor[gray]{0.92} " if is_head else "") + cells + (r" \\*" if is_tied else r" \\")

    def _cells(self, row: TableRow) -> Iterator[str]:
        """The cells; digits stay in line where others of the column have a mark."""
        for column, cell in enumerate(row.cells):
            text = _cell(cell)
            is_bare = column in self.marks and not cell.text.endswith(_MARKS)
            yield text + (rf"\phantom{{{escape(self.marks[column])}}}" if is_bare else "")


def _cell(cell: TableCell) -> str:
    text = rf"\textbf{{{escape(cell.text)}}}" if cell.strong else escape(cell.text)
    return rf"\cellcolor[gray]{{0.82}}{text}" if cell.shade else text


def _length(text: str) -> int:
    """Characters as printed: an unknown one takes eight, [U+4E2D]."""
    return len(text) + 7 * escape(text).count(r"\assaychar")


def _digits(number: str) -> float:
    # Points and commas are a little wider than half a digit in all of these types.
    return sum(0.6 if char in ".," else 1 for char in number.rstrip("".join(_MARKS)))


def _label_length(row: TableRow | None) -> int:
    """Characters of a label as printed, with its indentation."""
    return _length(row.indented_label) if row else 0


def _row_label(row: TableRow | None) -> str:
    return r"\hspace*{1em}" * row.indent + escape(row.label.strip()) if row else ""


def _notes(table: Table) -> Iterator[str]:
    notes = [note if note.paper is None else replace(note, text=note.paper) for note in table.notes]
    if any(note.text for note in notes):
        yield r"\par\medskip"
        yield r"{\normalfont\footnotesize\raggedright"
        yield from (rf"{_note(note)}\par" for note in notes if note.text)
        yield "}"


def _note(note: Note) -> str:
    if not note.is_signature:
        return escape(note.text)
    # A signature has no spaces: it may break after the marks that part it.
    parts = re.findall(r"[^|:@#+]*[|:@#+]?", note.text)
    signature = r"\allowbreak ".join(escape(part) for part in parts if part)
    return rf"{escape(note.label)}: \texttt{{{signature}}}"
