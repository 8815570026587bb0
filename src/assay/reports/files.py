"""Reports as files: which format is meant, what may be written where, and writing it whole or not at all."""

from contextlib import ExitStack
from pathlib import Path

from assay.errors import BadOption, UnknownName
from assay.evaluation import Evaluation
from assay.files import STDOUT, check_targets, write_bytes, writing
from assay.outputs import Inputs
from assay.reports.formats import ResultKind, names, suffixes


def check_evaluation_targets(inputs: Inputs, report: Path | None, verdicts: Path | None) -> None:
    """Refuse, before any work is done, targets that would overwrite what is read or each other."""
    if verdicts is not None:
        from assay.verdicts.files import check_verdicts_path

        check_verdicts_path(verdicts)
    check_targets([path for path in (report, verdicts) if path is not None], inputs.files())


def write_results(
    evaluation: Evaluation, *, report: tuple[str | bytes, Path] | None = None, verdicts: Path | None = None
) -> None:
    """Write the report and the verdict table, both or neither."""
    with ExitStack() as stack:
        if verdicts is not None:
            from assay.verdicts.files import writing_verdicts

            stack.enter_context(writing_verdicts(evaluation.table, verdicts))
        if report is not None:
            write_report(*report)


def report_format(name: str | None, path: Path | None, kind: ResultKind) -> str:
    """The format asked for by name, or by the suffix of the file to write; one of those for this kind of result."""
    if name is not None:
        if name not in (*names("evaluation"), *names(kind)):
            raise UnknownName("format", name, names(kind))
        return name
    if path is None or path == STDOUT:
        return "table"
    known = suffixes(kind)
    if path.suffix.lower() not in known:
        raise BadOption(f"{path}: the suffix names no format; use one of {', '.join(known)} or add --format")
    return known[path.suffix.lower()]


def write_report(content: str | bytes, path: Path) -> None:
    """Write a report file, whole or not at all."""
    if isinstance(content, bytes):
        write_bytes(content, path)
    else:
        with writing(path) as stream:
            stream.write(content)
