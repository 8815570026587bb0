"""Use case: open a database for the server. Whoever is not on this machine needs an account."""

from collections.abc import Callable
from ipaddress import ip_address
from socket import socket

import uvicorn

from assay.errors import BadOption
from assay.workbench.db.database import Store
from assay.workbench.db.people import count_accounts
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import User


def open_store(address: str, host: str) -> tuple[Store, User | None]:
    """The database, made where there is none, and the local user where there are no accounts."""
    store = Store.ready(address) if is_local(host) else Store.open(address)
    with store.reading() as db:
        accounts = count_accounts(db)
    if accounts:
        return store, None
    if not is_local(host):
        store.close()
        raise BadOption(
            f"listening at {host} lets others in, and there are no accounts; make one with: assay user add NAME"
        )
    return store, local_user(store)


class EndingServer(uvicorn.Server):
    """uvicorn's, but what requests wait for is ended first: it waits for them before it ends itself."""

    def __init__(self, config: uvicorn.Config, close: Callable[[], None]) -> None:
        super().__init__(config)
        self._close = close

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        self._close()
        await super().shutdown(sockets)


def is_local(host: str) -> bool:
    """Whether an address answers this machine only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
