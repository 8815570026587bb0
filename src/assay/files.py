"""Text files in and out: UTF-8, gzip, standard streams; errors name the place; a file is written whole or not at all.

lines = read_lines(Path("newstest2021.de-en.src.de.gz"))
with writing(Path("table.json")) as stream:
    stream.write("{}")
"""

import os
import stat
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO, cast, overload

import numpy as np

from assay.errors import BadFile, BadOption
from assay.limits import largest_file, longest_text, too_long

STDIN = Path("-")
STDOUT = Path("-")

# Excel and Windows editors put a byte order mark in front of UTF-8; it is no part of the first line.
_BOM = b"\xef\xbb\xbf"

_BLOCK = 2**16


def read_text(path: Path) -> str:
    """The text of a file (`-` is standard input), without its byte order mark. An empty file is an error."""
    return _decode(path, read_bytes(path).removeprefix(_BOM))


def _decode(path: Path, data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        # The line of the broken byte, counted in bytes because there is no text yet.
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


def _check_utf8(path: Path, data: bytes) -> None:
    """Refuse what `_decode` refuses. In blocks, because the text of a large file takes up to four times its memory."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _BLOCK):
            decoder.decode(data[start : start + _BLOCK], final=start + _BLOCK >= len(data))
        wrong = not data
    except UnicodeDecodeError:
        wrong = True
    if wrong:
        _decode(path, data)


class Lines(Sequence[str]):
    """The lines of a text file, decoded only when asked for: most lines of a shared task's output file never are.

    Lines end as in `split_lines`.
    """

    def __init__(self, path: Path) -> None:
        data = read_bytes(path)
        self.has_bom = data.startswith(_BOM)
        self._data = data.removeprefix(_BOM)
        # Bad UTF-8 is reported here, not when some line is asked for.
        _check_utf8(path, self._data)
        ends = np.flatnonzero(np.frombuffer(self._data, dtype=np.uint8) == ord("\n"))
        self._starts = np.concatenate([[0], ends + 1])
        self._ends = np.append(ends, len(self._data))
        # A newline at the end of the file ends the last line and begins no other.
        if self._starts[-1] == len(self._data):
            self._starts, self._ends = self._starts[:-1], self._ends[:-1]

    def __len__(self) -> int:
        return len(self._starts)

    @property
    def bare_returns(self) -> int:
        """Carriage returns of a file that has no other line ends, as old Macs and some spreadsheets write it."""
        # Few files have one line only, so that the data is rarely copied here.
        return self._data.removesuffix(b"\r\n").count(b"\r") if len(self) == 1 else 0

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        numbers = range(len(self))[index]
        return self.pick([numbers])[0] if isinstance(numbers, int) else self.pick(numbers)

    def pick(self, numbers: Sequence[int]) -> list[str]:
        """The lines with these numbers."""
        data, chosen = self._data, np.asarray(numbers, dtype=np.intp)
        starts, ends = self._starts[chosen].tolist(), self._ends[chosen].tolist()
        texts = [data[start:end].decode() for start, end in zip(starts, ends, strict=True)]
        if b"\r" not in data:
            return texts
        # Only a carriage return before a newline belongs to the line's end; a last line without one keeps it.
        ended = [end < len(data) for end in ends]
        return [text.removesuffix("\r") if done else text for text, done in zip(texts, ended, strict=True)]


def read_bytes(path: Path) -> bytes:
    """What is in a file (`-` is standard input), unpacked where its name ends in `.gz`."""
    if path == STDIN:
        # Bytes, not `sys.stdin`: its decoding follows the locale.
        data = sys.stdin.buffer.read(largest_file() + 1)
        check_size(path, len(data))
        return data
    try:
        check_size(path, path.stat().st_size)
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadFile(path, "there is no such file") from None
    except IsADirectoryError:
        raise BadFile(path, "a folder where a file is expected", cure=f"name its files: {path}/*") from None
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror})") from None
    return _unzip(path, data) if path.suffix == ".gz" else data


def check_size(path: Path, size: int) -> None:
    """Refuse a file that is too large when it is unpacked."""
    if size > largest_file():
        raise BadFile(
            path,
            f"more than {largest_file() // 1024**2:,} MB, unpacked",
            cure="split it, or raise ASSAY_MAX_FILE (megabytes)",
        )


# Nothing that gzip writes unpacks to more than this many times its size.
_GZIP_RATIO = 1032


def _unzip(path: Path, data: bytes) -> bytes:
    import gzip
    import zlib

    try:
        if len(data) * _GZIP_RATIO > largest_file():
            with gzip.GzipFile(fileobj=BytesIO(data)) as packed:
                size = 0
                # Counted first, and thrown away block by block: what is too large must not be in memory to be known.
                while block := packed.read(1024 * 1024):
                    size += len(block)
                    check_size(path, size)
        return gzip.decompress(data)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BadFile(path, f"the gzip file is truncated or damaged ({error})", cure="fetch it again") from None


def split_lines(text: str) -> list[str]:
    r"""Lines end at `\n` or `\r\n` only: `str.splitlines` would also split at U+2028 and shift the rest."""
    lines = text.split("\n")
    # What stands behind the last newline: empty in a well-ended file, and then no line.
    last = lines.pop()
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return [*lines, last] if last else lines


def read_lines(path: Path) -> list[str]:
    """The lines of a text file."""
    return split_lines(read_text(path))


def read_texts(path: Path) -> list[str]:
    """The lines of a file in which every line is a text; one that is too long is an error."""
    lines, longest = read_lines(path), longest_text()
    for number, line in enumerate(lines, start=1):
        if len(line) > longest:
            raise too_long(path, len(line), line=number)
    return lines


def bare_name(path: Path) -> str:
    """File name without `.gz`."""
    return path.name.removesuffix(".gz")


def suffix(path: Path) -> str:
    """The suffix that tells the format, lower case, `.gz` ignored."""
    return Path(bare_name(path)).suffix.lower()


def exists(path: Path) -> bool:
    """Whether something is there; a name that the file system cannot have is not."""
    try:
        return path.exists()
    except OSError:
        return False


@contextmanager
def writing(path: Path, *, private: bool = False) -> Iterator[TextIO]:
    """A stream whose text replaces the file when the block ends well, and is thrown away when it fails.

    `-` is standard output. A name that ends in `.gz` is compressed. A `private` file is readable by its owner alone.
    """
    with writing_bytes(path, private=private) as raw:
        stream = TextIOWrapper(raw, encoding="utf-8", newline="")
        try:
            yield stream
            stream.flush()
        except UnicodeEncodeError as error:
            raise BadFile(
                path, f"cannot be written: a text holds half a character (U+{ord(error.object[error.start]):04X})"
            ) from None
        finally:
            stream.detach()


def write_bytes(content: bytes, path: Path) -> None:
    """Replace a file, whole or not at all."""
    with writing_bytes(path) as stream:
        stream.write(content)


@contextmanager
def writing_bytes(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Like `writing`, for bytes."""
    if path == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        # Through a link, so that the link stays and the file behind it is replaced.
        target = path.resolve()
        if target.exists() and not stat.S_ISREG(target.stat().st_mode) and not target.is_dir():
            # A pipe or /dev/null cannot be replaced by a file; it is written to directly.
            with target.open("wb") as device:
                yield device
            return
        with _replacement(path, target, private) as temporary, temporary.open("wb") as plain:
            if path.suffix == ".gz":
                import gzip

                # mtime=0: the same content gives the same bytes, whenever it is written.
                with gzip.GzipFile(fileobj=plain, mode="wb", mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield plain
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror})") from None


@contextmanager
def _replacement(path: Path, target: Path, private: bool) -> Iterator[Path]:
    """An empty temporary file, which replaces the target when the block ends well and is removed when it fails."""
    if not target.parent.is_dir():
        raise BadFile(path, f"cannot be written: there is no folder {path.parent}", cure="make it first")
    # Most commands write no file, and what makes temporary ones takes milliseconds to import.
    from assay.replacement import temporary_file

    # In the target's folder: a rename is atomic only within one file system.
    temporary = temporary_file(target)
    try:
        yield temporary
        temporary.chmod(0o600 if private else _mode(target))
        temporary.replace(target)
    # BaseException: Ctrl-C must not leave the temporary file behind either.
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """The mode a plain `open` would have given: mkstemp's files are private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    return 0o666 & ~_umask()


def _umask() -> int:
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask


def make_folder(path: Path, *, cure: str = "") -> None:
    """Make a folder and those above it, where they are missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(path, f"the folder cannot be made ({error.strerror})", cure=cure) from None


@contextmanager
def writing_folder(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A folder to fill, which becomes `path` when the block ends well.

    A folder that is not empty is replaced only with `force`; the current folder and those above it never are.
    """
    import shutil

    from assay.replacement import put_folder, temporary_folder

    target = path.resolve()
    if target == Path.cwd() or target in Path.cwd().parents:
        raise BadFile(path, "this folder is in use", cure="write to another and move it")
    if path.exists() and not path.is_dir():
        raise BadFile(path, "a file stands where a folder is to be written", cure="choose another name")
    if path.is_dir() and any(path.iterdir()) and not force:
        raise BadFile(path, "the folder is not empty", cure="choose another name or add --force")
    try:
        with _parents(target):
            temporary = temporary_folder(target)
            try:
                yield temporary
                temporary.chmod(0o777 & ~_umask())
                put_folder(temporary, target)
            except BaseException:
                shutil.rmtree(temporary, ignore_errors=True)
                raise
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror})") from None


@contextmanager
def _parents(target: Path) -> Iterator[None]:
    """Make the missing folders above a target, and remove them again if the block fails."""
    missing = [folder for folder in target.parents if not folder.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for folder in missing:
            folder.rmdir()
        raise


def check_targets(targets: list[Path], inputs: list[Path]) -> None:
    """Refuse to write to a file that is also read, or twice to the same file."""
    written = [path.resolve() for path in targets if path != STDOUT]
    read = {path.resolve() for path in inputs if path != STDIN and exists(path)}
    for path, place in zip([target for target in targets if target != STDOUT], written, strict=True):
        if place in read:
            raise BadOption(f"{path} is read in this run; write to another file")
        if written.count(place) > 1:
            raise BadOption(f"{path} is to be written twice; choose two names")
