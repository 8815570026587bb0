"""COMET, COMETKiwi and BERTScore as they are installed, with tiny models of random weights.

Takes the Python that ASSAY_COMET_PYTHON names; without it, the packages are installed in build/comet, 1.5 GB.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.challenge import load_metric, score
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, Segment
from assay.errors import AssayError
from tests.conftest import ROOT

PACKAGES = ["torch==2.13.0", "setuptools<81", "unbabel-comet", "bert-score"]

MAKE = """
import sys
from pathlib import Path
import pytorch_lightning, torch, yaml
from comet.models import ReferencelessRegression, RegressionMetric
from transformers import BertConfig, BertModel, BertTokenizerFast

root = Path(sys.argv[1])
encoder = root / "encoder"
encoder.mkdir()
letters = "abcdefghijklmnopqrstuvwxyz"
words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + letter for letter in letters)]
(encoder / "vocab.txt").write_text("\\n".join(words))
BertTokenizerFast(vocab_file=str(encoder / "vocab.txt")).save_pretrained(encoder)
size = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
torch.manual_seed(1)
BertModel(BertConfig(vocab_size=len(words), max_position_embeddings=128, **size)).save_pretrained(encoder)
for name, kind in (("da", RegressionMetric), ("kiwi", ReferencelessRegression)):
    model = kind(encoder_model="BERT", pretrained_model=str(encoder), hidden_sizes=[8], local_files_only=True)
    (root / name / "checkpoints").mkdir(parents=True)
    trainer = pytorch_lightning.Trainer(accelerator="cpu", logger=False, enable_checkpointing=False)
    trainer.strategy.connect(model)
    trainer.save_checkpoint(root / name / "checkpoints" / "model.ckpt", weights_only=True)
    (root / name / "hparams.yaml").write_text(yaml.dump(dict(model.hparams)))
"""

DIRECTLY = """
import json, sys
import bert_score, comet

root, segments = sys.argv[1], json.loads(sys.argv[2])
samples = [{"src": source, "mt": text, "ref": reference} for source, text, reference in segments]
found = {}
for name in ("da", "kiwi"):
    model = comet.load_from_checkpoint(f"{root}/{name}/checkpoints/model.ckpt", local_files_only=True)
    found[name] = model.predict(samples, gpus=0, progress_bar=False).scores
scorer = bert_score.BERTScorer(model_type=f"{root}/encoder", num_layers=2)
found["bert"] = scorer.score([one[1] for one in segments], [one[2] for one in segments])[2].tolist()
print(json.dumps(found))
"""

SEGMENTS = [
    Segment("das ist ein haus", "this is a house", "that is a house"),
    Segment("die maus", "the mice are here", "the mouse"),
    Segment("ein riegel klemmt", "a bolt is stuck", "a latch is jammed"),
]


@pytest.fixture(scope="session")
def python() -> str:
    """A Python that has the packages."""
    named = os.environ.get("ASSAY_COMET_PYTHON")
    if named:
        return named
    folder = ROOT / "build" / "comet"
    if not (folder / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", *PACKAGES], check=True)
        (folder / "complete").touch()
    return str(folder / "bin" / "python")


@pytest.fixture(scope="session")
def models(python: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    subprocess.run([python, "-c", MAKE, folder], check=True, capture_output=True)
    return folder


@pytest.fixture(autouse=True)
def _elsewhere(python: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_COMET_PYTHON", python)
    monkeypatch.setenv("ASSAY_BERTSCORE_PYTHON", python)


def test_the_scores_are_those_of_the_packages(python: str, models: Path) -> None:
    texts = [[one.source, one.hypothesis, one.reference] for one in SEGMENTS]
    command = [python, "-c", DIRECTLY, str(models), json.dumps(texts)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    expected = json.loads(done.stdout.splitlines()[-1])
    assert load_metric(f"COMET:{models}/da").score(SEGMENTS) == expected["da"]
    assert load_metric(f"COMETKiwi:{models}/kiwi/checkpoints/model.ckpt").score(SEGMENTS) == expected["kiwi"]
    assert load_metric(f"BERTScore:{models}/encoder@2").score(SEGMENTS) == expected["bert"]


def test_a_challenge_set(models: Path) -> None:
    items = [
        ChallengeItem(f"c{place}", one.source, one.reference, one.hypothesis, "a house")
        for place, one in enumerate(SEGMENTS)
    ]
    scores = score(ChallengeSet("little", "de-en", tuple(items)), f"tiny=COMET:{models}/da")
    assert scores.name == "tiny"
    assert scores.signature.startswith("COMET|model:da[")
    assert scores.values.shape == (3, 2)
    assert len({*scores.values.ravel()}) == 6


def test_a_model_of_the_other_kind(models: Path) -> None:
    with pytest.raises(AssayError, match=r"this model needs references; write COMET:"):
        load_metric(f"COMETKiwi:{models}/da").score(SEGMENTS)
    with pytest.raises(AssayError, match=r"this model takes no references; write COMETKiwi:"):
        load_metric(f"COMET:{models}/kiwi").score(SEGMENTS)


def test_a_checkpoint_that_is_none(models: Path, tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "model.ckpt").write_text("nothing")
    (tmp_path / "hparams.yaml").write_bytes((models / "da" / "hparams.yaml").read_bytes())
    with pytest.raises(AssayError, match=r"^COMET:.*model\.ckpt: \w+Error: "):
        load_metric(f"COMET:{tmp_path}").score(SEGMENTS)
