"""What tests of several commands share: a run that must be refused, and a cluster."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import Run
from tests.formats.building import listing

if TYPE_CHECKING:
    from tests.engine.clusters import Cluster

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


@pytest.fixture(scope="package")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Cluster]":
    """Two workers; who adds one takes it away again."""
    pytest.importorskip("distributed")
    from tests.engine.clusters import Cluster

    with Cluster(tmp_path_factory.mktemp("cluster")) as made:
        for _ in range(2):
            made.start_worker()
        made.wait_for(2)
        yield made
