"""Outputs that `assay translate` collected: what the campaign file says of them, and whether it still holds."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

COLLECTED = "collected"
"""The field of systems that were collected here; evaluations know it, too (`evaluation.provenance`)."""


DIGEST = "digest"
EDITED = "edited"


def as_read(metadata: Mapping[str, str], file: Path) -> Mapping[str, str]:
    """What is known about a system whose outputs are read from a file: it may have changed after they were collected.

    Then its field `collected` is another, which stands for what is read.
    """
    if COLLECTED not in metadata or metadata.get(DIGEST) is None:
        return metadata
    digest = digest_of(file)
    if digest == metadata[DIGEST]:
        return metadata
    collected = sha256(f"{metadata[COLLECTED]} {digest}".encode()).hexdigest()[:12]
    return {**metadata, COLLECTED: collected, DIGEST: digest, EDITED: "after collecting"}


def digest_of(file: Path) -> str:
    """The first half of a file's hash, enough to see that it was changed."""
    return sha256(file.read_bytes()).hexdigest()[:12]
