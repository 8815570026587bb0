"""Exported suites in the programs that they are for: Inspect, lm-evaluation-harness, datasets; without a network."""

import json
import os
import subprocess
import sys
from math import isnan
from pathlib import Path
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


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("en-cs")


@pytest.fixture(scope="module")
def answers(suite: Suite) -> dict[str, str]:
    """What a made-up model says to each prompt: something right, something wrong, or something that no rule knows."""
    found = {}
    for number, item in enumerate(suite):
        texts = (*item.examples.passing[:1], *item.examples.failing[:1], "Nic.")
        found[item.source] = texts[number % len(texts)]
    return found


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


def test_inspect_scores_answers_as_the_rules_do(suite: Suite, answers: dict[str, str], tmp_path: Path) -> None:
    inspect = pytest.importorskip("inspect_ai")
    model = pytest.importorskip("inspect_ai.model")
    export_suite(suite, "inspect", tmp_path / "task")

    def answer(messages: list[Any], *_: object) -> Any:
        return model.ModelOutput.from_content("mockllm/model", said(answers, messages[-1].text))

    mock = model.get_model("mockllm/model", custom_outputs=answer)
    (log,) = inspect.eval(str(tmp_path / "task" / "task.py"), model=mock, log_dir=str(tmp_path / "logs"))
    assert log.status == "success", log.error
    verdict, warning = log.results.scores
    right, open_ = expected(suite, answers)
    assert verdict.metrics["accuracy"].value == pytest.approx(right)
    assert warning.metrics["mean"].value == pytest.approx(open_)
    assert verdict.unscored_samples == round(open_ * len(suite))
    for category in suite.taxonomy:
        right, open_ = expected(suite, answers, category)
        assert verdict.metrics[category].value == pytest.approx(right)
        assert warning.metrics[category].value == pytest.approx(open_)
    rows = {f"{category} / {phenomenon}" for category, phenomenon in suite.phenomena}
    assert rows <= set(warning.metrics)


def test_inspect_on_its_own_command_line(suite: Suite, tmp_path: Path) -> None:
    """The model says the same to everything, and no rule knows it."""
    pytest.importorskip("inspect_ai")
    export_suite(suite, "inspect", tmp_path / "task")
    subprocess.run(
        [
            program("inspect"),
            "eval",
            "task/task.py",
            "--model",
            "mockllm/model",
            "--limit",
            "5",
            "--log-format",
            "json",
        ],
        cwd=tmp_path,
        env={**os.environ, "INSPECT_LOG_DIR": str(tmp_path / "logs")},
        check=True,
    )
    (log,) = (tmp_path / "logs").glob("*.json")
    results = json.loads(log.read_text(encoding="utf-8"))["results"]
    assert (results["completed_samples"], results["scores"][0]["unscored_samples"]) == (5, 5)


# lm-evaluation-harness


def test_lm_eval_scores_answers_as_the_rules_do(suite: Suite, answers: dict[str, str], tmp_path: Path) -> None:
    lm_eval = pytest.importorskip("lm_eval")
    dummy = pytest.importorskip("lm_eval.models.dummy")
    export_suite(suite, "lm-eval", tmp_path / "task")
    asked = []

    class MadeUp(dummy.DummyLM):  # type: ignore[misc, name-defined]
        def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
            asked.extend(request.arguments[0] for request in requests)
            return [said(answers, request.arguments[0]) for request in requests]

    manager = lm_eval.tasks.TaskManager(include_path=str(tmp_path / "task"))
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
