"""Use cases: evaluate files and write what came out.

Comparisons and campaigns are imported where they are asked for: most commands only evaluate.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from assay.errors import BadFile, BadOption, UnknownName
from assay.evaluation.evaluation import Evaluation, evaluate, judge_outputs
from assay.evaluation.settings import Choices, Policy
from assay.files import STDIN, exists
from assay.outputs import Inputs, NamedFile, Outputs
from assay.parallel import ALONE, Workers
from assay.progress import OpenProgress, Progress, no_progress
from assay.verdicts import VerdictTable, select
from assay.verdicts.queue import Task, queue

if TYPE_CHECKING:
    from assay.evaluation.comparison import Comparison
    from assay.evaluation.rule_age import Ageing
    from assay.evaluation.years import Years
    from assay.verdicts.draw import Draw


def evaluate_files(
    inputs: Inputs,
    *,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    workers: Workers = ALONE,
    progress: Progress | None = None,
    open_progress: OpenProgress = no_progress,
    draw: Path | None = None,
    **choices: Unpack[Choices],
) -> Evaluation:
    """Evaluate outputs with a suite; `workers` judge them and make the draws of the test.

    `draw` is the file of the draw for policy estimate, by default that of the suite.
    """
    drawn = find_draw(inputs, draw, choices.get("policy", "fair"))
    with workers.open() as executor:
        suite, outputs = inputs.load()
        return evaluate(
            suite,
            outputs,
            systems=systems or None,
            exclude=exclude,
            executor=executor,
            progress=progress,
            open_progress=open_progress,
            draw=drawn,
            **choices,
        )


def find_draw(inputs: Inputs, named: Path | None, policy: Policy) -> "Draw | None":
    """The draw of a suite, in the file that was named or where it usually stands; other policies need none."""
    if policy != "estimate":
        if named:
            raise BadOption(f"--draw {named} is for --policy estimate; policy {policy} needs no draw")
        return None
    from assay.verdicts.draw import draw_place, read_draw

    place = named or draw_place(inputs.suite)
    if not exists(place):
        inputs.load_suite()  # where that is not there either, it is what the user has to know
        raise BadFile(place, "there is no draw", cure=f"make one: assay sample {inputs.command} -n 150 -o todo.xlsx")
    return read_draw(place)


def judge_files(
    inputs: Inputs,
    *,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep_all: bool = False,
    workers: Workers = ALONE,
) -> VerdictTable:
    """The verdicts on outputs, for those who need no numbers."""
    with workers.open() as executor:
        suite, outputs = inputs.load()
        table, _ = judge_outputs(
            suite, outputs, systems=systems or None, exclude=exclude, executor=executor, keep_all=keep_all
        )
        return table


def compare_files(
    inputs: Inputs,
    *,
    systems: Sequence[str] = (),
    workers: Workers = ALONE,
    progress: Progress | None = None,
    draw: Path | None = None,
    **choices: Unpack[Choices],
) -> "Comparison":
    """Compare two output files, or two systems (`systems`) of several; `draw` is that of `evaluate_files`."""
    from assay.evaluation.comparison import compare

    drawn = find_draw(inputs, draw, choices.get("policy", "fair"))
    told_apart = replace(inputs, outputs=_told_apart(inputs.outputs))
    with workers.open() as executor:
        suite, outputs = told_apart.load()
        if systems:
            outputs = _in_order(outputs, systems)
        return compare(suite, outputs, executor=executor, progress=progress, draw=drawn, **choices)


def _told_apart(outputs: Sequence[str]) -> list[str]:
    """Two files of one name are the same system before and after."""
    files = [NamedFile.parse(argument) for argument in outputs]
    if len(files) == 2 and files[0].path.resolve() == files[1].path.resolve() and files[0].path != STDIN:
        raise BadOption(f"{files[0].path} would be compared with itself; name two files")
    if len(files) == 2 and files[0].system_name == files[1].system_name:
        name = files[0].system_name
        return [f"{name} before={files[0].path}", f"{name} after={files[1].path}"]
    return list(outputs)


def _in_order(outputs: Outputs, names: Sequence[str]) -> Outputs:
    """Two systems in the order they were named."""
    if len(names) != 2:
        raise BadOption(f"--systems must name two systems to compare, not {len(names)}")
    if names[0] == names[1]:
        raise BadOption(f"{names[0]} would be compared with itself; name two systems")
    known = [system.name for system in outputs.systems]
    for name in names:
        if name not in known:
            raise UnknownName("system", name, known)
    return outputs.select([known.index(name) for name in names])


def years_of_files(
    inputs: Inputs,
    *,
    systems: Sequence[str] = (),
    rows: bool = True,
    diff: tuple[str, str] | None = None,
    workers: Workers = ALONE,
    open_progress: OpenProgress = no_progress,
    draw: Path | None = None,
    **choices: Unpack[Choices],
) -> "Years":
    """Compare campaigns, each named by its campaign file; `workers` make the draws for what is to be shown.

    `draw` is that of `evaluate_files`.
    """
    from assay.evaluation.years import over_years

    _check_campaign_files(inputs)
    drawn = find_draw(inputs, draw, choices.get("policy", "fair"))
    with workers.open() as executor:
        suite, outputs = inputs.load()
        return over_years(
            suite,
            select(outputs, systems or None),
            rows=rows,
            diff=diff,
            executor=executor,
            open_progress=open_progress,
            draw=drawn,
            **choices,
        )


def ageing_of_files(inputs: Inputs, *, systems: Sequence[str] = (), workers: Workers = ALONE) -> "Ageing":
    """What the rules decide in each campaign, named by its campaign file; `workers` judge the outputs."""
    from assay.evaluation.rule_age import ageing_of

    _check_campaign_files(inputs)
    with workers.open() as executor:
        suite, outputs = inputs.load()
        return ageing_of(suite, select(outputs, systems or None), executor=executor)


def _check_campaign_files(inputs: Inputs) -> None:
    for path in inputs.outputs:
        if Path(path).suffix.lower() not in (".yaml", ".yml"):
            raise BadOption(f"{path}: years takes campaign files (YAML with campaign:, source: and outputs:)")


def write_warnings(
    inputs: Inputs,
    path: Path,
    *,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep_all: bool = False,
    blind: bool = False,
    annotators: Sequence[str] = (),
    workers: Workers = ALONE,
) -> list[Task]:
    """Write the unresolved texts for a linguist, `blind` without the systems that wrote them."""
    from assay.verdicts.pearmut import check_annotators
    from assay.verdicts.todo import write_todo

    check_annotators(path, annotators)
    tasks = queue(judge_files(inputs, systems=systems, exclude=exclude, keep_all=keep_all, workers=workers))
    write_todo(tasks, path, blind=blind, annotators=annotators)
    return tasks
