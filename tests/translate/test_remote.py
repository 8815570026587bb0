"""Copies of an engine on workers: what comes of it is what `collect` would have made of it."""

import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from assay.errors import AssayError, BadFile, BadOption
from assay.parallel import open_executor
from assay.parallel.executor import InProcess
from assay.translate import remote
from assay.translate.collect import collect
from assay.translate.engine import Answer, BadAnswer, LanguagePair, Refused, TryAgain, load_engine
from assay.translate.remote import check_can_spread, spread
from assay.translate.retry import IN_A_ROW, Collected, Keep, Limits
from tests.translate.fakes import FakeEngine, wait_for_the_end

EN_ES = LanguagePair("en", "es")
QUICK = Limits(retries=3, backoff=0.001)
SENTENCES = [f"sentence {number}" for number in range(50)]

B = TypeVar("B")
R = TypeVar("R")

Copied = Callable[[FakeEngine], FakeEngine]


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> Copied:
    """Has workers find this engine by whatever spec."""
    remote._copy.cache_clear()

    def here(engine: FakeEngine) -> FakeEngine:
        monkeypatch.setattr(remote, "load_engine", lambda spec, pair: engine)
        return engine

    return here


def run(
    engine: FakeEngine, *, workers: Any = None, limits: Limits = QUICK, sentences: Sequence[str] = SENTENCES
) -> tuple[Collected, dict[str, str]]:
    kept: dict[str, str] = {}
    found = spread(
        engine,
        sentences,
        spec="fake",
        pair=EN_ES,
        workers=workers or InProcess(),
        keep=into(kept),
        limits=limits,
    )
    return found, kept


def into(kept: dict[str, str]) -> Keep:
    return lambda answers: kept.update((sentence, answer.text) for sentence, answer in answers)


def upper(sentence: str, times: int) -> str:
    return sentence.upper()


def empty(sentence: str, times: int) -> str:
    return " " if sentence == "sentence 7" else sentence.upper()


def filtered(sentence: str, times: int) -> str:
    if sentence in ("sentence 3", "sentence 11"):
        raise BadAnswer("filtered")
    return sentence.upper()


def refuses(sentence: str, times: int) -> str:
    if sentence == "sentence 20":
        raise Refused("the key was refused")
    return sentence.upper()


def fails_for_one(sentence: str, times: int) -> str:
    if sentence == "sentence 7":
        raise TryAgain("busy")
    return sentence.upper()


def closes_for_today(sentence: str, times: int) -> str:
    raise TryAgain("daily quota", after=7200)


def down(sentence: str, times: int) -> str:
    raise TryAgain("cannot be reached")


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("batch", [1, 7])
@pytest.mark.parametrize("behaviour", [upper, empty, filtered, fails_for_one, closes_for_today, down])
def test_the_same_comes_of_it_as_in_one_process(copied: Copied, behaviour: Any, batch: int, jobs: int) -> None:
    alone: dict[str, str] = {}
    wanted = collect(FakeEngine(behaviour, batch=batch, concurrency=1), SENTENCES, keep=into(alone), limits=QUICK)
    with open_executor("local", jobs=jobs) as workers:
        found, kept = run(copied(FakeEngine(behaviour, batch=batch, concurrency=1)), workers=workers)
    assert kept == alone
    assert (found.asked, found.answered) == (wanted.asked, wanted.answered)
    assert (found.stop, found.reason, found.refused) == (wanted.stop, wanted.reason, wanted.refused)
    if found.stop:
        # Which sentences have failed by then depends on who was quicker.
        assert set(found.failures.values()) == set(wanted.failures.values())
    else:
        assert found.failures == wanted.failures
        assert (found.requests, found.repeated) == (wanted.requests, wanted.repeated)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_a_refusal_stops_the_run_and_what_came_before_is_kept(copied: Copied, jobs: int) -> None:
    """The batch in which it comes has the sentences 16 to 23."""
    with open_executor("local", jobs=jobs) as workers:
        found, kept = run(copied(FakeEngine(refuses, batch=8)), workers=workers)
    assert (found.stop, found.reason) == ("refused", "the key was refused")
    assert list(kept) == SENTENCES[:16]
    assert found.refused == set(SENTENCES[16:24])


def test_answers_come_in_the_order_of_the_sentences(copied: Copied) -> None:
    def slow_when_even(sentence: str, times: int) -> str:
        time.sleep(0.01 if int(sentence.split()[1]) % 2 == 0 else 0)
        return sentence.upper()

    with open_executor("local", jobs=2) as workers:
        assert list(run(copied(FakeEngine(slow_when_even)), workers=workers)[1]) == SENTENCES


def test_a_passing_fault_is_tried_again_after_a_pause(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)

    def fails_twice(sentence: str, times: int) -> str:
        if times <= 2:
            raise TryAgain("busy", after=0.25 if times == 1 else None)
        return sentence.upper()

    engine = copied(FakeEngine(fails_twice, batch=10))
    found, kept = run(engine)
    assert kept == {sentence: sentence.upper() for sentence in SENTENCES}
    assert (found.requests, found.repeated) == (15, 10)
    assert pauses[0] == 0.25  # what it asked for
    assert 0.001 <= pauses[1] <= 0.002  # twice the first pause, shortened by chance


def test_an_engine_that_is_down_is_not_asked_for_everything(copied: Copied) -> None:
    """Ten requests in vain are repeated first, and then given up: 10 × (1 + 3), whatever the number of sentences."""
    engine = copied(FakeEngine(down))
    found, _ = run(engine)
    assert engine.calls == found.requests == IN_A_ROW * 4
    assert (
        found.reason
        == f"no answer to {IN_A_ROW} requests in a row after 4 tries each; the last fault: cannot be reached"
    )


def test_a_call_that_hangs_is_given_up_after_its_time(copied: Copied) -> None:
    release = threading.Event()
    given_up: list[str] = []

    def hangs_once(sentence: str, times: int) -> str:
        if sentence == "sentence 5" and times == 1:
            release.wait(30)
        return sentence.upper()

    engine = copied(FakeEngine(hangs_once))
    engine.give_up = given_up.extend  # type: ignore[attr-defined]
    found, kept = run(engine, limits=Limits(timeout=0.1, backoff=0.001))
    release.set()
    assert len(kept) == 50
    assert (found.repeated, given_up) == (1, ["sentence 5"])


def test_an_engine_that_answers_too_little_is_refused(copied: Copied) -> None:
    engine = copied(FakeEngine(batch=5))
    engine.translate = lambda sentences: [Answer("one")]  # type: ignore[method-assign]
    assert run(engine)[0].reason == "fake gave 1 answers to 5 sentences"


def test_a_bug_of_the_engine_is_shown(copied: Copied) -> None:
    def broken(sentence: str, times: int) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(copied(FakeEngine(broken)))


def test_a_journal_that_cannot_be_written_is_no_fault_of_the_engine(copied: Copied) -> None:
    def full(answers: Sequence[tuple[str, Answer]]) -> None:
        raise BadFile("journal", "cannot be written (no space left on device)")

    with pytest.raises(BadFile, match="no space left"):
        spread(copied(FakeEngine()), SENTENCES, spec="", pair=EN_ES, workers=InProcess(), keep=full, limits=QUICK)


@dataclass
class Stopping:
    """Workers that do so many blocks, and then something happens."""

    after: int
    error: BaseException
    one_per_machine: bool = False

    def map(
        self, function: Callable[[B], R], blocks: Iterable[B], *, one_per_machine: bool = False
    ) -> Generator[R, None, None]:
        self.one_per_machine = one_per_machine
        for number, block in enumerate(blocks):
            if number == self.after:
                raise self.error
            yield function(block)


def test_workers_that_cannot_go_on_end_the_run_and_what_came_is_kept(copied: Copied) -> None:
    found, kept = run(copied(FakeEngine()), workers=Stopping(12, AssayError("the scheduler is gone")))
    assert (found.stop, found.reason, found.answered) == ("refused", "the scheduler is gone", 12)
    assert list(kept) == SENTENCES[:12]
    assert found.unanswered == frozenset()


def test_an_interruption_keeps_what_has_arrived(copied: Copied) -> None:
    found, kept = run(copied(FakeEngine()), workers=Stopping(12, KeyboardInterrupt()))
    assert found.stop == "interrupted"
    assert list(kept) == SENTENCES[:12]


@pytest.mark.parametrize("fills", [True, False])
def test_an_engine_that_fills_a_machine(copied: Copied, fills: bool) -> None:
    engine, workers = copied(FakeEngine()), Stopping(100, AssayError())
    engine.fills_machine = fills  # type: ignore[attr-defined]
    run(engine, workers=workers)
    assert workers.one_per_machine == fills


# The copy


def test_a_copy_is_loaded_once(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    loads = 0

    def load(spec: str, pair: LanguagePair) -> FakeEngine:
        nonlocal loads
        loads += 1
        return FakeEngine()

    monkeypatch.setattr(remote, "load_engine", load)
    run(FakeEngine())
    run(FakeEngine())
    assert loads == 1


def test_a_copy_of_another_version_is_refused(copied: Copied) -> None:
    copied(FakeEngine(parameters={"version": "2", "model": "m"}))
    found, kept = run(FakeEngine(parameters={"version": "1", "model": "m"}))
    assert kept == {}
    assert found.stop == "refused"
    assert found.reason.endswith(
        ": the engine's version is '2', not '1'; install the same on all machines, and give paths that all of them know"
    )


def test_an_engine_that_a_worker_does_not_have(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(spec: str, pair: LanguagePair) -> FakeEngine:
        raise BadOption("there is no folder models/de-en")

    monkeypatch.setattr(remote, "load_engine", missing)
    found, _ = run(FakeEngine())
    assert found.stop == "refused"
    assert ": the worker cannot load the engine (there is no folder models/de-en); install the same" in found.reason


def test_the_threads_of_a_worker_take_turns(copied: Copied) -> None:
    def slow(sentence: str, times: int) -> str:
        time.sleep(0.005)
        return sentence.upper()

    engine = copied(FakeEngine(slow, concurrency=2))
    one = partial(remote.ask_copy, "fake", EN_ES, tuple(engine.parameters.items()), 60.0)
    threads = [threading.Thread(target=one, args=((sentence,),)) for sentence in SENTENCES[:8]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert engine.calls == 8
    assert engine.most_at_once == 2


def test_with_a_worker_process_ends_what_it_has_started(tmp_path: Path) -> None:
    """The run is stopped while a worker waits for a command that goes on for minutes."""
    script = tmp_path / "slow.sh"
    script.write_text(f"sleep 300 &\necho $! > {tmp_path}/pid\nwait\n", encoding="utf-8")
    spec, file = f"cmd:sh {script}", tmp_path / "pid"
    engine = load_engine(spec, EN_ES)

    def until_it_runs() -> Generator[tuple[str, ...], None, None]:
        yield ("One.",)
        end = time.monotonic() + 60
        while not (file.exists() and file.read_text("utf-8").endswith("\n")):
            assert time.monotonic() < end
            time.sleep(0.01)
        raise KeyboardInterrupt

    function = partial(remote.ask_copy, spec, EN_ES, tuple(sorted(engine.parameters.items())), 600.0)
    before = signal.getsignal(signal.SIGTERM)
    with open_executor("local", jobs=2) as workers, pytest.raises(KeyboardInterrupt):
        list(workers.map(function, until_it_runs()))
    wait_for_the_end(int(file.read_text("utf-8")))
    assert signal.getsignal(signal.SIGTERM) == before


# What is refused


@pytest.mark.parametrize("spec", ["cmd:cat", "apertium"])
def test_engines_that_workers_can_have(spec: str) -> None:
    check_can_spread("mine", load_engine(spec, EN_ES), QUICK)


def test_engines_that_they_cannot() -> None:
    engine = load_engine("libretranslate:base_url=http://localhost:5000", EN_ES)
    with pytest.raises(BadOption, match=r"^mine: workers cannot have copies of this engine; leave out --executor and"):
        check_can_spread("mine", engine, QUICK)


@pytest.mark.parametrize(
    ("limits", "named"),
    [
        (Limits(concurrency=2), "--concurrency"),
        (Limits(per_minute=60, max_cost=1), "--per-minute and --max-cost"),
        (Limits(max_requests=3), "--max-requests"),
    ],
)
def test_limits_that_several_cannot_keep(limits: Limits, named: str) -> None:
    with pytest.raises(BadOption, match=f"^several workers cannot keep to {named}; leave that out"):
        check_can_spread("mine", load_engine("cmd:cat", EN_ES), limits)
