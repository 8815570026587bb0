"""Results that leave as files, and what whoever gets one has seen then."""

from assay.workbench.reader import Reader
from assay.workbench.results.compare import SystemPair
from assay.workbench.results.downloads import DownloadFile, download, download_pair, download_years
from assay.workbench.results.results import ResultOptions


def results_file(reader: Reader, asked: ResultOptions, key: str) -> DownloadFile:
    """Results in a format. Many of them hold every text with who wrote it."""
    return download(reader.everything(), asked, key)


def comparison_file(reader: Reader, pair: SystemPair, asked: ResultOptions, key: str, *, by: str) -> DownloadFile:
    """Two systems compared, in a format."""
    return download_pair(reader.everything(), pair, asked, key, by=by)


def years_file(reader: Reader, asked: ResultOptions, key: str, *, by: str) -> DownloadFile:
    """Campaigns beside each other, in a format; numbers alone."""
    return download_years(reader.snapshot, asked, key, by=by)
