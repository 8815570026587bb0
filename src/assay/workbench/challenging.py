"""Use cases: build challenge sets, score them with metrics, and see what the metrics get right."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from assay.challenge import (
    Built,
    Drawing,
    Metric,
    MetricEvaluation,
    blind,
    build,
    evaluate_metrics,
    load_metric,
    redraw,
)
from assay.challenge.scoring import score
from assay.evaluation import Choices, Progress
from assay.formats.challenge_sets import SetFormat, read_challenge, unblind, write_challenge, write_key
from assay.formats.files import check_targets, read_text, write_bytes
from assay.formats.metric_scores import ScoreHeader, ScoreJournal, read_scores
from assay.formats.submissions import Given
from assay.model import BadFile, BadOption, UnknownName
from assay.model.challenge import METRIC_GROUPS, ChallengeSet, MetricGroup
from assay.workbench.evaluating import Inputs, evaluate_files

Step = Callable[[Metric, int], AbstractContextManager[Progress | None]]
"""Is told which metric comes next and how many challenge items it has to score; says who is told of its progress."""


def build_files(
    inputs: Inputs,
    drawing: Drawing,
    *,
    pairs_of: Path | None = None,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep_all: bool = False,
) -> tuple[Built, int | None]:
    """Draw a set from output files; or the pairs of a set with other references, and how many are others."""
    known = read_challenge(pairs_of) if pairs_of is not None else None
    table = evaluate_files(inputs, systems=systems, exclude=exclude, keep_all=keep_all).table
    if known is not None:
        redrawn = redraw(table, known, drawing.seed)
        used = len({item.item for item in redrawn.challenge.items})
        return Built(redrawn.challenge, used, {}), redrawn.changed
    built = build(table, drawing)
    if not built.challenge.items:
        raise BadOption(f"no item gives a challenge item ({described(built)})")
    return built, None


REASONS = {
    "not_in_source": "without outputs",
    "held_out": "held out by the suite",
    "reserved": "reserved",
    "one_correct": "with one distinct correct output",
    "none_correct": "without a correct output",
    "none_incorrect": "without an incorrect output",
    "closeness": "without outputs that are as close as asked for",
    "same_source": "whose translations are references of another item with the same source",
}


def described(built: Built) -> str:
    """Why items were not used, in words."""
    return ", ".join(f"{number:,} {REASONS[reason]}" for reason, number in built.left_out.items())


def check_set_targets(inputs: Inputs, output: Path, key: Path | None) -> None:
    """Refuse, before any work is done, to write over what is read."""
    check_targets([path for path in (output, key) if path is not None], inputs.files())


def write_set(
    challenge: ChallengeSet,
    output: Path,
    *,
    format: SetFormat | None = None,
    key: Path | None = None,
    blind_seed: str = "",
    force: bool = False,
) -> list[Path]:
    """Write a set; with a key the set is blind, and the key is written first: without it the set is worth nothing."""
    if key is None:
        return write_challenge(challenge, output, format, force=force)
    if challenge.is_blind:
        raise BadOption("the set is blind already")
    hidden, known = blind(challenge, blind_seed)
    write_key(known, key)
    return [*write_challenge(hidden, output, format, force=force), key]


def load_metrics(
    specs: Sequence[str], *, lower_is_better: Collection[str] = (), groups: Mapping[str, str] | None = None
) -> list[Metric]:
    """The metrics that a user names, each once."""
    known = _groups(groups or {})
    metrics = [
        load_metric(spec, group=known.get(name), higher_is_better=False if name in lower_is_better else None)
        for spec, name in ((spec, load_metric(spec).name) for spec in specs)
    ]
    names = [metric.name for metric in metrics]
    for name in names:
        if names.count(name) > 1:
            raise BadOption(f"the metric {name!r} is given twice; rename one with NAME={name}")
    _check_named(names, (*lower_is_better, *known))
    return metrics


def _check_named(names: Collection[str], asked: Collection[str]) -> None:
    for name in asked:
        if name not in names:
            raise UnknownName("metric", name, names)


def score_files(
    path: Path, metrics: Sequence[Metric], folder: Path, *, jobs: int | None, step: Step
) -> Iterator[tuple[Metric, Path]]:
    """Score a set with metrics; one file each, continued where an earlier run was interrupted."""
    challenge = read_challenge(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(folder, f"the folder cannot be made ({error.strerror})", cure="choose another with -o") from None
    for metric in metrics:
        file = folder / (re.sub(r"[^\w.+-]", "_", metric.name) + ".tsv")
        header = ScoreHeader(metric.name, metric.group, metric.higher_is_better, metric.signature, challenge.hash)
        with ScoreJournal(file, challenge, header) as journal, step(metric, len(challenge) - journal.done) as progress:
            score(challenge, metric, journal, jobs=jobs, progress=progress)
        yield metric, file


def evaluate_scores(
    path: Path,
    arguments: Sequence[str],
    *,
    key: Path | None = None,
    lower_is_better: Collection[str] = (),
    groups: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> MetricEvaluation:
    """What the metrics whose scores are in files get right."""
    challenge = read_challenge(path)
    challenge = challenge if key is None else unblind(challenge, key)
    known = _groups(groups or {})
    scores = [
        found
        for argument in _files(arguments)
        for found in read_scores(argument, challenge, lower_is_better=lower_is_better, groups=known)
    ]
    _check_named([found.name for found in scores], (*lower_is_better, *known))
    return evaluate_metrics(challenge, scores, progress=progress, **choices)


def _groups(groups: Mapping[str, str]) -> dict[str, MetricGroup]:
    found: dict[str, MetricGroup] = {}
    for name, group in groups.items():
        if group not in METRIC_GROUPS:
            raise UnknownName("group", group, METRIC_GROUPS)
        found[name] = group
    return found


def _files(arguments: Sequence[str]) -> Iterator[str]:
    """A folder stands for the score files in it."""
    for argument in arguments:
        given = Given.parse(argument)
        if given.name or not given.path.is_dir():
            yield argument
            continue
        files = sorted(path for path in given.path.iterdir() if path.suffix in (".tsv", ".score", ".txt"))
        if not files:
            raise BadFile(given.path, "the folder has no score files", cure="run assay challenge score first")
        yield from map(str, files)


def read_reports(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Reports of challenge sets as `assay challenge report -o REPORT.json` writes them."""
    found = []
    for path in paths:
        try:
            report = json.loads(read_text(path))
        except json.JSONDecodeError as error:
            raise BadFile(path, f"not JSON ({error.msg})", line=error.lineno) from None
        if not isinstance(report, dict) or not {"set", "metrics", "rows"} <= report.keys():
            raise BadFile(
                path, "not a report of a challenge set", cure="make one with: assay challenge report -o x.json"
            )
        found.append(report)
    return found


def draw_figures(evaluation: MetricEvaluation, folder: Path, others: Sequence[Mapping[str, Any]]) -> list[Path]:
    """The figures of a set in every format, and with reports of other directions one line for each of them."""
    from assay.reports.challenge.html import challenge_figures
    from assay.reports.figures import FORMATS, challenge_provenance, challenge_series, render, sorted_phenomena

    figures = challenge_figures(evaluation)
    if others:
        reports = {str(other["set"]["langpair"]): other for other in others}
        series = challenge_series({evaluation.challenge.langpair: evaluation, **reports})
        drawn = sorted_phenomena(series, provenance=challenge_provenance(evaluation))
        figures.append(replace(drawn, name="directions"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(folder, f"the folder cannot be made ({error.strerror})") from None
    written = []
    for figure in figures:
        for kind in FORMATS:
            path = folder / f"{figure.name}.{kind}"
            write_bytes(render(figure, kind), path)
            written.append(path)
    return written
