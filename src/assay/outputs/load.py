"""Reading outputs: every file by its own format, paired with the suite.

outputs = load_outputs(suite, ["newstest2021.de-en.hyp.Online-A.en"], source="newstest2021.de-en.src.de")
outputs = load_outputs(suite, "wmt26", tell=print)         # a folder: what is there is found out, and said
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import BadFile, BadOption
from assay.files import STDIN, Lines, exists, suffix
from assay.outputs.outputs import Collector, Outputs, System
from assay.outputs.pairing import Pairing
from assay.outputs.source_texts import Source
from assay.outputs.sources import read_source
from assay.outputs.submission import NamedFile, Submission
from assay.suites import Suite, Tier

if TYPE_CHECKING:
    from assay.outputs.campaign import Campaign
    from assay.outputs.id_map import IdMap
    from assay.outputs.repairs import Repairs

Pathish = str | PathLike[str]
Tell = Callable[[str], None]
"""Is called with a line that a user should read."""


def _silent(line: str) -> None:
    pass


def load_outputs(
    suite: Suite,
    paths: Pathish | Iterable[Pathish],
    *,
    source: Pathish | None = None,
    campaign: str = "",
    id_map: Pathish | None = None,
    repair: bool = False,
    tell: Tell = _silent,
    tier: Tier | None = None,
) -> Outputs:
    """Outputs of systems for the items of a suite.

    `paths` are output files (`NAME=path` names the system, `-` is standard input), campaign files, or folders of
    outputs, each of them a campaign. With `source` plain text is joined with the suite by source sentence, otherwise it
    has one line per item. `id_map` leads from others' ids to items. `repair` takes bare carriage returns for line ends,
    leaves out empty lines that were not translated, and takes quotes of CSV off sources. `tell` is called with a line
    for whatever was found in a folder or repaired. With a `tier` plain text may have a line for each item of that tier.
    """
    arguments = [paths] if isinstance(paths, str | PathLike) else list(paths)
    files = [NamedFile.parse(str(argument)) for argument in arguments]
    if not files:
        raise BadOption("no outputs given; name at least one file")
    if any(file.path.suffix.lower() in (".yaml", ".yml") for file in files):
        if id_map is not None:
            raise BadOption(f"{files[0].path} is a campaign file; name the map in it (map: FILE)")
        return load_campaigns(suite, _campaign_files(files, source, campaign), repair=repair, tell=tell, tier=tier)
    loading = _Loading(suite, repair=repair, tell=tell, tier=tier)
    known_map = _read_map(Path(id_map), suite) if id_map is not None else None
    if any(_is_folder(file) for file in files):
        loading.add_folders(files, source, campaign, known_map)
    else:
        # A second reader of a pipe would get nothing, and report an empty file.
        if [file.path for file in files].count(STDIN) + (source is not None and Path(source) == STDIN) > 1:
            raise BadOption("standard input (-) can be read only once")
        loading.add_files(files, loading.source(source), campaign, known_map)
    return loading.outputs()


def load_campaigns(
    suite: Suite,
    paths: Sequence[Pathish],
    *,
    repair: bool = False,
    tell: Tell = _silent,
    tier: Tier | None = None,
) -> Outputs:
    """Outputs of several campaigns, each named by its campaign file."""
    from assay.outputs.campaign import read

    loading = _Loading(suite, repair=repair, tell=tell, tier=tier)
    for path in paths:
        loading.add_campaign(read(Path(path)))
    return loading.outputs()


def _read_map(path: Path, suite: Suite, *, is_given: bool = True) -> "IdMap":
    from assay.outputs.id_map import read_map

    return read_map(path, suite, is_given=is_given)


def _repairs() -> "Repairs":
    from assay.outputs.repairs import Repairs

    return Repairs()


def _is_folder(file: NamedFile) -> bool:
    return exists(file.path) and file.path.is_dir()


class _Loading:
    """Outputs on their way in. The collector is shared, and with it equal texts; each campaign has its own pairing."""

    def __init__(self, suite: Suite, *, repair: bool, tell: Tell, tier: Tier | None = None) -> None:
        self.suite, self.tier = suite, tier
        self.repairs = _repairs() if repair else None
        self.tell = tell
        self._collector = Collector(suite)

    def outputs(self) -> Outputs:
        for line in self.repairs.done if self.repairs else ():
            self.tell(f"repaired {line}")
        return self._collector.outputs()

    def source(self, path: Pathish | None) -> Source | None:
        return read_source(Path(path), self.suite.langpair, self.repairs) if path is not None else None

    def add_files(
        self, files: Iterable[NamedFile], source: Source | None, campaign: str, id_map: "IdMap | None"
    ) -> None:
        self._pair(self._submissions(files, source, campaign), source, id_map)

    def add_folders(
        self, files: Sequence[NamedFile], source: Pathish | None, campaign: str, id_map: "IdMap | None"
    ) -> None:
        """Everything in some folders, each of which is a campaign of its own name."""
        from assay.outputs.campaign_folder import find_outputs

        if campaign and len(files) > 1:
            raise BadOption(f"{len(files)} folders are {len(files)} campaigns; give them without --campaign")
        for file in files:
            if not _is_folder(file):
                raise BadOption(f"{file.path} stands beside a folder; name folders, or files one by one")
            if file.name:
                raise BadOption(f"{file.path} is a folder; give it without {file.name}=")
            if (file.path / "campaign.yaml").is_file():
                from assay.outputs.campaign import read

                self.tell(f"{file.path}: taken as campaign.yaml in it says")
                self.add_campaign(read(file.path / "campaign.yaml"))
                continue
            found = find_outputs(file.path, self.suite, source=Path(source) if source is not None else None)
            beside = id_map or (_read_map(found.id_map, self.suite, is_given=False) if found.id_map else None)
            self.tell(str(found))
            name = campaign or file.path.resolve().name
            self.add_files(found.outputs, self.source(found.source), name, beside)

    def add_campaign(self, campaign: "Campaign") -> None:
        source = self.source(campaign.source)
        id_map = _read_map(campaign.id_map, self.suite) if campaign.id_map else None
        submissions = self._submissions(campaign.outputs, source, campaign.name)
        self._pair(_described(campaign, submissions), source, id_map)

    def _submissions(self, files: Iterable[NamedFile], source: Source | None, campaign: str) -> Iterator[Submission]:
        for file in files:
            yield from _read(file, campaign, source, self.suite.langpair, self.repairs)

    def _pair(self, submissions: Iterable[Submission], source: Source | None, id_map: "IdMap | None") -> None:
        pairing = Pairing(self.suite, source, id_map=id_map, repairs=self.repairs, tier=self.tier)
        for submission in submissions:
            pairing.add(submission, self._collector)
            if submission.note:
                self.tell(f"{submission.path}: {submission.note}")


def _read(
    file: NamedFile, campaign: str, source: Source | None, langpair: str, repairs: "Repairs | None"
) -> Iterable[Submission]:
    """The submissions in one file, whatever its format."""
    kind = suffix(file.path)
    if kind == ".xml":
        from assay.outputs import wmt_xml

        return wmt_xml.read(file, campaign, source.by_id if source else {})
    if kind == ".jsonl":
        from assay.json_lines import records
        from assay.outputs import tables, wmt_jsonl

        # Two formats end in .jsonl; the first object tells which.
        _, first = next(records(file.path), (0, {}))
        if wmt_jsonl.is_submission(first):
            return [wmt_jsonl.read(file, campaign, source, langpair)]
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
    lines = Lines(file.path)
    texts = repairs.lines(file.path, lines) if repairs is not None else lines
    return [Submission(system, texts, "order", (), file.path)]


def _campaign_files(files: Sequence[NamedFile], source: Pathish | None, campaign: str) -> list[Path]:
    """The arguments as campaign files, which name source, campaign and outputs themselves."""
    for file in files:
        if file.path.suffix.lower() not in (".yaml", ".yml"):
            raise BadOption(f"{file.path} stands beside a campaign file; list it in the campaign file instead")
    if source is not None or campaign:
        raise BadOption(f"{files[0].path} is a campaign file; name source and campaign in it")
    return [file.path for file in files]


def _described(campaign: "Campaign", submissions: Iterable[Submission]) -> Iterator[Submission]:
    """The submissions of a campaign file, renamed, described, and without those it leaves out."""
    from assay.outputs.collected import mark_edited

    names = set()
    for submission in submissions:
        # Remembered before anything is left out: an excluded system is there, and may be named in the file.
        names.add(submission.system.name)
        if submission.system.name in campaign.exclude:
            continue
        name = campaign.aliases.get(submission.system.name, submission.system.name)
        about = mark_edited(campaign.metadata.get(name, {}), submission.path)
        yield replace(submission, system=System(name, campaign.name, about, submission.system.file))
    campaign.check_names(names)
