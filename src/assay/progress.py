"""How work that takes a while says how far it is. Whoever starts it decides what is made of that: a bar, or nothing.

with open_progress("drawing", 10_000) as progress:
    for block in blocks:
        draw(block)
        if progress:
            progress(len(block))
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Progress = Callable[[int], None]
"""Called with how much more has been done since the last call."""

OpenProgress = Callable[[str, int], AbstractContextManager[Progress | None]]
"""Called with a label and with how much there is to do; None where nobody wants to know."""

Announce = Callable[[str], None]
"""Called with the name of what is being done now."""


def no_progress(label: str, length: int) -> AbstractContextManager[Progress | None]:
    """An `OpenProgress` for callers who do not want to know."""
    return nullcontext()
