"""Reaching a Dask cluster, and making sure of it before any work: is it there, has it workers, do versions fit?

client = connect(address_of("tcp://10.0.0.7:8786"), wait=60)
wait_for_workers(client, 60, print)
check_versions(client)
"""

import json
import logging
import re
from pathlib import Path
from typing import Any

from assay.engine.errors import BadCluster
from assay.engine.local import Tell
from assay.engine.versions import differences, versions
from assay.model import BadFile, BadOption, MissingExtra

_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?[^\s/]+:\d+")

WAIT = 60.0
"""Seconds for which workers are waited for."""

CONNECT = 10.0
"""Seconds for which a scheduler is tried, at most."""


def address_of(given: str) -> str:
    """The address as given, or as Dask's own configuration has it; `FILE.json` is a scheduler file."""
    try:
        import dask
        import distributed
    except ImportError as error:
        raise MissingExtra("--engine dask", "pip install 'assay-mt[dask]'") from error
    assert distributed
    address = given or dask.config.get("scheduler-address", None) or dask.config.get("scheduler-file", None)
    if not address:
        raise BadOption(
            "--engine dask knows no scheduler; give --engine dask:tcp://HOST:8786, or set DASK_SCHEDULER_ADDRESS"
        )
    if str(address).endswith(".json"):
        address = _in_scheduler_file(Path(address))
    if not _ADDRESS.fullmatch(address):
        raise BadOption(f"--engine dask:{address}: not an address of a scheduler; it looks like tcp://HOST:8786")
    return str(address)


def _in_scheduler_file(path: Path) -> str:
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["address"])
    except OSError as error:
        cure = "start one with: dask scheduler --scheduler-file FILE"
        raise BadCluster(str(path), f"no scheduler has written this file ({error.strerror})", cure) from error
    except (ValueError, KeyError, TypeError) as error:
        raise BadFile(path, "not a scheduler file of Dask", cure="name the file of a running scheduler") from error


def connect(address: str, wait: float) -> Any:
    """A client of the scheduler at this address."""
    from distributed import Client

    make: Any = Client
    try:
        return make(address, timeout=min(wait, CONNECT), set_as_default=False, name="assay")
    except (OSError, TimeoutError) as error:
        raise BadCluster(
            address, "no scheduler answers there", "start one (dask scheduler), or correct the address"
        ) from error


def wait_for_workers(client: Any, wait: float, tell: Tell) -> None:
    """Return as soon as there is a worker."""
    address = client.scheduler.address
    if client.nthreads():
        return
    tell(f"{address}: the scheduler has no workers; waiting {wait:g} s for one")
    try:
        client.wait_for_workers(1, timeout=wait)
    except TimeoutError as error:
        raise BadCluster(
            address, f"no worker came in {wait:g} s", f"start some (dask worker {address}), or wait longer with --wait"
        ) from error
    except OSError as error:
        raise gone(address) from error


def check_versions(client: Any) -> None:
    """Refuse a cluster that has other versions than this process."""
    try:
        answers: dict[str, Any] = client.run(versions, on_error="return")
    except OSError as error:
        raise gone(client.scheduler.address) from error
    for worker, found in sorted(answers.items()):
        if isinstance(found, BaseException):
            problem = f"the worker cannot start Assay ({type(found).__name__}: {found})"
        else:
            wrong = differences(versions(), found)
            if not wrong:
                continue
            problem = f"the worker has {', '.join(wrong)}"
        raise BadCluster(worker, problem, "install the same versions on all machines")


def gone(address: str) -> BadCluster:
    """The message for a scheduler that does not answer any more."""
    return BadCluster(address, "the scheduler is gone", "start it and its workers, and run it again")


class Quiet:
    """Dask's own messages are turned off until `end`: what matters is said in Assay's words."""

    NAMES = ("distributed", "distributed.client", "distributed.core", "tornado.application")

    def __init__(self) -> None:
        self._levels = {name: logging.getLogger(name).level for name in self.NAMES}
        for name in self.NAMES:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)

    def end(self) -> None:
        """Let Dask speak again."""
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)
