"""Files of a request in a folder of their own, for a child process to read (`assay.workbench.sandbox`).

with put_down(uploads) as folder:
    sandbox.run(read, SentThere(folder, names))
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory

from assay.workbench.files.archives import Upload, UploadLimits, unpack


@contextmanager
def put_down(uploads: Sequence[Upload]) -> Iterator[str]:
    """A folder with the files as they were sent, called 0, 1, …"""
    with TemporaryDirectory(prefix="assay-upload-") as folder:
        copy_down(uploads, Path(folder))
        yield folder


def copy_down(uploads: Sequence[Upload], folder: Path) -> None:
    """Files as they were sent, into a folder, called 0, 1, …"""
    for number, upload in enumerate(uploads):
        with (folder / str(number)).open("xb") as copy:
            copyfileobj(upload.stream, copy, 1024 * 1024)


def names_of(uploads: Sequence[Upload]) -> tuple[str, ...]:
    """What files are called at the sender's."""
    return tuple(upload.name for upload in uploads)


def unpack_there(names: Sequence[str], target: Path, limits: UploadLimits) -> None:
    """Unpack the files of the working folder, which are called 0, 1, … there, into another."""
    target.mkdir()
    with ExitStack() as stack:
        uploads = [Upload(name, stack.enter_context(Path(str(number)).open("rb"))) for number, name in enumerate(names)]
        unpack(uploads, target, limits)
