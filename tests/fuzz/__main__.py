"""`make fuzz`: as many runs as are asked for; what is found is kept, with the command that repeats it."""

import shutil
import sys
import tempfile
import time
from pathlib import Path

import click

from tests.fuzz.doors import DOORS
from tests.fuzz.samples import make_samples
from tests.fuzz.worker import Worker, damage
from tests.suites.building import listing

FINDINGS = Path("fuzz-findings")


@click.command()
@click.option("--seed", default=1, show_default=True, help="Runs with the same seed and number are the same.")
@click.option("--runs", default=2000, show_default=True, help="How many.")
@click.option("--run", type=int, help="Only the run with this number.")
@click.option("--file", default="", help="Only those with a file that has this in its name.")
def main(seed: int, runs: int, run: int | None, file: str) -> None:
    """Damage files of every kind, and see whether the commands that read them keep their promises."""
    wanted = [run] if run is not None else [run for run in range(runs) if file in DOORS[run % len(DOORS)].file]
    found, start = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder) / "samples"
        samples.mkdir()
        make_samples(samples)
        with Worker(samples, Path(folder)) as worker:
            for number in wanted:
                problem = worker.try_run(seed, number)
                if problem:
                    found += 1
                    _keep(samples, seed, number, problem)
    click.echo(f"{len(wanted):,} runs in {time.monotonic() - start:.0f} s, {found:,} findings")
    sys.exit(1 if found else 0)


def _keep(samples: Path, seed: int, run: int, problem: str) -> None:
    """Keep the files of a run, and say how to repeat it."""
    kept = FINDINGS / f"{seed}-{run}"
    door, name, content = damage(listing(samples), seed, run)
    shutil.copytree(samples, kept, dirs_exist_ok=True)
    (kept / name).write_bytes(content)
    click.echo(f"run {run}, {name}: {problem}\n  again: python -m tests.fuzz --seed {seed} --run {run}")
    click.echo(f"  by hand: cd {kept} && assay {door.command}")


if __name__ == "__main__":
    main()
