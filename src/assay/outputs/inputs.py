"""What a command reads: a suite and outputs, as named by the user."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import UnknownName
from assay.files import check_targets, make_folder, write_bytes
from assay.outputs.load import load_outputs
from assay.outputs.outputs import Outputs
from assay.outputs.submission import NamedFile
from assay.suites import Suite, Tier, bundled, bundled_outputs, load_suite, losses, save_suite

LONGEST_COMMAND = 60
"""Characters of a command that a message repeats as it was typed."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """A suite and outputs as named by the user."""

    suite: str
    outputs: Sequence[str]
    source: str | None = None
    campaign: str = ""
    aliases: Path | None = None
    id_map: Path | None = None
    repair: bool = False
    # Not compared: it is no part of what is read.
    tell: Callable[[str], None] = field(default=lambda line: None, compare=False)
    """Gets lines about what was found in folders, and what was repaired."""
    tier: Tier | None = None

    def load(self) -> tuple[Suite, Outputs]:
        """The suite and the outputs, renamed where an alias file says so; of one tier where that was chosen."""
        suite = self._whole_suite()
        outputs = self.load_outputs(suite)
        if self.tier is None:
            return suite, outputs
        # Outputs are paired with the whole suite first: most files have texts for all of it.
        places = suite.places_of(self.tier)
        return suite.of_tier(self.tier), outputs if len(places) == len(suite) else outputs.of_items(places)

    def load_outputs(self, suite: Suite) -> Outputs:
        """The outputs, for a whole suite that is there already."""
        outputs = load_outputs(
            suite,
            self.outputs,
            source=self.source,
            campaign=self.campaign,
            id_map=self.id_map,
            repair=self.repair,
            tell=self.tell,
            tier=self.tier,
        )
        if self.aliases is not None:
            # Here, since few commands have aliases and the reader of YAML takes its time to load.
            from assay.outputs.aliases import read_aliases, rename_systems

            outputs = rename_systems(outputs, read_aliases(self.aliases))
        return outputs

    @property
    def command(self) -> str:
        """The arguments that name these files on a command line; `OUTPUT…` where they are too many for a message."""
        words = [self.suite, *(("--source", self.source) if self.source else ())]
        words += ["--map", str(self.id_map)] if self.id_map else []
        words += [*(["--repair"] if self.repair else []), *(["--tier", self.tier] if self.tier else []), *self.outputs]
        line = shlex.join(words)
        return line if len(line) <= LONGEST_COMMAND else shlex.join(words[: -len(self.outputs)]) + " OUTPUT…"

    def files(self) -> list[Path]:
        """The files that are read; those that a campaign file names are not known yet."""
        files = [Path(self.suite), *(NamedFile.parse(argument).path for argument in self.outputs)]
        files += [Path(self.source)] if self.source else []
        return files + [path for path in (self.aliases, self.id_map) if path]

    def load_suite(self) -> Suite:
        """The suite, or its items of the tier that was chosen."""
        suite = self._whole_suite()
        return suite if self.tier is None else suite.of_tier(self.tier)

    def _whole_suite(self) -> Suite:
        suite = load_suite(self.suite)
        if self.aliases is None:
            return suite
        from assay.outputs.aliases import read_aliases, rename

        return rename(suite, read_aliases(self.aliases))


def check_output(inputs: Inputs, output: Path | None) -> None:
    """Refuse to write to a file that is also read."""
    if output is not None:
        check_targets([output], inputs.files())


def copy_demo(name: str, folder: Path) -> Inputs:
    """A bundled suite, and the outputs of made-up systems that come with it, copied into a folder."""
    with_outputs = [known for known in bundled() if bundled_outputs(known)]
    if name not in with_outputs:
        raise UnknownName("suite with bundled outputs", name, with_outputs)
    make_folder(folder, cure="choose another with -o")
    copies = [folder / path.name for path in bundled_outputs(name)]
    for path, copy in zip(bundled_outputs(name), copies, strict=True):
        write_bytes(path.read_bytes(), copy)
    return Inputs(name, [str(copy) for copy in copies])


def convert(inputs: Inputs, target: Path, *, lossy: bool, force: bool) -> tuple[Suite, list[str]]:
    """Convert a suite; returns it with what the target format could not hold."""
    suite = inputs.load_suite()
    missing = losses(suite, target)
    save_suite(suite, target, lossy=lossy, force=force)
    return suite, missing
