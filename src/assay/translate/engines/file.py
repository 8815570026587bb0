"""Ready outputs as one more system: `mine=file:outputs.tsv`.

Its outputs belong to items, not to sentences, and are taken over as `assay evaluate` would read them; nothing is asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import BadOption
from assay.translate.engine import Answer, Engine, Estimate, LanguagePair, Refused


def file(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """Ready outputs: any file of one system that assay evaluate reads."""
    if not options.get("path"):
        raise BadOption("file: names no file; write NAME=file:PATH")
    return FileEngine(Path(options["path"]))


@dataclass(frozen=True)
class FileEngine:
    """An engine that has answered already."""

    path: Path
    is_local: bool = True
    batch: int = 1
    concurrency: int = 1
    per_minute: float | None = None

    @property
    def name(self) -> str:
        return self.path.name.removesuffix(".gz").partition(".")[0]

    @property
    def parameters(self) -> Mapping[str, str]:
        return {"engine": "file", "file": self.path.name}

    def estimate(self, sentences: Sequence[str]) -> Estimate:
        return Estimate(0)

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        raise Refused(f"{self.path} holds outputs of items; sentences cannot be looked up in it")

    def close(self) -> None:
        """There is nothing to let go of."""
