"""What all tests share: the command as users run it, and the real data where it is present."""

import gc
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.commands import Commands

if TYPE_CHECKING:
    from assay.workbench.db.database import Store
    from tests.databases import Server
    from tests.parallel.clusters import Cluster

ROOT = Path(__file__).parent.parent

settings.register_profile("quick", deadline=None, print_blob=True, max_examples=40)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=200)
settings.load_profile(os.environ.get("ASSAY_EXAMPLES", "quick"))

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would the commands they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """What has been imported and collected stays to the end: the collector need not walk it again and again."""
    gc.freeze()


Run = Callable[..., subprocess.CompletedProcess[str]]
Refused = Callable[..., str]


@pytest.fixture(scope="session")
def commands() -> Iterator[Commands]:
    """What runs commands."""
    with Commands() as made:
        yield made


@pytest.fixture
def assay(commands: Commands, tmp_path: Path) -> Run:
    """Runs the real command in an empty folder; `assay("evaluate", "de-en", …, code=0, stdin="")`."""

    def run(
        *arguments: str | Path, code: int = 0, stdin: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        clean = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR", "NO_COLOR")
        }
        done = commands.run(arguments, tmp_path, {**clean, **environment}, stdin)
        assert done.returncode == code, f"exit code {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return run


@pytest.fixture
def refused(assay: Run, tmp_path: Path) -> Refused:
    """Runs a command that must be refused in one line with exit code 2 and leave the folder as it was."""
    from tests.suites.building import listing

    def run(*arguments: str | Path, stdin: str = "") -> str:
        before = listing(tmp_path)
        done = assay(*arguments, code=2, stdin=stdin)
        assert done.stderr.startswith("assay: ")
        assert done.stderr.endswith("\n")
        assert done.stderr.count("\n") == 1, done.stderr
        assert done.stdout == ""
        assert listing(tmp_path) == before
        return done.stderr.removeprefix("assay: ").removesuffix("\n")

    return run


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Cluster]":
    """Two Dask workers; only the second has a GPU, or says so. Who adds a worker takes it away again."""
    pytest.importorskip("distributed")
    from tests.parallel.clusters import Cluster

    with Cluster(tmp_path_factory.mktemp("cluster")) as made:
        made.start_worker()
        made.start_worker("--resources", "GPU=1")
        made.wait_for(2)
        yield made


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real suites and outputs, which is not part of the repository."""
    folder = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}; set ASSAY_DATA to the folder that has it")
    return folder


@pytest.fixture(scope="session")
def postgresql() -> Iterator["Server"]:
    """A real PostgreSQL server, started when the first test asks for it."""
    from tests.databases import Server

    server = Server()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of the database; every test that has one runs on both."""
    return str(request.param)


@pytest.fixture
def address(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database."""
    if kind == "sqlite":
        yield str(tmp_path / "assay.db")
        return
    with request.getfixturevalue("postgresql").database() as found:
        yield found


@pytest.fixture(scope="session")
def sqlite_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite database with its tables and nothing in them, to be copied: that takes a quarter of the time."""
    from assay.workbench.db.database import Store

    path = tmp_path_factory.mktemp("tables") / "assay.db"
    Store.create(str(path)).close()
    return path


@pytest.fixture
def store(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator["Store"]:
    """A database with its tables; a new one for a test that asks for its address as well."""
    from assay.workbench.db.database import Store

    with ExitStack() as stack:
        if "address" in request.fixturenames:
            made = Store.create(request.getfixturevalue("address"))
        elif kind == "sqlite":
            tables = request.getfixturevalue("sqlite_tables")
            made = Store.open(str(copy(tables, tmp_path / "assay.db")))
        else:
            made = Store.open(stack.enter_context(request.getfixturevalue("postgresql").emptied()))
        yield made
        made.close()
