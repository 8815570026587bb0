"""Times as the database keeps them."""

from datetime import UTC, datetime


def now() -> str:
    """UTC, ISO 8601 with microseconds: `2026-11-15T10:03:00.000000Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
