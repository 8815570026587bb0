"""What tests of executors share."""

import pytest


@pytest.fixture
def told() -> list[str]:
    return []
