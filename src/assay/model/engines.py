"""What maps a function over blocks of work; the room `engine` has two of them.

for scores in engine.map(score, blocks):
    write(scores)
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Protocol, TypeVar

B = TypeVar("B")
R = TypeVar("R")

Progress = Callable[[int], None]
"""Is told how much more has been done."""


class Engine(Protocol):
    """Processes, here or on other machines, that do the same work whatever their number."""

    def map(
        self,
        function: Callable[[B], R],
        blocks: Iterable[B],
        *,
        progress: Progress | None = None,
        resources: Mapping[str, float] | None = None,
    ) -> Generator[R, None, None]:
        """What `function` returns for each block, in the order of the blocks.

        `function` and the blocks must be picklable. Blocks are read only a little ahead. A block whose worker dies is
        done again. `progress` is told of every block; `resources` are what a worker has to offer for a block, such as
        `{"GPU": 1}`. Closing the generator cancels what has not been done.
        """
        ...
