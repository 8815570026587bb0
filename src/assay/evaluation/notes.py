"""What a reader of an evaluation must know, in sentences: the test, what counts, who was left out, what is open.

notes.about_items("fair", total=201, found=201, counted=176, missing=[])
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from assay.evaluation.identical import Likeness
from assay.evaluation.rows import SMALL, Row
from assay.evaluation.settings import Policy, Settings
from assay.evaluation.summaries import SystemSummary
from assay.evaluation.tally import AVERAGES
from assay.result import Note
from assay.text import plural
from assay.verdicts import ExcludedSystem

if TYPE_CHECKING:
    from assay.evaluation.estimate import EstimateBasis
    from assay.evaluation.undecided import Standing

BOUNDS = Note(
    "Lower and upper bound: micro-accuracy over all items found with every warning failed, or passed. "
    "They bound the accuracy on all items, not the averages above."
)

_POLICIES: dict[Policy, str] = {
    "fair": "no system has a warning on them",
    "own": "for each system, those it has no warning on",
    "strict": "all found, warnings fail",
    "estimate": "all found, undecided texts by a sample of judgements",
}

_WARNED: dict[Policy, str] = {
    "fair": "at least one system has a warning on them",
    "own": "every system has a warning on them",
    "strict": "",
    "estimate": "",
}

_MOST_IDS, _MOST_ROWS, _MOST_SYSTEMS, _MOST_NEEDS = 5, 5, 6, 3
"""How many a sentence lists before it says that there are more."""


def about_test(settings: Settings, rows: Sequence[Row]) -> Iterator[Note]:
    """How clusters are made, and where that means little; of one system there are none."""
    if rows and len(rows[0].cells) == 1:
        yield Note("95 %: interval of the accuracy (Wilson; of a macro-average from the variances of its rows).")
        if any(row.is_small for row in rows):
            yield Note(f"†: fewer than {SMALL} items; read the row as examples.")
        return
    cluster = f"first cluster, not significantly worse than the row's best ({settings.test_in_words})."
    # Where bold can be shown, nothing is starred.
    yield Note(f"Bold or *: {cluster}", paper=f"Bold: {cluster}")
    if any(row.is_small for row in rows):
        yield Note(f"†: fewer than {SMALL} items; the test means little there.")
    if settings.test == "bootstrap":
        yield Note(
            "bootstrap: where phenomena have few items, resampling within them varies too little and p is too small."
        )


def about_items(policy: Policy, *, total: int, found: int, counted: int, missing: Sequence[str]) -> Iterator[Note]:
    """How many items of the suite count, and why others do not; `missing` are ids of those not found."""
    yield Note(f"{counted:,} of {total:,} items count (policy {policy}: {_POLICIES[policy]}).")
    if found - counted:
        yield Note(f"{found - counted:,} do not count: {_WARNED[policy]}.")
    if missing:
        shown = ", ".join(missing[:_MOST_IDS]) + (", …" if len(missing) > _MOST_IDS else "")
        lost = f"{len(missing):,} do not count: their source is not in the files"
        yield Note(f"{lost} ({shown}).", paper=f"{lost}.")


def about_groups(settings: Settings, rows: Sequence[Row], labelled_only: int) -> Iterator[Note]:
    """What one observation is, what rows over groups count, and items that count in no row."""
    if settings.units == "group":
        yield Note(
            "Items of a group are one observation in tests and intervals (units group: counts divided by the row's "
            "design effect); --units item treats them as independent, as published tables do."
        )
    elif settings.units == "item":
        yield Note("Items of a group are taken for independent in tests and intervals (units item).")
    for row in rows:
        if row.level == "groups":
            left = "; estimates of single texts say nothing about groups" if settings.policy == "estimate" else ""
            yield Note(f"Groups wholly right: all members are; {plural(row.items, 'group')} counted{left}.")
        else:
            yield Note(
                "Groups consistent: the same words, or different ones, in all members, as the suite asks; "
                f"{plural(row.items, 'group')} counted."
            )
    if labelled_only:
        yield Note(f"{plural(labelled_only, 'item')} with labels and no rules: in no accuracy.")


def about_tiers(chosen: str | None, rows: Sequence[Row]) -> Iterator[Note]:
    """Which items there are: those of one tier that was chosen, or of several."""
    if chosen:
        yield Note(f"Only items of the {chosen} tier of the suite.")
    if rows:
        yield Note(
            "Entry tier: texts that stand for themselves; context tier: texts in which other sentences decide. "
            "The averages are over both."
        )


def about_estimate(basis: "EstimateBasis") -> Iterator[Note]:
    """What was judged of the undecided texts, and what the intervals mean."""
    skipped = f", {basis.skipped:,} skipped" if basis.skipped else ""
    yield Note(
        f"Estimated from {plural(basis.judged, 'judgement')} of {basis.population:,} undecided texts, drawn at random "
        f"(draw {basis.draw}{skipped}); the others are predicted ({basis.predictor}) and corrected by these."
    )
    yield Note(
        "95 %: for items of this kind. For these very items alone the error is that of what was not judged: "
        f"at most ±{100 * basis.widest:.1f} points of the micro-average."
    )


def about_equal_sources(sources: int) -> Iterator[Note]:
    """Sources that stand in several lines of a test set and were paired as their publishers do it."""
    if sources:
        yield Note(
            f"{plural(sources, 'source')} in several lines of the test set: paired in the order of the items' ids "
            "(equal_sources: ids), which other names would change."
        )


def about_timeouts(texts: Mapping[str, int]) -> Iterator[Note]:
    """Items whose rules took too long; `texts` counts what stays undecided for that reason."""
    if texts:
        shown = ", ".join(list(texts)[:_MOST_IDS]) + (", …" if len(texts) > _MOST_IDS else "")
        slow = (
            f"Too slow: rules of {plural(len(texts), 'item')} took too long and leave "
            f"{plural(sum(texts.values()), 'text')} undecided"
        )
        yield Note(f"{slow}; simplify them ({shown}).", paper=f"{slow}.")


def about_dropped(
    level: Literal["category", "phenomenon"], dropped: Sequence[tuple[str, str | None]]
) -> Iterator[Note]:
    """What a macro-average leaves out."""
    if dropped:
        left_out = "; ".join(" / ".join(filter(None, key)) for key in dropped[:_MOST_ROWS])
        left_out += f"; and {len(dropped) - _MOST_ROWS} more" if len(dropped) > _MOST_ROWS else ""
        yield Note(
            f"{level.capitalize()} macro-average leaves out, since not every system has a counting item: {left_out}."
        )


def about_excluded(excluded: Sequence[ExcludedSystem]) -> Iterator[Note]:
    """Systems that were left out."""
    for left in excluded:
        # The name alone: reports travel, and folders of this machine mean nothing elsewhere.
        place = f" ({left.system.file.rpartition('/')[2]})" if left.system.file else ""
        yield Note(
            f"Left out: {left.system.name}{place}, {left.reason}.",
            paper=f"Left out: {left.system.name}, {left.reason}.",
        )


def about_likenesses(likenesses: Sequence[Likeness]) -> Iterator[Note]:
    """Systems that wrote nearly the same."""
    for likeness in likenesses:
        names = [system.name for system in likeness.systems]
        more = len(names) - _MOST_SYSTEMS
        shown = ", ".join(names[:_MOST_SYSTEMS]) + (f" and {more} more" if more > 0 else "")
        same = "all" if likeness.share == 1 else f"{100 * likeness.share:.1f} % or more"
        yield Note(f"Not independent: {shown} share {same} of their texts, pair by pair.")


def about_costly(costly: Sequence[SystemSummary], found: int) -> Iterator[Note]:
    """Systems that keep items from a fair comparison."""
    if costly:
        costs = ", ".join(
            f"{summary.system.name} {summary.costs:,} ({summary.costs / found:.1%}"
            + (f", {summary.missing:,} missing)" if summary.missing else ")")
            for summary in costly
        )
        yield Note(f"Costly, items that only this system's warnings keep from a fair comparison: {costs}.", paper="")


def about_freed(needs: Mapping[int, int]) -> Iterator[Note]:
    """What judgements would bring under `fair`; `needs` is what `freed` counts."""
    if needs:
        counts = ", ".join(f"{needs[number]:,} need {number}" for number in list(needs)[:_MOST_NEEDS])
        yield Note(
            f"Judgements would free items for the fair comparison: {counts} (assay warnings lists the texts).", paper=""
        )


def about_standings(standings: "Sequence[Standing]") -> Iterator[Note]:
    """Where the leader could change; under `fair` the question has no answer."""
    open_rows = [standing for standing in standings if not standing.certain]
    averages = [AVERAGES[standing.level] for standing in open_rows if standing.level in AVERAGES]
    rows = sum(standing.level == "category" for standing in open_rows)
    if open_rows:
        named = f"; among the averages {', '.join(averages)}" if averages else "; the averages are certain"
        yield Note(f"?: the leader could change when warnings are judged. Categories: {rows}{named}.")
