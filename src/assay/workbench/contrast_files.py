"""Use cases: write what contrasts found, and put the bundled sample into a folder.

    check_run_targets(inputs, report, verdicts, export)
    export_run(run, Path("exported"))

What is exported is a suite whose items have the decided texts as exact rules, with outputs and a campaign file: `assay
evaluate` gives the same verdicts, and what is unknown is a warning for the workbench.
"""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assay.contrasts import bundled
from assay.contrasts.gathering import ToolNames
from assay.formats import native_writer
from assay.formats.files import check_targets, write_bytes, writing_folder
from assay.formats.output_folders import CAMPAIGN, OutputFolder
from assay.model import BadFile, BadOption, Rule, Suite, Verdict, VerdictTable, normalise
from assay.reports.contrasts import ContrastRun
from assay.workbench.contrasting import ContrastInputs

SAMPLE = "sample"
REFERENCE = "reference"


def check_run_targets(inputs: ContrastInputs, targets: Sequence[Path | None]) -> None:
    """Refuse, before any work is done, to write over what is read, or two things to one place."""
    check_targets([path for path in targets if path is not None], inputs.files())


def check_export(folder: Path, *, force: bool) -> None:
    """Refuse, before any work is done, a folder that cannot be written."""
    if folder.exists() and not folder.is_dir():
        raise BadFile(folder, "a file stands where a folder is to be written", cure="choose another name")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise BadFile(folder, "the folder is not empty", cure="choose another name or add --force")


def export_run(run: ContrastRun, path: Path, *, force: bool = False) -> tuple[Path, Path]:
    """Write a suite and outputs that `assay evaluate`, `import` and `challenge build` take; where both are."""
    table = run.evaluation.table
    suite = judged_suite(table)
    with writing_folder(path, force=force) as folder:
        (folder / "suite").mkdir()
        native_writer.write_into(suite, folder / "suite")
        outputs = OutputFolder(folder / "outputs", suite, suite.name)
        names = [system.name for system in table.outputs.systems]
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
        # What is the same to every rule is one text here too; the first that was judged counts.
        rules[owner].setdefault(normalise(text), Rule(seen.polarity, "exact", text, note=f"class {seen.value}"))
    pairs = zip(table.suite.items, rules, strict=True)
    return replace(table.suite, items=tuple(replace(item, rules=tuple(own.values())) for item, own in pairs))


def draw_bars(run: ContrastRun, folder: Path) -> list[Path]:
    """The bars by contrast and by system in every format."""
    from assay.reports.figures import FORMATS, render
    from assay.reports.figures.bars import contrast_figures

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(folder, f"the folder cannot be made ({error.strerror})") from None
    written = []
    for figure in contrast_figures(run):
        for kind in FORMATS:
            path = folder / f"{figure.name}.{kind}"
            write_bytes(render(figure, kind), path)
            written.append(path)
    return written


def copy_sample(folder: Path) -> ContrastInputs:
    """The bundled sample of made-up systems, which is put into a folder, as the inputs of a run."""
    sample = next(iter(bundled().values())).parent / SAMPLE
    if not sample.is_dir():
        raise BadOption("this installation has no sample")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(folder, f"the folder cannot be made ({error.strerror})", cure="choose another with -o") from None
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
