"""Collecting answers from an engine that fails in every way it can."""

import _thread
import threading
import time
from collections.abc import Sequence

import pytest

from assay.errors import BadOption
from assay.translate.collect import collect
from assay.translate.engine import Answer, BadAnswer, Refused, TryAgain
from assay.translate.pace import RateLimiter
from assay.translate.retry import IN_A_ROW, Collected, Limits
from tests.translate.fakes import FakeEngine

QUICK = Limits(retries=3, backoff=0.001)
SENTENCES = [f"sentence {number}" for number in range(50)]


def run(
    engine: FakeEngine, sentences: Sequence[str] = SENTENCES, limits: Limits = QUICK
) -> tuple[Collected, dict[str, str]]:
    kept: dict[str, str] = {}
    found = collect(engine, sentences, keep=lambda answers: kept.update(texts(answers)), limits=limits)
    return found, kept


def texts(answers: Sequence[tuple[str, Answer]]) -> dict[str, str]:
    return {sentence: answer.text for sentence, answer in answers}


def upper(sentences: Sequence[str] = SENTENCES) -> dict[str, str]:
    return {sentence: sentence.upper() for sentence in sentences}


@pytest.mark.parametrize(("batch", "requests"), [(1, 50), (7, 8), (50, 1), (80, 1)])
def test_every_sentence_is_asked_once_and_answered(batch: int, requests: int) -> None:
    engine = FakeEngine(batch=batch)
    found, kept = run(engine)
    assert kept == upper()
    assert set(engine.asked.values()) == {1}
    assert (found.asked, found.answered, found.requests, found.repeated) == (50, 50, requests, 0)
    assert (found.stop, found.reason, found.failures) == ("", "", {})


def test_nothing_to_ask() -> None:
    found, kept = run(FakeEngine(), [])
    assert (kept, found.requests, found.stop) == ({}, 0, "")


def test_no_more_calls_at_once_than_allowed() -> None:
    def slow(sentence: str, times: int) -> str:
        time.sleep(0.002)
        return sentence.upper()

    engine = FakeEngine(slow)
    run(engine, limits=Limits(concurrency=3))
    assert engine.most_at_once <= 3
    engine = FakeEngine(slow)
    run(engine)
    assert engine.most_at_once <= 4


def test_fewer_sentences_in_a_request_than_the_engine_takes() -> None:
    engine = FakeEngine(batch=20)
    assert run(engine, limits=Limits(batch=10))[0].requests == 5
    assert run(engine, limits=Limits(batch=100))[0].requests == 3


def test_a_passing_fault_is_tried_again() -> None:
    def fails_twice(sentence: str, times: int) -> str:
        if times <= 2:
            raise TryAgain("busy")
        return sentence.upper()

    found, kept = run(FakeEngine(fails_twice))
    assert kept == upper()
    assert (found.requests, found.repeated) == (150, 100)


def test_a_sentence_that_never_works_is_missing_and_the_others_are_there() -> None:
    def fails_for_one(sentence: str, times: int) -> str:
        if sentence == "sentence 7":
            raise TryAgain("busy")
        return sentence.upper()

    engine = FakeEngine(fails_for_one)
    found, kept = run(engine)
    assert "sentence 7" not in kept
    assert len(kept) == found.answered == 49
    assert found.failures == {"sentence 7": "busy"}
    assert engine.asked["sentence 7"] == 4  # once and three repetitions
    assert found.stop == ""


def test_the_wait_that_the_server_asks_for_is_kept() -> None:
    moments: list[float] = []

    def asks_to_wait(sentence: str, times: int) -> str:
        moments.append(time.monotonic())
        if times == 1:
            raise TryAgain("slow down", after=0.2)
        return sentence.upper()

    _, kept = run(FakeEngine(asks_to_wait), ["one"])
    assert kept == {"one": "ONE"}
    assert moments[1] - moments[0] >= 0.2


def test_a_server_that_wants_to_be_left_alone_for_hours_has_refused() -> None:
    def quota(sentence: str, times: int) -> str:
        raise TryAgain("daily quota", after=7200)

    found, _ = run(FakeEngine(quota))
    assert (found.stop, found.reason) == ("refused", "daily quota (it asks to come back in 7,200 seconds)")


def test_a_refusal_stops_the_engine_and_what_came_before_is_kept() -> None:
    def refuses_later(sentence: str, times: int) -> str:
        if sentence == "sentence 20":
            raise Refused("the key was refused")
        return sentence.upper()

    engine = FakeEngine(refuses_later, concurrency=1)
    found, kept = run(engine)
    assert (found.stop, found.reason) == ("refused", "the key was refused")
    assert kept.items() >= upper(SENTENCES[:20]).items()
    assert "sentence 20" not in kept
    assert sum(engine.asked.values()) < 25


def test_a_server_that_is_down_ends_the_run() -> None:
    def down(sentence: str, times: int) -> str:
        raise TryAgain("cannot be reached")

    found, _ = run(FakeEngine(down), limits=Limits(retries=1, backoff=0.001))
    assert found.stop == "refused"
    assert found.reason == (
        f"no answer to {IN_A_ROW} requests in a row after 2 tries each; the last fault: cannot be reached"
    )


def test_a_bad_answer_is_missing_at_once_and_does_not_spoil_its_batch() -> None:
    def filtered(sentence: str, times: int) -> str:
        if sentence in ("sentence 3", "sentence 11"):
            raise BadAnswer("filtered")
        return sentence.upper()

    engine = FakeEngine(filtered, batch=10)
    found, kept = run(engine)
    assert len(kept) == 48
    assert found.failures == {"sentence 3": "filtered", "sentence 11": "filtered"}
    assert engine.asked["sentence 3"] == 2  # in its batch, then alone


@pytest.mark.parametrize(("answer", "why"), [("  \n", "the answer is empty"), ("\ud83d", "half a character")])
def test_an_answer_that_is_none_is_missing(answer: str, why: str) -> None:
    found, kept = run(FakeEngine(lambda sentence, times: answer), ["one"])
    assert kept == {}
    assert why in found.failures["one"]


def test_a_call_that_hangs_is_given_up_after_its_time() -> None:
    release = threading.Event()

    def hangs_once(sentence: str, times: int) -> str:
        if sentence == "sentence 5" and times == 1:
            release.wait(30)
        return sentence.upper()

    engine = FakeEngine(hangs_once, concurrency=2)
    found, kept = run(engine, limits=Limits(timeout=0.1, backoff=0.001))
    release.set()
    assert kept == upper()
    assert found.repeated == 1


def test_a_call_that_always_hangs_is_missing() -> None:
    release = threading.Event()

    def hangs(sentence: str, times: int) -> str:
        if sentence == "sentence 5":
            release.wait(30)
        return sentence.upper()

    found, kept = run(FakeEngine(hangs), limits=Limits(timeout=0.05, retries=2, backoff=0.001))
    release.set()
    assert found.failures == {"sentence 5": "no answer within 0.05 seconds"}
    assert len(kept) == 49


def test_requests_are_limited_repetitions_included() -> None:
    def fails_once(sentence: str, times: int) -> str:
        if times == 1 and sentence == "sentence 0":
            raise TryAgain("busy")
        return sentence.upper()

    engine = FakeEngine(fails_once)
    found, kept = run(engine, limits=Limits(max_requests=20, backoff=0.001))
    assert engine.calls == found.requests == 20
    assert found.stop == "budget"
    assert len(kept) in (19, 20)
    assert "20 requests were allowed" in found.reason


@pytest.mark.parametrize("concurrency", [1, 8])
def test_the_cost_never_exceeds_the_limit(concurrency: int) -> None:
    engine = FakeEngine(price=0.3, concurrency=concurrency)
    found, kept = run(engine, limits=Limits(max_cost=4.0))
    assert len(kept) == 13  # 13 × 0.3 = 3.9
    assert found.cost == pytest.approx(3.9)
    assert found.stop == "budget"


def test_a_budget_that_is_enough_is_not_spent() -> None:
    found, _ = run(FakeEngine(price=1.0), limits=Limits(max_cost=50, max_requests=50))
    assert (found.stop, found.answered) == ("", 50)


def test_a_bug_of_the_engine_is_shown_and_what_came_before_is_kept() -> None:
    def broken(sentence: str, times: int) -> str:
        if sentence == "sentence 20":
            raise ZeroDivisionError
        return sentence.upper()

    kept: dict[str, str] = {}
    with pytest.raises(ZeroDivisionError):
        collect(
            FakeEngine(broken, concurrency=1),
            SENTENCES,
            keep=lambda answers: kept.update(texts(answers)),
            limits=QUICK,
        )
    assert kept.items() >= upper(SENTENCES[:20]).items()


def test_an_engine_that_answers_too_little_is_refused() -> None:
    engine = FakeEngine(batch=5)
    engine.translate = lambda sentences: [Answer("one")]  # type: ignore[method-assign]
    assert run(engine)[0].reason == "fake gave 1 answers to 5 sentences"


def test_an_interruption_keeps_what_has_arrived() -> None:
    """Ctrl-C while calls hang: the answers until then are kept, and nobody waits for the rest."""
    release = threading.Event()

    def hangs_later(sentence: str, times: int) -> str:
        if int(sentence.split()[1]) >= 10:
            release.wait(30)
        return sentence.upper()

    kept: dict[str, str] = {}

    def keep(answers: Sequence[tuple[str, Answer]]) -> None:
        kept.update(texts(answers))
        if len(kept) == 10:
            _thread.interrupt_main()

    found = collect(FakeEngine(hangs_later), SENTENCES, keep=keep, limits=QUICK)
    release.set()
    assert found.stop == "interrupted"
    assert kept == upper(SENTENCES[:10])


def test_progress_is_told() -> None:
    told: list[int] = []
    collect(FakeEngine(), SENTENCES, keep=lambda answers: None, limits=QUICK, progress=told.append)
    assert sum(told) == 50


def test_the_rate_is_shared_by_all_threads() -> None:
    """At 600 a minute, 6 turns take at least 5 times 0.1 s, however many threads ask."""
    limiter, never = RateLimiter(600), threading.Event()
    start = time.monotonic()
    threads = [threading.Thread(target=limiter.wait, args=(never,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - start >= 0.49


def test_a_stop_ends_the_waiting_for_a_turn() -> None:
    limiter, stopped = RateLimiter(None), threading.Event()
    limiter.hold(60)
    stopped.set()
    assert not limiter.wait(stopped)


@pytest.mark.parametrize(
    ("name", "value"), [("concurrency", 0), ("per_minute", 0), ("timeout", -1), ("retries", -1), ("max_cost", 0)]
)
def test_limits_out_of_range(name: str, value: int) -> None:
    with pytest.raises(BadOption, match=name.replace("_", "-")):
        Limits(**{name: value})
