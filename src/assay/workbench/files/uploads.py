"""Use cases: suites and outputs that come from a browser, read and checked as from the command line.

    report = upload_outputs(store, admin, "assay-de-en", [Upload("a.txt", stream)], campaign="WMT21")
    report.imported.systems

Uploads are unpacked into a folder of their own, which is gone afterwards. Nothing outside of it is written or read:
names that lead out of it, links, and archives that grow beyond the limits are refused, and so are YAML files that
would exhaust the parser. Nothing is written to the database unless everything is right.
"""

import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from gzip import BadGzipFile, GzipFile
from pathlib import Path, PurePosixPath, PureWindowsPath
from tempfile import TemporaryDirectory
from typing import IO, Final

import yaml

from assay.errors import AssayError, BadFile, BadOption
from assay.files import read_text
from assay.outputs import Outputs, load_outputs
from assay.suites import Suite, load_suite
from assay.workbench.db.database import Store
from assay.workbench.files.export import OUTPUTS, SUITE, is_export, read_export
from assay.workbench.files.importer import Import, Imported
from assay.workbench.files.inventory import SystemEntry, entered
from assay.workbench.people.roles import User
from assay.workbench.snapshot import Snapshots
from assay.yaml_nodes import YamlNode, parse

_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

DEEPEST: Final = 100
"""Levels of a YAML file; the parser's stack bears a few thousand."""

MOST_NODES: Final = 5_000_000
"""Nodes of a YAML file with every alias written out."""

YAML: Final = frozenset({".yaml", ".yml"})
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


@dataclass(frozen=True, slots=True)
class UploadReport:
    """What an upload did; `unused` are files that nothing referred to."""

    imported: Imported
    paired: Sequence[SystemEntry]
    unused: Sequence[str]


def upload_suite(
    store: Store,
    snapshots: Snapshots,
    user: User,
    uploads: Sequence[Upload],
    *,
    force: bool = False,
    limits: UploadLimits = LIMITS,
) -> UploadReport:
    """A suite: a zipped native folder or its files, one file that `load_suite` reads, or a zipped export."""
    user.need("admin")
    with unpacked(uploads, limits) as folder, _own_names(folder):
        ready = _read_suite(folder, f"upload of {_names(uploads)}")
    imported = ready.run(store, user, force=force)
    return UploadReport(imported, _paired(snapshots, imported), ())


def upload_outputs(
    store: Store,
    snapshots: Snapshots,
    user: User,
    suite: str,
    uploads: Sequence[Upload],
    *,
    source: Upload | None = None,
    campaign: str = "",
    force: bool = False,
    limits: UploadLimits = LIMITS,
) -> UploadReport:
    """Outputs for a suite of the database: files of systems, or campaign files with what they name."""
    user.need("admin")
    known = snapshots.get(suite).stored.suite
    with unpacked([*uploads, *([source] if source else [])], limits) as folder, _own_names(folder):
        outputs, unused = _read_outputs(folder, known, source, campaign.strip())
    ready = Import(known, outputs, f"upload of {_names(uploads)}", here=True)
    imported = ready.run(store, user, force=force)
    return UploadReport(imported, _paired(snapshots, imported), unused)


def _paired(snapshots: Snapshots, imported: Imported) -> list[SystemEntry]:
    """The systems of an upload, as they stand in the database now."""
    sent = {*imported.systems, *imported.replaced, *imported.unchanged}
    return [entry for entry in entered(snapshots.get(imported.suite)) if entry.system in sent] if sent else []


# Reading what was unpacked


def _read_suite(folder: Path, comment: str) -> Import:
    """The suite among the files: below the one suite.yaml, or in the one file that there is."""
    manifests = sorted(folder.rglob("suite.yaml"))
    if len(manifests) > 1:
        raise BadFile(manifests[1], "a second suite", cure="send one suite at a time")
    if manifests:
        home = manifests[0].parent
        if home.parent != folder.parent and home.name == SUITE and is_export(home.parent):
            return replace(_read_export(home.parent), comment=comment)
        return Import(load_suite(home), None, comment)
    files = _files(folder)
    if len(files) == 1:
        return Import(load_suite(files[0]), None, comment)
    raise BadOption("no suite.yaml among the files; send a zipped suite folder, or one .json, .tsv or .csv file")


def _read_export(folder: Path) -> Import:
    for file in sorted((folder / OUTPUTS).glob("*.yaml")):
        _named_in(file)
    ready = read_export(folder)
    return replace(ready, outputs=_with_own_names(folder, ready.outputs)) if ready.outputs else ready


def _read_outputs(folder: Path, suite: Suite, source: Upload | None, campaign: str) -> tuple[Outputs, list[str]]:
    source_path = folder / safe_name(source.name) if source else None
    given = [path for path in _files(folder) if path != source_path]
    named = [path for path in given if path.suffix.lower() in YAML]
    used: set[Path] = set(given)
    if named:
        used = {*named, *(path for file in named for path in _named_in(file))}
    if not given:
        raise BadOption("no outputs were sent; choose at least one file")
    outputs = load_outputs(suite, named or given, source=source_path, campaign=campaign)
    return _with_own_names(folder, outputs), [_shown(folder, str(path)) for path in given if path not in used]


def _with_own_names(folder: Path, outputs: Outputs) -> Outputs:
    """The systems' files are called what the sender calls them."""
    systems = tuple(replace(system, file=_shown(folder, system.file)) for system in outputs.systems)
    return replace(outputs, systems=systems)


def _named_in(file: Path) -> list[Path]:
    """The files that a campaign file names, all of which have to be below its folder."""
    from assay.outputs.campaign import read

    fields = parse(file).fields()
    for place in (*_entries(fields.get("outputs")), *_entries(fields.get("source"))):
        for value in {place.value(), place.value().partition("=")[2]}:
            if PurePosixPath(value).is_absolute() or ".." in PurePosixPath(value).parts:
                place.fail(f"{place.value()!r} leads out of the upload", "name files that are sent along")
    campaign = read(file)
    return [*(given.path for given in campaign.outputs), *([campaign.source] if campaign.source else [])]


def _entries(place: YamlNode | None) -> Iterator[YamlNode]:
    if place is None:
        return
    if place.is_text:
        yield place
    else:
        yield from place.sequence()


@contextmanager
def _own_names(folder: Path) -> Iterator[None]:
    """Errors name files as the sender does, not where they were unpacked."""
    try:
        yield
    except AssayError as error:
        raise BadOption(_shown(folder, str(error))) from None
    except RecursionError:
        raise BadOption("a file is nested too deeply to be read") from None


def _shown(folder: Path, text: str) -> str:
    return text.replace(f"{folder}/", "").replace(str(folder), "the upload")


def _names(uploads: Sequence[Upload]) -> str:
    names = [safe_name(upload.name) for upload in uploads]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


# Unpacking


@contextmanager
def unpacked(uploads: Sequence[Upload], limits: UploadLimits = LIMITS) -> Iterator[Path]:
    """A folder with the files; what is in `NAME.zip` stands in a folder of that name."""
    with TemporaryDirectory(prefix="assay-upload-") as name:
        folder = Path(name).resolve()
        _Unpacking(folder, limits).take(uploads)
        yield folder


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
                for entry in archive.infolist():
                    if entry.is_dir() or any(part in entry.filename for part in JUNK):
                        continue
                    inside = _inside(entry, name)
                    with archive.open(entry) as packed:
                        self._copy(packed, f"{name}/{inside}")
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
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
        if target.suffix.lower() in YAML:
            check_yaml(target, name)

    def _counted(self, stream: IO[bytes]) -> Iterator[bytes]:
        while block := stream.read(1024 * 1024):
            self.size += len(block)
            if self.size > self.limits.size:
                raise BadOption(
                    f"more than {self.limits.size // 1024**2:,} MB, unpacked; import large files with: assay import"
                )
            yield block

    def _count_gzip(self, path: Path, name: str) -> None:
        """Readers unpack it in memory: it has to fit too."""
        try:
            with path.open("rb") as packed, GzipFile(fileobj=packed) as stream:
                for _ in self._counted(stream):  # type: ignore[arg-type]
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


def check_yaml(path: Path, name: str) -> None:
    """Refuse what would exhaust the parser: nesting beyond its stack, aliases that multiply. What is no YAML passes."""
    sizes: dict[str | None, int] = {}
    nodes: list[tuple[str | None, int]] = [(None, 0)]
    try:
        for event in yaml.parse(read_text(path), Loader=_Loader):
            if isinstance(event, yaml.CollectionStartEvent):
                nodes.append((event.anchor, 1))
            elif isinstance(event, yaml.CollectionEndEvent | yaml.ScalarEvent | yaml.AliasEvent):
                anchor, size = nodes.pop() if isinstance(event, yaml.CollectionEndEvent) else (event.anchor, 1)
                if isinstance(event, yaml.AliasEvent):
                    size = sizes.get(event.anchor, 1)
                elif anchor:
                    sizes[anchor] = size
                above, total = nodes[-1]
                nodes[-1] = (above, total + size)
            if len(nodes) > DEEPEST + 1:
                raise BadFile(name, f"nested deeper than {DEEPEST} levels", line=event.start_mark.line + 1)
            if nodes[-1][1] > MOST_NODES:
                raise BadFile(name, "its aliases stand for too much", line=event.start_mark.line + 1)
    except yaml.YAMLError:
        return
