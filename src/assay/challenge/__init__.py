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
from assay.challenge.case import Case, CaseSet, Hypothesis, Ladder
from assay.challenge.challenge_set import Segment
from assay.challenge.check import SetFinding, check_set
from assay.challenge.closeness import Difficulty, Range, difficulty
from assay.challenge.files.sets import read_cases, write_cases
from assay.challenge.meta import HumanAgreement, meta_evaluate
from assay.challenge.metric import METRICS, FunctionMetric, Metric, load_metric, split_option
from assay.challenge.pairs import pairs_of
from assay.challenge.profile import MetricProfile, profile_of
from assay.challenge.redraw import redraw
from assay.challenge.rows import MetricCell, MetricRow
from assay.challenge.score import score

__all__ = [
    "METRICS",
    "Band",
    "Built",
    "Case",
    "CaseSet",
    "Difficulty",
    "Drawing",
    "FunctionMetric",
    "HumanAgreement",
    "Hypothesis",
    "Ladder",
    "Metric",
    "MetricCell",
    "MetricEvaluation",
    "MetricProfile",
    "MetricRow",
    "Range",
    "Redundancy",
    "Segment",
    "SetFinding",
    "blind",
    "build",
    "check_set",
    "curve",
    "difficulty",
    "evaluate_metrics",
    "jobs",
    "load_metric",
    "meta_evaluate",
    "never_right",
    "pairs_of",
    "profile_of",
    "read_cases",
    "redraw",
    "redundancies",
    "report",
    "score",
    "split_option",
    "write_cases",
]
