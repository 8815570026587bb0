"""Models in folders of this machine: that they are there, and which they are."""

from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from assay.errors import BadOption
from assay.translate.options import Options


def model_folder(options: Options) -> Path:
    """The folder that `model=` names."""
    folder = Path(options.needed("model", "models/opus-mt-de-en")).expanduser()
    if not folder.is_dir():
        raise BadOption(f"{options.engine}: there is no folder {folder}; models are not fetched, give the path of one")
    return folder


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
