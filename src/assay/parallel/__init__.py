"""Run a function on blocks of work, here or on other machines; results come in the order of the blocks.

with open_executor("local", jobs=2) as executor:  # or "dask", "dask:tcp://10.0.0.7:8786"
    for scores in executor.map(score, blocks):
        write(scores)
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.errors import BadOption, UnknownName
from assay.parallel.executor import HERE, BadCluster, Executor, Misfit, Tell, end_if_cancelled

if TYPE_CHECKING:  # imported where they are used: a plain evaluation needs neither multiprocessing nor Dask
    from assay.parallel.cluster import DaskExecutor
    from assay.parallel.processes import ProcessExecutor

__all__ = [
    "ALONE",
    "HERE",
    "BadCluster",
    "Executor",
    "Misfit",
    "Workers",
    "end_if_cancelled",
    "open_executor",
]

WAIT = 60.0
"""Seconds for which workers of a cluster are waited for."""


def open_executor(
    name: str = "local",
    *,
    jobs: int | None = None,
    wait: float | None = None,
    resources: Mapping[str, float] | None = None,
    tell: Tell | None = None,
) -> "ProcessExecutor | DaskExecutor":
    """The executor with this name: `local`, `dask`, or `dask:ADDRESS`.

    `jobs` is for `local`: as many processes, 1 for this process, None for all usable cores. `wait` is for `dask`: for
    how many seconds workers are waited for, and so are `resources`: what a worker has to offer. `tell` gets a line
    whenever a worker is lost or a block done again.
    """
    kind, _, address = name.partition(":")
    if kind == "dask":
        if jobs is not None:
            raise BadOption("--jobs is for --executor local; a cluster has as many workers as were started")
        from assay.parallel.cluster import DaskExecutor

        return DaskExecutor(address, wait=WAIT if wait is None else wait, resources=resources, tell=tell)
    if name != "local":
        raise UnknownName("executor", name, ["local", "dask"])
    if resources:
        raise BadOption("--resources is for --executor dask; workers are started with it")
    from assay.parallel.processes import ProcessExecutor

    return ProcessExecutor(jobs, tell)


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor as the user names it; the fields are the parameters of `open_executor`."""

    executor: str = "local"
    jobs: int | None = 1
    wait: float | None = None
    resources: Mapping[str, float] = field(default_factory=dict)
    tell: Tell | None = None

    @property
    def is_alone(self) -> bool:
        """Whether this process does everything itself."""
        return self.executor == "local" and self.jobs == 1 and not self.resources

    @contextmanager
    def open(self) -> Iterator[Executor]:
        """The executor, until the end of a `with` block."""
        if self.is_alone:
            yield HERE
            return
        with open_executor(
            self.executor, jobs=self.jobs, wait=self.wait, resources=self.resources, tell=self.tell
        ) as executor:
            yield executor


ALONE = Workers()
"""This process."""
