"""A folder takes the place of another in one step; what killed runs left is named and cleared away."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from assay import replacement
from assay.files import writing, writing_folder
from assay.replacement import put_folder, temporary_folder


def filled(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "file").write_text(text)
    return folder


def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.parametrize("exchanges", [True, False])
def test_a_folder_is_replaced(tmp_path: Path, exchanges: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not exchanges:
        monkeypatch.setattr(replacement, "_exchange", lambda a, b: False)
    target = filled(tmp_path / "suite", "old")
    put_folder(filled(temporary_folder(target), "new"), target)
    assert (target / "file").read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two names")
def test_there_is_no_moment_without_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = filled(tmp_path / "suite", "old")
    new = filled(temporary_folder(target), "new")
    monkeypatch.setattr(Path, "rename", lambda self, other: pytest.fail("a second step"))
    put_folder(new, target)
    assert (target / "file").read_text() == "new"


def test_what_a_killed_run_left_is_named_and_removed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    target = tmp_path / "suite"
    left = filled(tmp_path / f".assay-suite.{socket.gethostname()}.{dead()}.x", "half")
    with writing_folder(target) as folder:
        filled(folder, "new")
    assert not left.exists()
    assert f"{left}: removed" in caplog.text


def test_a_folder_that_a_killed_run_had_moved_aside_is_put_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    target = tmp_path / "suite"
    aside = tmp_path / f".assay-old-suite.{socket.gethostname()}.{dead()}.x"
    aside.mkdir()
    filled(aside / "folder", "old")
    temporary_folder(target)
    assert (target / "file").read_text() == "old"
    assert "put back" in caplog.text


@pytest.mark.parametrize(
    "name",
    [
        f".assay-suite.{socket.gethostname()}.{os.getpid()}.x",  # this process runs
        ".assay-suite.another-machine.1.x",
        f".assay-other.{socket.gethostname()}.999999999.x",
        f".assay-suite.{socket.gethostname()}.nobody.x",
    ],
    ids=["this process", "another machine", "another target", "no number"],
)
def test_what_others_write_is_left_alone(tmp_path: Path, name: str) -> None:
    theirs = filled(tmp_path / name, "theirs")
    with writing_folder(tmp_path / "suite") as folder:
        filled(folder, "new")
    assert (theirs / "file").read_text() == "theirs"


def test_files_of_killed_runs_are_removed_too(tmp_path: Path) -> None:
    left = tmp_path / f".assay-table.csv.{socket.gethostname()}.{dead()}.x"
    left.write_text("half")
    with writing(tmp_path / "table.csv") as stream:
        stream.write("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
