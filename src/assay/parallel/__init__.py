"""Map a function over blocks of work, here or on other machines; results come in the order of the blocks.

with open_executor("local", jobs=2) as executor:  # or "dask", "dask:tcp://10.0.0.7:8786"
    for scores in executor.map(score, blocks):
        write(scores)
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from assay.errors import BadOption, UnknownName
from assay.parallel.errors import BadCluster
from assay.parallel.executor import HERE, Executor, Misfit
from assay.parallel.workers import ALONE, Workers

if TYPE_CHECKING:
    from assay.parallel.cluster import DaskExecutor
    from assay.parallel.processes import ProcessExecutor, Tell

__all__ = [
    "ALONE",
    "HERE",
    "BadCluster",
    "Executor",
    "Misfit",
    "Workers",
    "open_executor",
]


def open_executor(
    name: str = "local",
    *,
    jobs: int | None = None,
    wait: float | None = None,
    resources: Mapping[str, float] | None = None,
    tell: "Tell | None" = None,
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
        from assay.parallel.connection import WAIT

        return DaskExecutor(address, wait=WAIT if wait is None else wait, resources=resources, tell=tell)
    if name != "local":
        raise UnknownName("executor", name, ["local", "dask"])
    if resources:
        raise BadOption("--resources is for --executor dask; workers are started with it")
    from assay.parallel.processes import ProcessExecutor

    return ProcessExecutor(jobs, tell)
