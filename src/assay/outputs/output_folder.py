"""A folder of collected outputs: a TSV file per system, and a campaign file that names them and where they come from.

    folder = OutputFolder.open(Path("outputs"), suite, campaign="2026")
    folder.put("apertium", {"casa": "La casa es azul."}, {"engine": "apertium", "collected": "1f0c…"})

`assay evaluate SUITE outputs/campaign.yaml` reads it. A system that is put there again replaces its earlier outputs;
the others stay. The campaign file has a digest of collected outputs, so that edits by hand are noticed.
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
    """The systems in the folder, with their metadata as in its campaign file."""

    path: Path
    suite: Suite
    campaign: str
    systems: dict[str, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path, suite: Suite, *, campaign: str = "", force: bool = False) -> Self:
        """A folder to put outputs into; a campaign file that Assay did not write is replaced only with `force`.

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
        # With --force whatever stands in the way is replaced, even a file that cannot be read.
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
        """Refuse to write over files that are not from an earlier run, before any engine is asked."""
        for system in systems:
            if file_stem(system) in ("", ".", ".."):
                raise BadOption(f"{system!r} is no name for a system; write NAME=ENGINE:…")
        # Two names can give one file name (`A/B` and `A_B`).
        check_targets([self.file(system) for system in {*systems, *self.systems}], [])
        for system in systems:
            if self.file(system).exists() and not force and not self.is_own(system):
                self._refuse(system)

    def is_own(self, system: str) -> bool:
        """Whether its outputs were collected here and not edited since."""
        about = self.systems.get(system)
        # No digest: the folder was written before digests were, or by a command that keeps none.
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
        # The digest of what is now on disk, not of the texts: it must survive quoting and line ends.
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
    files = {output.path.name for output in found.outputs if output.path.parent == found.path.parent}
    own = {f"{file_stem(name)}.tsv" for name in found.metadata}
    # Assay writes none of these keys, and names exactly the files beside it.
    if (
        found.source
        or found.id_map
        or found.aliases
        or found.exclude
        or files != own
        or len(files) != len(found.outputs)
    ):
        raise BadFile(found.path, "not a file that assay translate wrote", cure=_CURE)
    for name, fields in found.metadata.items():
        # `name@version#hash`: another version of the same suite may be collected into the same folder.
        home = fields.get(SUITE, "").partition("#")[0].partition("@")[0]
        if home != suite.name:
            raise BadFile(found.path, f"{name} holds outputs of the suite {home!r}, not {suite.name!r}", cure=_CURE)


def file_stem(system: str) -> str:
    """A system's name as part of a file's name."""
    # Names of systems contain slashes, colons and spaces; letters of any script are fine in a file name.
    return re.sub(r"[^\w.+-]", "_", system)
