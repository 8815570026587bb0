"""Archives and file names that are sent: what is unpacked, and what would do harm and is refused."""

import gzip
import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from assay.errors import AssayError, BadOption
from assay.workbench.files.archives import Upload, UploadLimits, safe_name, unpack
from tests.workbench.uploads import upload, zipped


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ("../suite.yaml", "leads out"),
        ("a/../../b.yaml", "leads out"),
        ("/etc/passwd", "leads out"),
        ("C:\\Windows\\suite.yaml", "leads out"),
        ("C:suite.yaml", "leads out"),
        ("a\\..\\b.yaml", "leads out"),
    ],
)
def test_names_that_lead_out_of_an_archive(tmp_path: Path, inside: str, problem: str) -> None:
    with pytest.raises(AssayError, match=problem):
        unpack([zipped("bad.zip", {inside: "x"})], tmp_path)


def test_links_in_an_archive(tmp_path: Path) -> None:
    entry = zipfile.ZipInfo("link.yaml")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    packed.seek(0)
    with pytest.raises(AssayError, match=r"^bad.zip/link.yaml: a link"):
        unpack([Upload("bad.zip", packed)], tmp_path)


def test_too_many_files_and_too_many_bytes(tmp_path: Path) -> None:
    many = {f"{number}.txt": "x" for number in range(20)}
    with pytest.raises(AssayError, match="more than 10 files"):
        unpack([zipped("a.zip", many)], tmp_path, UploadLimits(files=10))
    bomb = zipped("bomb.zip", {"a.txt": b"0" * 10_000_000})
    assert len(bomb.stream.read()) < 20_000
    bomb.stream.seek(0)
    with pytest.raises(AssayError, match="more than 1 MB"):
        unpack([bomb], tmp_path, UploadLimits(size=1024**2))
    packed = upload("a.txt.gz", gzip.compress(b"0" * 10_000_000))
    with pytest.raises(AssayError, match="more than 1 MB"):
        unpack([packed], tmp_path, UploadLimits(size=1024**2))


def test_an_archive_that_lies_about_its_sizes(tmp_path: Path) -> None:
    lying = zipped("lie.zip", {"a.txt": b"0" * 10_000_000})
    content = bytearray(lying.stream.read())
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = struct.pack("<I", 100)
    with pytest.raises(AssayError):
        unpack([upload("lie.zip", bytes(content))], tmp_path, UploadLimits(size=1024**2))


def misplaced(name: str) -> Upload:
    """An archive whose list of files is said to be further on than it is."""
    content = bytearray(zipped(name, {"a.txt": b"x"}).stream.read())
    content[content.rindex(b"PK\x05\x06") + 16] += 1
    return upload(name, bytes(content))


@pytest.mark.parametrize(
    "broken",
    [
        misplaced("a.zip"),
        upload("a.zip", b"not a zip"),
        upload("a.zip", b""),
        upload("a.txt.gz", b"\x1f\x8bnot gzip"),
        upload("a.txt.gz", gzip.compress(b"some text, and more of it")[:-9]),
    ],
)
def test_damaged_archives(tmp_path: Path, broken: Upload) -> None:
    with pytest.raises(AssayError, match=r"^a\.(zip|txt\.gz): the (zip|gzip) file is"):
        unpack([broken], tmp_path)


def test_two_files_of_one_name(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match=r"^a.txt: two files"):
        unpack([upload("a.txt", "1"), upload("a.txt", "2")], tmp_path)


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a/..", "x" * 300, "a\0b"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(BadOption):
        safe_name(name)


@pytest.mark.parametrize("name", ["a.txt", "C:\\files\\a.txt", "/home/me/a.txt", "../../a.txt", " a.txt "])
def test_only_the_last_part_of_a_name_counts(name: str) -> None:
    assert safe_name(name) == "a.txt"
