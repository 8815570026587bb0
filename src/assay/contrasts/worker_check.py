"""A check that a worker's parsers and aligners are those of the calling process.

    check_here(udpipe, "/models/czech.udpipe", parser.signature)  # in `parse`, before the first line

Only names and options are sent; every worker reads models under the same path. A worker that lacks a model, or has
another one, gets no blocks.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import zip_longest
from typing import Protocol

from assay.errors import AssayError
from assay.parallel import Misfit

_CURE = "give all workers the same packages, and the same models under the same paths"


class SignedTool(Protocol):
    """A parser or an aligner. `signature` is everything its results depend on beside what it is given."""

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...


@lru_cache(maxsize=64)
def check_here(factory: Callable[[str], SignedTool], option: str, signature: str) -> None:
    """Check, once in a process, that what the factory makes here has this signature."""
    try:
        found = factory(option).signature
    except AssayError as error:
        # Without the cure behind the semicolon: it would tell the user to install on the calling machine.
        raise _misfit(str(error).partition(";")[0]) from error
    if found != signature:
        parts = zip_longest(found.split("|"), signature.split("|"), fillvalue="nothing")
        wrong = ", ".join(f"{here} instead of {there}" for here, there in parts if here != there)
        raise _misfit(f"{option}: {wrong}" if option else wrong)


def _misfit(problem: str) -> Misfit:
    return Misfit(f"not what the calling machine has: {problem}", _CURE)
