"""Make a virtual environment with Assay in it, on any machine that has Python 3.11.

    python3 scripts/venv.py .venv          Assay alone
    python3 scripts/venv.py .venv test     with the packages that the tests need

Standard library only. Where `ensurepip` is missing (Debian without python3-venv), pip comes from the index that pip
is configured to use.
"""

import configparser
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYPI = "https://pypi.org/simple"


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 (this script is what tells users of an older Python)
        sys.exit(f"Assay needs Python 3.11 or newer, this is {sys.version.split()[0]}; try: make PYTHON=python3.11")
    folder, extras = Path(sys.argv[1]), sys.argv[2:]
    python = folder / "bin" / "python"
    if not works(python, "import pip"):
        make(folder, python)
    target = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", target)


def works(python: Path, code: str) -> bool:
    """Whether an interpreter is there and can run a line."""
    return python.exists() and subprocess.run([python, "-c", code], capture_output=True).returncode == 0


def make(folder: Path, python: Path) -> None:
    """A virtual environment with pip in it."""
    if works(Path(sys.executable), "import ensurepip"):
        run(sys.executable, "-m", "venv", "--clear", folder)
        return
    print("ensurepip is missing: taking pip from the configured index")
    run(sys.executable, "-m", "venv", "--clear", "--without-pip", folder)
    with tempfile.TemporaryDirectory() as temporary:
        wheel = fetch_pip(Path(temporary))
        run(python, wheel / "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)


def fetch_pip(folder: Path) -> Path:
    """The newest pip wheel of the first index or folder that has one."""
    for page in [*settings("index-url", PYPI), *settings("extra-index-url")]:
        address = page.rstrip("/") + "/pip/"
        try:
            listing = urllib.request.urlopen(address, timeout=60).read().decode()
        except OSError:
            continue
        links = re.findall(r'href="([^"]*/?pip-([0-9.]+)-py3-none-any\.whl)[#"]', listing)
        if links:
            link: str
            link, _ = max(links, key=lambda found: [int(part) for part in found[1].split(".")])
            wheel = folder / link.rpartition("/")[2]
            wheel.write_bytes(urllib.request.urlopen(urllib.parse.urljoin(address, link), timeout=180).read())
            return wheel
    for place in settings("find-links"):
        wheels = sorted(Path(place).glob("pip-*-py3-none-any.whl"))
        if wheels:
            return wheels[-1]
    sys.exit("no index has pip; install Debian's python3-venv, or set PIP_INDEX_URL")


def settings(name: str, default: str = "") -> list[str]:
    """A setting of pip, from the environment or its configuration files."""
    value = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if value is None:
        config = configparser.ConfigParser(interpolation=None)
        home = Path.home()
        config.read(
            [
                "/etc/pip.conf",
                home / ".pip/pip.conf",
                home / ".config/pip/pip.conf",
                os.environ.get("PIP_CONFIG_FILE", ""),
            ]
        )
        value = config.get("global", name, fallback=default)
    return value.split()


def run(*command: object) -> None:
    done = subprocess.run([str(part) for part in command])
    if done.returncode:
        sys.exit(f"this failed: {' '.join(str(part) for part in command)}")


if __name__ == "__main__":
    main()
