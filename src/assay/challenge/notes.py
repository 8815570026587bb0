"""What a reader of an evaluation of metrics must know, in sentences."""

from collections.abc import Iterator, Sequence

from assay.challenge.challenge_set import ChallengeSet, MetricScores
from assay.challenge.closeness import ClosenessSummary, difficulty
from assay.challenge.rows import CONTROL, FEWEST_SOURCES, MetricRow
from assay.evaluation import Settings
from assay.reports.table import SHADED, percent
from assay.result import Note
from assay.text import plural


def about_test(settings: Settings, micro: MetricRow) -> Iterator[Note]:
    """How clusters are made, and what the test ignores."""
    all_metrics, group = "first cluster of all metrics.", "first cluster of the metric's group."
    rest = f"Those in it are not significantly worse than the best ({settings.test_in_words})."
    # Where grey and bold can be shown, nothing else marks them.
    yield Note(
        f"Grey or {SHADED}: {all_metrics} Bold or *: {group} {rest}", paper=f"Grey: {all_metrics} Bold: {group} {rest}"
    )
    if settings.test in ("ztest", "mcnemar"):
        pairing = " and not paired" if settings.test == "ztest" else ""
        yield Note(
            f"{settings.test}, as published, takes the {micro.size:,} challenge items for independent{pairing}, though "
            f"they come from {plural(micro.sources, 'source')}: it finds too many differences. randomization, the "
            "default, swaps whole sources."
        )


def about_counting(metrics: Sequence[MetricScores], rows: Sequence[MetricRow], micro: MetricRow) -> Iterator[str]:
    """What is right, which rows are small, and what intervals are of."""
    lower = [scores.name for scores in metrics if not scores.higher_is_better]
    way = "strictly higher"
    if lower:
        way += f", or strictly lower where lower is better ({', '.join(lower)})"
    missing = any(cell.undefined for cell in micro.cells)
    rest = "A tie is not right, nor is a challenge item without a score." if missing else "A tie is not right."
    yield f"A metric is right where it scores the correct translation {way}. {rest}"
    if any(row.is_small for row in rows):
        yield f"†: from fewer than {FEWEST_SOURCES} sources; the test means little there, and there is no interval."
    yield (
        f"{plural(micro.size, 'challenge item')} from {plural(micro.sources, 'source')}; tests and intervals take a "
        "source with all its challenge items for one observation."
        if micro.size > micro.sources
        else f"{plural(micro.size, 'challenge item')}, each from a source of its own."
    )


def about_controls(metrics: Sequence[MetricScores], rows: Sequence[MetricRow]) -> Iterator[str]:
    """What controls are, and where one wins."""
    controls = [scores.name for scores in metrics if scores.group == CONTROL]
    if not controls or len(controls) == len(metrics):
        return
    yield (f"Controls ({', '.join(controls)}) know nothing of translation: they are in no mean and no cluster.")
    won = sum(bool(row.won_by) for row in rows)
    if won:
        yield (
            f"‡: a control is as good as the best metric ({won} of {plural(len(rows), 'row')}); what is tested there "
            "can be told without looking at the phenomenon."
        )


def about_difficulty(challenge: ChallengeSet) -> Iterator[str]:
    """How hard the set is."""
    found = difficulty(challenge.items)
    if found is not None:
        yield (
            "How hard the set is, by closeness in characters (1: the same; in brackets the quartiles): correct and "
            f"incorrect to each other {_summary(found.pair)}, correct to reference {_summary(found.correct)}, "
            f"incorrect to reference {_summary(found.incorrect)}. The correct one is closer to the reference in "
            f"{percent(found.closer)} % of the challenge items: so many are won by comparing letters."
        )


def _summary(summary: ClosenessSummary) -> str:
    return f"{summary.mean:.2f} [{summary.lower:.2f}, {summary.median:.2f}, {summary.upper:.2f}]"


def signatures(challenge: ChallengeSet, metrics: Sequence[MetricScores]) -> Iterator[Note]:
    """Of what the numbers rest on: the set and its scores, where they have one."""
    if challenge.signature:
        yield Note.signature(challenge.signature, of="the set")
    yield from (Note.signature(scores.signature, of=scores.name) for scores in metrics if scores.signature)
