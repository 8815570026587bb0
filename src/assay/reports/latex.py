r"""A table as LaTeX: booktabs, bold first clusters, longtable where a page is not enough.

    render(table)                  a piece for \input; a comment at its top names the packages it needs
    render(table, document=True)   a document for pdflatex, lualatex or xelatex
    render_many(tables, title)     an appendix: one document with several tables

The column of labels takes what the numbers leave of \linewidth, so the same piece also fits a landscape page.
"""

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple
from unicodedata import category, combining, normalize

from assay.reports.table import Table, TableRow

LONG = 45
"""Tables with more rows do not fit a page."""

WIDE = 8
"""Tables with more columns have their heads turned."""

WIDEST = 24
"""Tables with more columns are split, the first column standing in every part."""


class _Size(NamedTuple):
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
_TEXT_WIDTH = 455
"""Points of 16 cm, what papers leave between the margins of A4."""


def render(table: Table, *, document: bool = False, label: str = "") -> str:
    r"""One table; `label` is for \ref."""
    body = "\n".join(_tables(table, label))
    return _document([body]) if document else f"{_requirements(body)}{_macros(body)}{body}"


def render_many(tables: Sequence[Table], title: str) -> str:
    """A document with several tables, in their order."""
    return _document(["\n".join(_tables(table, "")) for table in tables], title)


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
        r"\clearpage" + "\n" + body if number and "longtable" in body else body for number, body in enumerate(bodies)
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


def _tables(table: Table, label: str) -> Iterator[str]:
    parts = _split(table)
    for number, part in enumerate(parts):
        lines = _long_table if len(part.rows) > LONG else _floating_table
        yield "\n".join(lines(part, label if number == 0 else "")) + "\n"


def _split(table: Table) -> list[Table]:
    """The table, or parts of it that are narrow enough and about equally wide; the notes follow the last."""
    rest = range(1, len(table.columns))
    parts = -(-len(rest) // (WIDEST - 1))
    if parts < 2:
        return [table]
    size = -(-len(rest) // parts)
    chosen = [[0, *rest[start : start + size]] for start in range(0, len(rest), size)]
    return [
        Table(
            title=f"{table.title}, part {number} of {parts}",
            corner=table.corner,
            columns=tuple(table.columns[column] for column in columns),
            rows=tuple(row._replace(cells=tuple(row.cells[column] for column in columns)) for row in table.rows),
            notes=table.notes if number == parts else (),
        )
        for number, columns in enumerate(chosen, start=1)
    ]


def _floating_table(table: Table, label: str) -> Iterator[str]:
    # With a star a table spans both columns of a document that has two; elsewhere the star means nothing.
    name = "table*" if len(table.columns) > WIDE else "table"
    yield rf"\begin{{{name}}}[htbp]"
    yield r"\centering"
    if table.title:
        yield r"\setlength{\belowcaptionskip}{6pt}"
        yield rf"\caption{{{escape(table.title)}}}{_label(label)}"
    yield from _setting(table)
    yield rf"\begin{{tabular}}{{{_columns(table)}}}"
    yield from (r"\toprule", _head(table), r"\midrule")
    yield from _rows(table, rule=r"\midrule")
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield from _notes(table)
    yield rf"\end{{{name}}}"


def _long_table(table: Table, label: str) -> Iterator[str]:
    yield r"\begingroup"
    # The caption is part of a longtable but not of its small type.
    yield r"\let\assayname\tablename"
    yield r"\renewcommand{\tablename}{\normalfont\normalsize\assayname}"
    yield r"\setlength{\LTcapwidth}{\linewidth}"
    yield from _setting(table)
    yield rf"\begin{{longtable}}{{{_columns(table)}}}"
    again = []
    if table.title:
        title = escape(table.title)
        yield rf"\caption[{title}]{{\normalfont\normalsize {title}}}{_label(label)}\\"
        width = len(table.columns) + 1
        again = [rf"\multicolumn{{{width}}}{{l}}{{\tablename~\thetable, continued}}\\[3pt]"]
    for before, end in (([], r"\endfirsthead"), (again, r"\endhead")):
        yield from (*before, r"\toprule", _head(table), r"\midrule", end)
    yield r"\bottomrule"
    yield r"\endfoot"
    yield from _rows(table, rule=_unbreakable_rule(table))
    yield r"\end{longtable}"
    yield r"\endgroup"
    yield from _notes(table)


def _label(label: str) -> str:
    return rf"\label{{{re.sub('[^A-Za-z0-9:._/-]', '-', label)}}}" if label else ""


def _setting(table: Table) -> Iterator[str]:
    """Type and the width of the labels: that of the longest, or what the numbers leave."""
    widths = _widths(table)
    longest = max((row.label for row in table.rows), key=_length, default="")
    for size in _SIZES:
        wanted = sum(widths) * size.digit + 2 * (len(widths) + 1) * size.gap + min(_length(longest), 32) * size.digit
        if wanted <= _TEXT_WIDTH:
            break
    numbers, gaps = f"{sum(widths) + 1:g}", 2 * (len(widths) + 1)
    left = rf"\dimexpr\linewidth-{numbers}\assaydigit-{gaps}\tabcolsep\relax"
    rest = rf"\dimexpr(\linewidth-\assaylabel-{numbers}\assaydigit)/{gaps}\relax"
    yield rf"{size.commands}\setlength{{\tabcolsep}}{{{size.gap:g}pt}}%"
    yield r"\settowidth{\assaydigit}{\bfseries 0}%"
    yield rf"\settowidth{{\assaylabel}}{{{_row_label(longest)}\hspace{{1em}}}}%"
    yield rf"\ifdim\assaylabel>{left}\setlength{{\assaylabel}}{{{left}}}\fi"
    # What is left over goes between the columns.
    yield rf"\setlength{{\tabcolsep}}{{{rest}}}%"
    yield rf"\ifdim\tabcolsep>{2 * size.gap:g}pt \setlength{{\tabcolsep}}{{{2 * size.gap:g}pt}}\fi"


def _length(label: str) -> int:
    """Characters as printed: an unknown one takes eight, [U+4E2D]."""
    return len(label) + 7 * escape(label).count(r"\assaychar")


def _widths(table: Table) -> list[float]:
    """Columns in digits."""
    turned, flagged = _is_turned(table), _flagged(table)
    return [
        max([0 if turned else len(head), 2, *(_digits(row.cells[column].text) for row in table.rows)])
        + (column in flagged)
        for column, head in enumerate(table.columns)
    ]


def _digits(text: str) -> float:
    return sum(0.6 if char in ".," else 1 for char in text.rstrip("†"))


def _flagged(table: Table) -> set[int]:
    """Columns in which something has a dagger."""
    return {column for row in table.rows for column, cell in enumerate(row.cells) if cell.text.endswith("†")}


def _is_turned(table: Table) -> bool:
    return len(table.columns) > WIDE or sum(max(len(head), 5) for head in table.columns) > 60


def _columns(table: Table) -> str:
    label = r">{\raggedright\arraybackslash\hangindent=1em }p{\assaylabel}"
    return f"{label}*{{{len(table.columns)}}}{{r}}" if table.columns else label


def _head(table: Table) -> str:
    names = [escape(name) for name in table.columns]
    if _is_turned(table):
        names = [rf"\multicolumn{{1}}{{c}}{{\rotatebox{{90}}{{{name}}}}}" for name in names]
    return " & ".join([escape(table.corner), *names]) + r" \\"


def _unbreakable_rule(table: Table) -> str:
    """A midrule after which no page ends: the rule at its foot would make it two."""
    rule = rf"\multispan{{{len(table.columns) + 1}}}\leaders\hrule height \lightrulewidth\hfill\cr"
    return rf"\noalign{{\nobreak\vskip\aboverulesep}}{rule}\noalign{{\nobreak\vskip\belowrulesep}}"


def _rows(table: Table, *, rule: str) -> Iterator[str]:
    shaded = any(row.kind == "phenomenon" for row in table.rows)
    flagged = _flagged(table)
    group = table.rows[0].group if table.rows else None
    for row, after in zip(table.rows, (*table.rows[1:], None), strict=False):
        if row.group != group:
            yield rule
            group = row.group
        is_head = shaded and row.kind == "category"
        # A page does not end after the name of a category, at a rule or among the averages.
        is_tied = is_head or after is None or after.group != group or row.kind in ("average", "share")
        yield (r"\rowcolor[gray]{0.92} " if is_head else "") + _row(row, flagged) + (r" \\*" if is_tied else r" \\")


def _row(row: TableRow, flagged: Container[int]) -> str:
    """The cells; digits stay in line where others of the column have a dagger."""
    cells = []
    for column, cell in enumerate(row.cells):
        text = rf"\textbf{{{escape(cell.text)}}}" if cell.strong else escape(cell.text)
        is_bare = column in flagged and not cell.text.endswith("†")
        cells.append(text + (r"\phantom{\textdagger}" if is_bare else ""))
    return " & ".join([_row_label(row.label), *cells])


def _row_label(label: str) -> str:
    indent = r"\hspace*{1em}" if label.startswith(" ") else ""
    return indent + escape(label.strip())


def _notes(table: Table) -> Iterator[str]:
    if table.notes:
        yield r"\par\medskip"
        yield r"{\normalfont\footnotesize\raggedright"
        yield from (rf"{_note(note)}\par" for note in table.notes)
        yield "}"


def _note(note: str) -> str:
    if not note.startswith("Signature: "):
        return escape(note)
    # A signature has no spaces: it may break after the marks that part it.
    parts = re.findall(r"[^|:@#+]*[|:@#+]?", note.removeprefix("Signature: "))
    return r"Signature: \texttt{" + r"\allowbreak ".join(escape(part) for part in parts if part) + "}"


# Characters


def escape(text: str) -> str:
    r"""Text as LaTeX that prints it: `50 % of A & B` becomes `50 \% of A \& B`.

    Western and central European letters and those Cyrillic ones that the encoding T2A has stay as they are; what no
    encoding has is printed as its number by pdflatex and as itself by lualatex, if its font has it.
    """
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    escaped = _UNSAFE.sub(lambda match: _escaped(match[0]), normalize("NFC", whole))
    return _LIGATURE.sub(r"\1{}", escaped)


# T1 has these letters, alone or put together (t1enc.dfu), and T2A those (t2aenc.dfu).
_LATIN = "À-ÖØ-öø-ĥĨ-ķĹ-ľŁ-ňŊ-ťŨ-žȘ-ț"
_CYRILLIC = "[Ѐ-џҐ-ғҖ-ҝҠ-ҥҪҫҮ-ҳҶ-һӀ-ӂӐ-ӟӢ-өӬ-ӵӸӹ]+"
_UNSAFE = re.compile(rf"{_CYRILLIC}(?: +{_CYRILLIC})*|[^A-Za-z0-9 .:;,/()+=@!?'\-{_LATIN}]")
_LIGATURE = re.compile(r"([-,'])(?=\1)")


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_SYMBOLS = _pairs(r"""
    \ textbackslash   ~ textasciitilde   ^ textasciicircum   ` textasciigrave   ´ textasciiacute   " textquotedbl
    < textless   > textgreater   | textbar   – textendash   — textemdash   … textellipsis
    ‘ textquoteleft   ’ textquoteright   ‚ quotesinglbase   “ textquotedblleft   ” textquotedblright   „ quotedblbase
    ‹ guilsinglleft   › guilsinglright   « guillemotleft   » guillemotright   ¡ textexclamdown   ¿ textquestiondown
    • textbullet   · textperiodcentered   † textdagger   ‡ textdaggerdbl   § textsection   ¶ textparagraph
    © textcopyright   ® textregistered   ™ texttrademark   ° textdegree   ‰ textperthousand   № textnumero
    € texteuro   £ textsterling   ¥ textyen   ¢ textcent   µ textmu   ¹ textonesuperior   ² texttwosuperior
    ³ textthreesuperior   ª textordfeminine   º textordmasculine   ½ textonehalf   ¼ textonequarter
    ¾ textthreequarters
""")
_MATHS = _pairs(r"""
    → \rightarrow   ← \leftarrow   ↔ \leftrightarrow   ↑ \uparrow   ↓ \downarrow   ⇒ \Rightarrow
    ≤ \leq   ≥ \geq   ≠ \neq   ≈ \approx   ∞ \infty   × \times   ÷ \div   ± \pm   ¬ \neg   − -
""")
_COMMANDS = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    **{char: rf"\{name}{{}}" for char, name in _SYMBOLS.items()},
    **{char: rf"\ensuremath{{{maths}}}" for char, maths in _MATHS.items()},
    **dict.fromkeys(("\u00a0", "\u202f"), r"\nobreakspace{}"),
    # In braces, since they mean something after the end of a row
    **{char: f"{{{char}}}" for char in "*[]"},
}
_ACCENTS = dict(
    zip(
        "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0323\u0327\u0328\u0331",
        "`'^~=u.\"rHvdckb",
        strict=True,
    )
)
_BELOW = "\u0323\u0327\u0328\u0331"


def _escaped(piece: str) -> str:
    """A run of Cyrillic or one character that means something to LaTeX or is unknown to it."""
    if re.match(_CYRILLIC, piece):
        return rf"\assaycyrillic{{{piece}}}"
    if piece in _COMMANDS:
        return _COMMANDS[piece]
    if piece.isspace():
        return " "
    if category(piece) in ("Cc", "Cf"):
        return ""
    return _put_together(piece) or rf"\assaychar{{{ord(piece)}}}{{{ord(piece):04X}}}"


def _put_together(char: str) -> str:
    """A letter with accents by commands, or the plain characters that it is a variant of; else nothing."""
    base, *marks = list(normalize("NFD", char))
    if base.isascii() and marks and all(mark in _ACCENTS for mark in marks):
        # Those below come last: what stands above does not go on top of them.
        for mark in sorted(marks, key=_BELOW.__contains__):
            base = rf"\{_ACCENTS[mark]}{{{base}}}"
        return base
    plain = normalize("NFKC", char)
    is_known = plain != char and not any(combining(part) for part in plain)
    return escape(plain) if is_known else ""
