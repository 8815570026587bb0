"""`assay serve --suggester`: it starts and ends with one, and says what is wrong with it before anything is made."""

from pathlib import Path

import pytest

from tests.conftest import Run
from tests.workbench.test_cli_serve import serving


@pytest.mark.parametrize(
    ("spec", "code", "words"),
    [
        ("opnai:model=qwen3", 2, "no suggester 'opnai'; did you mean openai?"),
        ("openai:model=qwen3,key_env=NOBODY_HAS_THIS", 3, "openai needs a key: set NOBODY_HAS_THIS"),
    ],
)
def test_one_that_cannot_be_used(assay: Run, tmp_path: Path, spec: str, code: int, words: str) -> None:
    (line,) = assay("serve", "--no-open", "--port", "0", "--suggester", spec, code=code).stderr.splitlines()
    assert line.startswith(f"assay: {words}")
    assert list(tmp_path.iterdir()) == []


def test_one_that_can(tmp_path: Path) -> None:
    with serving(tmp_path, "--suggester", "openai:model=qwen3,base_url=http://127.0.0.1:9/v1") as served:
        assert served.ask("GET", "/api/v1/me")[0] == 200
    assert served.process.returncode in (0, 130)
