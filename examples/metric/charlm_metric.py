"""A metric of your own: how probable a small character model finds a translation. No reference is needed."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

from assay.challenge import FunctionMetric, Metric, Segment, split_option

START = 256  # before the first byte, and behind the last one of a shorter text


class CharacterModel(torch.nn.Module):
    """Guesses the next byte of a text."""

    def __init__(self, size: int = 64) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(257, size)
        self.memory = torch.nn.GRU(size, size, batch_first=True)
        self.guess = torch.nn.Linear(size, 257)

    def forward(self, codes: torch.Tensor) -> torch.Tensor:
        return self.guess(self.memory(self.embedding(codes))[0])


class CharacterScorer:
    """The model on its device, loaded once with the first batch."""

    def __init__(self, path: Path, device: str) -> None:
        self.path, self.device = path, device
        self.model: CharacterModel | None = None

    def load(self) -> CharacterModel:
        weights = torch.load(self.path, map_location=self.device, weights_only=True)
        model = CharacterModel(weights["guess.weight"].shape[1])
        model.load_state_dict(weights)
        return model.to(self.device).eval()

    @torch.inference_mode()
    def score(self, segments: Sequence[Segment]) -> list[float]:
        """The mean logarithm of a byte's probability."""
        self.model = self.model or self.load()
        texts = [torch.tensor([*segment.hypothesis.encode()]) for segment in segments]
        codes = pad_sequence(texts, batch_first=True, padding_value=START).long().to(self.device)
        before = torch.nn.functional.pad(codes, (1, 0), value=START)[:, :-1]
        losses = cross_entropy(self.model(before).transpose(1, 2), codes, reduction="none", ignore_index=START)
        lengths = torch.tensor([max(len(text), 1) for text in texts], device=self.device)
        return (-losses.sum(dim=1) / lengths).tolist()


def charlm(option: str) -> Metric:
    """Probability of a translation by a character model: charlm:model.pt or charlm:model.pt,device=cuda."""
    path, settings = split_option(option, "device")
    scorer = CharacterScorer(Path(path), settings.get("device", "cpu"))
    digest = sha256(scorer.path.read_bytes()).hexdigest()[:12]
    return FunctionMetric(
        "charlm",
        f"charlm|model:{digest}|torch:{torch.__version__}",  # everything that a score depends on
        scorer.score,
        group="qe",
        needs_reference=False,
        batch=256,
        by_length=True,
    )
