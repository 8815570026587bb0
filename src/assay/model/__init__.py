"""The records that all rooms share: suites, outputs, verdicts, errors. Imports nothing but numpy."""

from assay.model.errors import (
    AssayError,
    BadFile,
    BadOption,
    BadSuite,
    MissingExtra,
    UnknownName,
    UnpairedFile,
)
from assay.model.judgements import Judgement, Task
from assay.model.outputs import Collector, Outputs, System
from assay.model.suite import (
    KINDS,
    POLARITIES,
    Examples,
    Item,
    Kind,
    Polarity,
    Rule,
    Suite,
    taxonomy_of,
)
from assay.model.text import MISSING_MARKERS, NORMALISATION, is_missing, normalise
from assay.model.verdicts import (
    MISSING,
    VERDICT_FIELDS,
    Evidence,
    Finding,
    Judged,
    Reason,
    Verdict,
    VerdictTable,
)

__all__ = [
    "KINDS",
    "MISSING",
    "MISSING_MARKERS",
    "NORMALISATION",
    "POLARITIES",
    "VERDICT_FIELDS",
    "AssayError",
    "BadFile",
    "BadOption",
    "BadSuite",
    "Collector",
    "Evidence",
    "Examples",
    "Finding",
    "Item",
    "Judged",
    "Judgement",
    "Kind",
    "MissingExtra",
    "Outputs",
    "Polarity",
    "Reason",
    "Rule",
    "Suite",
    "System",
    "Task",
    "UnknownName",
    "UnpairedFile",
    "Verdict",
    "VerdictTable",
    "is_missing",
    "normalise",
    "taxonomy_of",
]
