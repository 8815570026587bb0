"""Parsers and aligners in other processes, perhaps on other machines: they have to be the same there.

    check_here(udpipe, "/models/czech.udpipe", parser.signature)  # in `parse`, before the first line
    for trees in map_alike(engine, partial(parse, parser), blocks):
        ...

What is sent are names and options; models are read under the same path wherever a block is done. A machine on which one
is missing, or is another one, ends the run like one with other versions of Assay: there is something to mend.
"""

import platform
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import lru_cache, partial
from itertools import zip_longest
from typing import NamedTuple, Protocol, TypeVar

from assay.engine import BadCluster
from assay.model import AssayError
from assay.model.engines import Engine

B = TypeVar("B")
R = TypeVar("R")


class NotHere(AssayError):
    """This machine lacks what a parser or an aligner was made with in the calling process, or has another one."""


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
        raise NotHere(str(error).partition(";")[0]) from error
    if found != signature:
        parts = zip_longest(found.split("|"), signature.split("|"), fillvalue="nothing")
        wrong = ", ".join(f"{here} instead of {there}" for here, there in parts if here != there)
        raise NotHere(f"{option}: {wrong}" if option else wrong)


class Unfit(NamedTuple):
    """The answer of a machine that must not do a block."""

    machine: str
    problem: str


def map_alike(engine: Engine, work: Callable[[B], R], blocks: Iterable[B]) -> Generator[R, None, None]:
    """What `work` returns for each block; an error where a machine has another parser or aligner."""
    with closing(engine.map(partial(_answer, work), blocks)) as working:
        for answer in working:
            if isinstance(answer, Unfit):
                cure = "give all workers the same packages, and the same models under the same paths"
                raise BadCluster(answer.machine, f"not what the calling machine has: {answer.problem}", cure)
            yield answer


def _answer(work: Callable[[B], R], block: B) -> R | Unfit:
    # As an answer and not as an error: an engine would try the block elsewhere.
    try:
        return work(block)
    except NotHere as error:
        return Unfit(platform.node(), str(error))
