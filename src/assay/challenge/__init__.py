"""Challenge sets: pairs of a right and a wrong translation, made of judged outputs, that test metrics.

from assay.challenge import Drawing, build, evaluate_metrics, score

built = build(evaluation.table, Drawing(total=1000))
scores = [score(built.challenge, name) for name in ("BLEU", "chrF")]
for row in evaluate_metrics(built.challenge, scores).rows("category"): …
"""

from assay.challenge.accuracy import MetricEvaluation, evaluate_metrics
from assay.challenge.analysis import Band, Redundancy, curve, never_right, redundancies
from assay.challenge.blind import blind
from assay.challenge.build import Built, Drawing, build
from assay.challenge.challenge_set import Segment
from assay.challenge.closeness import Difficulty, Range, difficulty
from assay.challenge.metric import METRICS, FunctionMetric, Metric, load_metric, split_option
from assay.challenge.profile import MetricProfile, profile_of
from assay.challenge.redraw import redraw
from assay.challenge.rows import MetricCell, MetricRow
from assay.challenge.score import score

__all__ = [
    "METRICS",
    "Band",
    "Built",
    "Difficulty",
    "Drawing",
    "FunctionMetric",
    "Metric",
    "MetricCell",
    "MetricEvaluation",
    "MetricProfile",
    "MetricRow",
    "Range",
    "Redundancy",
    "Segment",
    "blind",
    "build",
    "curve",
    "difficulty",
    "evaluate_metrics",
    "jobs",
    "load_metric",
    "never_right",
    "profile_of",
    "redraw",
    "redundancies",
    "report",
    "score",
    "split_option",
]
