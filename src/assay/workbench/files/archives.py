"""Files that came from a browser, unpacked into a folder and counted on the way.

    unpack([Upload("suite.zip", stream)], folder)

Nothing outside of the folder is written: names that lead out of it, links, and archives that grow beyond the limits are
refused. What is in `NAME.zip` stands in a folder of that name.
"""

import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from gzip import BadGzipFile, GzipFile
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Final

from assay.errors import BadFile, BadOption

JUNK: Final = ("__MACOSX/", ".DS_Store", "Thumbs.db")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file under the name that it has at the sender's."""

    name: str
    stream: IO[bytes]


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """How many files an upload may hold, and how many bytes, unpacked."""

    files: int = 5_000
    size: int = 1024**3


LIMITS: Final = UploadLimits()


def unpack(uploads: Sequence[Upload], folder: Path, limits: UploadLimits = LIMITS) -> None:
    """Put the files into a folder, which is there."""
    _Unpacking(folder, limits).take(uploads)


def safe_name(name: str) -> str:
    """The last part of a sender's file name; browsers may send a path."""
    last = PureWindowsPath(PurePosixPath(name).name).name.strip()
    if not last or last in (".", "..") or "\0" in last or len(last.encode()) > 200:
        raise BadOption(f"{name[:200]!r} is no file name")
    return last


class _Unpacking:
    """Copies uploads into a folder and counts what it copies."""

    def __init__(self, folder: Path, limits: UploadLimits) -> None:
        self.folder, self.limits = folder, limits
        self.files = self.size = 0

    def take(self, uploads: Sequence[Upload]) -> None:
        for upload in uploads:
            name = safe_name(upload.name)
            if name.lower().endswith(".zip"):
                self._zip(upload.stream, name)
            else:
                self._copy(upload.stream, name)

    def _zip(self, stream: IO[bytes], name: str) -> None:
        try:
            with zipfile.ZipFile(stream) as archive:
                # What it says of itself is enough to refuse it; what it holds is counted all the same.
                self._fits(self.size + sum(entry.file_size for entry in archive.infolist()))
                for entry in archive.infolist():
                    if entry.is_dir() or any(part in entry.filename for part in JUNK):
                        continue
                    inside = _inside(entry, name)
                    with archive.open(entry) as packed:
                        self._copy(packed, f"{name}/{inside}")
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
            raise BadFile(name, f"the zip file is damaged or of an unknown kind ({error})") from None

    def _copy(self, stream: IO[bytes], name: str) -> None:
        self.files += 1
        if self.files > self.limits.files:
            raise BadOption(f"more than {self.limits.files:,} files were sent; import them with: assay import")
        target = self.folder / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as copy:
                for block in self._counted(stream):
                    copy.write(block)
        except FileExistsError:
            raise BadFile(name, "two files have this name", cure="rename one") from None
        except OSError as error:
            raise BadFile(name, f"cannot be unpacked ({error.strerror or error})") from None
        if target.suffix.lower() == ".gz":
            self._count_gzip(target, name)

    def _counted(self, stream: IO[bytes] | GzipFile) -> Iterator[bytes]:
        while block := stream.read(1024 * 1024):
            self.size += len(block)
            self._fits(self.size)
            yield block

    def _fits(self, size: int) -> None:
        if size > self.limits.size:
            raise BadOption(
                f"more than {self.limits.size // 1024**2:,} MB, unpacked; import large files with: assay import"
            )

    def _count_gzip(self, path: Path, name: str) -> None:
        """Readers unpack it in memory: it has to fit too."""
        try:
            with path.open("rb") as packed, GzipFile(fileobj=packed) as stream:
                for _ in self._counted(stream):
                    pass
        except (EOFError, zlib.error, BadGzipFile) as error:
            raise BadFile(name, f"the gzip file is truncated or damaged ({error})", cure="send it again") from None


def _inside(entry: zipfile.ZipInfo, archive: str) -> PurePosixPath:
    """Where an entry of an archive goes, below the archive's folder."""
    name = entry.orig_filename
    path = PurePosixPath(name)
    shown = f"{archive}/{name[:200]}"
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise BadFile(shown, "a link", cure="put the file itself into the archive")
    if entry.flag_bits & 0x1:
        raise BadFile(shown, "needs a password", cure="send it without one")
    windows = "\\" in name or PureWindowsPath(name).drive
    if not path.parts or path.is_absolute() or ".." in path.parts or windows or "\0" in name:
        raise BadFile(shown, "a name that leads out of the archive", cure="pack the folder again")
    return path
