"""BERTScore (F1) through bert-score, with a model on disk or by its name, and the layer to take.

    bertscore("models/xlm-roberta-large@17").score(segments)

The layer may be left out for models that bert-score knows. ASSAY_BERTSCORE_PYTHON names the Python of an environment
that has bert-score, if it is not this one.
"""

from pathlib import Path

from assay.challenge.metric import FunctionMetric, Metric
from assay.challenge.metrics.model import BATCH, MetricModel, digest, read_settings, signature
from assay.errors import BadFile, BadOption

CURE = (
    "python -m venv bertscore && bertscore/bin/pip install bert-score "
    "&& export ASSAY_BERTSCORE_PYTHON=$PWD/bertscore/bin/python"
)


def bertscore(option: str) -> Metric:
    """BERTScore with the model that the option names."""
    named, settings = read_settings("BERTScore", option)
    name, at, layer = named.partition("@")
    if not name or (at and not layer.isdecimal()):
        raise BadOption(f"BERTScore:{option} names no model; write BERTScore:MODEL or BERTScore:MODEL@LAYER")
    path = Path(name).expanduser()
    if path.is_dir():
        name = str(path.resolve())
    # Surely meant as a path; the hub's names look like `xlm-roberta-large` or `org/model`.
    elif name.startswith((".", "/", "~")):
        raise BadFile(path, "no such folder", cure="give the folder of a model or the name of one")
    model = MetricModel("BERTScore", name + at + layer, cure=CURE, settings=settings)
    # By content: the signature of a local model must not change with the folder it lies in.
    which = (f"{path.name}[{digest(path)}]" if path.is_dir() else name) + at + layer
    return FunctionMetric(
        "BERTScore", signature("BERTScore", which, model.versions), model.score, parallel=False, batch=BATCH
    )
