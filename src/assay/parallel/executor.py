"""What maps a function over blocks of work: this process, or what the room `executor` has.

for scores in executor.map(score, blocks):
    write(scores)
"""

import platform
from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

from assay.errors import AssayError
from assay.progress import Progress

B = TypeVar("B")
R = TypeVar("R")


class Misfit(AssayError):
    """A worker lacks what the calling process has, or has another: a version, a model, a program. It gets no blocks.

    `machine: problem; cure`.
    """

    exit_code = 3

    def __init__(self, problem: str, cure: str) -> None:
        super().__init__(f"{platform.node()}: {problem}; {cure}")
        self.problem = problem
        self.cure = cure


class Executor(Protocol):
    """Processes, here or on other machines, that do the same work whatever their number."""

    def map(
        self,
        function: Callable[[B], R],
        blocks: Iterable[B],
        *,
        progress: Progress | None = None,
        one_per_machine: bool = False,
    ) -> Generator[R, None, None]:
        """What `function` returns for each block, in the order of the blocks.

        `function` and the blocks must be picklable. Blocks are read only a little ahead. A block whose worker dies is
        done again. `progress` is told of every block. `one_per_machine` is for a function that fills a machine on its
        own, such as a neural model: processes of this machine do not share it out. Closing the generator cancels what
        has not been done.
        """
        ...


class InProcess:
    """This process as an executor."""

    def map(
        self,
        function: Callable[[B], R],
        blocks: Iterable[B],
        *,
        progress: Progress | None = None,
        one_per_machine: bool = False,
    ) -> Generator[R, None, None]:
        """As in `Executor`."""
        for block in blocks:
            yield function(block)
            if progress is not None:
                progress(1)


HERE = InProcess()
"""Where no executor is named."""
