"""Who works on a suite, and what each role may do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from assay.errors import NotAllowed
from assay.records import INTERNAL

Role = Literal["viewer", "annotator", "adjudicator", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what those before it may: look; judge and edit rules; decide disagreements; import, export, people."""


@dataclass(frozen=True, slots=True)
class User:
    """A person by name. Without a password nobody can log in by that name."""

    id: int = field(metadata=INTERNAL)
    name: str
    role: Role
    active: bool = True
    has_password: bool = False
    settings: Mapping[str, object] = field(default_factory=dict, metadata=INTERNAL)
    created: str = ""

    def may(self, role: Role) -> bool:
        return self.active and ROLES.index(self.role) >= ROLES.index(role)

    def need(self, role: Role) -> None:
        """Refuse what the role does not allow."""
        if not self.may(role):
            raise NotAllowed(f"{self.name} is {self.role}; this needs the role {role}")
