"""Files and folders that take the place of others in one step, and what killed runs left of them.

    temporary = temporary_folder(target)
    ...                                 # fill it
    put_folder(temporary, target)

Where the system can exchange two names (Linux), there is no moment at which the target is missing. Elsewhere the old
folder steps aside first; a run killed in that moment leaves it beside the target, and the next run puts it back.
"""

import os
import shutil
from glob import escape
from pathlib import Path
from tempfile import mkdtemp, mkstemp

_NEW, _OLD = ".assay-", ".assay-old-"


def temporary_folder(target: Path) -> Path:
    """An empty folder beside the target, whose name says for what, and which process of which machine made it."""
    _remove_leftovers(target)
    return Path(mkdtemp(dir=target.parent, prefix=f"{_NEW}{_owner(target)}{os.getpid()}."))


def temporary_file(target: Path) -> Path:
    """Likewise an empty file."""
    _remove_leftovers(target)
    descriptor, name = mkstemp(dir=target.parent, prefix=f"{_NEW}{_owner(target)}{os.getpid()}.")
    os.close(descriptor)
    return Path(name)


def put_folder(temporary: Path, target: Path) -> None:
    """Make a folder the target; what was there is removed."""
    if not target.exists():
        temporary.rename(target)
        return
    if _exchange(temporary, target):
        shutil.rmtree(temporary, ignore_errors=True)
        return
    # A folder cannot be renamed over one that is not empty: the old one steps aside, and back if the second step fails.
    old = Path(mkdtemp(dir=target.parent, prefix=f"{_OLD}{_owner(target)}{os.getpid()}.")) / "folder"
    target.rename(old)
    try:
        temporary.rename(target)
    except OSError:
        old.rename(target)
        raise
    finally:
        shutil.rmtree(old.parent, ignore_errors=True)


def _remove_leftovers(target: Path) -> None:
    """Remove what killed runs of this machine left beside a target, and put back a target that stood aside."""
    # The old one first: it may be the only copy there is.
    for prefix in (_OLD, _NEW):
        for place in sorted(target.parent.glob(f"{prefix}{escape(_owner(target))}*")):
            if _lives(place):
                continue
            stood_aside = place / "folder"
            if stood_aside.is_dir() and not target.exists():
                stood_aside.rename(target)
                _say(f"{target}: put back; a run that was killed had moved it to {place.name}")
            else:
                _say(f"{place}: removed; a run that was killed had left it")
            if place.is_dir():
                shutil.rmtree(place, ignore_errors=True)
            else:
                place.unlink(missing_ok=True)


def _say(line: str) -> None:
    import logging

    logging.getLogger("assay").warning("assay: %s", line)


def _owner(target: Path) -> str:
    """The part of a temporary name that stands before the process: what for, and on which machine."""
    import socket

    # Names may have 255 bytes; a long one is cut so that the rest fits.
    name = os.fsdecode(os.fsencode(target.name)[:100])
    return f"{name}.{socket.gethostname()[:60]}."


def _lives(place: Path) -> bool:
    """Whether the process that made it still runs; when in doubt, it does."""
    try:
        os.kill(int(place.name.rsplit(".", 2)[-2]), 0)
    except ProcessLookupError:
        return False
    except (OSError, ValueError):
        return True
    return True


def _exchange(a: Path, b: Path) -> bool:
    """Exchange two names in one step; False where the system cannot."""
    import ctypes

    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    here, exchange = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
    return bool(renameat2(here, os.fsencode(a), here, os.fsencode(b), exchange) == 0)
