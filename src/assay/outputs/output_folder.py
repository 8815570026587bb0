"""A folder of collected outputs: a TSV file per system, and a campaign file that names them and where they come from.

    folder = OutputFolder.open(Path("outputs"), suite, campaign="2026")
    folder.put("apertium", {"casa": "La casa es azul."}, {"engine": "apertium", "collected": "1f0c…"})

`assay evaluate SUITE outputs/campaign.yaml` reads it. A system that is put there again takes the place of its earlier
self; the others stay. Of collected outputs the campaign file has a digest, so that changes by hand are seen.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import yaml

from assay.errors import AssayError, BadFile, BadOption
from assay.files import check_targets, make_folder, writing
from assay.outputs import campaign as campaign_file
from assay.outputs.campaign import Campaign
from assay.outputs.collected import COLLECTED, DIGEST, digest_of
from assay.outputs.outputs import Outputs
from assay.suites import Suite
from assay.tsv import TsvWriter
from assay.yaml_nodes import Dumper

CAMPAIGN = "campaign.yaml"
SUITE = "suite"
_CURE = "choose another folder, or replace it with --force"


@dataclass
class OutputFolder:
    """What is in the folder; `systems` has the metadata of those that are named in its campaign file."""

    path: Path
    suite: Suite
    campaign: str
    systems: dict[str, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path, suite: Suite, *, campaign: str = "", force: bool = False) -> Self:
        """A folder to put outputs into; another's campaign file in it is replaced only with `force`.

        The systems of its own campaign file stay in any case.
        """
        if path.exists() and not path.is_dir():
            raise BadFile(path, "a file stands where a folder is to be written", cure="choose another name")
        file = path / CAMPAIGN
        if not file.exists():
            return cls(path, suite, campaign or suite.name)
        try:
            found = campaign_file.read(file)
            _check_own(found, suite)
        except AssayError:
            if force:
                return cls(path, suite, campaign or suite.name)
            raise
        if campaign and campaign != found.name and not force:
            raise BadFile(file, f"holds the campaign {found.name!r}, not {campaign!r}", cure=_CURE)
        systems = {name: dict(fields) for name, fields in found.metadata.items()}
        return cls(path, suite, campaign or found.name, systems)

    def file(self, system: str) -> Path:
        """Where the outputs of a system are."""
        return self.path / f"{file_stem(system)}.tsv"

    def check(self, systems: Sequence[str], *, force: bool) -> None:
        """Refuse, before anything is asked, to write over what is not of an earlier run."""
        for system in systems:
            if file_stem(system) in ("", ".", ".."):
                raise BadOption(f"{system!r} is no name for a system; write NAME=ENGINE:…")
        check_targets([self.file(system) for system in {*systems, *self.systems}], [])
        for system in systems:
            if self.file(system).exists() and not force and not self.is_own(system):
                self._refuse(system)

    def is_own(self, system: str) -> bool:
        """Whether its outputs are as they were written."""
        about = self.systems.get(system)
        return about is not None and about.get(DIGEST) in (None, digest_of(self.file(system)))

    def _refuse(self, system: str) -> None:
        file = self.file(system)
        if system in self.systems:
            cure = "rename it to keep the changes, or lose them with --force"
            raise BadFile(file, "was changed after its outputs were collected", cure=cure)
        raise BadFile(file, "there are outputs already, which were not collected here", cure=_CURE)

    def read(self, system: str) -> Outputs:
        from assay.outputs.load import load_outputs

        return load_outputs(self.suite, [self.file(system)])

    def items(self, system: str) -> frozenset[str]:
        """The items that a system was asked for in earlier runs, with and without an answer."""
        if system not in self.systems or not self.file(system).exists():
            return frozenset()
        try:
            found = self.read(system).found
        except AssayError:
            return frozenset()  # replaced with `force`
        return frozenset(self.suite.items[position].id for position in found.tolist())

    def make(self) -> None:
        """Make the folder itself."""
        make_folder(self.path, cure="choose another with -o")

    def put(self, system: str, texts: Mapping[str, str], metadata: Mapping[str, str]) -> Path:
        """Write what a system answered, item -> text (empty where it has none); the file of its outputs."""
        path = self.file(system)
        with writing(path) as stream:
            writer = TsvWriter(stream)
            writer.writerow(["item", "system", "text"])
            writer.writerows([item, system, text] for item, text in texts.items())
        digest = {DIGEST: digest_of(path)} if COLLECTED in metadata else {}
        self.systems[system] = {**{name: value for name, value in metadata.items() if value}, **digest}
        self._write_campaign()
        return path

    def _write_campaign(self) -> None:
        content = {
            "campaign": self.campaign,
            "outputs": [self.file(system).name for system in self.systems],
            "systems": self.systems,
        }
        with writing(self.path / CAMPAIGN) as stream:
            yaml.dump(content, stream, Dumper=Dumper, allow_unicode=True, sort_keys=False, width=2**16)


def _check_own(found: Campaign, suite: Suite) -> None:
    """That a campaign file was written here, for the same suite."""
    files = {given.path.name for given in found.outputs if given.path.parent == found.path.parent}
    own = {f"{file_stem(name)}.tsv" for name in found.metadata}
    if found.source or found.aliases or found.exclude or files != own or len(files) != len(found.outputs):
        raise BadFile(found.path, "not a file that assay translate wrote", cure=_CURE)
    for name, fields in found.metadata.items():
        home = fields.get(SUITE, "").partition("#")[0].partition("@")[0]
        if home != suite.name:
            raise BadFile(found.path, f"{name} holds outputs of the suite {home!r}, not {suite.name!r}", cure=_CURE)


def file_stem(system: str) -> str:
    """A system's name as part of a file's name."""
    return re.sub(r"[^\w.+-]", "_", system)
