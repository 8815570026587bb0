"""Use cases: write the results of a run, and copy the bundled sample into a folder.

    RunTargets(report, verdicts, learn, export, figures).check(inputs, force=False)
    export_run(run, Path("exported"))

An export is a suite whose items have the decided texts as exact rules, with outputs and a campaign file: `assay
evaluate` gives the same verdicts, and unknown ones are warnings for the workbench.
"""

import shutil
from dataclasses import dataclass, replace
from filecmp import cmp
from pathlib import Path

from assay.contrasts import bundled
from assay.contrasts.annotations import ToolNames
from assay.contrasts.contrast_run import ContrastRun
from assay.contrasts.run import ContrastInputs
from assay.errors import BadFile, BadOption
from assay.files import STDOUT, check_targets, make_folder, writing_folder
from assay.outputs.output_folder import CAMPAIGN, OutputFolder
from assay.suites import Rule, Suite, native_writer
from assay.suites.native import MANIFEST
from assay.text import normalise
from assay.verdicts import Verdict, VerdictTable

SAMPLE = "sample"
REFERENCE = "reference"
REPORT = "report.html"

SUITE = (MANIFEST,)
"""By these files a folder that `find` wrote is recognised."""

EXPORTED = (f"suite/{MANIFEST}", "outputs")
"""By these files a folder that `export_run` wrote is recognised."""


@dataclass(frozen=True, slots=True)
class RunTargets:
    """Where a run is to write: files, and with `export` and `figures` folders."""

    report: Path | None = None
    verdicts: Path | None = None
    learn: Path | None = None
    export: Path | None = None
    figures: Path | None = None

    def check(self, inputs: ContrastInputs, *, force: bool) -> None:
        """Check, before any work is done, that all targets can be written and replace nothing foreign."""
        targets = (self.report, self.verdicts, self.learn, self.export, self.figures)
        written = [path for path in targets if path is not None]
        check_targets(written, inputs.files())
        for file in (self.report, self.verdicts):
            if file is not None and file != STDOUT and file.is_dir():
                raise BadFile(file, "a folder stands where a file is to be written", cure="choose another name")
        if self.figures is not None:
            _check_folder(self.figures)
        if self.export is None:
            return
        check_replaced(self.export, EXPORTED, force=force)
        # The export replaces its folder as a whole, so nothing else of this run may be in it.
        place = self.export.resolve()
        for other in (*inputs.files(), *(path for path in written if path not in (STDOUT, self.export))):
            if place in other.resolve().parents:
                raise BadOption(f"{other} is in the folder {self.export}, which is replaced; export to another")


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BadFile(folder, "a file stands where a folder is to be written", cure="choose another name")


def check_replaced(folder: Path, own: tuple[str, ...], *, force: bool) -> None:
    """Check, before any work is done, that a folder may be written: only one that has all of `own` is replaced."""
    _check_folder(folder)
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not all((folder / name).exists() for name in own):
        raise BadFile(folder, "the folder has something else in it", cure="it is not replaced; choose another name")
    if not force:
        raise BadFile(folder, "the folder is not empty", cure="choose another name or add --force")


def export_run(run: ContrastRun, path: Path, *, force: bool = False) -> tuple[Path, Path]:
    """Write a suite and outputs that `assay evaluate`, `import` and `challenge build` read; returns their paths."""
    table = run.evaluation.table
    suite = judged_suite(table)
    with writing_folder(path, force=force) as folder:
        (folder / "suite").mkdir()
        native_writer.write_into(suite, folder / "suite")
        outputs = OutputFolder(folder / "outputs", suite, suite.name)
        names = [system.name for system in table.outputs.systems]
        # For its check that no two systems share a file name; the folder is new, so there is nothing to protect.
        outputs.check(names, force=True)
        outputs.make()
        for column, system in enumerate(table.outputs.systems):
            texts = {
                suite.items[position].id: table.outputs.text(position, column) for position in table.items.tolist()
            }
            outputs.put(system.name, texts, system.metadata)
    return path / "suite", path / "outputs" / CAMPAIGN


def judged_suite(table: VerdictTable) -> Suite:
    """The suite of a run with every decided text as an exact rule, whose note is the class."""
    rules: list[dict[str, Rule]] = [{} for _ in table.suite.items]
    for text, owner, finding in zip(table.outputs.texts, table.outputs.owners.tolist(), table.findings, strict=True):
        if finding is None or finding.verdict == Verdict.WARNING:
            continue
        seen = finding.evidence[0].rule
        # Exact rules compare normalised texts, so texts that are equal then can have one rule only: the first.
        rules[owner].setdefault(normalise(text), Rule(seen.polarity, "exact", text, note=f"class {seen.value}"))
    pairs = zip(table.suite.items, rules, strict=True)
    return replace(table.suite, items=tuple(replace(item, rules=tuple(own.values())) for item, own in pairs))


def copy_sample(folder: Path, *, force: bool = False) -> ContrastInputs:
    """Copy the bundled sample of made-up systems into a folder; returns the inputs of a run on it."""
    sample = next(iter(bundled().values())).parent / SAMPLE
    if not sample.is_dir():
        raise BadOption("this installation has no sample")
    if not force:
        _check_sample(sample, folder)
    make_folder(folder, cure="choose another with -o")
    for path in sorted(sample.iterdir()):
        shutil.copyfile(path, folder / path.name)
    systems = sorted(path.stem for path in sample.glob("*.txt") if path.stem not in ("source", REFERENCE))
    return ContrastInputs(
        contrasts="en-cs",
        source=folder / "source.txt",
        outputs=[str(folder / f"{system}.txt") for system in systems],
        references=[str(folder / f"{REFERENCE}.txt")],
        tools=ToolNames(
            f"conllu:{folder / 'source.conllu'}",
            f"conllu:{folder}/{{system}}.conllu",
            f"pharaoh:{folder}/{{system}}.links",
        ),
    )


def _check_sample(sample: Path, folder: Path) -> None:
    """Refuse to write over files that are not the sample's. A report counts as ours if the whole sample is there."""
    files = [path for path in sorted(sample.iterdir()) if path.is_file()]
    foreign = [copy for path in files if (copy := folder / path.name).exists() and not _same(path, copy)]
    if (folder / REPORT).exists() and not all((folder / path.name).exists() for path in files):
        foreign.append(folder / REPORT)
    if foreign:
        raise BadFile(foreign[0], "is not the demo's", cure="choose another folder with -o, or add --force")


def _same(one: Path, other: Path) -> bool:
    return other.is_file() and cmp(one, other, shallow=False)
