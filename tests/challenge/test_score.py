"""Each segment is scored once, what is scored is kept, and a metric's faults are named."""

import math
import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, Segment
from assay.challenge.files.scores import ScoreHeader, ScoreJournal
from assay.challenge.metric import FunctionMetric, load_metric
from assay.challenge.score import MemoryJournal, score
from assay.errors import AssayError, BadFile, BadOption
from assay.parallel import open_executor

Function = Callable[[Sequence[Segment]], Sequence[float]]


def lengths(segments: Sequence[Segment]) -> list[float]:
    return [float(len(segment.hypothesis)) for segment in segments]


class Counting:
    """A metric's function that notes what it was asked, and fails when it comes to a text."""

    def __init__(self, poison: str = "no such text") -> None:
        self.asked: list[Segment] = []
        self.batches: list[int] = []
        self.poison = poison

    def __call__(self, segments: Sequence[Segment]) -> list[float]:
        if any(segment.hypothesis == self.poison for segment in segments):
            raise KeyboardInterrupt
        self.asked += segments
        self.batches.append(len(segments))
        return lengths(segments)


def metric(function: Function, *, source: bool = True, reference: bool = True) -> FunctionMetric:
    return FunctionMetric("m", "m|1", function, needs_source=source, needs_reference=reference, parallel=False)


def item(number: int, first: str, second: str, *, reference: str = "ref", source: str = "src") -> ChallengeItem:
    return ChallengeItem(f"c{number}", source, reference, first, second, correct=1)


def made(*items: ChallengeItem) -> ChallengeSet:
    return ChallengeSet("little", "de-en", items)


LITTLE = made(
    item(0, "a", "bb"),
    item(1, "a", "ccc"),
    item(2, "bb", "a"),
    item(3, "dddd", "a", reference="other"),
    item(4, "eeeee", "a"),
)
ROWS = [(1.0, 2.0), (1.0, 3.0), (2.0, 1.0), (4.0, 1.0), (5.0, 1.0)]


def test_scores_stand_where_their_translations_do() -> None:
    scores = score(LITTLE, metric(lengths))
    assert scores.values.tolist() == [list(row) for row in ROWS]
    assert (scores.name, scores.group, scores.higher_is_better, scores.signature) == (
        "m",
        "reference-based",
        True,
        "m|1",
    )


@pytest.mark.parametrize(
    ("source", "reference", "distinct"), [(True, True, 6), (False, True, 6), (True, False, 5), (False, False, 5)]
)
def test_each_distinct_segment_is_scored_once(source: bool, reference: bool, distinct: int) -> None:
    """`a` beside the other reference is another segment, unless the metric looks at no reference."""
    counting = Counting()
    assert score(LITTLE, metric(counting, source=source, reference=reference)).values.tolist() == [
        list(row) for row in ROWS
    ]
    assert len(counting.asked) == len(set(counting.asked)) == distinct
    assert {segment.reference for segment in counting.asked} == ({"ref", "other"} if reference else {""})
    assert {segment.source for segment in counting.asked} == ({"src"} if source else {""})


@pytest.mark.parametrize(("batch", "batches"), [(4, [4, 2]), (1, [1] * 6), (100, [6]), (None, [6])])
def test_batches(batch: int | None, batches: list[int]) -> None:
    counting = Counting()
    score(LITTLE, metric(counting), batch=batch)
    assert counting.batches == batches


def test_rows_come_in_order_and_as_soon_as_they_are_complete() -> None:
    told: list[int] = []
    journal = MemoryJournal()
    score(LITTLE, metric(Counting()), journal, batch=2, progress=told.append)
    # a bb | ccc dddd | a-other eeeee: items 0, then 1 and 2, then 3 and 4
    assert told == [0, 1, 2, 2]
    assert journal.rows == ROWS


def test_a_run_that_was_interrupted_goes_on_where_it_was() -> None:
    journal, first, second = MemoryJournal(), Counting(poison="eeeee"), Counting()
    with pytest.raises(KeyboardInterrupt):
        score(LITTLE, metric(first), journal, batch=1)
    assert journal.rows == ROWS[:4]
    assert score(LITTLE, metric(second), journal, batch=1).values.tolist() == [list(row) for row in ROWS]
    assert [segment.hypothesis for segment in second.asked] == ["eeeee"]
    assert not set(first.asked) & set(second.asked)
    third = Counting()
    score(LITTLE, metric(third), journal)
    assert third.asked == []


def test_a_journal_on_the_disk(tmp_path: Path) -> None:
    path, first, second = tmp_path / "m.tsv", Counting(poison="eeeee"), Counting()
    header = ScoreHeader("m", "reference-based", True, "m|1", LITTLE.hash)
    with pytest.raises(KeyboardInterrupt), ScoreJournal(path, LITTLE, header) as journal:
        score(LITTLE, metric(first), journal, batch=1)
    with ScoreJournal(path, LITTLE, header) as journal:
        assert score(LITTLE, metric(second), journal).values.tolist() == [list(row) for row in ROWS]
    assert [segment.hypothesis for segment in second.asked] == ["eeeee"]


def test_no_items() -> None:
    assert score(made(), "length").values.shape == (0, 2)


def test_nan_is_a_score_like_any_other() -> None:
    journal = MemoryJournal()
    values = score(LITTLE, metric(lambda segments: [math.nan for _ in segments]), journal).values
    assert np.isnan(values).all()
    counting = Counting()
    score(LITTLE, metric(counting), journal)
    assert counting.asked == []


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_several_processes_give_the_same(jobs: int | None) -> None:
    many = made(*(item(number, "x" * (number % 7), f"word {number}") for number in range(500)))
    for name in ("BLEU", "chrF", "TER", "length"):
        here = score(many, name)
        with open_executor("local", jobs=jobs) as executor:
            there = score(many, name, executor=executor, batch=40)
        assert there.values.tolist() == here.values.tolist()
        assert there.signature == here.signature
    assert active_children() == []


def killed_at_30(segments: Sequence[Segment]) -> list[float]:
    if any(segment.hypothesis == "word 30" for segment in segments):
        os.kill(os.getpid(), signal.SIGKILL)
    return lengths(segments)


def test_what_was_scored_before_a_worker_died_is_kept() -> None:
    many = made(*(item(number, "x", f"word {number}") for number in range(100)))
    journal, counting, told = MemoryJournal(), Counting(), list[str]()
    with (
        open_executor("local", jobs=2, tell=told.append) as executor,
        pytest.raises(AssayError, match=r"^a worker process was killed by SIGKILL"),
    ):
        score(many, FunctionMetric("m", "m|1", killed_at_30, parallel=True), journal, executor=executor, batch=10)
    assert told == ["a worker process was killed by SIGKILL; another does its block 4 again"] * 2
    assert len(journal.rows) == 29  # the fourth batch, words 29 to 38, is the one that dies
    score(many, metric(counting), journal)
    assert len(counting.asked) == 100 - 29


def test_a_journal_that_cannot_be_written_ends_the_workers() -> None:
    class Full(MemoryJournal):
        def append(self, rows: Sequence[tuple[float, float]]) -> None:
            raise AssayError("disk full")

    many = made(*(item(number, "x", f"word {number}") for number in range(500)))
    with open_executor("local", jobs=2) as executor, pytest.raises(AssayError, match="disk full"):
        score(many, "length", Full(), executor=executor, batch=10)
    assert active_children() == []


@pytest.mark.parametrize(("name", "what"), [("BLEU", "reference"), ("copy", "source")])
def test_a_text_that_a_metric_needs_is_not_there(name: str, what: str) -> None:
    bare = made(item(0, "a", "b"), item(1, "a", "b", reference=" ", source=""))
    with pytest.raises(AssayError, match=rf"^{name} needs a {what}, and the challenge item 'c1' has none; "):
        score(bare, name)
    assert score(bare, "length").values.tolist() == [[1, 1], [1, 1]]


def test_a_command_that_is_called_qe_needs_no_reference() -> None:
    code = "import sys; [print(line.count('ref')) for line in sys.stdin]"
    spec = f'mine=cmd:{sys.executable} -c "{code}"'
    bare = made(item(0, "a", "b"), item(1, "a", "b", reference=""))
    with pytest.raises(AssayError, match=r"^mine needs a reference"):
        score(bare, load_metric(spec))
    scores = score(bare, load_metric(spec, group="qe", higher_is_better=False))
    assert scores.values.tolist() == [[0, 0], [0, 0]]
    assert (scores.name, scores.group, scores.higher_is_better) == ("mine", "qe", False)


def test_a_metric_that_answers_wrongly() -> None:
    with pytest.raises(AssayError, match=r"^m gave 1 scores for 6 segments; it has to give one each$"):
        score(LITTLE, metric(lambda segments: [1.0]))
    with pytest.raises(
        AssayError, match=r"^m gave a score that is not a number: could not convert string to float: 'x'$"
    ):
        score(LITTLE, metric(lambda segments: ["x"] * len(segments)))  # type: ignore[list-item]
    assert score(LITTLE, metric(lambda segments: np.ones(len(segments)))).values.tolist() == [[1, 1]] * 5  # type: ignore[arg-type,return-value]


def test_a_metric_that_answers_with_something_else() -> None:
    for answer, what in ((None, "NoneType"), ((1.0 for _ in range(6)), "generator")):
        with pytest.raises(AssayError, match=rf"^m gave no scores but {what}; its function has to return a list"):
            score(LITTLE, metric(lambda segments, answer=answer: answer))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("jobs", "error"),
    [(1, AssayError("full")), (1, KeyboardInterrupt("full")), (2, AssayError("full")), (2, KeyError("full"))],
)
def test_pieces_of_a_stream_are_kept_when_it_fails(jobs: int, error: BaseException) -> None:
    """Also those that a worker process had."""

    def stream(segments: Sequence[Segment]) -> Generator[list[float], None, None]:
        yield lengths(segments[:2])
        yield lengths(segments[2:4])
        raise error

    journal = MemoryJournal()
    streaming = replace(metric(lengths), stream=stream, parallel=True)
    with open_executor("local", jobs=jobs) as executor, pytest.raises(type(error), match="full"):
        score(LITTLE, streaming, journal, executor=executor)
    assert journal.rows == ROWS[:3]  # a, bb, ccc, and dddd of the fourth, whose other translation is missing


@pytest.mark.parametrize("number", [5, 7])
def test_a_stream_of_too_many_or_too_few_scores(number: int) -> None:
    def stream(segments: Sequence[Segment]) -> Generator[list[float], None, None]:
        yield [1.0] * number

    journal = MemoryJournal()
    with pytest.raises(AssayError, match=rf"^m gave {number} scores for 6 segments; it has to give one each$"):
        score(LITTLE, replace(metric(lengths), stream=stream), journal)
    assert journal.rows == []  # nobody knows which of them are right


def test_a_metric_called_qe_has_another_signature() -> None:
    assert load_metric("BLEU", group="qe").signature == f"{load_metric('BLEU').signature}|reference:none"
    assert load_metric("copy", group="qe").signature == load_metric("copy").signature


def bad_file(segments: Sequence[Segment]) -> list[float]:
    raise BadFile("model.bin", "is damaged", line=3)


def test_an_error_comes_back_from_a_worker_as_what_it_is() -> None:
    with (
        open_executor("local", jobs=2) as executor,
        pytest.raises(BadFile, match=r"^model\.bin:3: is damaged$") as raised,
    ):
        score(LITTLE, FunctionMetric("m", "m|1", bad_file, parallel=True), executor=executor, batch=3)
    assert (raised.value.path, raised.value.line) == ("model.bin", 3)


def test_no_batch() -> None:
    with pytest.raises(BadOption, match="at least 1"):
        score(LITTLE, "length", batch=0)
