"""What a run would take, before anything is sent.

plan = plan_of(engine, sentences, limits)
plan.requests, plan.estimate.characters, plan.estimate.cost
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from assay.errors import BadOption
from assay.translate.engine import Engine, Estimate
from assay.translate.retry import Limits


@dataclass(frozen=True, slots=True)
class Plan:
    """Sentences to ask for, in how many requests at least, and what they take."""

    sentences: int
    requests: int
    estimate: Estimate
    leaves: bool
    """Whether the sentences leave this machine, as far as the engine knows."""


def plan_of(engine: Engine, sentences: Sequence[str], limits: Limits) -> Plan:
    """The plan; nothing is sent."""
    size = min(limits.batch or engine.batch, engine.batch)
    return Plan(len(sentences), ceil(len(sentences) / size), engine.estimate(sentences), not engine.is_local)


def check_budget(engine: Engine, sentences: Sequence[str], limits: Limits) -> None:
    """Refuse a limit on the cost where the engine cannot say what a sentence costs."""
    if limits.max_cost is not None and sentences and engine.estimate(sentences[:1]).cost is None:
        raise BadOption(
            f"--max-cost needs prices, and {engine.name} knows none; give it price_in= and price_out= (language "
            "models) or price= (online engines), or use --max-requests"
        )
