"""Use case: open a database for the server. Whoever is not on this machine needs an account."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from ipaddress import ip_address
from pathlib import Path
from tempfile import NamedTemporaryFile

from assay.errors import BadOption
from assay.prediction import Predictor
from assay.workbench.db.audit import logged_in_from
from assay.workbench.db.database import Store
from assay.workbench.db.people import count_accounts
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import User
from assay.workbench.queue.suggester_pool import Opinions
from assay.workbench.state import State


def open_state(
    address: str, host: str, *, max_upload: int, opinions: Opinions | None, predictor: Predictor | None = None
) -> State:
    """What a server starts with; it knows who has logged in from where before."""
    state = State(*open_store(address, host), max_upload=max_upload, opinions=opinions, predictor=predictor)
    with state.store.reading() as db:
        state.log_ins.remember(logged_in_from(db))
    return state


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


def is_local(host: str) -> bool:
    """Whether an address answers this machine only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def log_to_terminal() -> None:
    """What the workbench has to say, with the time, below what the command printed."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    log = logging.getLogger("assay.workbench")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False


@contextmanager
def redirecting_file(address: str) -> Iterator[str]:
    """A page that only its owner can read and that leads to an address.

    Everybody on the machine can read the command lines of processes, and a browser's has what it is to open.
    """
    with NamedTemporaryFile("w", prefix="assay-", suffix=".html", encoding="utf-8", delete=False) as stream:
        stream.write(f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={escape(address)}">\n')
    try:
        yield Path(stream.name).as_uri()
    finally:
        Path(stream.name).unlink(missing_ok=True)
