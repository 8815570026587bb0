"""Reading outputs: every file by its own format, paired with the suite.

outputs = load_outputs(suite, ["newstest2021.de-en.hyp.Online-A.en"], source="newstest2021.de-en.src.de")
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from assay.formats.files import STDIN, read_lines, suffix
from assay.formats.pairing import Pairing
from assay.formats.sources import Source, read_source
from assay.formats.submissions import Given, Submission
from assay.model import BadOption, Collector, Outputs, Suite, System

if TYPE_CHECKING:
    from assay.formats.campaigns import Campaign

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
    files = [Given.parse(str(argument)) for argument in arguments]
    if not files:
        raise BadOption("no outputs given; name at least one file")
    described = _campaign_of(files, source, campaign)
    if described is not None:
        known = read_source(described.source) if described.source else None
        return _collect(suite, known, _described(described, known))
    if [given.path for given in files].count(STDIN) + (source == "-") > 1:
        raise BadOption("standard input (-) can be read only once")
    known = read_source(Path(source)) if source is not None else None
    return _collect(suite, known, _submissions(files, known, campaign))


def _collect(suite: Suite, source: Source | None, submissions: Iterable[Submission]) -> Outputs:
    pairing, collector = Pairing(suite, source), Collector(suite)
    for submission in submissions:
        pairing.add(submission, collector)
    return collector.outputs()


def _submissions(files: Iterable[Given], source: Source | None, campaign: str) -> Iterator[Submission]:
    for given in files:
        yield from _read(given, campaign, source.by_id if source else {})


def _read(given: Given, campaign: str, sources: Mapping[str, str]) -> Iterable[Submission]:
    """The submissions in one file, whatever its format."""
    kind = suffix(given.path)
    if kind == ".xml":
        from assay.formats import wmt_xml

        return wmt_xml.read(given, campaign, sources)
    if kind == ".jsonl":
        from assay.formats import tables, wmt_jsonl

        _, first = next(wmt_jsonl.records(given.path), (0, {}))
        if wmt_jsonl.is_submission(first):
            return [wmt_jsonl.read(given, campaign, sources)]
        return tables.read(given, campaign)
    if kind == ".tsv":
        from assay.formats import tables

        return tables.read(given, campaign)
    system = System(given.system_name, campaign, file=str(given.path))
    return [Submission(system, read_lines(given.path), "order", (), given.path)]


def _campaign_of(files: Sequence[Given], source: Pathish | None, campaign: str) -> "Campaign | None":
    """The campaign file among the arguments; it must then be the only one."""
    described = [given.path for given in files if given.path.suffix.lower() in (".yaml", ".yml")]
    if not described:
        return None
    if len(files) > 1:
        raise BadOption(f"{described[0]} is a campaign file; give it alone, it lists its outputs itself")
    if source is not None or campaign:
        raise BadOption(f"{described[0]} is a campaign file; name source and campaign in it")
    from assay.formats import campaigns

    return campaigns.read(described[0])


def _described(campaign: "Campaign", source: Source | None) -> Iterator[Submission]:
    """The submissions of a campaign file, renamed, described, and without those it leaves out."""
    submissions = list(_submissions(campaign.outputs, source, campaign.name))
    campaign.check_names({submission.system.name for submission in submissions})
    for submission in submissions:
        if submission.system.name in campaign.exclude:
            continue
        name = campaign.aliases.get(submission.system.name, submission.system.name)
        system = System(name, campaign.name, campaign.metadata.get(name, {}), submission.system.file)
        yield Submission(system, submission.texts, submission.by, submission.keys, submission.path)
