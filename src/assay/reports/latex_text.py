r"""Characters as LaTeX prints them.

escape("50 % of A & B")  # 50 \% of A \& B
"""

import re
from unicodedata import category, combining, normalize

from assay.reports.table import SHADED


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
    → \rightarrow   ← \leftarrow   ↔ \leftrightarrow   ↑ \uparrow   ↓ \downarrow   ▲ \uparrow   ▼ \downarrow
    ⇒ \Rightarrow   ≤ \leq   ≥ \geq   ≠ \neq   ≈ \approx   ∞ \infty   × \times   ÷ \div   ± \pm   ¬ \neg   − -
""")
_COMMANDS = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    **{char: rf"\{name}{{}}" for char, name in _SYMBOLS.items()},
    **{char: rf"\ensuremath{{{maths}}}" for char, maths in _MATHS.items()},
    **dict.fromkeys(("\u00a0", "\u202f"), r"\nobreakspace{}"),
    SHADED: r"\rule[.3ex]{.7ex}{.7ex}",
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
