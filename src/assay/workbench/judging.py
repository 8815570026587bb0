"""Use cases of the linguist: why a verdict, what is left to judge, judgements back into the suite."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from assay.evaluation import queue
from assay.formats import load_suite, save_suite
from assay.formats.suites import format_of
from assay.formats.todo import read_todo, write_todo
from assay.model import BadOption, Judged, Suite, Task
from assay.rules import RuleJudge
from assay.rules.settle import Settled, settle
from assay.workbench.evaluating import Inputs, evaluate_files


def explain(inputs: Inputs, item_id: str) -> list[Judged]:
    """What one item's outputs are worth, and why."""
    suite, outputs = inputs.load()
    item = suite.item(item_id)
    position = suite.positions[item_id]
    judge = RuleJudge([item])
    return [
        Judged(item, system, text, judge.judge(item, text))
        for column, system in enumerate(outputs.systems)
        for text in [outputs.text(position, column)]
    ]


def write_warnings(inputs: Inputs, path: Path, *, systems: Sequence[str] = (), keep_all: bool = False) -> list[Task]:
    """Write the unresolved texts for a linguist."""
    tasks = queue(evaluate_files(inputs, systems=systems, keep_all=keep_all).table)
    write_todo(tasks, path)
    return tasks


def judge_todo(suite_path: str, todo: Path, target: Path, *, by: str, lossy: bool, force: bool) -> Settled:
    """Take a filled-in to-do file back: its judgements become exact rules of a new copy of the suite."""
    suite = load_suite(suite_path)
    today = date.today().isoformat()
    answers = [answer._replace(by=by, on=today) for answer in read_todo(todo, suite.positions)]
    if not answers:
        raise BadOption(f"{todo}: no line has a verdict; fill in pass or fail and try again")
    settled = settle(suite, answers)
    if format_of(target) != "native":
        settled = settled._replace(suite=_anonymous(settled.suite))
    save_suite(settled.suite, target, lossy=lossy, force=force)
    return settled


def _anonymous(suite: Suite) -> Suite:
    """Judgements as the DFKI format knows them: plain tokens, without who and when."""
    items = tuple(
        replace(item, rules=tuple(rule._replace(note="", by="", on="") for rule in item.rules)) for item in suite.items
    )
    return replace(suite, items=items)
