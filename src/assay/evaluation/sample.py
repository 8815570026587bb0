"""Use case: the next texts of a draw as a to-do file, and what precision to expect of judging them.

    sample = write_sample(Inputs("de-en", ["a.tsv", "b.tsv"]), Path("todo.xlsx"), SampleSize(number=150))
    print(*sample.sentences, sep="\\n")

A draw that is there is gone on with; otherwise one is made and written beside the suite.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from assay.errors import BadFile, BadOption
from assay.evaluation.answer import listed
from assay.evaluation.estimate import estimate_of, outlook_of
from assay.evaluation.files import judge_files
from assay.evaluation.outlook import Outlook
from assay.evaluation.tally import groupings
from assay.files import check_targets, exists, suffix
from assay.outputs import Inputs
from assay.parallel import ALONE, Workers
from assay.prediction import Prediction, Predictor
from assay.text import plural
from assay.verdicts import labels
from assay.verdicts.draw import CURE, Draw, DrawnText, Sampled, draw_place, new_draw, read_draw, write_draw
from assay.verdicts.queue import queue
from assay.verdicts.todo import write_todo
from assay.verdicts.written_texts import WrittenTexts, written_texts

CLUSTERS_FIXED = "clusters fixed"

_HALF = re.compile(r"(?:±|\+/?-)?\s*(\d+(?:[.,]\d+)?)")


@dataclass(frozen=True, slots=True)
class SampleSize:
    """How many judgements in all, or what they have to be enough for: intervals of ±`half`, or fixed clusters."""

    number: int | None = None
    half: float | None = None
    clusters: bool = False

    @classmethod
    def parse(cls, number: int | None, until: str | None) -> "SampleSize":
        """From `-n` and `--until`, of which one is given."""
        if (number is None) == (until is None):
            raise BadOption("say how many judgements with -n, or what they must be enough for with --until, not both")
        if until is None:
            return cls(number)
        if until.strip().casefold() == CLUSTERS_FIXED:
            return cls(clusters=True)
        points = _HALF.fullmatch(until.strip())
        half = float(points[1].replace(",", ".")) if points else 0.0
        if not 0 < half < 100:
            raise BadOption(f'--until {until!r}: write "±0.5" (points), or "{CLUSTERS_FIXED}"')
        return cls(half=half / 100)


@dataclass(frozen=True, slots=True)
class DrawChoice:
    """Which draw: its file (by default beside the suite), the seed of a new one, and whether there must be one."""

    path: Path | None = None
    seed: int | None = None
    anew: bool = False


@dataclass(frozen=True, slots=True)
class WrittenSample:
    """How many texts were written, how many judgements there will be in all, and what that brings, in sentences."""

    texts: int
    number: int
    sentences: tuple[str, ...]


def write_sample(
    inputs: Inputs,
    path: Path,
    size: SampleSize,
    choice: DrawChoice | None = None,
    *,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep_all: bool = False,
    blind: bool = True,
    predictor: Predictor | None = None,
    workers: Workers = ALONE,
) -> WrittenSample:
    """Write the texts that come next as a to-do file, and the draw where it is new.

    What to expect goes by the `predictor` of the estimate that is to be made.
    """
    choice = choice or DrawChoice()
    place = choice.path or draw_place(inputs.suite)
    if suffix(path) == ".json":
        raise BadOption(f"{path}: a sample is a workbook or a TSV file, since order and skips count; name it todo.xlsx")
    check_targets([path, place], inputs.files())
    known = _known_draw(place, choice)
    table = judge_files(inputs, systems=systems, exclude=exclude, keep_all=keep_all, workers=workers)
    texts = written_texts(table)
    draw = known if known and not choice.anew else _new_draw(texts, known, choice)
    plan = _Plan.of(texts, draw, predictor or Predictor())
    number = plan.number(size)
    chosen = plan.next[: number - plan.outlook.judged]
    if draw is not known:
        write_draw(draw, place)
    if chosen:
        tasks = {(task.item.id, task.text): task for task in queue(table)}
        write_todo([tasks[text.item, text.text] for text in chosen], path, blind=blind, draw=draw.name)
    if chosen:
        where = f", of {plan.sampled.population:,} in a new draw ({place})" if draw is not known else plan.so_far
        written = f"{path}: {plural(len(chosen), 'text')} to judge{where}"
    else:
        written = f"nothing to judge, {path} was not written{plan.so_far}"
    expected = plan.expected(number, "with these" if chosen else "already", size)
    return WrittenSample(len(chosen), number, (written, *expected))


def _known_draw(place: Path, choice: DrawChoice) -> Draw | None:
    """The draw that is there; None where there is none, or none that can be read and a new one is wanted."""
    if not exists(place):
        return None
    try:
        known = read_draw(place)
    except BadFile:
        if choice.anew:
            return None
        raise
    if not choice.anew and choice.seed not in (None, known.seed):
        raise BadOption(f"the draw {place} has seed {known.seed}; leave --seed out, or {CURE}")
    if choice.anew and choice.seed == known.seed:
        raise BadOption(f"{known.seed} is the seed of the draw that is there; a new draw needs another one")
    return known


def _new_draw(texts: WrittenTexts, before: Draw | None, choice: DrawChoice) -> Draw:
    """A draw with a seed that no earlier one had.

    Texts that were judged had small random numbers: those that are left would have large ones under the same seed, and
    come later than new texts of their size. Judgements are exact rules, so their number tells before from after.
    """
    if choice.seed is not None:
        return new_draw(texts, seed=choice.seed)
    seed = 1 + sum(rule.kind == "exact" for item in texts.table.suite.items for rule in item.rules)
    return new_draw(texts, seed=seed + 1 if before and before.seed == seed else seed)


@dataclass(frozen=True)
class _Plan:
    """What of a draw is judged, and what its next texts would bring; `prediction` from as soon as it is possible."""

    texts: WrittenTexts
    draw: Draw
    sampled: Sampled
    outlook: Outlook
    prediction: Prediction | None

    @classmethod
    def of(cls, texts: WrittenTexts, draw: Draw, predictor: Predictor) -> "_Plan":
        sampled = draw.sampled(texts)
        if not sampled.next:
            skipped = f" or skipped ({sampled.skipped:,})" if sampled.skipped else ""
            judged = f", all {sampled.population:,} of the draw are judged{skipped}" if sampled.population else ""
            raise BadOption(f"no text is undecided{judged}; there is nothing to sample")
        if sampled.missing or not len(sampled.judged):
            return cls(texts, draw, sampled, Outlook.of(texts, draw, sampled), None)
        prediction = predictor(texts, sampled.is_judged)
        return cls(texts, draw, sampled, outlook_of(texts, draw, sampled, prediction), prediction)

    @property
    def next(self) -> list[DrawnText]:
        """Those to judge; what was skipped once is not asked again."""
        return [text for text in self.sampled.next if (text.item, text.text) not in self.draw.skipped]

    def number(self, size: SampleSize) -> int:
        """How many judgements in all."""
        judged, most = self.outlook.judged, self.outlook.judged + len(self.next)
        if size.number is not None:
            if size.number <= judged:
                raise BadOption(
                    f"-n {size.number}: {judged:,} texts of the draw are judged, and -n counts them; "
                    f"say at least {judged + 1}, at most {most}"
                )
            if size.number > most:
                raise BadOption(
                    f"-n {size.number}: only {plural(most, 'text')} can be judged ({judged:,} of them are); "
                    f"-n {most} is all there is"
                )
            return size.number
        if size.half is not None:
            found = self.outlook.number_for(size.half)
            if found is None:
                raise BadOption(
                    f"skipped texts ({self.sampled.skipped:,}) keep intervals wider than ±{100 * size.half:g} points "
                    "however many others are judged; judge some of them"
                )
            return min(found, most)
        return min(self.fixed.number, most)

    @cached_property
    def fixed(self) -> "_FixedCluster":
        """When judging more would not change the first cluster of the micro-average, at today's differences."""
        if self.prediction is None:
            least = self.outlook.least
            raise BadOption(
                f'--until "{CLUSTERS_FIXED}" goes by what is judged, and that is too little; '
                f"have {plural(least, 'text')} judged first: -n {least}"
            )
        table = self.texts.table
        micro = groupings(table.suite, table.items)["micro"]
        estimate = estimate_of(self.texts, self.sampled, self.prediction)
        leader = int(np.argmax(estimate.rows(micro).accuracy[0]))
        names = labels(table.outputs.systems)
        needs = {
            name: estimate.needs(self.outlook, leader, column, grouping=micro)
            for column, name in enumerate(names)
            if column != leader
        }
        more = max((need for need in needs.values() if need is not None), default=0)
        staying = [name for name, need in needs.items() if need is None]
        return _FixedCluster(self.outlook.judged + more, names[leader], staying)

    @property
    def so_far(self) -> str:
        """What is judged of a draw, as the end of a sentence."""
        judged, skipped = self.outlook.judged, self.sampled.skipped
        said = f"; {judged:,} of the draw are judged" if judged else ""
        return said + (f", {skipped:,} skipped" if skipped else "")

    def expected(self, number: int, when: str, size: SampleSize) -> Iterator[str]:
        """What so many judgements will bring; `when` that is."""
        if number < self.outlook.least:
            yield (
                f"{plural(number, 'judgement')}: too few for an estimate, for which this draw needs at least "
                f"{self.outlook.least:,}"
            )
        elif not any(halves := self.outlook.widest(number)):
            yield f"{plural(number, 'judgement')}: nothing is left to estimate"
        else:
            two = f", ±{100 * halves[1]:.1f} between two" if self.texts.numbers.shape[1] > 1 else ""
            yield f"{plural(number, 'judgement')}: about ±{100 * halves[0]:.1f} points per system{two}"
        if size.clusters:
            yield self.fixed.sentence(when)


@dataclass(frozen=True, slots=True)
class _FixedCluster:
    """The first cluster is fixed with so many judgements: its leader, and those `staying` however many there are."""

    number: int
    leader: str
    staying: Sequence[str]

    def sentence(self, when: str) -> str:
        said = f"the first cluster of the micro-average is fixed {when}, at today's differences"
        if not self.staying:
            return f"{said}: {self.leader} alone"
        return (
            f"{said}: {listed(self.staying)} cannot be told apart from {self.leader} by judging, only with more items"
        )
