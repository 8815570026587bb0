"""A workbench with accounts, for tests that ask it."""

from collections.abc import Iterator

import pytest
from httpx import Client

from assay.outputs import load_outputs
from assay.workbench.db.database import Store
from assay.workbench.files.importer import Import
from assay.workbench.people.accounts import add_account
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import ROLES
from assay.workbench.state import State
from tests.starter import OUTPUTS, SUITE
from tests.workbench.web.clients import PASSWORD, browser


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    """A suite with outputs, and an account of every role, called by it."""
    store = Store.create(str(tmp_path_factory.mktemp("web") / "assay.db"))
    local = local_user(store)
    Import(SUITE, load_outputs(SUITE, [str(path) for path in OUTPUTS], campaign="WMT21"), "test").run(store, local)
    for role in reversed(ROLES):
        add_account(store, local, name=role, role=role, password=PASSWORD)
    yield State(store, max_upload=1024 * 1024)
    store.close()


@pytest.fixture
def anonymous(state: State) -> Client:
    return browser(state)
