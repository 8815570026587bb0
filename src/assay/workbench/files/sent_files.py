"""Files that were sent, read and judged: what happens to an upload in a child process (`assay.workbench.sandbox`).

    found = read_sent(SentFiles("/tmp/…", ("suite.zip",), comment="upload of suite.zip"))
    found.ready.run(store, admin, judge=Rulings(found.ruled))

The server puts the files into a folder, unread; here they are unpacked beside, checked as from the command line, and
every text is judged that the database will have to know. The folder is the server's, which removes it whatever happens.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from assay.errors import AssayError, BadFile, BadOption
from assay.outputs import Outputs, load_outputs
from assay.suites import Suite, load_suite
from assay.verdicts import RuleJudge
from assay.workbench.db.ruled import Ruled, rule_texts
from assay.workbench.files.archives import LIMITS, Upload, UploadLimits, safe_name, unpack
from assay.workbench.files.export import OUTPUTS, SUITE, is_export, read_export
from assay.workbench.files.importer import Import, files_of
from assay.yaml_nodes import YamlNode, parse

YAML: Final = frozenset({".yaml", ".yml"})

UNPACKED: Final = Path("the upload")
"""Where files are unpacked, from the folder that they were put into. Errors name it where they mean all of it."""


@dataclass(frozen=True, slots=True)
class SentFiles:
    """Files in a folder, called 0, 1, … there, and what they are called at the sender's.

    They hold a suite, or outputs for `suite` where that is given; with `has_source` the last one is their source file.
    """

    folder: str
    names: tuple[str, ...]
    comment: str
    suite: Suite | None = None
    campaign: str = ""
    has_source: bool = False
    limits: UploadLimits = LIMITS


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """What was in the files. `unused` are those that nothing referred to.

    `ruled` is what the rules say of the texts, by (hash of the rules, text).
    """

    ready: Import
    unused: Sequence[str]
    ruled: Mapping[tuple[str, str], Ruled]


def read_sent(sent: SentFiles) -> ReadFiles:
    """Unpack, read and judge. The working folder of this process is then that of the files."""
    # Paths from there on are those that the sender knows, however a reader puts them into a message.
    os.chdir(sent.folder)
    UNPACKED.mkdir()
    with ExitStack() as stack, _own_names():
        uploads = [
            Upload(name, stack.enter_context(Path(str(number)).open("rb"))) for number, name in enumerate(sent.names)
        ]
        unpack(uploads, UNPACKED, sent.limits)
        unused: list[str] = []
        if sent.suite is None:
            ready = _read_suite(sent.comment)
            RuleJudge(ready.suite.items)  # says which rule does not compile, also where there is no text yet
        else:
            source = UNPACKED / safe_name(sent.names[-1]) if sent.has_source else None
            outputs, unused = _read_outputs(sent.suite, source, sent.campaign)
            ready = Import(sent.suite, outputs, sent.comment, here=True)
        return ReadFiles(ready, unused, _judged(ready))


def _judged(ready: Import) -> dict[tuple[str, str], Ruled]:
    wanted = ready.texts()
    ruled = rule_texts(wanted)
    return {(found.judged_with, text): found for (_, text), found in zip(wanted, ruled, strict=True)}


def _read_suite(comment: str) -> Import:
    """The suite among the files: below the one suite.yaml, or in the one file that there is."""
    manifests = sorted(UNPACKED.rglob("suite.yaml"))
    if len(manifests) > 1:
        raise BadFile(manifests[1], "a second suite", cure="send one suite at a time")
    if manifests:
        home = manifests[0].parent
        if home != UNPACKED and home.name == SUITE and is_export(home.parent):
            return replace(_read_export(home.parent), comment=comment)
        suite = load_suite(home)
        return Import(suite, None, comment, files=files_of(suite))
    files = _files()
    if len(files) == 1:
        return Import(load_suite(files[0]), None, comment)
    raise BadOption("no suite.yaml among the files; send a zipped suite folder, or one .json, .tsv or .csv file")


def _read_export(folder: Path) -> Import:
    for file in sorted((folder / OUTPUTS).glob("*.yaml")):
        _named_in(file)
    ready = read_export(folder)
    return replace(ready, outputs=_with_own_names(ready.outputs)) if ready.outputs else ready


def _read_outputs(suite: Suite, source: Path | None, campaign: str) -> tuple[Outputs, list[str]]:
    given = [path for path in _files() if path != source]
    named = [path for path in given if path.suffix.lower() in YAML]
    used: set[Path] = set(given)
    if named:
        used = {*named, *(path for file in named for path in _named_in(file))}
    if not given:
        raise BadOption("no outputs were sent; choose at least one file")
    outputs = load_outputs(suite, named or given, source=source, campaign=campaign)
    return _with_own_names(outputs), [_shown(str(path)) for path in given if path not in used]


def _with_own_names(outputs: Outputs) -> Outputs:
    """The systems' files are called what the sender calls them."""
    systems = tuple(replace(system, file=_shown(system.file)) for system in outputs.systems)
    return replace(outputs, systems=systems)


def _named_in(file: Path) -> list[Path]:
    """The files that a campaign file names, all of which have to be below its folder."""
    from assay.outputs.campaign import read

    fields = parse(file).fields()
    for place in (place for name in ("outputs", "source", "map") for place in _entries(fields.get(name))):
        for value in {place.value(), place.value().partition("=")[2]}:
            if PurePosixPath(value).is_absolute() or ".." in PurePosixPath(value).parts:
                place.fail(f"{place.value()!r} leads out of the upload", "name files that are sent along")
    campaign = read(file)
    others = [path for path in (campaign.source, campaign.id_map) if path]
    return [*(given.path for given in campaign.outputs), *others]


def _entries(place: YamlNode | None) -> Iterator[YamlNode]:
    if place is None:
        return
    if place.is_text:
        yield place
    else:
        yield from place.sequence()


@contextmanager
def _own_names() -> Iterator[None]:
    """Errors name files as the sender does, not where they were unpacked."""
    try:
        yield
    except AssayError as error:
        raise BadOption(_shown(str(error))) from None
    except RecursionError:
        raise BadOption("a file is nested too deeply to be read") from None


def _shown(text: str) -> str:
    return text.replace(f"{UNPACKED}/", "")


def _files() -> list[Path]:
    return sorted(path for path in UNPACKED.rglob("*") if path.is_file())
