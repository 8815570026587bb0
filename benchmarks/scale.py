"""Many systems: memory of `assay evaluate`, and judging by one process, by two, and by two workers of Dask.

python benchmarks/scale.py                 all figures, on campaigns made from a seed; `make bench` has them too
python benchmarks/scale.py draw FILE.svg   memory only, and a picture of it
python benchmarks/scale.py make DIR N      only make a campaign of N systems
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure import Figure, once, show

ASSAY = Path(sys.executable).parent / "assay"

ITEMS, DISTINCT = 5500, 0.32
"""Items, and distinct texts of an item beside the number of systems."""

SYSTEMS = (100, 250, 500, 1000)
JUDGED = 500
"""Systems of the judging job."""

MOST = 1.5 * 1024
"""MB that the largest campaign may take."""

FLAT = 3.0
"""How many times the memory of the smallest campaign the largest may take, which has ten times its outputs."""

MORE_RULES = 8
"""Regular expressions that the judging job has beyond those of the suite, so that it lasts."""

WORKERS = 2


class Peak(NamedTuple):
    """What one campaign took; sizes in MB."""

    systems: int
    outputs: float
    memory: float
    seconds: float


def scale(folder: Path) -> Iterator[Figure]:
    """All figures; campaigns are made by other processes, whose memory would count otherwise."""
    peaks = memory(folder)
    last = peaks[-1]
    what = f"assay evaluate, {last.systems:,} systems × {ITEMS:,} items, peak memory"
    yield Figure(what, last.memory, MOST, "MB")
    yield Figure(f"{what} / {peaks[0].systems} systems", last.memory / peaks[0].memory, FLAT, "×")
    yield from speed(folder / str(JUDGED))


def memory(folder: Path) -> list[Peak]:
    print("systems  distinct texts  outputs, MB  peak memory, MB  seconds")
    found = []
    for systems in SYSTEMS:
        subprocess.run([sys.executable, __file__, "make", folder / str(systems), str(systems)], check=True)
        outputs = sum(path.stat().st_size for path in (folder / str(systems)).glob("made.hyp.*.en"))
        seconds, megabytes = once([ASSAY, "evaluate", *arguments(folder / str(systems))])
        found.append(Peak(systems, outputs / 1024**2, megabytes, seconds))
        texts = ITEMS * round(DISTINCT * systems)
        print(f"{systems:7,}  {texts:14,}  {outputs / 1024**2:11.0f}  {megabytes:15.0f}  {seconds:7.1f}", flush=True)
    return found


def picture(peaks: Sequence[Peak]) -> bytes:
    """Memory beside the size of the outputs, by the number of systems."""
    from assay.reports.figures.figure import Figure as Picture
    from assay.reports.figures.figure import render
    from assay.reports.figures.look import PALETTE, document

    names = ("outputs", "peak memory")
    values = [
        {"systems": peak.systems, "size": size, "what": what}
        for peak in peaks
        for what, size in zip(names, (peak.outputs, peak.memory), strict=True)
    ]
    colour = {"field": "what", "scale": {"domain": names, "range": PALETTE[:2]}, "legend": None}
    across = {"field": "systems", "type": "quantitative", "title": "systems", "axis": {"values": list(SYSTEMS)}}
    up = {"field": "size", "type": "quantitative", "title": "MB"}
    ends = [value for value in values if value["systems"] == peaks[-1].systems]
    spec = {
        "width": 480,
        "height": 240,
        "layer": [
            {
                "data": {"values": values},
                "mark": {"type": "line", "point": True},
                "encoding": {"x": across, "y": up, "color": colour},
            },
            {
                "data": {"values": ends},
                "mark": {"type": "text", "align": "left", "dx": 8},
                "encoding": {"x": across, "y": up, "color": colour, "text": {"field": "what"}},
            },
        ],
    }
    return render(Picture("memory", "Memory", "", document(spec, "Memory by the number of systems")), "svg")


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
    from assay.parallel import open_executor
    from assay.suites import Rule
    from assay.verdicts import judge_texts
    from assay.verdicts.blocks import BLOCK

    suite = assay.load_suite(folder / "items.de-en.json")
    outputs = assay.load_outputs(suite, sorted(folder.glob("made.hyp.*.en")), source=folder / "source.de")
    more = tuple(Rule("fail", "regex", rf"\b(ab{place}|ba)\w* (no|mo{place})\b") for place in range(MORE_RULES))
    suite = replace(suite, items=tuple(replace(item, rules=item.rules + more) for item in suite.items))
    begin, before = time.perf_counter(), time.process_time()
    expected = judge_texts(suite, outputs)
    seconds = {"one process": time.perf_counter() - begin}
    own = {"judging": time.process_time() - before}

    def timed(name: str, executor: Any) -> None:
        begin, before = time.perf_counter(), time.process_time()
        found = judge_texts(suite, outputs, executor)
        seconds[name] = time.perf_counter() - begin
        own[name] = time.process_time() - before
        if (found.verdicts != expected.verdicts).any() or found[::997] != expected[::997]:
            raise SystemExit(f"{name}: other findings")

    with open_executor("local", jobs=WORKERS) as executor:
        timed("local", executor)
    with cluster(folder) as address:
        begin = time.perf_counter()
        with open_executor(f"dask:{address}") as executor:
            print(f"connected and checked in {time.perf_counter() - begin:.1f} s")
            timed("dask", executor)
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
            if sys.argv[1:2] == ["draw"]:
                Path(sys.argv[2]).write_bytes(picture(memory(Path(temporary))))
            else:
                sys.exit(show(scale(Path(temporary))))
