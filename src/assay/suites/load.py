"""Suites in every format: found by name or path, read, converted, written."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Literal

from assay.errors import BadFile, BadOption, BadSuite, UnknownName
from assay.files import exists, suffix
from assay.limits import longest_text
from assay.suites.suite import Suite

BUNDLED = Path(__file__).parent / "bundled"
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
    # A path that exists wins over a bundled suite of the same name.
    if not exists(place):
        names = bundled()
        if str(path) in names:
            return load_suite(names[str(path)])
        # `de-eb` looks like a misspelt name; `my/suite` and `items.json` look like paths.
        if place.parent == Path() and not place.suffix:
            raise UnknownName("suite or file", str(path), names)
        raise BadFile(path, "there is no such file")
    suite = _reader(format_of(place))(place)
    _check_lengths(suite)
    return suite


def _reader(kind: SuiteFormat) -> Callable[[Path], Suite]:
    # Each format is imported when it is needed: a command reads one suite, and start-up is measured.
    if kind == "dfki":
        from assay.suites import dfki

        return dfki.read
    if kind == "sample":
        from assay.suites import dfki_samples

        return dfki_samples.read
    from assay.suites import native

    return native.read


def _check_lengths(suite: Suite) -> None:
    longest = longest_text()
    for item in suite.items:
        examples = (*item.examples.passing, *item.examples.failing)
        rules = [rule.value for rule in item.rules]
        if item.labels:
            rules += [rule.value for label in item.labels for rule in label.rules]
        told = (item.source, item.prompt, item.context, item.tests, item.rubric)
        lengths = list(map(len, (*told, *rules, *examples)))
        if max(lengths) > longest:
            length = next(length for length in lengths if length > longest)
            raise BadSuite(
                item.place or suite.path,
                f"item {item.id!r}: a text of {length:,} characters, at most {longest:,} are read",
                cure="shorten it, or raise ASSAY_MAX_TEXT",
            )


def format_of(path: Path) -> SuiteFormat:
    """The suite format that a path stands for, whether it exists or is to be written."""
    if path.is_dir() or path.name == "suite.yaml":
        # An empty folder may be written to; any other one must already be a suite.
        if path.is_dir() and not (path / "suite.yaml").exists() and any(path.iterdir()):
            raise BadFile(path, "the folder has no suite.yaml", cure="name a suite's folder or file")
        return "native"
    kind = suffix(path)
    if kind == ".json":
        return "dfki"
    if kind in (".tsv", ".csv"):
        return "sample"
    # A new name without a suffix: a folder to be written.
    if not exists(path):
        return "native"
    raise BadFile(path, "not a suite", cure="a suite is a folder with suite.yaml, or a .json, .tsv or .csv file")


def losses(suite: Suite, path: Path) -> list[str]:
    """What the format of `path` cannot hold of this suite; empty where it holds everything."""
    kind = format_of(path)
    if kind == "native":
        return []
    from assay.suites import dfki, dfki_samples

    found = dfki.losses(suite)
    return found + dfki_samples.losses(suite) if kind == "sample" else found


def save_suite(suite: Suite, path: str | PathLike[str], *, lossy: bool = False, force: bool = False) -> None:
    """Write a suite in the format that the path names; a poorer format needs `lossy`."""
    place = Path(path)
    missing = losses(suite, place)
    if missing and not lossy:
        # The list is Assay's own, and whoever decides about --lossy wants all of it.
        raise BadOption(
            f"{place}: this format cannot hold {'; '.join(missing)}. Add --lossy to leave it out", longest=2_000
        )
    kind = format_of(place)
    if kind == "dfki":
        from assay.suites import dfki

        dfki.write(suite, place)
    elif kind == "sample":
        from assay.suites import dfki_samples

        dfki_samples.write(suite, place)
    else:
        from assay.suites import native_writer

        native_writer.write(suite, place, force=force)
