"""Reaching the scheduler of a Dask cluster.

client = connect(address_of("tcp://10.0.0.7:8786"), wait=60)
"""

import asyncio
import json
import logging
import re
from pathlib import Path
from typing import Any

from assay.errors import BadFile, BadOption, MissingExtra
from assay.parallel.executor import BadCluster

_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?[^\s/]+:\d+")

CONNECT = 1.0, 10.0
"""Seconds for which a scheduler is tried, at least and at most."""


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
