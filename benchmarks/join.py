"""Finding and joining the outputs of a campaign of WMT24's size, beside a bare script that reads the same files.

python benchmarks/join.py

Files are made from a seed, in the layout of WMT24: 44,056 lines, 26 systems, a suite of 5,500 items, some of whose
sources stand in the news as well; as in 2024, hardly any text is that of another system. Times are processor times of
reading and joining alone, without starting Python; memory is that of the whole process.
"""

import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure import Figure, show

LINES, SYSTEMS, ITEMS, SHARED, RUNS = 44_056, 26, 5_500, 200, 7
CANARY = "CANARY GUID 26b5c67b"


def make(folder: Path) -> None:
    chance = random.Random(1)
    words = ["".join(chance.choices("aeioulnrstdkmgbčšžěáí", k=chance.randint(3, 9))) for _ in range(5000)]

    def sentence() -> str:
        return " ".join(chance.choices(words, k=chance.randint(8, 24))).capitalize() + "."

    sources = [sentence() for _ in range(LINES)]
    first = LINES - ITEMS
    for number in range(SHARED):
        sources[number] = sources[first + number]
    documents = [f"test-en-news_{number // 10}" for number in range(first)]
    documents += [f"tsuite_en-cs_made_tsuite_en-cs_made_{number:04}" for number in range(ITEMS)]
    items = [
        {
            "id": f"{number:08}",
            "langpair": "encs",
            "category": "C",
            "phenomenon": f"P {number % 100}",
            "source_sentence": sources[first + number],
            "positive_regex": words[number % 5000],
            "negative_regex": "",
            "positive_tokens": [],
            "negative_tokens": [],
        }
        for number in range(ITEMS)
    ]
    (folder / "items.en-cs.json").write_text(json.dumps({"items": items}), encoding="utf-8")
    for name in ("sources", "metadata", "system-outputs/en-cs"):
        (folder / "wmt24" / name).mkdir(parents=True)
    write(folder / "wmt24" / "sources" / "en-cs.txt", [CANARY, *sources])
    records = [json.dumps({"domain": None, "docid": name}) for name in ["canary", *documents]]
    write(folder / "wmt24" / "metadata" / "en-cs.jsonl", records)
    for system in range(SYSTEMS):
        texts = [sentence() for _ in range(1000)]
        lines = [f"{texts[(number * 7 + system) % 1000]} {number}" for number in range(LINES)]
        write(folder / "wmt24" / "system-outputs" / "en-cs" / f"System-{system}.txt", [CANARY, *lines])


def write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="\n") as stream:
        return stream.read().split("\n")


def bare(folder: Path) -> float:
    """Read everything, look each source up, pick the lines: no check of anything, no folder to find out about."""
    with (folder / "items.en-cs.json").open(encoding="utf-8") as stream:
        items = json.load(stream)["items"]
    start = time.process_time()
    where: dict[str, int] = {}
    for number, line in enumerate(read(folder / "wmt24" / "sources" / "en-cs.txt")):
        where[line.strip()] = number
    places = [where[item["source_sentence"].strip()] for item in items]
    outputs = {}
    for path in sorted((folder / "wmt24" / "system-outputs" / "en-cs").glob("*.txt")):
        lines = read(path)
        outputs[path.stem] = [lines[place] for place in places]
    return time.process_time() - start


def assay(folder: Path) -> float:
    from dataclasses import replace

    from assay import load_outputs, load_suite
    from assay.outputs import campaign_folder  # noqa: F401 (imports are not measured)

    suite = replace(load_suite(folder / "items.en-cs.json"), equal_sources="error")
    start = time.process_time()
    outputs = load_outputs(suite, folder / "wmt24")
    seconds = time.process_time() - start
    assert outputs.codes.shape == (ITEMS, SYSTEMS)
    assert (outputs.codes >= 0).all()
    return seconds


def measured(way: str, folder: Path) -> tuple[float, float]:
    told = subprocess.run(
        [sys.executable, __file__, way, str(folder)], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split()
    return float(told[0]), float(told[1])


def main() -> int:
    if len(sys.argv) > 1:
        seconds = {"bare": bare, "assay": assay}[sys.argv[1]](Path(sys.argv[2]))
        print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        make(folder)
        # In turn, so that a slow moment of the machine hits both.
        runs = [(measured("bare", folder), measured("assay", folder)) for _ in range(RUNS)]
    plain, ours = ([pair[way] for pair in runs] for way in (0, 1))
    medians = {name: statistics.median(one for one, _ in found) for name, found in (("bare", plain), ("assay", ours))}
    print(
        f"{LINES:,} lines × {SYSTEMS} systems, {ITEMS:,} items: "
        f"bare {medians['bare']:.2f} s, assay {medians['assay']:.2f} s"
    )
    return show(
        [
            Figure("join beside a bare script", medians["assay"] / medians["bare"], 1.5, "×"),
            Figure("peak memory", max(memory for _, memory in ours), 600, "MB"),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
