"""Reading outputs: every file by its own format, paired with the suite.

outputs = load_outputs(suite, ["newstest2021.de-en.hyp.Online-A.en"], source="newstest2021.de-en.src.de")
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import BadFile, BadOption
from assay.files import STDIN, Lines, suffix
from assay.outputs.outputs import Collector, Outputs, System
from assay.outputs.pairing import Pairing
from assay.outputs.sources import Source, read_source
from assay.outputs.submission import NamedFile, Submission
from assay.suites import Suite

if TYPE_CHECKING:
    from assay.outputs.campaign import Campaign

Pathish = str | PathLike[str]


def load_outputs(
    suite: Suite,
    paths: Pathish | Iterable[Pathish],
    *,
    source: Pathish | None = None,
    campaign: str = "",
) -> Outputs:
    """Outputs of systems for the items of a suite.

    `paths` are output files (`NAME=path` names the system, `-` is standard input) or one campaign file. With
    `source` plain text is joined with the suite by source sentence, otherwise it has one line per item.
    """
    arguments = [paths] if isinstance(paths, str | PathLike) else list(paths)
    files = [NamedFile.parse(str(argument)) for argument in arguments]
    if not files:
        raise BadOption("no outputs given; name at least one file")
    if any(file.path.suffix.lower() in (".yaml", ".yml") for file in files):
        return load_campaigns(suite, _campaign_files(files, source, campaign))
    # A second reader of a pipe would get nothing, and report an empty file.
    if [file.path for file in files].count(STDIN) + (source is not None and Path(source) == STDIN) > 1:
        raise BadOption("standard input (-) can be read only once")
    known = read_source(Path(source)) if source is not None else None
    return _collect(suite, known, _submissions(files, known, campaign))


def load_campaigns(suite: Suite, paths: Sequence[Pathish]) -> Outputs:
    """Outputs of several campaigns, each named by its campaign file."""
    from assay.outputs.campaign import read

    collector = Collector(suite)
    for path in paths:
        campaign = read(Path(path))
        known = read_source(campaign.source) if campaign.source else None
        # Each campaign has its own source file, so its own pairing; the collector is shared, and with it equal texts.
        pairing = Pairing(suite, known)
        for submission in _described(campaign, known):
            pairing.add(submission, collector)
    return collector.outputs()


def _collect(suite: Suite, source: Source | None, submissions: Iterable[Submission]) -> Outputs:
    pairing, collector = Pairing(suite, source), Collector(suite)
    for submission in submissions:
        pairing.add(submission, collector)
    return collector.outputs()


def _submissions(files: Iterable[NamedFile], source: Source | None, campaign: str) -> Iterator[Submission]:
    for file in files:
        yield from _read(file, campaign, source.by_id if source else {})


def _read(file: NamedFile, campaign: str, sources: Mapping[str, str]) -> Iterable[Submission]:
    """The submissions in one file, whatever its format."""
    kind = suffix(file.path)
    if kind == ".xml":
        from assay.outputs import wmt_xml

        return wmt_xml.read(file, campaign, sources)
    if kind == ".jsonl":
        from assay.json_lines import records
        from assay.outputs import tables, wmt_jsonl

        # Two formats end in .jsonl; the first object tells which.
        _, first = next(records(file.path), (0, {}))
        if wmt_jsonl.is_submission(first):
            return [wmt_jsonl.read(file, campaign, sources)]
        return tables.read(file, campaign)
    if kind == ".tsv":
        from assay.outputs import tables

        return tables.read(file, campaign)
    if kind == ".parquet":
        from assay.outputs import parquet

        return parquet.read(file, campaign)
    # Plain text is any other suffix, so what is surely not text is refused by name (`results.json` among the outputs).
    if kind in (".md", ".html", ".json", ".csv", ".xlsx"):
        cure = "give text, .tsv, .jsonl, .parquet or .xml files"
        raise BadFile(file.path, f"a {kind} file holds no outputs", cure=cure)
    system = System(file.system_name, campaign, file=str(file.path))
    return [Submission(system, Lines(file.path), "order", (), file.path)]


def _campaign_files(files: Sequence[NamedFile], source: Pathish | None, campaign: str) -> list[Path]:
    """The arguments as campaign files, which name source, campaign and outputs themselves."""
    for file in files:
        if file.path.suffix.lower() not in (".yaml", ".yml"):
            raise BadOption(f"{file.path} stands beside a campaign file; list it in the campaign file instead")
    if source is not None or campaign:
        raise BadOption(f"{files[0].path} is a campaign file; name source and campaign in it")
    return [file.path for file in files]


def _described(campaign: "Campaign", source: Source | None) -> Iterator[Submission]:
    """The submissions of a campaign file, renamed, described, and without those it leaves out."""
    from assay.outputs.collected import mark_edited

    names = set()
    for submission in _submissions(campaign.outputs, source, campaign.name):
        # Remembered before anything is left out: an excluded system is there, and may be named in the file.
        names.add(submission.system.name)
        if submission.system.name in campaign.exclude:
            continue
        name = campaign.aliases.get(submission.system.name, submission.system.name)
        about = mark_edited(campaign.metadata.get(name, {}), submission.path)
        yield replace(submission, system=System(name, campaign.name, about, submission.system.file))
    campaign.check_names(names)
