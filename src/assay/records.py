"""What is common to the records of all folders: frozen dataclasses, which the JSON API answers with as they are."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

INTERNAL: Final[Mapping[str, bool]] = MappingProxyType({"exclude": True})
"""`field(metadata=INTERNAL)`: not in answers. Pydantic reads the metadata of fields, so no record imports it."""
