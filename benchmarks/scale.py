"""Many systems: memory of `assay evaluate`, and judging by one process, by two, and by two workers of Dask.

python benchmarks/scale.py                 all figures, on campaigns made from a seed
python benchmarks/scale.py make DIR N      only make a campaign of N systems
"""

import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure import Figure, once, show

ASSAY = Path(sys.executable).parent / "assay"

ITEMS, DISTINCT = 5500, 0.32
"""Items, and distinct texts of an item beside the number of systems."""

SYSTEMS = (100, 250, 500, 1000)
LONGEST = 1.5 * 1024
"""MB that the largest campaign may take."""

MORE_RULES = 8
"""Regular expressions that the judging job has beyond those of the suite, so that it lasts."""

WORKERS = 2


def scale(folder: Path) -> Iterator[Figure]:
    """All figures; campaigns are made by other processes, whose memory would count otherwise."""
    print(f"load {os.getloadavg()[0]:.1f}, {len(os.sched_getaffinity(0))} cores")
    print("systems  distinct texts    MB  seconds")
    megabytes = 0.0
    for systems in SYSTEMS:
        subprocess.run([sys.executable, __file__, "make", folder / str(systems), str(systems)], check=True)
        seconds, megabytes = once([ASSAY, "evaluate", *arguments(folder / str(systems))])
        print(f"{systems:7,}  {ITEMS * round(DISTINCT * systems):14,}  {megabytes:4.0f}  {seconds:7.1f}", flush=True)
    yield Figure(f"assay evaluate, {SYSTEMS[-1]:,} systems × {ITEMS:,} items, peak memory", megabytes, LONGEST, "MB")
    yield from speed(folder / str(SYSTEMS[-1]))


def arguments(folder: Path) -> list[str | Path]:
    return [folder / "items.de-en.json", "--source", folder / "source.de", *sorted(folder.glob("made.hyp.*.en"))]


def make(folder: Path, systems: int) -> None:
    """A campaign from a seed: words of chance, a third of the texts wrong, each text of an item by some systems."""
    folder.mkdir(parents=True)
    chance = random.Random(1)
    words = ["".join(chance.choices("aeioulnrstdkmgbäü", k=chance.randint(3, 9))) for _ in range(5000)]

    def sentence() -> str:
        return " ".join(chance.choices(words, k=chance.randint(8, 24))).capitalize() + "."

    items: list[dict[str, Any]] = []
    texts_of: list[list[str]] = []
    distinct = round(DISTINCT * systems)
    for number in range(ITEMS):
        right, right_too, wrong, wrong_too = chance.sample(words, 4)
        items.append(
            {
                "id": f"{number:08}",
                "langpair": "deen",
                "category": f"Category {number % 107 % 14}",
                "phenomenon": f"Phenomenon {number % 107}",
                "source_sentence": f"{sentence()} {number}",
                "positive_regex": rf"\b({right}|{right_too}(s|ed)?)\b",
                "negative_regex": rf"({wrong}|{wrong_too}) ?",
            }
        )
        texts = [f"{sentence()} {right if place % 3 else wrong}" for place in range(distinct)]
        texts_of.append(texts + chance.choices(texts, k=systems - distinct))
        chance.shuffle(texts_of[-1])
    for system in range(systems):
        lines = "".join(f"{texts[system]}\n" for texts in texts_of)
        (folder / f"made.hyp.S{system}.en").write_text(lines, encoding="utf-8")
    (folder / "items.de-en.json").write_text(json.dumps({"items": items}), encoding="utf-8")
    sources = "".join(f"{item['source_sentence']}\n" for item in items)
    (folder / "source.de").write_text(sources, encoding="utf-8")


def speed(folder: Path) -> Iterator[Figure]:
    """The same judging job by one process, two, and two workers of Dask; the findings are compared."""
    import assay
    from assay.engine import open_engine
    from assay.model import Rule
    from assay.rules import RuleJudge, judge_texts
    from assay.rules.blocks import BLOCK, judge_in_blocks

    gc.disable()  # as in the command
    suite = assay.load_suite(folder / "items.de-en.json")
    outputs = assay.load_outputs(suite, sorted(folder.glob("made.hyp.*.en")), source=folder / "source.de")
    more = tuple(Rule("fail", "regex", rf"\b(ab{place}|ba)\w* (no|mo{place})\b") for place in range(MORE_RULES))
    suite = replace(suite, items=tuple(replace(item, rules=item.rules + more) for item in suite.items))
    begin, before = time.perf_counter(), time.process_time()
    expected = judge_texts(suite, outputs, RuleJudge(suite))
    seconds = {"one process": time.perf_counter() - begin}
    own = {"judging": time.process_time() - before}

    def timed(name: str, engine: Any) -> None:
        begin, before = time.perf_counter(), time.process_time()
        found = judge_in_blocks(suite, outputs, engine)
        seconds[name] = time.perf_counter() - begin
        own[name] = time.process_time() - before
        if (found.verdicts != expected.verdicts).any() or found[::997] != expected[::997]:
            raise SystemExit(f"{name}: other findings")

    with open_engine("local", jobs=WORKERS) as engine:
        timed("local", engine)
    with cluster(folder) as address:
        begin = time.perf_counter()
        with open_engine(f"dask:{address}") as engine:
            print(f"connected and checked in {time.perf_counter() - begin:.1f} s")
            timed("dask", engine)
    each = 1000 * BLOCK / len(outputs.texts)
    print(f"judging {len(outputs.texts):,} texts, load {os.getloadavg()[0]:.1f}: ", end="")
    print(", ".join(f"{name} {took:.1f} s" for name, took in seconds.items()))
    print(f"a block of {BLOCK:,} texts, computing time of this process: ", end="")
    print(", ".join(f"{name} {each * took:.1f} ms" for name, took in own.items()))
    job = f"judging, {seconds['one process']:.0f} s"
    yield Figure(f"{job}: {WORKERS} processes / one, time", seconds["local"] / seconds["one process"], 1 / 1.6, "×")
    yield Figure(f"{job}: {WORKERS} Dask workers / processes, time", seconds["dask"] / seconds["local"], 1.25, "×")


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A scheduler and its workers, each a process of its own."""
    from distributed import Client

    with tempfile.TemporaryDirectory(dir=folder) as own:
        file = Path(own) / "scheduler.json"

        def start(program: str, *options: str) -> "subprocess.Popen[bytes]":
            command = [sys.executable, "-m", f"distributed.cli.{program}", "--host", "127.0.0.1", "--no-dashboard"]
            command += ["--scheduler-file", str(file), *options]
            return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        processes = [start("dask_scheduler", "--port", "0")]
        try:
            while not file.exists():
                time.sleep(0.05)
            options = ("--nthreads", "1", "--no-nanny", "--local-directory", own)
            processes += [start("dask_worker", *options) for _ in range(WORKERS)]
            address: str = json.loads(file.read_text())["address"]
            make_client: Any = Client
            with make_client(address, set_as_default=False) as client:
                client.wait_for_workers(WORKERS)
            yield address
        finally:
            for process in reversed(processes):
                process.kill()
                process.wait()


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            sys.exit(show(scale(Path(temporary))))
