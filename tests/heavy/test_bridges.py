"""What Assay writes for other programs, in those: Inspect, lm-evaluation-harness, datasets, Pearmut; all offline."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from math import isnan
from pathlib import Path
from random import Random
from typing import Any

import pytest

from assay.bridges import export_suite, read_rows
from assay.suites import Suite, load_suite
from assay.verdicts import RuleJudge, Verdict

OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "INSPECT_DISPLAY": "plain"}
SOURCE = "Translate the following text"


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {**OFFLINE, "HF_HOME": str(tmp_path / "cache")}.items():
        monkeypatch.setenv(name, value)
    # Inspect takes no absolute paths.
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("en-cs")


@pytest.fixture(scope="module")
def answers(suite: Suite) -> dict[str, str]:
    """What a made-up model says to each prompt: something right, something wrong, or something that no rule knows."""
    chance = Random(7)
    return {
        item.source: chance.choice((*item.examples.passing[:1], *item.examples.failing[:1], "Nic.")) for item in suite
    }


def said(answers: dict[str, str], prompt: str) -> str:
    assert prompt.startswith(SOURCE)
    return answers[prompt.split("\n\n", 1)[1]]


def expected(suite: Suite, answers: dict[str, str], category: str | None = None) -> tuple[float, float]:
    """Accuracy and share of warnings as the rules have it, over all items or those of a category."""
    judge = RuleJudge(suite)
    verdicts = [judge.judge(item, answers[item.source]).verdict for item in suite if category in (None, item.category)]
    decided = [verdict for verdict in verdicts if verdict != Verdict.WARNING]
    return sum(decided) / len(decided), verdicts.count(Verdict.WARNING) / len(verdicts)


def program(name: str) -> str:
    return str(Path(sys.executable).parent / name)


# Inspect


def run_inspect(folder: Path, answer: Callable[[str], str], **choices: Any) -> Any:
    """The log of Inspect's mock model, which says to each prompt what `answer` does."""
    inspect = pytest.importorskip("inspect_ai")
    model = pytest.importorskip("inspect_ai.model")

    def say(messages: list[Any], *_: object) -> Any:
        said = model.ModelOutput.from_content("mockllm/model", answer(messages[-1].text))
        # Otherwise Inspect counts tokens, with a file that it takes from the network.
        said.usage = model.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return said

    mock = model.get_model("mockllm/model", custom_outputs=say)
    (log,) = inspect.eval(f"{folder.name}/task.py", model=mock, log_dir=str(folder.parent / "logs"), **choices)
    assert log.status == "success", log.error
    return log


def test_inspect_scores_answers_as_the_rules_do(suite: Suite, answers: dict[str, str], tmp_path: Path) -> None:
    export_suite(suite, "inspect", tmp_path / "task")
    log = run_inspect(tmp_path / "task", lambda prompt: said(answers, prompt))
    assert (log.eval.task, log.eval.metadata) == ("assay-en-cs", {"suite": suite.exact_name})
    rows = read_rows(tmp_path / "task" / "items.jsonl")
    assert {sample.id: sample.input for sample in log.samples} == {row["id"]: row["input"] for row in rows}
    verdict, warning = log.results.scores
    right, open_ = expected(suite, answers)
    assert verdict.metrics["accuracy"].value == pytest.approx(right)
    assert warning.metrics["mean"].value == pytest.approx(open_)
    assert verdict.unscored_samples == round(open_ * len(suite))
    for category in suite.taxonomy:
        right, open_ = expected(suite, answers, category)
        assert verdict.metrics[category].value == pytest.approx(right)
        assert warning.metrics[category].value == pytest.approx(open_)
    assert {f"{category} / {phenomenon}" for category, phenomenon in suite.phenomena} <= set(warning.metrics)


def test_inspect_has_no_score_for_what_no_rule_decides(suite: Suite, tmp_path: Path) -> None:
    export_suite(suite, "inspect", tmp_path / "task")
    verdict, warning = run_inspect(tmp_path / "task", lambda _: "Nic.", limit=5).results.scores
    assert (verdict.scored_samples, verdict.unscored_samples) == (0, 5)
    assert isnan(verdict.metrics["accuracy"].value)
    assert warning.metrics["mean"].value == 1.0


# lm-evaluation-harness


def test_lm_eval_scores_answers_as_the_rules_do(suite: Suite, answers: dict[str, str], tmp_path: Path) -> None:
    lm_eval = pytest.importorskip("lm_eval")
    dummy = pytest.importorskip("lm_eval.models.dummy")
    export_suite(suite, "lm-eval", tmp_path / "task")
    asked: list[str] = []

    class MadeUp(dummy.DummyLM):  # type: ignore[misc, name-defined]
        def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
            asked.extend(request.arguments[0] for request in requests)
            return [said(answers, request.arguments[0]) for request in requests]

    manager = pytest.importorskip("lm_eval.tasks").TaskManager(include_path=str(tmp_path / "task"))
    results = lm_eval.simple_evaluate(MadeUp(), tasks=["assay_en_cs"], task_manager=manager)["results"]["assay_en_cs"]
    assert asked == [row["input"] for row in read_rows(tmp_path / "task" / "items.jsonl")]
    right, open_ = expected(suite, answers)
    assert results["accuracy,none"] == pytest.approx(right)
    assert results["warnings,none"] == pytest.approx(open_)
    for category in suite.taxonomy:
        right, open_ = expected(suite, answers, category)
        assert results[f"accuracy: {category},none"] == pytest.approx(right)
        assert results[f"warnings: {category},none"] == pytest.approx(open_)
    rows = {f"warnings: {category} / {phenomenon},none" for category, phenomenon in suite.phenomena}
    assert rows <= set(results)


def test_lm_eval_on_its_own_command_line(suite: Suite, tmp_path: Path) -> None:
    """The dummy says the same to everything, and no rule knows it."""
    pytest.importorskip("lm_eval")
    export_suite(suite, "lm-eval", tmp_path / "task")
    task = ["--include_path", "task", "--tasks", "assay_en_cs"]
    subprocess.run(
        [program("lm_eval"), *task, "--model", "dummy", "--limit", "5", "--output_path", "out"],
        cwd=tmp_path,
        check=True,
    )
    (file,) = (tmp_path / "out").rglob("results*.json")
    results = json.loads(file.read_text(encoding="utf-8"))["results"]["assay_en_cs"]
    assert results["warnings,none"] == 1.0
    assert isnan(results["accuracy,none"])


# Hugging Face


def test_datasets_reads_the_folder(suite: Suite, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    export_suite(suite, "hf", tmp_path / "dataset")
    found = datasets.load_dataset(str(tmp_path / "dataset"), split="test", cache_dir=str(tmp_path / "cache"))
    assert list(found) == read_rows(tmp_path / "dataset" / "data" / "test.jsonl")
    assert found.features["rules"].feature["polarity"].dtype == "string"


# Pearmut, which needs Python 3.12

ANNOTATOR = """
import json
from starlette.testclient import TestClient
from pearmut.app import app

client = TestClient(app)
someone = {"campaign_id": "round-1", "user_id": "anna"}
while (shown := client.post("/get-next-item", json=someone).json())["status"] == "ok":
    (segment,) = shown["payload"]
    answers = {name: {"score": None, "sliders": {"verdict": 2}, "error_spans": []} for name in segment["tgt"]}
    payload = {"annotation": [answers], "item": shown["payload"], "actions": [{"time": 1763300000, "action": "submit"}]}
    client.post("/log-response", json={**someone, "item_i": shown["info"]["item_i"], "payload": payload})
open("annotations.json", "wb").write(client.get("/download-annotations", params={"campaign_id": "round-1"}).content)
"""


def test_pearmut_takes_the_campaign_and_its_annotations_come_back(tmp_path: Path) -> None:
    pytest.importorskip("pearmut")

    def assay(*arguments: str) -> str:
        command = [sys.executable, "-m", "assay", *arguments]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    assay("demo")
    outputs = sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "assay-demo").glob("*.tsv"))
    done = assay("warnings", "de-en", *outputs, "-o", "round-1.json", "--annotators", "anna,ben")
    subprocess.run([program("pearmut"), "add", "round-1.json"], cwd=tmp_path, check=True)
    subprocess.run([sys.executable, "-c", ANNOTATOR], cwd=tmp_path, check=True, env=os.environ)
    judged = assay("judge", "de-en", "annotations.json", "-o", "judged")
    anna, _ = json.loads((tmp_path / "round-1.json").read_text(encoding="utf-8"))["data"]
    texts = sum(len(document[0]["tgt"]) for document in anna)
    assert done.startswith("round-1.json: 39 texts")
    assert judged == f"judged: {texts} judgements added\n"
