"""Text files in and out: UTF-8, gzip, standard input; errors that name the place; writes that never tear.

lines = read_lines(Path("newstest2021.de-en.src.de.gz"))
with writing(Path("table.json")) as stream:
    stream.write("{}")
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp, mkstemp
from typing import TextIO

from assay.model import BadFile

STDIN = Path("-")


def read_text(path: Path) -> str:
    """The text of a file (`-` is standard input), without its byte order mark. An empty file is an error."""
    data = _read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile(
            path,
            f"not UTF-8 (byte 0x{data[error.start]:02x})",
            line=line,
            cure="convert the file to UTF-8, for example with iconv",
        ) from None
    if not text:
        raise BadFile(path, "the file is empty")
    return text


def _read_bytes(path: Path) -> bytes:
    if path == STDIN:
        return sys.stdin.buffer.read()
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadFile(path, "there is no such file") from None
    except IsADirectoryError:
        raise BadFile(path, "a folder where a file is expected", cure=f"name its files: {path}/*") from None
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror})") from None
    return _unzip(path, data) if path.suffix == ".gz" else data


def _unzip(path: Path, data: bytes) -> bytes:
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BadFile(path, f"the gzip file is truncated or damaged ({error})", cure="fetch it again") from None


def split_lines(text: str) -> list[str]:
    r"""Lines end at `\n` or `\r\n` only: `str.splitlines` would also split at U+2028 and shift the rest."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if "\r" in text:
        return [line.removesuffix("\r") for line in lines]
    return lines


def read_lines(path: Path) -> list[str]:
    """The lines of a text file."""
    return split_lines(read_text(path))


def bare_name(path: Path) -> str:
    """File name without `.gz`."""
    return path.name.removesuffix(".gz")


def suffix(path: Path) -> str:
    """The suffix that tells the format, lower case, `.gz` ignored."""
    return Path(bare_name(path)).suffix.lower()


@contextmanager
def writing(path: Path) -> Iterator[TextIO]:
    """A stream whose text replaces the file when the block ends well, and is thrown away when it fails."""
    with _beside(path) as beside, beside.open("w", encoding="utf-8", newline="") as stream:
        yield stream


def write_bytes(content: bytes, path: Path) -> None:
    """Replace a file, whole or not at all."""
    with _beside(path) as beside:
        beside.write_bytes(content)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """An empty file in the same folder, which takes the place of `path` when the block ends well."""
    if not path.parent.is_dir():
        raise BadFile(path, f"there is no folder {path.parent}", cure="make it first")
    try:
        descriptor, name = mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror})") from None
    os.close(descriptor)
    beside = Path(name)
    try:
        yield beside
        beside.chmod(_mode(path))
        _replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """The mode a plain `open` would have given: mkstemp's files are private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _replace(beside: Path, path: Path) -> None:
    try:
        beside.replace(path)
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror})") from None


@contextmanager
def writing_folder(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A folder to fill, which becomes `path` when the block ends well.

    A folder with something in it is replaced only with `force`.
    """
    if path.exists() and not path.is_dir():
        raise BadFile(path, "a file stands where a folder is to be written", cure="choose another name")
    if path.is_dir() and any(path.iterdir()) and not force:
        raise BadFile(path, "the folder is not empty", cure="choose another name or add --force")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror})") from None
    try:
        yield beside
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o777 & ~mask)
        if path.exists():
            old = Path(mkdtemp(dir=path.parent, prefix=f".{path.name}.old."))
            path.rename(old / path.name)
            beside.rename(path)
            shutil.rmtree(old)
        else:
            beside.rename(path)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
