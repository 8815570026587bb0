"""What all tests share: the command as users run it, and the real data where it is present."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from assay.store import Store
    from tests.databases import Server

ROOT = Path(__file__).parent.parent

settings.register_profile("quick", deadline=None, print_blob=True, max_examples=40)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=200)
settings.load_profile(os.environ.get("ASSAY_EXAMPLES", "quick"))

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would the commands they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def assay(tmp_path: Path) -> Run:
    """Runs the real command in an empty folder; `assay("evaluate", "de-en", …, code=0, stdin="")`."""

    def run(
        *arguments: str | Path, code: int = 0, stdin: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        clean = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR", "NO_COLOR")
        }
        done = subprocess.run(
            [sys.executable, "-m", "assay", *map(str, arguments)],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env={**clean, "PYTHONIOENCODING": "utf-8", **environment},
            check=False,
        )
        assert done.returncode == code, f"exit code {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return run


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
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database; every test that uses it runs on both kinds."""
    if request.param == "sqlite":
        yield str(tmp_path / "assay.db")
        return
    with request.getfixturevalue("postgresql").database() as found:
        yield found


@pytest.fixture
def store(address: str) -> Iterator["Store"]:
    """A new database with its tables."""
    from assay.store import Store

    made = Store.create(address)
    yield made
    made.close()
