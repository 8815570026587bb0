"""What all requests share."""

from dataclasses import dataclass, field

from assay.workbench.db.database import Store
from assay.workbench.db.people import session_user
from assay.workbench.people.roles import User
from assay.workbench.queue.desk import Desk
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
    desk: Desk = field(init=False)

    def __post_init__(self) -> None:
        self.desk = Desk(self.store)

    @property
    def boards(self) -> Snapshots:
        return self.desk.boards

    def session(self, token: str) -> User | None:
        """Whose session this is."""
        with self.store.reading() as db:
            return session_user(db, token)
