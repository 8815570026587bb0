"""Use cases of the linguist: why a verdict, what is left to judge, judgements back into the suite."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from assay.evaluation import queue
from assay.formats import load_suite, save_suite
from assay.formats.judgements import write_judged
from assay.formats.suites import format_of
from assay.formats.todo import read_todo, write_todo
from assay.model import BadOption, Judged, Suite, Task, UnknownName
from assay.rules import RuleJudge
from assay.rules.settle import settle
from assay.workbench.evaluating import Inputs, evaluate_files
from assay.workbench.working import ALONE, Workers


def explain_items(inputs: Inputs, items: Sequence[str], phenomenon: str | None) -> Iterator[list[Judged]]:
    """What the outputs of some items are worth, item by item."""
    suite, outputs = inputs.load()
    known = {name for _, name in suite.phenomena}
    if phenomenon is not None and phenomenon not in known:
        raise UnknownName("phenomenon", phenomenon, known)
    chosen = [suite.item(item_id) for item_id in items]
    chosen += [item for item in suite if item.phenomenon == phenomenon]
    if not chosen:
        raise BadOption("nothing to explain; name an item (--item ID) or a phenomenon (--phenomenon NAME)")
    judge = RuleJudge(chosen)
    for item in chosen:
        position = suite.positions[item.id]
        texts = [outputs.text(position, column) for column in range(len(outputs.systems))]
        yield [
            Judged(item, system, text, judge.judge(item, text))
            for system, text in zip(outputs.systems, texts, strict=True)
        ]


def write_warnings(
    inputs: Inputs,
    path: Path,
    *,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep_all: bool = False,
    workers: Workers = ALONE,
) -> list[Task]:
    """Write the unresolved texts for a linguist."""
    evaluation = evaluate_files(inputs, systems=systems, exclude=exclude, keep_all=keep_all, workers=workers)
    tasks = queue(evaluation.table)
    write_todo(tasks, path)
    return tasks


def judge_todo(suite_path: str, todo: Path, target: Path, *, by: str, lossy: bool, force: bool) -> tuple[int, int]:
    """Take a filled-in to-do file back: its judgements become exact rules of the suite at `target`.

    Returns how many there were, and how many of them replaced a contrary rule.
    """
    suite = load_suite(suite_path)
    today = date.today().isoformat()
    answers = [answer._replace(by=by, on=today) for answer in read_todo(todo, suite.positions)]
    if not answers:
        raise BadOption(f"{todo}: no line has a verdict; fill in pass or fail and try again")
    source = Path(suite.path)
    if format_of(source) == "native" and format_of(target) == "native":
        folder = source if source.is_dir() else source.parent
        return len(answers), write_judged(suite, folder, target, answers, force=force)
    settled = settle(suite, answers)
    judged = settled.suite if format_of(target) == "native" else _anonymous(settled.suite)
    save_suite(judged, target, lossy=lossy, force=force)
    return settled.added, settled.replaced


def _anonymous(suite: Suite) -> Suite:
    """Judgements as the DFKI format knows them: plain tokens, without who and when."""
    items = tuple(
        replace(item, rules=tuple(rule._replace(note="", by="", on="") for rule in item.rules)) for item in suite.items
    )
    return replace(suite, items=items)
