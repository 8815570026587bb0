"""One limit for a text and one for a file, and how a user raises them."""

import gzip
import io
import sys
from pathlib import Path

import pytest

from assay.errors import BadFile, BadOption
from assay.files import read_text
from assay.limits import largest_file, longest_text


def test_the_limits_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (longest_text(), largest_file()) == (100_000, 1024**3)
    monkeypatch.setenv("ASSAY_MAX_TEXT", "7")
    monkeypatch.setenv("ASSAY_MAX_FILE", "2")
    assert (longest_text(), largest_file()) == (7, 2 * 1024**2)


@pytest.mark.parametrize("value", ["0", "-1", "many", "1e6", "²"])
def test_a_limit_is_a_whole_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("ASSAY_MAX_TEXT", value)
    with pytest.raises(BadOption, match="ASSAY_MAX_TEXT is a whole number above 0"):
        longest_text()


@pytest.mark.parametrize("name", ["large.txt", "large.txt.gz", "-"])
def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("ASSAY_MAX_FILE", "1")
    data = b"a" * (1024**2 + 1)
    path = Path("-") if name == "-" else tmp_path / name
    if name == "-":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    else:
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises(BadFile, match="more than 1 MB, unpacked; split it, or raise ASSAY_MAX_FILE"):
        read_text(path)


def test_a_gzip_file_within_the_limit_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_MAX_FILE", "1")
    file = tmp_path / "just.txt.gz"
    file.write_bytes(gzip.compress(b"a" * 1024**2))
    assert len(read_text(file)) == 1024**2
