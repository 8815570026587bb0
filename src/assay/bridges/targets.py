"""What a suite can be exported for: one entry for each target, which `--for`, the help and the docs read.

TARGETS["inspect"].writer()(suite, folder)

The module imports no target, since `--help` reads it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from assay.suites import Suite


@dataclass(frozen=True, slots=True)
class ExportTarget:
    """A program that takes suites; `run` is how one sees the folder at work, with its name for `{folder}`."""

    name: str
    what: str
    module: str
    run: str

    def writer(self) -> Callable[[Suite, Path], None]:
        """What fills a folder."""
        return cast(Callable[[Suite, Path], None], import_module(self.module).write)


TARGETS = {
    target.name: target
    for target in (
        ExportTarget(
            "inspect",
            "a task of Inspect (inspect_ai)",
            "assay.bridges.inspect_folder",
            "inspect eval {folder}/task.py --model openai/gpt-5",
        ),
        ExportTarget(
            "lm-eval",
            "a task of EleutherAI's lm-evaluation-harness",
            "assay.bridges.lm_eval_folder",
            "lm_eval --include_path {folder} --tasks {task} --model hf --model_args pretrained=MODEL "
            "--apply_chat_template",
        ),
        ExportTarget(
            "hf",
            "a dataset of the Hugging Face Hub, with its card",
            "assay.bridges.hugging_face",
            "hf upload --repo-type dataset USER/{name} {folder}",
        ),
    )
}
"""Name -> target, in the order of the help."""
