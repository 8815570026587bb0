"""Scores with a neural model, in the Python that has its packages. Imports nothing of Assay, and runs on Python 3.8.

    python model_worker.py COMET models/wmt22-comet-da/checkpoints/model.ckpt device=cuda:1 batch=64

It writes a line of JSON with the versions of the packages, or with the one that is missing. Then it answers every line
{"segments": [[source, hypothesis, reference], …]} with a line {"scores": […]} or {"error": "…"}.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = {
    "COMET": ["unbabel-comet"],
    "COMETKiwi": ["unbabel-comet"],
    "BERTScore": ["bert-score", "transformers"],
}


def load_comet(kind: str, model: str, settings: dict[str, str]) -> Callable[[list[list[str]]], list[float]]:
    comet = import_module("comet")
    # With a local checkpoint COMET must not ask the hub for the encoder either.
    local = Path(model).is_file()
    loaded = comet.load_from_checkpoint(model if local else comet.download_model(model), local_files_only=local)
    # Unified models (UniTE-like) work with and without references; `input_segments` lists what they were trained on.
    takes_references = loaded.requires_references() or "ref" in loaded.hparams.get("input_segments", ())
    if kind == "COMETKiwi" and loaded.requires_references():
        raise ValueError(f"this model needs references; write COMET:{model}")
    if kind == "COMET" and not takes_references:
        raise ValueError(f"this model takes no references; write COMETKiwi:{model}")
    device = settings.get("device", "")
    chosen: dict[str, Any] = {
        "gpus": int(import_module("torch").cuda.is_available() if not device else device != "cpu")
    }
    if device.partition(":")[2]:
        chosen["devices"] = [int(device.partition(":")[2])]
    if device == "mps":
        chosen["accelerator"] = "mps"
    if "batch" in settings:
        chosen["batch_size"] = int(settings["batch"])

    def score(segments: list[list[str]]) -> list[float]:
        samples = [{"src": source, "mt": hypothesis, "ref": reference} for source, hypothesis, reference in segments]
        if kind == "COMETKiwi":
            for sample in samples:
                del sample["ref"]
        found: list[float] = loaded.predict(samples, num_workers=0, progress_bar=False, **chosen).scores
        return found

    return score


def load_bertscore(kind: str, model: str, settings: dict[str, str]) -> Callable[[list[list[str]]], list[float]]:
    name, _, layer = model.partition("@")
    known = import_module("bert_score.utils").model2layers
    layers = int(layer) if layer else known.get(name) or known.get(Path(name).name)
    if layers is None:
        raise ValueError(f"bert-score does not say which layer of this model to take; write {kind}:{name}@LAYER")
    chosen: dict[str, Any] = {"device": settings["device"]} if "device" in settings else {}
    if "batch" in settings:
        chosen["batch_size"] = int(settings["batch"])
    scorer = import_module("bert_score").BERTScorer(model_type=name, num_layers=layers, **chosen)

    def score(segments: list[list[str]]) -> list[float]:
        _, _, f1 = scorer.score([segment[1] for segment in segments], [segment[2] for segment in segments])
        found: list[float] = f1.tolist()
        return found

    return score


def main() -> None:
    # A module of Assay beside this file is called comet, too, and would be found before the package.
    here = Path(__file__).resolve().parent
    sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != here]
    # The packages print what they like; it must not get between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(what: dict[str, Any]) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    kind, model, *given = sys.argv[1:]
    settings = dict(one.split("=", 1) for one in given)
    try:
        answer({"versions": {package: version(package) for package in PACKAGES[kind]}})
    except PackageNotFoundError as error:
        answer({"missing": str(error)})
        return
    score = None
    for line in sys.stdin:
        try:
            # Loaded with the first batch: whoever only asks for the versions does not wait for gigabytes.
            score = score or (load_bertscore if kind == "BERTScore" else load_comet)(kind, model, settings)
            answer({"scores": [float(number) for number in score(json.loads(line)["segments"])]})
        # Whatever the package raises is reported to the caller, who decides; this process goes on.
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
