"""Reports that are read back: complete, or refused with the place of what is wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.challenge.files.reports import read_report
from assay.errors import BadFile
from assay.reports.data import result_json
from tests.challenge.measured import scored

EVALUATION = scored({"A/x": {"chrF": "+++--", "BLEU": "+-+--"}})


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(result_json(EVALUATION, "both"), encoding="utf-8")
    assert read_report(file) == json.loads(result_json(EVALUATION, "both"))


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda report: report.pop("columns"), "the report has no 'columns'"),
        (lambda report: report["set"].pop("langpair"), "'set' has no 'langpair'"),
        (lambda report: report["rows"][1].pop("cells"), "'rows' 2 has no 'cells'"),
        (lambda report: report["rows"][0]["cells"][1].pop("accuracy"), "'cells' of 'rows' 1 2 has no 'accuracy'"),
        (lambda report: report["metrics"][0].update(group="best"), "'group' of 'metrics' 1 is \"best\""),
        (lambda report: report["rows"][0].update(count="many"), "'count' of 'rows' 1 is \"many\""),
        (lambda report: report["rows"][0].update(count=True), "'count' of 'rows' 1 is true"),
        (lambda report: report["rows"][0].update(count=10**400), "'count' of 'rows' 1 is 10{39}…"),
        (lambda report: report["rows"][0]["cells"][0].update(accuracy=float("inf")), "'accuracy' of .* is Infinity"),
        (lambda report: report["rows"].append(7), r"'rows' \d is 7"),
        (lambda report: report["columns"].append("TER"), "its columns are not its metrics"),
    ],
)
def test_a_damaged_report_is_refused(tmp_path: Path, damage: Callable[[Any], object], problem: str) -> None:
    report = json.loads(result_json(EVALUATION, "both"))
    damage(report)
    file = tmp_path / "report.json"
    file.write_text(json.dumps(report), encoding="utf-8")
    with pytest.raises(BadFile, match=rf"report\.json: not a report of a challenge set: {problem}; make it anew"):
        read_report(file)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[1]", "report.json: not a report of a challenge set: the report is \\[1\\]; make it"),
        ("{\n,}", "report.json:2: not JSON"),
        ("[" * 100_000, "report.json: not a report"),
        ("9" * 5_000, "report.json: not a report"),
    ],
)
def test_what_is_no_report_is_named(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "report.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=problem):
        read_report(tmp_path / "report.json")
