"""Archives, file names and YAML that are sent: what is unpacked, and what would do harm and is refused."""

import gzip
import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from assay.errors import AssayError, BadOption
from assay.workbench.files.uploads import DEEPEST, Upload, UploadLimits, check_yaml, safe_name, unpacked
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
def test_names_that_lead_out_of_an_archive(inside: str, problem: str) -> None:
    with pytest.raises(AssayError, match=problem), unpacked([zipped("bad.zip", {inside: "x"})]):
        pass


def test_links_in_an_archive() -> None:
    entry = zipfile.ZipInfo("link.yaml")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    packed.seek(0)
    with pytest.raises(AssayError, match=r"^bad.zip/link.yaml: a link"), unpacked([Upload("bad.zip", packed)]):
        pass


def test_too_many_files_and_too_many_bytes() -> None:
    many = {f"{number}.txt": "x" for number in range(20)}
    with (
        pytest.raises(AssayError, match="more than 10 files"),
        unpacked([zipped("a.zip", many)], UploadLimits(files=10)),
    ):
        pass
    bomb = zipped("bomb.zip", {"a.txt": b"0" * 10_000_000})
    assert len(bomb.stream.read()) < 20_000
    bomb.stream.seek(0)
    with pytest.raises(AssayError, match="more than 1 MB"), unpacked([bomb], UploadLimits(size=1024**2)):
        pass
    packed = upload("a.txt.gz", gzip.compress(b"0" * 10_000_000))
    with pytest.raises(AssayError, match="more than 1 MB"), unpacked([packed], UploadLimits(size=1024**2)):
        pass


def test_an_archive_that_lies_about_its_sizes() -> None:
    lying = zipped("lie.zip", {"a.txt": b"0" * 10_000_000})
    content = bytearray(lying.stream.read())
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = struct.pack("<I", 100)
    with pytest.raises(AssayError), unpacked([upload("lie.zip", bytes(content))], UploadLimits(size=1024**2)):
        pass


@pytest.mark.parametrize(
    "broken",
    [
        upload("a.zip", b"not a zip"),
        upload("a.zip", b""),
        upload("a.txt.gz", b"\x1f\x8bnot gzip"),
        upload("a.txt.gz", gzip.compress(b"some text, and more of it")[:-9]),
    ],
)
def test_damaged_archives(broken: Upload) -> None:
    with pytest.raises(AssayError, match=r"^a\.(zip|txt\.gz): the (zip|gzip) file is"), unpacked([broken]):
        pass


def test_two_files_of_one_name() -> None:
    with pytest.raises(AssayError, match=r"^a.txt: two files"), unpacked([upload("a.txt", "1"), upload("a.txt", "2")]):
        pass


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a/..", "x" * 300, "a\0b"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(BadOption):
        safe_name(name)


@pytest.mark.parametrize("name", ["a.txt", "C:\\files\\a.txt", "/home/me/a.txt", "../../a.txt", " a.txt "])
def test_only_the_last_part_of_a_name_counts(name: str) -> None:
    assert safe_name(name) == "a.txt"


@pytest.mark.parametrize(
    "deep",
    [
        "a: " + "[" * 100_000,
        "- " * 100_000 + "x",
        "".join(" " * level + "a:\n" for level in range(300)),
        "{a: " * 100_000,
        "? " * 100_000,
    ],
)
def test_yaml_that_would_exhaust_the_stack(tmp_path: Path, deep: str) -> None:
    (tmp_path / "deep.yaml").write_text(deep, encoding="utf-8")
    with pytest.raises(AssayError, match=rf"^deep.yaml:\d+: nested deeper than {DEEPEST} levels"):
        check_yaml(tmp_path / "deep.yaml", "deep.yaml")


def test_yaml_whose_aliases_multiply(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 20)]
    (tmp_path / "bomb.yaml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(AssayError, match="aliases stand for too much"):
        check_yaml(tmp_path / "bomb.yaml", "bomb.yaml")


def test_ordinary_yaml_with_brackets_in_its_texts_passes(tmp_path: Path) -> None:
    text = "a: &a ['[[[[', {b: c}]\nb: *a\n" + "".join(f"c{number}: 'x [ {{'\n" for number in range(500))
    (tmp_path / "good.yaml").write_text(text, encoding="utf-8")
    check_yaml(tmp_path / "good.yaml", "good.yaml")


def test_the_folder_is_gone_afterwards() -> None:
    with unpacked([upload("a.txt", "x")]) as folder:
        assert (folder / "a.txt").read_text(encoding="utf-8") == "x"
    assert not folder.exists()
