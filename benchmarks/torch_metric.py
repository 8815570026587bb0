"""A metric of torch, as examples/metric has it, on 10,000 segments: seconds on a device, and the same scores as on cpu.

    pip install torch
    python benchmarks/torch_metric.py                  cpu
    python benchmarks/torch_metric.py cuda             a GPU, beside cpu
    python benchmarks/torch_metric.py cuda:1 --segments 100000

The whole way is measured: `assay challenge score` with the plugin, which is loaded once, gets batches of like length,
and is not copied into other processes. Its model is made here, with random weights.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "metric"
WORDS = "the house lock castle is was jammed old new in of and not never green gate since frost has been"
CLOSE = 1e-4
"""By which scores on two devices may differ."""


def make_set(path: Path, segments: int) -> None:
    """Two translations a line, all of them distinct, some long and some short."""
    chance = random.Random(1)
    lines = ["id\tsource\treference\thyp-1\thyp-2\tcorrect\titem\tcategory\tphenomenon"]
    for number in range(segments // 2):
        texts = [" ".join(chance.choices(WORDS.split(), k=chance.randint(3, 60))) + f" {number}{side}" for side in "ab"]
        lines.append("\t".join([str(number), f"Quelle {number}", "reference", *texts, "1", str(number), "C", "P"]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def install(folder: Path) -> dict[str, str]:
    """The example as an installed package, without pip: its module, and what it is called."""
    import tomllib

    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    information = folder / f"charlm_metric-{project['version']}.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = project["entry-points"]["assay.metrics"]
    (information / "entry_points.txt").write_text(
        "[assay.metrics]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
    )
    (folder / "charlm_metric.py").write_bytes((EXAMPLE / "charlm_metric.py").read_bytes())
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))}


def make_model(path: Path, environment: dict[str, str]) -> None:
    code = (
        "import sys, torch, charlm_metric as c; torch.manual_seed(1); "
        "torch.save(c.CharacterModel(256).state_dict(), sys.argv[1])"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, env=environment)


def scored(folder: Path, device: str, environment: dict[str, str]) -> tuple[float, list[float]]:
    """(seconds, scores) of one run."""
    out = folder / device.replace(":", "-")
    metric = f"charlm:{folder / 'model.pt'},device={device}"
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "assay", "challenge", "score", folder / "set.tsv", "-m", metric, "-o", out],
        check=True,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    seconds = time.perf_counter() - begin
    lines = (out / "charlm.tsv").read_text(encoding="utf-8").splitlines()[2:]
    return seconds, [float(cell) for line in lines for cell in line.split("\t")[1:]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("device", nargs="?", default="cpu")
    parser.add_argument("--segments", type=int, default=10_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        environment = install(folder / "packages")
        make_set(folder / "set.tsv", chosen.segments)
        make_model(folder / "model.pt", environment)
        seconds, expected = scored(folder, "cpu", environment)
        print(f"cpu: {seconds:.1f} s for {len(expected):,} segments, loading included")
        if chosen.device == "cpu":
            return 0
        seconds, found = scored(folder, chosen.device, environment)
        apart = max(abs(one - other) for one, other in zip(expected, found, strict=True))
        print(f"{chosen.device}: {seconds:.1f} s; scores differ by {apart:.1e} at most")
        return int(apart > CLOSE)


if __name__ == "__main__":
    sys.exit(main())
