"""`assay contrasts … --executor …`: the same bytes whoever parses and aligns, and what was parsed is kept."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("distributed")
pytest.importorskip("ufal.udpipe")

from assay.contrasts.cache import BLOCK, FILE, PAIRS
from tests.conftest import Run
from tests.contrasts.tiny_model import train
from tests.parallel.clusters import Cluster, until_it_is_given_work, wait_until
from tests.suites.building import listing

LINES, SYSTEMS = 410, 3
"""All texts are distinct: 9 blocks of source lines, 25 of translations, and 2 of pairs."""

CONTRASTS = """
name: mine
langpair: cs-cs
source:
  verb: {any: [[{RIGHT_ID: kw, RIGHT_ATTRS: {POS: VERB}}]]}
target:
  - {name: finite, any: [[{RIGHT_ID: a, RIGHT_ATTRS: {MORPH: {IS_SUPERSET: [VerbForm=Fin]}}}]]}
  - {name: other, any: [[{RIGHT_ID: a, RIGHT_ATTRS: {}}]]}
contrasts:
  finite-finite: {source: verb, good: [finite]}
"""

DIAGONAL = """
class Diagonal:
    name, signature, scope = "diagonal", "diagonal|1", "pair"

    def seen(self, pair):
        return pair.source.surface_forms, pair.target.surface_forms

    def link(self, seen):
        return [frozenset((place, place) for place in range(min(map(len, words)))) for words in seen]

def factory(option):
    return Diagonal()
"""

COUNTS = """
import os
from ufal import udpipe

class Counted:
    def load(path):
        with open({log!r}, "a") as log:
            print(os.getpid(), path, file=log)
        return udpipe.real.load(path)

udpipe.real = getattr(udpipe, "real", udpipe.Model)  # Dask runs this twice
udpipe.Model = Counted
"""
"""A worker that writes down whenever a model is loaded."""

HURTS = """
import os, signal, sqlite3, time
from assay.contrasts import cache

def hurting(parser, lines):
    if {known}:
        {hurt}
    return cache.real(parser, lines)

cache.real = getattr(cache, "real", cache._parse)
cache._parse = hurting
"""
"""A worker that hurts when it is to parse, always or once something is known."""

KNOWN = 'sqlite3.connect({cache!r}).execute("SELECT count(*) FROM trees").fetchone()[0]'

ELSEWHERE = """
from pathlib import Path
from assay.contrasts.parsers import udpipe

udpipe.Path = lambda option: Path({folder!r}) / Path(option).name
"""
"""A worker whose models are others than those of the calling machine."""


class Texts(NamedTuple):
    """A source and translations, a model, and the arguments for all of them."""

    folder: Path
    model: Path
    run: list[str]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    folder = tmp_path_factory.mktemp("texts")
    (folder / "mine.yaml").write_text(CONTRASTS)
    sentences = ["Chce, abych přišel domů", "Přišla domů", "Chce jít domů", "Odešla, aby přišel", "Odešla domů"]
    for name in ("source", *(f"S{system}" for system in range(SYSTEMS))):
        lines = (f"{sentences[(number * len(name)) % 5]} {name}{number}.\n" for number in range(LINES))
        (folder / f"{name}.txt").write_text("".join(lines), "utf-8")
    model = train(folder / "czech-tiny.udpipe")
    run = [str(folder / "mine.yaml"), "--source", str(folder / "source.txt"), "--aligner", "diagonal"]
    run += ["--source-parser", f"udpipe:{model}", "--target-parser", f"udpipe:{model}"]
    return Texts(folder, model, [*run, *(str(folder / f"S{system}.txt") for system in range(SYSTEMS))])


@pytest.fixture(scope="module", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An aligner of single pairs, for the command and for the workers."""
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "diagonal_aligner.py").write_text(DIAGONAL)
    information = folder / "diagonal_aligner-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: diagonal-aligner\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[assay.aligners]\ndiagonal = diagonal_aligner:factory\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        yield


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, plugin: None) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    with Cluster(folder) as made:
        for _ in range(2):
            made.start_worker(first=COUNTS.format(log=str(folder / "loads")))
        made.wait_for(2)
        yield made


def contents(cache: Path) -> dict[str, list[tuple[bytes, bytes]]]:
    """What a cache has, whoever came first."""
    database = sqlite3.connect(cache / FILE)
    found = {table: database.execute(f"SELECT * FROM {table}").fetchall() for table in ("trees", "links")}
    database.close()
    return found


def trees(cache: Path) -> int:
    with closing(sqlite3.connect(cache / FILE)) as database:
        try:
            found: int = database.execute("SELECT count(*) FROM trees").fetchone()[0]
        except sqlite3.OperationalError:  # the file is being made
            return 0
    return found


def loads(cluster: Cluster) -> dict[str, set[int]]:
    """Model -> how often a worker has loaded it."""
    found: dict[str, set[int]] = {}
    for line, times in Counter((cluster.folder / "loads").read_text().splitlines()).items():
        found.setdefault(line.partition(" ")[2], set()).add(times)
    return found


def test_the_same_bytes_whoever_parses(assay: Run, texts: Texts, cluster: Cluster, tmp_path: Path) -> None:
    executors = {"alone": ["--jobs", "1"], "local": ["--jobs", "2"], "dask": ["--executor", f"dask:{cluster.address}"]}
    for name, executor in executors.items():
        files = ["--cache", name, "--verdicts", f"{name}.tsv", "-o", f"{name}.json", "--test", "bootstrap"]
        assert assay("contrasts", "run", "--as-published", *texts.run, *files, *executor).stderr == ""
    for end in (".tsv", ".json"):
        assert len({(tmp_path / (name + end)).read_bytes() for name in executors}) == 1
    alone = contents(tmp_path / "alone")
    assert len(alone["trees"]) == LINES * (1 + SYSTEMS)
    assert len(alone["links"]) == LINES * SYSTEMS > PAIRS
    assert contents(tmp_path / "local") == contents(tmp_path / "dask") == alone
    assert loads(cluster)[str(texts.model)] == {1}


def test_a_model_is_found_from_the_folder_of_the_call(
    assay: Run, texts: Texts, cluster: Cluster, tmp_path: Path
) -> None:
    """Workers have other folders; they get absolute paths."""
    (tmp_path / "my.udpipe").write_bytes(texts.model.read_bytes())
    given = ["find", texts.run[0], "verb", texts.folder / "source.txt", "--parser", "udpipe:my.udpipe"]
    for name, executor in (("alone", ["-j", "1"]), ("dask", ["--executor", f"dask:{cluster.address}"])):
        assay("contrasts", *given, "--cache", f"of-{name}", "-o", name, *executor)
    assert trees(tmp_path / "of-dask") == LINES
    assert listing(tmp_path / "alone") == listing(tmp_path / "dask")
    assert loads(cluster)[str(tmp_path / "my.udpipe")] == {1}


def test_a_worker_that_is_killed(assay: Run, texts: Texts, cluster: Cluster, tmp_path: Path) -> None:
    first = HURTS.format(known=True, hurt="os.kill(os.getpid(), signal.SIGKILL)")

    def run() -> "subprocess.CompletedProcess[str]":
        shutil.rmtree(tmp_path / "c", ignore_errors=True)
        with cluster.another_worker(first):
            return assay(
                "contrasts",
                "run",
                "--as-published",
                *texts.run,
                "--cache",
                "c",
                "--executor",
                f"dask:{cluster.address}",
            )

    done = until_it_is_given_work(run)
    (line,) = done.stderr.splitlines()
    assert line.endswith("is gone; others do its blocks again")
    assert done.stdout == assay("contrasts", "run", "--as-published", *texts.run, "--cache", "d").stdout
    assert contents(tmp_path / "c") == contents(tmp_path / "d")


def test_a_scheduler_that_dies_leaves_what_was_parsed(assay: Run, texts: Texts, tmp_path: Path) -> None:
    folder = tmp_path / "cluster"
    folder.mkdir()
    with Cluster(folder) as cluster:
        hurt = f"os.kill({cluster.scheduler.pid}, signal.SIGKILL)"
        known = KNOWN.format(cache=str(tmp_path / "c" / FILE))
        cluster.start_worker(first=HURTS.format(known=known, hurt=hurt))
        cluster.wait_for(1)
        executor = ["--executor", f"dask:{cluster.address}"]
        done = assay(
            "contrasts", "run", "--as-published", *texts.run, "--cache", "c", "-o", "r.json", *executor, code=3
        )
    assert done.stderr == (
        f"assay: {cluster.address}: the scheduler is gone; start it and its workers, and run it again\n"
    )
    assert not (tmp_path / "r.json").exists()
    kept = trees(tmp_path / "c")
    assert 0 < kept < LINES
    assert kept % BLOCK == 0
    again = assay("contrasts", "run", "--as-published", *texts.run, "--cache", "c").stdout
    assert f"Parsed now: {LINES - kept} of {LINES} distinct" in " ".join(again.split())


def test_an_interrupted_run_leaves_what_was_parsed(assay: Run, texts: Texts, tmp_path: Path) -> None:
    folder = tmp_path / "cluster"
    folder.mkdir()
    with Cluster(folder) as cluster:
        known = KNOWN.format(cache=str(tmp_path / "c" / FILE))
        cluster.start_worker(first=HURTS.format(known=known, hurt="time.sleep(0.3)"))
        cluster.wait_for(1)
        command = [sys.executable, "-m", "assay", "contrasts", "run", "--as-published", *texts.run, "--cache", "c"]
        with subprocess.Popen(
            [*command, "--executor", f"dask:{cluster.address}"], cwd=tmp_path, stderr=subprocess.PIPE
        ) as running:
            wait_until(lambda: (tmp_path / "c" / FILE).exists() and trees(tmp_path / "c") > 0, running)
            running.send_signal(signal.SIGINT)
            _, told = running.communicate(timeout=60)
        assert running.returncode == 130, told
        assert b"Traceback" not in told
        cluster.until(lambda client: not any(client.processing().values()))
    kept = trees(tmp_path / "c")
    assert 0 < kept < LINES
    again = assay("contrasts", "run", "--as-published", *texts.run, "--cache", "c").stdout
    assert f"Parsed now: {LINES - kept} of {LINES} distinct" in " ".join(again.split())


@pytest.mark.parametrize("there", ["missing", "another"])
def test_a_worker_with_another_model(assay: Run, texts: Texts, cluster: Cluster, tmp_path: Path, there: str) -> None:
    other = tmp_path / "models" / texts.model.name
    other.parent.mkdir()
    if there == "another":
        other.write_bytes(texts.model.read_bytes() + b"\0")
    given = ["--cache", "c", "-o", "r.json", "--executor", f"dask:{cluster.address}"]
    with cluster.another_worker(ELSEWHERE.format(folder=str(other.parent))):
        (line,) = assay("contrasts", "run", "--as-published", *texts.run, *given).stderr.splitlines()
    assert line.startswith("assay: tcp://127.0.0.1:")
    assert ": not what the calling machine has: " in line
    assert line.endswith(
        "; give all workers the same packages, and the same models under the same paths; it gets no blocks"
    )
    if there == "missing":
        assert f": {other}: there is no such UDPipe model;" in line
    else:
        assert f": {texts.model}: model:czech-tiny[" in line
        assert line.count("model:czech-tiny[") == 2
    assay("contrasts", "run", "--as-published", *texts.run, "--cache", "d", "-o", "alone.json", "--jobs", "1")
    assert (tmp_path / "r.json").read_bytes() == (tmp_path / "alone.json").read_bytes()


def test_trees_and_links_of_files_are_read_by_the_calling_process(assay: Run, cluster: Cluster, tmp_path: Path) -> None:
    """Workers have another folder, and would find none of them."""
    from assay.contrasts.run_files import copy_sample

    copy_sample(tmp_path / "demo")
    given = ["en-cs", "--source", "demo/source.txt", "demo/average.txt", "demo/literal.txt", "--cache", "c"]
    given += ["--source-parser", "conllu:demo/source.conllu", "--target-parser", "conllu:demo/{system}.conllu"]
    given += ["--aligner", "pharaoh:demo/{system}.links"]
    alone = assay("contrasts", "run", "--as-published", *given).stdout
    assert assay("contrasts", "run", "--as-published", *given, "--executor", f"dask:{cluster.address}").stdout == alone


def test_no_cluster_there(assay: Run, texts: Texts, tmp_path: Path) -> None:
    executor = ["--executor", "dask:tcp://127.0.0.1:1", "--wait", "0.2", "--cache", "c"]
    done = assay("contrasts", "show", texts.run[0], "1", *texts.run[1:], *executor, code=3)
    assert done.stderr.startswith("assay: tcp://127.0.0.1:1: no scheduler answers there; ")
