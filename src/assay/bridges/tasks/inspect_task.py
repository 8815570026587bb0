"""A test suite of Assay as a task of Inspect: what a model answers is judged by the suite's rules.

    inspect eval task.py --model openai/gpt-5

The score `verdict` is 1 for a pass and 0 for a fail. An answer that no rule decides has none (Inspect: unscored) and
counts in the score `warning` alone. Both are given over all items, per category and per phenomenon.
"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, accuracy, grouped, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

from assay.bridges import SuiteScorer, read_rows

FOLDER = Path(__file__).resolve().parent
SUITE = SuiteScorer(FOLDER / "suite")
ROWS = [grouped(mean(), "category", all=False), grouped(mean(), "phenomenon", all=False)]


@scorer(metrics=[accuracy(), stderr(), *ROWS])
def verdict() -> Scorer:
    """1 for a pass, 0 for a fail, nothing for a warning."""

    async def score(state: TaskState, target: Target) -> Score:
        found = SUITE.score(str(state.sample_id), state.output.completion)
        return Score(value=found.value, answer=found.text, explanation=found.explanation)

    return score


@scorer(metrics=[mean(), *ROWS])
def warning() -> Scorer:
    """1 for a warning, 0 for an answer that rules decide."""

    async def score(state: TaskState, target: Target) -> Score:
        found = SUITE.score(str(state.sample_id), state.output.completion)
        return Score(value=float(found.is_warning), answer=found.text, explanation=found.explanation)

    return score


@task
def translation() -> Task:
    """Every item of the suite, with its own prompt where it has one."""
    samples = [
        Sample(
            id=row["id"],
            input=row["input"],
            metadata={"category": row["category"], "phenomenon": row["phenomenon"]},
        )
        for row in read_rows(FOLDER / "items.jsonl")
    ]
    return Task(
        name=SUITE.suite.name,
        dataset=MemoryDataset(samples, name=SUITE.suite.name),
        solver=generate(),
        scorer=[verdict(), warning()],
        metadata={"suite": SUITE.suite.exact_name},
    )
