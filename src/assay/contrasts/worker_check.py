"""Parsers and aligners in other processes, perhaps on other machines: they have to be the same there.

    check_here(udpipe, "/models/czech.udpipe", parser.signature)  # in `parse`, before the first line

What is sent are names and options; models are read under the same path wherever a block is done. A worker on which one
is missing, or is another one, gets no blocks.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import zip_longest
from typing import Protocol

from assay.errors import AssayError
from assay.parallel import Misfit

_CURE = "give all workers the same packages, and the same models under the same paths"


class Signed(Protocol):
    """A parser or an aligner."""

    @property
    def signature(self) -> str: ...


@lru_cache(maxsize=64)
def check_here(factory: Callable[[str], Signed], option: str, signature: str) -> None:
    """Make sure, once in a process, that what the factory makes here has this signature."""
    try:
        found = factory(option).signature
    except AssayError as error:
        raise _misfit(str(error).partition(";")[0]) from error
    if found != signature:
        parts = zip_longest(found.split("|"), signature.split("|"), fillvalue="nothing")
        wrong = ", ".join(f"{here} instead of {there}" for here, there in parts if here != there)
        raise _misfit(f"{option}: {wrong}" if option else wrong)


def _misfit(problem: str) -> Misfit:
    return Misfit(f"not what the calling machine has: {problem}", _CURE)
