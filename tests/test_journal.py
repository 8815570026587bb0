"""Files that grow while a run goes on."""

from pathlib import Path

import pytest

from assay.errors import BadFile
from assay.journal import JournalFile, whole_lines


@pytest.mark.parametrize(
    ("content", "whole"), [(b"", b""), (b"on", b""), (b"one\n", b"one\n"), (b"one\ntw", b"one\n"), (b"\n\n", b"\n\n")]
)
def test_a_line_counts_when_it_has_its_end(content: bytes, whole: bytes) -> None:
    assert whole_lines(content) == whole


def test_lines_are_on_the_disk_and_are_read_again(tmp_path: Path) -> None:
    with JournalFile(tmp_path / "x") as journal:
        journal.write_lines(b"one\ntw")
        assert (tmp_path / "x").read_bytes() == b"one\ntw"
    with JournalFile(tmp_path / "x") as journal:
        assert journal.read() == b"one\ntw"
        journal.truncate(4)
        journal.write_lines(b"two\n")
    assert (tmp_path / "x").read_bytes() == b"one\ntwo\n"


def test_a_second_run_is_refused_until_the_first_has_closed_it(tmp_path: Path) -> None:
    with JournalFile(tmp_path / "x", alone=True), pytest.raises(BadFile, match="another run is writing it"):
        JournalFile(tmp_path / "x", alone=True)
    JournalFile(tmp_path / "x", alone=True).close()


@pytest.mark.parametrize(("name", "problem"), [("none/x", "there is no folder .*; make it first"), ("", "directory")])
def test_what_cannot_be_written_is_named(tmp_path: Path, name: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        JournalFile(tmp_path / name)
