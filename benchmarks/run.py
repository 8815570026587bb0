"""`make bench`: speed and memory beside a plain baseline, with the limits that Assay sets itself."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import campaign
from challenge_scores import challenge_scores
from collecting import collecting
from estimate import estimate
from measure import Figure, ratio, show, side_by_side
from scale import scale
from suggestions import suggestions

from assay.outputs import copy_demo
from assay.suites import dfki, load_suite
from contrasts import contrasts
from workbench import workbench

HERE = Path(__file__).resolve().parent
ASSAY = Path(sys.executable).parent / "assay"


def evaluate(folder: Path) -> Iterator[Figure]:
    """The whole command beside the baseline, one copy of the systems and ten."""
    wmt = campaign.find(folder)
    print(f"{wmt.name}: {len(wmt.outputs)} systems")
    ten = [path for copy in range(10) for path in copies(wmt.outputs, folder, copy)]
    one = [ASSAY, "evaluate", wmt.suite, "--source", wmt.source]
    measured = side_by_side(
        {
            "bare": [sys.executable, HERE / "bare.py", "re", wmt.suite, wmt.source, *wmt.outputs],
            "one": [*one, *wmt.outputs],
            "ten": [*one, *ten],
        },
        runs=7,
    )
    yield Figure("assay evaluate / bare script, time", ratio(measured, "one", "bare"), 1.2, "×")
    yield Figure("ten copies of the systems / one, time", ratio(measured, "ten", "one"), 3, "×")
    yield Figure("assay evaluate, peak memory", measured["one"].megabytes, 250, "MB")
    yield Figure("ten copies of the systems, peak memory", measured["ten"].megabytes, 600, "MB")


def bundled(folder: Path) -> Iterator[Figure]:
    """A bundled suite on its own outputs beside the baseline, which reads the same as one items file."""
    suite = load_suite("de-en")
    items, source = folder / "items.json", folder / "source.txt"
    dfki.write(suite, items)
    source.write_text("".join(f"{item.source}\n" for item in suite.items), encoding="utf-8")
    outputs = copy_demo("de-en", folder / "demo").load()[1]
    lines = []
    for place, system in enumerate(outputs.systems):
        texts = [outputs.texts[code] if code >= 0 else "" for code in outputs.codes[:, place].tolist()]
        lines.append(folder / f"{system.name}.txt")
        lines[-1].write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    measured = side_by_side(
        {
            "bare": [sys.executable, HERE / "bare.py", "regex", items, source, *lines],
            "assay": [ASSAY, "evaluate", "de-en", *lines],
        },
        runs=7,
    )
    yield Figure("assay evaluate de-en / bare script, time", ratio(measured, "assay", "bare"), 1.6, "×")


def copies(outputs: list[Path], folder: Path, number: int) -> list[Path]:
    """Links to the outputs under other names."""
    made = []
    for path in outputs:
        head, _, tail = path.name.partition(".hyp.")
        name, _, language = tail.rpartition(".")
        link = folder / f"{head}.hyp.{name}-{number}.{language}"
        link.symlink_to(path)
        made.append(link)
    return made


def start(folder: Path) -> Iterator[Figure]:
    """How long it takes to say the version."""
    measured = side_by_side({"python": [sys.executable, "-c", "pass"], "version": [ASSAY, "--version"]}, runs=15)
    yield Figure("assay --version / python -c pass, time", ratio(measured, "version", "python"), 4, "×")


def native(folder: Path) -> Iterator[Figure]:
    """Loading a native suite of 5,000 items, beside Python's own start."""
    suite = folder / "native"
    for number in range(100):
        file = suite / f"category-{number % 14}" / f"phenomenon-{number}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        head = f"category: Category {number % 14}\nphenomenon: Phenomenon {number}\nitems:\n"
        file.write_text(head + "".join(ITEM.format(number=item) for item in range(50)), encoding="utf-8")
    categories = "".join(
        f"  Category {category}:\n" + "".join(f"    Phenomenon {n}: ''\n" for n in range(100) if n % 14 == category)
        for category in range(14)
    )
    (suite / "suite.yaml").write_text(f"name: big\nlangpair: de-en\ncategories:\n{categories}", encoding="utf-8")
    code = f"import gc; gc.set_threshold(100_000, 2, 2); import assay; assay.load_suite({str(suite)!r})"
    measured = side_by_side(
        {"python": [sys.executable, "-c", "import assay.suites.native"], "load": [sys.executable, "-c", code]}, runs=5
    )
    seconds = measured["load"].median - measured["python"].median
    yield Figure("loading a native suite of 5,000 items", seconds, 1, "s")


def every_suite(folder: Path) -> Iterator[Figure]:
    """Reading all bundled suites: processor time without imports, in processes that have read nothing before."""
    told = [
        subprocess.run([sys.executable, "-c", LOADING], stdout=subprocess.PIPE, text=True, check=True).stdout
        for _ in range(5)
    ]
    yield Figure("loading all bundled suites, processor time", statistics.median(map(float, told)), 0.6, "s")


LOADING = """
from time import process_time
from assay.suites import bundled, load_suite, native
from assay.verdicts.kinds import answer, plain, term
begin = process_time()
for name in bundled():
    load_suite(name)
print(process_time() - begin)
"""

DRAWS = 10_000


def bootstrap(folder: Path) -> Iterator[Figure]:
    """10,000 draws over all rows and averages, beside as many draws of the micro-average alone."""
    import numpy as np

    import assay
    from assay.evaluation.significance import significance

    wmt = campaign.find(folder)
    suite = assay.load_suite(wmt.suite)
    outputs = assay.load_outputs(suite, wmt.outputs, source=wmt.source)
    evaluation = assay.evaluate(suite, outputs, policy="strict", test="bootstrap", draws=DRAWS)
    correct = evaluation.sample.correct.astype(np.float64)
    chance = np.random.default_rng(1)
    ratios = []
    for _ in range(3):
        begin = time.perf_counter()
        for _ in range(DRAWS):
            correct[chance.integers(len(correct), size=len(correct))].mean(0)
        middle = time.perf_counter()
        significance(evaluation.sample, evaluation.settings)
        ratios.append((time.perf_counter() - middle) / (middle - begin))
    rows = len(evaluation.rows())
    what = f"bootstrap of {rows} rows, {correct.shape[1]} systems / loop for the micro-average, time"
    yield Figure(what, statistics.median(ratios), 3, "×")


def report(folder: Path) -> Iterator[Figure]:
    """The whole appendix."""
    wmt = campaign.find(folder)
    command = [ASSAY, "report", wmt.suite, "--source", wmt.source, *wmt.outputs, "--force", "-o", folder / "report"]
    measured = side_by_side({"report": command}, runs=2)["report"]
    yield Figure("assay report, time", measured.median, 60, "s")
    yield Figure("assay report, peak memory", measured.megabytes, 500, "MB")


def challenge(folder: Path) -> Iterator[Figure]:
    """Building 10,000 challenge items beside the plain evaluation of the same files."""
    wmt = campaign.find(folder)
    given = [wmt.suite, "--source", wmt.source, *wmt.outputs]
    build = [ASSAY, "challenge", "build", *given, "--total", "10000", "-o", folder / "set.tsv"]
    measured = side_by_side({"evaluate": [ASSAY, "evaluate", *given], "build": build}, runs=7)
    yield Figure("assay challenge build / assay evaluate, time", ratio(measured, "build", "evaluate"), 2, "×")


ITEM = r"""
  - id: lock-{number}
    source: Der Riegel am Gartentor Nummer {number} klemmt seit dem Frost.
    tests: Riegel is the bolt of a gate, not a bar of chocolate.
    pass:
      - '\b(bolt|latch)\b'
      - {{regex: '\bgate (bolt|latch)', flags: i}}
    fail:
      - '\b(chocolate|bar|crossbar)\b'
      - {{contains: "Riegel", note: left untranslated}}
    examples:
      pass:
        - The bolt on garden gate {number} has been stuck since the frost.
        - The latch of garden gate number {number} has been jammed since the frost.
      fail:
        - The bar on garden gate {number} has been stuck since the frost.
    tags: [noun]
"""


def main() -> None:
    figures = []
    for bench in (
        start,
        evaluate,
        bundled,
        native,
        every_suite,
        bootstrap,
        report,
        challenge,
        challenge_scores,
        collecting,
        contrasts,
        workbench,
        scale,
        estimate,
        suggestions,
    ):
        with tempfile.TemporaryDirectory() as folder:
            figures += list(bench(Path(folder)))
    sys.exit(show(figures))


if __name__ == "__main__":
    main()
