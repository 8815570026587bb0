"""Who does the work of a use case: this process, processes of this machine, or a cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from assay.model.engines import Engine


class Workers(NamedTuple):
    """An engine as named by the user; `tell` gets a line whenever something happens to a worker."""

    engine: str = "local"
    jobs: int | None = None
    wait: float | None = None
    tell: Callable[[str], None] | None = None

    @contextmanager
    def open(self) -> Iterator[Engine | None]:
        """The engine; None where this process does everything itself."""
        if self.engine == "local" and self.jobs in (None, 1):
            yield None
            return
        from assay.engine import open_engine

        with open_engine(self.engine, jobs=self.jobs, wait=self.wait, tell=self.tell) as engine:
            yield engine


ALONE = Workers()
"""This process."""
