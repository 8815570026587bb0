"""Use cases of the suite's author: check it, convert it."""

from pathlib import Path

from assay.formats import save_suite
from assay.formats.suites import losses
from assay.model import Suite
from assay.rules.lint import Problem, lint
from assay.workbench.evaluating import Inputs


def lint_files(inputs: Inputs) -> list[Problem]:
    """Check a suite, with outputs where some are given."""
    if not inputs.outputs:
        return lint(inputs.load_suite())
    return lint(*inputs.load())


def convert(inputs: Inputs, target: Path, *, lossy: bool, force: bool) -> tuple[Suite, list[str]]:
    """Convert a suite; returns it with what the target format could not hold."""
    suite = inputs.load_suite()
    missing = losses(suite, target)
    save_suite(suite, target, lossy=lossy, force=force)
    return suite, missing
