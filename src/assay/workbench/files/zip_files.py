"""Use cases: a suite of the database as one file to download.

    zip_export(visit, pseudonyms=False).content     # the folder that `assay export` writes
    zip_suite(visit).content                        # the suite alone, without judgements

The same database makes the same file: times in it are those of nobody.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from assay.suites.native_layout import write_over
from assay.text import slug
from assay.workbench.db.suites import suite_files
from assay.workbench.files.export import export
from assay.workbench.results.downloads import DownloadFile
from assay.workbench.visit import Visit

MEDIA = "application/zip"


def zip_export(visit: Visit, *, pseudonyms: bool = False, shown: bool = True) -> DownloadFile:
    """Everything: suite, outputs, judgements, history, verdicts. Whoever has it has seen who wrote and judged what.

    Whoever has not said that this may be `shown` is asked first.
    """
    visit.user().need("admin")
    with visit.reading() as reader:
        reader.everything()
        reader.ask_first(shown=shown)
        name = f"{slug(visit.suite())}.zip"
        reader.handed_out.append(name)
    with _folder(name) as folder:
        export(visit.state.store, visit.suite(), folder, pseudonyms=pseudonyms)
        return DownloadFile(name, MEDIA, _zipped(folder))


def zip_suite(visit: Visit) -> DownloadFile:
    """The suite as it stands: items, rules and examples, as a native folder; nothing of texts or who judged them."""
    with visit.reading() as reader:
        stored = reader.snapshot.stored
        files = suite_files(reader.db, stored.id)
        name = f"{slug(visit.suite())}-suite.zip"
        reader.handed_out.append(name)
    with _folder(name) as folder:
        folder.mkdir()
        write_over(stored.suite, files, folder)
        return DownloadFile(name, MEDIA, _zipped(folder))


@contextmanager
def _folder(name: str) -> Iterator[Path]:
    """A folder that is to be made, called like the file without its suffix."""
    with TemporaryDirectory(prefix="assay-download-") as folder:
        yield Path(folder) / Path(name).stem


def _zipped(folder: Path) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = ZipInfo(str(path.relative_to(folder.parent)))
                entry.compress_type = ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, path.read_bytes())
    return packed.getvalue()
