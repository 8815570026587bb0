"""`assay challenge …` as users run it."""

import csv
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.parallel.clusters import wait_until
from tests.starter import OUTPUTS, STARTER

NUMBERS = """
import sys
for line in sys.stdin:
    source, hypothesis, reference = line.rstrip("\\n").split("\\t")
    print(-abs(len(hypothesis) - len(reference)))
"""


@pytest.fixture
def demo(tmp_path: Path) -> list[Path]:
    """The outputs of three made-up systems."""
    folder = tmp_path / "assay-demo"
    folder.mkdir()
    return [Path(shutil.copy(file, folder)) for file in OUTPUTS]


@pytest.fixture(scope="module")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "set.tsv"
    command = [sys.executable, "-m", "assay", "challenge", "build", STARTER]
    subprocess.run([*command, *OUTPUTS, "-o", path], check=True, stdout=subprocess.DEVNULL)
    return path


@pytest.fixture
def built(built_once: Path, tmp_path: Path) -> Path:
    """The set that these outputs give."""
    return Path(shutil.copy(built_once, tmp_path / "set.tsv"))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, dialect="excel-tab"))


class TestBuild:
    def test_what_is_used_and_what_is_not(self, assay: Run, demo: list[Path]) -> None:
        printed = assay("challenge", "build", STARTER, *demo, "-o", "set.tsv").stdout
        assert "24 challenge items of 24 items" in printed
        assert "34 without an incorrect output" in printed
        assert "the correct one is closer in" in printed

    def test_the_reference_and_both_translations_are_three_texts(self, built: Path) -> None:
        for row in rows(built):
            assert len({row["reference"], row["hyp-1"], row["hyp-2"]}) == 3
            assert row["correct"] == "1"

    def test_outputs_can_be_judged_by_several_processes(self, assay: Run, demo: list[Path], built: Path) -> None:
        assay("challenge", "build", STARTER, *demo, "--jobs", "2", "-o", "again.tsv")
        assert (built.parent / "again.tsv").read_bytes() == built.read_bytes()

    def test_a_blind_set_tells_nothing_and_its_key_tells_all(
        self, assay: Run, demo: list[Path], tmp_path: Path
    ) -> None:
        assay("challenge", "build", STARTER, *demo, "-o", "blind.tsv", "--blind", "--key", "key.tsv")
        blind, key = rows(tmp_path / "blind.tsv"), rows(tmp_path / "key.tsv")
        assert set(blind[0]) == {"id", "source", "reference", "hyp-1", "hyp-2", "set", "langpair", "signature"}
        assert {row["signature"] for row in blind} == {""}
        assert [row["id"] for row in blind] == [row["id"] for row in key]
        assert {row["correct"] for row in key} == {"1", "2"}

    def test_the_same_pairs_with_other_references(
        self, assay: Run, demo: list[Path], built: Path, tmp_path: Path
    ) -> None:
        more = tmp_path / "more.tsv"  # correct in other words, so that items have a third correct output
        more.write_text(re.sub(r"\tThe (.*)", r"\tWell, the \1", demo[1].read_text("utf-8")), encoding="utf-8")
        printed = assay(
            "challenge", "build", STARTER, *demo, more, "--pairs-of", built, "--seed", "2", "-o", "other.tsv"
        ).stdout
        assert "another reference for" in printed
        pairs = [[(row["hyp-1"], row["hyp-2"]) for row in rows(path)] for path in (built, tmp_path / "other.tsv")]
        assert pairs[0] == pairs[1]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--blind"], "--key"),
            (["--key", "key.tsv"], "--blind"),
            (["--closeness", "0.5"], "LOW:HIGH"),
            (["--closeness", "0.9999:1"], "no item gives a challenge item"),
            (["--pairs-of", "set.tsv", "--total", "5"], "--pairs-of"),
        ],
    )
    def test_options_that_do_not_fit(
        self, assay: Run, demo: list[Path], tmp_path: Path, options: list[str], message: str
    ) -> None:
        done = assay("challenge", "build", STARTER, *demo, "-o", "new.tsv", *options, code=2)
        assert message in done.stderr
        assert not (tmp_path / "new.tsv").exists()

    def test_the_key_of_an_older_set_is_not_lost(self, assay: Run, demo: list[Path], tmp_path: Path) -> None:
        command = ["challenge", "build", STARTER, *demo, "-o", "tree", "-f", "mt-metrics-eval", "--blind"]
        assay(*command, "--key", "key.tsv")
        before = (tmp_path / "key.tsv").read_bytes()
        assert "key.tsv: is there already" in assay(*command, "--key", "key.tsv", code=2).stderr
        assert "tree: the folder is not empty" in assay(*command, "--key", "new.tsv", code=2).stderr
        assert (tmp_path / "key.tsv").read_bytes() == before
        assert not (tmp_path / "new.tsv").exists()

    def test_a_total_that_cannot_be_had(self, assay: Run, demo: list[Path]) -> None:
        printed = assay("challenge", "build", STARTER, *demo, "--total", "100000", "-o", "set.tsv").stdout
        assert "fewer than the 100,000 asked for" in printed

    def test_a_set_on_standard_output_is_alone_there(self, assay: Run, demo: list[Path], tmp_path: Path) -> None:
        done = assay("challenge", "build", STARTER, *demo, "-f", "tsv", "-o", "-")
        assert {line.count("\t") for line in done.stdout.splitlines()} == {done.stdout.split("\n")[0].count("\t")}
        assert "24 challenge items" in done.stderr

    def test_it_does_not_write_over_what_it_reads(self, assay: Run, demo: list[Path]) -> None:
        assay("challenge", "build", STARTER, *demo, "-o", demo[0], code=2)


class TestThereAndBack:
    @pytest.mark.parametrize(
        ("kind", "target"), [("aces", "a.tsv"), ("wmt25", "w"), ("mt-metrics-eval", "tree"), ("jsonl", "j.jsonl")]
    )
    def test_through_another_format(self, assay: Run, built: Path, tmp_path: Path, kind: str, target: str) -> None:
        assay("challenge", "convert", built, "-f", kind, "-o", target)
        assay("challenge", "convert", tmp_path / target, "-o", "back.tsv")
        kept = ("source", "reference", "hyp-1", "hyp-2", "correct", "category", "phenomenon", "item")
        assert [[row[name] for name in kept] for row in rows(tmp_path / "back.tsv")] == [
            [row[name] for name in kept] for row in rows(built)
        ]


class TestScoreAndReport:
    def test_the_whole_way(self, assay: Run, built: Path, tmp_path: Path) -> None:
        assay("challenge", "score", built, "-m", "BLEU", "-m", "chrF", "-m", "TER", "-o", "scores")
        assay("challenge", "report", built, "scores", "-o", "report.json")
        report = json.loads((tmp_path / "report.json").read_text("utf-8"))
        assert sorted(report["columns"]) == ["BLEU", "TER", "chrF"]
        micro = next(row for row in report["rows"] if row["level"] == "micro")
        for cell in micro["cells"]:
            scores = rows_of_scores(tmp_path / "scores" / f"{cell['metric']}.tsv")
            better = [(a < b) if cell["metric"] == "TER" else (a > b) for a, b in scores]
            assert (cell["correct"], cell["total"]) == (sum(better), 24)
            assert cell["ties"] == sum(a == b for a, b in scores)

    def test_a_blind_set_is_reported_with_its_key(self, assay: Run, demo: list[Path], tmp_path: Path) -> None:
        assay("challenge", "build", STARTER, *demo, "-o", "blind.tsv", "--blind", "--key", "key.tsv")
        assay("challenge", "score", "blind.tsv", "-m", "chrF", "-o", "scores")
        assay("challenge", "report", "blind.tsv", "scores", "--key", "key.tsv", "-o", "report.json")
        report = json.loads((tmp_path / "report.json").read_text("utf-8"))
        right = [key["correct"] for key in rows(tmp_path / "key.tsv")]
        scores = rows_of_scores(tmp_path / "scores" / "chrF.tsv")
        expected = sum((a > b) if label == "1" else (b > a) for label, (a, b) in zip(right, scores, strict=True))
        assert next(row for row in report["rows"] if row["level"] == "micro")["cells"][0]["correct"] == expected
        assert "--key FILE" in assay("challenge", "report", "blind.tsv", "scores", code=2).stderr

    def test_a_command_as_a_metric(self, assay: Run, built: Path, tmp_path: Path) -> None:
        (tmp_path / "mine.py").write_text(NUMBERS)
        spec = f"mine=cmd:{sys.executable} mine.py"
        assay("challenge", "score", built, "-m", spec, "--group", "mine=baseline", "-o", "scores")
        assert "mine" in assay("challenge", "report", built, "scores").stdout

    def test_what_is_kept_from_an_earlier_run_is_said(self, assay: Run, built: Path) -> None:
        command = ["challenge", "score", built, "-m", "length", "-o", "scores"]
        assert "kept" not in assay(*command).stdout
        assert "all scores kept from an earlier run; --again scores anew" in assay(*command).stdout
        assert "kept" not in assay(*command, "--again").stdout

    def test_a_command_that_dies(self, assay: Run, built: Path, tmp_path: Path) -> None:
        (tmp_path / "bad.py").write_text("import sys; sys.exit('out of memory')")
        done = assay("challenge", "score", built, "-m", f"bad=cmd:{sys.executable} bad.py", "-o", "scores", code=2)
        assert "out of memory" in done.stderr

    def test_ready_scores_of_a_participant(self, assay: Run, built: Path, tmp_path: Path) -> None:
        (tmp_path / "theirs.txt").write_text("\n".join(["0.9\t0.1"] * 23 + ["NaN\t0.5"]) + "\n")
        printed = assay("challenge", "report", built, "theirs=theirs.txt", "--group", "theirs=qe").stdout
        assert "95.8" in printed  # 23 of 24; the one without a score is neither right nor a tie
        turned = assay("challenge", "report", built, "theirs=theirs.txt", "--lower-is-better", "theirs", "-f", "json")
        assert json.loads(turned.stdout)["rows"][-3]["cells"][0]["correct"] == 0

    def test_too_few_scores(self, assay: Run, built: Path, tmp_path: Path) -> None:
        (tmp_path / "few.txt").write_text("0.9\t0.1\n" * 5)
        done = assay("challenge", "report", built, "few.txt", code=2)
        assert "24" in done.stderr

    def test_scores_of_another_set(self, assay: Run, demo: list[Path], built: Path) -> None:
        assay("challenge", "score", built, "-m", "length", "-o", "scores")
        assay("challenge", "build", STARTER, *demo, "-o", "other.tsv", "--seed", "5")
        assert "scores" in assay("challenge", "report", "other.tsv", "scores", code=2).stderr

    def test_unknown_names(self, assay: Run, built: Path) -> None:
        assert "BLEU" in assay("challenge", "score", built, "-m", "BLUE", "-o", "scores", code=2).stderr
        assay("challenge", "score", built, "-m", "BLEU", "-o", "scores")
        assert "BLEU" in assay("challenge", "report", built, "scores", "--lower-is-better", "BLUE", code=2).stderr

    def test_a_checkpoint_that_is_not_there(self, assay: Run, built: Path) -> None:
        assert (
            "nowhere.ckpt" in assay("challenge", "score", built, "-m", "COMET:nowhere.ckpt", "-o", "s", code=2).stderr
        )

    def test_reports_in_every_format(self, assay: Run, built: Path, tmp_path: Path) -> None:
        assay("challenge", "score", built, "-m", "BLEU", "-m", "chrF", "-o", "scores")
        for suffix in ("txt", "md", "tex", "csv", "html", "xlsx"):
            assay("challenge", "report", built, "scores", "-o", f"report.{suffix}")
            assert (tmp_path / f"report.{suffix}").stat().st_size > 1000

    def test_what_every_metric_gets_wrong(self, assay: Run, built: Path) -> None:
        assay("challenge", "score", built, "-m", "BLEU", "-m", "chrF", "-o", "scores")
        printed = assay("challenge", "report", built, "scores", "--lost", "1").stdout
        assert "✓" in printed
        assert "✗" in printed
        data = assay("challenge", "report", built, "scores", "--lost", "1", "-f", "json", "--figures", "figures")
        assert json.loads(data.stdout)["columns"]
        assert "✓" in data.stderr
        assert "figures/" in data.stderr

    def test_the_spread_over_draws(self, assay: Run, demo: list[Path]) -> None:
        for seed in ("1", "2"):
            assay("challenge", "build", STARTER, *demo, "--seed", seed, "-o", f"{seed}.tsv")
            assay("challenge", "score", f"{seed}.tsv", "-m", "BLEU", "-o", f"scores-{seed}")
            assay("challenge", "report", f"{seed}.tsv", f"scores-{seed}", "-o", f"{seed}.json")
        assert "BLEU" in assay("challenge", "spread", "1.json", "2.json").stdout
        lines = assay("challenge", "spread", "1.json", "2.json", "-f", "csv").stdout.splitlines()
        assert lines[0] == "level,category,phenomenon,draws,metric,mean,low,high,deviation"
        assert "1.json" in assay("challenge", "spread", "1.json", "2.json", "-f", "csv", "-o", "1.json", code=2).stderr

    def test_figures(self, assay: Run, built: Path, tmp_path: Path) -> None:
        assay("challenge", "score", built, "-m", "BLEU", "-m", "chrF", "-o", "scores")
        assay("challenge", "report", built, "scores", "-o", "other.json")
        assay("challenge", "report", built, "scores", "--figures", "figures", "--beside", "other.json")
        assert {path.suffix for path in (tmp_path / "figures").iterdir()} == {".svg", ".png", ".pdf"}


def rows_of_scores(path: Path) -> list[tuple[float, float]]:
    lines = path.read_text("utf-8").splitlines()[2:]
    return [(float(first), float(second)) for _, first, second in (line.split("\t") for line in lines)]


def test_killed_in_the_middle_and_run_again(assay: Run, built: Path, tmp_path: Path) -> None:
    """What was scored before is kept, and scored no second time."""
    (tmp_path / "slow.py").write_text(
        "import sys, time\n"
        "for line in sys.stdin:\n"
        "    open('asked.txt', 'a').write(line)\n"
        "    time.sleep(0.006)\n"
        "    print(len(line), flush=True)\n"
    )
    command = [sys.executable, "-m", "assay", "challenge", "score", "set.tsv", "-o", "scores"]
    command += ["-m", f"slow=cmd:{sys.executable} slow.py"]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    scores = tmp_path / "scores" / "slow.tsv"
    while running.poll() is None and (not scores.exists() or scores.read_bytes().count(b"\n") < 3):
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    kept = scores.read_text("utf-8").splitlines()
    assay("challenge", "score", built, "-m", command[-1], "-o", "scores")
    assert scores.read_text("utf-8").splitlines()[: len(kept) - 1] == kept[:-1]
    assert len(rows_of_scores(scores)) == 24


def test_a_command_ends_with_the_run_that_started_it(built: Path, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import os, pathlib, time\n"
        "print('1\\n2\\n3', flush=True)\n"
        "pathlib.Path('new').write_text(str(os.getpid()))\n"
        "os.rename('new', 'started')\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-m", "assay", "challenge", "score", "set.tsv", "-o", "scores"]
    running = subprocess.Popen([*command, "-m", f"slow=cmd:{sys.executable} slow.py"], cwd=tmp_path)
    while running.poll() is None and not (tmp_path / "started").exists():
        time.sleep(0.01)
    running.send_signal(signal.SIGTERM)
    assert running.wait() == 128 + signal.SIGTERM
    child = int((tmp_path / "started").read_text())
    # Killed, but it is the system that buries it, and a busy one takes its time.
    wait_until(lambda: is_gone(child))


def is_gone(process: int) -> bool:
    """Whether it has ended; whether anybody has buried it, or another has its number by now, does not matter."""
    try:
        return b"slow.py" not in Path(f"/proc/{process}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return True
