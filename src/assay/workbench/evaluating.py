"""Use cases: evaluate files and write what came out."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, Unpack

from assay.evaluation import Choices, Evaluation, Progress, evaluate
from assay.evaluation.groups import Scores
from assay.formats import bundled, bundled_outputs, load_outputs, load_suite
from assay.formats.files import STDOUT, check_targets, write_bytes, writing
from assay.formats.submissions import Given
from assay.model import BadFile, BadOption, Outputs, Suite, UnknownName
from assay.reports import FORMATS, SUFFIXES, Format
from assay.workbench.working import ALONE, Workers


class Inputs(NamedTuple):
    """A suite and outputs as named by the user."""

    suite: str
    outputs: Sequence[str]
    source: str | None = None
    campaign: str = ""
    aliases: Path | None = None

    def load(self) -> tuple[Suite, Outputs]:
        """The suite and the outputs, renamed where an alias file says so."""
        suite = self.load_suite()
        outputs = load_outputs(suite, self.outputs, source=self.source, campaign=self.campaign)
        if self.aliases is not None:
            from assay.formats.aliases import read_aliases, rename_systems

            outputs = rename_systems(outputs, read_aliases(self.aliases))
        return suite, outputs

    def files(self) -> list[Path]:
        """The files that are read, as far as their names are known before reading."""
        files = [Path(self.suite), *(Given.parse(argument).path for argument in self.outputs)]
        files += [Path(self.source)] if self.source else []
        return files + ([self.aliases] if self.aliases else [])

    def load_suite(self) -> Suite:
        suite = load_suite(self.suite)
        if self.aliases is None:
            return suite
        from assay.formats.aliases import read_aliases, rename

        return rename(suite, read_aliases(self.aliases))


def evaluate_files(
    inputs: Inputs,
    *,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    workers: Workers = ALONE,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> Evaluation:
    """Evaluate outputs with a suite; `workers` judge them and make the draws of the test."""
    with workers.open() as engine:
        suite, outputs = inputs.load()
        return evaluate(
            suite, outputs, systems=systems or None, exclude=exclude, engine=engine, progress=progress, **choices
        )


def check_output(inputs: Inputs, output: Path | None) -> None:
    """Refuse to write over what is read."""
    if output is not None:
        check_targets([output], inputs.files())


def check_evaluation_targets(inputs: Inputs, report: Path | None, verdicts: Path | None) -> None:
    """Refuse, before any work is done, targets that would overwrite what is read or each other."""
    if verdicts is not None:
        from assay.formats.verdicts import check_verdicts_path

        check_verdicts_path(verdicts)
    check_targets([path for path in (report, verdicts) if path is not None], inputs.files())


def write_results(
    evaluation: Evaluation, *, report: tuple[str | bytes, Path] | None = None, verdicts: Path | None = None
) -> None:
    """Write the report and the verdict table, both or neither."""
    with ExitStack() as stack:
        if verdicts is not None:
            from assay.formats.verdicts import writing_verdicts

            stack.enter_context(writing_verdicts(evaluation.table, verdicts))
        if report is not None:
            write_report(*report)


def report_format(name: str | None, path: Path | None, known: Sequence[Format] = FORMATS) -> Format:
    """The format asked for by name, or by the suffix of the file to write; one of those that are `known`."""
    if name is not None:
        if name not in FORMATS:
            raise UnknownName("format", name, known)
        return name
    if path is None or path == STDOUT:
        return "table"
    suffixes = {suffix: format_ for suffix, format_ in SUFFIXES.items() if format_ in known}
    if path.suffix.lower() not in suffixes:
        raise BadOption(f"{path}: the suffix names no format; use one of {', '.join(suffixes)} or add --format")
    return suffixes[path.suffix.lower()]


def load_scores(path: Path | None) -> Scores | None:
    """Outside scores of systems, where a file of them is given."""
    if path is None:
        return None
    from assay.formats.scores import read_scores

    return read_scores(path)


def write_report(content: str | bytes, path: Path) -> None:
    """Write a report file, whole or not at all."""
    if isinstance(content, bytes):
        write_bytes(content, path)
    else:
        with writing(path) as stream:
            stream.write(content)


def copy_demo(name: str, folder: Path) -> Inputs:
    """A bundled suite with the made-up systems' outputs that come with it, which are put into a folder."""
    with_outputs = [known for known in bundled() if bundled_outputs(known)]
    if name not in with_outputs:
        raise UnknownName("suite with bundled outputs", name, with_outputs)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(folder, f"the folder cannot be made ({error.strerror})", cure="choose another with -o") from None
    copies = [folder / path.name for path in bundled_outputs(name)]
    for path, copy in zip(bundled_outputs(name), copies, strict=True):
        write_report(path.read_text(encoding="utf-8"), copy)
    return Inputs(name, [str(copy) for copy in copies])
