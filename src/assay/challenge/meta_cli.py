"""`assay challenge meta`: how far metrics agree with people."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from assay.challenge.files.scores import read_case_scores
from assay.challenge.files.sets import read_cases
from assay.challenge.jobs import check_report_targets, metric_groups, score_arguments
from assay.challenge.meta import HumanAgreement, meta_evaluate
from assay.challenge.meta_report import render_agreements
from assay.cli.results import deliver, look
from assay.errors import UnknownName
from assay.reports.files import report_format
from assay.text import plural


def run_meta(
    path: Path,
    arguments: tuple[str, ...],
    *,
    human: str,
    lower_is_better: Collection[str],
    groups: Mapping[str, str],
    as_json: bool,
    format: str | None,
    output: Path | None,
) -> None:
    """Evaluate, and show tables or write JSON."""
    chosen = "json" if as_json else report_format(format, output, "table")
    check_report_targets(output, path, arguments)
    found = agreements(path, arguments, human=human, lower_is_better=lower_is_better, groups=groups)
    if as_json:
        content = json.dumps([agreement.to_dict() for agreement in found], ensure_ascii=False, indent=2) + "\n"
    else:
        width, ansi = look(output)
        content = render_agreements(found, chosen, width=width, ansi=ansi)
    deliver(content, output, plural(len(found[0].metrics), "metric"))


def agreements(
    path: Path, arguments: tuple[str, ...], *, human: str, lower_is_better: Collection[str], groups: Mapping[str, str]
) -> list[HumanAgreement]:
    """The agreement of the metrics whose scores are in files with people."""
    cases, known = read_cases(path), metric_groups(groups)
    scores = [
        found
        for argument in score_arguments(arguments)
        for found in read_case_scores(argument, cases, lower_is_better=lower_is_better, groups=known)
    ]
    names = [found.name for found in scores]
    for name in (*lower_is_better, *known):
        if name not in names:
            raise UnknownName("metric", name, names)
    return meta_evaluate(cases, scores, kind=human)
