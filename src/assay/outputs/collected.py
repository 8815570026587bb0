"""Outputs that `assay translate` collected: what the campaign file says of them, and whether they were edited since."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

COLLECTED = "collected"
"""The field of systems that were collected here; evaluations know it, too (`evaluation.provenance`)."""


DIGEST = "digest"
EDITED = "edited"


def mark_edited(metadata: Mapping[str, str], file: Path) -> Mapping[str, str]:
    """A system's metadata, with other values for `collected` and `digest` if its file was edited after collecting."""
    if COLLECTED not in metadata or metadata.get(DIGEST) is None:
        return metadata
    digest = digest_of(file)
    if digest == metadata[DIGEST]:
        return metadata
    # Derived from both, so that evaluations of the edited and of the original file have different signatures.
    collected = sha256(f"{metadata[COLLECTED]} {digest}".encode()).hexdigest()[:12]
    return {**metadata, COLLECTED: collected, DIGEST: digest, EDITED: "after collecting"}


def digest_of(file: Path) -> str:
    """The first 12 hex digits of a file's hash, enough to see that it was changed."""
    return sha256(file.read_bytes()).hexdigest()[:12]
