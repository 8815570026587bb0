"""A folder of outputs, as a shared task publishes it or a test suite's authors get it: what is what in it.

    found = find_outputs(Path("wmt24"), suite)
    found.source, found.outputs        # sources/en-cs.txt.gz, the files of 14 systems
    print(found)                       # says what was taken for what, and what was left aside

WMT21–23 name their files by role (`*.src.xx`, `*.hyp.NAME.xx`, `*.ref.A.xx`), WMT24 puts them into folders (`sources/`,
`system-outputs/en-cs/NAME.txt`), WMT25's authors got their file back translated (`NAME.txt`, a line each), WMT25 and 26
use JSONL, which says itself what it is. Where names say nothing, the file with the suite's sources is the source.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.errors import AssayError, BadFile, BadOption, UnpairedFile
from assay.files import bare_name, read_text, suffix
from assay.languages import pair_in, pairs_fit, split_pair
from assay.outputs.id_map import is_map, read_map
from assay.outputs.source_texts import paragraphs
from assay.outputs.submission import NamedFile
from assay.suites import Suite
from assay.text import plural

Role = Literal["source", "outputs", "reference", "documents", "map", "text", "other"]
"""What a file is; a `text` has a name that does not say."""

# Parts of paths, as WMT's repositories and their participants name them.
_FOLDERS: dict[str, Role] = {
    **dict.fromkeys(("sources", "source", "src"), "source"),
    **dict.fromkeys(("system-outputs", "outputs", "submissions", "hypotheses", "systems"), "outputs"),
    **dict.fromkeys(("references", "reference", "refs"), "reference"),
    **dict.fromkeys(("metadata", "documents"), "documents"),
}
_MARKS: dict[str, Role] = {".src.": "source", ".hyp.": "outputs", ".ref.": "reference"}
_IGNORED = (".md", ".html", ".json", ".csv", ".xlsx", ".yaml", ".yml", ".py", ".sh", ".pdf", ".zip", ".docs")
_MOST = 10_000
"""Files that are looked at; a folder with more is not a campaign."""


@dataclass(frozen=True, slots=True)
class CampaignFolder:
    """What was found in a folder; `aside` says of how many files of which kind nothing was made."""

    path: Path
    source: Path | None
    outputs: tuple[NamedFile, ...]
    id_map: Path | None
    aside: Sequence[tuple[str, int]]

    def __str__(self) -> str:
        parts = [f"sources {self._below(self.source)}" if self.source else "no source file"]
        parts += [f"map {self._below(self.id_map)}"] if self.id_map else []
        homes = Counter(self._below(file.path.parent) for file in self.outputs)
        places = ", ".join(f"{home}/" if home != "." else "the folder itself" for home in homes)
        parts.append(f"{plural(len(self.outputs), 'file')} of outputs in {places}")
        line = f"{self.path}: {'; '.join(parts)}"
        if self.aside:
            left = [f"{what} ({plural(number, 'file')})" for what, number in self.aside]
            line += f"; left aside: {', '.join(left)}"
        return line

    def _below(self, path: Path) -> str:
        return path.relative_to(self.path).as_posix() if path.is_relative_to(self.path) else str(path)


def find_outputs(folder: Path, suite: Suite, *, source: Path | None = None) -> CampaignFolder:
    """Find the outputs in a folder, and their source unless it is given, for the direction of a suite."""
    aside: Counter[str] = Counter()
    roles: dict[Role, list[Path]] = {}
    for file in _files(folder):
        if source is not None and file.resolve() == source.resolve():
            continue
        if not _is_direction(file.relative_to(folder), suite.langpair):
            aside["other directions"] += 1
            continue
        roles.setdefault(_role(file, folder), []).append(file)
    chosen, texts = (source, roles.get("text", [])) if source is not None else _choose_source(folder, suite, roles)
    outputs = [*roles.get("outputs", []), *(file for file in texts if file != chosen)]
    # References are as many lines as outputs; nobody asked for an evaluation of them.
    aside["references"] += len(roles.get("reference", []))
    aside["other kinds"] += len(roles.get("other", []))
    id_map = _choose_map(suite, roles.get("map", []), aside)
    if not outputs:
        kinds = ", ".join(f"{number:,} of {what}" for what, number in aside.items() if number)
        problem = f"no outputs among its files ({kinds})" if kinds else "no outputs in this folder"
        raise BadFile(folder, problem, cure="name the files, and the source with --source")
    files = tuple(NamedFile(file) for file in sorted(outputs))
    _check_names(folder, files)
    left = [(what, number) for what, number in aside.items() if number]
    return CampaignFolder(folder, chosen, files, id_map, left)


def _files(folder: Path) -> Iterator[Path]:
    number = 0
    for path in sorted(folder.rglob("*")):
        # `.git` and the like are none of it.
        if any(part.startswith(".") for part in path.relative_to(folder).parts) or not path.is_file():
            continue
        number += 1
        if number > _MOST:
            raise BadFile(folder, f"more than {_MOST:,} files", cure="name a folder further down")
        yield path


def _is_direction(path: Path, langpair: str) -> bool:
    """Whether the path names the suite's direction, or none: `de-en` in newstest2021.de-en.hyp.Online-A.en."""
    named = [part for part in re.split(r"[./]", path.as_posix()) if part and pair_in(part) == part]
    return not named or not all(split_pair(langpair)) or any(pairs_fit(pair, langpair) for pair in named)


def _role(file: Path, folder: Path) -> Role:
    if is_map(file):
        return "map"
    kind = suffix(file)
    if kind == ".jsonl":
        return _role_of_jsonl(file)
    if kind in _IGNORED or bare_name(file).upper().startswith(("README", "LICENSE", "LICENCE")):
        return "documents" if kind == ".docs" else "other"
    if kind == ".xml":
        return "outputs" if "<hyp" in read_text(file) else "source"
    if kind == ".tsv":
        return "outputs" if _is_table(file) else "other"
    if kind == ".parquet":
        return "outputs"
    name = bare_name(file)
    for mark, role in _MARKS.items():
        if mark in name:
            return role
    if re.search(r"\.ref[A-Z0-9]?(\.|$)", name):
        return "reference"
    # The folder nearest to the file says most.
    for part in reversed(file.relative_to(folder).parts[:-1]):
        if part.lower() in _FOLDERS:
            return _FOLDERS[part.lower()]
    return "text"


def _role_of_jsonl(file: Path) -> Role:
    from assay.json_lines import records
    from assay.outputs import tables, wmt_jsonl

    try:
        _, first = next(records(file), (0, {}))
    except AssayError:
        # Whoever reads it will say what is wrong, and where; a system's file must not be left aside in silence.
        return "outputs"
    if wmt_jsonl.is_submission(first):
        return "outputs"
    if wmt_jsonl.is_test_set(first):
        return "source"
    if any(name in first for name in tables.ITEM_NAMES) and any(name in first for name in tables.TEXT_NAMES):
        return "outputs"
    return "documents" if "docid" in first else "other"


def _is_table(file: Path) -> bool:
    from assay.outputs.tables import ITEM_NAMES, TEXT_NAMES

    header = read_text(file).partition("\n")[0].strip("\r").split("\t")
    return any(name in header for name in ITEM_NAMES) and any(name in header for name in TEXT_NAMES)


def _choose_source(folder: Path, suite: Suite, roles: dict[Role, list[Path]]) -> tuple[Path | None, list[Path]]:
    """The source file, by its name, or as the one that has the suite's sources; and texts that may be outputs."""
    named, texts = roles.get("source", []), roles.get("text", [])
    if len(named) == 1:
        return named[0], texts
    candidates = named or texts
    hits = {file: _hits(file, suite) for file in candidates}
    best = max(hits.values(), default=0)
    found = [file for file, number in hits.items() if number and number == best]
    if len(found) > 1:
        names = " and ".join(str(file.relative_to(folder)) for file in found[:2])
        raise BadFile(folder, f"{names} both have the suite's sources", cure="name one with --source")
    if not found and named:
        raise UnpairedFile(
            folder,
            f"none of the suite's {len(suite):,} sources is in its {len(named)} source files",
            cure="check that suite and folder belong together",
        )
    return (found[0] if found else None), texts


def _hits(file: Path, suite: Suite) -> int:
    """How many of the suite's sources a file has; a file that cannot be read has none."""
    from assay.outputs.sources import read_source

    try:
        source = read_source(file, suite.langpair)
    except AssayError:
        return 0
    lines = source.lines[0].split("\r") if source.bare_returns else source.lines
    wanted = {item.source.strip() for item in suite.items}
    # In text an item of several lines stands in as many.
    wanted.update(part for item in suite.items for part in paragraphs(item.source))
    return len({line.strip() for line in lines} & wanted)


def _choose_map(suite: Suite, files: list[Path], aside: Counter[str]) -> Path | None:
    """The one map of this suite; maps of others are left aside."""
    found = []
    for file in files:
        try:
            read_map(file, suite)
            found.append(file)
        except UnpairedFile:
            aside["maps of other suites"] += 1
    if len(found) > 1:
        raise BadOption(f"{found[0]} and {found[1]} are both maps of {suite.name}; name one with --map")
    return found[0] if found else None


def _check_names(folder: Path, files: Iterable[NamedFile]) -> None:
    known: dict[str, Path] = {}
    for file in files:
        # Files with a column for the system say themselves whose they are.
        if suffix(file.path) in (".tsv", ".xml", ".parquet"):
            continue
        other = known.setdefault(file.system_name, file.path)
        if other != file.path:
            names = f"{other.relative_to(folder)} and {file.path.relative_to(folder)}"
            cure = "move one away, or name the files one by one (NAME=FILE)"
            raise BadFile(folder, f"two files for the system {file.system_name!r}: {names}", cure=cure)
