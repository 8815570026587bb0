"""What tests of several commands share: a run that must be refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.formats.building import listing

Refused = Callable[..., str]


@pytest.fixture
def refused(assay: Run, tmp_path: Path) -> Refused:
    """Runs a command that must be refused in one line with exit code 2 and leave the folder as it was."""

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
