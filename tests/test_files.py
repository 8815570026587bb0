"""Text in and out: lines, encodings, compression, writes that never tear."""

import gzip
import io
import os
import stat
import tempfile
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadFile
from assay.files import Lines, bare_name, read_lines, read_text, split_lines, suffix, writing, writing_folder
from tests.suites.building import listing


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb\n", ["a", "b"]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\r\nb\n", ["a", "b"]),
        ("\n", [""]),
        ("\n\n", ["", ""]),
        ("a\n\nb\n", ["a", "", "b"]),
        (" a \n", [" a "]),
        ("a\u2028b\n", ["a\u2028b"]),
        ("a\u2029b\n", ["a\u2029b"]),
        ("a\x0bb\n", ["a\x0bb"]),
        ("a\x0cb\n", ["a\x0cb"]),
        ("a\x1cb\x1db\x1eb\n", ["a\x1cb\x1db\x1eb"]),
        ("a\x85b\n", ["a\x85b"]),
        ("a\rb\n", ["a\rb"]),
        ("a\r\r\n", ["a\r"]),
        ("a\r", ["a\r"]),
        ("a\n\r", ["a", "\r"]),
    ],
)
def test_lines_end_at_newline_or_carriage_return_newline_only(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@given(st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])), min_size=1))
def test_lines_joined_by_newlines_are_split_into_themselves(lines: list[str]) -> None:
    lines = [line.removesuffix("\r") for line in lines]
    assert split_lines("\n".join(lines) + "\n") == [line.removesuffix("\r") for line in lines]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"\xef\xbb\xbfeins\nzwei\n", ["eins", "zwei"]),
        (b"eins\r\nzwei\r\n", ["eins", "zwei"]),
        ("Käse\n🧀\n".encode(), ["Käse", "🧀"]),
        (b"eins\xe2\x80\xa8zwei\n", ["eins\u2028zwei"]),
    ],
)
def test_a_file_is_read_as_utf_8_lines(tmp_path: Path, data: bytes, lines: list[str]) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes(data)
    assert read_lines(file) == lines


def test_a_gzip_file_is_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "text.txt.gz"
    file.write_bytes(gzip.compress(b"\xef\xbb\xbfeins\r\nzwei\r\n"))
    assert read_lines(file) == ["eins", "zwei"]


def test_a_minus_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"eins\nzwei\n")))
    assert read_lines(Path("-")) == ["eins", "zwei"]


@pytest.mark.parametrize("size", [1, 5, 10, 15, 30, -8, -1])
def test_a_truncated_gzip_file_is_named(tmp_path: Path, size: int) -> None:
    file = tmp_path / "text.txt.gz"
    file.write_bytes(gzip.compress(b"one line\nanother line\n" * 9)[:size])
    with pytest.raises(BadFile, match=r"text\.txt\.gz: the gzip file is truncated or damaged"):
        read_text(file)


def test_a_text_file_called_gz_is_a_damaged_gzip_file(tmp_path: Path) -> None:
    file = tmp_path / "text.gz"
    file.write_text("not packed\n", encoding="utf-8")
    with pytest.raises(BadFile, match="truncated or damaged"):
        read_text(file)


@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (b"gut\nsch\xf6n\n", 2, "0xf6"),
        (b"\xffgut\n", 1, "0xff"),
        (b"gut\n\n\nabgeschnitten \xc3", 4, "0xc3"),
        (b"\xef\xbb\xbfgut\nsch\xf6n\n", 2, "0xf6"),
        (b"\xef\xbb\xbfa\n\xf6\n", 2, "0xf6"),
    ],
)
def test_what_is_not_utf_8_is_named_by_line_and_byte(tmp_path: Path, data: bytes, line: int, byte: str) -> None:
    file = tmp_path / "latin.txt"
    file.write_bytes(data)
    with pytest.raises(BadFile) as caught:
        read_text(file)
    assert str(caught.value).startswith(f"{file}:{line}: not UTF-8 (byte {byte})")


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_error(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "empty.txt"
    file.write_bytes(data)
    with pytest.raises(BadFile, match=r"empty\.txt: the file is empty"):
        read_text(file)


def test_an_empty_gzip_file_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "empty.txt.gz"
    file.write_bytes(gzip.compress(b""))
    with pytest.raises(BadFile, match="the file is empty"):
        read_text(file)


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="a folder where a file is expected"):
        read_text(tmp_path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"nowhere\.txt: there is no such file"):
        read_text(tmp_path / "nowhere.txt")


def test_a_path_through_a_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    with pytest.raises(BadFile, match="cannot be read"):
        read_text(tmp_path / "file.txt" / "below.txt")


@pytest.mark.parametrize(
    ("name", "bare", "kind"),
    [
        ("items.json", "items.json", ".json"),
        ("items.JSON.gz", "items.JSON", ".json"),
        ("a.b.tsv", "a.b.tsv", ".tsv"),
        ("plain", "plain", ""),
        (".gz", "", ""),
    ],
)
def test_gz_is_no_part_of_a_name_or_its_format(name: str, bare: str, kind: str) -> None:
    assert (bare_name(Path("folder") / name), suffix(Path("folder") / name)) == (bare, kind)


# Writing


def test_what_is_written_replaces_the_file_when_the_block_ends(tmp_path: Path) -> None:
    file = tmp_path / "result.txt"
    file.write_text("old", encoding="utf-8")
    with writing(file) as stream:
        stream.write("neu 🌱\n")
        stream.flush()
        assert file.read_text(encoding="utf-8") == "old"
    assert listing(tmp_path) == {"result.txt": "neu 🌱\n".encode()}


@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, old: bytes | None, error: type[BaseException]
) -> None:
    file = tmp_path / "result.txt"
    if old is not None:
        file.write_bytes(old)
    before = listing(tmp_path)

    def half() -> None:
        with writing(file) as stream:
            stream.write("half of it")
            raise error

    with pytest.raises(error):
        half()
    assert listing(tmp_path) == before


def test_newlines_are_written_as_they_are(tmp_path: Path) -> None:
    with writing(tmp_path / "result.txt") as stream:
        stream.write("a\r\nb\nc\r")
    assert (tmp_path / "result.txt").read_bytes() == b"a\r\nb\nc\r"


def test_a_new_file_has_the_mode_that_open_gives(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").open("w").close()
    with writing(tmp_path / "result.txt") as stream:
        stream.write("x")
    assert (tmp_path / "result.txt").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "result.txt"
    file.touch()
    file.chmod(0o640)
    with writing(file) as stream:
        stream.write("x")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize("target", ["nowhere/result.txt", "file.txt/result.txt", "folder"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, target: str) -> None:
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    before = listing(tmp_path)
    with pytest.raises(BadFile, match=rf"{target}: cannot be written"), writing(tmp_path / target) as stream:
        stream.write("x")
    assert listing(tmp_path) == before


def test_a_folder_without_write_permission_is_an_error(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    # Root may write everywhere but where the system itself keeps its files.
    folder = locked if os.geteuid() else Path("/sys")
    with pytest.raises(BadFile, match="cannot be written"), writing(folder / "result.txt") as stream:
        stream.write("x")
    assert not (folder / "result.txt").exists()


def test_a_file_name_that_is_too_long_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be written"), writing(tmp_path / ("x" * 300)) as stream:
        stream.write("x")
    assert listing(tmp_path) == {}


def test_a_symbolic_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old", encoding="utf-8")
    (tmp_path / "link.txt").symlink_to("real.txt")
    with writing(tmp_path / "link.txt") as stream:
        stream.write("new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text(encoding="utf-8") == "new"


def test_a_pipe_is_written_into_and_not_replaced(tmp_path: Path) -> None:
    """As `-o /dev/stdout` or `-o >(less)` would be."""
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    with writing(pipe) as stream:
        stream.write("through")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    reader.join(5)
    assert got == ["through"]


def test_a_file_called_gz_is_packed(tmp_path: Path) -> None:
    with writing(tmp_path / "result.txt.gz") as stream:
        stream.write("eins\nzwei\n")
    assert read_lines(tmp_path / "result.txt.gz") == ["eins", "zwei"]


# Folders


def test_a_folder_appears_when_the_block_ends(tmp_path: Path) -> None:
    target = tmp_path / "new" / "suite"
    with writing_folder(target) as folder:
        (folder / "a.txt").write_text("a", encoding="utf-8")
        assert not target.exists()
    assert listing(tmp_path) == {"new": None, "new/suite": None, "new/suite/a.txt": b"a"}


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with writing_folder(tmp_path / "x") as folder:
        (folder / "a.txt").write_text("a", encoding="utf-8")
    assert listing(tmp_path) == {"x": None, "x/a.txt": b"a"}


def test_a_folder_with_files_is_kept_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "old.txt").write_text("old", encoding="utf-8")
    with pytest.raises(BadFile, match="the folder is not empty"), writing_folder(tmp_path / "x"):
        pass
    assert listing(tmp_path) == {"x": None, "x/old.txt": b"old"}
    with writing_folder(tmp_path / "x", force=True) as folder:
        (folder / "new.txt").write_text("new", encoding="utf-8")
    assert listing(tmp_path) == {"x": None, "x/new.txt": b"new"}


@pytest.mark.parametrize("target", ["x", "new/deep/y"])
def test_a_failure_leaves_the_old_folder_and_nothing_else(tmp_path: Path, target: str) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "old.txt").write_text("old", encoding="utf-8")
    before = listing(tmp_path)

    def half() -> None:
        with writing_folder(tmp_path / target, force=True) as folder:
            (folder / "new.txt").write_text("new", encoding="utf-8")
            raise ValueError("half way")

    with pytest.raises(ValueError, match="half"):
        half()
    assert listing(tmp_path) == before


@pytest.mark.parametrize(
    ("target", "problem"), [("file.txt", "a file stands where"), ("file.txt/below", "cannot be written")]
)
def test_a_file_in_the_way_of_a_folder_is_named(tmp_path: Path, target: str, problem: str) -> None:
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    with pytest.raises(BadFile, match=problem), writing_folder(tmp_path / target):
        pass
    assert listing(tmp_path) == {"file.txt": b"x"}


def test_a_written_folder_has_the_mode_that_mkdir_gives(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with writing_folder(tmp_path / "x"):
        pass
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "plain").stat().st_mode


@given(st.text(alphabet=st.sampled_from("ab\n\r\u2028é😀 "), min_size=1))
def test_lazy_lines_are_those_of_split_lines(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lines.txt"
        file.write_bytes(text.encode())
        lines = Lines(file)
        assert list(lines) == split_lines(text)
        assert lines[:] == split_lines(text)
        assert lines.pick(range(len(lines))[::-1]) == split_lines(text)[::-1]


def test_a_private_file_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "key.tsv"
    file.write_text("old")
    file.chmod(0o644)
    with writing(file, private=True) as stream:
        stream.write("new")
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o600)
