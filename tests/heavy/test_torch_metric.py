"""The example of a metric in torch, with a small model that is made here."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from assay.challenge.files.sets import write_challenge
from tests.challenge.test_plugins import EXAMPLE, SET, assay, installed


def test_the_example_with_torch(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    entries = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]["entry-points"]["assay.metrics"]
    code = (EXAMPLE / "charlm_metric.py").read_text(encoding="utf-8")
    environment = installed(tmp_path / "site", "charlm_metric", code, entries)
    make = (
        "import torch, charlm_metric as c; torch.manual_seed(1); torch.save(c.CharacterModel(8).state_dict(), 'm.pt')"
    )
    subprocess.run([sys.executable, "-c", make], cwd=tmp_path, check=True, env=environment)
    write_challenge(SET, tmp_path / "set.tsv", None)
    metric = f"charlm:{tmp_path / 'm.pt'},device=cpu"
    done = assay("score", tmp_path / "set.tsv", "-m", metric, "-o", tmp_path / "out", environment=environment)
    assert done.returncode == 0, done.stderr
    rows = (tmp_path / "out" / "charlm.tsv").read_text().splitlines()[2:]
    values = [float(cell) for row in rows for cell in row.split("\t")[1:]]
    assert len(values) == 120
    assert all(-20 < value < 0 for value in values)
