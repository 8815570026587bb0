"""What all requests share."""

from dataclasses import dataclass, field

from assay.workbench.db.database import Store
from assay.workbench.people.roles import User
from assay.workbench.queue.leases import Leases
from assay.workbench.queue.suggester_pool import Opinions
from assay.workbench.snapshot import Snapshots


@dataclass
class State:
    """One per server. `local_user` is set where the server answers this machine only and there are no accounts.

    `opinions` are those of the suggester that the server was started with; pages do not wait for them.
    """

    store: Store
    local_user: User | None = None
    max_upload: int = 200 * 1024 * 1024
    opinions: Opinions | None = None
    snapshots: Snapshots = field(init=False)
    leases: Leases = field(init=False, default_factory=Leases)

    def __post_init__(self) -> None:
        self.snapshots = Snapshots(self.store)
