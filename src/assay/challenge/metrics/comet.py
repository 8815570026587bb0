"""COMET and COMETKiwi through unbabel-comet, from a checkpoint on disk or by the name of a model.

    comet("models/wmt22-comet-da/checkpoints/model.ckpt").score(segments)
    kiwi("Unbabel/wmt22-cometkiwi-da,device=cuda:1,batch=64").score(segments)

unbabel-comet wants other versions of packages than Assay. Give it an environment of its own and name that
environment's Python in ASSAY_COMET_PYTHON.
"""

from pathlib import Path

from assay.challenge.metric import FunctionMetric, Metric
from assay.challenge.metrics.model import BATCH, MetricModel, digest, read_settings, signature
from assay.errors import BadFile

CURE = (
    "python -m venv comet && comet/bin/pip install unbabel-comet 'setuptools<81' "
    "&& export ASSAY_COMET_PYTHON=$PWD/comet/bin/python"
)

DEFAULTS = {"COMET": "Unbabel/wmt22-comet-da", "COMETKiwi": "Unbabel/wmt22-cometkiwi-da"}


def comet(option: str) -> Metric:
    """COMET: source, translation and reference."""
    return _metric("COMET", option)


def kiwi(option: str) -> Metric:
    """COMETKiwi: quality estimation, without a reference."""
    return _metric("COMETKiwi", option)


def _metric(kind: str, option: str) -> Metric:
    named, settings = read_settings(kind, option)
    named = named or DEFAULTS[kind]
    file = checkpoint(named)
    model = MetricModel(kind, str(file or named), cure=CURE, settings=settings)
    # A checkpoint is MODEL/checkpoints/model.ckpt; its content, not its place, is what scores depend on.
    which = named if file is None else f"{file.parents[1].name}[{digest(file)}]"
    return FunctionMetric(
        kind,
        signature(kind, which, model.versions),
        model.score,
        group="qe" if kind == "COMETKiwi" else "reference-based",
        needs_source=True,
        needs_reference=kind == "COMET",
        # One model fills the machine.
        parallel=False,
        batch=BATCH,
    )


def checkpoint(named: str) -> Path | None:
    """The checkpoint file for a path to it or to the model's folder; None where `named` is the name of a model."""
    path = Path(named).expanduser()
    if path.is_dir():
        path = path / "checkpoints" / "model.ckpt"
    elif path.suffix != ".ckpt" and not named.startswith((".", "/", "~")):
        return None
    if not path.is_file():
        raise BadFile(path, "no such checkpoint", cure="give the path of a .ckpt file or the name of a model")
    # unbabel-comet reads the hyperparameters from there, and its own message does not say which file is missing.
    if not (path.parents[1] / "hparams.yaml").is_file():
        raise BadFile(
            path, f"there is no hparams.yaml in {path.parents[1]}", cure="keep the folder of a model as it was"
        )
    return path.resolve()
