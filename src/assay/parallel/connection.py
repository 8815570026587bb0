"""Reaching a Dask cluster, and making sure of it before any work: is it there, has it workers, do versions fit?

client = connect(address_of("tcp://10.0.0.7:8786"), wait=60)
wait_for_workers(client, 60, {}, print)
check_versions(client)
"""

import asyncio
import json
import logging
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from assay.errors import BadFile, BadOption, MissingExtra
from assay.parallel.errors import BadCluster
from assay.parallel.processes import Tell
from assay.parallel.versions import CURE, differences, versions

_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?[^\s/]+:\d+")

WAIT = 60.0
"""Seconds for which workers are waited for."""

CONNECT = 1.0, 10.0
"""Seconds for which a scheduler is tried, at least and at most."""

POLL = 0.2
"""Seconds after which a wait asks again for workers."""


def address_of(given: str) -> str:
    """The address as given, or as Dask's own configuration has it; `FILE.json` is a scheduler file."""
    try:
        import dask
        import distributed
    except ImportError as error:
        raise MissingExtra("--executor dask", "pip install 'assay-mt[dask]'") from error
    assert distributed
    address = given or dask.config.get("scheduler-address", None) or dask.config.get("scheduler-file", None)
    if not address:
        raise BadOption(
            "--executor dask knows no scheduler; give --executor dask:tcp://HOST:8786, or set DASK_SCHEDULER_ADDRESS"
        )
    address = str(address).removesuffix("/")  # Dask's configuration makes numbers of what looks like one
    if address.endswith(".json"):
        address = _in_scheduler_file(Path(address))
    if not _ADDRESS.fullmatch(address):
        raise BadOption(f"--executor dask:{address}: not an address of a scheduler; it looks like tcp://HOST:8786")
    return address


def _in_scheduler_file(path: Path) -> str:
    try:
        address = json.loads(path.read_text(encoding="utf-8"))["address"]
        if not isinstance(address, str):
            raise TypeError(address)
        return address
    except OSError as error:
        cure = "start one with: dask scheduler --scheduler-file FILE"
        raise BadCluster(str(path), f"no scheduler has written this file ({error.strerror})", cure) from error
    except (ValueError, KeyError, TypeError) as error:
        raise BadFile(path, "not a scheduler file of Dask", cure="name the file of a running scheduler") from error


def connect(address: str, wait: float) -> Any:
    """A client of the scheduler at this address."""
    from distributed import Client

    make: Any = Client
    seconds = min(max(wait, CONNECT[0]), CONNECT[1])
    try:
        asyncio.run(_greet(address, seconds))
        return make(address, timeout=seconds, set_as_default=False, name="assay")
    except (OSError, TimeoutError) as error:
        raise BadCluster(
            address, "no scheduler answers there", "start one (dask scheduler), or correct the address"
        ) from error
    except Exception as error:  # of many kinds, by the protocol
        reason = str(error).partition("\n")[0]
        cure = "check the protocol of the address, and Dask's configuration of it"
        raise BadCluster(address, f"cannot be reached ({reason})", cure) from error


async def _greet(address: str, seconds: float) -> None:
    """Fail in time where something else than Dask answers; a client would wait for ever."""
    from distributed.comm import core
    from distributed.security import Security

    make: Any = core.connect
    security: Any = Security
    how = security().get_connection_args("client")
    comm = await asyncio.wait_for(make(address, timeout=seconds, **how), seconds)
    comm.abort()


def wait_for_workers(client: Any, wait: float, resources: Mapping[str, float], tell: Tell) -> None:
    """Return as soon as there is a worker that offers these resources."""
    address, end = client.scheduler.address, monotonic() + wait
    if offering(client, resources):
        return
    what = "".join(f" {name}={amount:g}" for name, amount in resources.items())
    lack = f"no worker offers{what}" if resources and offering(client, {}) else "the scheduler has no workers"
    tell(f"{address}: {lack}; waiting {wait:g} s for one")
    while not offering(client, resources):
        if monotonic() > end:
            start = f"dask worker {address}" + (f" --resources '{what.strip()}'" if resources else "")
            problem = f"no worker that offers{what} came" if resources else "no worker came"
            raise BadCluster(address, f"{problem} in {wait:g} s", f"start some ({start}), or wait longer with --wait")
        sleep(min(POLL, wait))


def offering(client: Any, resources: Mapping[str, float]) -> dict[str, int]:
    """The workers that offer these resources, with the number of their threads."""
    try:
        workers: dict[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
    except Exception as error:  # of many kinds, by the state in which the client is
        raise gone(client.scheduler.address) from error
    return {
        address: worker["nthreads"]
        for address, worker in workers.items()
        if all(worker["resources"].get(name, 0) >= amount for name, amount in resources.items())
    }


def holding(client: Any, future: Any) -> set[str]:
    """The workers that have the result of a task."""
    try:
        return set(client.who_has([future])[future.key])
    except Exception as error:
        raise gone(client.scheduler.address) from error


def check_versions(client: Any) -> None:
    """Refuse a cluster that has other versions than this process."""
    for worker, problem in sorted(misfits(client).items()):
        raise BadCluster(worker, problem, CURE)


def misfits(client: Any, workers: Iterable[str] | None = None) -> dict[str, str]:
    """What is wrong with those of the workers that have other versions than this process, or no Assay."""
    try:
        answers: dict[str, Any] = client.run(versions, workers=workers and list(workers), on_error="return")
    except OSError as error:
        raise gone(client.scheduler.address) from error
    found = {}
    for worker, answer in answers.items():
        if isinstance(answer, OSError):  # it has left
            continue
        if isinstance(answer, BaseException):
            found[worker] = f"the worker cannot start Assay ({answer})"
        elif wrong := differences(versions(), answer):
            found[worker] = f"the worker has {', '.join(wrong)}"
    return found


def gone(address: str) -> BadCluster:
    """The message for a scheduler that does not answer any more."""
    return BadCluster(address, "the scheduler is gone", "start it and its workers, and run it again")


class Quiet:
    """Dask's own messages are turned off until `end`: what matters is said in Assay's words."""

    NAMES = ("distributed", "distributed.client", "distributed.core", "tornado.application", "asyncio")

    def __init__(self) -> None:
        self._levels = {name: logging.getLogger(name).level for name in self.NAMES}
        for name in self.NAMES:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)

    def end(self) -> None:
        """Let Dask speak again."""
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)
