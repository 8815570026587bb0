"""Use cases: build challenge sets, score them with metrics, and see what the metrics get right."""

import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from assay.challenge import build, redraw
from assay.challenge.accuracy import MetricEvaluation, evaluate_metrics
from assay.challenge.blind import blind
from assay.challenge.build import Built, Drawing
from assay.challenge.challenge_set import METRIC_GROUPS, ChallengeSet, MetricGroup
from assay.challenge.files.scores import ScoreHeader, ScoreJournal, hash_of, read_scores
from assay.challenge.files.sets import (
    SetFormat,
    check_format,
    files_of,
    read_challenge,
    read_scorable,
    unblind,
    write_challenge,
    writing_key,
)
from assay.challenge.metric import FunctionMetric, Metric, fitted, load_metric, override
from assay.challenge.score import score, target_languages
from assay.challenge.score_store import ScoreStore
from assay.challenge.usable import usable_by
from assay.errors import BadFile, BadOption, UnknownName
from assay.evaluation import Choices, judge_files
from assay.files import check_targets, exists, make_folder
from assay.outputs import Inputs, NamedFile
from assay.parallel import ALONE, Workers
from assay.plugins import PluginSpec
from assay.progress import OpenProgress, Progress, no_progress


def build_files(
    inputs: Inputs,
    drawing: Drawing,
    *,
    pairs_of: Path | None = None,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep_all: bool = False,
    workers: Workers = ALONE,
) -> Built:
    """Draw a set from output files; or, with `pairs_of`, that set with other references.

    `workers` judge the outputs.
    """
    # Read before the outputs are judged, so that a wrong file is reported at once.
    known = read_challenge(pairs_of) if pairs_of is not None else None
    table = judge_files(inputs, systems=systems, exclude=exclude, keep_all=keep_all, workers=workers)
    if known is not None:
        return redraw(table, known, drawing.seed)
    built = build(table, drawing)
    if not built.challenge.items:
        raise BadOption(f"no item gives a challenge item ({described(built)})")
    return built


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
    """How many items were not used, for each reason, in words."""
    return ", ".join(f"{number:,} {REASONS[reason]}" for reason, number in built.left_out.items())


def check_set_targets(
    output: Path,
    read: Sequence[Path],
    *,
    format: SetFormat | None = None,
    key: Path | None = None,
    force: bool = False,
) -> None:
    """Check, before any work is done, that the set can be written and replaces neither an input nor an older key."""
    check_format(output, format, blind=key is not None)
    check_targets([*files_of(output), *([key] if key is not None else [])], [*read])
    if key is None:
        return
    # The folder goes to participants as it is.
    if output.resolve() in key.resolve().parents:
        raise BadOption(f"{key}: the key is not for those who get the folder {output}; write it elsewhere")
    if exists(key) and (key.is_dir() or not force):
        cure = "choose another name" if key.is_dir() else "choose another name or add --force"
        raise BadFile(key, "is there already; without its key a blind set is worth nothing", cure=cure)


def write_set(
    challenge: ChallengeSet,
    output: Path,
    *,
    format: SetFormat | None = None,
    key: Path | None = None,
    blind_seed: str = "",
    force: bool = False,
) -> list[Path]:
    """Write a set; with a key the set is blind, and both are written or neither is."""
    check_set_targets(output, [], format=format, key=key, force=force)
    if key is None:
        return write_challenge(challenge, output, format, force=force)
    if challenge.is_blind:
        raise BadOption("the set is blind already")
    hidden, known = blind(challenge, blind_seed)
    # The key takes its place only after the set is written: a set without its key could never be used.
    with writing_key(known, key):
        return [*write_challenge(hidden, output, format, force=force), key]


def load_metrics(
    specs: Sequence[str], *, lower_is_better: Collection[str] = (), groups: Mapping[str, str] | None = None
) -> list[Metric]:
    """The metrics that a user names, each once."""
    known = metric_groups(groups or {})
    loaded: dict[str, FunctionMetric] = {}
    for spec in specs:
        metric = load_metric(spec)
        if metric.name in loaded:
            described = PluginSpec(spec).described
            raise BadOption(
                f"the metric {metric.name!r} is given twice; rename one: -m {shlex.quote(f'NAME={described}')}"
            )
        loaded[metric.name] = metric
    # After all are loaded: an option may name a metric that stands later in the list.
    _check_named(loaded, (*lower_is_better, *known))
    return [
        override(metric, group=known.get(name), higher_is_better=False if name in lower_is_better else None)
        for name, metric in loaded.items()
    ]


def _check_named(names: Collection[str], asked: Collection[str]) -> None:
    for name in asked:
        if name not in names:
            raise UnknownName("metric", name, names)


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """The score file of a metric: its number of challenge items, and how many of them an earlier run had scored.

    `gaps` counts hypotheses that lack what the metric needs, and so have no score; `note` is what one has to know of
    the metric's scores on this set, `unused` how many sources have further references, which it did not get.
    """

    metric: Metric
    file: Path
    items: int
    kept: int
    gaps: int = 0
    note: str = ""
    unused: int = 0


def score_files(
    path: Path,
    metrics: Sequence[Metric],
    folder: Path,
    *,
    open_progress: OpenProgress = no_progress,
    workers: Workers = ALONE,
    again: bool = False,
    cache: Path | None = None,
) -> Iterator[ScoreFile]:
    """Score a set with metrics, into one file each; an interrupted run is continued, or with `again` done anew.

    In the folder `cache` scores are kept by content, and found again for other sets.
    """
    challenge, several = read_scorable(path)
    files = _score_files(metrics, folder)
    check_targets([*files.values()], files_of(path))
    languages = target_languages(challenge)
    with workers.open() as executor:
        make_folder(folder, cure="choose another with -o")
        for metric in [fitted(metric, languages) for metric in metrics]:
            file = files[metric.name]
            header = ScoreHeader(
                metric.name, metric.group, metric.higher_is_better, metric.signature, hash_of(challenge)
            )
            with (
                ScoreJournal(file, challenge, header, again=again) as journal,
                open_progress(metric.name, len(challenge) - journal.kept) as progress,
                ScoreStore(cache, metric) if cache is not None else nullcontext() as known,
            ):
                usable, kept = usable_by(metric, challenge, journal)
                score(usable, metric, kept, executor=executor, progress=progress, known=known)
            gaps = len(challenge) - len(usable)
            unused = several if metric.needs_reference else 0
            yield ScoreFile(metric, file, len(challenge), journal.kept, gaps, getattr(metric, "note", ""), unused)


def _score_files(metrics: Sequence[Metric], folder: Path) -> dict[str, Path]:
    """Metric -> its file, no two the same."""
    files: dict[str, Path] = {}
    for metric in metrics:
        file = folder / (re.sub(r"[^\w.+-]", "_", metric.name) + ".tsv")
        other = next((name for name, taken in files.items() if taken == file), None)
        if other is not None:
            raise BadOption(
                f"the metrics {other!r} and {metric.name!r} would share the file {file}; rename one: NAME={metric.name}"
            )
        files[metric.name] = file
    return files


def evaluate_scores(
    path: Path,
    arguments: Sequence[str],
    *,
    key: Path | None = None,
    lower_is_better: Collection[str] = (),
    groups: Mapping[str, str] | None = None,
    workers: Workers = ALONE,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> MetricEvaluation:
    """Evaluate the metrics whose scores are in files; `workers` make the draws of the test."""
    challenge = read_challenge(path)
    if key is not None:
        challenge = unblind(challenge, key)
    elif challenge.is_blind:
        raise BadOption("the set is blind: name its key with --key FILE, which tells the right translations")
    known = metric_groups(groups or {})
    scores = [
        found
        for argument in score_arguments(arguments)
        for found in read_scores(argument, challenge, lower_is_better=lower_is_better, groups=known)
    ]
    _check_named([found.name for found in scores], (*lower_is_better, *known))
    with workers.open() as executor:
        return evaluate_metrics(challenge, scores, executor=executor, progress=progress, **choices)


def metric_groups(groups: Mapping[str, str]) -> dict[str, MetricGroup]:
    """Metric -> its group; a group that there is not is an error."""
    found: dict[str, MetricGroup] = {}
    for name, group in groups.items():
        if group not in METRIC_GROUPS:
            raise UnknownName("group", group, METRIC_GROUPS)
        found[name] = group
    return found


def check_report_targets(
    output: Path | None, path: Path, arguments: Sequence[str], *, others: Sequence[Path | None] = ()
) -> None:
    """Check, before any work is done, that a report does not replace the set, the scores or another input."""
    if output is not None:
        scores = [NamedFile.parse(argument).path for argument in score_arguments(arguments)]
        check_targets([output], [*files_of(path), *scores, *(other for other in others if other is not None)])


SCORE_SUFFIXES = (".tsv", ".score", ".txt")


def score_arguments(arguments: Sequence[str]) -> Iterator[str]:
    """A folder stands for the score files in it, or in its folders: WMT returns baseline, primary and secondary."""
    for argument in arguments:
        named = NamedFile.parse(argument)
        if named.name or not named.path.is_dir():
            yield argument
            continue
        inside = [*named.path.iterdir(), *named.path.glob("*/*")]
        scores = sorted(path for path in inside if path.suffix in SCORE_SUFFIXES and path.is_file())
        files = [path for path in scores if path.parent == named.path] or scores
        if not files:
            raise BadFile(named.path, "the folder has no score files", cure="run assay challenge score first")
        yield from map(str, files)


Report = Mapping[str, Any]
"""The JSON report of a challenge set."""


def draw_figures(evaluation: MetricEvaluation, folder: Path, others: Mapping[Path, Report]) -> list[Path]:
    """Write the figures of a set in every format; with other reports also one with a line for each language pair."""
    from assay.challenge.report.figures import challenge_figures, challenge_provenance, challenge_series
    from assay.reports.figures import sorted_phenomena, write_figures

    figures = challenge_figures(evaluation)
    if others:
        series = challenge_series(_labelled(evaluation, others))
        drawn = sorted_phenomena(series, provenance=challenge_provenance(evaluation))
        figures.append(replace(drawn, name="directions"))
    return write_figures(figures, folder)


def _labelled(evaluation: MetricEvaluation, others: Mapping[Path, Report]) -> dict[str, MetricEvaluation | Report]:
    """Language pair -> its evaluation or report; a pair that comes twice has the name of its set or file with it."""
    own = evaluation.challenge
    # A report is labelled by its file, since seeds of one set have the same name.
    sets = [(own.langpair, own.name), *((other["set"]["langpair"], path.stem) for path, other in others.items())]
    pairs = [pair for pair, _ in sets]
    labels = [pair if pairs.count(pair) == 1 else f"{pair} ({name})" for pair, name in sets]
    for place, path in enumerate(others, 1):
        if labels[place] in labels[:place]:
            raise BadFile(path, f"{labels[place]} is drawn already", cure="rename the file, or leave it out")
    return dict(zip(labels, [evaluation, *others.values()], strict=True))
