"""A cluster that the tests of this folder share: who adds a worker takes it away again."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.engine.clusters import Cluster


@pytest.fixture(scope="package")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Cluster]":
    """Two workers; only the second has a GPU, or says so."""
    pytest.importorskip("distributed")
    from tests.engine.clusters import Cluster

    with Cluster(tmp_path_factory.mktemp("cluster")) as made:
        made.start_worker()
        made.start_worker("--resources", "GPU=1")
        made.wait_for(2)
        yield made


@pytest.fixture
def told() -> list[str]:
    return []
