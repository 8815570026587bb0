"""COMET, COMETKiwi and BERTScore in a process of their own; stand-ins take the place of their packages.

tests/heavy has the packages themselves.
"""

import sys
from pathlib import Path

import pytest

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import load_metric
from assay.errors import AssayError, BadFile, BadOption, MissingExtra

SEGMENTS = [Segment("Haus", "house", "the house"), Segment("Maus", "mice", "mouse")]

COMET = """
import os, sys
from types import SimpleNamespace

print("COMET says hello on standard output")

class Model:
    def __init__(self, path):
        self.path = path
        self.hparams = {"input_segments": ["mt", "src", "ref"] if "unified" in path else ["mt", "src"]}

    def requires_references(self):
        return "kiwi" not in self.path and "unified" not in self.path

    def predict(self, samples, **options):
        print("predicting", options)
        if samples[0]["mt"] == "die":
            sys.exit("out of memory, probably") if samples[0]["src"] else os._exit(7)
        if samples[0]["mt"] == "fail":
            raise RuntimeError("this text\\nis too long")
        return SimpleNamespace(scores=[len(sample["mt"]) + len(sample.get("ref", "")) / 100 for sample in samples])

def download_model(name):
    if "/" not in name:
        raise KeyError(f"Model '{name}' not supported by COMET.")
    return "downloaded/" + name

def load_from_checkpoint(path, local_files_only):
    assert local_files_only == (not path.startswith("downloaded"))
    return Model(path)
"""

BERTSCORE = """
class F1(list):
    def tolist(self):
        return list(self)

class BERTScorer:
    def __init__(self, model_type, num_layers):
        self.layers = num_layers

    def score(self, hypotheses, references):
        return None, None, F1(self.layers + len(hypothesis) / 10 for hypothesis in hypotheses)
"""

FILES = {
    "comet.py": COMET,
    "torch.py": "from types import SimpleNamespace\ncuda = SimpleNamespace(is_available=lambda: False)\n",
    "bert_score/__init__.py": BERTSCORE,
    "bert_score/utils.py": "model2layers = {'roberta-large': 17}\n",
    **{
        f"{name.replace('-', '_')}-{version}.dist-info/METADATA": f"Name: {name}\nVersion: {version}\n"
        for name, version in (("unbabel-comet", "9.1"), ("bert-score", "9.2"), ("transformers", "9.3"))
    },
}


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "packages"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.delenv("ASSAY_COMET_PYTHON", raising=False)
    monkeypatch.delenv("ASSAY_BERTSCORE_PYTHON", raising=False)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    file = tmp_path / "da" / "checkpoints" / "model.ckpt"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"weights")
    (tmp_path / "da" / "hparams.yaml").touch()
    return file


@pytest.mark.usefixtures("packages")
def test_comet_with_a_checkpoint(checkpoint: Path) -> None:
    metric = load_metric(f"COMET:{checkpoint}")
    assert metric.score(SEGMENTS) == [5.09, 4.05]
    assert metric.score(SEGMENTS[1:]) == [4.05]
    # sha256 of b"weights" begins with 9a129038d9a0
    assert metric.signature == "COMET|model:da[9a129038d9a0]|unbabel-comet:9.1"
    said = (metric.name, metric.group, metric.needs_source, metric.needs_reference, metric.parallel)
    assert said == ("COMET", "reference-based", True, True, False)
    assert load_metric(f"COMET:{checkpoint.parents[1]}").signature == metric.signature


@pytest.mark.usefixtures("packages")
def test_models_by_name() -> None:
    metric = load_metric("COMETKiwi")
    assert metric.score(SEGMENTS) == [5, 4]
    assert metric.signature == "COMETKiwi|model:Unbabel/wmt22-cometkiwi-da|unbabel-comet:9.1"
    assert (metric.group, metric.needs_source, metric.needs_reference) == ("qe", True, False)
    assert load_metric("COMET:a/unified").score(SEGMENTS) == [5.09, 4.05]


@pytest.mark.usefixtures("packages")
def test_bertscore(tmp_path: Path) -> None:
    metric = load_metric("BERTScore:roberta-large")
    assert metric.score(SEGMENTS) == [17.5, 17.4]
    assert metric.signature == "BERTScore|model:roberta-large|bert-score:9.2|transformers:9.3"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text("weights")
    mine = load_metric(f"BERTScore:{tmp_path}/mine@3")
    assert mine.score(SEGMENTS) == [3.5, 3.4]
    assert mine.signature == "BERTScore|model:mine[9a129038d9a0]@3|bert-score:9.2|transformers:9.3"
    with pytest.raises(
        AssayError, match=r"does not say which layer of this model to take; write BERTScore:.*mine@LAYER"
    ):
        load_metric(f"BERTScore:{tmp_path}/mine").score(SEGMENTS)


@pytest.mark.usefixtures("packages")
def test_what_goes_wrong_in_the_model() -> None:
    metric = load_metric("COMET:a/da")
    with pytest.raises(AssayError, match=r"^COMET:a/da: RuntimeError: this text is too long$"):
        metric.score([Segment("s", "fail", "r")])
    assert metric.score(SEGMENTS) == [5.09, 4.05]
    with pytest.raises(
        AssayError, match=r"^COMET:a/da: the process .* ended with exit code 1: out of memory, probably$"
    ):
        metric.score([Segment("s", "die", "r")])
    with pytest.raises(AssayError, match=r"^COMET:a/da was stopped; load it again$"):
        metric.score(SEGMENTS)
    with pytest.raises(AssayError, match=r"ended with exit code 7: predicting"):
        load_metric("COMET:a/da").score([Segment("", "die", "r")])


@pytest.mark.usefixtures("packages")
def test_models_of_the_other_kind() -> None:
    with pytest.raises(AssayError, match=r"this model needs references; write COMET:a/da$"):
        load_metric("COMETKiwi:a/da").score(SEGMENTS)
    with pytest.raises(AssayError, match=r"this model takes no references; write COMETKiwi:a/kiwi$"):
        load_metric("COMET:a/kiwi").score(SEGMENTS)
    with pytest.raises(AssayError, match=r"KeyError: \"Model 'nosuch' not supported by COMET.\"$"):
        load_metric("COMET:nosuch").score(SEGMENTS)


@pytest.mark.parametrize("name", ["COMET", "COMETKiwi"])
def test_checkpoints_that_are_not_there(name: str, tmp_path: Path, checkpoint: Path) -> None:
    with pytest.raises(BadFile, match=r"nosuch\.ckpt: no such checkpoint; give the path of a \.ckpt file or the name"):
        load_metric(f"{name}:nosuch.ckpt")
    with pytest.raises(BadFile, match=r"checkpoints/model\.ckpt: no such checkpoint"):
        load_metric(f"{name}:{tmp_path}")
    (checkpoint.parents[1] / "hparams.yaml").unlink()
    with pytest.raises(BadFile, match=r"model\.ckpt: there is no hparams\.yaml in "):
        load_metric(f"{name}:{checkpoint}")


def test_models_for_bertscore_that_are_not_there() -> None:
    with pytest.raises(BadFile, match=r"nosuch: no such folder"):
        load_metric("BERTScore:./nosuch")
    for option in ("", "@3", "roberta-large@", "roberta-large@last"):
        with pytest.raises(BadOption, match=r"names no model; write BERTScore:MODEL or BERTScore:MODEL@LAYER"):
            load_metric(f"BERTScore:{option}")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python without any packages."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv("ASSAY_COMET_PYTHON", str(python))
    monkeypatch.setenv("ASSAY_BERTSCORE_PYTHON", str(python))


@pytest.mark.usefixtures("bare")
def test_packages_that_are_not_installed() -> None:
    with pytest.raises(
        MissingExtra, match=r"^the metric COMETKiwi needs .*pip install unbabel-comet.*ASSAY_COMET_PYTHON="
    ):
        load_metric("COMETKiwi")
    with pytest.raises(MissingExtra, match=r"^the metric BERTScore needs .*run: .*pip install bert-score"):
        load_metric("BERTScore:roberta-large")


def test_a_python_that_cannot_be_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_COMET_PYTHON", str(tmp_path / "nosuch"))
    with pytest.raises(BadOption, match=r"^ASSAY_COMET_PYTHON: .*nosuch cannot be run \(no such file or directory\)"):
        load_metric("COMET")
