"""Models in folders of this machine: that they are there, which they are, and how they are loaded."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from assay.errors import BadOption
from assay.translate.options import Options, chosen


def model_folder(options: Options) -> Path:
    """The folder that `model=` names."""
    folder = Path(options.needed("model", "models/opus-mt-de-en")).expanduser()
    if not folder.is_dir():
        raise BadOption(f"{options.engine}: there is no folder {folder}; models are not fetched, give the path of one")
    return folder


@dataclass(eq=False)
class FolderModel:
    """An engine that is a model in a folder, loaded by the first call: who only hands out work needs neither it nor its
    device. One call at a time, since it fills the machine. `settings` are the parameters of its own."""

    engine: str
    folder: Path
    load: Callable[[], Any]
    batch: int
    settings: Mapping[str, str | None]

    is_local = True
    can_spread = True
    fills_machine = True
    concurrency = 1
    per_minute = None
    timeout = 600.0

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def parameters(self) -> Mapping[str, str]:
        return {
            "engine": self.engine,
            "version": installed_version(self.engine),
            "model": self.folder.name,
            "weights": fingerprint(self.folder),
            **chosen(self.settings),
        }

    @cached_property
    def model(self) -> Any:
        with loading(self.engine, self.folder):
            return self.load()

    def close(self) -> None:
        """The model goes with the process."""


@contextmanager
def loading(engine: str, folder: Path) -> Iterator[None]:
    """What goes wrong when a model is loaded, in words for a user."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        said = str(error).lstrip().partition("\n")[0][:200] or type(error).__name__
        raise BadOption(f"{engine}: {folder} cannot be loaded: {said}") from error


def installed_version(package: str) -> str:
    """The version of a package; `unknown` where it came without one."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def fingerprint(folder: Path) -> str:
    """Twelve hex digits over the names, sizes and first megabytes of the files in a folder.

    Not over all of them: models have gigabytes, and two that differ will do so in the first megabyte of a file.
    """
    digest = sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file():
            digest.update(f"{path.name} {path.stat().st_size}".encode())
            with path.open("rb") as stream:
                digest.update(stream.read(2**20))
    return digest.hexdigest()[:12]
