"""Use cases of an organiser: send sources out, check what comes back, take it as outputs.

send(suite, Path("sources.txt"), decoys=Path("news.txt"), share=0.5, seed=7)
reports = check(suite, ["A.txt"], map_file=Path("sources.map.tsv"))
take(suite, ["A.txt"], Path("outputs"), map_file=Path("sources.map.tsv"))
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from assay.errors import BadOption, UnpairedFile
from assay.files import bare_name, check_targets, make_folder, writing
from assay.outputs import NamedFile
from assay.outputs.decoys import (
    SentSources,
    check_sending_path,
    in_suite_order,
    mix,
    read_decoys,
    read_map,
    write_map,
    write_sending,
)
from assay.outputs.output_folder import SUITE, file_stem
from assay.reports.formats import FORMATS, suffixes
from assay.suites import Suite
from assay.text import is_missing, normalise
from assay.translate.collected_folder import CollectedFolder
from assay.translate.submission_checks import check_participant_file
from assay.translate.submission_page import render
from assay.translate.submission_report import SubmissionReport
from assay.translate.submissions import ParticipantFile, read_participant_file


def usual_map(path: Path) -> Path:
    """Where the map of a file of sources goes: beside it."""
    return path.with_name(f"{Path(bare_name(path)).stem}.map.tsv")


def send(
    suite: Suite, path: Path, *, map_file: Path, decoys: Path | None, share: float | None, seed: int
) -> SentSources:
    """Write the sources for participants, and the map."""
    check_sending_path(path)
    check_targets([path, map_file], [decoys] if decoys else [])
    if share is not None and decoys is None:
        raise BadOption("--decoy-share needs decoys; name a file of sentences with --decoys")
    sending = mix(suite, read_decoys(decoys) if decoys else [], share=share, chance=Random(seed))
    # The map first: sources that were sent without one cannot be taken back.
    write_map(sending, map_file)
    write_sending(sending, suite, path)
    return sending


def check(suite: Suite, submissions: Sequence[str], *, map_file: Path | None) -> list[SubmissionReport]:
    """A report for every system in the files."""
    sending = _sent(suite, map_file)
    return [check_participant_file(sending, returned, suite) for returned in _returned(submissions, sending)]


def _sent(suite: Suite, map_file: Path | None) -> SentSources:
    return in_suite_order(suite) if map_file is None else read_map(map_file, suite)


def _returned(submissions: Sequence[str], sending: SentSources) -> Iterator[ParticipantFile]:
    seen: dict[str, Path] = {}
    for argument in submissions:
        given = NamedFile.parse(argument)
        found = read_participant_file(given, sending)
        if given.name and len(found) > 1:
            raise BadOption(f"{given.path} holds {len(found)} systems; give it without {given.name}=")
        for returned in found:
            if returned.name in seen:
                raise BadOption(f"{given.path}: the system {returned.name!r} is given twice; rename one with NAME=FILE")
            seen[returned.name] = given.path
            yield returned


def write_reports(reports: Sequence[SubmissionReport], target: Path, format: str | None) -> list[Path]:
    """Write the report of one participant to a file, or those of several into a folder; what was written."""
    known = suffixes("submission")
    by_suffix = known.get(target.suffix.lower())
    if target.suffix and not target.is_dir():
        if by_suffix is None and format is None:
            raise BadOption(f"{target}: reports are written as {', '.join(known)}; choose one, or add --format")
        if len(reports) > 1:
            raise BadOption(f"{target}: {len(reports)} participants get a report each; name a folder")
        files = [target]
    else:
        suffix = FORMATS[format or "markdown"].suffix
        files = [target / f"{file_stem(report.name)}{suffix}" for report in reports]
        check_targets(files, [])
        make_folder(target, cure="choose another with -o")
    chosen = format or by_suffix or "markdown"
    for report, file in zip(reports, files, strict=True):
        with writing(file) as stream:
            stream.write(render(report, chosen))
    return files


def take(
    suite: Suite,
    submissions: Sequence[str],
    target: Path,
    *,
    map_file: Path | None,
    campaign: str = "",
    force: bool = False,
) -> dict[Path, int]:
    """Write what came back as outputs, without decoys, in the order of the suite: file -> how many there are.

    A submission whose texts cannot be told apart (wrong number of lines, wrong encoding) is refused, and nothing is
    written.
    """
    sending = _sent(suite, map_file)
    found = list(_returned(submissions, sending))
    # All of them before anything is written: half a folder would be taken for the whole.
    for returned in found:
        _check_usable(returned, sending)
    folder = CollectedFolder.open(target, suite, campaign=campaign, force=force)
    folder.check([returned.name for returned in found], force=force)
    folder.make()
    written = {}
    for returned in found:
        texts = _in_suite_order(suite, sending, returned)
        about = {"submitted": returned.path.name, SUITE: suite.exact_name}
        written[folder.put(returned.name, texts, about)] = sum(map(bool, texts.values()))
    return written


def _in_suite_order(suite: Suite, sending: SentSources, returned: ParticipantFile) -> dict[str, str]:
    """Item -> text, without decoys. What is missing stays there, empty: an item that nobody translated still counts."""
    by_item = {
        item: "" if text is None or is_missing(normalise(text)) else text
        for sent, text in zip(sending.lines, returned.texts, strict=True)
        for item in sent.items
    }
    return {item.id: by_item[item.id] for item in suite if item.id in by_item}


def _check_usable(returned: ParticipantFile, sending: SentSources) -> None:
    cure = "see: assay collect check"
    if returned.lines is not None and len(returned.lines) != len(sending.lines):
        raise UnpairedFile(
            returned.path, f"{len(returned.lines):,} lines where {len(sending.lines):,} were sent", cure=cure
        )
    for fault in returned.faults:
        raise UnpairedFile(returned.path, fault, cure=cure)
    if not any(returned.texts):
        raise UnpairedFile(returned.path, f"there is no text of {returned.name!r} in it", cure=cure)
