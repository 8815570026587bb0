"""Bold and colours of a terminal, and what stands for them where there are none."""

from typing import Final

VERDICT_STYLES: Final = {"pass": "36", "fail": "31", "warning": "90"}
ALARM: Final = "31;1"
STRONG: Final = "1"

Marks = tuple[str, str]
"""What stands before and after matched words."""


def styled(text: str, code: str, ansi: bool) -> str:
    """Text in an ANSI style (`1` bold, `31` red, …) where styles can be shown."""
    return f"\x1b[{code}m{text}\x1b[0m" if ansi else text


def marks(ansi: bool) -> Marks:
    """Bold and underlined on a terminal, >>so<< elsewhere."""
    return ("\x1b[1;4m", "\x1b[0m") if ansi else (">>", "<<")
