"""Who does the work of a use case: this process, processes of this machine, or a cluster."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from assay.parallel.executor import HERE, Executor


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor as named by the user; `tell` gets a line whenever something happens to a worker.

    `jobs` None is one process for each usable core. `resources` are what a worker of a cluster has to offer.
    """

    executor: str = "local"
    jobs: int | None = 1
    wait: float | None = None
    resources: Mapping[str, float] = field(default_factory=dict)
    tell: Callable[[str], None] | None = None

    @property
    def is_alone(self) -> bool:
        """Whether this process does everything itself."""
        return self.executor == "local" and self.jobs == 1 and not self.resources

    @contextmanager
    def open(self) -> Iterator[Executor]:
        """The executor."""
        if self.is_alone:
            yield HERE
            return
        from assay.parallel import open_executor

        with open_executor(
            self.executor, jobs=self.jobs, wait=self.wait, resources=self.resources, tell=self.tell
        ) as executor:
            yield executor


ALONE = Workers()
"""This process."""
