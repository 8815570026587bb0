"""Map a function over blocks of work, here or on other machines; results come in the order of the blocks.

with open_engine("local", jobs=2) as engine:  # or "dask", "dask:tcp://10.0.0.7:8786"
    for scores in engine.map(score, blocks):
        write(scores)
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Union

from assay.errors import BadOption, UnknownName
from assay.parallel.errors import BadCluster
from assay.parallel.executor import HERE, Engine, Misfit, Progress
from assay.parallel.processes import LocalEngine, Tell
from assay.parallel.workers import ALONE, Workers

if TYPE_CHECKING:
    from assay.parallel.cluster import DaskEngine

__all__ = ["ALONE", "HERE", "BadCluster", "Engine", "LocalEngine", "Misfit", "Progress", "Workers", "open_engine"]


def open_engine(
    name: str = "local",
    *,
    jobs: int | None = None,
    wait: float | None = None,
    resources: Mapping[str, float] | None = None,
    tell: Tell | None = None,
) -> Union[LocalEngine, "DaskEngine"]:
    """The engine with this name: `local`, `dask`, or `dask:ADDRESS`.

    `jobs` is for `local`: as many processes, 1 for this process, None for all usable cores. `wait` is for `dask`: for
    how many seconds workers are waited for, and so are `resources`: what a worker has to offer. `tell` gets a line
    whenever a worker is lost or a block done again.
    """
    kind, _, address = name.partition(":")
    if kind == "dask":
        if jobs is not None:
            raise BadOption("--jobs is for --engine local; a cluster has as many workers as were started")
        from assay.parallel.cluster import DaskEngine
        from assay.parallel.connection import WAIT

        return DaskEngine(address, wait=WAIT if wait is None else wait, resources=resources, tell=tell)
    if name != "local":
        raise UnknownName("engine", name, ["local", "dask"])
    if resources:
        raise BadOption("--resources is for --engine dask; workers are started with it")
    return LocalEngine(jobs, tell)
