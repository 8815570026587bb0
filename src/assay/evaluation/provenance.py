"""Where outputs come from, as far as they were collected by `assay translate`.

A collected system has the field `collected` in its metadata: a hash over the engine, its parameters, the times and the
texts. Results name them all in their signature.
"""

from collections.abc import Iterable

from assay.outputs import System

COLLECTED = "collected"

DESCRIBING = frozenset({"engine", "model"})
"""Fields of collected systems that systems may share and be grouped by; the others are theirs alone."""


def provenance(systems: Iterable[System]) -> str:
    """Eight hex digits over the collected systems; empty where there are none."""
    found = sorted((system.name, system.campaign, system.metadata.get(COLLECTED, "")) for system in systems)
    found = [entry for entry in found if entry[2]]
    if not found:
        return ""
    from hashlib import sha256

    return sha256(repr(found).encode()).hexdigest()[:8]


def is_describing(system: System, field: str) -> bool:
    """Whether a field of the metadata says what kind of a system it is."""
    return COLLECTED not in system.metadata or field in DESCRIBING
