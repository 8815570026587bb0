"""A neural model in a process of its own, with the Python of another environment if need be.

    model = MetricModel("COMET", "model.ckpt", cure="pip install unbabel-comet")
    model.score(segments)

The environment variable ASSAY_COMET_PYTHON or ASSAY_BERTSCORE_PYTHON names that Python; without it, it is this one.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from weakref import finalize

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import WAKE, split_option
from assay.errors import AssayError, BadOption, MissingExtra
from assay.parallel import end_if_cancelled

WORKER = Path(__file__).with_name("model_worker.py")

VARIABLES = {"COMET": "ASSAY_COMET_PYTHON", "COMETKiwi": "ASSAY_COMET_PYTHON", "BERTScore": "ASSAY_BERTSCORE_PYTHON"}

BATCH = 256
"""Segments per call: models are slow, and scores are kept after every batch."""

SETTINGS = ("device", "batch")
"""What may stand behind the model: `COMET:model.ckpt,device=cuda:1,batch=64`."""


def read_settings(kind: str, option: str) -> tuple[str, dict[str, str]]:
    """The model, and where and in batches of what size it works; neither changes what it says."""
    model, settings = split_option(option, *SETTINGS)
    device, batch = settings.get("device", ""), settings.get("batch", "1")
    if not re.fullmatch(r"(cpu|cuda(:\d+)?|mps)?", device):
        raise BadOption(f"{kind}:{option}: the device is cpu, mps, cuda or cuda:NUMBER, not {device!r}")
    if not batch.isdecimal() or int(batch) < 1:
        raise BadOption(f"{kind}:{option}: batch is a number of segments, not {batch!r}")
    return model, settings


class MetricModel:
    """A model that is loaded with the first segments, and kept. `versions` are those of its packages."""

    def __init__(self, kind: str, model: str, *, cure: str, settings: Mapping[str, str] | None = None) -> None:
        self._what = f"{kind}:{model}"
        # A file, not a pipe: nobody reads it while the model works, and a full pipe would block the process.
        self._errors = TemporaryFile()  # noqa: SIM115 (_end closes it)
        self._process = _start(kind, model, settings or {}, self._errors)
        # Ends the process when the metric is dropped, and at exit.
        self._stop = finalize(self, _end, self._process, self._errors)
        hello = self._answer()
        if "missing" in hello:
            self._stop()
            raise MissingExtra(f"the metric {kind}", cure)
        self.versions: Mapping[str, str] = hello["versions"]

    def score(self, segments: Sequence[Segment]) -> list[float]:
        """One score per segment."""
        assert self._process.stdin
        texts = [[segment.source, segment.hypothesis, segment.reference] for segment in segments]
        try:
            self._process.stdin.write(json.dumps({"segments": texts}).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._death() from None
        answer = self._answer()
        if "error" in answer:
            raise AssayError(f"{self._what}: {' '.join(answer['error'].split())}")
        scores: list[float] = answer["scores"]
        return scores

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout
        try:
            # In short waits, so that a cancelled block ends soon.
            while not wait([self._process.stdout.fileno()], WAKE):
                end_if_cancelled()
            line = self._process.stdout.readline()
        except BaseException:
            self._stop()  # a late answer would be taken for that of the next batch
            raise
        if not line:
            raise self._death()
        found: dict[str, Any] = json.loads(line)
        return found

    def _death(self) -> AssayError:
        if not self._stop.alive:
            return AssayError(f"{self._what} was stopped; load it again")
        code = self._process.wait()
        self._errors.seek(0)
        # The last line of a Python traceback is its message.
        last = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2]
        self._stop()
        return AssayError(
            f"{self._what}: the process with the model ended with exit code {code}: {last or 'no message'}"
        )


def signature(kind: str, model: str, versions: Mapping[str, str]) -> str:
    """The signature of a model: everything that its scores depend on."""
    return "|".join([kind, f"model:{model}", *(f"{package}:{number}" for package, number in versions.items())])


def digest(path: Path) -> str:
    """A hash of the content of a file, or of all files in a folder; its path does not matter."""
    found = hashlib.sha256()
    for file in sorted(inside for inside in path.iterdir() if inside.is_file()) if path.is_dir() else [path]:
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                found.update(block)
    return found.hexdigest()[:12]


def _start(kind: str, model: str, settings: Mapping[str, str], errors: IO[bytes]) -> "subprocess.Popen[bytes]":
    python = os.environ.get(VARIABLES[kind]) or sys.executable
    try:
        return subprocess.Popen(
            [python, str(WORKER), kind, model, *(f"{name}={value}" for name, value in settings.items())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    except OSError as error:
        errors.close()
        reason = (error.strerror or str(error)).lower()
        raise BadOption(f"{VARIABLES[kind]}: {python} cannot be run ({reason}); name a Python") from error


def _end(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> None:
    process.kill()
    process.communicate()
    errors.close()
