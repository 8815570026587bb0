"""Suites in every format: found by name or path, read, converted, written."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Literal

from assay.formats.files import exists, split_lines, suffix, writing
from assay.model import BadFile, BadOption, Suite, UnknownName

BUNDLED = Path(__file__).parent.parent / "suites"
"""The folder of the suites that come with Assay; `de-en` names the suite in `BUNDLED / "de-en"`."""

SCHEMAS = Path(__file__).parent.parent / "schemas"
"""JSON Schemas of suites, campaign files and results."""

SuiteFormat = Literal["native", "dfki", "sample"]


def bundled() -> dict[str, Path]:
    """Name -> folder of the bundled suites."""
    return {folder.parent.name: folder.parent for folder in sorted(BUNDLED.glob("*/suite.yaml"))}


def bundled_outputs(name: str) -> list[Path]:
    """The made-up systems' outputs that come with a bundled suite."""
    return sorted((BUNDLED / f"{name}.outputs").glob("*.tsv"))


def load_suite(path: str | PathLike[str]) -> Suite:
    """A suite by path (native folder, DFKI items.json, DFKI sample TSV or CSV) or by a bundled suite's name."""
    place = Path(path)
    if not exists(place):
        names = bundled()
        if str(path) in names:
            return load_suite(names[str(path)])
        if place.parent == Path() and not place.suffix:
            raise UnknownName("suite or file", str(path), names)
        raise BadFile(path, "there is no such file")
    kind = format_of(place)
    if kind == "dfki":
        from assay.formats import dfki

        return dfki.read(place)
    if kind == "sample":
        from assay.formats import dfki_samples

        return dfki_samples.read(place)
    from assay.formats import native

    return native.read(place)


def format_of(path: Path) -> SuiteFormat:
    """The suite format that a path stands for, whether it exists or is to be written."""
    if path.is_dir() or path.name == "suite.yaml":
        if path.is_dir() and not (path / "suite.yaml").exists() and any(path.iterdir()):
            raise BadFile(path, "the folder has no suite.yaml", cure="name a suite's folder or file")
        return "native"
    kind = suffix(path)
    if kind == ".json":
        return "dfki"
    if kind in (".tsv", ".csv"):
        return "sample"
    if not exists(path):
        return "native"
    raise BadFile(path, "not a suite", cure="a suite is a folder with suite.yaml, or a .json, .tsv or .csv file")


def losses(suite: Suite, path: Path) -> list[str]:
    """What the format of `path` cannot hold of this suite; empty where it holds everything."""
    kind = format_of(path)
    if kind == "native":
        return []
    from assay.formats import dfki, dfki_samples

    found = dfki.losses(suite)
    return found + dfki_samples.losses(suite) if kind == "sample" else found


def save_suite(suite: Suite, path: str | PathLike[str], *, lossy: bool = False, force: bool = False) -> None:
    """Write a suite in the format that the path names; a poorer format needs `lossy`."""
    place = Path(path)
    missing = losses(suite, place)
    if missing and not lossy:
        raise BadOption(f"{place}: this format cannot hold {'; '.join(missing)}. Add --lossy to leave it out")
    kind = format_of(place)
    if kind == "dfki":
        from assay.formats import dfki

        dfki.write(suite, place)
    elif kind == "sample":
        from assay.formats import dfki_samples

        dfki_samples.write(suite, place)
    else:
        from assay.formats import native_writer

        native_writer.write(suite, place, force=force)


def write_sources(suite: Suite, path: Path) -> None:
    """The sources to translate, in suite order: text, TSV with ids, WMT XML or WMT25 JSONL by suffix."""
    kind = suffix(path)
    writers: dict[str, Callable[[Suite, Path], None]] = {".tsv": _tsv, ".xml": _xml, ".jsonl": _jsonl}
    writers.get(kind, _text)(suite, path)


def _text(suite: Suite, path: Path) -> None:
    with writing(path) as stream:
        stream.writelines(source_line(item.source) + "\n" for item in suite.items)


def source_line(source: str) -> str:
    """A source as one line: newlines become spaces."""
    return " ".join(split_lines(source)).strip()


def _tsv(suite: Suite, path: Path) -> None:
    from assay.formats import tables

    tables.write_sources(suite, path)


def _xml(suite: Suite, path: Path) -> None:
    from assay.formats import wmt_xml

    wmt_xml.write_sources(suite, path)


def _jsonl(suite: Suite, path: Path) -> None:
    from assay.formats import wmt_jsonl

    wmt_jsonl.write_sources(suite, path)
