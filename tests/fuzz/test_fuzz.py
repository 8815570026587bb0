"""The fuzzer: a bounded part of it, the same in every run, and whether it would see what it looks for."""

from contextlib import chdir
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.attempt import Done, Door, complaint, run_command
from tests.fuzz.doors import DOORS
from tests.fuzz.mutations import mutate
from tests.fuzz.samples import make_samples
from tests.fuzz.worker import Files, Worker, damage, restore
from tests.suites.building import listing

SEED, RUNS = 16, 5 * len(DOORS)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    make_samples(folder)
    return folder


def test_damaged_files_are_answered_with_one_line(samples: Path, tmp_path: Path) -> None:
    """More of it: `make fuzz`. A run that fails here is repeated by `python -m tests.fuzz --seed 16 --run NUMBER`."""
    with Worker(samples, tmp_path) as worker:
        found = {run: problem for run in range(RUNS) if (problem := worker.try_run(SEED, run))}
    assert not found


def test_the_samples_themselves_are_read(samples: Path) -> None:
    """Otherwise the fuzzer would only ever see the same refusal."""
    before = listing(samples)
    for door in DOORS:
        with chdir(samples):
            done = run_command(door.command)
        after = listing(samples)
        restore(before, samples, after)
        assert (done.code, done.error, complaint(done, door, before, after)) == (0, "", ""), str(door)


def test_a_run_can_be_repeated(samples: Path) -> None:
    files = listing(samples)
    assert [damage(files, 7, run) for run in range(100)] == [damage(files, 7, run) for run in range(100)]
    assert mutate(Random("a"), "x.txt", b"some text") != mutate(Random("b"), "x.txt", b"some text")


def test_a_run_that_kills_its_process_is_a_finding(samples: Path, tmp_path: Path) -> None:
    with Worker(samples, tmp_path) as worker:
        process, _ = worker.started()
        process.kill()
        process.join()
        assert "died (SIGKILL)" in worker.try_run(SEED, 0)
        assert worker.try_run(SEED, 0) == ""


@pytest.mark.parametrize(
    ("done", "after", "found"),
    [
        (Done(2, error="assay: a.tsv: no such thing\n"), {}, ""),
        (Done(0, error="a note\nanother\n"), {"out": b"x"}, ""),
        (Done(None, trace="Traceback …\nKeyError: 'x'"), {}, "a traceback: KeyError: 'x'"),
        (Done(7), {}, "the exit code 7"),
        (Done(2, error="Traceback (most recent call last):\n"), {}, "a traceback on standard error"),
        (Done(2, error="assay: one\nassay: two\n"), {}, "2 lines on standard error"),
        (Done(2), {}, "1 lines on standard error"),
        (Done(2, error="assay: " + "x" * 301), {}, "a line of 308 characters"),
        (Done(2, error="assay: \x1b[2J"), {}, "a line with characters that move a terminal: 'assay: \\x1b[2J'"),
        (Done(2, error="assay: no"), {"out": b""}, "written, though it failed: out"),
        (Done(2, error="assay: no"), {"cache/a": b""}, ""),
        (Done(0), {".assay-123": None}, "left behind: .assay-123"),
    ],
)
def test_what_is_demanded(done: Done, after: Files, found: str) -> None:
    assert complaint(done, Door("a.tsv", "evaluate", ("cache",)), {}, after) == found
