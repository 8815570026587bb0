"""Use cases: evaluate files and write what came out."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Unpack

from assay.evaluation import Choices, Evaluation, Progress, evaluate
from assay.evaluation.groups import Scores
from assay.formats import bundled, bundled_outputs, load_outputs, load_suite
from assay.formats.files import write_bytes, writing
from assay.model import BadFile, BadOption, Outputs, Suite, UnknownName
from assay.reports import FORMATS, SUFFIXES, Format


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
    verdicts: Path | None = None,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> Evaluation:
    """Evaluate outputs with a suite, and write the verdict table where it is asked for."""
    if verdicts is not None:
        from assay.formats.verdicts import check_verdicts_path, write_verdicts

        check_verdicts_path(verdicts)
    suite, outputs = inputs.load()
    evaluation = evaluate(suite, outputs, systems=systems or None, exclude=exclude, progress=progress, **choices)
    if verdicts is not None:
        write_verdicts(evaluation.table, verdicts)
    return evaluation


def report_format(name: str | None, path: Path | None) -> Format:
    """The format asked for by name, or by the suffix of the file to write."""
    if name is not None:
        if name not in FORMATS:
            raise UnknownName("format", name, FORMATS)
        return name
    if path is None:
        return "table"
    if path.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise BadOption(f"{path}: the suffix names no format; use one of {known} or add --format")
    return SUFFIXES[path.suffix.lower()]


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
